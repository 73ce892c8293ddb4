"""Eager autograd: what recording one product costs, and running it backwards, beside NumPy, PyTorch and HIPS autograd.

PyTorch and HIPS autograd run in environments of their own: the Pythons named by GUARDLIFT_BENCH_TORCH and
GUARDLIFT_BENCH_AUTOGRAD, or this one if it has them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from eager_tasks import CHAIN, REPEATS
from timing import Row, alternate, share, text
from turns import Player, peer, play

import guardlift as gl

HERE = Path(__file__).resolve().parent
OF_TORCH, OF_AUTOGRAD, OF_NUMPY = 3.0, 0.2, 1.1
"""What ours may take at most of the other's time: one small product, a chain of them, and a large product."""
LARGE = 1_000_000
PEERS = {"torch": "eager_torch.py", "autograd": "eager_autograd.py"}


def times() -> tuple[dict[str, float], dict[str, dict[str, float]], str]:
    """Seconds of our tasks, those of each peer that is there, and a word on every peer."""
    with ExitStack() as stack:
        players = {"ours": stack.enter_context(Player(sys.executable, HERE / "eager_ours.py", 1))}
        words = []
        for module, script in PEERS.items():
            player, about = peer(stack, module, HERE / script, 1)
            words.append(about)
            if player is not None:
                players[module] = player
        found = dict(zip(players, play(list(players.values())), strict=True))
    return found.pop("ours"), found, "; ".join(words)


def _small(ours: Mapping[str, float], peers: Mapping[str, Mapping[str, float]]) -> Iterator[Row]:
    label = {"forward": "a * b", "backward": "its backward", "both": "a * b and its backward"}
    for task, words in label.items():
        yield Row(f"{words}, 8 float32", text(ours[task] / REPEATS))
        if "torch" in peers:
            aim = OF_TORCH if task != "both" else None
            yield share(f"{words}: ours / torch", ours[task] / REPEATS, peers["torch"][task] / REPEATS, aim)
    for name, found in peers.items():
        aim = OF_AUTOGRAD if name == "autograd" else None
        if aim is not None:
            yield share(f"a * b and its backward: ours / {name}", ours["both"] / REPEATS, found["both"] / REPEATS, aim)
        yield share(f"of {CHAIN} in a chain, each: ours / {name}", ours["chain"] / CHAIN, found["chain"] / CHAIN, aim)


def _large() -> Iterator[Row]:
    """A large product and its backward, beside the same arithmetic in NumPy."""
    np.empty(3_000_000)  # freed at once, so that glibc keeps the pages of smaller blocks
    x, y, g = (np.random.default_rng(seed).standard_normal(LARGE, dtype=np.float32) for seed in range(3))
    a, b = gl.from_numpy(x).requires_grad_(), gl.from_numpy(y).requires_grad_()
    weight, c = gl.from_numpy(g), a * b
    tasks = {
        "forward": lambda: a * b,
        "forward in NumPy": lambda: x * y,
        "backward": lambda: gl.autograd.grad(c, [a, b], weight, retain_graph=True),
        "backward in NumPy": lambda: (g * y, g * x),
    }
    found = alternate(tasks, rounds=31)
    for task, words in (("forward", "a * b"), ("backward", "its backward")):
        yield share(f"{words}, 1M float32: ours / NumPy", found[task], found[f"{task} in NumPy"], OF_NUMPY)


def tables() -> Iterator[tuple[str, list[Row]]]:
    """A title and rows."""
    ours, peers, about = times()
    yield f"Eager autograd, one thread ({about})", [*_small(ours, peers), *_large()]
