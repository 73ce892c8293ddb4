"""Kernel texts to native objects on several threads at once: LLVM lets go of the interpreter while it works."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager

from ....core.config import config
from ....core.errors import KernelError
from ....core.threads import usable_cores
from ...disk_cache.claims import PAUSE, Patience
from . import compiler
from .kernel_object import KernelObject

Lock = AbstractContextManager[object]
Made = KernelObject | KernelError
Make = Callable[[str, bool], Made | None]


def compile_source(text: str, _alone: bool) -> Made:
    """The native object of a text, or the error that it gives."""
    try:
        return compiler.compile_source(text)
    except KernelError as error:
        return error


def compile_together(
    texts: Iterable[str],
    own_lock: Lock,
    helpers_locks: Sequence[Lock],
    tell: Callable[[int], None],
    make: Make = compile_source,
) -> dict[str, Made]:
    """The native object of each text, or the error that it gives.

    own_lock: is held by the calling thread, which compiles too, while it does so.
    helpers_locks: there is another thread for each at most, which holds it meanwhile.
    tell: is called in the calling thread with how many are begun, before each of its own.
    make: gives the object of a text, or None where another process is about it; never None if its second argument
        says that this one no longer waits. Such texts come last.
    """
    left = sorted(dict.fromkeys(texts), key=len)  # the last ones first: a long one at the end would be waited for
    count = len(left)
    done: dict[str, Made] = {}
    others: list[str] = []

    def work(lock: Lock, tell: Callable[[int], None] | None = None) -> None:
        while left:
            if tell is not None:
                tell(count - len(left))
            with lock:
                try:
                    text = left.pop()
                except IndexError:  # another thread took the last one
                    return
                made = make(text, False)
            if made is None:
                others.append(text)
            else:
                done[text] = made

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
        _wait_for_others(others, done, own_lock, make)
    finally:
        left.clear()  # where an interrupt arrived, what is not begun is left
    return done


def _threads() -> int:
    """Threads that compile at once. Numba lets one thread in at a time."""
    if config.kernel_compiler != "llvm":
        return 1
    return config.compile_threads or usable_cores()


def _wait_for_others(texts: list[str], done: dict[str, Made], lock: Lock, make: Make) -> None:
    """Takes what other processes make into `done`, and makes what none of them comes to an end with."""
    patience = Patience()
    while texts:
        alone = patience.is_over()
        for text in texts:
            with lock:
                made = make(text, alone)
            if made is not None:
                done[text] = made
                if not alone:
                    patience = Patience()  # they go on
        texts = [text for text in texts if text not in done]
        if texts:
            time.sleep(PAUSE)
