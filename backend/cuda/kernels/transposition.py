"""Maps that read one axis in order and write another: through tiles in shared memory, so that both sides lie together.

A warp reads 32 elements along the axis that a load follows, and later computes 32 along the one that stores follow. The
rows of a tile are one element longer than 32, so that a column of it lies in 32 banks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....core.records import dataclass
from ....loop_ir.ir import Kernel, Let, Load, Loop, Statement, Store
from ....loop_ir.printer import print_access
from ....loop_ir.source_text import cast_name, loaded
from ...lowering.lower import BoundKernel
from .part_counts import WARP, amount

if TYPE_CHECKING:
    from ..kernel_writer import KernelWriter

    BodyLines = Callable[[KernelWriter, tuple[Statement, ...]], None]

LINES = 8
"""Warps of a block, each of which takes every eighth line of a tile."""
SMALLEST = 32
"""Extents of both axes from which there are tiles."""
MOST_TILES = 4
"""Loads through tiles in one kernel."""


@dataclass(frozen=True, slots=True)
class _Map:
    """A kernel of loops, one in the other, around values and stores. values: what the loops around the last one let
    be; body: the statements inside."""

    loops: tuple[Loop, ...]
    values: tuple[Let, ...]
    body: tuple[Statement, ...]


def _map_of(kernel: Kernel) -> _Map | None:
    loops: list[Loop] = []
    values: list[Let] = []
    body = kernel.body
    while body and isinstance(body[-1], Loop):
        lets = [each for each in body[:-1] if isinstance(each, Let)]
        if len(lets) < len(body) - 1:
            return None
        values += lets
        loops.append(body[-1])
        body = body[-1].body
    if len(loops) < 2 or not all(isinstance(each, (Let, Store)) for each in body):
        return None
    return _Map(tuple(loops), tuple(values), body)


def tiled_loads(bound: BoundKernel) -> tuple[str, ...]:
    """The loop along which loads lie that do not lie along the innermost one, and their names; empty where there are
    none, or no tiles of them."""
    found = _map_of(bound.kernel)
    if found is None or not bound.kernel.noalias:
        return ()
    innermost = found.loops[-1].var
    extents = {each.var: bound.extent if each.parallel else amount(bound, each.extent) for each in found.loops}

    def steps(terms: tuple[tuple[str, int | str], ...]) -> dict[str, int]:
        return {var: amount(bound, step) for var, step in terms}

    stores = [steps(each.access.terms) for each in found.body if isinstance(each, Store)]
    if not stores or any(abs(each.get(innermost, 0)) != 1 for each in stores):
        return ()
    names: list[str] = []
    along = ""
    for each in found.body:
        if isinstance(each, Let) and isinstance(each.expression, Load):
            here = steps(each.expression.access.terms)
            ones = [var for var, step in here.items() if abs(step) == 1 and var in extents and var != innermost]
            if ones and abs(here.get(innermost, 0)) > 1 and along in ("", ones[0]):
                along, names = ones[0], [*names, each.name]
    if not names or len(names) > MOST_TILES or min(extents[along], extents[innermost]) < SMALLEST:
        return ()
    return along, *names


def tile_counts(bound: BoundKernel, tiled: tuple[str, ...]) -> tuple[int, int]:
    """The tiles of two axes, and the rounds of the outermost of the other loops."""
    found = _map_of(bound.kernel)
    assert found is not None
    extents = {each.var: bound.extent if each.parallel else amount(bound, each.extent) for each in found.loops}
    others = [each.var for each in found.loops[:-1] if each.var != tiled[0]]
    down, across = (-(-extents[var] // WARP) for var in (tiled[0], found.loops[-1].var))
    return down * across, extents[others[0]] if others else 1


def tile_lines(writer: KernelWriter, body_lines: BodyLines) -> None:
    """Appends the lines of the whole kernel. body_lines: appends those of statements."""
    found, (along, *names) = _map_of(writer.kernel), writer.launch_grid.tiled
    assert found is not None
    extents = {each.var: "extent" if each.parallel else str(each.extent) for each in found.loops}
    inner, others = found.loops[-1].var, [each.var for each in found.loops[:-1] if each.var != along]
    loads = {each.name: each for each in found.body if isinstance(each, Let) and each.name in names}
    for name, let in loads.items():
        kind = "uint8" if let.dtype.is_bool else cast_name(let.dtype)
        writer.shared.append(f"    {name}_tile = cuda.shared.array(({WARP}, {WARP + 1}), {kind})")
    start = writer.depth
    writer.put_all(["line = cuda.threadIdx.y", f"across = ({extents[inner]} + {WARP - 1}) // {WARP}"])
    writer.put(f"tiles = across * (({extents[along]} + {WARP - 1}) // {WARP})")
    for k, var in enumerate(others):
        if k == 0:
            writer.put_all([f"{var} = cuda.blockIdx.y", f"while {var} < {extents[var]}:"])
        else:
            writer.put(f"for {var} in range({extents[var]}):")
        writer.depth += 1
    writer.put_all(["tile = cuda.blockIdx.x", "while tile < tiles:"])
    writer.depth += 1
    is_there = f"if ({along} < {extents[along]}) & ({inner} < {extents[inner]}):"
    firsts = {along: f"tile // across * {WARP}", inner: f"tile % across * {WARP}"}
    for across, down, fills in ((along, inner, True), (inner, along, False)):
        writer.put(f"{across} = {firsts[across]} + lane")
        writer.put(f"for k in range(line, {WARP}, {LINES}):")
        writer.depth += 1
        writer.put_all([f"{down} = {firsts[down]} + k", is_there])
        writer.depth += 1
        if fills:
            for name, let in loads.items():
                assert isinstance(let.expression, Load)
                writer.put(f"{name}_tile[k, lane] = {print_access(let.expression.access)}")
        else:
            body_lines(writer, found.values)
            for each in found.body:
                if isinstance(each, Let) and each.name in loads:
                    writer.put(f"{each.name} = {loaded(f'{each.name}_tile[lane, k]', each.dtype)}")
                else:
                    body_lines(writer, (each,))
        writer.depth -= 2
        writer.put("cuda.syncthreads()")
    writer.put("tile += cuda.gridDim.x")
    writer.depth -= 1
    if others:
        writer.depth = start + 1
        writer.put(f"{others[0]} += cuda.gridDim.y")
    writer.depth = start
