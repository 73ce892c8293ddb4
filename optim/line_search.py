"""Line search: a point along a direction that lies lower, and where the function is flatter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.records import dataclass

SUFFICIENT = 1e-4
"""The share of the promised decrease that a point has to give."""
FLATTER = 0.9
"""The share of the first slope that may be left at a point."""


@dataclass(frozen=True, slots=True, eq=False)
class LinePoint:
    """The function at a distance along the direction: its value, its gradient, and its slope along the direction."""

    at: Any
    value: Any
    grad: Any
    slope: Any


Evaluate = Callable[[Any], LinePoint]


def strong_wolfe(
    start: LinePoint, first: Any, longest: Any, evaluate: Evaluate, tolerance: float, most: int
) -> tuple[LinePoint, int]:
    """A point at which the strong Wolfe conditions hold, or the best one found; and the number of evaluations.

    start: the point at distance 0.   first: the distance to try first.   longest: the size of the direction's largest
    element; a bracket shorter than `tolerance` in each is not refined.   most: evaluations, beside the first.
    Source: Nocedal & Wright 2006, algorithms 3.5 and 3.6, with the cubic steps and the safeguards of M. Schmidt's
    minFunc (2005), which PyTorch has too.
    """
    before, now, tries = start, evaluate(first), 0
    while tries < most:
        if not _decreases(start, now) or (tries > 1 and now.value >= before.value):
            break
        if abs(now.slope) <= -FLATTER * start.slope:
            return now, tries + 1
        if now.slope >= 0:
            break
        nearest, farthest = now.at + 0.01 * (now.at - before.at), now.at * 10
        before, now = now, evaluate(lowest_of_cubic(before, now, nearest, farthest))
        tries += 1
    if tries == most:
        before = start
    return _refined(start, [before, now], longest, evaluate, tolerance, most, tries)


def _decreases(start: LinePoint, point: LinePoint) -> bool:
    return not point.value > start.value + SUFFICIENT * point.at * start.slope


def _refined(
    start: LinePoint,
    bracket: list[LinePoint],
    longest: Any,
    evaluate: Evaluate,
    tolerance: float,
    most: int,
    tries: int,
) -> tuple[LinePoint, int]:
    """The lower end of a bracket that is made smaller until it is good enough."""
    low = 0 if bracket[0].value <= bracket[1].value else 1
    was_at_edge = False
    while tries < most and abs(bracket[1].at - bracket[0].at) * longest >= tolerance:
        at = lowest_of_cubic(*bracket)
        at, was_at_edge = _off_the_edge(at, [each.at for each in bracket], was_at_edge)
        point = evaluate(at)
        tries += 1
        if not _decreases(start, point) or point.value >= bracket[low].value:
            bracket[1 - low] = point
            low = 0 if bracket[0].value <= bracket[1].value else 1
            continue
        done = abs(point.slope) <= -FLATTER * start.slope
        if not done and point.slope * (bracket[1 - low].at - bracket[low].at) >= 0:
            bracket[1 - low] = bracket[low]
        bracket[low] = point
        if done:
            break
    return bracket[low], tries + 1


def _off_the_edge(at: Any, ends: list[Any], was_at_edge: bool) -> tuple[Any, bool]:
    """The place to evaluate, off the bracket's ends if it was near one twice; and whether it is near now."""
    nearest, farthest = min(ends), max(ends)
    margin = 0.1 * (farthest - nearest)
    if not min(farthest - at, at - nearest) < margin:
        return at, False
    if not was_at_edge and nearest < at < farthest:
        return at, True
    return (farthest - margin if abs(at - farthest) < abs(at - nearest) else nearest + margin), False


def lowest_of_cubic(one: LinePoint, other: LinePoint, nearest: Any = None, farthest: Any = None) -> Any:
    """The place where the cubic through two points lies lowest, between bounds; their middle where it has no minimum.

    nearest, farthest: the bounds, those points if nothing is said.   Source: Nocedal & Wright 2006, equation 3.59.
    """
    left, right = (one, other) if one.at <= other.at else (other, one)
    if nearest is None:
        nearest, farthest = left.at, right.at
    with np.errstate(all="ignore"):
        chord = np.float64(one.value - other.value) / np.float64(one.at - other.at)
        bend = one.slope + other.slope - 3 * chord
        square = bend * bend - one.slope * other.slope
        if not square >= 0:
            return (nearest + farthest) / 2.0
        root = np.sqrt(square)
        share = (right.slope + root - bend) / (right.slope - left.slope + 2 * root)
        lowest = float(right.at - (right.at - left.at) * share)
    return min(max(lowest, nearest), farthest)
