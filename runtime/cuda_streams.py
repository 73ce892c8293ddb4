"""`gl.cuda.Stream` and `Event`: work beside other work on a GPU, and its order. Names and meanings are PyTorch's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..core.devices import FIRST_CUDA, Device
from .cuda import _device


class Stream:
    """A queue of work on a GPU: what it is given is done in order, beside what other streams were given.

    priority: a negative one comes first. There are 32 streams of a priority; then the first one is given out again.
    Errors: CudaError where there is no GPU, RuntimeError for a device that is no GPU.
    """

    __slots__ = ("_streams", "_work")

    def __init__(self, device: Any = None, priority: int = 0) -> None:
        self._streams = _device(device).streams
        self._work = self._streams.make(priority)

    @classmethod
    def _of(cls, streams: Any, work: Any) -> Stream:
        made = cls.__new__(cls)
        made._streams, made._work = streams, work
        return made

    @property
    def cuda_stream(self) -> int:
        """The driver's handle, for other libraries; 0 is the legacy default stream."""
        return int(self._work.handle)

    @property
    def device(self) -> Device:
        """The GPU that it belongs to."""
        return FIRST_CUDA

    def synchronize(self) -> None:
        """Returns when it has done all it was given. Errors: DeviceLostError where a kernel has failed."""
        self._streams.finish(self.cuda_stream)

    def query(self) -> bool:
        """Whether it has done all it was given."""
        return bool(self._streams.is_idle(self.cuda_stream))

    def wait_stream(self, stream: Stream) -> None:
        """Work that it is given from now on comes after what another stream was given until now."""
        self._streams.order(stream.cuda_stream, self.cuda_stream)

    def wait_event(self, event: Event) -> None:
        """Work that it is given from now on comes after an event."""
        event.wait(self)

    def record_event(self, event: Event | None = None) -> Event:
        """An event, a new one unless it is given, that stands for what this stream was given until now."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and other.cuda_stream == self.cuda_stream

    def __hash__(self) -> int:
        return hash((Stream, self.cuda_stream))

    def __repr__(self) -> str:
        return f"<gl.cuda.Stream device={self.device} cuda_stream={self.cuda_stream:#x}>"


class Event:
    """A point in the work of a stream, which others wait for; `record` sets it.

    enable_timing: `elapsed_time` may be asked about it. blocking: changes nothing here. interprocess: has to be False.
    Errors: RuntimeError for events between processes; CudaError, when it is recorded, where there is no GPU.
    """

    __slots__ = ("_event", "_streams", "_timed")

    def __init__(self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False) -> None:
        if interprocess:
            raise RuntimeError("events between processes are not supported; synchronize, and tell the other process")
        self._event: Any = None
        self._streams: Any = None
        self._timed = bool(enable_timing)

    def record(self, stream: Stream | None = None) -> None:
        """Has it stand for what a stream, the current one by default, was given until now."""
        if self._event is None:
            self._streams = _device(None).streams
            self._event = self._streams.new_event(self._timed)
        handle = self._streams.current().handle if stream is None else stream.cuda_stream
        self._streams.record(self._event, handle)

    def wait(self, stream: Stream | None = None) -> None:
        """Work that a stream, the current one by default, is given from now on comes after it."""
        if self._event is not None:
            handle = self._streams.current().handle if stream is None else stream.cuda_stream
            self._streams.wait(handle, self._event)

    def query(self) -> bool:
        """Whether what it stands for is done; True before it was recorded."""
        return self._event is None or bool(self._streams.is_done(self._event))

    def synchronize(self) -> None:
        """Returns when what it stands for is done. Errors: DeviceLostError where a kernel has failed."""
        if self._event is not None:
            self._streams.finish_event(self._event)
            _device(None).look_at_checks()

    def elapsed_time(self, end_event: Event) -> float:
        """The time from this event to another one. Units: milliseconds.

        Errors: RuntimeError without `enable_timing`, or before both are recorded and done."""
        if not (self._timed and end_event._timed):
            raise RuntimeError("both events need enable_timing=True for their time to be known")
        if self._event is None or end_event._event is None or not (self.query() and end_event.query()):
            raise RuntimeError("both events have to be recorded and done: call synchronize() on the second one first")
        return float(self._streams.milliseconds(self._event, end_event._event))

    def __del__(self) -> None:
        if getattr(self, "_event", None) is not None:
            self._streams.forget(self._event)


def current_stream(device: Any = None) -> Stream:
    """The stream that this thread gives its work to."""
    streams = _device(device).streams
    return Stream._of(streams, streams.current())


def default_stream(device: Any = None) -> Stream:
    """The stream that threads give their work to unless told otherwise: the legacy default one."""
    streams = _device(device).streams
    return Stream._of(streams, streams.default)


def set_stream(stream: Stream | None) -> None:
    """Has this thread give its work to a stream; None changes nothing."""
    if stream is not None:
        stream._streams.use(stream._work)


@contextmanager
def stream(stream: Stream | None) -> Iterator[None]:
    """A context in which this thread gives its work to a stream; None changes nothing.

    Whoever reads on one stream what another one writes has it wait: ``wait_stream`` or an event. Memory needs no care:
    a block is used anew when all streams are done with what they were given before it was let go of.
    """
    if stream is None:
        yield
        return
    before = current_stream()
    set_stream(stream)
    try:
        yield
    finally:
        set_stream(before)
