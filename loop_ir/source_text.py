"""The words of kernel text on every device: literals, casts, what memory holds of a value; and a writer of lines."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import field

from ..core.dtypes import PART, TENSORS_ONLY, DType, float32
from ..core.records import dataclass
from ..ops.narrow_casts import of_number
from .ir import Address, Apply, Expression, IndexValue, Invoke, Literal, Load
from .printer import print_access, print_terms


@dataclass(slots=True)
class Lines:
    """The lines of a function's body so far; the next one stands `depth` levels deep."""

    lines: list[str] = field(default_factory=list)
    depth: int = 1
    interrupted: str = "interrupted()"
    """The question that loops ask from time to time which may run for long."""

    def put(self, line: str) -> None:
        """Appends one line."""
        self.lines.append("    " * self.depth + line)

    def put_all(self, lines: Iterable[str]) -> None:
        """Appends each line."""
        for line in lines:
            self.put(line)


def memory_code(dtype: DType) -> str:
    """The code of the type that holds a `dtype` in memory: bools are bytes, narrow floats their bits."""
    return "u8" if dtype.is_bool else dtype.bits.code if dtype.is_narrow else dtype.code


def cast_name(dtype: DType) -> str:
    """The name, in kernel text, of the cast to `dtype`."""
    return "boolean" if dtype.is_bool else dtype.bits.name if dtype.is_narrow else dtype.name


def cast_text(source: DType, result: DType) -> str:
    """The text of a cast of ``{0}``; that of bfloat16 and float8 goes by way of float32. See Note [Half floats]."""
    direct = source not in TENSORS_ONLY and result not in TENSORS_ONLY
    if direct or source is float32 or result is float32:
        return f"cast_{source.code}_{result.code}({{0}})"
    return f"cast_f32_{result.code}(cast_{source.code}_f32({{0}}))"


def literal(value: bool | int | float, dtype: DType) -> str:
    """`value` as text of type `dtype`."""
    if dtype.is_bool:
        return f"boolean({bool(value)})"  # a bare True is an int to ~ and to CPython
    if dtype.is_integer:
        return f"{dtype.name}({int(value)})"
    if dtype.is_narrow:
        return f"{dtype.bits.name}({of_number(value, dtype.numpy).view(dtype.bits.numpy)})"
    if dtype.is_complex:
        parts = (literal(part, PART[dtype]) for part in (complex(value).real, complex(value).imag))
        return f"{dtype.name}(complex({', '.join(parts)}))"
    rounded = float(dtype.numpy.type(value))
    if math.isnan(rounded):
        sign = math.copysign(1.0, rounded)  # the sign of inf - inf depends on who computes it
        return f"copysign_{dtype.code}({dtype.name}(1e999 - 1e999), {dtype.name}({sign!r}))"
    if math.isinf(rounded):
        return f"{dtype.name}({'-' if rounded < 0 else ''}1e999)"
    return f"{dtype.name}({rounded!r})"


def loaded(place: str, dtype: DType) -> str:
    """The text for the element at `place`, as a `dtype`."""
    return f"({place} != 0)" if dtype.is_bool else place


def stored(value: str, dtype: DType) -> str:
    """The text for what memory holds of `value`, a `dtype`."""
    return f"uint8({value})" if dtype.is_bool else value


def expression_text(expression: Expression, dtype: DType) -> str:
    """The text of what a name is bound to, of type `dtype`."""
    match expression:
        case Load(access):
            return loaded(print_access(access), dtype)
        case Literal(value):
            return literal(value, dtype)
        case Apply(text, operands, widens):
            applied = text.format(*operands)
            return f"{cast_name(dtype)}{_bracketed(applied)}" if widens else applied
        case IndexValue(terms, constant):
            return f"{cast_name(dtype)}({print_terms(terms, constant)})"


def invocation(call: Invoke) -> str:
    """The text that calls a C function by its address; the name of the caller says all types."""
    codes = [("i64" if isinstance(each, Address) else each.dtype.code) for each in call.arguments]
    made = ["ask", "python"] if call.in_python else ["invoke", call.dtype.code if call.dtype else "void"]
    caller = "_".join([*made, "of", *codes])
    texts = []
    for each in call.arguments:
        if isinstance(each, Address):
            place = print_terms(each.access.terms)
            texts.append(f"addresses[{each.access.pointer}] + ({place}) * {each.dtype.itemsize}")
        else:
            texts.append(each.name)
    return f"{caller}({call.function}, ({', '.join(texts)},))"


def _bracketed(text: str) -> str:
    return text if text.startswith("(") and text.endswith(")") and _is_one_group(text) else f"({text})"


def _is_one_group(text: str) -> bool:
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and place < len(text) - 1:
            return False
    return True
