"""The reductions of an inner loop as they are written for the CPU: start, update, end, and the accuracy that each
promises.

Sums of float32 are held in float64. Sums of float64 are taken in blocks, whose sums are added with the rounding error
kept (two-sum), so they are at least as accurate as pairwise summation. Neither depends on how the work is shared out.

An argmax or argmin puts what it reduces aside, block by block, and keeps the block that holds the extreme: the place is
looked for among the very elements that were reduced. (To compute them once more is no good. What they are computed from
may have been overwritten meanwhile, and a second text has to be the first in every bit.) Elements that an inner loop
which writes nothing only loads are still there, and are loaded again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..core.records import dataclass
from .ir import SEARCHED, CheckedIndex, Fail, InnerLoop, Let, Load, LoopReduction
from .passes.dce import names_read
from .source_text import expression_text, literal, loaded, memory_code, stored

BLOCK = 256
"""Elements of one block of a reduction that goes by blocks."""


def identity(combine: str, dtype: DType) -> bool | int | float:
    """The value that a reduction starts from.

    Sums start from plus zero, as NumPy's: of minus zeros alone they are plus zero.
    """
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
class ReductionText:
    """One reduction as text. `value` is the dtype of what is reduced, `result` that of the outcome.

    `reload`: of a searched reduction, the let that loads an element where it is in memory still; see `reload_of`."""

    combine: str
    value: DType
    result: DType
    reload: Let | None = None

    @property
    def compensated(self) -> bool:
        """A float64 sum goes block by block, and keeps the rounding error of adding the blocks."""
        return self.combine == "sum" and self.value is dtypes.float64

    @property
    def searched(self) -> bool:
        """An argmax or argmin finds the extreme of each block, then the place in the one block that has it.

        There is room for two blocks: the one that is reduced, and the best of those before it."""
        return self.combine in SEARCHED

    @property
    def aside(self) -> bool:
        """Whether the values that are reduced are put aside."""
        return self.searched and self.reload is None

    @property
    def in_blocks(self) -> bool:
        return self.compensated or self.searched

    @property
    def held(self) -> DType:
        """The dtype of the accumulator."""
        return dtypes.float64 if self.combine == "sum" and self.value.is_float else self.value

    def start(self, name: str, outer: Sequence[str] = ()) -> list[str]:
        """The statements before an inner loop; `outer` are the variables of its loops but the last."""
        first = literal(identity(self.combine, self.held), self.held)
        if self.compensated:
            return [f"{name}_sum = {first}", f"{name}_error = float64(0.0)"]
        if self.searched:
            places = [f"{name}_{var} = 0" for var in outer]
            room = f"{name}_values = scratch_{memory_code(self.value)}_{2 * BLOCK}()"
            aside = [room, f"{name}_half = 0"] if self.aside else []
            return [*aside, f"{name}_best = {first}", f"{name}_from = -1", *places]
        return [f"{name}_held = {first}"]

    def start_block(self, name: str, block: str) -> list[str]:
        """The statements that open the block starting at `block`; none for a reduction that does not go by blocks."""
        if not self.in_blocks:
            return []
        opened = [f"{name}_held = {literal(identity(self.combine, self.held), self.held)}"]
        return [*opened, f"{name}_put = {name}_half - {block}"] if self.aside else opened

    def end_block(self, name: str, block: str, outer: Sequence[str] = ()) -> list[str]:
        """The statements that close the block starting at `block`; none for a reduction that does not go by blocks."""
        if self.searched:
            other_half = [f"{name}_half = {BLOCK} - {name}_half if {name}_better else {name}_half"]
            return [
                f"{name}_better = {better_text(self.combine, self.value, f'{name}_held', f'{name}_best')}",
                f"{name}_from = {block} if {name}_better else {name}_from",
                *(f"{name}_{var} = {var} if {name}_better else {name}_{var}" for var in outer),
                *(other_half if self.aside else []),
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

    def update(self, name: str, value: str, var: str) -> list[str]:
        """The statements that reduce one more element, at index `var` of the innermost loop."""
        if self.combine == "sum" and self.value is dtypes.float32:
            value = f"float64({value})"
        combine = self.combine.removeprefix("arg")
        reduced = [f"{name}_held = {step(combine, self.held, f'{name}_held', value)}"]
        return [*reduced, f"{name}_values[{name}_put + {var}] = {stored(value, self.value)}"] if self.aside else reduced

    def found(self, name: str, var: str) -> list[str]:
        """Statements that define, in a searched reduction, whether the element `var` of the best block is the
        extreme."""
        one = f"{name}_one"
        if self.reload is not None:
            element = expression_text(self.reload.expression, self.reload.dtype)
        else:
            element = loaded(f"{name}_values[{name}_put + {var}]", self.value)
        equal = f"({one} == {name}_best)"
        if self.value.is_float:
            equal = f"({equal} | (({one} != {one}) & ({name}_best != {name}_best)))"
        return [f"{one} = {element}", f"{name}_found = {equal}"]

    def finish(self, name: str) -> list[str]:
        """The statements that define `name`, after the last element."""
        if self.compensated:  # an infinite sum has no error term to speak of: inf - inf made it NaN
            return [f"{name} = {name}_sum + {name}_error if {name}_error == {name}_error else {name}_sum"]
        if self.searched:  # where nothing is better than the identity, all elements are equal
            best_half = [f"{name}_put = {BLOCK} - {name}_half - {name}_from"]
            return [f"{name} = int64(0)", *(best_half if self.aside else [])]
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
    """The expression that combines `held` with `value`, both of `dtype`."""
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


def reduction_text(inner_loop: InnerLoop, reduction: LoopReduction) -> ReductionText:
    """The reduction of an inner loop as it is written."""
    return ReductionText(reduction.combine, reduction.value_dtype, reduction.dtype, reload_of(inner_loop, reduction))


def reload_of(inner_loop: InnerLoop, reduction: LoopReduction) -> Let | None:
    """The let of what is reduced, if it is found in memory after the inner loop as the reduction has found it, else
    None.

    That is a load at a place which the loops alone say, in an inner loop that writes nothing."""
    if reduction.combine not in SEARCHED or not all(
        isinstance(each, (Let, CheckedIndex, Fail)) for each in inner_loop.body
    ):
        return None
    let = next(
        (each for each in inner_loop.body if isinstance(each, (Let, CheckedIndex)) and each.name == reduction.value),
        None,
    )
    if (
        isinstance(let, Let)
        and isinstance(let.expression, Load)
        and not _computed(inner_loop).intersection(names_read(let))
    ):
        return let
    return None


def position_let(inner_loop: InnerLoop, reduction: LoopReduction) -> Let | None:
    """The let of the inner loop that says where an element is, for the search after it; None where a loop says it.

    Of what else an inner loop computes the search knows nothing: it may have been of another element, or of other
    memory."""
    loops = {var for var, _ in inner_loop.loops}
    if reduction.position in loops:
        return None
    (let,) = (each for each in inner_loop.body if isinstance(each, Let) and each.name == reduction.position)
    assert not isinstance(let.expression, Load) and not _computed(inner_loop).intersection(names_read(let)), let
    return let


def _computed(inner_loop: InnerLoop) -> set[str]:
    """The names of what an inner loop computes for each element."""
    return {each.name for each in inner_loop.body if isinstance(each, (Let, CheckedIndex))}
