"""The parts of a reduction that several blocks share become one, in the last of them. See Note [Tickets]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....core.dtypes import DType
from ....loop_ir.ir import Kernel, Loop, walk
from ....loop_ir.source_text import loaded, memory_code, stored
from ..kernel_writer import KernelWriter
from ..launch_grid import WARP
from ..reductions import DeviceReduction
from ..team_reductions import merge_rows, merge_team
from .part_counts import CELL_BYTES
from .tickets import ticket_lines


def place_text(kernel: Kernel, columns: tuple[str, str] | None = None) -> str:
    """The number of a row, or of a block of columns, among all. columns: their first one, and their number."""
    place = ""
    for each in walk(kernel.body):
        if isinstance(each, Loop):
            place = f"({place} * {each.extent} + {each.var})" if place else f"int64({each.var})"
    if columns is None:
        return place or "0"
    first, extent = columns
    block = f"{first} // {WARP}"
    return f"({place} * (({extent} + {WARP - 1}) // {WARP}) + {block})" if place else f"({block})"


def merge_row_parts(writer: KernelWriter, reductions: Sequence[DeviceReduction]) -> None:
    """A block's part of a row becomes that of the whole row in the last block; what follows is for that one alone."""
    place = place_text(writer.kernel)
    writer.put(f"cell = parts + ({place} * count + part) * {CELL_BYTES * _cells(reductions)}")
    writer.put("if lane == 0:")
    writer.put_all(f"    {pointer}[0] = {stored(name, dtype)}" for name, dtype, pointer in _pointers(reductions, 1))
    _last_goes_on(writer, place, "lane == 0")
    writer.put_all(line for how in reductions for line in how.start())
    writer.put("for block in range(lane, count, cuda.blockDim.x):")
    writer.depth += 1
    writer.put(f"cell = parts + ({place} * count + block) * {CELL_BYTES * _cells(reductions)}")
    _take_in(writer, reductions, 1, "0")
    writer.depth -= 1
    merge_team(writer, list(reductions))


def merge_column_parts(writer: KernelWriter, reductions: Sequence[DeviceReduction], place: str, is_there: str) -> None:
    """The parts of a block of columns, in its topmost threads, become those of the whole columns in the topmost threads
    of the last block. is_there: what is true of a thread that has a column."""
    size = WARP * CELL_BYTES * _cells(reductions)
    writer.put(f"cell = parts + ({place} * count + part) * {size}")
    writer.put(f"if ({is_there}) & (cuda.threadIdx.y == 0):")
    writer.put_all(
        f"    {pointer}[lane] = {stored(name, dtype)}" for name, dtype, pointer in _pointers(reductions, WARP)
    )
    _last_goes_on(writer, place, "(lane == 0) & (cuda.threadIdx.y == 0)")
    writer.put_all(line for how in reductions for line in how.start())
    writer.put(f"if {is_there}:")
    writer.depth += 1
    writer.put("for block in range(cuda.threadIdx.y, count, cuda.blockDim.y):")
    writer.depth += 1
    writer.put(f"cell = parts + ({place} * count + block) * {size}")
    _take_in(writer, reductions, WARP, "lane")
    writer.depth -= 2
    merge_rows(writer, list(reductions))


def _last_goes_on(writer: KernelWriter, place: str, first_thread: str) -> None:
    writer.put_all(ticket_lines(place, first_thread))
    writer.put("if is_last != 0:")
    writer.depth += 1


def _take_in(writer: KernelWriter, reductions: Sequence[DeviceReduction], lanes: int, index: str) -> None:
    for name, dtype, pointer in _pointers(reductions, lanes):
        writer.put(f"{name}_other = {loaded(f'{pointer}[{index}]', dtype)}")
    writer.put_all(line for how in reductions for line in how.merge(lambda name: f"{name}_other"))


def _cells(reductions: Sequence[DeviceReduction]) -> int:
    return sum(len(how.parts) for how in reductions)


def _pointers(reductions: Sequence[DeviceReduction], lanes: int) -> Iterable[tuple[str, DType, str]]:
    """Each variable of a part, its dtype, and the pointer to its cells, one for each of `lanes`."""
    for k, (name, dtype) in enumerate(part for how in reductions for part in how.parts):
        yield name, dtype, f"pointer_{memory_code(dtype)}(cell + {CELL_BYTES * lanes * k})"
