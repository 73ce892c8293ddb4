"""Runs compiled graphs without compiling: kernel text executed by CPython over raw memory, products by NumPy.

Slow and strict: every access is checked against the memory that the call owns, and results keep their dtype.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from guardlift.backend.compile import CompiledGraph
from guardlift.backend.cpu.compiler.noalias_pointers import names_of_pointers
from guardlift.backend.cpu.compiler.scratch import names_of_scratch
from guardlift.backend.evaluate.buffers import Buffer, BufferView
from guardlift.backend.launch.call_outs import CallOutCall
from guardlift.backend.launch.calls import ForeachCall, KernelCall
from guardlift.backend.lowering.lower import BoundKernel
from guardlift.backend.math.table import TABLE
from guardlift.backend.schedule.matmul import ProductCall, batch_form, matrix_form
from guardlift.core import dtypes
from guardlift.ops import call_outs

Array = np.ndarray[Any, Any]
SIDE_EXIT = "side exit"


class Memory(int):
    """An address that knows the bounds of its block."""

    low: int
    high: int


def memory(address: int, low: int, high: int) -> Memory:
    made = Memory(address)
    made.low, made.high = low, high
    return made


class Pointer:
    """The pointer that `pointer_f32(address)` gives in kernel text."""

    owner: Array

    def __init__(self, address: Memory, dtype: Any) -> None:
        self.address, self.type, self.size = address, dtype.type, dtype.itemsize
        self.native = ctypes.c_char * self.size if dtype.kind == "c" else np.ctypeslib.as_ctypes_type(dtype)

    def _cell(self, index: Any) -> Any:
        place = int(self.address) + int(index) * self.size
        if not self.address.low <= place <= self.address.high - self.size:
            raise IndexError(f"element {index} lies outside of the block")
        return self.native.from_address(place)

    def __getitem__(self, index: Any) -> Any:
        cell = self._cell(index)
        return np.frombuffer(cell, self.type)[0] if issubclass(self.type, np.complexfloating) else self.type(cell.value)

    def __setitem__(self, index: Any, value: Any) -> None:
        assert isinstance(value, self.type), f"a {type(value).__name__} stored as {self.type.__name__}"
        cell = self._cell(index)
        if issubclass(self.type, np.complexfloating):
            np.frombuffer(cell, self.type)[:] = value
        else:
            cell.value = value.item()


@cache
def _names() -> dict[str, Any]:
    names: dict[str, Any] = dict(TABLE)
    for dtype in (*dtypes.ALL, *dtypes.COMPLEX):
        names["boolean" if dtype.is_bool else dtype.name] = dtype.numpy.type
        names[f"pointer_{dtype.code}"] = lambda address, kind=dtype.numpy: Pointer(address, kind)
    return names


def _scratch(dtype: Any, count: int) -> Pointer:
    """Memory of one call, full of noise."""
    noise = _fresh((count,), (1,), dtype)
    made = Pointer(memory(noise.ctypes.data, *_bounds(noise)), dtype)
    made.owner = noise
    return made


@cache
def _function(text: str) -> Callable[..., int]:
    namespace = dict(_names())
    for name, (code, count) in names_of_scratch(text).items():
        namespace[name] = partial(_scratch, dtypes.from_code(code).numpy, count)
    for name in names_of_pointers(text):
        namespace[name] = namespace["_".join(name.split("_")[:2])]
    exec(compile(text, "<kernel>", "exec"), namespace)
    return namespace["kernel"]  # type: ignore[no-any-return]


def _bounds(array: Array) -> tuple[int, int]:
    if array.size == 0:
        return array.ctypes.data, array.ctypes.data
    low, high = np.lib.array_utils.byte_bounds(array)
    return int(low), int(high)


def _fresh(shape: tuple[int, ...], strides: tuple[int, ...], dtype: Any) -> Array:
    """An array that is full of noise, so that elements nobody stored show."""
    order = sorted(range(len(shape)), key=lambda k: -strides[k])
    flat = np.frombuffer(np.random.default_rng(7).bytes(max(1, int(np.prod(shape))) * dtype.itemsize), np.uint8)
    dense = (flat & 1 if dtype == np.bool_ else flat).copy().view(dtype)[: int(np.prod(shape))]
    made = dense.reshape([shape[k] for k in order]).transpose(np.argsort(order)) if shape else dense.reshape(())
    wanted = tuple(stride * dtype.itemsize for stride in strides)
    assert made.size == 0 or all(a == b for a, b, n in zip(made.strides, wanted, shape, strict=True) if n > 1)
    return made


def run_plain(compiled: CompiledGraph, arguments: Sequence[Any], lifted: Sequence[Array] = ()) -> Any:
    """The list of results, or SIDE_EXIT."""
    arguments = _all_inputs(compiled, arguments, lifted)
    blocks: dict[int, tuple[int, int, int]] = {}
    kept: list[Any] = []
    first = len(compiled.layout.inputs)
    for k, (argument, entry) in enumerate(zip(arguments, compiled.layout.inputs, strict=True)):
        cell = argument if entry.kind in ("array", "lifted") else np.array(argument, entry.type.dtype.numpy)
        kept.append(cell)
        blocks[k] = (cell.ctypes.data, *_bounds(cell))
    results: list[Any] = []
    for j, output in enumerate(compiled.layout.outputs):
        made: Any = None
        if output.kind in ("fresh", "scalar"):
            type = compiled.graph.outputs[output.node].type
            made = _fresh(type.shape, output.strides if output.kind == "fresh" else (), type.dtype.numpy)
            blocks[first + j] = (made.ctypes.data, *_bounds(made))
        results.append(made)
    arena = np.frombuffer(np.random.default_rng(9).bytes(compiled.arena_nbytes + 64), np.uint8).copy()
    start = first + len(compiled.layout.outputs)
    for k, (offset, nbytes) in enumerate(compiled.temporaries):
        at = arena.ctypes.data + offset
        blocks[start + k] = (at, at, at + nbytes)
    with np.errstate(all="ignore"):
        for call in compiled.calls:
            run = RUN[call.__class__]
            if run(compiled, call, blocks):
                return SIDE_EXIT
    return [_result(entry, arguments, results, j) for j, entry in enumerate(compiled.layout.outputs)]


def _all_inputs(compiled: CompiledGraph, arguments: Sequence[Any], lifted: Sequence[Array]) -> list[Any]:
    """Arguments and lifted arrays, in the order of the graph's inputs."""
    given, fixed = iter(arguments), iter(lifted)
    merged = [next(fixed if entry.kind == "lifted" else given) for entry in compiled.layout.inputs]
    assert not [*given, *fixed]
    return merged


