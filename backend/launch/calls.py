"""Scheduled steps to calls: what is no call yet is lowered to runs of kernels, and these to steps of a launch plan."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import singledispatch
from hashlib import blake2b

import numpy as np

from ...core.records import dataclass
from ...loop_ir.ir import Kernel
from ...loop_ir.ordered_sums import ordered_sum
from ..codegen.kernel_text import kernel_text
from ..cpu.plan.plan import ForeachStep, KernelStep, Step
from ..evaluate.buffers import Buffer
from ..lowering.foreach import BoundForeach, lower_foreach
from ..lowering.independent_rounds import shared_out
from ..lowering.lower import BoundKernel, lower_in_one, nest_of, without_aliases
from ..lowering.parts import Temporary, lower_in_parts
from ..lowering.regions import lower_region
from ..schedule.calls import Call, NamedKernel, ScheduledStep
from ..schedule.foreach_rows import ForeachKernel
from ..schedule.groups import GivenPlaces, Group
from ..schedule.regions import RegionKernel
from .chunking import split_of
from .steps import Slots, steps_of


@dataclass(frozen=True, slots=True)
class KernelCall(Call):
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

    @property
    def settings(self) -> frozenset[str]:
        found = ordered_sum(self.bound.kernel)
        return frozenset({"deterministic_algorithms"} if found is not None and found.dtype.is_float else ())

    @property
    def kernel(self) -> NamedKernel:
        return NamedKernel(self.name, self.text, self.bound.kernel)

    def describe(self) -> list[str]:
        operands = ", ".join(f"{pointer.buffer}+{pointer.offset}" for pointer in self.bound.pointers)
        return [f"{self.name}({operands}; sizes {list(self.bound.sizes)}, extent {self.bound.extent})"]


@dataclass(frozen=True, slots=True)
class ForeachCall(Call):
    """One run of a kernel for each row of a table."""

    bound: BoundForeach
    text: str
    name: str

    @property
    def buffers(self) -> Collection[Buffer]:
        return self.bound.buffers

    @property
    def work(self) -> int:
        return self.bound.work

    @property
    def kernel(self) -> NamedKernel:
        return NamedKernel(self.name, self.text, self.bound.kernel)

    def describe(self) -> list[str]:
        return [f"{self.name}({len(self.bound.extents)} rows; sizes {list(self.bound.sizes)})"]


# -- to calls ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class LoweringContext:
    """Facts about the whole schedule that lowering a step asks for.

    alias: whether two buffers may share memory.   kept: whether what is stored to a buffer is needed.
    temporary: gives memory for parts of a reduction; None for a device that shares out a reduction in its own way.
    """

    places: GivenPlaces
    alias: Callable[[Buffer, Buffer], bool]
    kept: Callable[[Buffer], bool]
    temporary: Temporary | None = None


@singledispatch
def calls_of(step: ScheduledStep, context: LoweringContext) -> Sequence[Call]:
    """The calls that a scheduled step becomes. Most are a call already."""
    assert isinstance(step, Call)
    return (step,)


@calls_of.register(Group)
def _of_group(group: Group, context: LoweringContext) -> Sequence[Call]:
    nest = nest_of(group, context.places, context.kept)
    bounds = [lower_in_one(nest)] if context.temporary is None else lower_in_parts(nest, context.temporary)
    apart = [without_aliases(bound, context.alias) for bound in bounds]
    return [call for bound in apart for call in _kernel_calls(bound, group.kind)]


@calls_of.register(RegionKernel)
def _of_region(region: RegionKernel, context: LoweringContext) -> Sequence[Call]:
    bound = without_aliases(lower_region(region), context.alias)
    return _kernel_calls(bound if context.temporary is None else shared_out(bound), "region")


@calls_of.register(ForeachKernel)
def _of_foreach(foreach: ForeachKernel, context: LoweringContext) -> Sequence[Call]:
    return [ForeachCall(bound, *_named(bound.kernel, "table")) for bound in lower_foreach(foreach, context.places)]


def _kernel_calls(bound: BoundKernel, kind: str) -> Sequence[Call]:
    return [kernel_call(bound, kind)] if bound.kernel.body else []


def kernel_call(bound: BoundKernel, kind: str) -> KernelCall:
    """The call of a kernel, named by its kind and its text."""
    return KernelCall(bound, *_named(bound.kernel, kind))


def _named(kernel: Kernel, kind: str) -> tuple[str, str]:
    """The text of a kernel, and a name for it."""
    text = kernel_text(kernel)
    return text, f"{kind}_{blake2b(text.encode(), digest_size=4).hexdigest()}"


# -- to steps of a launch plan -----------------------------------------------------------------------------------------
@steps_of.register(KernelCall)
def _kernel_steps(call: KernelCall, slots: Slots) -> Sequence[Step]:
    from ..cpu.compiler import kernels

    bound = call.bound
    places = tuple(map(slots.at, bound.pointers))
    parallel_split = split_of(bound.kernel, bound.extent, bound.work)
    return [KernelStep(kernels.get_kernel(call.text), places, bound.sizes, bound.extent, parallel_split)]


@steps_of.register(ForeachCall)
def _foreach_steps(call: ForeachCall, slots: Slots) -> Sequence[Step]:
    from ..cpu.compiler import kernels

    bound = call.bound
    places = [[slots.at(pointer) for pointer in pointers] for _, pointers in bound.rows]
    table = np.array(places, np.int64).reshape(len(bound.extents), len(bound.columns), 2)
    kernel, extents = kernels.get_kernel(call.text), np.array(bound.extents, np.int64)
    parallel_split = split_of(bound.kernel, sum(bound.extents), bound.work)
    return [ForeachStep(kernel, table[..., 0], table[..., 1], extents, bound.sizes, parallel_split)]
