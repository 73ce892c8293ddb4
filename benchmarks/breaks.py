"""Graph breaks in a training step: what one, two and five of them cost, beside PyTorch with the same breaks.

PyTorch runs in an environment of its own: the Python named by GUARDLIFT_BENCH_TORCH, or this one if it has PyTorch; of
its ways (the step compiled, with sizes fixed or not, or the model alone) the fastest counts. All run on one thread.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from breaks_steps import BREAKS, MODELS  # noqa: E402
from timing import print_columns, text  # noqa: E402
from turns import Player, peer, play  # noqa: E402

HERE = Path(__file__).resolve().parent
AIM = 1.3
"""The share of the time of the step without breaks that one with breaks may take at most."""


def times() -> tuple[list[dict[str, float]], str]:
    """Seconds of our tasks and of PyTorch's, and who PyTorch is or why its times are missing."""
    with ExitStack() as stack:
        players = [stack.enter_context(Player(sys.executable, HERE / "breaks_ours.py", 1))]
        player, about = peer(stack, "torch", HERE / "breaks_torch.py", 1)
        return play([*players, player] if player is not None else players), about


def best(found: dict[str, float], model: str, variant: str, way: str) -> float:
    """The time of the fastest of the ways that are of this kind."""
    return min(seconds for task, seconds in found.items() if task.startswith(f"{model}; {variant}; {way}"))


def lines(found: list[dict[str, float]], model: str) -> Iterator[tuple[str, ...]]:
    """The rows of a model's table, and their head."""
    ours, torch = found[0], found[1] if len(found) > 1 else None
    theirs = ("torch eager", "torch.compile", "of none", "ours of it", "") if torch else ()
    yield ("breaks", "eager", "jitted", "of none", "", "of eager", *theirs)
    without = best(ours, model, "none", "compiled")
    for variant in BREAKS:
        eager, jitted = best(ours, model, variant, "eager"), best(ours, model, variant, "compiled")
        ratio = jitted / without
        row = [variant, text(eager), text(jitted), f"{ratio:.2f}x", _verdict(ratio <= AIM, variant)]
        row.append(f"{jitted / eager:.2f}x")
        if torch is not None:
            plain, compiled = best(torch, model, variant, "eager"), best(torch, model, variant, "compiled")
            row += [text(plain), text(compiled), f"{compiled / best(torch, model, 'none', 'compiled'):.2f}x"]
            row += [f"{jitted / compiled:.2f}x", "" if jitted <= compiled else "NOT MET"]
        yield tuple(row)


def _verdict(met: bool, variant: str) -> str:
    return "" if variant == "none" else "met" if met else "NOT MET"


if __name__ == "__main__":
    found, about = times()
    for model in MODELS:
        print_columns(
            f"A step of the {model} ({about}); aims: <= {AIM}x of none, <= 1x of PyTorch", list(lines(found, model))
        )
