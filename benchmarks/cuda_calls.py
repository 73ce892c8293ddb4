"""The cost of calls on a GPU to the host: launches, copies, waits and microseconds, with kernels that do nothing.

`make bench-cuda` runs it on the tests' stand-in for the driver, which needs no GPU; so a launch costs what the stand-in
takes for it (0.1 microseconds), and not what a driver does. The least of many short rounds is printed: on a busy
machine the others measure the neighbours.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable

import guardlift as gl
from guardlift import nn

ROUNDS, CALLS = 300, 20
COUNTED = {
    "launches": ("cuLaunchKernel", "cuGraphLaunch"),
    "copies": ("cuMemcpyHtoD_v2", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoH_v2", "cuMemcpyDtoHAsync_v2"),
    "waits": ("cuCtxSynchronize", "cuStreamSynchronize", "cuEventSynchronize", "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2"),
    "blocks": ("cuMemAllocFromPoolAsync",),
}
"""Calls of the driver by what they are; of copies, those that wait are listed twice."""


def pointwise() -> Callable[[], object]:
    """x + 1."""
    f, x = gl.jit(lambda x: x + 1), gl.ones(64, device="cuda")
    return lambda: f(x)


def scaled() -> Callable[[], object]:
    """A product with a number that is another one at each call."""
    f, x = gl.jit(lambda x, k: x * k), gl.ones(64, device="cuda")
    state = [0.0]

    def call() -> object:
        state[0] += 1.0
        return f(x, state[0])

    return call


def embedding() -> Callable[[], object]:
    """Rows of a table, whose index is checked."""
    table, index = gl.ones(100, 16, device="cuda"), gl.tensor([1, 5, 7]).to("cuda")
    f = gl.jit(lambda index: nn.functional.embedding(index, table) * 2)
    return lambda: f(index)


def embedding_checked_late() -> Callable[[], object]:
    """The same, without waiting for the check; nor do calls after it."""
    gl.config.cuda_checks = "late"
    return embedding()


def eager_sum() -> Callable[[], object]:
    """x + y, not jitted."""
    x, y = gl.ones(64, device="cuda"), gl.ones(64, device="cuda")
    return lambda: x + y


def eager_scaled() -> Callable[[], object]:
    """A product with a number that is another one at each call, not jitted."""
    x, state = gl.ones(64, device="cuda"), [0.0]

    def call() -> object:
        state[0] += 1.0
        return x * state[0]

    return call


def eager_in_place() -> Callable[[], object]:
    """x += y, not jitted."""
    x, y = gl.ones(64, device="cuda"), gl.ones(64, device="cuda")
    return lambda: x.add_(y)


def perceptron(jitted: bool = True) -> Callable[[], object]:
    """A training step of three layers with Adam."""
    model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10)).to("cuda")
    optimizer = gl.optim.Adam(model.parameters())
    x, y = gl.ones(32, 64, device="cuda"), gl.ones(32, 10, device="cuda")

    def step(x: gl.Tensor, y: gl.Tensor) -> gl.Tensor:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    run = gl.jit(fullgraph=True)(step) if jitted else step
    return lambda: run(x, y)


def adam(count: int) -> Callable[[], object]:
    """A step of Adam over so many parameters."""
    parameters = [nn.Parameter(gl.ones(16, 16).to("cuda")) for _ in range(count)]
    for each in parameters:
        each.grad = gl.ones(16, 16, device="cuda")
    optimizer = gl.optim.Adam(parameters)
    return gl.jit(lambda: optimizer.step())  # type: ignore[no-any-return]


TASKS: dict[str, Callable[[], Callable[[], object]]] = {
    "x + 1": pointwise,
    "x * k, k a new float": scaled,
    "embedding, checked": embedding,
    "embedding, checked late": embedding_checked_late,
    "perceptron, Adam": perceptron,
    "eager x + y": eager_sum,
    "eager x * k, k new": eager_scaled,
    "eager x += y": eager_in_place,
    "eager perceptron, Adam": lambda: perceptron(jitted=False),
    "Adam over 20": lambda: adam(20),
    "Adam over 200": lambda: adam(200),
}


def microseconds(call: Callable[[], object]) -> float:
    """The least of the rounds, for one call."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(CALLS):
            call()
        best = min(best, time.perf_counter() - start)
    return best / CALLS * 1e6


def main() -> int:
    """Prints the table; the exit status."""
    try:
        library = ctypes.CDLL("libcuda.so.1")
        library.stand_in_count.restype = ctypes.c_uint64
    except (OSError, AttributeError):
        print("this runs on the stand-in for the driver alone: make bench-cuda", file=sys.stderr)
        return 1
    for name, value in ((b"empty", b"1"), (b"seed", b"0"), (b"late", b"0"), (b"race", b"0")):
        library.stand_in_set(name, value)
    gl.manual_seed(0)
    print(f"{'call':24}" + "".join(f"{each:>10}" for each in COUNTED) + f"{'host us':>10}")
    for title, task in TASKS.items():
        call = task()
        for _ in range(3):
            call()
        names = {name for names in COUNTED.values() for name in names}
        before = {name: library.stand_in_count(name.encode()) for name in names}
        for _ in range(10):
            call()
        found = {name: (library.stand_in_count(name.encode()) - before[name]) / 10 for name in names}
        numbers = [sum(found[name] for name in names) for names in COUNTED.values()]
        print(f"{title:24}" + "".join(f"{each:10.3g}" for each in numbers) + f"{microseconds(call):10.1f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
