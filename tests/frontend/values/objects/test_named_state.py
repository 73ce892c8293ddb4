"""`sys.modules` and `os.environ` in jitted functions."""

from __future__ import annotations

import os
import sys
import types
from typing import Any

import numpy as np
import pytest
from frontend.language import X, compiled, plain
from oracle import under

import guardlift as gl

NAME = "guardlift_test_of_a_module"


def test_modules_are_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def function(x: Any) -> Any:
        try:
            found = sys.modules[NAME].FACTOR
        except KeyError as error:
            found = len(error.args)
        known = sys.modules.get("numpy") is np, NAME in sys.modules, sys.modules.get(NAME, 3) == 3, np == types
        return x * found, known, {sys.modules["numpy"], np} == {np}

    compiled(function, X)
    jitted = gl.jit(function)
    with under("reference"):
        assert np.array_equal(jitted(X)[0], X)
        module = types.ModuleType(NAME)
        module.FACTOR = 3.0  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, NAME, module)
        assert np.array_equal(jitted(X)[0], X * 3.0) and jitted(X)[1] == (True, True, False, False)
        module.FACTOR = 4.0  # type: ignore[attr-defined]
        assert np.array_equal(jitted(X)[0], X * 4.0)
    assert not gl.explain(jitted).breaks
    plain(lambda x: x + (len(sys.modules) > 3), X, code="B401")


def test_variables_of_the_environment_are_guarded_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def function(x: Any) -> Any:
        scale = float(os.environ[NAME]) if NAME in os.environ else 1.0
        return x * scale, os.environ.get(NAME), os.environ.get(NAME, "none")

    monkeypatch.delenv(NAME, raising=False)
    compiled(function, X)
    jitted = gl.jit(function)
    with under("reference"):
        for text, scale in ((None, 1.0), ("2", 2.0), ("2.5", 2.5), (None, 1.0)):
            monkeypatch.delenv(NAME, raising=False) if text is None else monkeypatch.setenv(NAME, text)
            wanted, got = function(X), jitted(X)
            assert np.array_equal(got[0], X * scale) and got[1:] == wanted[1:] == (text, text or "none")
        monkeypatch.setenv(f"{NAME}_OTHER", "1")
        before = len(gl.explain(jitted).entries)
        jitted(X)
        assert len(gl.explain(jitted).entries) == before
    assert not gl.explain(jitted).breaks
