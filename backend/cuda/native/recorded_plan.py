"""The launches of a plan, made into data once: kernels, grids, and parameters that are numbers or places in slots."""

from __future__ import annotations

from dataclasses import field
from typing import Any, NoReturn

from ....core.errors import KernelError
from ....core.records import dataclass
from ..issuer import Addresses, Issuer, SlotAddress, SlotNumber, Words
from ..launch_grid import Launch
from ..plan import CudaPlan

MOST_LAUNCHES = 4096
"""Plans of more launches, those of long loops, are issued step by step."""
ARGUMENT_BLOCK = -2
"""The slot of the words that a plan has in the device's memory: rows of tables."""


@dataclass(frozen=True, slots=True)
class RecordedLaunch:
    """One launch."""

    kernel: Any
    sizes: Launch
    parameters: tuple[int | SlotAddress | SlotNumber, ...]


class NotRecordableError(KernelError):
    """The plan's launches depend on values that the device computes, or are too many."""


@dataclass(frozen=True)
class Recording(Issuer):
    """Notes down the launches of a plan, over addresses that stand for slots. words: those of the argument block."""

    launches: list[RecordedLaunch] = field(default_factory=list)
    block: list[int | SlotAddress] = field(default_factory=list)

    def read(self, address: Any) -> NoReturn:
        """Errors: NotRecordableError."""
        raise NotRecordableError("a branch of the plan is taken by what the device computes")

    def number(self, slot: int) -> SlotNumber:
        """The place of a scalar's bytes."""
        return SlotNumber(slot)

    def words(self, words: Words) -> Any:
        """The place of some words in the argument block."""
        place = SlotAddress(ARGUMENT_BLOCK, 8 * len(self.block))
        self.block.extend(words)
        return place

    def start(self, kernel: Any, sizes: Launch, parameters: Words) -> None:
        """Notes down a launch. Errors: NotRecordableError when there are too many."""
        if len(self.launches) == MOST_LAUNCHES:
            raise NotRecordableError("the plan has too many launches")
        self.launches.append(RecordedLaunch(kernel, sizes, tuple(parameters)))


def record(plan: CudaPlan, addresses: Addresses, failed: int) -> Recording | None:
    """The launches of a plan over slots at these places; None where they are not known before a call."""
    recording = Recording(plan, None, addresses, failed, None)  # type: ignore[arg-type]  # which are not asked
    try:
        recording.issue()
    except NotRecordableError:
        return None
    return recording
