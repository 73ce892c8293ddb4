"""The functions of `bench.py` in other libraries, each in a process of its own: PyTorch, Triton, CuPy, where installed.

PyTorch runs eagerly, compiled, and compiled with `mode="reduce-overhead"`; kernels of Triton and CuPy are written here.
The sizes are those that had room for `bench.py`, if it ran before. In a rehearsal PyTorch may be one without a GPU.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from card import MOST_OF_FREE, Card, options_of, wanted  # noqa: E402
from report import row, say  # noqa: E402
from tasks import TASKS, Library, Task  # noqa: E402

SECONDS = {"cupy": 15.0, "triton": 15.0, "torch": 70.0}
"""By library, the most that its process may take."""
Timer = Callable[[list[Callable[[], object]]], float]


def main() -> None:
    """Starts a process for each library; in one of these, tells its column of the table."""
    options = options_of(__doc__)
    library = os.environ.pop("GPU_PEER", "")
    if library:
        PEERS[library](options.names, options.tiny, known_sizes(options.folder, options.tiny))
        return
    for name, seconds in SECONDS.items():
        command = [sys.executable, "-P", *sys.argv]
        try:
            done = subprocess.run(command, env=os.environ | {"GPU_PEER": name}, timeout=seconds)
            if done.returncode:
                say(f"{name} ended with status {done.returncode}")
        except subprocess.TimeoutExpired:
            say(f"{name} was ended after {seconds:.0f} s")


def known_sizes(folder: Path, tiny: bool) -> dict[str, tuple[int, ...]]:
    """By task, the sizes that are measured."""
    path, found = folder / "sizes.json", {task.name: task.tiny if tiny else task.full for task in TASKS}
    if path.exists():
        found |= {name: tuple(sizes) for name, sizes in json.loads(path.read_text()).items()}
    return found


def cell(task: str, column: str, milliseconds: float) -> None:
    """One cell of the table."""
    row("times", task=task, **{f"{column} ms": f"{milliseconds:.4g}"})


def refused(task: str, column: str, error: Exception) -> None:
    """The cell of what could not be measured."""
    row("times", task=task, **{f"{column} ms": type(error).__name__})
    traceback.print_exc()


def _timer(tiny: bool, on_card: bool) -> Timer:
    """Milliseconds of a call, by the card's events, or by the clock where there is no card."""
    if on_card:
        card = Card()
        return lambda calls: card.times(calls, 1.0, tiny).median

    def by_clock(calls: list[Callable[[], object]]) -> float:
        start = time.perf_counter()
        for call in calls:
            call()
        return (time.perf_counter() - start) / len(calls) * 1e3

    return by_clock


# -- PyTorch -----------------------------------------------------------------------------------------------------------
def torch_column(words: list[str], tiny: bool, sizes: dict[str, tuple[int, ...]]) -> None:
    """Eager, compiled, and compiled with the driver's graphs."""
    try:
        import torch
    except ImportError:
        say("PyTorch is not installed")
        return
    on_card = torch.cuda.is_available()
    if not on_card and not tiny:
        say("PyTorch finds no GPU")
        return
    device = "cuda" if on_card else "cpu"
    say(f"PyTorch {torch.__version__} on {device}")
    timer = _timer(tiny, on_card)
    ways: dict[str, Callable[[Any], Any]] = {
        "PyTorch": lambda f: f,
        "compiled": torch.compile,
        "reduce-overhead": lambda f: torch.compile(f, mode="reduce-overhead"),
    }
    lib = Library(torch, device, lambda *shape: torch.rand(*shape, device=device) - 0.5)
    for column, compiled in ways.items():  # what is quick to have comes first
        lib = replace(lib, adam={"capturable": on_card, "fused": on_card and column == "PyTorch"})
        for task in TASKS:
            if wanted(task.name, words):
                _torch_cell(task, column, compiled, lib, sizes[task.name], timer, on_card)


