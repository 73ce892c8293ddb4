"""How each fold of a sweep is written for the CPU: start, update, end, and the accuracy it promises.

Sums of float32 are held in float64. Sums of float64 are taken in blocks, whose sums are added with the rounding error
kept (two-sum), so they are at least as accurate as pairwise summation. Neither depends on how the work is shared out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from .kernel_words import literal
from .loops import SEARCHED


def identity(combine: str, dtype: DType) -> bool | int | float:
    """What a fold starts from. Sums start from plus zero, as NumPy's: of minus zeros alone they are plus zero."""
    if combine == "sum":
        return 0.0 if dtype.is_float else 0
    if combine == "prod":
        return 1
    if combine in ("any", "all"):
        return combine == "all"
    largest = combine in ("min", "argmin")
    if dtype.is_bool:
        return largest
    if dtype.is_float:
        return float("inf") if largest else float("-inf")
    info = np.iinfo(dtype.numpy)
    return int(info.max if largest else info.min)


@dataclass(frozen=True, slots=True)
class Folding:
    """One fold as text. `value` is the dtype of what is folded, `result` that of the outcome."""

    combine: str
    value: DType
    result: DType

    @property
    def compensated(self) -> bool:
        """A float64 sum goes block by block, and keeps the rounding error of adding the blocks."""
        return self.combine == "sum" and self.value is dtypes.float64

    @property
    def searched(self) -> bool:
        """An argmax or argmin finds the extreme of each block, then the place in the one block that has it."""
        return self.combine in SEARCHED

    @property
    def in_blocks(self) -> bool:
        return self.compensated or self.searched

    @property
    def held(self) -> DType:
        """The dtype of the accumulator."""
        return dtypes.float64 if self.combine == "sum" and self.value.is_float else self.value

    def start(self, name: str, outer: Sequence[str] = ()) -> list[str]:
        """What comes before a sweep whose loops but the last are `outer`."""
        first = literal(identity(self.combine, self.held), self.held)
        if self.compensated:
            return [f"{name}_sum = {first}", f"{name}_error = float64(0.0)"]
        if self.searched:
            places = [f"{name}_{var} = 0" for var in outer]
            return [f"{name}_best = {first}", f"{name}_from = 0", *places, f"{name} = int64(0)"]
        return [f"{name}_held = {first}"]

    def start_block(self, name: str) -> list[str]:
        """What opens a block; nothing for a fold that does not go by blocks."""
        return [f"{name}_held = {literal(identity(self.combine, self.held), self.held)}"] if self.in_blocks else []

    def end_block(self, name: str, block: str, outer: Sequence[str] = ()) -> list[str]:
        """What closes the block that starts at `block`."""
        if self.searched:
            return [
                f"{name}_better = {better_text(self.combine, self.value, f'{name}_held', f'{name}_best')}",
                f"{name}_from = {block} if {name}_better else {name}_from",
                *(f"{name}_{var} = {var} if {name}_better else {name}_{var}" for var in outer),
                f"{name}_best = {name}_held if {name}_better else {name}_best",
            ]
        if not self.compensated:
            return []
        return [
            f"{name}_total = {name}_sum + {name}_held",
            f"{name}_part = {name}_total - {name}_sum",
            f"{name}_error += ({name}_sum - ({name}_total - {name}_part)) + ({name}_held - {name}_part)",
            f"{name}_sum = {name}_total",
        ]

    def update(self, name: str, value: str) -> list[str]:
        """What one element adds."""
        if self.combine == "sum" and self.value is dtypes.float32:
            value = f"float64({value})"
        combine = self.combine.removeprefix("arg")
        return [f"{name}_held = {step(combine, self.held, f'{name}_held', value)}"]

    def found(self, name: str, value: str) -> str:
        """Of a searched fold: whether `value` is the extreme."""
        if self.value.is_float:
            return f"({value} == {name}_best) | (({value} != {value}) & ({name}_best != {name}_best))"
        return f"{value} == {name}_best"

    def finish(self, name: str) -> list[str]:
        """What defines `name`, after the last element."""
        if self.compensated:  # an infinite sum has no error term to speak of: inf - inf made it NaN
            return [f"{name} = {name}_sum + {name}_error if {name}_error == {name}_error else {name}_sum"]
        if self.searched:
            return []
        if self.held is not self.result:
            return [f"{name} = {self.result.name}({name}_held)"]
        return [f"{name} = {name}_held"]


def better_text(combine: str, dtype: DType, value: str, best: str) -> str:
    """Whether `value` beats the `best` so far of an argmax or argmin: the first wins, a NaN wins over all numbers."""
    if dtype.is_bool:
        return f"({value} & ({best} ^ True))" if combine == "argmax" else f"({best} & ({value} ^ True))"
    beats = f"({value} {'>' if combine == 'argmax' else '<'} {best})"
    return f"({beats} | (({value} != {value}) & ({best} == {best})))" if dtype.is_float else beats


def step(combine: str, dtype: DType, held: str, value: str) -> str:
    """The expression that folds `value` into `held`, both of `dtype`."""
    code = dtype.code
    match combine:
        case "sum" if dtype.is_float:
            return f"reassociated_add_{code}({held}, {value})"
        case "prod" if dtype.is_float:
            return f"reassociated_multiply_{code}({held}, {value})"
        case "sum":
            return f"{dtype.name}({held} + {value})"
        case "prod":
            return f"{dtype.name}({held} * {value})"
        case "any":
            return f"({held} | {value})"
        case "all":
            return f"({held} & {value})"
        case "max" if dtype.is_bool:
            return f"({held} | {value})"
        case "min" if dtype.is_bool:
            return f"({held} & {value})"
        case "max" | "min":
            return f"{combine}imum_{code}({held}, {value})"
    raise AssertionError(combine)


def folding(combine: str, value: DType, result: DType) -> Folding:
    """How `combine` over values of dtype `value` is written."""
    return Folding(combine, value, result)
