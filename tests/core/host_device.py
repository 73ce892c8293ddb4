"""A device whose memory is the host's: what is said of devices in eager mode can be tested without one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from guardlift.core import floors
from guardlift.core.device_arrays import DeviceMemory

NOISE = 0xA5
"""The byte that fresh memory holds, so that elements nobody stored show."""


class HostDevice:
    """Hands out blocks of the host's memory; `blocks` are those in use, by address."""

    def __init__(self) -> None:
        self.blocks: dict[int, np.ndarray] = {}

    def allocate(self, nbytes: int) -> DeviceMemory:
        """See `core.floors.DEVICE_MEMORY`."""
        block = np.full(nbytes, NOISE, np.uint8)
        address = block.ctypes.data
        self.blocks[address] = block
        return DeviceMemory(address, nbytes, self.free)

    def free(self, address: int) -> None:
        """Forgets a block."""
        del self.blocks[address]


@pytest.fixture
def host_device(monkeypatch: pytest.MonkeyPatch) -> Iterator[HostDevice]:
    """Tensors on ``cuda`` lie in the host's memory."""
    device = HostDevice()
    monkeypatch.setitem(floors._offers, floors.DEVICE_MEMORY, lambda: device.allocate)
    yield device
