"""Programs of graphs for a device as plain data: records by name, numbers, and texts of kernels."""

from __future__ import annotations

from math import prod
from typing import Any

from ...core.dtypes import DType, from_code
from ...core.errors import NotWritable
from ...core.records import field_names
from ..artifacts.step_codec import need, numbers
from .issuer import SCRATCH, TICKETS
from .launch_grid import AXIS_BLOCKS, Launch
from .plan import CudaProgram
from .products.launches import Matrices, Product
from .products.library_products import LibraryProduct, has_library, library_product
from .steps import CudaForeachStep, CudaLibraryStep, CudaNumber, CudaOperand, CudaStep

_RECORDS = {
    each.__name__: each
    for each in (
        CudaForeachStep,
        CudaLibraryStep,
        CudaNumber,
        CudaOperand,
        CudaProgram,
        CudaStep,
        Launch,
        Matrices,
        Product,
    )
}
"""The records that a program is made of. Steps of other kinds have to do with the host."""
_MOST_THREADS, _MOST_BLOCKS, _MOST_BYTES = 1024, 2**31, 2**62


# -- writing ----------------------------------------------------------------------------------------------------------
def written(program: CudaProgram) -> Any:
    """A program as data. Errors: NotWritable for one with a step that is not launches alone."""
    return _written(program)


def _written(value: Any) -> Any:
    """A value as data: a list begins with the name of what it is; texts and numbers are themselves."""
    if value is None or type(value) in (int, bool, str):
        return value
    if type(value) is tuple:
        return ["tuple", *map(_written, value)]
    if type(value) is frozenset:
        return ["set", *map(_written, sorted(value))]
    if isinstance(value, DType) and from_code(value.code) is value:
        return ["dtype", value.code]
    if type(value) is LibraryProduct:
        return ["library", _written(value.product), value.adds_row]
    if _RECORDS.get(type(value).__name__) is type(value):
        return [type(value).__name__, *(_written(getattr(value, name)) for name in field_names(value))]
    raise NotWritable(f"its plan has a {type(value).__name__}, which works on the host")


# -- reading ----------------------------------------------------------------------------------------------------------
def read(data: Any, inputs: int, operands: int) -> CudaProgram:
    """The program in what `written` gave, for a plan with so many inputs and operands that are no intermediates.

    Errors: KeyError, TypeError, ValueError, IndexError for other data, or where a library came or went."""
    found = _read(data)
    need(type(found) is CudaProgram, "the program")
    _check(found, inputs, operands)
    need(found.library is None or found.library == has_library(), "the library of its products")
    return found  # type: ignore[no-any-return]


def _read(data: Any) -> Any:
    if type(data) is not list:
        need(data is None or type(data) in (int, bool, str), "a value")
        return data
    name, *rest = data
    if name == "dtype":
        (code,) = rest
        return from_code(code)
    values = [_read(each) for each in rest]
    if name == "tuple":
        return tuple(values)
    if name == "set":
        return frozenset(values)
    if name == "library":
        product, adds_row = values
        need(type(product) is Product and type(adds_row) is bool, "a product")
        made = library_product(product, adds_row)
        need(made is not None, "a product of the library")
        return made
    record = _RECORDS[name]
    need(len(values) == len(field_names(record)), f"the fields of a {name}")
    return record(*values)


# -- checking ---------------------------------------------------------------------------------------------------------
def _check(program: CudaProgram, inputs: int, operands: int) -> None:
    """Errors: TypeError, ValueError unless it was written for a plan with so many inputs and operands."""
    need(type(program.by_value) is type(program.can_fail) is bool, "a flag")
    need(program.library is None or type(program.library) is bool, "a flag")
    need(type(program.settings) is tuple, "the settings")
    for name, value in program.settings:
        need(type(name) is str and type(value) in (bool, str), "a setting")
    numbers([program.scratch, program.tickets, program.arena_nbytes], 0, _MOST_BYTES)
    numbers([*program.written], 0, inputs)
    for offset, nbytes in program.temporaries:
        numbers([offset, nbytes], 0, program.arena_nbytes + 1)
        need(offset + nbytes <= program.arena_nbytes, "a temporary")
    slots = operands + len(program.temporaries)
    need(type(program.steps) is tuple, "the steps")
    step: Any
    for step in program.steps:
        need(type(step) in (CudaStep, CudaForeachStep, CudaLibraryStep), "a step")
        need(all(type(each) is str for each in (step.name, step.form, step.text)), "a text")
        if isinstance(step, CudaForeachStep):
            for extent, row in step.rows:
                numbers([extent], 0)
                _check_operands(row, slots)
        else:
            _check_operands(step.operands, slots)
        if isinstance(step, CudaLibraryStep):
            need(type(step.product) is LibraryProduct, "a product of the library")
            continue
        need(type(getattr(step, "fails", True)) is bool, "a flag")
        numbers([*step.numbers])
        _check_sizes(step.sizes)


def _check_operands(operands: Any, slots: int) -> None:
    need(type(operands) is tuple, "the operands of a step")
    for each in operands:
        need(type(each) in (CudaOperand, CudaNumber), "an operand")
        if each.slot not in (SCRATCH, TICKETS):
            numbers([each.slot], 0, slots)
        numbers([getattr(each, "offset", 0)])


def _check_sizes(sizes: Any) -> None:
    need(type(sizes) is Launch and len(sizes.grid) == len(sizes.block) == 3, "the sizes of a launch")
    numbers([sizes.grid[0]], 0, _MOST_BLOCKS)
    numbers([*sizes.grid[1:]], 0, AXIS_BLOCKS + 1)
    numbers([*sizes.block], 1, _MOST_THREADS + 1)
    need(prod(sizes.block) <= _MOST_THREADS, "the threads of a block")
