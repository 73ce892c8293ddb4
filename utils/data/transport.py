"""Objects sent between processes: what is large goes through memory that both see, and is copied once."""

# Note [Memory without a name]
# A message is pickled with the elements of arrays out of band. They are laid side by side into a file without a name,
# whose descriptor goes through the socket; the other process maps it, and its arrays lie there. When nobody refers to
# the memory any more, it is gone, also when a process was killed: there is nothing that could be left behind. Messages
# in the socket itself stay small, so that two processes never wait for each other to read.

from __future__ import annotations

import io
import mmap
import os
import pickle
import socket
import tempfile
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from ...core.devices.host_or_device import on_device, on_host
from ...tensor import Tensor

SMALL = 4096
"""Messages up to so many bytes go through the socket as they are."""
ALIGNMENT = 64


def send(connection: Connection, value: Any) -> None:
    """Sends an object. Errors: those of pickle for what cannot be pickled; then nothing was sent."""
    buffers: list[pickle.PickleBuffer] = []
    text = io.BytesIO()
    _Pickler(text, protocol=5, buffer_callback=buffers.append).dump(value)
    parts = [text.getbuffer(), *(each.raw() for each in buffers)]
    sizes = [len(each) for each in parts]
    if sum(sizes) <= SMALL or not _by_descriptor:
        connection.send_bytes(pickle.dumps((False, [bytes(each) for each in parts])))
        return
    places = _places(sizes)
    descriptor = _nameless()
    try:
        os.ftruncate(descriptor, places[-1])
        with mmap.mmap(descriptor, places[-1]) as memory:
            for place, part in zip(places, parts):
                memory[place : place + len(part)] = part
        connection.send_bytes(pickle.dumps((True, sizes)))
        with _socket_of(connection) as channel:
            socket.send_fds(channel, [b"d"], [descriptor])
    finally:
        os.close(descriptor)


def received(connection: Connection) -> Any:
    """The object that was sent; its arrays lie in memory of their own. Errors: EOFError where nobody sends any more."""
    shared, found = pickle.loads(connection.recv_bytes())
    if not shared:
        text, *small = found
        return pickle.loads(text, buffers=[bytearray(each) for each in small])
    with _socket_of(connection) as channel:
        _, (descriptor,), *_ = socket.recv_fds(channel, 1, 1)
    try:
        places = _places(found)
        memory = memoryview(mmap.mmap(descriptor, places[-1]))
    finally:
        os.close(descriptor)
    text, *large = (memory[place : place + size] for place, size in zip(places, found))
    return pickle.loads(text, buffers=large)


def _socket_of(connection: Connection) -> socket.socket:
    """The socket that a connection is, as one of its own to close.

    multiprocessing's ways of sending a descriptor wait for an answer, on CPython 3.15 everywhere; here both sides send.
    """
    return socket.fromfd(connection.fileno(), socket.AF_UNIX, socket.SOCK_STREAM)


class _Pickler(pickle.Pickler):
    """Pickles of a tensor its elements alone, where it sees but a part of a larger memory."""

    def reducer_override(self, value: Any) -> Any:
        if type(value) is Tensor and value._array.nbytes * 2 < value._storage.nbytes:
            return _alone, (np.ascontiguousarray(on_host(value._array)), str(value.device), value.requires_grad)
        return NotImplemented


def _alone(array: Any, device: str, requires_grad: bool) -> Tensor:
    made = Tensor._wrap(on_device(array, device))
    return made.requires_grad_() if requires_grad else made


def _places(sizes: list[int]) -> list[int]:
    """The places of parts of these sizes, each aligned, and the end."""
    places, end = [], 0
    for size in sizes:
        places.append(end)
        end += -(-size // ALIGNMENT) * ALIGNMENT
    return [*places, end]


def _nameless() -> int:
    """The descriptor of a file without a name, in memory where the system has that."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("guardlift", os.MFD_CLOEXEC)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


_by_descriptor = os.name == "posix"
