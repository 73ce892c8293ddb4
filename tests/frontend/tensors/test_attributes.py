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
