"""Threads that call the same jitted functions and change their own objects, for a while; then each thread's program is
run again, alone and plainly, and must give the same.

A thread's program is a seed: which operations come in which order, and all numbers in them. What threads share is what
guardlift makes: entries, code objects, plans, kernels, watchers. What they write is their own.

    python tests/stress/threads.py --threads 8 --seconds 60
"""

from __future__ import annotations

import argparse
import copy
import faulthandler
import random
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import guardlift as gl
from guardlift import nn, optim
from guardlift.nn import functional as F

ROUND = 24
"""Operations in one world; then the thread makes a new one, and the old one dies with what was compiled for it."""
WIDTH = 5


class Model(nn.Module):
    """Two layers, a buffer and a plain attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(WIDTH, 4)
        self.second = nn.Linear(4, 2)
        self.register_buffer("shift", gl.zeros(2, dtype=gl.float64))
        self.scale = 1.5

    def forward(self, x: Any) -> Any:
        hidden = F.relu(self.first(x))
        if self.training:
            hidden = hidden * self.scale
        return self.second(hidden) + self.shift


def train(model: Any, optimizer: Any, x: Any, y: Any) -> Any:
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


def infer(model: Any, x: Any) -> Any:
    with gl.no_grad():
        return model(x).sum(0)


def smooth(a: Any, k: Any) -> Any:
    b = a.copy()
    for _ in range(3):
        b[1:-1] = (a[:-2] + a[2:]) * 0.5 + k
    return b, b.sum()


def sweep(a: Any, n: Any) -> Any:
    total = 0
    for i in range(1, n):
        a[i] += a[i - 1] * 0.25
        if a[i] > 1:
            total += i
    return a, total


def record(box: dict[str, Any], x: Any) -> Any:
    box["calls"] = box.get("calls", 0) + 1
    box["last"] = x * box["factor"]
    return box["last"].max()


FUNCTIONS: tuple[Callable[..., Any], ...] = (train, infer, smooth, sweep, record)
PLAIN = {each.__name__: each for each in FUNCTIONS}


@dataclass
class World:
    """The data that one thread's program works on."""

    rng: random.Random
    run: dict[str, Callable[..., Any]]
    model: Any = None
    optimizer: Any = None
    box: dict[str, Any] = field(default_factory=dict)

    def begin(self) -> None:
        """Make the objects anew."""
        numbers = np.random.default_rng(self.rng.randrange(1 << 30))
        self.model = Model().double()
        with gl.no_grad():
            for each in self.model.parameters():
                each.copy_(gl.tensor(numbers.standard_normal(each.shape)))
        kind = self.rng.choice((optim.SGD, optim.Adam, optim.RMSprop))
        self.optimizer = kind(self.model.parameters(), lr=0.01)
        self.box = {"factor": 2.0}

    def values(self, *shape: int, dtype: Any = np.float64) -> Any:
        return np.random.default_rng(self.rng.randrange(1 << 30)).standard_normal(shape).astype(dtype)


Operation = Callable[[World], Sequence[Any]]
OPERATIONS: list[tuple[int, Operation]] = []


def operation(weight: int) -> Callable[[Operation], Operation]:
    """Registers something that a program does; one of double weight is done twice as often."""

    def register(function: Operation) -> Operation:
        OPERATIONS.append((weight, function))
        return function

    return register


@operation(8)
def steps(world: World) -> Sequence[Any]:
    rows = world.rng.choice((3, 4))
    x, y = gl.tensor(world.values(rows, WIDTH)), gl.tensor(world.values(rows, 2))
    loss = world.run["train"](world.model, world.optimizer, x, y)
    return [loss, *world.model.parameters()]


@operation(4)
def infers(world: World) -> Sequence[Any]:
    return [world.run["infer"](world.model, gl.tensor(world.values(world.rng.choice((2, 3)), WIDTH)))]


@operation(4)
def smooths(world: World) -> Sequence[Any]:
    size, dtype = world.rng.choice((5, 6, 9)), world.rng.choice((np.float64, np.float32))
    return world.run["smooth"](world.values(size, dtype=dtype), world.rng.choice((1, 0.5)))  # type: ignore[no-any-return]


@operation(4)
def sweeps(world: World) -> Sequence[Any]:
    size = world.rng.choice((4, 7))
    return world.run["sweep"](world.values(size) + 1, size)  # type: ignore[no-any-return]


@operation(3)
def records(world: World) -> Sequence[Any]:
    return [world.run["record"](world.box, world.values(4)), world.box["calls"], world.box["last"]]


