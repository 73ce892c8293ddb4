"""The names and parameters of `gl.xp` against those of the array API standard, which signatures.json holds."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

from array_api.signatures import parameters

import guardlift as gl

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "array_api.md"
STANDARD: dict[str, Any] = json.loads(Path(__file__).with_name("signatures.json").read_text(encoding="utf-8"))


def found(name: str) -> Any:
    value: Any = gl.xp
    for part in name.split("."):
        value = getattr(value, part)
    return value


def test_every_name_is_there_with_its_parameters(record_property: Any) -> None:
    there = []
    for name in STANDARD:
        value = found(name)
        if STANDARD[name] is None or json.loads(json.dumps(parameters(value))) == STANDARD[name]:
            there.append(name)
    of = f"{len(there)} of {len(STANDARD)}"
    record_property("table", f"{of} names of the array API standard are there, functions with its parameters")
    assert [name for name in STANDARD if name not in there] == []
    assert f"{of} names" in GUIDE.read_text(encoding="utf-8")


def test_no_other_name_is_public_and_each_function_says_what_it_gives() -> None:
    extra = set(gl.xp.__all__) - STANDARD.keys()
    assert extra == {"__array_api_version__", "fft", "linalg"}
    for extension in (gl.xp.linalg, gl.xp.fft):
        prefix = extension.__name__.rpartition(".")[2]
        assert {f"{prefix}.{name}" for name in extension.__all__} <= STANDARD.keys()
    for name in STANDARD:
        value = found(name)
        if inspect.isfunction(value):
            assert inspect.getdoc(value), name
            assert value.__name__ == name.rpartition(".")[2]
    assert gl.xp.__array_api_version__ == "2025.12"
