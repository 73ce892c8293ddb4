"""Steps of a plan on their way to a device: the addresses of one call, and what launches the steps over them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.records import dataclass
from ..evaluate.buffers import BufferView
from .device import CudaDevice

if TYPE_CHECKING:
    from .plan import CudaPlan

Addresses = dict[int, int]
"""The address on the device of each slot of a plan."""
SCRATCH = -1
"""The slot of the memory in which launches leave parts for the next one."""


@dataclass(frozen=True)
class Issuer:
    """Issues the steps of a plan, or of a body, over the addresses of its slots.

    failed: where kernels note that a check has failed."""

    plan: CudaPlan
    device: CudaDevice
    addresses: Addresses
    failed: int
    allocate: Callable[[int], int]

    def issue(self) -> None:
        """Launches every step."""
        for step, kernel in zip(self.plan.steps, self.plan.kernels, strict=True):
            step.run(self, kernel)

    def place(self, view: BufferView) -> int:
        """The address of the first element of a view of the plan that a step belongs to."""
        return self.addresses[self.plan.compiled.slots[view.buffer]] + view.offset * view.buffer.dtype.itemsize

    def read(self, address: int) -> bool:
        """The bool at an address, once everything launched before is done."""
        found = np.zeros(1, np.uint8)
        self.device.download(address, found)
        return bool(found[0])

    def launch(self, plan: CudaPlan, addresses: Addresses) -> None:
        """Issues the steps of a body over these addresses."""
        replace(self, plan=plan, addresses={**addresses, SCRATCH: self.addresses[SCRATCH]}).issue()
