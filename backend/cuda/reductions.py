"""The reductions as they are written for a GPU: one thread's part, and the merging of the parts of many threads.

Sums of floats keep the rounding error of every addition (two-sum), in their own dtype: as accurate as sums in twice
the precision, without float64 units. Parts are merged in pairs whose order does not matter, by the same threads in
every run, so a result repeats bit for bit and every thread of a team holds the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...core import dtypes
from ...core.dtypes import DType
from ...core.records import dataclass
from ...loop_ir.reductions import better_text, identity, step
from ...loop_ir.source_text import literal

NOWHERE = 2**63 - 1
"""The position of an argmax that has met nothing better than the identity."""
Renamed = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class DeviceReduction:
    """One reduction as text: `name` is its result, of dtype `result`; `value` is the dtype of what is reduced.

    in_pairs: whether a thread adds its elements in pairs, the sums in pairs, and so on, so that no error is kept."""

    name: str
    combine: str
    value: DType
    result: DType
    in_pairs: bool = False

    @property
    def keeps_error(self) -> bool:
        return self.combine == "sum" and self.value.is_float and not self.in_pairs

    @property
    def searches(self) -> bool:
        return self.combine in ("argmax", "argmin")

    @property
    def parts(self) -> tuple[tuple[str, DType], ...]:
        """The variables of one thread's part, and their dtypes."""
        if self.keeps_error:
            return (f"{self.name}_sum", self.value), (f"{self.name}_error", self.value)
        if self.searches:
            return (f"{self.name}_best", self.value), (f"{self.name}_at", dtypes.int64)
        return ((f"{self.name}_held", self.value),)

    @property
    def starts(self) -> tuple[str, ...]:
        """The values of the parts before the first element, as text."""
        first = literal(identity(self.combine, self.value), self.value)
        if self.keeps_error:
            return first, literal(0.0, self.value)
        return (first, literal(NOWHERE, dtypes.int64)) if self.searches else (first,)

    def start(self) -> list[str]:
        """The lines before the first element."""
        return [f"{name} = {first}" for (name, _), first in zip(self.parts, self.starts, strict=True)]

    def update(self, value: str, position: str = "") -> list[str]:
        """The lines that take in one element."""
        name = self.name
        if self.keeps_error:
            return [*self._two_sum(value), f"{name}_error = {name}_error + {name}_lost", f"{name}_sum = {name}_total"]
        if self.searches:
            return [f"{name}_better = {self._better(value)}", *self._taken(value, position)]
        return [f"{name}_held = {self.joined(f'{name}_held', value)}"]

    def paired_lines(self, values: Sequence[str], stem: str) -> tuple[list[str], str]:
        """The lines that reduce values by pairs, under names that begin with `stem`, and the name of the result."""
        left, lines, rounds = list(values), list[str](), 0
        while len(left) > 1:
            pairs = [(f"{stem}_{rounds}_{k // 2}", *left[k : k + 2]) for k in range(0, len(left) - 1, 2)]
            lines += [f"{made} = {self.joined(one, other)}" for made, one, other in pairs]
            left, rounds = [made for made, _, _ in pairs] + left[len(pairs) * 2 :], rounds + 1
        return lines, left[0]

    def joined(self, one: str, other: str) -> str:
        """The text that reduces two values to one. The order of sums in pairs is not for a compiler to change."""
        if self.in_pairs and self.combine == "sum" and self.value.is_float:
            return f"({one} + {other})"
        return step(self.combine, self.value, one, other)

    def merge(self, other: Renamed) -> list[str]:
        """The lines that take in the part of another thread, whose variables are `other` of these."""
        name = self.name
        if self.keeps_error:
            return [
                *self._two_sum(other(f"{name}_sum")),
                f"{name}_error = ({name}_error + {other(f'{name}_error')}) + {name}_lost",
                f"{name}_sum = {name}_total",
            ]
        if self.searches:
            best, at = other(f"{name}_best"), other(f"{name}_at")
            earlier = f"({self._same(best)} & ({at} < {name}_at))"
            return [f"{name}_better = {self._better(best)} | {earlier}", *self._taken(best, at)]
        return self.update(other(f"{name}_held"))

    def finish(self) -> list[str]:
        """The lines that define the result."""
        name = self.name
        if self.keeps_error:
            # An infinite sum has no error term to speak of. A sum of minus zeros becomes zero here, as in NumPy.
            return [f"{name} = {name}_sum + {name}_error if {name}_error == {name}_error else {name}_sum"]
        if self.searches:
            zero, nowhere = literal(0, dtypes.int64), literal(NOWHERE, dtypes.int64)
            return [f"{name} = {name}_at if {name}_at != {nowhere} else {zero}"]
        if self.in_pairs and self.combine == "sum" and self.value.is_float:
            return [f"{name} = {name}_held + {literal(0.0, self.value)}"]  # minus zeros alone are zero, as above
        return [f"{name} = {name}_held"]

    def _two_sum(self, value: str) -> list[str]:
        name = self.name
        return [
            f"{name}_total = {name}_sum + {value}",
            f"{name}_part = {name}_total - {name}_sum",
            f"{name}_lost = ({name}_sum - ({name}_total - {name}_part)) + ({value} - {name}_part)",
        ]

    def _better(self, value: str) -> str:
        return better_text(self.combine, self.value, value, f"{self.name}_best")

    def _same(self, value: str) -> str:
        best = f"{self.name}_best"
        equal = f"({value} == {best})"
        return f"({equal} | (({value} != {value}) & ({best} != {best})))" if self.value.is_float else equal

    def _taken(self, value: str, position: str) -> list[str]:
        name = self.name
        return [
            f"{name}_best = {value} if {name}_better else {name}_best",
            f"{name}_at = {position} if {name}_better else {name}_at",
        ]
