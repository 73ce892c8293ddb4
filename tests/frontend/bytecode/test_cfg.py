"""Positions where the ways from a branch meet again, and the cost of finding them for a function of many branches."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.frontend.bytecode import cfg
from guardlift.frontend.bytecode.cfg import loops_of, written_in
from guardlift.frontend.compile import entry as compile_module


def by_definition(successors: list[tuple[int, ...]], starts: list[int], ends: frozenset[int]) -> int | None:
    """The first place without which no way from the starts comes to an end, tried place by place."""
    reached = cfg.reached(successors, starts, ends)

    def ends_without(place: int) -> bool:
        left = [start for start in starts if start != place]
        found = cfg.reached(successors, left, {*ends, place}) if left else []
        return any(each != place and (each in ends or not successors[each]) for each in found)

    met = [each for each in sorted(reached) if each not in ends and not ends_without(each)]
    met = [each for each in met if starts != [each]]
    return next(
        (each for each in met if all(other == each or other in _after(successors, each, ends) for other in met)), None
    )


def _after(successors: list[tuple[int, ...]], place: int, ends: frozenset[int]) -> set[int]:
    def ends_without(other: int) -> bool:
        found = cfg.reached(successors, [place], {*ends, other})
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
        assert cfg.join_point_of(successors, starts, ends) == by_definition(successors, starts, ends)


@pytest.mark.parametrize("branches", [20, 160])
def test_a_function_of_many_branches_is_gone_through_once(branches: int, monkeypatch: Any) -> None:
    """One branch after the other: the places visited are as many as there are, not that many for each."""
    successors: list[tuple[int, ...]] = []
    for k in range(branches):
        at = 3 * k
        successors += [(at + 1, at + 2), (at + 3,), (at + 3,)]
    successors.append(())
    visited = 0
    reached = cfg.reached

    def counting(*args: Any) -> list[int]:
        nonlocal visited
        found = reached(*args)
        visited += len(found)
        return found

    monkeypatch.setattr(cfg, "reached", counting)
    assert [cfg.join_point_of(successors, [3 * k], ()) for k in range(branches)] == [3 * k + 3 for k in range(branches)]
    assert visited <= len(successors)


def _writes(a: Any, b: Any, c: Any, other: Any) -> None:
    for i in range(3):
        a[i] = b[i]
        b[i + 1] += c[i] * a[i]
        c[b[i] : len(c)] = other[i]
        (a if i else b)[0] = 1
        other.x[i] = c


def test_the_code_shows_which_variables_hold_what_it_writes() -> None:
    (inside,) = loops_of(_writes.__code__).values()
    assert written_in(_writes.__code__, inside) == {"a", "b", "c"}


@pytest.mark.parametrize("whiles", [False, True])
def test_loops_that_write_arrays_are_traced_once(whiles: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    head = "i = 0\n    while i < len(a):\n        i += 1\n" if whiles else "for i in range(1, len(a) + 1):\n"
    loop = "        if a[i - 1] > {k}: b[i - 1] += {k}.5\n        else: c[i - 1] -= a[i - 1]\n"
    loops = "".join("    " + head + loop.format(k=k) for k in range(6))
    text = f"def f(a, b, c):\n{loops}    return b.sum() + c[0]\n"
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    traced: list[Any] = []
    trace_call = compile_module.trace_call
    monkeypatch.setattr(
        compile_module, "trace_call", lambda *given, **more: traced.append(1) or trace_call(*given, **more)
    )
    plain, jitted = namespace["f"], gl.jit(namespace["f"])
    arrays = [[np.arange(9.0), np.zeros(9), np.ones(9)] for _ in range(2)]
    assert plain(*arrays[0]) == jitted(*arrays[1])
    assert [each.tolist() for each in arrays[0]] == [each.tolist() for each in arrays[1]]
    assert len(traced) == 1 and not gl.explain(jitted).breaks


def test_what_only_looks_like_a_write_is_none() -> None:
    @gl.jit
    def f(a: Any, b: Any, n: int) -> Any:
        total = 0.0
        for i in range(len(a)):
            if n > 3:
                b[i] = total
            total += a[i] * b[i]
        return total

    a, b = np.arange(5.0), np.ones(5)
    b.flags.writeable = False
    for _ in range(2):
        assert f(a, b, 2) == 10.0
    assert not gl.explain(f).breaks
