"""Steps of a plan on their way to a device: the addresses of one call, and what launches the steps over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.records import dataclass, replace
from ..evaluate.buffers import BufferView
from .device import CudaDevice
from .launch_grid import Launch
from .memory.transfers import bytes_of

if TYPE_CHECKING:
    from .plan import CudaPlan


@dataclass(frozen=True, slots=True)
class SlotAddress:
    """A place in the memory of a slot, whose address each call has anew. Units: `offset` counts bytes."""

    slot: int
    offset: int = 0

    def __add__(self, nbytes: int) -> SlotAddress:
        return SlotAddress(self.slot, self.offset + nbytes)


@dataclass(frozen=True, slots=True)
class SlotNumber:
    """A scalar of the call, by value, in the place of a parameter: each call has another one."""

    slot: int


Addresses = dict[int, Any]
"""The address on the device of each slot of a plan; where launches are recorded, `SlotAddress` for some."""
Words = Sequence[Any]
"""Numbers and addresses, of eight bytes each."""
SCRATCH = -1
"""The slot of the memory in which blocks leave their parts of a result for the last of them."""
TICKETS = -4
"""The slot of the words that count the blocks that are through with their parts. They are zero between launches."""


@dataclass(frozen=True)
class Issuer:
    """Issues the steps of a plan, or of a body, over the addresses of its slots.

    failed: where kernels note that a check has failed."""

    plan: CudaPlan
    device: CudaDevice
    addresses: Addresses
    failed: int
    allocate: Callable[[int], int]
    numbers: Mapping[int, int] = field(default_factory=dict)
    """The eight bytes of each scalar of the call that kernels take by value, by its slot."""

    def number(self, slot: int) -> Any:
        """The parameter for a scalar that is passed by value."""
        return self.numbers[slot]

    def issue(self) -> None:
        """Launches every step."""
        for step, kernel in zip(self.plan.steps, self.plan.kernels, strict=True):
            step.run(self, kernel)

    def place(self, view: BufferView) -> Any:
        """The address of the first element of a view of the plan that a step belongs to."""
        return self.addresses[self.plan.compiled.slots[view.buffer]] + view.offset * view.buffer.dtype.itemsize

    def start(self, kernel: Any, sizes: Launch, parameters: Words) -> None:
        """Launches one kernel."""
        self.device.launch(kernel, sizes, parameters)

    def words(self, words: Words) -> Any:
        """The address at which the device finds some words."""
        table = np.array(words, np.int64)
        place = self.allocate(table.nbytes)
        self.device.upload(place, bytes_of(table))
        return place

    def read(self, address: int) -> bool:
        """The bool at an address, once everything launched before is done."""
        found = np.zeros(1, np.uint8)
        self.device.download(address, found)
        return bool(found[0])

    def launch(self, plan: CudaPlan, addresses: Addresses) -> None:
        """Issues the steps of a body over these addresses."""
        shared = {slot: self.addresses[slot] for slot in (SCRATCH, TICKETS)}
        replace(self, plan=plan, addresses={**addresses, **shared}).issue()
