"""A device whose memory is the host's: what is said of devices in eager mode can be tested without one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from guardlift.core import floors

NOISE = 0xA5
"""The byte that fresh memory holds, so that elements nobody stored show."""
FIRST = 0x7000_0000_0000
"""The address of the first block: no memory of the host's, so that a stray read is no wrong answer but a fault."""
APART = 1 << 12


class HostDevice:
    """Blocks of memory by addresses of its own; `blocks` are those in use. See `core.devices.memory.DeviceCopies`."""

    kernels = None

    def __init__(self) -> None:
        self.blocks: dict[int, np.ndarray] = {}
        self.next = FIRST
        self.pinned: dict[int, np.ndarray] = {}
        self.waits: list[bool] = []
        self.streams: list[tuple[str, int]] = []

    def allocate(self, nbytes: int) -> int:
        address, self.next = self.next, self.next + -(-nbytes // 256) * 256 + APART
        self.blocks[address] = np.full(nbytes, NOISE, np.uint8)
        return address

    def free(self, address: int) -> None:
        del self.blocks[address]

    def _bytes(self, address: int, nbytes: int) -> np.ndarray:
        start = max(each for each in self.blocks if each <= address)
        found = self.blocks[start][address - start : address - start + nbytes]
        assert len(found) == nbytes, "bytes outside of every block"
        return found

    def upload(self, address: int, data: np.ndarray) -> None:
        self._bytes(address, data.nbytes)[...] = data

    def download(self, address: int, data: np.ndarray) -> None:
        data[...] = self._bytes(address, data.nbytes)

    def upload_rows(self, address: int, pitch: int, data: np.ndarray) -> None:
        for number, row in enumerate(data):
            self.upload(address + number * pitch, row)

    def download_rows(self, address: int, pitch: int, data: np.ndarray) -> None:
        for number, row in enumerate(data):
            self.download(address + number * pitch, row)

    def copy(self, target: int, source: int, nbytes: int) -> None:
        self._bytes(target, nbytes)[...] = self._bytes(source, nbytes).copy()

    def allocate_pinned(self, nbytes: int) -> int:
        made = np.full(nbytes, NOISE, np.uint8)
        self.pinned[made.ctypes.data] = made
        return made.ctypes.data

    def free_pinned(self, address: int) -> None:
        del self.pinned[address]

    def upload_pinned(self, address: int, data: np.ndarray, wait: bool) -> None:
        self.waits.append(wait)
        self.upload(address, data)

    def stream_number(self) -> int:
        return 1

    def look_at_checks(self) -> None:
        pass

    def let_wait(self, stream: int) -> None:
        self.streams.append(("waits", stream))

    def wait_for(self, stream: int) -> None:
        self.streams.append(("is waited for", stream))


@pytest.fixture
def host_device(monkeypatch: pytest.MonkeyPatch) -> Iterator[HostDevice]:
    """Tensors on ``cuda`` lie in memory that the host does not reach."""
    device = HostDevice()
    monkeypatch.setitem(floors._offers, floors.DEVICE_MEMORY, lambda: lambda: device)
    yield device
