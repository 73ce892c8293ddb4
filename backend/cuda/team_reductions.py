"""The parts that the threads of a team have reduced become one: by exchange, or in shared memory."""

from __future__ import annotations

from ...core.dtypes import DType
from ...loop_ir.ir import LoopReduction
from ...loop_ir.source_text import cast_name, loaded, stored
from .kernel_writer import KernelWriter, barrier
from .launch_grid import ROW_LANES, WARP
from .reductions import DeviceReduction


def device_reduction(reduction: LoopReduction) -> DeviceReduction:
    """The reduction of an inner loop as it is written for a GPU."""
    return DeviceReduction(reduction.name, reduction.combine, reduction.value_dtype, reduction.dtype)


def merge_team(writer: KernelWriter, reductions: list[DeviceReduction]) -> None:
    """Every thread's parts become those of the whole team: in pairs within a warp, then over the warps of a block."""
    _merge_warp(writer, reductions)
    if not writer.team.across_warps:
        return
    cells = [
        (name, dtype, first) for how in reductions for (name, dtype), first in zip(how.parts, how.starts, strict=True)
    ]
    for name, dtype, _ in cells:
        line = f"    {name}_shared = cuda.shared.array({WARP}, {_memory_type(dtype)})"
        if line not in writer.shared:
            writer.shared.append(line)
    barrier(writer)
    writer.put(f"if lane % {WARP} == 0:")
    writer.put_all(f"    {name}_shared[lane // {WARP}] = {stored(name, dtype)}" for name, dtype, _ in cells)
    barrier(writer)
    writer.put(f"warps = cuda.blockDim.x // {WARP}")
    for name, dtype, first in cells:
        other = loaded(f"{name}_shared[lane % {WARP}]", dtype)
        writer.put(f"{name} = {other} if lane % {WARP} < warps else {first}")
    _merge_warp(writer, reductions)


def _merge_warp(writer: KernelWriter, reductions: list[DeviceReduction]) -> None:
    writer.put(f"apart = {WARP // 2}")
    writer.put("while apart > 0:")
    writer.depth += 1
    for how in reductions:
        writer.put_all(f"{name}_other = exchanged_{dtype.code}({name}, apart)" for name, dtype in how.parts)
        writer.put_all(how.merge(lambda name: f"{name}_other"))
    writer.put("apart >>= 1")
    writer.depth -= 1


def merge_rows(writer: KernelWriter, reductions: list[DeviceReduction]) -> None:
    """Threads above each other share a column: their parts become one, halves in pairs, in the topmost thread."""
    cells = [part for how in reductions for part in how.parts]
    for name, dtype in cells:
        writer.shared.append(f"    {name}_shared = cuda.shared.array(({ROW_LANES}, {WARP}), {_memory_type(dtype)})")
    stores = [f"{name}_shared[cuda.threadIdx.y, lane] = {stored(name, dtype)}" for name, dtype in cells]
    writer.put_all(stores)
    writer.put("cuda.syncthreads()")
    writer.put("apart = cuda.blockDim.y // 2")
    writer.put("while apart > 0:")
    writer.depth += 1
    writer.put("if cuda.threadIdx.y < apart:")
    writer.depth += 1
    for name, dtype in cells:
        writer.put(f"{name}_other = {loaded(f'{name}_shared[cuda.threadIdx.y + apart, lane]', dtype)}")
    for how in reductions:
        writer.put_all(how.merge(lambda name: f"{name}_other"))
    writer.put_all(stores)
    writer.depth -= 1
    writer.put("cuda.syncthreads()")
    writer.put("apart //= 2")
    writer.depth -= 1


def _memory_type(dtype: DType) -> str:
    return "uint8" if dtype.is_bool else cast_name(dtype)
