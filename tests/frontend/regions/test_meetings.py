"""Where the ways from a branch meet again, and what it takes to find that out for a function of many branches."""

from __future__ import annotations

import random
from typing import Any

import pytest

from guardlift.frontend.regions import meetings


def by_definition(successors: list[tuple[int, ...]], starts: list[int], ends: frozenset[int]) -> int | None:
    """The first place without which no way from the starts comes to an end, tried place by place."""
    reached = meetings.reached(successors, starts, ends)

    def ends_without(place: int) -> bool:
        left = [start for start in starts if start != place]
        found = meetings.reached(successors, left, {*ends, place}) if left else []
        return any(each != place and (each in ends or not successors[each]) for each in found)

    met = [each for each in sorted(reached) if each not in ends and not ends_without(each)]
    met = [each for each in met if starts != [each]]
    return next(
        (each for each in met if all(other == each or other in _after(successors, each, ends) for other in met)), None
    )


def _after(successors: list[tuple[int, ...]], place: int, ends: frozenset[int]) -> set[int]:
    def ends_without(other: int) -> bool:
        found = meetings.reached(successors, [place], {*ends, other})
        return any(each != other and (each in ends or not successors[each]) for each in found)

    return {other for other in range(len(successors)) if other == place or not ends_without(other)}


@pytest.mark.parametrize("seed", range(40))
def test_the_place_where_all_ways_meet_is_that_of_the_definition_whoever_asked_before(seed: int) -> None:
    draw = random.Random(seed)
    size = draw.randint(2, 12)
    successors = [
        tuple({draw.choice([min(k + 1, size - 1), draw.randrange(size)]) for _ in range(draw.choice([0, 1, 1, 2, 2]))})
        for k in range(size)
    ]
    ends = frozenset(draw.sample(range(size), draw.randint(0, 2)))
    for _ in range(8):
        starts = draw.sample(range(size), draw.randint(1, 2))
        assert meetings.meeting_of(successors, starts, ends) == by_definition(successors, starts, ends)


@pytest.mark.parametrize("branches", [20, 160])
def test_a_function_of_many_branches_is_gone_through_once(branches: int, monkeypatch: Any) -> None:
    """One branch after the other: the places visited are as many as there are, not that many for each."""
    successors: list[tuple[int, ...]] = []
    for k in range(branches):
        at = 3 * k
        successors += [(at + 1, at + 2), (at + 3,), (at + 3,)]
    successors.append(())
    visited = 0
    reached = meetings.reached

    def counting(*args: Any) -> list[int]:
        nonlocal visited
        found = reached(*args)
        visited += len(found)
        return found

    monkeypatch.setattr(meetings, "reached", counting)
    assert [meetings.meeting_of(successors, [3 * k], ()) for k in range(branches)] == [
        3 * k + 3 for k in range(branches)
    ]
    assert visited <= len(successors)
