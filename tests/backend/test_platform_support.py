"""Platforms that native code does not know: nothing fails, nothing is compiled, and that is told once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from backend.simulated_platform import PLATFORMS

from guardlift.backend.cpu.plan import cpython_api
from guardlift.backend.platform_support import REQUIREMENTS, why_unsupported
from guardlift.core.errors import KernelError
from guardlift.frontend.bytecode.versions import DIALECTS

FOUND = {
    "Linux on ARM": "an x86-64 processor; found aarch64.",
    "macOS": "Linux and an x86-64 processor; found macOS and arm64.",
    "Windows": "Linux; found Windows.",
    "free-threaded": "a build with the global interpreter lock; found a free-threaded build.",
    "debug": "a release build; found a debug build.",
    "32 bits": "64-bit words, low byte first; found 32-bit words.",
    "big-endian": "64-bit words, low byte first; found words with the high byte first.",
    "PyPy": "CPython; found pypy.",
}
PROGRAM = """
import json
import sys
import warnings

import numpy as np

import guardlift as gl

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")

    @gl.jit
    def f(x):
        return x * 2 + 1

    @gl.jit(fullgraph=True)
    def g(x):
        return x - 1

    model = gl.nn.Linear(3, 2)
    optimizer = gl.optim.Adam(model.parameters())
    step = gl.jit(optimizer.step)
    before = model.weight.detach().clone()
    with gl.autograd.compiled_autograd():
        model(gl.ones(4, 3)).sum().backward()
    step()
    assert not gl.equal(model.weight, before)
    assert f(np.arange(3.0)).tolist() == [1.0, 3.0, 5.0] and g(np.arange(3.0)).tolist() == [-1.0, 0.0, 1.0]
    found = {
        "told": [[each.category.__name__, str(each.message), each.lineno] for each in told],
        "explained": str(gl.explain(f)),
        "backward": gl.autograd.compiled_autograd.statistics().eager,
        "tracer": "guardlift.frontend.opcodes" in sys.modules,
        "native": "guardlift.backend.cpu.compiler.compiler" in sys.modules,
    }
    gl.compiled_memory()
    gl.reset()
print(json.dumps(found))
"""
FIRST_JIT = 1 + PROGRAM.splitlines().index("    @gl.jit")


def run(platform: str, program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    script = Path(__file__).with_name("simulated_platform.py")
    command = [sys.executable, "-P", str(script), platform, program]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)


def report(platform: str, **environment: str) -> dict[str, Any]:
    done = run(platform, PROGRAM, **environment)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_requirement_is_broken_by_a_platform() -> None:
    assert FOUND.keys() == PLATFORMS.keys() - {"this", "CPython 3.99"}
    for needed, _ in REQUIREMENTS:
        assert any(needed in text for text in FOUND.values())


def test_this_platform_compiles() -> None:
    found = report("this")
    assert why_unsupported() == ""
    assert found["told"] == [] and found["tracer"] and found["native"] and not found["backward"]


@pytest.mark.parametrize("platform", FOUND)
@pytest.mark.slow
def test_nothing_is_compiled_elsewhere_and_that_is_told_once(platform: str) -> None:
    found = report(platform)
    [(category, message, line)] = found["told"]
    why = f"compiled code needs {FOUND[platform]}"
    assert category == "UnsupportedPlatformWarning" and line == FIRST_JIT
    assert message.startswith(f"guardlift compiles nothing here: {why} Jitted functions run as plain Python")
    assert "GUARDLIFT_DISABLE=1" in message
    assert f"left alone, runs as plain Python: {why[:-1]}" in found["explained"]
    assert found["backward"] == {why[:-1]: 1}
    assert not found["tracer"] and not found["native"]


@pytest.mark.slow
def test_who_switched_guardlift_off_is_told_nothing() -> None:
    found = report("macOS", GUARDLIFT_DISABLE="1")
    assert found["told"] == [] and not found["tracer"] and not found["native"]
    assert found["backward"] == {"gl.config.disable": 1}


def test_an_unknown_version_is_refused_at_import() -> None:
    done = run("CPython 3.99", "import guardlift")
    newest = max(DIALECTS)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "guardlift.core.errors.UnsupportedPythonError: guardlift reads bytecode, and knows that of CPython 3.11 to "
        f"3.{newest}; this is 3.99.0. Run one of those, or set GUARDLIFT_DISABLE=1: then guardlift can be imported, "
        "and jitted functions run as plain Python."
    )
    assert "Error: " not in done.stderr.replace("UnsupportedPythonError: ", "")


@pytest.mark.slow
def test_an_unknown_version_imports_where_guardlift_is_switched_off() -> None:
    found = report("CPython 3.99", GUARDLIFT_DISABLE="1")
    assert found["told"] == [] and not found["tracer"] and not found["native"]


def test_a_plan_is_refused_where_no_platform_was_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpython_api, "why_unsupported", lambda: "compiled code needs Linux; found Plan 9")
    with pytest.raises(KernelError, match="needs Linux; found Plan 9"):
        cpython_api.check_layouts.__wrapped__()
