"""The tasks of `eager.py` under PyTorch; run by a Python that has it. Needs nothing of guardlift."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

import torch  # noqa: E402
from eager_tasks import eager_tasks  # noqa: E402
from turns import serve  # noqa: E402

if __name__ == "__main__":
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    serve(eager_tasks(torch.ones, torch.autograd.grad), f"PyTorch {torch.__version__}")
