"""The end of a region: its statements become a kernel, and that a node of the graph."""

from __future__ import annotations

from ...graph.node import Node
from ...loop_ir.encoding import encode
from ...loop_ir.ir import Access, Kernel, Statement, Store
from ...loop_ir.passes.cse import without_repeated
from ...loop_ir.passes.dce import without_dead
from ...loop_ir.passes.hoist_checks import with_checks_ahead
from ...loop_ir.passes.sink_failures import leaving_behind_loops
from ...ops.regions import REGION, REGION_RESULT
from .builder import Region


def finish_region(region: Region, numbers: list[Node]) -> list[Node]:
    """Puts a region into the graph: the graph's values for these numbers. Written storages get theirs."""
    trace = region.trace
    for place, each in enumerate(numbers):
        text = region.text(each)
        region.put(Store(Access(-1 - place), text, each.type.dtype))
    statements = leaving_behind_loops((*region.prologue, *region.blocks[0]))
    body = without_dead(with_checks_ahead(without_repeated(_renumbered(statements, len(region.operands)))))
    pointers = (*(node.type.dtype for node in region.operands), *(each.type.dtype for each in numbers))
    kernel = Kernel(pointers, len(region.sizes), body)
    written = [(region.memory.storages[key][1], storage) for key, storage in region.memory.written.items()]
    trace.region = None
    token = trace.add(
        REGION,
        *region.operands,
        program=encode(kernel),
        sizes=tuple(region.sizes),
        written=tuple(number for number, _ in written),
        results=tuple(each.type.dtype for each in numbers),
        leaves=region.leaves,
    )
    for place, (_, storage) in enumerate(written):
        type = storage.node.type
        storage.node = trace.add(REGION_RESULT, token, index=place, shape=type.shape, dtype=type.dtype)
        storage.version += 1
        storage.reads.clear()
    return [
        trace.add(REGION_RESULT, token, index=len(written) + place, shape=(), dtype=each.type.dtype)
        for place, each in enumerate(numbers)
    ]


def _renumbered(body: tuple[Statement, ...], operands: int) -> tuple[Statement, ...]:
    """The statements with the pointers of results, counted from -1 downwards so far, behind those of the operands."""
    return tuple(
        Store(Access(operands - 1 - each.access.pointer), each.value, each.dtype)
        if isinstance(each, Store) and each.access.pointer < 0
        else each
        for each in body
    )
