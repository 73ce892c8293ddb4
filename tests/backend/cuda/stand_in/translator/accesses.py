"""Rules of PTX moves, loads, stores and atomics."""

from __future__ import annotations

from collections.abc import Collection

from operands import C_TYPES, FLOATS, Body
from ptx_text import SIZES, Instruction, UntranslatableError
from rules import rule

SPACES = ("global", "shared", "local", "param", "const")
STRONG = {"volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"}
"""Accesses that do not race with one another."""
IGNORED = {"weak", "nc", "gpu", "sys", "cta", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "to", "entry", "func"}
VECTORS = {"v2": 2, "v4": 4, "v8": 8}
PLAIN_LOAD, PLAIN_STORE, STRONG_LOAD, STRONG_STORE, ATOMIC = range(5)
"""Kinds of access, as `machine.h` counts them."""


def parts(vector: str) -> list[str]:
    """The operands in braces, or the one operand."""
    return [each.strip() for each in vector[1:-1].split(",")] if vector.startswith("{") else [vector]


@rule("mov")
def move(body: Body, instruction: Instruction) -> None:
    kind, (target, source) = instruction.name[-1], instruction.operands
    bits = SIZES[kind] * 8
    if target.startswith("{"):
        names = parts(target)
        width = bits // len(names)
        body.put(f"{{ uint{bits}_t whole = {body.value(source, f'b{bits}')};")
        for k, name in enumerate(names):
            body.assign(name, f"(uint{width}_t)(whole >> {k * width})", f"b{width}")
        body.put("}")
    elif source.startswith("{"):
        names = parts(source)
        width = bits // len(names)
        values = [f"(uint64_t){body.value(name, f'b{width}')} << {k * width}" for k, name in enumerate(names)]
        body.assign(target, f"(uint{bits}_t)({' | '.join(values)})", f"b{bits}")
    elif kind == "pred":
        body.assign(target, body.predicate(source), kind)
    else:
        body.assign(target, body.value(source, kind), kind)


@rule("cvta")
def convert_address(body: Body, instruction: Instruction) -> None:
    body.assign(instruction.operands[0], body.value(instruction.operands[1], "u64"), "u64")


def place_of(body: Body, operand: str, space: str, nbytes: int, access: int) -> str:
    """The C pointer for an address in a space, or null where the access is not allowed."""
    base, offset = body.address(operand)
    if space == "param":
        return f"({parameter(body, base, access)} + {offset})"
    address = f"{body.value(base, 'u64')} + {offset}"
    if space == "local":
        return f"local_at(t, {address}, {nbytes})"
    if space == "shared":
        return f"machine->shared_at(t, {address}, {nbytes}, {access})"
    return f"at(t, {address}, {nbytes}, {access})"


def parameter(body: Body, name: str, access: int) -> str:
    """The memory of a parameter: of the call in the making, of this function, or of its result."""
    function = body.function
    if name in function.buffers:
        return f"buffer_{name}"
    names = [each.name for each in function.parameters]
    if name in names and access == PLAIN_LOAD:
        k = names.index(name)
        return f"(t->parameters + parameter_offsets[{k}])" if function.is_entry else f"parameter_{k}"
    if name == function.result and access == PLAIN_STORE:
        return "result"
    raise UntranslatableError(f"parameter {name}")


def check(body: Body, space: str) -> str:
    return "" if space == "param" else " if (!place) return FAULT;"


def order_strong_access(body: Body, marks: Collection[str], access: int) -> None:
    """Others may come before an access that does not race, and a thread that asks again and again lets them."""
    if access >= STRONG_LOAD and body.function.is_entry:
        body.stop("YIELD")
    if {"release", "acq_rel"} & set(marks):
        body.put("machine->fence(t);")


@rule("ld", "ldu", "st")
def load_or_store(body: Body, instruction: Instruction) -> None:
    kind, marks = instruction.name[-1], [part for part in instruction.name[1:-1] if "::" not in part and part]
    marks = [mark for mark in marks if mark not in ("L1", "L2")]
    space = next((mark for mark in marks if mark in SPACES), "generic")
    count = next((VECTORS[mark] for mark in marks if mark in VECTORS), 1)
    if unknown := set(marks) - {space, *VECTORS, *IGNORED, *STRONG}:
        raise UntranslatableError(f"modifier {', '.join(unknown)}")
    stores = instruction.name[0] == "st"
    memory, vector = instruction.operands if stores else reversed(instruction.operands)
    access = int(stores) + (STRONG_LOAD if STRONG & set(marks) else PLAIN_LOAD)
    size, c_type = SIZES[kind], C_TYPES[kind]
    order_strong_access(body, marks, access)
    body.put(f"{{ uint8_t *place = {place_of(body, memory, space, size * count, access)};{check(body, space)}")
    names = parts(vector)
    if len(names) != count:
        raise UntranslatableError(f"{len(names)} operands")
    for k, name in enumerate(names):
        if stores:
            body.put(f"{{ {c_type} value = {body.value(name, kind)}; memcpy(place + {k * size}, &value, {size}); }}")
        else:
            body.put(f"{{ {c_type} value; memcpy(&value, place + {k * size}, {size});")
            body.assign(name, "value", kind)
            body.put("}")
    body.put("}")


OPERATIONS = {
    "add": "old + value",
    "and": "old & value",
    "or": "old | value",
    "xor": "old ^ value",
    "exch": "value",
    "min": "old < value ? old : value",
    "max": "old > value ? old : value",
    "inc": "old >= value ? 0 : old + 1",
    "dec": "old == 0 || old > value ? value : old - 1",
    "cas": "old == value ? other : old",
}


@rule("atom", "red")
def atomic(body: Body, instruction: Instruction) -> None:
    marks, kind = set(instruction.name[1:-1]), instruction.name[-1]
    space = next((mark for mark in instruction.name if mark in SPACES), "generic")
    (operation,) = marks & set(OPERATIONS)
    if unknown := marks - {operation, space, "noftz", *STRONG, *IGNORED}:
        raise UntranslatableError(f"modifier {', '.join(unknown)}")
    target, memory, *values = instruction.operands if instruction.name[0] == "atom" else ("_", *instruction.operands)
    if kind not in FLOATS and "f" in kind:
        made = narrow_sum(body, kind, operation, values)
    else:
        names = zip(("value", "other"), values, strict=False)
        given = " ".join(f"{C_TYPES[kind]} {name} = {body.value(each, kind)};" for name, each in names)
        made = f"{given} {C_TYPES[kind]} made = {OPERATIONS[operation]};"
    size = SIZES[kind]
    order_strong_access(body, marks, ATOMIC)
    body.put(f"{{ uint8_t *place = {place_of(body, memory, space, size, ATOMIC)};{check(body, space)}")
    body.put(f"{C_TYPES[kind]} old; memcpy(&old, place, {size}); {made} memcpy(place, &made, {size});")
    body.assign(target, "old", kind)
    body.put("}")


def narrow_sum(body: Body, kind: str, operation: str, values: list[str]) -> str:
    """The C statements of an atomic sum of narrow floats, whose values are bits."""
    if operation != "add":
        raise UntranslatableError(f"{operation} of {kind}")
    scalar = kind.removesuffix("x2")
    halves = [
        f"{scalar}_bits({scalar}_value((uint16_t)(old{shift})) + {scalar}_value((uint16_t)(value{shift})))"
        for shift in ("", " >> 16")
    ]
    made = halves[0] if kind == scalar else f"{halves[0]} | (uint32_t){halves[1]} << 16"
    return f"{C_TYPES[kind]} value = {body.value(values[0], kind)}; {C_TYPES[kind]} made = {made};"
