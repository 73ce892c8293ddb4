"""One kernel of a graph, launched over memory that begins where a test wants it to, with margins that are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from backend.graph_cases import layout_for

from guardlift.backend.compile import compile_graph
from guardlift.backend.cuda.device import current
from guardlift.backend.cuda.kernel_text import cuda_text
from guardlift.backend.cuda.launch_grid import Launch, LaunchGrid
from guardlift.backend.lowered import lowered_calls
from guardlift.backend.lowering.lower import BoundKernel
from guardlift.backend.schedule.matmul import expand_products
from guardlift.backend.schedule.schedule import schedule_graph
from guardlift.graph.node import Graph

Array = np.ndarray[Any, Any]
MARGIN, NOISE = 256, 0x5A
"""Units: `MARGIN` is bytes before and behind each array, of the value `NOISE`."""


def bound_kernel(graph: Graph, arrays: Sequence[Array]) -> BoundKernel:
    """The one kernel of a graph whose arguments are these arrays, apart from each other."""
    schedule = schedule_graph(expand_products(graph), layout_for(graph, arrays), compile_graph)
    (call,) = lowered_calls(schedule, in_parts=False)
    return call.bound  # type: ignore[no-any-return, attr-defined]


def launched(
    bound: BoundKernel,
    grid: LaunchGrid,
    launch: Launch,
    arrays: Sequence[Array],
    outputs: Sequence[Array],
    shifts: Sequence[int],
    extent: int | None = None,
    failed: list[int] | None = None,
) -> None:
    """Runs a kernel over copies of `arrays` and `outputs`, and copies back what it left there.

    shifts: how many elements behind a multiple of 256 bytes each of them begins. extent: of the parallel loop, if it
    is another one. Errors: AssertionError where bytes around an array changed. failed: takes the failure word.
    """
    device, places, blocks = current(), dict[tuple[str, int], int](), list[tuple[int, Array, Array, int]]()
    kinds = [("input", k) for k in range(len(arrays))] + [("output", k) for k in range(len(outputs))]
    buffers = {each.buffer for each in bound.pointers if each.buffer.place == "temporary"}
    between = [np.full(each.elements, 1, each.dtype.numpy) for each in buffers]
    kinds += [("temporary", each.number) for each in buffers]
    begun = [*shifts, *[0] * len(between)]
    for kind, array, shift in zip(kinds, [*arrays, *outputs, *between], begun, strict=True):
        low, high = np.lib.array_utils.byte_bounds(array)
        held = np.full(high - low + 2 * MARGIN + 256, NOISE, np.uint8)
        first = MARGIN + shift * array.itemsize
        address = device.allocate(held.nbytes)
        held[first : first + high - low] = _bytes(array, low, high)
        device.upload(address, held)
        places[kind] = address + first + array.ctypes.data - low
        blocks.append((address, held, array, first))
    status = device.allocate(8)
    device.upload(status, np.zeros(8, np.uint8))
    pointers = [
        places[each.buffer.place, each.buffer.number] + each.offset * each.buffer.dtype.itemsize
        for each in bound.pointers
    ]
    kernel = device.load(cuda_text(bound.kernel, grid))
    device.launch(kernel, launch, [*pointers, *bound.sizes, bound.extent if extent is None else extent, status])
    device.wait()
    word = np.zeros(8, np.uint8)
    device.download(status, word)
    if failed is not None:
        failed.append(int(word.view(np.int64)[0]))
    for address, held, array, first in blocks:
        low, high = np.lib.array_utils.byte_bounds(array)
        found = np.empty_like(held)
        device.download(address, found)
        assert (found[:first] == NOISE).all() and (found[first + high - low :] == NOISE).all(), "a margin was changed"
        _bytes(array, low, high)[...] = found[first : first + high - low]
        device.free(address)
    device.free(status)


def _bytes(array: Array, low: int, high: int) -> Array:
    return np.ctypeslib.as_array((np.ctypeslib.ctypes.c_uint8 * (high - low)).from_address(low))
