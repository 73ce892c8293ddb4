"""Attributes of tensors: those that guardlift gave them, and those that somebody put in their place."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from frontend.tensors.scenario import check, normal, same

import guardlift as gl


@pytest.mark.parametrize("name", ["tanh", "detach", "size"])
def test_a_method_that_was_wrapped_since_runs_as_it_is_now(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = getattr(gl.Tensor, name)

    @functools.wraps(usual)
    def twice(self: Any) -> Any:
        return usual(self * 2)

    monkeypatch.setattr(gl.Tensor, name, twice)
    check(lambda x: (getattr(x, name)(), x + 1), arguments=lambda: [normal(3)], breaks="not guardlift's own")


# -- keys of dicts -----------------------------------------------------------------------------------------------------
def in_a_dict_made_inside(x: Any, y: Any) -> Any:
    table = {x: 2.0}
    table[y] = 3.0
    z = x + y
    return x * table[x], len(table), z in table, {x, y, z} == {z, y, x}


def built_and_returned(x: Any, y: Any) -> Any:
    z = x + y
    table = {x: 1, z: 2, y: 3}
    return [*table], table[z]


@pytest.mark.spec("S8.10")
@pytest.mark.parametrize("program", [in_a_dict_made_inside, built_and_returned])
def test_tensors_are_keys_by_identity(program: Any) -> None:
    x, y = normal(3), normal(3)
    fast = gl.jit(program)
    for given in ((x, y), (x, x), (y, x)):
        same(program(*given), fast(*given))
    assert not gl.explain(fast).breaks


@pytest.mark.spec("S8.10")
def test_a_dict_of_the_users_with_tensors_as_keys() -> None:
    x, y = normal(3), normal(3)
    table = {x: 2.0}
    fast = gl.jit(lambda tensor: tensor * table[tensor])
    same(x * 2.0, fast(x))
    with pytest.raises(KeyError):
        fast(y)
    table[y] = 4.0
    same(y * 4.0, fast(y))
    table[x] = 5.0
    same(x * 5.0, fast(x))


def test_a_dtype_is_told_from_another_by_identity_and_by_equality() -> None:
    def f(x: gl.Tensor, dtype: Any) -> gl.Tensor:
        if x.dtype is gl.float32 and x.dtype is not gl.float64 and x.dtype == gl.float32 and x.dtype != gl.int64:
            return x * 2.0
        return x + 1.0 if x.dtype is dtype else x - 1.0

    for dtype, other in ((gl.float32, gl.float64), (gl.float64, gl.float64), (gl.float64, gl.float16)):
        check(f, arguments=lambda dtype=dtype, other=other: [normal(3).to(dtype), other])
