"""Functions of other libraries that are written against the standard: one graph each, with NumPy's answers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracle import check

import guardlift as gl

PROGRAM = Path(__file__).with_name("other_libraries.py")


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "least"), [("tensors", 24), ("arrays", 18)])
def test_functions_of_scikit_learn_and_scipy_become_one_graph(kind: str, least: int) -> None:
    pytest.importorskip("sklearn", reason="scikit-learn, of the extra `demo`, is not installed")
    done = subprocess.run([sys.executable, str(PROGRAM), kind], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(found) >= least
    wrong = {name: each for name, each in found.items() if each != {"eager": True, "jitted": True, "breaks": []}}
    assert not wrong


def test_a_function_written_against_the_namespace_of_its_argument_is_one_graph() -> None:
    compat = pytest.importorskip("array_api_compat", reason="array_api_compat is not installed")
    import array_api_compat.numpy  # noqa: F401  (an import of what is not loaded yet ends a trace)

    def standardized(x: Any, weights: Any) -> Any:
        xp = compat.array_namespace(x, weights)
        centred = x - xp.sum(x * weights, axis=0) / xp.sum(weights, axis=0)
        scale = xp.sqrt(xp.mean(centred**2, axis=0))
        scale = xp.where(scale == 0, xp.asarray(1.0, dtype=x.dtype), scale)
        return centred / scale, xp.max(centred, axis=0), compat.size(x), compat.device(x) == compat.device(weights)

    x = np.arange(12.0).reshape(4, 3) ** 1.5
    weights = np.array([[1.0], [2.0], [0.5], [1.0]])
    check(standardized, x, weights, expect="compiled", backend="reference", rtol=1e-12)
    wanted = standardized(x, weights)
    jitted = gl.jit(standardized)
    for _ in range(2):
        got = jitted(gl.tensor(x), gl.tensor(weights))
        assert np.allclose(got[0].numpy(), wanted[0]) and np.allclose(got[1].numpy(), wanted[1])
        assert got[2:] == (12, True)
    assert not gl.explain(jitted).breaks
