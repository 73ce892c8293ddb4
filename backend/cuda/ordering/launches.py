"""Launches of kernels that no loop IR stands for: what they take, in a form that knows nothing of plans."""

from __future__ import annotations

from collections.abc import Sequence

from ....core.records import dataclass
from ...evaluate.buffers import BufferView
from ..launch_grid import Launch

ALIGNMENT = 256


@dataclass(frozen=True, slots=True)
class Scratch:
    """A place in the memory that launches share for as long as one call takes. Units: bytes."""

    offset: int


Operand = BufferView | Scratch


@dataclass(frozen=True, slots=True)
class DeviceLaunch:
    """One launch: the addresses of `operands` become its first parameters, `numbers` follow.

    `name` is for reports."""

    name: str
    text: str
    operands: tuple[Operand, ...]
    numbers: tuple[int, ...]
    sizes: Launch


@dataclass(slots=True)
class DeviceForm:
    """Launches in order, and the bytes of scratch memory that they need."""

    launches: list[DeviceLaunch]
    scratch: int = 0

    def reserve(self, nbytes: int) -> Scratch:
        """A place for so many bytes, which no other one shares."""
        place = Scratch(self.scratch)
        self.scratch += -(-nbytes // ALIGNMENT) * ALIGNMENT
        return place

    def add(self, name: str, text: str, operands: tuple[Operand, ...], numbers: tuple[int, ...], sizes: Launch) -> None:
        """Appends a launch."""
        self.launches.append(DeviceLaunch(name, text, operands, numbers, sizes))


def kernel_of(parameters: Sequence[str], lines: Sequence[str]) -> str:
    """Python source that defines `kernel`."""
    return "\n    ".join([f"def kernel({', '.join(parameters)}):", *lines]) + "\n"


def indented(lines: Sequence[str], depth: int = 1) -> list[str]:
    """Lines of an inner block."""
    return ["    " * depth + line for line in lines]


def each_of(name: str, first: str, stop: object, step: object, body: Sequence[str]) -> list[str]:
    """A loop in which a thread goes through its share: from `first` on, in steps."""
    return [f"{name} = {first}", f"while {name} < {stop}:", *indented([*body, f"{name} += {step}"])]


def running_sums(count: int, threads: int) -> list[str]:
    """The lines by which a block replaces each of the `count` elements of `sums[0]` by the sum up to it.

    The sums are left in `sums[half]`. me: the number of the thread in the block."""
    body = [
        "before = int64(0)",
        "if each >= step:",
        "    before = sums[half, each - step]",
        "sums[1 - half, each] = sums[half, each] + before",
    ]
    return [
        "half = 0",
        "step = 1",
        f"while step < {count}:",
        *indented(each_of("each", "me", count, threads, body)),
        "    cuda.syncthreads()",
        "    half = 1 - half",
        "    step = step * 2",
    ]
