"""Kernel texts to native objects on several threads at once: LLVM lets go of the interpreter while it works."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

from ....core.config import config
from ....core.errors import KernelError
from ....core.threads import usable_cores
from . import compiler
from .kernel_object import KernelObject

MOST_HELPERS = 7
"""Threads beside the one that asks, at most."""
HELPER_LOCKS = tuple(threading.RLock() for _ in range(MOST_HELPERS))
"""Each such thread holds one while it compiles, so that no process is forked from the middle of that."""


def compile_together(
    texts: Iterable[str], own_lock: AbstractContextManager[object], tell: Callable[[int], None]
) -> dict[str, KernelObject | KernelError]:
    """The native object of each text, or the error that it gives.

    own_lock: is held by the calling thread, which compiles too, while it does so.   tell: is called there with how
    many are begun, before each of its own.
    """
    left = [*dict.fromkeys(texts)]
    count = len(left)
    left.reverse()
    done: dict[str, KernelObject | KernelError] = {}

    def work(lock: AbstractContextManager[object], tell: Callable[[int], None] | None = None) -> None:
        while left:
            if tell is not None:
                tell(count - len(left))
            with lock:
                try:
                    text = left.pop()
                except IndexError:  # another thread took the last one
                    return
                done[text] = _compiled(text)

    helpers = []
    for lock in HELPER_LOCKS[: min(_threads(), count) - 1]:
        helper = threading.Thread(target=work, args=(lock,), name="guardlift compiles")
        try:
            helper.start()
        except RuntimeError:  # the system has no thread left, or the interpreter is about to exit
            break
        helpers.append(helper)
    try:
        work(own_lock, tell)
        for helper in helpers:
            helper.join()
    finally:
        left.clear()  # where an interrupt arrived, what is not begun is left
    return done


def _threads() -> int:
    """Threads that compile at once. Numba lets one thread in at a time."""
    if config.kernel_compiler != "llvm":
        return 1
    return config.compile_threads or usable_cores()


def _compiled(text: str) -> KernelObject | KernelError:
    try:
        return compiler.compile_source(text)
    except KernelError as error:
        return error
