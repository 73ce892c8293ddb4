"""The same functions under other compilers, each in its own environment: `python -P benchmarks/peers.py` there.

Needs NumPy; measures whichever of Numba, JAX and PyTorch can be imported, at its best settings for one thread, and
NumPy itself as the reference. Run `benchmarks/run.py` in the same minute on the same machine to set the two tables side
by side.
"""

from __future__ import annotations

import os

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import sys  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

import numpy as np  # noqa: E402
from timing import Row, alternate, print_table, text  # noqa: E402


def chain(xp, x):
    """Ten operations, one of them transcendental."""
    y = x * 1.5 + 0.5
    y = y * y - x
    y = xp.tanh(y) * 0.5
    y = xp.maximum(y, y * 0 - 0.25) + x
    return xp.abs(y) * 2.0


def numba_tasks(small, large):
    """Numba's njit on the same text, with fastmath off as NumPy's meanings ask for."""
    import numba

    @numba.njit
    def chain_njit(x):
        y = x * np.float32(1.5) + np.float32(0.5)
        y = y * y - x
        y = np.tanh(y) * np.float32(0.5)
        y = np.maximum(y, np.float32(-0.25)) + x
        return np.abs(y) * np.float32(2.0)

    @numba.njit
    def scaled(x):
        return x * 2.0

    return {"call": lambda: scaled(small), "chain": lambda: chain_njit(large)}


def jax_tasks(small, large):
    """JAX's jit; the call waits for the result."""
    import jax
    import jax.numpy as jnp

    compiled, scaled = jax.jit(lambda x: chain(jnp, x)), jax.jit(lambda x: x * 2.0)
    device_small, device_large = jnp.asarray(small), jnp.asarray(large)
    return {
        "call": lambda: scaled(device_small).block_until_ready(),
        "chain": lambda: compiled(device_large).block_until_ready(),
    }


def torch_tasks(small, large):
    """torch.compile in its default mode, one thread."""
    import torch

    torch.set_num_threads(1)
    compiled, scaled = torch.compile(lambda x: chain(torch, x)), torch.compile(lambda x: x * 2.0)
    tensor_small, tensor_large = torch.from_numpy(small), torch.from_numpy(large)
    return {"call": lambda: scaled(tensor_small), "chain": lambda: compiled(tensor_large)}


def main() -> None:
    """Prints one table per peer that is installed."""
    small, large = np.linspace(-1, 1, 8), np.random.default_rng(0).standard_normal(10_000_000).astype(np.float32)
    numpy_tasks = {"call": lambda: small * 2.0, "chain": lambda: chain(np, large)}
    for name, make in (("numba", numba_tasks), ("jax", jax_tasks), ("torch", torch_tasks)):
        try:
            tasks = make(small, large)
        except ImportError as error:
            print(f"{name}: not installed here ({error})")
            continue
        rows = []
        for task, label in (("call", "x * 2.0, 8 float64"), ("chain", "10 operations with tanh, 10M float32")):
            tasks[task]()
            times = alternate({"peer": tasks[task], "numpy": numpy_tasks[task]}, rounds=7, seconds=0.1)
            ratio = times["numpy"] / times["peer"]
            rows.append(Row(label, f"{ratio:.2f}x NumPy's speed", f"{text(times['peer'])} / {text(times['numpy'])}"))
        print_table(name, rows)


if __name__ == "__main__":
    main()
