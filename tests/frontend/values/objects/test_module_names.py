"""Names that a module does not have: asked for, and there all the same at a later call."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
from oracle import check, under

import guardlift as gl

X = np.ones(3)


def made(text: str = "") -> types.ModuleType:
    module = types.ModuleType("settings")
    module.x = 3  # type: ignore[attr-defined]
    exec(text, vars(module))
    return module


def test_a_name_that_is_not_there() -> None:
    settings = made()

    def asked(x: Any) -> Any:
        return x + 1, hasattr(settings, "nope"), hasattr(settings, "x"), getattr(settings, "nope", 5), hasattr(np, "zz")

    def read(x: Any) -> Any:
        try:
            return x * settings.nope
        except AttributeError as error:
            return x + 2, str(error), error.name

    def uncaught(x: Any) -> Any:
        return x * settings.nope

    check(asked, X, expect="compiled", backend="reference")
    check(read, X, backend="reference")
    check(uncaught, X, backend="reference")


def test_a_name_that_comes_and_goes() -> None:
    settings = made()

    def function(x: Any) -> Any:
        return x * getattr(settings, "scale", 2)

    jitted = gl.jit(function)
    with under("reference"):
        assert jitted(X)[0] == 2
        settings.scale = 10  # type: ignore[attr-defined]
        assert jitted(X)[0] == 10
        del settings.scale
        assert jitted(X)[0] == 2
    assert not gl.explain(jitted).breaks


def test_a_module_that_answers_for_names() -> None:
    settings = made("def __getattr__(name):\n    if name == 'late': return 7\n    raise AttributeError(name + '!')")

    def function(x: Any) -> Any:
        return x + settings.late, hasattr(settings, "never"), getattr(settings, "never", 0)

    check(function, X, expect="compiled", backend="reference")
    settings = made()
    jitted = gl.jit(lambda x: x + getattr(settings, "late", 1))
    with under("reference"):
        assert jitted(X)[0] == 2
        settings.__getattr__ = lambda name: 41  # type: ignore[method-assign]
        assert jitted(X)[0] == 42


def test_names_of_modules_themselves() -> None:
    settings = made()

    def function(x: Any) -> Any:
        return x + 1, hasattr(settings, "__dict__"), settings.__name__, hasattr(settings, "__file__")

    check(function, X, backend="reference")
