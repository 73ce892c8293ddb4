"""The tasks of `eager.py` under guardlift."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from eager_tasks import eager_tasks  # noqa: E402
from turns import serve  # noqa: E402

import guardlift as gl  # noqa: E402

if __name__ == "__main__":
    serve(eager_tasks(gl.ones, gl.autograd.grad), f"guardlift {gl.__version__}")