@operation(2)
def the_rate_changes(world: World) -> Sequence[Any]:
    world.optimizer.param_groups[0]["lr"] = world.rng.choice((0.001, 0.02, 0.005))
    return []


@operation(1)
def the_mode_changes(world: World) -> Sequence[Any]:
    world.model.train(not world.model.training)
    return []


@operation(1)
def a_parameter_is_replaced(world: World) -> Sequence[Any]:
    world.model.second.bias = nn.Parameter(gl.tensor(world.values(2)))
    return []


@operation(1)
def a_parameter_is_frozen(world: World) -> Sequence[Any]:
    weight = world.model.first.weight
    weight.requires_grad_(not weight.requires_grad)
    return []


@operation(1)
def the_state_is_loaded(world: World) -> Sequence[Any]:
    world.optimizer.load_state_dict(copy.deepcopy(world.optimizer.state_dict()))
    return []


@operation(1)
def the_model_is_loaded(world: World) -> Sequence[Any]:
    state = {name: gl.tensor(value.numpy() * 0.5) for name, value in world.model.state_dict().items()}
    world.model.load_state_dict(state)
    return []


@operation(1)
def attributes_change(world: World) -> Sequence[Any]:
    world.model.scale = world.rng.choice((0.5, 1.5))
    world.box["factor"] = world.rng.choice((2.0, 3))
    world.box.pop("last", None)
    return []


def data(value: Any) -> Any:
    """A result as numbers that nothing changes any more."""
    return np.array(value.detach().numpy() if isinstance(value, gl.Tensor) else value)


def play(seed: int, run: dict[str, Callable[..., Any]], goes_on: Callable[[int], bool]) -> list[tuple[str, list[Any]]]:
    """Runs a thread's program, and gives what each operation gave."""
    world = World(random.Random(seed), run)
    weights, operations = zip(*OPERATIONS, strict=True)
    log: list[tuple[str, list[Any]]] = []
    while goes_on(len(log)):
        if len(log) % ROUND == 0:
            world.begin()
        (chosen,) = world.rng.choices(operations, weights)
        log.append((chosen.__name__, [data(each) for each in chosen(world)]))
    return log


def difference(found: list[Any], expected: list[Any]) -> str:
    """The difference between results; empty when there is none."""
    for one, other in zip(found, expected, strict=True):
        if one.dtype != other.dtype or one.shape != other.shape:
            return f"{one.dtype}{list(one.shape)}, plainly {other.dtype}{list(other.shape)}"
        close = 1e-5 if one.dtype == np.float32 else 1e-9
        if not np.allclose(one, other, rtol=close, atol=close):
            return f"{one}, plainly {other}"
    return ""


def main(threads: int, seconds: float, first: int) -> int:
    """Runs it all and prints a summary. Returns the exit status."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    jitted = {each.__name__: gl.jit(each) for each in FUNCTIONS}
    until = time.monotonic() + seconds
    logs: dict[int, list[tuple[str, list[Any]]]] = {}
    errors: list[str] = []

    def body(seed: int) -> None:
        try:
            logs[seed] = play(seed, jitted, lambda _: time.monotonic() < until)
        except BaseException as error:
            errors.append(f"thread {seed}: {type(error).__name__}: {error}")
            raise

    running = [threading.Thread(target=body, args=(first + k,), daemon=True) for k in range(threads)]
    for each in running:
        each.start()
    for each in running:
        each.join(max(until - time.monotonic(), 0) + 120)
        if each.is_alive():
            print("a thread does not come to its end; where each is:", flush=True)
            faulthandler.dump_traceback()
            return 2
    counts: Counter[str] = Counter()
    for seed, log in sorted(logs.items()):
        plain = play(seed, PLAIN, lambda done, log=log: done < len(log))  # type: ignore[misc]
        for number, ((name, found), (_, expected)) in enumerate(zip(log, plain, strict=True)):
            counts[name] += 1
            wrong = difference(found, expected)
            if wrong:
                errors.append(f"seed {seed}, operation {number}, {name}: {wrong}")
                break
    made = {name: gl.explain(function) for name, function in jitted.items()}
    compiled = ", ".join(f"{name} {each.compiles} + {each.relinks}" for name, each in made.items())
    print(f"{threads} threads, {seconds:.0f} s, {sum(counts.values())} operations: {dict(counts.most_common())}")
    print(f"compiles + relinks: {compiled}")
    print("\n".join(errors) if errors else "each thread gave what its program gives alone, in plain Python")
    return 1 if errors else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0, help="of the first thread")
    options = parser.parse_args()
    sys.exit(main(options.threads, options.seconds, options.seed))
