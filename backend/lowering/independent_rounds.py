"""Loops over elements whose rounds are independent: threads share them out."""

# Note [Independent rounds]
# A loop of the user's over elements is one step of a plan, and its rounds run in order. Where no round sees anything of
# another one they may as well run in any order, on any thread, and the result is the same to the bit: each round does
# the same operations. That holds where
#
# - no variable is carried from round to round, and no round ends the loop;
# - what a round writes no other round reads or writes. Every access to memory that the loop writes is at
#   `a * i + b`, i the loop's variable, with the same `a` for all accesses to that memory. The `b` of all rounds lie in
#   an interval that is narrower than the distance of two rounds; or they are made of whole rows, and all that is left
#   is narrower than a row. What is known of `b` are literals, the bounds of loops inside, and the sizes below which
#   indices have been checked;
# - nothing outside of the kernel is called, and no two operands share memory.
#
# A round may fail, and Python runs the call anew then: it works on memory that nobody has changed. The rounds behind
# it would not have run in Python, and might run for ever. So they ask from time to time whether another one has failed.

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...core.dtypes import int64
from ...core.records import dataclass, replace
from ...loop_ir.ir import (
    Access,
    Accumulate,
    Address,
    Amount,
    Apply,
    Assign,
    Break,
    CheckedIndex,
    Continue,
    Count,
    Fail,
    If,
    IndexValue,
    InnerLoop,
    Invoke,
    Leave,
    Let,
    Literal,
    Load,
    Repeat,
    Statement,
    Store,
    Variable,
    walk,
)
from .lower import BoundKernel

UNKNOWN_ROUNDS = 16
"""Rounds that a loop is taken to have of which it is not known."""
_KNOWN = (
    Let, Variable, Assign, CheckedIndex, Fail, Leave, If, Count, Repeat, Break, Continue, InnerLoop, Store, Accumulate,
)  # fmt: skip
"""The statements that a round may have."""


@dataclass(frozen=True, slots=True)
class Span:
    """An int that is `factor` times the loop's variable and something from `low` to `high`."""

    factor: int
    low: int
    high: int

    def __add__(self, other: Span) -> Span:
        return Span(self.factor + other.factor, self.low + other.low, self.high + other.high)

    def times(self, amount: int) -> Span:
        """So many times as much."""
        low, high = sorted((self.low * amount, self.high * amount))
        return Span(self.factor * amount, low, high)


def shared_out(bound: BoundKernel) -> BoundKernel:
    """The kernel of a region with its rounds as its range, if they are independent; else as it is."""
    *lead, last = bound.kernel.body or (None,)
    if not isinstance(last, Count) or not bound.kernel.noalias:
        return bound
    loop = _Loop(bound, last)
    if not all(isinstance(each, (Let, Variable)) for each in lead) or not loop.is_independent(lead):
        return bound
    rounds = loop.rounds()
    if rounds is None:
        return bound
    kernel = replace(bound.kernel, body=(*lead, replace(last, parallel=True)))
    return BoundKernel(kernel, bound.pointers, bound.sizes, rounds, rounds * loop.work(last.body))


