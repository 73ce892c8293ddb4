"""Start-up: the import beside NumPy's, kernels that one process compiles and the next one loads, the tracer's pace."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import Row, text

ROOT = Path(__file__).resolve().parent.parent

_DEMO = """
import json, sys, time
sys.path.insert(0, {examples!r})
import numpy as np
import digits_numpy, heat
from guardlift.backend.cpu.compiler.kernels import statistics
from guardlift.frontend import state_of
start = time.perf_counter()
digits = digits_numpy.load(np.float64)
targets = np.eye(10)[digits.train_digit]
w, b = np.zeros((64, 10)), np.zeros(10)
digits_numpy.train_step(w, b, digits.train_x[:128], targets[:128], 0.1)
digits_numpy.train_step(w, b, digits.train_x[:30], targets[:30], 0.1)
field = np.zeros((64, 64))
heat.step(field, field.copy(), 0.2, 0.1)
heat.energy(field, 0.1)
entries = [entry for f in (digits_numpy.train_step, heat.step, heat.energy) for entry in state_of(f).entries]
print(json.dumps({{
    "compiled": statistics.compiled, "loaded": statistics.loaded,
    "compile_seconds": statistics.compile_seconds, "load_seconds": statistics.load_seconds,
    "first_call_seconds": sum(entry.seconds["total"] for entry in entries),
    "trace_seconds": sum(entry.seconds["trace"] for entry in entries),
    "instructions": sum(entry.details["instructions"] for entry in entries),
    "numba": "numba" in sys.modules,
}}))
"""


def import_seconds(module: str, runs: int = 7) -> float:
    """Median wall time of importing a module in a fresh interpreter, the interpreter's own start taken off."""
    code = f"import time; s = time.perf_counter(); import {module}; print(time.perf_counter() - s)"
    times = [
        float(subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(runs)
    ]
    return statistics.median(times)


def demo_process(cache: str) -> dict[str, float]:
    """One process that jits the demo's functions with this kernel cache."""
    code = _DEMO.format(examples=str(ROOT / "examples"))
    # Whole entries from disk are not traced: bench-start times them.
    environment = {**os.environ, "GUARDLIFT_CACHE_DIR": cache, "GUARDLIFT_ENTRY_CACHE": "0"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    return dict(json.loads(done.stdout))


def rows() -> list[Row]:
    """Import, cache and tracer."""
    ours, numpy = import_seconds("guardlift"), import_seconds("numpy")
    with tempfile.TemporaryDirectory() as cache:
        first = demo_process(cache)
        seconds = [demo_process(cache) for _ in range(3)]
    second = min(seconds, key=lambda each: each["load_seconds"])
    ratio = second["load_seconds"] / first["compile_seconds"]
    pace = min(each["trace_seconds"] / each["instructions"] for each in seconds)
    kernels = f"{first['compiled']:.0f} kernels: {text(first['compile_seconds'])}"
    return [
        Row(
            "import guardlift / import numpy",
            f"{ours / numpy:.2f}x",
            f"{text(ours)} / {text(numpy)}",
            "<= 2x",
            ours <= 2 * numpy,
        ),
        Row(
            "demo's kernels: loaded by a second process / compiled by the first",
            f"{ratio:.3f}x",
            f"{text(second['load_seconds'])} for {second['loaded']:.0f} / {kernels}",
            "<= 0.1x",
            ratio <= 0.1 and second["compiled"] == 0,
        ),
        Row("demo: first calls, cold cache", text(first["first_call_seconds"]), "trace, compile, build"),
        Row(
            "demo: first calls, warm cache",
            text(second["first_call_seconds"]),
            f"Numba imported: {'yes' if second['numba'] else 'no'}",
        ),
        Row("tracer, per traced instruction", text(pace), f"{second['instructions']:.0f} instructions"),
    ]
