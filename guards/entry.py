"""Entries: one compiled variant of a function, the facts it relies on, and its block of entry code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..core.events import Reason
from .entry_code import ERRORS, MISSED
from .guard import Equals, Evaluates, Guard, Is, IsArgument, NumberInput, Outcome, TypeIs
from .reasons import reason
from .sources import RESULT, Pool, Source


def needed(guards: Iterable[Guard]) -> tuple[Guard, ...]:
    """The guards without those that another one implies: a value or an identity implies its type.

    Where other guards are read through a place, its own check comes before them: with it, no user code can run in them.
    """
    listed = tuple(guards)
    fixed = {guard.source: guard for guard in reversed(listed) if isinstance(guard, (Equals, Is))}
    evaluated = {guard.source for guard in listed if not isinstance(guard, (Evaluates, TypeIs))}
    read_through = {below for guard in listed for source in guard.sources for below in source.below()}
    outcomes = {guard.source for guard in listed if isinstance(guard, Outcome)}
    native = {guard.source for guard in listed if isinstance(guard, NumberInput)} - read_through - outcomes
    kept: dict[Guard, None] = {}
    for guard in listed:
        if isinstance(guard, TypeIs) and (guard.source in fixed or guard.source in native):
            if guard.source in fixed:
                kept.setdefault(fixed[guard.source])
        elif not (isinstance(guard, Evaluates) and (guard.source in evaluated or guard.source in read_through)):
            kept.setdefault(guard)
    return tuple(kept)


def passed_to_plan(guards: Iterable[Guard], inputs: Iterable[Source]) -> tuple[Guard, ...]:
    """The guards, with each identity that nothing else is read through made an argument of the plan.

    What is read through a place stays behind the check of that place: evaluating it must not run the user's code.
    """
    listed = tuple(guards)
    read = [*inputs, *(source for guard in listed for source in guard.sources)]
    read_through = {below for source in read for below in source.below()}
    return tuple(
        IsArgument(guard.source, guard.where, guard.expected)
        if type(guard) is Is
        and guard.source not in read_through
        and not (guard.expected is None or isinstance(guard.expected, bool))
        else guard
        for guard in listed
    )


def condition(guards: Iterable[Guard], pool: Pool) -> str:
    """The conjunction of the guards that entry code checks itself, as an expression; empty when there is none."""
    return " and ".join(guard.text(pool) for guard in guards if not guard.native)


@dataclass(eq=False)
class Entry:
    """One variant. `block` is its part of the entry code; `slot` where its plan sits in the pool (-1: it has none)."""

    number: int
    guards: tuple[Guard, ...]
    block: str
    slot: int = -1
    plain: bool = False
    seconds: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)

    def first_failure(self, namespace: Mapping[str, object], pool: Pool) -> Reason:
        """Why the entry does not fit. An answer that names no guard is a bug, and says so."""
        for failure in self.failures(namespace, pool):
            return failure
        return Reason(self.number, "none", "", "every guard holds, yet the call missed: a bug in guardlift", "")

    def failures(self, namespace: Mapping[str, object], pool: Pool) -> Iterator[Reason]:
        """Every guard of the entry that does not hold, in the order they are checked.

        What is read through a place whose guard failed is left out: it may not exist, and looking might run user code.
        """
        failed: set[Source] = set()
        for guard in self.guards:
            read = {each for source in guard.sources for each in (source, *source.below())}
            if read & failed or guard.holds(namespace, pool):
                continue
            failed.add(guard.source)
            yield reason(self.number, guard, guard.found(namespace, pool))


def compiled_block(
    condition: str, plan: str, arguments: Sequence[str], statements: Sequence[str], *, side_exit: str
) -> str:
    """The entry code of a compiled variant.

    The plan answers `NotImplemented` when its own checks fail: on to the next entry. A plan that can meet what Python
    would raise on answers `Ellipsis` then: nothing has been done, and `side_exit` goes to the user's own code.
    """
    call = f"{plan}({', '.join(arguments)})"
    lines = _attempt(f"{call} if {condition} else {MISSED}" if condition else call, MISSED)
    if side_exit:
        lines += [f"if {RESULT} is ...:", f"    {side_exit}"]
    lines.append(f"if {RESULT} is not {MISSED}:")
    lines += [f"    {statement}" for statement in statements]
    return "\n".join(lines)


def _attempt(expression: str, otherwise: str) -> list[str]:
    """Statements that leave the expression's value in the result variable; `otherwise` when a place it reads is gone.

    Only guards and arguments are evaluated in there: what follows a plan that has run must never run it again.
    """
    return ["try:", f"    {RESULT} = {expression}", f"except {ERRORS}:", f"    {RESULT} = {otherwise}"]


def plain_block(condition: str, *, side_exit: str) -> str:
    """The entry code of a variant known to break the graph: straight to the user's own code."""
    return "\n".join([*_attempt(condition or "True", "False"), f"if {RESULT}:", f"    {side_exit}"])
