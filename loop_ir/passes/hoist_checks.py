"""Checks of an innermost loop that are made once, ahead of it: for its first round and its last.

An index that grows or falls by one from round to round lies within bounds in every round if it does so in the first and
in the last. A loop that asks for it in each round is not unrolled, and waits for the answer.
"""

# Note [Checks ahead of a loop]
# To leave a region is to let Python run the call from its start, so it may be left earlier than where the check stands,
# as long as it would have been left for sure. A check is moved if each round comes to it (the loop has no `Break` or
# `Continue`, and the check stands under no condition), if all that it depends on can be computed from the loop's
# variable and from what stands before the loop, without a load, and if it says of an int64 that moves by one a round
# that it lies outside of an interval.

from __future__ import annotations

from ...core import dtypes
from ...core.records import replace
from ..ir import (
    Apply,
    Assign,
    Break,
    Continue,
    Count,
    Expression,
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
    Variable,
    walk,
)
from .dce import names_read
from .rename import renamed

Body = tuple[Statement, ...]


def with_checks_ahead(body: Body) -> Body:
    """The statements with such checks ahead of their loops. See Note [Checks ahead of a loop]."""
    found: list[Statement] = []
    for each in body:
        if isinstance(each, Count):
            each = replace(each, body=with_checks_ahead(each.body))
            ahead, each = _split(each)
            found += ahead
        elif isinstance(each, Repeat):
            each = Repeat(with_checks_ahead(each.body))
        elif isinstance(each, If):
            each = replace(each, then=with_checks_ahead(each.then), otherwise=with_checks_ahead(each.otherwise))
        found.append(each)
    return tuple(found)


def _split(loop: Count) -> tuple[list[Statement], Count]:
    """The statements that are to stand ahead of a loop, and the loop without the checks that they make."""
    inside = list(walk(loop.body))
    if loop.step not in (1, -1) or any(
        isinstance(each, (Count, Repeat, InnerLoop, Break, Continue, Invoke)) for each in inside
    ):
        return [], loop
    rounds = _LoopIterations(loop, {each.name for each in inside if isinstance(each, (Let, Variable, Assign))})
    moved = [each for each in loop.body if rounds.can_be_ahead(each)]
    if not moved:
        return [], loop
    first, last = f"{loop.var}_first", f"{loop.var}_last"
    some = f"{loop.var}_some"
    before = [
        Let(first, dtypes.int64, _moved(loop.start, 0)),
        Let(last, dtypes.int64, _moved(loop.stop, -loop.step)),
        Let(some, dtypes.bool_, Apply("({0} <= {1})" if loop.step == 1 else "({0} >= {1})", (first, last))),
    ]
    checks = [each for end in (first, last) for each in rounds.at(end, moved)]
    kept = tuple(each for each in loop.body if each not in moved)
    return [*before, If(some, tuple(checks))], replace(loop, body=kept)


def _moved(amount: int | str, by: int) -> Expression:
    return IndexValue(((amount, 1),), by) if isinstance(amount, str) else Literal(amount + by)


class _LoopIterations:
    """The lets of a loop's body, and how they change from iteration to iteration."""

    def __init__(self, loop: Count, made: set[str]) -> None:
        self._var = loop.var
        self._made = made
        """The names that get a value in a round; variables from before the loop, too."""
        self._lets: dict[str, Let] = {}
        """The lets that depend on the variable and on what stands before the loop alone."""
        self._steps: dict[str, int | None] = {loop.var: loop.step}  # type: ignore[dict-item]
        """By how much they grow in a round; None where it is not known."""
        for each in loop.body:
            if isinstance(each, Let) and not isinstance(each.expression, Load) and self._is_known(each):
                self._lets[each.name] = each
                self._steps[each.name] = self._step(each)

    def _is_known(self, let: Let) -> bool:
        return all(name == self._var or name in self._lets or name not in self._made for name in names_read(let))

    def _step(self, let: Let) -> int | None:
        read = list(names_read(let))
        steps = [self._steps.get(name, 0) for name in read]
        if not any(step is None or step for step in steps):
            return 0
        match let.expression:
            case Apply("({0} + {1})", _, False) if None not in steps and let.dtype is dtypes.int64:
                return sum(step for step in steps if step)
            case Apply("({0} - {1})", _, False) if None not in steps and let.dtype is dtypes.int64:
                return (steps[0] or 0) - (steps[1] or 0)
        return None

    def can_be_ahead(self, each: Statement) -> bool:
        """Whether a statement of the body is a check that can be made ahead of the loop."""
        if not isinstance(each, If) or each.then != (Leave(),) or each.otherwise or not each.outside:
            return False
        step = self._steps.get(each.outside, None if each.outside in self._made else 0)
        return each.condition in self._lets and step in (-1, 0, 1)

    def at(self, end: str, checks: list[Statement]) -> list[Statement]:
        """The checks, and what they depend on, for one value of the variable."""
        names = {self._var: end}
        needed: set[str] = set()
        for check in checks:
            needed |= self._needed(check)
        found: list[Statement] = []
        for name, let in self._lets.items():
            if name in needed:
                names[name] = f"{name}_{end}"
                found.append(Let(names[name], let.dtype, renamed(let.expression, names)))
        return [*found, *(If(names[each.condition], (Leave(),)) for each in checks if isinstance(each, If))]

    def _needed(self, each: Statement) -> set[str]:
        found: set[str] = set()
        pending = [name for name in names_read(each) if name in self._lets]
        while pending:
            name = pending.pop()
            if name not in found:
                found.add(name)
                pending += [each for each in names_read(self._lets[name]) if each in self._lets]
        return found
