"""The program of a region run by CPython over NumPy arrays, element by element: slow, and the oracle for its kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ...core import dtypes
from ...graph.interpreter import LeftRegion
from ...graph.node import Node
from ...loop_ir.encoding import decode
from ...loop_ir.ir import Kernel
from ...loop_ir.source_text import memory_code
from ..cpu.compiler import python_calls
from ..cpu.compiler.c_calls import plain_callers_named_in
from ..cpu.compiler.c_functions import address_of
from ..cpu.compiler.noalias_pointers import names_of_pointers
from ..cpu.compiler.scratch import names_of_scratch
from ..math.table import TABLE
from .kernel_text import kernel_text

Array = np.ndarray[Any, Any]


class _VectorMemory:
    """The memory of an operand, which kernel text takes for its address."""

    def __init__(self, vector: Array) -> None:
        self.vector = vector

    def __add__(self, offset: int) -> int:
        return int(self.vector.ctypes.data) + int(offset)


class _Pointer:
    """A vector that kernel text takes for a pointer; it refuses to be read or written outside of its bounds."""

    def __init__(self, memory: _VectorMemory) -> None:
        self._vector = memory.vector

    def __getitem__(self, index: Any) -> Any:
        assert 0 <= index < self._vector.size
        return self._vector[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        counted = type(value) is int and self._vector.dtype == np.int64  # the variable of a loop
        assert 0 <= index < self._vector.size and (counted or isinstance(value, self._vector.dtype.type))
        self._vector[index] = value


@cache
def _function(text: str) -> Callable[..., int]:
    names: dict[str, Any] = {
        **TABLE,
        **plain_callers_named_in(text),
        **python_calls.plain_callers_named_in(text),
    }
    for dtype in (*dtypes.ALL, *dtypes.COMPLEX):
        names["boolean" if dtype.is_bool else dtype.name] = dtype.numpy.type
        names[f"pointer_{dtype.code}"] = _Pointer
    names.update(dict.fromkeys(names_of_pointers(text), _Pointer))
    for name, (code, count) in names_of_scratch(text).items():
        vector = np.zeros(count, dtypes.from_code(code).numpy)
        names[name] = lambda vector=vector: _Pointer(_VectorMemory(vector.copy()))
    exec(compile(text, "<region>", "exec"), names)
    return names["kernel"]  # type: ignore[no-any-return]


def run_region(node: Node, operands: Sequence[Array]) -> list[Array]:
    """The results of a region: the operands that it writes, as they are then, and its numbers.

    Errors: `LeftRegion` where Python has to run the call.
    """
    kernel, written, results = decode(node.attr("program")), node.attr("written"), node.attr("results")
    sizes = node.attr("sizes")
    assert isinstance(kernel, Kernel) and isinstance(written, tuple)
    assert isinstance(results, tuple) and isinstance(sizes, tuple)
    memory = [np.array(each, order="C", copy=True) for each in operands]
    memory += [np.zeros((), dtype.numpy) for dtype in results]
    places = [_VectorMemory(each.reshape(-1).view(_held(each.dtype))) for each in memory]
    status = _function(kernel_text(kernel))(places, [_size(memory, *each) for each in sizes], 0, 1)
    if status:
        raise LeftRegion
    return [*(memory[number] for number in written), *memory[len(operands) :]]


def _held(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype by which kernel text reads memory of this one."""
    known = dtypes.in_memory(dtype)
    assert known is not None
    return dtypes.from_code(memory_code(known)).numpy


def _size(memory: Sequence[Array], what: str, number: Any, axis: int) -> int:
    if what == "value":
        return number
    if what == "function":
        return address_of(number)
    array = memory[number]
    return array.shape[axis] if what == "shape" else array.strides[axis] // array.itemsize
