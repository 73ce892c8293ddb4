"""Kernel texts to native objects on several threads at once: LLVM lets go of the interpreter while it works."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager

from ....core.config import config
from ....core.errors import KernelError
from ....core.threads import usable_cores
from . import compiler
from .kernel_object import KernelObject

Lock = AbstractContextManager[object]


def compile_together(
    texts: Iterable[str], own_lock: Lock, helpers_locks: Sequence[Lock], tell: Callable[[int], None]
) -> dict[str, KernelObject | KernelError]:
    """The native object of each text, or the error that it gives.

    own_lock: is held by the calling thread, which compiles too, while it does so.
    helpers_locks: there is another thread for each at most, which holds it meanwhile.
    tell: is called in the calling thread with how many are begun, before each of its own.
    """
    left = sorted(dict.fromkeys(texts), key=len)  # the last ones first: a long one at the end would be waited for
    count = len(left)
    done: dict[str, KernelObject | KernelError] = {}

    def work(lock: Lock, tell: Callable[[int], None] | None = None) -> None:
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
    for lock in helpers_locks[: min(_threads(), count) - 1]:
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
