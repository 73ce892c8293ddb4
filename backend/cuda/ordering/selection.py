"""Selection on a device: the places of the elements that are not zero, of which only the elements know how many.

Each warp counts in a part of its own, the counts are summed up, the host reads their sum, and each warp goes through
its part again and stores. So places come in their order, whoever was first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.devices.arrays import DeviceArray, empty
from ....core.devices.memory import DeviceMemory
from ..launch_grid import WARP, DeviceLimits, Launch
from .launches import each_of, indented, kernel_of
from .radix_sort import lines_launch, sums_text

if TYPE_CHECKING:
    from ...eager.operands import EagerOperand
    from ..device import CudaDevice

MOST_ELEMENTS = (1 << 31) - 1
"""Elements whose count fits the counters."""


def nonzero(device: CudaDevice, operand: EagerOperand, by_axis: bool) -> DeviceArray:
    """The places of what is not zero, row by row, as int64.   Shapes: [count, axes], or [axes, count] if `by_axis`.

    operand: an array with axes, of `MOST_ELEMENTS` at most. It waits for the device once.
    """
    type = operand.type
    assert type.dtype is not None
    axes, size = len(type.shape), type.size
    if not size:
        return empty((axes, 0) if by_axis else (0, axes), np.dtype(np.int64))
    rounds = _rounds(size)
    parts = -(-size // (WARP * rounds))
    counts, total = DeviceMemory(4 * parts), DeviceMemory(8)
    launch = _launch(parts, device.limits)
    sizes = (size, parts, rounds, *type.shape, *operand.strides)
    array: Any = operand.array
    count = device.load(_text(type.dtype.itemsize, type.dtype.is_float, axes, device.limits.warps, stores=False))
    device.launch(count, launch, (array.address, counts.address, *sizes))
    sums = device.load(sums_text(device.limits.threads))
    device.launch(sums, lines_launch(1, device.limits), (counts.address, total.address, 1, parts))
    found = np.zeros(1, np.int64)
    device.download(total.address, found.view(np.uint8))
    number = int(found[0])
    result = empty((axes, number) if by_axis else (number, axes), np.dtype(np.int64))
    if number:
        steps = (number, 1) if by_axis else (1, axes)
        store = device.load(_text(type.dtype.itemsize, type.dtype.is_float, axes, device.limits.warps, stores=True))
        device.launch(store, launch, (array.address, counts.address, result.address, *steps, *sizes))
    return result


def _rounds(size: int) -> int:
    """The elements of a part that each lane goes through."""
    return 8 if size <= 1 << 18 else 64


def _launch(parts: int, limits: DeviceLimits) -> Launch:
    return Launch((max(1, min(-(-parts // limits.warps), limits.blocks)), 1, 1), (WARP, limits.warps, 1))


def _text(itemsize: int, is_float: bool, axes: int, warps: int, stores: bool) -> str:
    """Python source that defines `kernel`, which counts in each part what is not zero, or stores its places."""
    sign = 1 << (8 * itemsize - 1)
    is_set = f"(bits & uint64({sign - 1:#x})) != uint64(0)" if is_float else "bits != uint64(0)"
    places = [f"along{k} = rest % size{k}" for k in range(axes)]
    apart: list[str] = ["rest = place"]
    for k in reversed(range(axes)):
        apart += [places[k], f"rest = rest // size{k}"] if k else ["along0 = rest"]
    ask = [
        f"place = (part * rounds + round) * {WARP} + lane",
        "flag = 0",
        "if place < n:",
        *indented(apart),
        "    bits = uint64(px[" + " + ".join(f"along{k} * stride{k}" for k in range(axes)) + "])",
        f"    if {is_set}:",
        "        flag = 1",
        "alike = lanes_alike(flag)",
        "found = alike if flag == 1 else alike ^ 0xffffffff",
    ]
    if stores:
        begin, end = "held = int64(pc[part])", []
        body = [
            *ask,
            "if flag == 1:",
            "    target = (held + count_bits(found & below)) * place_step",
            *indented(apart),
            *(f"    po[target + {k} * axis_step] = int64(along{k})" for k in range(axes)),
            "held += count_bits(found)",
        ]
    else:
        begin, end = "held = int64(0)", ["    if lane == 0:", "        pc[part] = int32(held)"]
        body = [*ask, "held += count_bits(found)"]
    lines = [
        f"px = pointer_u{8 * itemsize}(x)",
        "pc = pointer_i32(counts)",
        *(["po = pointer_i64(out)"] if stores else []),
        "lane = cuda.threadIdx.x",
        "below = (1 << lane) - 1",
        f"part = cuda.blockIdx.x * {warps} + cuda.threadIdx.y",
        "while part < parts:",
        f"    {begin}",
        *indented(each_of("round", "0", "rounds", 1, body)),
        *end,
        f"    part += cuda.gridDim.x * {warps}",
    ]
    own = ["out", "axis_step", "place_step"] if stores else []
    sizes = [*(f"size{k}" for k in range(axes)), *(f"stride{k}" for k in range(axes))]
    return kernel_of(["x", "counts", *own, "n", "parts", "rounds", *sizes], lines)
