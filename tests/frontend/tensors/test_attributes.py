"""Attributes of tensors: those that guardlift gave them, and those that somebody put in their place."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from frontend.tensors.scenario import check, normal

import guardlift as gl


@pytest.mark.parametrize("name", ["tanh", "detach", "size"])
def test_a_method_that_was_wrapped_since_runs_as_it_is_now(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = getattr(gl.Tensor, name)

    @functools.wraps(usual)
    def twice(self: Any) -> Any:
        return usual(self * 2)

    monkeypatch.setattr(gl.Tensor, name, twice)
    check(lambda x: (getattr(x, name)(), x + 1), arguments=lambda: [normal(3)], breaks="not guardlift's own")


def test_a_dtype_is_told_from_another_by_identity_and_by_equality() -> None:
    def f(x: gl.Tensor, dtype: Any) -> gl.Tensor:
        if x.dtype is gl.float32 and x.dtype is not gl.float64 and x.dtype == gl.float32 and x.dtype != gl.int64:
            return x * 2.0
        return x + 1.0 if x.dtype is dtype else x - 1.0

    for dtype, other in ((gl.float32, gl.float64), (gl.float64, gl.float64), (gl.float64, gl.float16)):
        check(f, arguments=lambda dtype=dtype, other=other: [normal(3).to(dtype), other])
