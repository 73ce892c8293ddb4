"""Sources of what is computed again at each call: arithmetic on scalars, and built-in functions of them."""

from __future__ import annotations

from typing import Any

from .constants import constant_text
from .pool import Pool
from .precedence import ATOM, UNARY, filled, strength_of
from .sources import Source, source_kind


@source_kind
class Computed(Source):
    """Python arithmetic on scalars, done again by Python at each call. `form` has a ``{}`` for each operand."""

    form: str
    operands: tuple[Source | int | float | bool | str, ...]

    @property
    def is_computed(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Computed) and other.form == self.form and _same_operands(self.operands, other.operands)

    def __hash__(self) -> int:
        return hash((self.form, self.operands))

    def text(self, pool: Pool) -> str:
        return "(" + self.form.format(*(_operand_text(each, pool) for each in self.operands)) + ")"

    def __str__(self) -> str:
        return filled(self.form, [(_operand_name(each), _strength(each)) for each in self.operands])

    def parts(self) -> tuple[Source, ...]:
        return tuple(each for each in self.operands if isinstance(each, Source))


@source_kind
class CallSource(Source):
    """The result of a built-in function that runs no user code, called again at each call.

    It computes a number of scalars (`math.sqrt`, `abs`); or it reads what an object holds (`is_read`), as `dict.get`
    does whatever the object's own class says. The label is the function's name then, or all that the user would write.
    """

    function: Any
    label: str
    operands: tuple[Any, ...]
    is_read: bool = False

    @property
    def is_computed(self) -> bool:
        return not self.is_read

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CallSource) or other.function is not self.function or other.is_read != self.is_read:
            return False
        return (other.label == self.label or not self.is_read) and _same_operands(self.operands, other.operands)

    def __hash__(self) -> int:
        return hash((id(self.function), self.operands))

    def text(self, pool: Pool) -> str:
        return f"{pool.add(self.function)}({', '.join(_operand_text(each, pool) for each in self.operands)})"

    def __str__(self) -> str:
        return self.label if self.is_read else f"{self.label}({', '.join(map(_operand_name, self.operands))})"

    def parts(self) -> tuple[Source, ...]:
        return tuple(each for each in self.operands if isinstance(each, Source))


def _same_operands(left: tuple[Any, ...], right: tuple[Any, ...]) -> bool:
    """Whether operands are the same; numbers that are equal but differ in type or in the sign of a zero are not."""
    return len(left) == len(right) and all(
        one == other
        if isinstance(one, Source)
        else type(one) is type(other) and (one == other if isinstance(one, (int, str)) else repr(one) == repr(other))
        for one, other in zip(left, right, strict=True)
    )


def _operand_name(operand: Source | int | float | bool | str) -> str:
    if isinstance(operand, int) and operand.bit_length() > 200:
        return f"(an int of {operand.bit_length()} bits)"
    return str(operand) if isinstance(operand, Source) else repr(operand)


def _operand_text(operand: Source | int | float | bool | str, pool: Pool) -> str:
    return operand.text(pool) if isinstance(operand, Source) else constant_text(operand, pool, equal=True)


def _strength(operand: object) -> int:
    """The strength with which the shown text of an operand holds together."""
    if isinstance(operand, Computed):
        return strength_of(operand.form)
    return UNARY if isinstance(operand, (int, float)) and _operand_name(operand).startswith("-") else ATOM


def shown(source: Source, around: int) -> str:
    """The text that the user would have written, as an operand of something that holds together this strongly."""
    return str(source) if _strength(source) > around else f"({source})"