class _Loop:
    """The names in a loop over elements, and what is known of them."""

    def __init__(self, bound: BoundKernel, loop: Count) -> None:
        self._sizes, self._loop = bound.sizes, loop
        self._spans: dict[str, Span] = {loop.var: Span(1, 0, 0)}
        self._given = {loop.var}

    def is_independent(self, lead: Iterable[Statement]) -> bool:
        """Whether no round sees anything of another one. lead: the statements before the loop."""
        body = self._loop.body
        if not isinstance(self._loop.step, int) or not _stays_inside(body):
            return False
        for each in (*lead, *walk(body)):
            if not isinstance(each, _KNOWN):
                return False
            self._learn(each)
        written: dict[int, list[Access]] = {}
        for each in walk(body):
            if isinstance(each, (Store, Accumulate)):
                written.setdefault(each.access.pointer, [])
        for access in _accesses(body):
            if access.pointer in written:
                written[access.pointer].append(access)
        read_before = {access.pointer for access in _accesses(tuple(lead))}
        return not read_before.intersection(written) and all(map(self._apart, written.values()))

    def rounds(self) -> int | None:
        """The number of rounds; None where only the kernel knows."""
        start, stop, step = (self._exact(each) for each in (self._loop.start, self._loop.stop, self._loop.step))
        if start is None or stop is None or not step:
            return None
        rounds = stop - start if step == 1 else -((start - stop) // step)
        return max(0, rounds)

    def work(self, body: tuple[Statement, ...]) -> int:
        """About how many operations the statements do."""
        total = 0
        for each in body:
            total += 1
            match each:
                case Count(_, start, stop, step, inner):
                    first, last = self._in_any_round(self._span(start)), self._in_any_round(self._span(stop))
                    rounds = UNKNOWN_ROUNDS
                    if first is not None and last is not None and step == 1:
                        rounds = max(last.low + last.high - first.low - first.high, 2) // 2
                    total += rounds * self.work(inner)
                case Repeat(inner):
                    total += UNKNOWN_ROUNDS * self.work(inner)
                case InnerLoop(loops, inner, reductions):
                    count = 1
                    for _, extent in loops:
                        exact = self._exact(extent)
                        count *= UNKNOWN_ROUNDS if exact is None else exact
                    total += count * (self.work(inner) + len(reductions))
                case If(_, then, otherwise):
                    total += max(self.work(then), self.work(otherwise))
        return total

    # -- what is known of a name ---------------------------------------------------------------------------------------
    def _learn(self, each: Statement) -> None:
        """Takes down between what the name lies that a statement gives."""
        match each:
            case Let(name, dtype, expression) if dtype is int64:
                self._take_down(name, self._of_expression(expression))
            case CheckedIndex(name, value, size):
                self._take_down(name, self._checked(value, size))
            case Count(var, start, stop, step, _) if var != self._loop.var:
                first, last = self._in_any_round(self._span(start)), self._in_any_round(self._span(stop))
                if first is not None and last is not None and isinstance(step, int):
                    low, high = (first.low, last.high - 1) if step > 0 else (last.low + 1, first.high)
                    self._take_down(var, Span(0, low, max(low, high)))
            case InnerLoop(loops, _, _):
                for var, extent in loops:
                    count = self._in_any_round(self._span(extent))
                    if count is not None:
                        self._take_down(var, Span(0, 0, max(count.high - 1, 0)))

    def _take_down(self, name: str, span: Span | None) -> None:
        """Remembers it. Of a name that is given twice nothing is known."""
        if name in self._given:
            self._spans.pop(name, None)
        elif span is not None:
            self._spans[name] = span
        self._given.add(name)

    def _checked(self, value: str, size: Amount) -> Span | None:
        """An index that is checked below a size: it is the value itself, where that is never negative."""
        span, below = self._spans.get(value), self._exact(size)
        anywhere = self._in_any_round(span)
        if anywhere is not None and anywhere.low >= 0:
            return span
        return None if below is None else Span(0, 0, max(below - 1, 0))

    def _in_any_round(self, span: Span | None) -> Span | None:
        """The span of something over all rounds; None where it is not known."""
        if span is None or not span.factor:
            return span
        start, rounds = self._exact(self._loop.start), self.rounds()
        if start is None or rounds is None or not isinstance(self._loop.step, int):
            return None
        last = start + max(rounds - 1, 0) * self._loop.step
        low, high = sorted((start * span.factor, last * span.factor))
        return Span(0, low + span.low, high + span.high)

    def _of_expression(self, expression: Any) -> Span | None:
        match expression:
            case Literal(value) if type(value) is int:
                return Span(0, value, value)
            case IndexValue(terms, constant):
                return self._sum(terms, self._exact(constant))
            case Apply("({0} + {1})", (left, right), False):
                return self._sum(((left, 1), (right, 1)), 0)
            case Apply("({0} - {1})", (left, right), False):
                return self._sum(((left, 1), (right, -1)), 0)
            case Apply("({0} * {1})", (left, right), False):
                known = self._exact(left)
                return self._sum(((right, known),) if known is not None else ((left, right),), 0)
        return None

    def _sum(self, terms: Iterable[tuple[str, Amount]], constant: int | None) -> Span | None:
        if constant is None:
            return None
        total = Span(0, constant, constant)
        for name, amount in terms:
            span, factor = self._spans.get(name), self._exact(amount)
            if span is None or factor is None:
                return None
            total += span.times(factor)
        return total

    def _span(self, amount: Amount) -> Span | None:
        if isinstance(amount, str) and amount in self._spans:
            return self._spans[amount]
        exact = self._exact(amount)
        return None if exact is None else Span(0, exact, exact)

    def _exact(self, amount: Amount) -> int | None:
        """The value of a literal, a size, or a name that has only one."""
        if isinstance(amount, int):
            return amount
        if amount in self._spans:
            span = self._spans[amount]
            return span.low if span.low == span.high and not span.factor else None
        if amount[0] == "s" and amount[1:].isdigit():
            return self._sizes[int(amount[1:])]
        return None

    def _apart(self, accesses: list[Access]) -> bool:
        """Whether no two rounds meet at these accesses to one memory."""
        spans = [self._sum(access.terms, 0) for access in accesses]
        return self._by_distance(spans) or self._by_rows(accesses)

    def _by_distance(self, spans: list[Span | None]) -> bool:
        """Whether two rounds are further apart than what one round touches is wide."""
        known = [span for span in spans if span is not None]
        factors = {span.factor for span in known}
        if len(known) < len(spans) or len(factors) != 1:
            return False
        assert isinstance(self._loop.step, int)
        distance = abs(factors.pop() * self._loop.step)
        return max(span.high for span in known) - min(span.low for span in known) < distance

    def _by_rows(self, accesses: list[Access]) -> bool:
        """Whether what all rounds touch is narrower than a row, and each round has places of its own in a row."""
        near: list[Span | None] = []
        rows: set[int] = set()
        for access in accesses:
            within: list[tuple[str, Amount]] = []
            for name, amount in access.terms:
                span, stride = self._spans.get(name), self._exact(amount)
                if span is None or stride is None:
                    return False
                if span.factor or span.low == span.high:
                    within.append((name, amount))
                else:
                    rows.add(abs(stride))
            near.append(self._sum(within, 0))
        anywhere = [self._in_any_round(span) for span in near]
        known = [span for span in anywhere if span is not None]
        if len(rows) != 1 or len(known) < len(near) or not self._by_distance(near):
            return False
        return max(span.high for span in known) - min(span.low for span in known) < rows.pop()


def _stays_inside(body: tuple[Statement, ...]) -> bool:
    """Whether no round ends the loop, or carries a variable to the next one."""
    own = {each.name for each in walk(body) if isinstance(each, Variable)}
    carried = any(isinstance(each, Assign) and each.name not in own for each in walk(body))
    return not carried and not any(isinstance(each, Break) for each in _outside_of_loops(body))


def _outside_of_loops(body: tuple[Statement, ...]) -> Iterator[Statement]:
    """The statements that lie in no loop of the body."""
    for each in body:
        yield each
        if isinstance(each, If):
            yield from _outside_of_loops(each.then)
            yield from _outside_of_loops(each.otherwise)


def _accesses(body: tuple[Statement, ...]) -> Iterator[Access]:
    """Every access to memory in the body."""
    for each in walk(body):
        match each:
            case Let(_, _, Load(access)) | Store(access, _, _) | Accumulate(access, _, _, _):
                yield access
            case Invoke(_, _, _, arguments):
                yield from (given.access for given in arguments if isinstance(given, Address))
