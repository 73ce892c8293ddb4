"""The tasks of `breaks.py` under guardlift."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

import numpy as np  # noqa: E402
from breaks_steps import same, tasks  # noqa: E402
from turns import serve  # noqa: E402

import guardlift as gl  # noqa: E402

if __name__ == "__main__":
    np.empty(3_000_000)  # freed at once, so that glibc keeps the pages of smaller blocks
    serve(tasks(gl, {"eager": (same, same), "compiled": (gl.jit, same)}), f"guardlift {gl.__version__}")
