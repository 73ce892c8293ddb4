"""`gl.warm`, and the command that fills the caches on disk for later processes."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn
from guardlift.frontend import state_of
from guardlift.tools.warm import main, parse_spec

MODULE = """
import sys
import numpy as np
import guardlift as gl
from guardlift import nn

gl.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh())

@gl.jit
def scaled(x, y, scale=1.0):
    return np.tanh(x + y) * scale

@gl.jit
def loss(x):
    return model(x).square().mean()

@gl.jit
def prints(x):
    y = np.tanh(x)
    print(y)
    return np.exp(y) + 1

def plain(x):
    return np.sqrt(x) + 1

def two():
    return [(np.ones((2, 3)),), (np.ones(4),)]

def none():
    return 3
"""
RUN = """
import json, numpy as np, guardlift as gl, told
from guardlift.backend.cpu.compiler.kernels import statistics
told.scaled(np.ones((4, 3), np.float32), np.ones(3, np.float32), scale=2.0)
told.loss(gl.ones(5, 3)).backward()
print(json.dumps([statistics.compiled, statistics.loaded > 0, gl.artifact_counters()["entry"].hit]))
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "told.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop("told", None)
    return tmp_path


@pytest.mark.slow
def test_a_later_process_finds_what_the_command_compiled(tmp_path: Path) -> None:
    (tmp_path / "told.py").write_text(MODULE)
    environment = {**os.environ, "GUARDLIFT_CACHE_DIR": str(tmp_path / "cache"), "GUARDLIFT_ENTRY_CACHE": "1"}
    run = functools.partial(
        subprocess.run, cwd=tmp_path, env=environment, text=True, capture_output=True, check=True, timeout=300
    )
    warm = [sys.executable, "-m", "guardlift.warm"]
    said = run([*warm, "told:scaled", "float32[4,3]", "float32[3]", "scale=2.0"]).stdout
    assert said.startswith("told:scaled: ") and " kernels compiled, 0 found in " in said
    run([*warm, "told:loss", "gl.float32[5,3]"])
    assert json.loads(run([sys.executable, "-c", RUN]).stdout) == [0, True, 1]  # an entry with a history is traced


def test_methods_partial_applications_and_modules_are_compiled_for_their_own_call() -> None:
    class Scaler:
        factor = 2.0

        @gl.jit
        def scale(self, x: np.ndarray, by: float) -> Any:
            return x * self.factor * by

    scaler, x = Scaler(), np.ones(3)
    assert gl.warm(functools.partial(scaler.scale, by=0.5), gl.ShapeDtypeStruct(3, float))
    assert scaler.scale(x, 0.5).tolist() == [1.0] * 3
    assert [event.kind for event in state_of(Scaler.scale).history] == ["compile"]
    model = nn.Linear(3, 2)
    assert gl.warm(model, gl.ShapeDtypeStruct((4, 3), gl.float32))
    assert gl.warm(gl.jit(model), gl.ShapeDtypeStruct((4, 3), gl.float32))
    model.compile()
    assert gl.warm(model, gl.ShapeDtypeStruct((4, 3), gl.float32))
    forward = state_of(model.forward.__func__)
    assert [event.kind for event in forward.history] == ["compile"]
    model(gl.ones(4, 3))
    assert [event.kind for event in forward.history] == ["compile"]


def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(gl.NotAFunctionError, match="gl.warm takes a function, not a value of type int"):
        gl.warm(3, np.ones(3))
    with pytest.raises(gl.NotAFunctionError, match="the type Linear"):
        gl.warm(nn.Linear, 3, 4)


def test_specs_are_arrays_tensors_or_literals() -> None:
    assert parse_spec("float32[64, 3]") == gl.ShapeDtypeStruct((64, 3), np.dtype("float32"))
    assert parse_spec("bool[]") == gl.ShapeDtypeStruct((), np.dtype(bool))
    assert parse_spec("gl.bool[2]") == gl.ShapeDtypeStruct((2,), gl.bool)
    assert parse_spec("gl.bfloat16[2]").dtype is gl.bfloat16
    assert [parse_spec(text) for text in ("0.5", "None", "'a=b'", "(1, 2)")] == [0.5, None, "a=b", (1, 2)]
    for text, said in (
        ("flot32[3]", "no dtype of NumPy's"),
        ("gl.flot32[3]", "gl.flot32, in .* is no dtype"),
        ("float32", "neither an array"),
        ("gl.sin[3]", "is no dtype"),
    ):
        with pytest.raises(gl.SpecError, match=said):
            parse_spec(text)
    with pytest.raises(gl.SpecError, match="not a tuple of sizes"):
        gl.ShapeDtypeStruct((3, -1), float)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["told:plain", "--args", "told:two"], 0, ""),
        (["told:prints", "float64[3]"], 1, "compiled ahead up to a graph break"),
        (["told:plain", "--args", "told:none"], 2, "told:none returned int; it has to return a tuple"),
        (["told:plain", "float64[3]", "--args", "told:two"], 2, "by specs or by --args, not by both"),
        (["told:plain", "float64[3]", "float64[3]"], 2, "plain(x) takes no such arguments: too many"),
        (["told:plain", "float64[3"], 2, "neither an array"),
        (["told:missing"], 2, "told has no missing"),
        (["untold:plain"], 2, "untold cannot be imported: ModuleNotFoundError"),
        (["told"], 2, "'told' does not name a function as in module:function"),
    ],
)
def test_the_command_says_what_it_could_not_do(
    program: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, said: str
) -> None:
    assert main(arguments) == code
    told = capsys.readouterr()
    assert said in told.err
    assert bool(told.err) == bool(code)


def test_the_module_of_the_command_does_not_hide_the_function() -> None:
    import guardlift.warm

    assert callable(gl.warm) and guardlift.warm is gl.warm
