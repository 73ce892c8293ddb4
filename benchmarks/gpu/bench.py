"""Times of jitted functions on the card, between events of its driver, beside the least that their bytes take.

The floor is the bytes that have to be moved, at the rate of a copy of blocks, which is measured first. `--once` calls
each function once and times nothing.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
import traceback
from collections.abc import Callable
from functools import cache

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from card import MOST_OF_FREE, Card, go_on_after, left, options_of  # noqa: E402
from report import fault, row, say  # noqa: E402
from tasks import TASKS, Library, Task, figures  # noqa: E402

import guardlift as gl  # noqa: E402

SIZES = "sizes.json"
"""The file with the sizes that had room, for the libraries that are measured after this one."""


def random(*shape: int) -> gl.Tensor:
    """Draws made on the card, by one kernel for each size: the host has no part in them."""
    return _drawing(math.prod(shape))().reshape(shape)


@cache
def _drawing(size: int) -> Callable[[], gl.Tensor]:
    return gl.jit(lambda: gl.rand(size, device="cuda") - 0.5, fullgraph=True)


def copy_rate(card: Card, tiny: bool) -> float:
    """Bytes in a second that a copy reads and writes."""
    nbytes = 1 << 16 if tiny else min(1 << 29, int(card.memory()[0] * MOST_OF_FREE) // 4)
    blocks = [card.allocate(nbytes) for _ in range(4)]
    pairs = [(blocks[0], blocks[1]), (blocks[2], blocks[3])]
    times = card.times([lambda a=a, b=b: card.copy(a, b, nbytes) for a, b in pairs], tiny=tiny)
    for each in blocks:
        card.free(each)
    return 2 * nbytes / (times.median * 1e-3)


def measure(task: Task, card: Card, tiny: bool, once: bool, rate: float) -> tuple[int, ...]:
    """Tells the row of a task; its sizes."""
    gl.cuda.empty_cache()
    room = int(card.memory()[0] * MOST_OF_FREE)
    sizes = task.fitting(room, tiny)
    if sizes != (task.tiny if tiny else task.full):
        say(f"{task.name}: {sizes} instead of {task.full}, for lack of memory")
    gl.manual_seed(0)
    function, arguments = task.make(Library(gl, "cuda", random, {"capturable": True}), sizes, task.calls(room, sizes))
    jitted, began = gl.jit(function, fullgraph=True), time.monotonic()
    jitted(*arguments[0])
    gl.cuda.synchronize()
    if once:
        return sizes
    first = time.monotonic() - began
    for _ in range(2):
        jitted(*arguments[0])
    started = time.perf_counter()
    jitted(*arguments[0])
    host = time.perf_counter() - started
    times = card.times([lambda each=each: jitted(*each) for each in arguments], 1.5, tiny)
    floor = task.floor(*sizes) / rate * 1e3
    cells = {"floor ms": f"{floor:.4g}", "ours ms": f"{times.median:.4g}", "low": times.low, "high": times.high}
    row(
        "times",
        task=task.name,
        sizes=" x ".join(map(str, sizes)),
        **cells,
        **{"of floor": f"{times.median / floor:.2f}x", "first call s": f"{first:.2f}", "host us": f"{host * 1e6:.0f}"},
        **figures(task, sizes, times.median),
    )
    return sizes


def main() -> None:
    """Tells the table, a row as soon as it is known."""
    options = options_of(__doc__)
    card, sizes, tasks = Card(), dict[str, tuple[int, ...]](), {task.name: task for task in TASKS}
    if options.after and (options.folder / SIZES).exists():
        sizes = json.loads((options.folder / SIZES).read_text())
    rate = 0.0 if options.once else copy_rate(card, options.tiny)
    say(f"a copy of blocks reads and writes {rate / 1e9:.4g} GB/s")
    for name in left(tasks, options):
        try:
            sizes[name] = measure(tasks[name], card, options.tiny, options.once, rate)
        except Exception as error:
            row("times", task=name, **{"ours ms": f"{type(error).__name__}"})
            fault(f"{name}: {type(error).__name__}: {str(error)[:500]}")
            traceback.print_exc()
            if not options.once and card.is_lost():
                go_on_after(name)
        if not options.once:
            options.folder.mkdir(parents=True, exist_ok=True)
            (options.folder / SIZES).write_text(json.dumps(sizes))
    if host := gl.cuda.host_computations():
        say(f"computed by the host, of copies: {host}")


if __name__ == "__main__":
    main()
