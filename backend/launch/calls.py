"""What a lowered graph calls, in order: kernels, products, tables of kernels, NumPy, loops of these."""

from __future__ import annotations

from dataclasses import dataclass

from ...graph.node import Node
from ..evaluate.buffers import Buffer, BufferView
from ..lowering.foreach import BoundTable
from ..lowering.lower import BoundKernel
from ..schedule.conds import CondCall
from ..schedule.loops import LoopCall
from ..schedule.matmul import batch_form


@dataclass(frozen=True, slots=True)
class KernelCall:
    """One run of a kernel."""

    bound: BoundKernel
    text: str
    name: str

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return tuple(pointer.buffer for pointer in self.bound.pointers)

    @property
    def work(self) -> int:
        return self.bound.work


@dataclass(frozen=True, slots=True)
class ProductCall:
    """`result = left @ right` by BLAS."""

    left: BufferView
    right: BufferView
    result: BufferView

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return self.left.buffer, self.right.buffer, self.result.buffer

    @property
    def work(self) -> int:
        return self.left.shape[-1] * self.result.shape[-1] * self.result.shape[-2] * batch_form(self.result)[0]


@dataclass(frozen=True, slots=True)
class TableCall:
    """One run of a kernel for each row of a table."""

    bound: BoundTable
    text: str
    name: str

    @property
    def buffers(self) -> set[Buffer]:
        return self.bound.buffers

    @property
    def work(self) -> int:
        return self.bound.work


@dataclass(frozen=True, slots=True)
class CallOutCall:
    """One call of NumPy, on the operands, that gives the results."""

    node: Node
    operands: tuple[BufferView, ...]
    results: tuple[BufferView, ...]

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return tuple(view.buffer for view in (*self.operands, *self.results))

    @property
    def work(self) -> int:
        return 0  # NumPy lets other threads run where it does


Call = KernelCall | ProductCall | TableCall | CallOutCall | LoopCall | CondCall


@dataclass(frozen=True, slots=True)
class KernelSummary:
    """One distinct kernel, for reports: its name, the text that is compiled, the loop IR, and how many steps run it."""

    name: str
    text: str
    loops: str
    uses: int
