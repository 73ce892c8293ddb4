"""A context in which cyclic garbage is rarely looked for, for work that makes many objects and drops few."""

# Note [Collections while compiling]
# The interpreter looks for garbage after each 700 objects that were made and not dropped, and what imports, traces and
# compiles makes a hundred thousand that stay: a tenth of a first call went into looking at them. Collection is not
# switched off: other threads go on meanwhile, and their garbage is found, only later. Who sets the threshold himself
# while a thread is inside keeps what he has set.

# Note [What imports leave behind]
# Where the threshold comes back, the next new objects have everything looked at that was made meanwhile, and soon after
# once more. Of imports that is modules and functions, all of which stay: they are moved to the oldest generation
# unseen, as the collector moves what it has seen twice. What compiling leaves is not, for it has garbage that holds a
# batch. Nor is anything moved where the program has frozen objects of its own, which would be frozen no longer. These
# are counted by walking over them, so a program that has once had some is not asked again.

from __future__ import annotations

import gc
import os
import threading
from typing import ClassVar

from .locks import ForkSafeLock

RARELY = 100_000
"""Objects after which the interpreter looks for garbage."""


class RareCollections:
    """The context. Threads may be inside together, and one twice; the last one to leave wholly restores the threshold.

    is_import: whether nothing but imports happens inside. See Note [What imports leave behind]. It is no import where
    a thread is inside already, who may be compiling."""

    __slots__ = ("_is_import", "_is_outermost")
    _lock: ClassVar[ForkSafeLock] = ForkSafeLock()
    _inside: ClassVar[set[int]] = set()
    _before: ClassVar[tuple[int, ...] | None] = None
    """The thresholds that are to come back; None where they are as the program has them."""
    _freezes: ClassVar[bool] = False
    """Whether the program was seen to have frozen objects."""

    def __init__(self, *, is_import: bool = False) -> None:
        self._is_import, self._is_outermost = is_import, False

    def __enter__(self) -> None:
        with self._lock:
            self._is_import = self._is_import and not self._inside
            self._is_outermost = (thread := threading.get_ident()) not in self._inside
            self._inside.add(thread)
            found = gc.get_threshold()
            if self._before is None and 0 < found[0] < RARELY:  # 0: never
                RareCollections._before = found
                gc.set_threshold(RARELY, *found[1:])

    def __exit__(self, *_error: object) -> None:
        if not self._is_outermost:
            return
        with self._lock:
            self._inside.discard(threading.get_ident())
            if not self._inside:
                if self._is_import:
                    self._move_to_oldest()
                self._restore()

    @classmethod
    def _move_to_oldest(cls) -> None:
        cls._freezes = cls._freezes or gc.get_freeze_count() > 0
        if not cls._freezes:
            gc.freeze()
            gc.unfreeze()

    @classmethod
    def _restore(cls) -> None:
        before, cls._before = cls._before, None
        if before is not None and gc.get_threshold()[0] == RARELY:
            gc.set_threshold(*before)

    @classmethod
    def in_child(cls) -> None:
        """Forgets the threads that a forked process does not have."""
        cls._inside.intersection_update({threading.get_ident()})
        if not cls._inside:
            cls._restore()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=RareCollections.in_child)
