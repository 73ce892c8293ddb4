"""Streams of a device and the events between them: work on one stream is done in its order, beside that of others."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .memory.staging import WITHOUT_TIMING
from .memory.stream_arena import StreamArena

if TYPE_CHECKING:
    from .driver import Gpu

MOST_STREAMS = 32
"""Streams that are made, for each priority; then the first one is given out again, as in PyTorch."""
NON_BLOCKING = 1
"""CU_STREAM_NON_BLOCKING: neither waits for the default stream, nor it for them."""
_NOT_READY = 600


class CurrentStream(threading.local):
    """The stream that a thread gives its work to; None is the default one."""

    stream: Any = None


class DriverStreams:
    """The streams of a GPU, events, and what each thread gives its work to. Errors: CudaError."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu, self._driver = gpu, gpu.driver
        self.default = StreamArena(0, gpu.memory)
        self._made: dict[int, list[StreamArena]] = {}
        self._next: dict[int, int] = {}
        self._handles: tuple[int, ...] = (0,)
        self._mine = CurrentStream()
        self._lock = threading.Lock()

    def current(self) -> StreamArena:
        """The stream of this thread."""
        return self._mine.stream or self.default

    def use(self, stream: StreamArena) -> None:
        """Has this thread give its work to a stream."""
        self._mine.stream = stream

    @contextmanager
    def using(self, stream: StreamArena) -> Iterator[None]:
        """A context in which this thread gives its work to a stream."""
        before, self._mine.stream = self._mine.stream, stream
        try:
            yield
        finally:
            self._mine.stream = before

    def make(self, priority: int = 0) -> StreamArena:
        """A stream beside the others. priority: negative comes first."""
        with self._lock:
            self._gpu.memory.order_by(self)
            made = self._made.setdefault(priority, [])
            if len(made) == MOST_STREAMS:
                self._next[priority] = number = (self._next.get(priority, -1) + 1) % MOST_STREAMS
                return made[number]
            handle = ctypes.c_void_p()
            flags, wanted = ctypes.c_uint(NON_BLOCKING), ctypes.c_int(priority)
            self._gpu.call("cuStreamCreateWithPriority", ctypes.byref(handle), flags, wanted)
            stream = StreamArena(int(handle.value or 0), self._gpu.memory)
            self._handles = (*self._handles, stream.handle)
            made.append(stream)
            return stream

    def others(self, handle: int) -> list[int]:
        """The handles of all streams but one."""
        return [each for each in self._handles if each != handle]

    def finish(self, handle: int) -> None:
        """Returns when a stream has done all it was given."""
        self._gpu.call("cuStreamSynchronize", pointer(handle))
        self._gpu.late_checks.look()

    def is_idle(self, handle: int) -> bool:
        """Whether a stream has done all it was given."""
        self._gpu.make_current()
        return self._answer("cuStreamQuery", pointer(handle))

    def order(self, first: int, then: int) -> None:
        """Work given to the stream `then` from now on comes after that of `first`."""
        event = self.marked(first)
        if event is not None:
            try:
                self.wait(then, event)
            finally:
                self.forget(event)

    def new_event(self, timed: bool) -> Any:
        """An event. timed: `milliseconds` may be asked about it."""
        event = ctypes.c_void_p()
        self._gpu.call("cuEventCreate", ctypes.byref(event), ctypes.c_uint(0 if timed else WITHOUT_TIMING))
        return event

    def record(self, event: Any, handle: int) -> None:
        """Has an event stand for what a stream was given until now."""
        self._gpu.call("cuEventRecord", event, pointer(handle))

    def marked(self, handle: int) -> Any:
        """A new event that stands for what a stream was given until now; None at the end of the process."""
        if not self._driver.is_usable:
            return None
        event = self.new_event(False)
        self.record(event, handle)
        return event

    def wait(self, handle: int, event: Any) -> None:
        """Work given to a stream from now on comes after the event."""
        self._gpu.call("cuStreamWaitEvent", pointer(handle), event, ctypes.c_uint(0))

    def is_done(self, event: Any) -> bool:
        """Whether what the event stands for is done."""
        return event is None or self._answer("cuEventQuery", event)

    def finish_event(self, event: Any) -> bool:
        """True, once what the event stands for is done."""
        if event is not None:
            self._gpu.call("cuEventSynchronize", event)
        return True

    def milliseconds(self, start: Any, end: Any) -> float:
        """The time between two events that are done."""
        found = ctypes.c_float()
        self._gpu.call("cuEventElapsedTime", ctypes.byref(found), start, end)
        return found.value

    def forget(self, event: Any) -> None:
        """Gives an event back."""
        if event is not None:
            self._gpu.given("cuEventDestroy_v2", event)

    def _answer(self, name: str, what: Any) -> bool:
        status = self._driver.status(name, what)
        if status not in (0, _NOT_READY):
            raise self._driver.error(name, status)
        return status == 0


class ImmediateStream:
    """A stream of a device that is done with everything at once."""

    def __init__(self, handle: int) -> None:
        self.handle = handle


class ImmediateStreams:
    """See `DriverStreams`; for a device that is done with everything at once."""

    def __init__(self) -> None:
        self.default, self._count = ImmediateStream(0), 0
        self._mine = CurrentStream()

    def current(self) -> ImmediateStream:
        """See `DriverStreams`."""
        return self._mine.stream or self.default

    def use(self, stream: ImmediateStream) -> None:
        """See `DriverStreams`."""
        self._mine.stream = stream

    def make(self, priority: int = 0) -> ImmediateStream:
        """See `DriverStreams`."""
        self._count += 1
        return ImmediateStream(self._count)

    def finish(self, handle: int) -> None:
        """Does nothing: all work is done."""

    def is_idle(self, handle: int) -> bool:
        """Always true."""
        return True

    def order(self, first: int, then: int) -> None:
        """Does nothing: all work is done."""

    def new_event(self, timed: bool) -> Any:
        """An event: the time at which it was recorded."""
        return [0.0]

    def record(self, event: Any, handle: int) -> None:
        """See `DriverStreams`."""
        event[0] = time.perf_counter()

    def wait(self, handle: int, event: Any) -> None:
        """Does nothing: all work is done."""

    def is_done(self, event: Any) -> bool:
        """Always true."""
        return True

    def finish_event(self, event: Any) -> bool:
        """Always true."""
        return True

    def milliseconds(self, start: Any, end: Any) -> float:
        """See `DriverStreams`."""
        return (end[0] - start[0]) * 1e3  # type: ignore[no-any-return]

    def forget(self, event: Any) -> None:
        """Nothing is held."""


def pointer(handle: int) -> Any:
    """The handle of a stream as the driver takes it; None for the default one."""
    return ctypes.c_void_p(handle) if handle else None
