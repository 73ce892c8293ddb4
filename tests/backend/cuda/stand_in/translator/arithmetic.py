"""Rules of PTX arithmetic, comparisons and conversions."""

from __future__ import annotations

from collections.abc import Sequence

from operands import C_TYPES, FLOATS, Body
from ptx_text import SIZES, Instruction, UntranslatableError
from rules import modifiers, rule

NARROW = ("f16", "bf16")
SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "xor": "^"}
COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
UNSIGNED_COMPARISONS = {"lo": "<", "ls": "<=", "hi": ">", "hs": ">="}
ROUNDED = {"rni": "rint", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
FLOAT_MODIFIERS = ("rn", "approx", "full", "ftz", "NaN")


def suffix(kind: str) -> str:
    """The end of the name of a function of C's library for this type."""
    return "f" if kind == "f32" else ""


def floats(body: Body, instruction: Instruction, result: str) -> None:
    """Assigns an expression of floats; `result` holds a brace for each operand, of the type computed in.

    Narrow floats are computed in float64 and rounded once, pairs of them one after the other."""
    kind, (target, *operands) = instruction.name[-1], instruction.operands
    found = modifiers(instruction, FLOAT_MODIFIERS)
    if kind in FLOATS:
        values = [body.value(each, kind) for each in operands]
        if "ftz" in found:
            values = [f"flushed_{kind}({each})" for each in values]
        value = result.format(*values, f=suffix(kind), kind=kind)
        body.assign(target, f"flushed_{kind}({value})" if "ftz" in found else value, kind)
        return
    scalar, bits = kind.removesuffix("x2"), [body.value(each, kind) for each in operands]

    def narrow(shift: str) -> str:
        values = [f"{scalar}_value((uint16_t)({each}{shift}))" for each in bits]
        return f"{scalar}_bits({result.format(*values, f='', kind='f64')})"

    pair = f"({narrow('')} | (uint32_t){narrow(' >> 16')} << 16)"
    body.assign(target, narrow("") if kind in NARROW else pair, kind)


def is_float(kind: str) -> bool:
    return "f" in kind


@rule("add", "sub")
def add_or_subtract(body: Body, instruction: Instruction) -> None:
    if "cc" in instruction.name:
        return carried(body, instruction)
    kind, sign = instruction.name[-1], SIGNS[instruction.name[0]]
    if is_float(kind):
        return floats(body, instruction, f"({{0}} {sign} {{1}})")
    target, a, b = instruction.operands
    if modifiers(instruction, ("sat",)):
        raise UntranslatableError("saturation")
    sides = f"(uint64_t){body.value(a, kind)} {sign} (uint64_t){body.value(b, kind)}"
    body.assign(target, f"({C_TYPES[kind]})({sides})", kind)


@rule("addc", "subc", "madc")
def carried(body: Body, instruction: Instruction) -> None:
    """Sums with a carry in, a carry out, or both, of 32 bits."""
    name, kind = instruction.name[0], instruction.name[-1]
    if SIZES[kind] != 4:
        raise UntranslatableError("a carry of other than 32 bits")
    carry = "carry" if name.endswith("c") else "0"
    target, a, b = instruction.operands[0], *(f"(uint64_t){body.value(x, 'u32')}" for x in instruction.operands[1:3])
    if name.startswith("mad"):
        product = f"((uint32_t)({a} * {b}))" if "lo" in instruction.name else f"(({a} * {b}) >> 32)"
        wide = f"(uint64_t){product} + (uint64_t){body.value(instruction.operands[3], 'u32')} + {carry}"
    else:
        sign = SIGNS[name[:3]]
        wide = f"{a} {sign} {b} {sign} {carry}"
    body.put(f"{{ uint64_t wide = {wide};")
    body.assign(target, "(uint32_t)wide", "u32")
    if "cc" in instruction.name:
        body.put("carry = (uint32_t)(wide >> 32) & 1;")
    body.put("}")


@rule("mul", "mad")
def multiply(body: Body, instruction: Instruction) -> None:
    name, kind = instruction.name[0], instruction.name[-1]
    if "cc" in instruction.name:
        return carried(body, instruction)
    if is_float(kind):
        return floats(body, instruction, "({0} * {1})" if name == "mul" else "fma{f}({0}, {1}, {2})")
    part = instruction.name[1]
    a, b = (body.value(each, kind) for each in instruction.operands[1:3])
    result, c_type = kind, C_TYPES[kind]
    if part == "lo":
        value = f"({c_type})((uint64_t){a} * (uint64_t){b})"
    elif part == "wide":
        result = f"{kind[0]}{SIZES[kind] * 16}"
        value = f"({C_TYPES[result]})(({C_TYPES[result]}){a} * ({C_TYPES[result]}){b})"
    elif part == "hi":
        wide = "__int128" if kind[0] == "s" else "unsigned __int128"
        value = f"({c_type})((({wide}){a} * ({wide}){b}) >> {SIZES[kind] * 8})"
    else:
        raise UntranslatableError(part)
    if name == "mad":
        value = f"({C_TYPES[result]})((uint64_t){value} + (uint64_t){body.value(instruction.operands[3], result)})"
    body.assign(instruction.operands[0], value, result)


@rule("fma")
def fused(body: Body, instruction: Instruction) -> None:
    floats(body, instruction, "fma{f}({0}, {1}, {2})")


@rule("div", "rem")
def divide(body: Body, instruction: Instruction) -> None:
    name, kind = instruction.name[0], instruction.name[-1]
    if is_float(kind):
        return floats(body, instruction, "({0} / {1})")
    target, a, b = instruction.operands
    body.assign(target, f"{name}_{kind}({body.value(a, kind)}, {body.value(b, kind)})", kind)


FUNCTIONS = {
    "sqrt": "sqrt{f}({0})",
    "rsqrt": "(1 / sqrt{f}({0}))",
    "rcp": "(1 / {0})",
    "ex2": "exp2{f}({0})",
    "lg2": "log2{f}({0})",
    "sin": "sin{f}({0})",
    "cos": "cos{f}({0})",
    "tanh": "tanh{f}({0})",
    "copysign": "copysign{f}({1}, {0})",
}


@rule(*FUNCTIONS)
def function(body: Body, instruction: Instruction) -> None:
    floats(body, instruction, FUNCTIONS[instruction.name[0]])


@rule("neg", "abs")
def negate(body: Body, instruction: Instruction) -> None:
    name, kind = instruction.name[0], instruction.name[-1]
    target, a = instruction.operands
    if kind in FLOATS:
        return floats(body, instruction, "(-{0})" if name == "neg" else "fabs{f}({0})")
    value = body.value(a, kind)
    if is_float(kind):  # the sign bits alone change, of a NaN as well
        signs = "0x80008000u" if kind.endswith("x2") else "0x8000u"
        change = f"{value} ^ {signs}" if name == "neg" else f"{value} & ~{signs}"
        return body.assign(target, f"({C_TYPES[kind]})({change})", kind)
    minus = f"({C_TYPES[kind]})(0 - (uint64_t){value})"
    body.assign(target, minus if name == "neg" else f"({value} < 0 ? {minus} : {value})", kind)


@rule("min", "max")
def extremum(body: Body, instruction: Instruction) -> None:
    name, kind = instruction.name[0], instruction.name[-1]
    if is_float(kind):
        word = f"{name}_nan" if "NaN" in instruction.name else name
        return floats(body, instruction, f"{word}_{{kind}}({{0}}, {{1}})")
    modifiers(instruction, ())
    target, a, b = instruction.operands
    a, b = body.value(a, kind), body.value(b, kind)
    body.assign(target, f"({a} {'<' if name == 'min' else '>'} {b} ? {a} : {b})", kind)


@rule("and", "or", "xor", "not")
def bitwise(body: Body, instruction: Instruction) -> None:
    name, kind = instruction.name[0], instruction.name[-1]
    values = [body.predicate(x) if kind == "pred" else body.value(x, kind) for x in instruction.operands[1:]]
    if name == "not":
        value = f"!{values[0]}" if kind == "pred" else f"({C_TYPES[kind]})~{values[0]}"
    else:
        value = f"({values[0]} {SIGNS[name]} {values[1]})"
    body.assign(instruction.operands[0], value, kind)


@rule("shl", "shr")
def shift(body: Body, instruction: Instruction) -> None:
    name, kind = instruction.name[0], instruction.name[-1]
    target, a, n = instruction.operands
    a, n, bits, c_type = body.value(a, kind), body.value(n, "u32"), SIZES[kind] * 8, C_TYPES[kind]
    if name == "shr" and kind[0] == "s":
        return body.assign(target, f"({c_type})({a} >> ({n} >= {bits} ? {bits - 1} : {n}))", kind)
    moved = f"{a} {'<<' if name == 'shl' else '>>'} {n}"
    body.assign(target, f"({n} >= {bits} ? 0 : ({c_type})({moved}))", kind)


@rule("shf")
def funnel_shift(body: Body, instruction: Instruction) -> None:
    _, direction, mode, _ = instruction.name
    a, b, c = (body.value(each, "u32") for each in instruction.operands[1:])
    n = f"({c} & 31)" if mode == "wrap" else f"({c} > 32 ? 32 : {c})"
    pair = f"(((uint64_t){b} << 32) | {a})"
    value = f"({pair} >> {n})" if direction == "r" else f"(({pair} << {n}) >> 32)"
    body.assign(instruction.operands[0], f"(uint32_t){value}", "b32")


BITS = {"clz": "clz_{kind}({0})", "popc": "(uint32_t)__builtin_popcountll({0})", "bfind": "bfind_{kind}({0})"}


@rule(*BITS)
def count_bits(body: Body, instruction: Instruction) -> None:
    name, kind = instruction.name[0], instruction.name[-1]
    modifiers(instruction, ())
    value = body.value(instruction.operands[1], kind)
    body.assign(instruction.operands[0], BITS[name].format(value, kind=kind), "u32")


FIELDS: dict[str, Sequence[str]] = {
    "brev": ("",),
    "bfe": ("", "u32", "u32"),
    "bfi": ("", "", "u32", "u32"),
    "prmt": ("", "", ""),
    "lop3": ("", "", "", ""),
}


@rule(*FIELDS)
def bit_field(body: Body, instruction: Instruction) -> None:
    name, kind = instruction.name[0], instruction.name[-1]
    modifiers(instruction, ())
    pairs = zip(instruction.operands[1:], FIELDS[name], strict=True)
    values = ", ".join(body.value(operand, wanted or kind) for operand, wanted in pairs)
    body.assign(instruction.operands[0], f"{name}_{kind}({values})", kind)


@rule("setp")
def compare(body: Body, instruction: Instruction) -> None:
    name, kind = instruction.name, instruction.name[-1]
    modifiers(instruction, (*COMPARISONS, *UNSIGNED_COMPARISONS, *(f"{x}u" for x in COMPARISONS), "num", "nan", *SIGNS))
    targets = instruction.operands[0].split("|")
    a, b = (body.value(each, kind) for each in instruction.operands[1:3])
    if is_float(kind) and kind not in FLOATS:
        a, b = f"{kind}_value({a})", f"{kind}_value({b})"
    value = comparison(name[1], a, b, is_float(kind))
    if len(instruction.operands) == 4:
        value = f"({value} {SIGNS[name[2]]} {body.predicate(instruction.operands[3])})"
    body.put(f"{{ uint8_t found = {value};")
    body.assign(targets[0], "found", "pred")
    if len(targets) > 1:
        body.assign(targets[1], "!found", "pred")
    body.put("}")


def comparison(name: str, a: str, b: str, of_floats: bool) -> str:
    """The expression of a comparison; one of floats says what it gives for NaN."""
    if not of_floats:
        return f"({a} {(COMPARISONS | UNSIGNED_COMPARISONS)[name]} {b})"
    ordered = f"(!isnan({a}) && !isnan({b}))"
    if name in ("num", "nan"):
        return ordered if name == "num" else f"!{ordered}"
    if name in COMPARISONS:
        return f"({ordered} && ({a} {COMPARISONS[name]} {b}))"
    return f"(!{ordered} || ({a} {COMPARISONS[name[:2]]} {b}))"


@rule("selp", "slct")
def select(body: Body, instruction: Instruction) -> None:
    name = instruction.name
    kind = name[-1] if name[0] == "selp" else name[-2]
    target, a, b, c = instruction.operands
    chosen = body.predicate(c) if name[0] == "selp" else f"({body.value(c, name[-1])} >= 0)"
    body.assign(target, f"({chosen} ? {body.value(a, kind)} : {body.value(b, kind)})", kind)


@rule("testp")
def test(body: Body, instruction: Instruction) -> None:
    _, which, kind = instruction.name
    a = body.value(instruction.operands[1], kind)
    tests = {"infinite": "isinf", "finite": "isfinite", "notanumber": "isnan", "number": "!isnan", "normal": "isnormal"}
    body.assign(instruction.operands[0], f"({tests[which]}({a}) != 0)", "pred")


@rule("cvt")
def convert(body: Body, instruction: Instruction) -> None:
    *marks, to, of = instruction.name[1:]
    operands = instruction.operands
    if to.endswith("x2") or of.endswith("x2"):
        return convert_pairs(body, instruction)
    if to == "tf32":
        if marks != ["rna"] or of != "f32":
            raise UntranslatableError(".".join(instruction.name))
        return body.assign(operands[0], f"tf32_bits({body.value(operands[1], of)})", "b32")
    if set(marks) - set(ROUNDED) - {"ftz", "rn" if is_float(to) else "sat"}:
        raise UntranslatableError(f"modifier {', '.join(marks)}")
    value, nan_is_high = body.value(operands[1], of), int(of == "f64" or SIZES[to] == 8)
    if of in NARROW:
        value, of = f"{of}_value({value})", "f64"
    if "ftz" in marks and of == "f32":
        value = f"flushed_f32({value})"
    for mark in set(marks) & set(ROUNDED):
        value = f"{ROUNDED[mark]}({value})"
    if is_float(to):
        value = f"{to}_bits((double){value})" if to in NARROW else f"({C_TYPES[to]}){value}"
    elif is_float(of):
        value = f"{to}_of_float({value}, {nan_is_high})"
    elif "sat" in marks:
        value = f"clamped_{to}((__int128){value})"
    else:
        value = f"({C_TYPES[to]}){value}"
    body.assign(operands[0], value, to)


PAIRS = {"f16x2": "f16", "bf16x2": "bf16", "e4m3x2": "e4m3", "e5m2x2": "e5m2"}


def convert_pairs(body: Body, instruction: Instruction) -> None:
    """Two floats packed, the first operand above; and two float8 unpacked to float16."""
    *marks, to, of = instruction.name[1:]
    if set(marks) - {"rn", "satfinite"}:
        raise UntranslatableError(f"modifier {', '.join(marks)}")
    bits = 8 if to.startswith("e") else 16
    kind = f"b{2 * bits}"
    if of in ("f32",):
        high, low = (body.value(each, of) for each in instruction.operands[1:])
    else:
        packed = body.value(instruction.operands[1], "b16" if of.startswith("e") else "b32")
        width = 8 if of.startswith("e") else 16
        low, high = (f"{PAIRS[of]}_value((uint{width}_t)({packed}{shift}))" for shift in ("", f" >> {width}"))
    made = [f"(uint32_t){PAIRS[to]}_bits((double){each})" for each in (low, high)]
    body.assign(instruction.operands[0], f"({C_TYPES[kind]})({made[0]} | {made[1]} << {bits})", kind)
