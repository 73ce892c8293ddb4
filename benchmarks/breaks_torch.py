"""The tasks of `breaks.py` under PyTorch; run by a Python that has it. Needs nothing of guardlift."""

from __future__ import annotations

import functools
import logging
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

import torch  # noqa: E402
from breaks_steps import same, tasks  # noqa: E402
from turns import serve  # noqa: E402

if __name__ == "__main__":
    logging.disable(logging.WARNING)  # each break is told there
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    torch._dynamo.config.cache_size_limit = 64
    torch.empty(6_000_000)  # freed at once, so that glibc keeps the pages of smaller blocks
    fixed_sizes = functools.partial(torch.compile, dynamic=False)
    ways = {
        "eager": (same, same),
        "compiled: the step": (torch.compile, same),
        "compiled: the step, sizes fixed": (fixed_sizes, same),
        "compiled: the model": (same, torch.compile),
    }
    serve(tasks(torch, ways), f"PyTorch {torch.__version__}")
