"""The calls of `vmap` that are under way in this thread, the outermost first, and what they do with random numbers."""

from __future__ import annotations

import threading
from typing import Any

from ..core.records import dataclass
from ..ops.registry import OpDef
from ..tensor.drawing import BATCHES, drawn
from ..tensor.shaping import movedim
from .batched_tensor import BatchedTensor, is_at

RANDOMNESS = ("error", "different", "same")


@dataclass(frozen=True, slots=True)
class Level:
    """One call of `vmap`.

    depth: how many there are, this one counted.   size: how many calls it stands for.
    randomness: what a draw inside of it is: an error, one for each call, or one for all.
    """

    depth: int
    size: int
    randomness: str


class _Levels(threading.local):
    entered: tuple[Level, ...] = ()


LEVELS = _Levels()
"""A value for each thread; `enter_level` and `leave_level` change it."""


def entered() -> tuple[Level, ...]:
    """The levels of this thread, the outermost first."""
    return LEVELS.entered


def _draw(op: OpDef, source: Any, whole: dict[str, Any], requires_grad: bool) -> Any:
    """A draw inside of `vmap`: one for each entry of the levels that say "different", and for all of those that say
    "same".

    Errors: RuntimeError where a level allows none.
    """
    levels = LEVELS.entered
    if any(each.randomness == "error" for each in levels):
        raise RuntimeError(NO_RANDOMNESS)
    own = [each for each in levels if each.randomness == "different"]
    shape = (*(each.size for each in own), *whole["shape"])
    return batched_over(drawn(op, source, {**whole, "shape": shape}, requires_grad), own)


NO_RANDOMNESS = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' "
    "randomness flags on vmap, or draw the random numbers outside of vmap and map over them."
)


def batched_over(whole: Any, levels: list[Level]) -> Any:
    """A tensor whose first axes are those of `levels`, as one call of each of them sees it."""
    for level in levels:
        whole = BatchedTensor(whole, level.depth)
    return whole


def enter_level(size: int, randomness: str) -> Level:
    """One more `vmap`, under way until `leave_level`."""
    before = LEVELS.entered
    level = Level(len(before) + 1, size, randomness)
    LEVELS.entered, BATCHES.draw = (*before, level), _draw
    return level


def leave_level(level: Level) -> None:
    """Ends the innermost `vmap`."""
    LEVELS.entered = LEVELS.entered[: level.depth - 1]
    BATCHES.draw = _draw if LEVELS.entered else None


def one_call(x: Any, axis: int, level: Level) -> Any:
    """A tensor as one call of `vmap` sees it, which maps over `axis`."""
    return BatchedTensor(x if axis == 0 else movedim(x, axis, 0), level.depth)


def is_mapped(x: Any, level: Level) -> bool:
    """Whether a tensor depends on which call of `vmap` it is."""
    return is_at(x, level.depth)


def all_calls(x: Any, axis: int, level: Level) -> Any:
    """A result of one call of `vmap`, as all calls have it, along `axis`."""
    if is_at(x, level.depth):
        whole = x.__guardlift_whole__
    else:
        whole = x.expand(level.size, *x.shape)
    return whole if axis == 0 else movedim(whole, 0, axis)


def in_each_call(x: Any) -> Any:
    """`x` as a value that each call of every `vmap` under way has for itself: what is differentiated by it differs."""
    return _spread(x, LEVELS.entered)


def _spread(x: Any, levels: tuple[Level, ...]) -> Any:
    if not levels:
        return x
    *outer, level = levels
    if is_at(x, level.depth):
        return BatchedTensor(_spread(x.__guardlift_whole__, tuple(outer)), level.depth)
    inner = _spread(x, tuple(outer))
    return BatchedTensor(inner.expand(level.size, *inner.shape), level.depth)


# Tensors without their levels, for autograd, which knows of none.


Axes = tuple[tuple[int, int], ...]
"""Levels over whose calls a tensor differs, by depth and size, the innermost first."""


def levels_of(x: Any) -> Axes:
    """The levels over whose calls a tensor differs."""
    found = []
    while type(x) is BatchedTensor:
        depth, x = x._depth, x.__guardlift_whole__
        found.append((depth, x.shape[0]))
    return tuple(found)


def base_of(x: Any) -> Any:
    """The tensor of all calls of all levels: their axes are the first ones, the outermost level's first."""
    while type(x) is BatchedTensor:
        x = x.__guardlift_whole__
    return x


def spelled_out(x: Any, levels: Axes) -> Any:
    """`x` with the axes of these levels among its own, as `base_of` has them.

    What other levels it has stay around it.
    """
    for depth, size in levels:
        x = _with_axis(x, depth, size)
    return x


def _with_axis(x: Any, depth: int, size: int) -> Any:
    if is_at(x, depth):
        return x.__guardlift_whole__
    if type(x) is BatchedTensor and x._depth > depth:
        return BatchedTensor(movedim(_with_axis(x.__guardlift_whole__, depth, size), 0, 1), x._depth)
    return x.expand(size, *x.shape)


def taken_in(x: Any, levels: Axes) -> Any:
    """`x` with its first axes, those of these levels, made levels again: what `spelled_out` undid."""
    for depth, _ in levels[::-1]:
        x = _without_axis(x, depth)
    return x


def _without_axis(x: Any, depth: int) -> Any:
    if type(x) is BatchedTensor and x._depth > depth:
        return BatchedTensor(_without_axis(movedim(x.__guardlift_whole__, 1, 0), depth), x._depth)
    return BatchedTensor(x, depth)
