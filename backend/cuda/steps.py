"""The steps of a plan on a device: launches of kernels, and products by a library, over the addresses of slots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ...core.records import dataclass
from .issuer import Issuer
from .launch_grid import Launch
from .products.library_products import NO_GRID, LibraryProduct


@dataclass(frozen=True, slots=True)
class CudaOperand:
    """A pointer of a kernel: a slot, and where in it. Units: `offset` counts bytes."""

    slot: int
    offset: int


@dataclass(frozen=True, slots=True)
class CudaNumber:
    """A scalar of the call that a kernel takes by value, in the place of a pointer: the input that it is."""

    slot: int


@dataclass(frozen=True, slots=True)
class CudaStep:
    """One launch: `operands` become its first parameters, `numbers` follow, last the failure word if it takes one.

    `name` and `form`, the team or the scheme, are for reports."""

    name: str
    text: str
    form: str
    operands: tuple[CudaOperand | CudaNumber, ...]
    numbers: tuple[int, ...]
    sizes: Launch
    fails: bool

    def run(self, issuer: Issuer, kernel: Any) -> None:
        """Launches it."""
        failed = [issuer.failed] if self.fails else []
        parameters = [*_addresses(self.operands, issuer), *self.numbers, *failed]
        issuer.start(kernel, self.sizes, parameters)


@dataclass(frozen=True, slots=True)
class CudaLibraryStep:
    """One product by a library. operands: those of `LibraryProduct.run` that are addresses."""

    product: LibraryProduct
    operands: tuple[CudaOperand, ...]
    name: str = "product"
    form: str = "library"
    text: str = ""

    def run(self, issuer: Issuer, kernel: Any) -> None:
        """Starts it."""
        issuer.start(self.product, NO_GRID, [*_addresses(self.operands, issuer), *self.product.numbers])


@dataclass(frozen=True, slots=True)
class CudaForeachStep:
    """One launch over a table in device memory, a row for each array: its extent, then the address of each operand."""

    name: str
    text: str
    form: str
    rows: tuple[tuple[int, tuple[CudaOperand, ...]], ...]
    numbers: tuple[int, ...]
    sizes: Launch

    def run(self, issuer: Issuer, kernel: Any) -> None:
        """Launches it, with the addresses of this call in the table."""
        words = [word for extent, operands in self.rows for word in (extent, *_addresses(operands, issuer))]
        issuer.start(kernel, self.sizes, [issuer.words(words), len(self.rows), *self.numbers, issuer.failed])


def _addresses(operands: Sequence[CudaOperand | CudaNumber], issuer: Issuer) -> list[Any]:
    return [
        issuer.number(operand.slot)
        if isinstance(operand, CudaNumber)
        else issuer.addresses[operand.slot] + operand.offset
        for operand in operands
    ]


class Step(Protocol):
    """A step of a plan. text: that of its kernel; empty if it has none."""

    @property
    def text(self) -> str: ...

    def run(self, issuer: Issuer, kernel: Any) -> None:
        """Does it. kernel: what the device loaded of `text`."""
        ...
