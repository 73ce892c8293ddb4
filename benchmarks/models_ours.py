"""A program of `models_programs.py` under guardlift: `python -P benchmarks/models_ours.py NAME`."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

import warnings  # noqa: E402

import numpy as np  # noqa: E402
from models_programs import same  # noqa: E402
from models_serving import serve_ways  # noqa: E402

import guardlift as gl  # noqa: E402


def facts(step):
    """The compiles and the graph breaks of a step."""
    report = gl.explain(step)
    return {"compiles": report.compiles, "breaks": len(report.breaks)}


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # graph breaks
    np.empty(3_000_000)  # freed at once, so that glibc keeps the pages of smaller blocks
    serve_ways(gl, sys.argv[1], {"eager": (same, same), "compiled: the step": (gl.jit, same)}, facts)
