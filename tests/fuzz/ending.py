"""Random programs that do not come to their end are left out: a context that ends them."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STATUS = Path("/proc/self/statm")
SECONDS = 4.0
"""The seconds that a program may take: most take some milliseconds, and to trace one takes less than a second."""


class Endless(BaseException):
    """A program does not come to its end: nothing changes what a loop counts with, or a number grows beyond measure."""


ROOM = 8 << 30
"""Units: bytes that a program may address beyond what the process does: lists that double soon fill all."""


@contextmanager
def ending() -> Iterator[None]:
    """A context that `Endless` leaves after so much time of the processor's, however busy the machine is.

    Programs that want more memory than there is room for get a MemoryError.
    """

    def stop(*_: object) -> None:
        raise Endless

    known = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS, 0.1)  # and again, should the program catch it
    limits = resource.getrlimit(resource.RLIMIT_AS)
    if STATUS.exists():  # on Linux
        addressed = int(STATUS.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (addressed + ROOM, limits[1]))
    try:
        yield
    except MemoryError:
        raise Endless from None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, known)
