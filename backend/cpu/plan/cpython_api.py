"""Addresses of what the native runner needs from CPython and NumPy, and proof that their objects look as assumed."""

from __future__ import annotations

import ctypes
import sys
import weakref
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy._core import _multiarray_umath  # type: ignore[attr-defined]

from ....core.errors import KernelError
from ...platform_support import why_unsupported
from . import table_layout as at

# Indices into NumPy's table of C functions. Source: numpy/_core/include/numpy/__multiarray_api.h
_NUMPY_FUNCTIONS = {
    "guardlift_scalar_new": 60,  # PyArray_Scalar
    "guardlift_scalar_read": 62,  # PyArray_ScalarAsCtype
    "guardlift_array_new": 94,  # PyArray_NewFromDescr
    "guardlift_array_set_base": 282,  # PyArray_SetBaseObject
    "guardlift_set_memory_handler": 304,  # PyDataMem_SetHandler
}
_ARRAY_TYPE_INDEX = 2
_DEFAULT_MEMORY_HANDLER_INDEX = 306  # PyDataMem_DefaultHandler


def object_address(thing: object) -> int:
    """The address of `thing`, while it lives."""
    return id(thing)  # CPython: the identity of an object is its address


@cache
def numpy_functions() -> dict[str, int]:
    """Addresses of NumPy's C functions under the names that the runner's source gives them."""
    table = _numpy_table()
    return {name: table[index] for name, index in _NUMPY_FUNCTIONS.items()}


@cache
def check_layouts() -> None:
    """Nothing, once live objects were found to be laid out as `table_layout` says.

    Errors: KernelError on a platform that is not supported, and on an interpreter or NumPy whose objects differ.
    """
    wrong = [what for what, holds in _layout_facts() if not holds]
    if wrong:
        raise KernelError(
            f"the native CPU runtime does not know the objects of this Python {sys.version.split()[0]} with NumPy "
            f"{np.__version__}: {'; '.join(wrong)}. GUARDLIFT_DISABLE=1 runs plain NumPy."
        )


def _numpy_table() -> ctypes.Array[ctypes.c_size_t]:
    address = capsule_pointer(_multiarray_umath._ARRAY_API, None)
    return (ctypes.c_size_t * (_DEFAULT_MEMORY_HANDLER_INDEX + 1)).from_address(address)


def default_memory_handler() -> Any:
    """NumPy's own capsule of how arrays get memory. Source: numpy/_core/include/numpy/ndarraytypes.h."""
    return ctypes.cast(word_at(_numpy_table()[_DEFAULT_MEMORY_HANDLER_INDEX]), ctypes.py_object).value


def capsule_pointer(capsule: object, name: bytes | None) -> int:
    """The address that a capsule of this name holds."""
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(get_pointer(capsule, name))


def _layout_facts() -> list[tuple[str, bool]]:
    """Each assumption with whether it holds. Later ones are looked at only where the first allow it."""
    unsupported = why_unsupported()
    if unsupported:
        return [(unsupported, False)]
    basics = [("objects begin with a count and a type", word_at(id(1.5) + at.OBJECT_TYPE) == id(float))]
    if not all(holds for _, holds in basics):
        return basics
    whole = np.arange(24, dtype=np.int16).reshape(4, 6)
    view = whole[1::2, ::3]
    start, descriptor = id(view), id(view.dtype)
    shape = (ctypes.c_int64 * 2).from_address(word_at(start + at.ARRAY_SHAPE))
    strides = (ctypes.c_int64 * 2).from_address(word_at(start + at.ARRAY_STRIDES))
    flags = _int(start + at.ARRAY_FLAGS)
    value = 1.5
    alive, dead = weakref.ref(whole), weakref.ref(np.empty(0))
    referents = [word_at(id(each) + at.WEAK_REFERENCE_OBJECT) for each in (alive, dead)]
    return basics + [
        ("a float's value", ctypes.c_double.from_address(id(value) + at.FLOAT_VALUE).value == value),
        ("what a weak reference leads to", referents == [id(whole), id(None)]),
        ("NumPy's function table", _numpy_table()[_ARRAY_TYPE_INDEX] == id(np.ndarray)),
        ("an array's data", word_at(start + at.ARRAY_DATA) == view.__array_interface__["data"][0]),
        ("an array's rank", _int(start + at.ARRAY_RANK) == 2),
        ("an array's shape", tuple(shape) == view.shape),
        ("an array's strides", tuple(strides) == view.strides),
        ("an array's base", view.base is not None and word_at(start + at.ARRAY_BASE) == id(view.base)),
        ("an array's descriptor", word_at(start + at.ARRAY_DESCRIPTOR) == descriptor),
        ("an array's flags", flags == view.flags.num and bool(flags & at.FLAG_WRITEABLE)),
        ("a descriptor's type number", _int(descriptor + at.DESCRIPTOR_TYPE_NUMBER) == view.dtype.num),
        ("a descriptor's byte order", ctypes.string_at(descriptor + at.DESCRIPTOR_BYTE_ORDER, 1) == b"="),
    ]


def word_at(address: int) -> int:
    """The word of memory at `address`."""
    return ctypes.c_size_t.from_address(address).value


def _int(address: int) -> int:
    return ctypes.c_int32.from_address(address).value


class MethodDefinition(ctypes.Structure):
    """PyMethodDef. Source: CPython, Include/methodobject.h.

    It is never freed: while the interpreter exits, the garbage collector reads it after this module is gone.
    """

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )

    def __init__(self, name: bytes, function: int, flags: int, doc: bytes) -> None:
        super().__init__(name, function, flags, doc)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self))


def new_builtin(definition: MethodDefinition, table: object) -> Callable[..., Any]:
    """A builtin function with `table` as its `self`; it points to its definition."""
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    return make(ctypes.addressof(definition), table, None)  # type: ignore[no-any-return]
