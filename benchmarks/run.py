"""Prints the figures of calls, throughput, products, eager mode, training and start-up. Nothing asserts."""

from __future__ import annotations

import os
import platform
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

import call_cost  # noqa: E402
import eager  # noqa: E402
import numpy as np  # noqa: E402
import products  # noqa: E402
import start_up  # noqa: E402
import throughput  # noqa: E402
import training  # noqa: E402
from timing import print_table  # noqa: E402


def main() -> int:
    """Runs every benchmark; 0 always, since figures of a shared machine are no verdict."""
    print(f"CPython {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}, one thread")
    print_table("Call cost (8 float64, medians)", call_cost.rows())
    print_table("Throughput (medians)", throughput.rows())
    print_table("Matrix products (float32, medians; jitted / NumPy)", products.rows())
    for title, rows in (*eager.tables(), *training.tables()):
        print_table(title, rows)
    print_table("Start-up", start_up.rows())
    return 0


if __name__ == "__main__":
    sys.exit(main())
