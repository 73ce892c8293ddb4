"""The tasks of `eager.py` under HIPS autograd; run by a Python that has it. Needs nothing of guardlift."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from importlib.metadata import version  # noqa: E402

import numpy as np  # noqa: E402
from autograd.builtins import tuple as traced_tuple  # noqa: E402
from autograd.core import make_vjp  # noqa: E402
from eager_tasks import CHAIN, REPEATS  # noqa: E402
from turns import serve  # noqa: E402

A = B = G = np.ones(8, np.float32)


def products(pair):
    """A chain of products; a trace starts anew at each call, so that a long one says what a product alone costs."""
    a, b = pair
    for _ in range(CHAIN):
        a = a * b
    return a


def both() -> None:
    """One product and its backward, with the start of the trace."""
    for _ in range(REPEATS):
        vjp, _ = make_vjp(lambda pair: pair[0] * pair[1], traced_tuple((A, B)))
        vjp(G)


def chain() -> None:
    """The chain and its backward."""
    vjp, _ = make_vjp(products, traced_tuple((A, B)))
    vjp(G)


if __name__ == "__main__":
    serve({"both": both, "chain": chain}, f"HIPS autograd {version('autograd')}")
