"""The cost of `import guardlift` and of a first call: neither imports anything that it does not use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

EAGER = ("tensor", "autograd", "nn", "optim", "frontend.tensors")
"""The folders of ours that only programs with tensors import."""
LAZY = ("numba", "llvmlite", "networkx", "jinja2", "rich")


def after_import(expression: str, cwd: Path) -> object:
    """The value of `expression` in a fresh interpreter that has imported guardlift and sys, through JSON."""
    code = (
        "import json, os, sys, threading\nbefore = dict(os.environ)\nimport numpy\nloaded = set(sys.modules)\n"
        f"import guardlift\nprint(json.dumps({expression}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=cwd, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    return json.loads(done.stderr)


def test_import_loads_no_compiler_and_no_printer(tmp_path: Path) -> None:
    assert after_import(f"[name for name in {LAZY!r} if name in sys.modules]", tmp_path) == []


def test_import_leaves_the_environment_and_the_threads_alone(tmp_path: Path) -> None:
    assert after_import("[dict(os.environ) == before, threading.active_count()]", tmp_path) == [True, 1]


PROGRAM = """
import sys
import numpy as np
import guardlift as gl

{function}

found = [f(np.ones(3)).tolist(), f(np.ones(3)).tolist()]
print([found, [name for name in {names} if "guardlift." + name in sys.modules]])
"""


def after_calls(function: str, folder: Path) -> object:
    """Two results of the function `f` of a program in a fresh interpreter, and which of `EAGER` it has imported."""
    path = folder / "program.py"
    path.write_text(PROGRAM.format(function=function, names=EAGER))
    done = subprocess.run([sys.executable, "-P", str(path)], cwd=folder, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.replace("'", '"'))


def test_a_function_over_arrays_imports_nothing_about_tensors(tmp_path: Path) -> None:
    doubled = [[2.0, 2.0, 2.0]] * 2
    assert after_calls("@gl.jit(fullgraph=True)\ndef f(x):\n    return np.add(x, x)", tmp_path) == [doubled, []]


def test_the_first_function_to_use_a_tensor_compiles_as_a_whole(tmp_path: Path) -> None:
    function = "@gl.jit(fullgraph=True)\ndef f(x):\n    return gl.FloatTensor([1.0, 2.0, 3.0]) + gl.full((3,), 2.0)"
    assert after_calls(function, tmp_path) == [[[3.0, 4.0, 5.0]] * 2, list(EAGER)]


STEP = """
import json, sys
import numpy as np
import guardlift as gl

weight = gl.tensor(np.ones((3, 2), np.float32)).requires_grad_()
optimizer = gl.optim.SGD([weight], lr=0.1)

@gl.jit(fullgraph=True)
def step(x):
    loss = (x @ weight).mean()
    loss.backward()
    optimizer.step()
    return loss

loss = step(gl.tensor(np.ones((4, 3), np.float32)))
print(json.dumps([loss.item(), sorted(sys.modules)]))
"""
NEVER_IN_A_STEP = (
    *("amp.grad_scaler", "distributions", "func", "linalg", "special", "nn.functional", "nn.init", "nn.utils"),
    *("nn.modules.linear", "nn.recurrent", "optim.algorithms.adam", "optim.lr_scheduler", "optim.swa_utils"),
    *("backend.cuda", "frontend.tensors.func.batches", "frontend.tensors.optim.closures", "serialization", "utils"),
)
"""Modules that a training step without layers has no use for."""


def test_a_training_step_imports_no_layer_and_no_optimizer_but_its_own(tmp_path: Path) -> None:
    path = tmp_path / "step.py"
    path.write_text(STEP)
    done = subprocess.run([sys.executable, "-P", str(path)], cwd=tmp_path, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    loss, imported = json.loads(done.stdout)
    assert loss == 3.0
    assert [name for name in NEVER_IN_A_STEP if f"guardlift.{name}" in imported] == []


FIRST_CALL = """
import json, sys
import numpy as np
known = set(sys.modules)
import guardlift as gl
gl.jit(lambda x: np.tanh(x) + 1)(np.ones(3))
print(json.dumps(sorted(set(sys.modules) - known)))
"""
MOST_MODULES = 486
"""Modules of ours in a first call that finds its kernels on disk. Fewer is better: lower it with what is left out."""
NEVER = (
    *("guardlift.backend.schedule", "guardlift.backend.lowering", "guardlift.backend.launch"),
    *("numba", "scipy", "rich", "numpy.ma", "fractions", "guardlift.graph.aot.pair", "guardlift.backend.cuda"),
    *(
        "guardlift.runtime.node",
        "guardlift.frontend.control_flow.tensors",
        "guardlift.tools.render",
        "guardlift.tools.show",
    ),
)
"""Modules that such a call has no use for."""


def test_a_first_call_that_finds_its_kernels_imports_no_more_than_it_needs(tmp_path: Path) -> None:
    environment = {**os.environ, "GUARDLIFT_CACHE_DIR": str(tmp_path)}
    for _ in range(2):  # the first process compiles
        command = [sys.executable, "-P", "-c", FIRST_CALL]
        done = subprocess.run(command, cwd=tmp_path, env=environment, text=True, capture_output=True, check=True)
    imported = json.loads(done.stdout)
    assert [name for name in NEVER if name in imported] == []
    ours = [name for name in imported if name.startswith("guardlift")]
    assert len(ours) <= MOST_MODULES, f"{len(ours)} modules of ours"