def _torch_cell(
    task: Task, column: str, compiled: Any, lib: Library, sizes: tuple[int, ...], timer: Timer, on_card: bool
) -> None:
    torch = lib.torch
    try:
        room = int(torch.cuda.mem_get_info()[0] * MOST_OF_FREE) if on_card else 1 << 26
        torch.manual_seed(0)
        function, arguments = task.make(lib, sizes, task.calls(room, sizes))
        called = compiled(function)
        for _ in range(3):
            called(*arguments[0])
        cell(task.name, column, timer([lambda each=each: called(*each) for each in arguments]))
    except Exception as error:
        refused(task.name, column, error)
    finally:
        function = arguments = called = None
        torch._dynamo.reset()
        if on_card:
            torch.cuda.empty_cache()


# -- CuPy --------------------------------------------------------------------------------------------------------------
def cupy_column(words: list[str], tiny: bool, sizes: dict[str, tuple[int, ...]]) -> None:
    """What CuPy has a function for; the chain is one kernel of its own."""
    try:
        import cupy

        cupy.zeros(1)
    except Exception as error:  # what a CuPy raises that finds no GPU, or not its libraries, is its own
        say(f"no CuPy: {type(error).__name__}")
        return
    text = "float y = x * 1.5f + 0.5f; y = tanhf(y * y - x) * 0.5f; z = fabsf(fmaxf(y, -0.25f) + x) * 2.0f"
    chain = cupy.ElementwiseKernel("float32 x", "float32 z", text, "guardlift_peer_chain")
    functions: dict[str, Callable[..., Any]] = {
        "chain of ten operations": chain,
        "sum of all": lambda x: x.sum(),
        "column sum": lambda x: x.sum(0),
        "transposition": lambda x: cupy.ascontiguousarray(x.T),
        "cumsum along rows": lambda x: cupy.cumsum(x, 1),
        "cumsum down columns": lambda x: cupy.cumsum(x, 0),
        "product": lambda x, y: x @ y,
        "batch of products": lambda x, y: x @ y,
    }
    lib = Library(cupy, "cuda", lambda *shape: cupy.random.rand(*shape, dtype=cupy.float32) - cupy.float32(0.5))
    _functions("CuPy", functions, lib, words, tiny, sizes, cupy.get_default_memory_pool().free_all_blocks)


def _functions(
    column: str,
    functions: dict[str, Callable[..., Any]],
    lib: Library,
    words: list[str],
    tiny: bool,
    sizes: dict[str, tuple[int, ...]],
    emptied: Callable[[], object],
) -> None:
    """A cell for each function, over the arguments of its task."""
    card = Card()
    for task in TASKS:
        if task.name not in functions or not wanted(task.name, words):
            continue
        function = functions[task.name]
        try:
            room = int(card.memory()[0] * MOST_OF_FREE)
            _, arguments = task.make(lib, sizes[task.name], task.calls(room, sizes[task.name]))
            times = card.times([lambda each=each, function=function: function(*each) for each in arguments], 1.0, tiny)
            cell(task.name, column, times.median)
        except Exception as error:
            refused(task.name, column, error)
        arguments = []
        emptied()


# -- Triton ------------------------------------------------------------------------------------------------------------
def triton_column(words: list[str], tiny: bool, sizes: dict[str, tuple[int, ...]]) -> None:
    """Kernels as Triton's tutorials write them: the chain, and softmax with a row in each program."""
    try:
        import torch
        import triton
        import triton_kernels
    except ImportError as error:
        say(f"no Triton: {error}")
        return
    if not torch.cuda.is_available():
        say("Triton finds no GPU")
        return

    def chain(x: Any) -> Any:
        result = torch.empty_like(x)
        triton_kernels.chain[(triton.cdiv(x.numel(), 1024),)](x, result, x.numel(), BLOCK=1024)
        return result

    def softmax(x: Any) -> Any:
        result, columns = torch.empty_like(x), x.shape[1]
        block = 1 << math.ceil(math.log2(columns))
        triton_kernels.softmax[(x.shape[0],)](x, result, columns, BLOCK=block)
        return result

    lib = Library(torch, "cuda", lambda *shape: torch.rand(*shape, device="cuda") - 0.5)
    functions: dict[str, Callable[..., Any]] = {"chain of ten operations": chain, "softmax": softmax}
    _functions("Triton", functions, lib, words, tiny, sizes, torch.cuda.empty_cache)


PEERS = {"torch": torch_column, "cupy": cupy_column, "triton": triton_column}

if __name__ == "__main__":
    main()