def _result(entry: Any, arguments: Sequence[Any], results: list[Any], j: int) -> Any:
    if entry.kind == "input":
        return arguments[entry.input]
    if entry.kind == "view":
        base = arguments[entry.base[1]] if entry.base[0] == "input" else results[entry.base[1]]
        size = base.dtype.itemsize
        at = base.ctypes.data + entry.offset * size
        low, high = _bounds(base)
        holder = (ctypes.c_char * max(1, high - low)).from_address(low)
        return np.ndarray(entry.shape, base.dtype, holder, at - low, tuple(step * size for step in entry.strides))
    return results[j]


def _run_kernel(compiled: CompiledGraph, call: KernelCall, blocks: dict[int, tuple[int, int, int]]) -> int:
    addresses = []
    for pointer in call.bound.pointers:
        base, low, high = blocks[compiled.slots[pointer.buffer]]
        addresses.append(memory(base + pointer.offset * pointer.buffer.dtype.itemsize, low, high))
    addresses.append(0)  # nobody looks whether another chunk has failed: there is none
    try:
        return int(_function(call.text)(addresses, call.bound.sizes, 0, call.bound.extent))
    except ValueError:  # Python's own power; native code goes on, with a status set
        return 1


def _run_table(compiled: CompiledGraph, call: ForeachCall, blocks: dict[int, tuple[int, int, int]]) -> int:
    for extent, pointers in call.bound.rows:
        row = BoundKernel(call.bound.kernel, pointers, call.bound.sizes, extent, 0.0)
        if _run_kernel(compiled, KernelCall(row, call.text, call.name), blocks):
            return 1
    return 0


def _run_product(compiled: CompiledGraph, call: ProductCall, blocks: dict[int, tuple[int, int, int]]) -> int:
    a, b, c = (_matrices(compiled, view, blocks) for view in (call.left, call.right, call.result))
    c[...] = np.matmul(a, b)
    return 0


def _run_call_out(compiled: CompiledGraph, call: CallOutCall, blocks: dict[int, tuple[int, int, int]]) -> int:
    given = [_seen(compiled, view, blocks) for view in call.operands]
    made = call_outs.evaluate(given, dict(call.node.attrs), None)
    for view, array in zip(call.results, made, strict=True):
        _seen(compiled, view, blocks)[...] = array
    return 0


def _seen(compiled: CompiledGraph, view: BufferView, blocks: dict[int, tuple[int, int, int]]) -> Array:
    """The memory of a view as an array."""
    dtype, (base, low, high) = view.buffer.dtype.numpy, blocks[compiled.slots[view.buffer]]
    if 0 in view.shape:
        return np.empty(view.shape, dtype)
    holder = (ctypes.c_char * (high - low)).from_address(low)
    strides = tuple(step * dtype.itemsize for step in view.strides)
    return np.ndarray(view.shape, dtype, holder, base + view.offset * dtype.itemsize - low, strides)


def _matrices(compiled: CompiledGraph, view: BufferView, blocks: dict[int, tuple[int, int, int]]) -> Array:
    """The operand as BLAS reads it: from its leading dimension and transposition, not from its strides."""
    form = matrix_form(view)
    assert form is not None
    buffer: Buffer = view.buffer
    base, low, high = blocks[compiled.slots[buffer]]
    count, step = batch_form(view)
    rows, columns = view.shape[-2:]
    strides = (step, 1, form[0]) if form[1] else (step, form[0], 1)
    holder = (ctypes.c_char * max(1, high - low)).from_address(low)
    size = buffer.dtype.itemsize
    offset = base + view.offset * size - low
    return np.ndarray(
        (count, rows, columns), buffer.dtype.numpy, holder, offset, tuple(each * size for each in strides)
    )


RUN: dict[type, Callable[..., int]] = {
    KernelCall: _run_kernel,
    ForeachCall: _run_table,
    ProductCall: _run_product,
    CallOutCall: _run_call_out,
}
