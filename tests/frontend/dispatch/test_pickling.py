"""Jitted functions in other processes: by name, and by value through cloudpickle."""

from __future__ import annotations

import functools
import importlib
import multiprocessing
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl

cloudpickle = pytest.importorskip("cloudpickle")
TASKS = """
import os
import numpy as np
import guardlift as gl

@gl.jit
def lengths(x, scale):
    return np.sqrt(((x * scale) ** 2).sum(axis=1) + 1.0)

def report(function, *arguments):
    value = function(*arguments)
    return os.getpid(), value, gl.explain(function).compiles

def unpickled_report(written, x):
    import pickle
    return report(pickle.loads(written), x)
"""
X = np.arange(6.0).reshape(2, 3)


@gl.jit
def of_a_module(x: Any) -> Any:
    return x + 1.0


def copied(value: Any) -> Any:
    return pickle.loads(cloudpickle.dumps(value))


def scaled(k: float) -> Callable[..., Any]:
    @gl.jit(dynamic=True, fullgraph=True)
    def inner(x: np.ndarray[Any, Any], shift: float = 1.0, *, power: int = 1) -> Any:
        """Scales."""
        return (x * k) ** power + shift

    return inner


@pytest.mark.parametrize("is_called", [False, True])
def test_a_function_that_no_module_has_travels_as_its_original_and_is_jitted_where_it_arrives(is_called: bool) -> None:
    function = scaled(3.0)
    function.note = "kept"  # type: ignore[attr-defined]
    if is_called:
        function(X)
    written = cloudpickle.dumps(function)
    assert len(written) < 4000 and b"Lease" not in written
    arrived = pickle.loads(written)
    assert arrived is not function and arrived.note == "kept"
    assert (arrived.__name__, arrived.__doc__, arrived.__module__) == ("inner", "Scales.", __name__)
    np.testing.assert_array_equal(arrived(X), function(X))
    np.testing.assert_array_equal(arrived(X, 0.0, power=2), X * X * 9.0)
    arrived.compile(X.astype(np.float32))
    np.testing.assert_array_equal(arrived.__wrapped__(X), function(X))
    assert gl.explain(arrived).compiles >= 1
    with pytest.raises(gl.Unsupported):  # the settings came along
        copied(gl.jit(lambda x: (gl.graph_break(), x + 1.0), fullgraph=True))(X)
    np.testing.assert_array_equal(copied(arrived)(X), function(X))


def test_functions_that_refer_to_themselves_or_write_their_closures_stay_what_they_are() -> None:
    def halved(x: Any, times: int) -> Any:
        return x if times == 0 else again(x * 0.5, times - 1)

    again = gl.jit(halved)
    assert copied(again)(X, 3)[1, 2] == 5.0 / 8

    count = 0

    @gl.jit
    def counted(x: Any) -> Any:
        nonlocal count
        count += 1
        return x * count

    counted(X)
    arrived = copied(counted)
    assert [arrived(X)[0, 1], arrived(X)[0, 1], arrived.__wrapped__(X)[0, 1], arrived(X)[0, 1]] == [2.0, 3.0, 4.0, 5.0]
    assert counted(X)[0, 1] == 2.0  # the other one's variables are its own

    caller = copied(gl.jit(lambda x: counted(x) + 1.0))
    assert [caller(X)[0, 1], caller(X)[0, 1]] == [4.0, 5.0]


def test_methods_modules_partials_and_names_travel_and_what_cannot_is_told() -> None:
    assert copied(of_a_module) is of_a_module
    assert copied(functools.partial(scaled(2.0), power=2))(X)[0, 1] == 5.0
    module = gl.jit(gl.nn.Linear(3, 2))
    x = gl.ones(1, 3)
    assert gl.equal(copied(module)(x), module(x))
    with pytest.raises(pickle.PicklingError, match="backend without a name"):
        copied(gl.jit(lambda x: x, backend=lambda graph, inputs: graph))


def test_cloudpickle_may_be_imported_after_a_function_was_jitted() -> None:
    program = (
        "import numpy as np, guardlift as gl\n"
        "f = gl.jit(lambda x: x + 1.0); f(np.ones(2))\n"
        "import cloudpickle, pickle\n"
        "print(pickle.loads(cloudpickle.dumps(f))(np.ones(2)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[2. 2.]", done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_workers_of_a_pool_run_what_one_process_has_compiled(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUARDLIFT_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("GUARDLIFT_ENTRY_CACHE", "1")
    (tmp_path / "tasks_of_a_pool.py").write_text(TASKS)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "tasks_of_a_pool", raising=False)
    tasks = importlib.import_module("tasks_of_a_pool")
    before = "import tasks_of_a_pool as p, numpy as np; p.lengths(np.ones((2, 3)), 2.0)"
    subprocess.run([sys.executable, "-c", before], check=True, cwd=tmp_path)
    expected = np.sqrt(((X * 2.0) ** 2).sum(axis=1) + 1.0)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        named = [pool.submit(tasks.report, tasks.lengths, X, 2.0) for _ in range(4)]
        valued = [pool.submit(tasks.unpickled_report, cloudpickle.dumps(scaled(2.0)), X) for _ in range(4)]
        for process, value, compiles in (each.result() for each in named):
            assert process != os.getpid()
            np.testing.assert_allclose(value, expected)
            assert method == "fork" or compiles == 0  # a fork has the settings of this process, which look at no disk
        for _, value, _ in (each.result() for each in valued):
            np.testing.assert_array_equal(value, X * 2.0 + 1.0)
