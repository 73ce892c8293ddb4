"""The source of an array that a call makes before its plan runs: the places where a mask holds."""

from __future__ import annotations

from typing import Any

from .pool import Pool
from .sources import Source, source_kind


@source_kind
class Places(Source):
    """The places where a mask holds: an array whose size only the call knows, found before the plan runs.

    find: the function from the operands to the places; it raises nothing. label: what the user would have written.
    variable: that of the entry code, which holds them from then on.
    """

    find: Any
    label: str
    operands: tuple[Source, ...]
    variable: str

    def text(self, pool: Pool) -> str:
        return f"({self.variable} := {pool.add(self.find)}({', '.join(each.text(pool) for each in self.operands)}))"

    @property
    def behind_plan(self) -> Source:
        return FoundPlaces(self)

    def __str__(self) -> str:
        return self.label

    def parts(self) -> tuple[Source, ...]:
        return self.operands


@source_kind
class FoundPlaces(Source):
    """The places that were found before the plan ran: it may have written what they follow from."""

    base: Places

    def text(self, pool: Pool) -> str:
        return self.base.variable

    def __str__(self) -> str:
        return str(self.base)

    def parts(self) -> tuple[Source, ...]:
        return (self.base,)
