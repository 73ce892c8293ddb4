"""What a call costs besides its work, by the number of parameters: Adam under a back end that does nothing.

PyTorch runs in an environment of its own: the Python named by GUARDLIFT_BENCH_TORCH, or this one if it has PyTorch.
`guards.py 10 200` measures these numbers of parameters only.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from timing import Row, print_columns, print_table, share, text  # noqa: E402
from turns import Player, peer, play  # noqa: E402

HERE = Path(__file__).resolve().parent
SIZES = (10, 50, 200, 1000, 10_000)
LARGEST_OF_TORCH = 200
"""torch.compile takes many minutes for a thousand."""
PATIENCE = 600
"""Seconds that one number of parameters may take."""
GROWTH, OF_TORCH, OF_MODULE = 1.2, 0.1, 1.5e-6
OF_BARE, OF_FUSED = 1.3, 0.1
"""What is aimed at."""
MOST_THREADS = 8
"""Of the runs with real kernels; fewer where there are fewer cores."""


def measured(python: str, script: str, count: int) -> dict[str, Any]:
    """What a script printed about one number of parameters; the reason under "failed" where it did not."""
    command = [python, "-P", str(HERE / script), str(count)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    except subprocess.TimeoutExpired:
        return {"failed": f"over {PATIENCE} s"}
    except subprocess.CalledProcessError as error:
        said = error.stderr.strip().splitlines()
        return {"failed": said[-1] if said else f"exit code {error.returncode}"}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def torch_python() -> str | None:
    """A Python that has PyTorch."""
    here = sys.executable if importlib.util.find_spec("torch") is not None else None
    return os.environ.get("GUARDLIFT_BENCH_TORCH") or here


def by_size(sizes: tuple[int, ...]) -> tuple[dict[int, dict[str, Any]], dict[int, dict[str, Any]]]:
    """The figures of guardlift and of PyTorch by number of parameters, one after the other for each number."""
    python = torch_python()
    ours: dict[int, dict[str, Any]] = {}
    torch: dict[int, dict[str, Any]] = {}
    for count in sizes:
        ours[count] = measured(sys.executable, "guards_ours.py", count)
        if python is not None and count <= LARGEST_OF_TORCH:
            torch[count] = measured(python, "guards_torch.py", count)
        for found in (ours[count], torch.get(count)):
            print(f"{count}: {json.dumps(found)}", file=sys.stderr, flush=True)
    return ours, torch


HEADS = ("N", "", "kept", "plan alone", "fresh", "of 10, as cold", "to set .grad", "compile", "compiles")


def cells(count: int, name: str, found: dict[str, Any]) -> list[str]:
    """One line of the table."""
    if "failed" in found:
        return [f"{count:,}", name, found["failed"][:30], *[""] * 6]
    times = ("kept", "plan", "fresh", "cold", "setter", "compile")
    return [f"{count:,}", name, *(text(found[key]) if key in found else "" for key in times), str(found["entries"])]


def lines(ours: dict[int, dict[str, Any]], torch: dict[int, dict[str, Any]]) -> Iterator[list[str]]:
    """The table."""
    for count, found in ours.items():
        if "failed" in found:
            yield cells(count, "guardlift", found)
            continue
        yield cells(count, "guardlift, lifted", found["lifted"])
        yield cells(count, "guardlift, not lifted", found["fetched"])
        if count in torch:
            yield cells(count, torch[count].get("about", "PyTorch"), torch[count])


def rows(ours: dict[int, dict[str, Any]], torch: dict[int, dict[str, Any]]) -> Iterator[Row]:
    """What follows from the table for each aim."""
    sizes = [count for count, found in ours.items() if "failed" not in found]
    first, last = ours[sizes[0]]["lifted"], ours[sizes[-1]]["lifted"]
    label = f"lifted, {sizes[-1]:,} parameters / {sizes[0]}"
    yield share(f"{label}, gradients kept", last["kept"], first["kept"], GROWTH)
    yield share(f"{label}, fresh, caches as cold", last["fresh"], last["cold"], GROWTH)
    for count in sizes:
        lifted, fetched = ours[count]["lifted"], ours[count]["fetched"]
        yield share(f"{count:,} parameters, kept: lifted / not lifted", lifted["kept"], fetched["kept"])
        if "kept" in torch.get(count, {}):
            aim = OF_TORCH if count == 200 else None
            for way in ("kept", "fresh"):
                name = f"{count:,} parameters, {way}: lifted / torch.compile"
                yield share(name, lifted[way], torch[count][way], aim)
    told, plain = last["setter"], ours[sizes[-1]]["plain setter"]
    yield Row("to set .grad: that somebody is told", f"{(told - plain) * 1e9:.0f} ns", f"{text(told)} / {text(plain)}")
    if "module" in ours[sizes[0]]:
        found = ours[sizes[0]]["module"]
        met = found["call"] <= OF_MODULE
        yield Row("50 parameters in a closure: a call without kernels", text(found["call"]), "", "<= 1.5 us", met)


def with_kernels() -> Iterator[tuple[str, list[Row]]]:
    """Adam over a thousand tensors of 32 x 32, by threads, and a whole training step, with real kernels."""
    found: dict[str, float] = {}
    fused: list[tuple[float, float]] = []
    for threads in sorted({1, min(os.cpu_count() or 1, MOST_THREADS)}):
        with ExitStack() as stack:
            players = [stack.enter_context(Player(sys.executable, HERE / "guards_ours.py", threads))]
            player, about = peer(stack, "torch", HERE / "guards_torch.py", threads)
            ours, *theirs = play([*players, player] if player is not None else players)
        found = found or ours
        jitted, bare = ours["adam: jitted"], ours["adam: bare"]
        adam = []
        if threads == 1:  # as the bare kernel has
            adam.append(share("jitted / its kernel over the table of addresses", jitted, bare, OF_BARE))
        for torch in theirs:
            for how, aim in (("fused", OF_FUSED), ("foreach", None)):
                adam.append(share(f"jitted / torch, {how}", jitted, torch[f"adam: {how}"], aim))
            fused.append((jitted, torch["adam: fused"]))
        if adam:
            yield f"Adam over 1,000 tensors of 32 x 32, threads: {threads} ({about})", adam
    if len(fused) > 1:
        best = share("jitted / torch, fused", *map(min, zip(*fused, strict=True)), OF_FUSED)
        yield "The same, each with as many threads as suit it best", [best]
    eager, lifted, fetched = (found[f"step: {how}"] for how in ("eager", "lifted", "not lifted"))
    gain = Row("gain of lifting on the whole step", f"{fetched / lifted:.2f}x", f"{text(fetched)} / {text(lifted)}")
    steps = [share("lifted / eager", lifted, eager), share("not lifted / eager", fetched, eager), gain]
    yield "A training step, 50 parameters of 8 x 8 and 8, batch 4, one thread", steps


def main() -> int:
    """Prints the tables; 0 always, since figures of a shared machine are no verdict."""
    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    ours, torch = by_size(sizes)
    print_columns("Adam over N parameters of 2 x 2, back end that does nothing, one call", [HEADS, *lines(ours, torch)])
    print("  kept, fresh: with the same gradients, and right after all were set anew, when caches are cold;")
    print("  of 10, as cold: a lifted step over 10 parameters in the same place")
    if torch_python() is None:
        print("  PyTorch skipped: not installed here, and GUARDLIFT_BENCH_TORCH names no Python that has it")
    print_table("Calls", list(rows(ours, torch)))
    for title, table in with_kernels():
        print_table(title, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
