"""Operands of PTX as C expressions, for the body of one function."""

from __future__ import annotations

import re

from ptx_text import SIZES, Array, Function, Module, UntranslatableError

C_TYPES = {f"{kind}{bits}": f"{'int' if kind == 's' else 'uint'}{bits}_t" for kind in "bus" for bits in (8, 16, 32, 64)}
C_TYPES |= {"f16": "uint16_t", "bf16": "uint16_t", "f16x2": "uint32_t", "bf16x2": "uint32_t"}
C_TYPES |= {"f32": "float", "f64": "double", "pred": "uint8_t"}
FLOATS = ("f32", "f64")
"""The types that C has too; values of narrower floats are bits."""
_VECTORS = {"%tid": "tid", "%ntid": "ntid", "%ctaid": "ctaid", "%nctaid": "nctaid"}
SPECIAL = {f"{name}.{axis}": f"t->{field}[{k}]" for name, field in _VECTORS.items() for k, axis in enumerate("xyz")} | {
    "%laneid": "t->lane",
    "%warpid": "(t->number / 32)",
    "%lanemask_eq": "(1u << t->lane)",
    "%lanemask_lt": "((1u << t->lane) - 1)",
    "%lanemask_le": "((2u << t->lane) - 1)",
    "%lanemask_gt": "~((2u << t->lane) - 1)",
    "%lanemask_ge": "~((1u << t->lane) - 1)",
    "%smid": "0u",
    "WARP_SZ": "32u",
}


class Body:
    """C statements of one function in the making; `lines` grows. An entry's registers live in the thread's state."""

    def __init__(self, function: Function, module: Module, shared: dict[str, int]) -> None:
        self.function, self.module, self.shared = function, module, shared
        self.data = {array.name for array in module.data}
        self.lines: list[str] = []
        self.used: dict[str, str] = {}
        """Type by C name, of the registers that occur."""
        self.stops = 0
        """The number of places at which a thread waits for others."""
        self.local, self.local_bytes = offsets(function.local)

    def put(self, *lines: str) -> None:
        self.lines.extend(lines)

    def type_of(self, register: str) -> str:
        """Errors: UntranslatableError for a register that is not declared."""
        registers = self.function.registers
        found = registers.get(register) or registers.get(register.rstrip("0123456789"))
        if found is None:
            raise UntranslatableError(f"register {register}")
        return found

    def register(self, name: str) -> str:
        """The C variable of a register."""
        variable = "r_" + re.sub(r"\W", "_", name.replace("$", "_S_"))
        self.used[variable] = self.type_of(name)
        return f"s->{variable}" if self.function.is_entry else variable

    def predicate(self, operand: str) -> str:
        """A predicate that may be a number, or negated with an exclamation mark."""
        if re.fullmatch(r"-?\d+", operand):
            return str(int(int(operand) != 0))
        return f"!{self.register(operand[1:])}" if operand.startswith("!") else self.register(operand)

    def value(self, operand: str, kind: str) -> str:
        """An expression of the C type of `kind`, with the bits that PTX gives an operand of that type."""
        c_type = C_TYPES[kind]
        if operand in SPECIAL:
            return f"({c_type}){SPECIAL[operand]}"
        if operand.startswith("%") or operand in self.function.registers:
            return self._register_as(operand, kind)
        if re.fullmatch(r"0[fF][0-9a-fA-F]{8}", operand):
            number = f"f32_of(0x{operand[2:]}u)"
            return (
                number
                if kind == "f32"
                else f"({c_type})0x{operand[2:]}u"
                if kind not in FLOATS
                else f"(double){number}"
            )
        if re.fullmatch(r"0[dD][0-9a-fA-F]{16}", operand):
            return f"f64_of(0x{operand[2:]}ull)" if kind == "f64" else f"({c_type})0x{operand[2:]}ull"
        if re.fullmatch(r"-?(\d+|0[xX][0-9a-fA-F]+)U?", operand):
            if operand == "-9223372036854775808":
                return f"({c_type})INT64_MIN"
            return f"({c_type}){operand.rstrip('U')}{'ll' if operand.startswith('-') else 'ull'}"
        if operand in self.local:
            return f"({c_type})(frame + {self.local[operand]})"
        if operand in self.shared:
            return f"({c_type}){self.shared[operand]}"
        if operand in self.data:
            return f"({c_type})(uintptr_t)data_{operand}"
        raise UntranslatableError(f"operand {operand}")

    def _register_as(self, name: str, kind: str) -> str:
        declared, variable = self.type_of(name), self.register(name)
        if kind == "pred" or declared == kind:
            return variable
        if kind in FLOATS:
            return variable if declared in FLOATS else f"{kind}_of({variable})"
        if declared in FLOATS:
            return f"({C_TYPES[kind]})bits_of_{declared}({variable})"
        return f"({C_TYPES[kind]}){variable}"

    def assign(self, target: str, value: str, kind: str) -> None:
        """Appends the assignment of an expression of type `kind`. A wider register is filled as PTX fills it."""
        if target == "_":
            return
        declared = self.type_of(target)
        if kind in FLOATS and declared not in FLOATS:
            value = f"bits_of_{kind}({value})"
        elif kind not in (*FLOATS, "pred") and declared in FLOATS:
            value = f"{declared}_of({value})"
        elif kind.startswith("s") and SIZES[declared] > SIZES[kind]:
            value = f"(int{SIZES[declared] * 8}_t){value}"
        self.put(f"{self.register(target)} = {value};")

    def address(self, operand: str) -> tuple[str, str]:
        """The base, still a word, and the offset in bytes of `[base+offset]`."""
        found = re.fullmatch(r"\[\s*(.*?)\s*(?:\+\s*(-?\w+))?\s*\]", operand)
        if found is None:
            raise UntranslatableError(f"address {operand}")
        return found[1], found[2] or "0"

    def stop(self, why: str) -> None:
        """Appends a return to the driver, which goes on from here when the others have come.

        Errors: UntranslatableError in a function, which is not left and entered again."""
        if not self.function.is_entry:
            raise UntranslatableError(f"{why} in a function that is called")
        self.stops += 1
        self.put(f"t->place = {self.stops}; return {why};", f"stop_{self.stops}: ;")


def offsets(arrays: list[Array]) -> tuple[dict[str, int], int]:
    """The place of each array in memory that holds them all, and its size. Units: bytes."""
    found, size = {}, 0
    for array in arrays:
        size = -(-size // array.align) * array.align
        found[array.name] = size
        size += array.nbytes
    return found, size
