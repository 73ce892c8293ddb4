"""Training steps of eight models: eager, jitted, and under PyTorch, eager and compiled, each at its best.

    python -P benchmarks/models.py [--rounds 7] [name ...]

PyTorch runs in an environment of its own: the Python named by GUARDLIFT_BENCH_TORCH, or this one if it has PyTorch; of
its compiled ways (the step, or the model alone) the faster counts. A model runs in processes of its own, which take
turns, with empty caches, on one thread and on two where there are two. A model for which names are missing is told.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from models_programs import MODELS, missing  # noqa: E402
from timing import options_of, print_columns, text  # noqa: E402
from turns import Player, Silent, peer, play  # noqa: E402

import guardlift as gl  # noqa: E402

HERE = Path(__file__).resolve().parent
OF_BEST, OF_EAGER = 0.8, 1.3
"""What a jitted step may take at most of PyTorch's best, and an eager step of PyTorch's eager one."""
HEADS = ("model", "eager", "jitted", "torch eager", "torch.compile", "eager/eager", "jitted/best", "")
FIRST_HEADS = ("model", "first call", "compiles", "breaks", "first call of torch.compile", "graphs", "breaks of it")


def measure(name: str, threads: int, rounds: int) -> tuple[list[dict[str, Any]], list[dict[str, float]]]:
    """For guardlift, and PyTorch if it is found: what its ways cost first, and the seconds of a step in each."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ |= {"GUARDLIFT_CACHE_DIR": f"{folder}/ours", "TORCHINDUCTOR_CACHE_DIR": f"{folder}/torch"}
        players = [stack.enter_context(Player(sys.executable, HERE / "models_ours.py", threads, name))]
        player, _ = peer(stack, "torch", HERE / "models_torch.py", threads, name)
        players += [] if player is None else [player]
        return [json.loads(each.about)["ways"] for each in players], play(players, rounds)


def best(times: dict[str, float], way: str) -> float | None:
    """The time of the fastest of the ways that are of this kind."""
    return min((seconds for task, seconds in times.items() if task.startswith(way)), default=None)


def row_of(name: str, times: list[dict[str, float]]) -> tuple[str, ...]:
    """The cells of a model: times, and shares of PyTorch's."""
    found = [best(each, way) for each in times for way in ("eager", "compiled")]
    eager, jitted, their_eager, their_compiled = (*found, None, None)[:4]
    theirs = [each for each in (their_eager, their_compiled) if each is not None]
    of_eager = None if eager is None or their_eager is None else eager / their_eager
    of_best = None if jitted is None or not theirs else jitted / min(theirs)
    met = "" if of_best is None or of_eager is None else _verdict(of_best <= OF_BEST and of_eager <= OF_EAGER)
    cells = ["-" if each is None else text(each) for each in (eager, jitted, their_eager, their_compiled)]
    return (name, *cells, *("-" if each is None else f"{each:.2f}x" for each in (of_eager, of_best)), met)


def _verdict(met: bool) -> str:
    return "met" if met else "NOT MET"


def first_row(name: str, ways: list[dict[str, Any]]) -> tuple[str, ...]:
    """The cells of a model: first calls, compiles and breaks."""
    cells = [name]
    for each in (*ways, {})[:2]:
        found = each.get("compiled: the step", {"failed": "-"})
        if "failed" in found:
            cells += [found["failed"][:60], "", ""]
        else:
            cells += [text(found["first"]), str(found["compiles"]), str(found["breaks"])]
    return tuple(cells)


def main() -> int:
    """Measures the models named, or all; 0 always, since figures of a shared machine are no verdict."""
    options = options_of(__doc__, MODELS)
    for threads in (1, 2)[: os.cpu_count()]:
        rows, firsts, notes = [HEADS], [FIRST_HEADS], []
        for name in options.names or MODELS:
            absent = missing(gl, MODELS[name])
            if absent:
                notes.append(f"{name}: missing here: {', '.join(absent)}")
                continue
            try:
                ways, times = measure(name, threads, options.rounds)
            except Silent as error:
                notes.append(f"{name}: {str(error).splitlines()[-1]}")
                continue
            rows.append(row_of(name, times))
            firsts.append(first_row(name, ways))
            print(f"\r{len(rows) - 1} {name:<30}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        many = "one thread" if threads == 1 else f"{threads} threads"
        aims = f"aims: eager <= {OF_EAGER}x of PyTorch's eager, jitted <= {OF_BEST}x of PyTorch's best"
        print_columns(f"A training step, {many}; {aims}", rows)
        print_columns(f"First calls with empty caches, {many}", firsts)
        print("".join(f"  {note}\n" for note in notes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
