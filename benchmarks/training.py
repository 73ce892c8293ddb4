"""Training: a step on digits-sized batches and Adam over a thousand small tensors, jitted, plain, and under PyTorch.

PyTorch runs in an environment of its own: the Python named by GUARDLIFT_BENCH_TORCH, or this one if it has PyTorch.
Each side runs with the same number of threads, and in the best of the ways it offers.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from timing import Row, share
from turns import Player, peer, play

HERE = Path(__file__).resolve().parent
STEP_OF_EAGER, STEP_OF_COMPILED, ADAM_OF_FUSED = 0.6, 1.0, 0.1
"""What the jitted step, and the jitted Adam, may take at most of the other's time."""


def times(threads: int) -> tuple[dict[str, float], dict[str, float], str]:
    """Seconds of our tasks and of PyTorch's, and who PyTorch is or why its times are missing."""
    with ExitStack() as stack:
        players = [stack.enter_context(Player(sys.executable, HERE / "training_ours.py", threads))]
        player, about = peer(stack, "torch", HERE / "training_torch.py", threads)
        found = play([*players, player] if player is not None else players)
    return found[0], best_ways(found[1]) if len(found) > 1 else {}, about


def best_ways(found: dict[str, float]) -> dict[str, float]:
    """Each kind of task, the name up to the colon, with the time of its fastest way."""
    best: dict[str, float] = {}
    for name, seconds in found.items():
        kind = name.partition(":")[0]
        best[kind] = min(seconds, best.get(kind, seconds))
    return best


def step_rows(ours: dict[str, float], torch: dict[str, float]) -> Iterator[Row]:
    """The step, jitted beside plain and beside PyTorch; the tiny one is all overhead."""
    for step, label, wanted in (
        ("step", "step 64-256-256-10, batch 128", (STEP_OF_EAGER, STEP_OF_COMPILED)),
        ("tiny step", "step 2-2-2-2, batch 2", (None, None)),
    ):
        jitted, eager = ours[f"{step}, jitted"], ours[f"{step}, eager"]
        yield share(f"{label}: jitted / eager", jitted, eager, wanted[0])
        if torch:
            yield share(f"{label}: jitted / torch.compile", jitted, torch[f"{step}, compiled"], wanted[1])
            yield share(f"{label}: jitted / torch eager", jitted, torch[f"{step}, eager"])
            yield share(f"{label}: eager / torch eager", eager, torch[f"{step}, eager"])


def adam_rows(ours: dict[str, float], torch: dict[str, float]) -> Iterator[Row]:
    """Adam over a thousand tensors of 32 x 32."""
    yield share("Adam, 1,000 tensors 32 x 32: jitted / eager", ours["adam: jitted"], ours["adam: eager"])
    if torch:
        yield share("Adam, 1,000 tensors 32 x 32: jitted / torch", ours["adam: jitted"], torch["adam"], ADAM_OF_FUSED)


def tables() -> Iterator[tuple[str, list[Row]]]:
    """A title and rows for one thread, then for two where the machine has them."""
    for threads in (1, 2)[: os.cpu_count()]:
        ours, torch, about = times(threads)
        many = "one thread" if threads == 1 else f"{threads} threads"
        yield f"Training, {many} ({about})", [*step_rows(ours, torch), *adam_rows(ours, torch)]
