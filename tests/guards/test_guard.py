"""Guards as values: who checks one is a field, and a part of what makes two guards the same."""

from __future__ import annotations

from typing import Any

import pytest

import guardlift as gl
from guardlift.guards.entry import condition
from guardlift.guards.guard import Is
from guardlift.guards.pool import Pool
from guardlift.guards.sources import Local
from guardlift.guards.tensors import TensorIs

X = Local("x")


@pytest.mark.parametrize("kind, facts", [(Is, {"expected": len}), (TensorIs, {"type": gl.Tensor})])
def test_a_fact_that_another_checks_is_another_guard(kind: Any, facts: dict[str, Any]) -> None:
    by = {each: kind(X, None, **facts, checked_by=each) for each in ("entry", "plan", "owner")}
    assert len({*by.values(), *by.values()}) == 3
    assert all(by[each] == kind(X, None, **facts, checked_by=each) for each in by)
    assert len({each.fact() for each in by.values()}) == 1 and len({each.kind for each in by.values()}) == 1


def test_entry_code_asks_only_what_it_is_to_check() -> None:
    guards = [Is(Local(each), None, len, checked_by=each) for each in ("entry", "plan", "owner")]  # type: ignore[arg-type]
    assert condition(guards, pool := Pool(())) == f"entry is {pool.add(len)}"
    assert [each.native for each in guards] == [False, True, True]
    assert condition(guards, pool, natively=False).count(" is ") == 3


def test_a_tensor_is_checked_by_the_plan_unless_it_is_said_otherwise() -> None:
    assert TensorIs(X, None, gl.Tensor).native and not TensorIs(X, None, gl.Tensor, checked_by="entry").native
