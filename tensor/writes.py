"""Who is told of a write to a tensor just before it happens; nobody, but for contexts that keep old values."""

# Note [Telling of writes]
# Whatever writes the memory of a tensor that existed before asks `WRITES.observers`, one attribute that is None nearly
# always, and calls `announce` if it is not. In-place operations do so after `open_write`, which may save for backward
# what they are about to write. Compiled code does not ask: where it writes, a guard holds that nobody listens.

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from .tensor import Tensor

Observer = Callable[[Tensor], None]


class _Writes:
    """The observers of all threads, in the order in which they came."""

    __slots__ = ("observers",)

    def __init__(self) -> None:
        self.observers: tuple[Observer, ...] | None = None
        """None instead of an empty tuple."""


WRITES = _Writes()
_CHANGING = threading.Lock()


def observe(observer: Observer) -> None:
    """From now on `observer` is called with each tensor that is about to be written, by whichever thread."""
    with _CHANGING:
        WRITES.observers = (*(WRITES.observers or ()), observer)


def stop_observing(observer: Observer) -> None:
    """Undoes one `observe`."""
    with _CHANGING:
        left = list(WRITES.observers or ())
        left.remove(observer)
        WRITES.observers = tuple(left) or None


def announce(*written: Tensor) -> None:
    """Tells every observer that each of `written` is about to be written."""
    for observer in WRITES.observers or ():
        for tensor in written:
            if not tensor.is_sparse:  # one that is sparse gets new entries, and the old ones stay as they are
                observer(tensor)


def announce_all(*lists: Iterable[Tensor | None]) -> None:
    """Tells every observer that each tensor in the lists is about to be written.

    A None in a list stands for a tensor that is yet to be made.
    """
    for listed in lists:
        announce(*(each for each in listed if each is not None))
