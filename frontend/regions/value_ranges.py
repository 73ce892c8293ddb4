"""Value ranges in a region: between which numbers an int64 is known to lie at the place that is being written.

A check that was passed, and the condition of the branch that one is in, say something about values that were there
before. It holds in the rest of the block and in the blocks inside; behind the block it is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...core import dtypes
from ...core.records import dataclass
from ...graph.node import Node
from ...ops import pointwise as p
from ...ops.creation import FULL
from ...ops.registry import OpDef
from ..values.numbers.computed import INT64, Bounds


@dataclass(frozen=True)
class Relation:
    """A bool that says `left <name> right` of two int64, whose bounds are known besides."""

    name: str
    left: tuple[Node, Bounds]
    right: tuple[Node, Bounds]


class ValueRanges:
    """Bounds by value; those of the innermost block last."""

    def __init__(self) -> None:
        self._scopes: list[dict[Node, Bounds]] = [{}]
        self._relations: dict[Node, Relation] = {}
        self._truths: list[dict[Node, bool]] = [{}]
        self._implied: dict[tuple[Node, bool], tuple[Node, bool]] = {}

    @contextmanager
    def block(self) -> Iterator[None]:
        """A context that forgets what is learned in it."""
        self._scopes.append({})
        self._truths.append({})
        try:
            yield
        finally:
            self._scopes.pop()
            self._truths.pop()

    def truth(self, test: Node) -> bool | None:
        """The truth that a bool is known to have here; None where nobody knows."""
        return next((scope[test] for scope in reversed(self._truths) if test in scope), None)

    def note_implied(self, test: Node, truth: bool, other: Node, its: bool) -> None:
        """Notes that where the bool `test` is of this truth, `other` is `its`."""
        self._implied[test, truth] = other, its

    def of(self, node: Node, bounds: Bounds = INT64) -> Bounds:
        """`bounds`, or what is known besides. Symbolic ones are compared with nothing, so nothing is relied on."""
        low, high = bounds
        if node.op is FULL and type(node.kwargs["value"]) is int:
            return node.kwargs["value"], node.kwargs["value"]
        for scope in self._scopes:
            if node in scope:
                least, most = scope[node]
                low = max(low, least) if type(low) is int else low
                high = min(high, most) if type(high) is int else high
        return low, high

    def learn(self, node: Node, bounds: Bounds) -> None:
        """Notes that an int64 lies between these here. Symbolic bounds are not noted."""
        low, high = (each if type(each) is int else limit for each, limit in zip(bounds, INT64, strict=True))
        scope = self._scopes[-1]
        least, most = scope.get(node, INT64)
        scope[node] = max(low, least), min(high, most)

    def note_relation(self, made: Node, name: str, left: tuple[Node, Bounds], right: tuple[Node, Bounds]) -> None:
        """Notes what a bool says."""
        self._relations[made] = Relation(name, left, right)

    def assume(self, test: Node, truth: bool) -> None:
        """Learns from a bool that it is true, or false, here."""
        self._truths[-1][test] = truth
        if (test, truth) in self._implied:
            self.assume(*self._implied[test, truth])
        known = self._relations.get(test)
        if known is None:
            return
        (left, its), (right, others) = known.left, known.right
        its, others = self.of(left, its), self.of(right, others)
        name = known.name
        if not truth:
            name = {"<": ">=", "<=": ">", "==": "", "!=": "=="}[name]
        if name in (">", ">="):
            name, left, its, right, others = {">": "<", ">=": "<="}[name], right, others, left, its
        apart = 1 if name == "<" else 0
        if name in ("<", "<=", "=="):
            self.learn(left, (INT64[0], _moved(others[1], -apart)))
            self.learn(right, (_moved(its[0], apart), INT64[1]))
        if name == "==":
            self.learn(left, (others[0], INT64[1]))
            self.learn(right, (INT64[0], its[1]))

    def note_arithmetic(self, op: OpDef, inputs: tuple[Node, ...], made: Node) -> None:
        """Learns the bounds of a sum, difference, product or remainder that cannot have wrapped."""
        if made.type.dtype is not dtypes.int64 or op not in _CORNERS and op is not p.REMAINDER:
            return
        (a, b), (c, d) = (self.of(each) for each in inputs)
        if op is p.REMAINDER:
            if c > 0:
                self.learn(made, (0, d - 1))
            return
        corners = [_CORNERS[op](x, y) for x in (a, b) for y in (c, d)]
        if INT64[0] <= min(corners) and max(corners) <= INT64[1]:
            self.learn(made, (min(corners), max(corners)))


def _moved(bound: int, by: int) -> int:
    return bound + by if type(bound) is int else bound


_CORNERS = {p.ADD: lambda x, y: x + y, p.SUBTRACT: lambda x, y: x - y, p.MULTIPLY: lambda x, y: x * y}
