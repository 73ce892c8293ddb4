"""Import statements inside a traced function."""

from __future__ import annotations

import importlib
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from frontend.language import X, compiled, plain
from oracle import under

import guardlift as gl


def package_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> Any:
    """A function of a module two packages deep, whose body is this."""
    inner = tmp_path / "outer_package" / "inner"
    inner.mkdir(parents=True)
    (inner.parent / "__init__.py").write_text("FACTOR = 2.0\n")
    (inner / "__init__.py").write_text("")
    (inner / "numbers_of_mine.py").write_text("OFFSET = 3.0\n")
    (inner / "work.py").write_text(
        "from . import numbers_of_mine\n\ndef function(x):\n" + textwrap.indent(body, "    ")
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [each for each in sys.modules if each.startswith("outer_package")]:
        monkeypatch.delitem(sys.modules, name)
    return importlib.import_module("outer_package.inner.work").function


def test_relative_imports_inside_the_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = """
from . import numbers_of_mine as found
from .numbers_of_mine import OFFSET
from .. import FACTOR
from ..inner import numbers_of_mine
return x * FACTOR + OFFSET, found.OFFSET + numbers_of_mine.OFFSET
"""
    function = package_with(tmp_path, monkeypatch, body)
    compiled(function, X)
    with under("reference"):
        jitted = gl.jit(fullgraph=True)(function)
        assert jitted(X)[1] == 6.0
        sys.modules["outer_package.inner.numbers_of_mine"].OFFSET = 5.0  # type: ignore[attr-defined]
        assert jitted(X)[1] == 10.0 and jitted(X)[0].tolist() == (X * 2.0 + 5.0).tolist()


def test_a_relative_import_of_what_is_not_loaded_breaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    function = package_with(tmp_path, monkeypatch, "from .missing import found\nreturn x + found\n")
    plain(function, X, code="B301")


def test_a_relative_import_above_the_packages_raises_as_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    function = package_with(tmp_path, monkeypatch, "from .... import found\nreturn x + found\n")
    plain(function, X, code="B304")
