"""DLPack capsules of arrays on a device, made and read: other libraries and we see one memory, without a copy.

Source: the DLPack standard 1.1, dlpack.h; stream numbers as in the Python array API standard.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from ....core import dtypes
from ....core.devices import FIRST_CUDA
from ....core.devices.arrays import DeviceArray
from ....core.devices.cuda_array_interface import DEFAULT_STREAM, foreign
from ....core.devices.layout import dense_strides
from ....core.dtypes import DType
from ....core.floors import DEVICE_MEMORY, asked
from .capsule_ends import PLAIN, VERSIONED, end_of

CUDA_KIND = 2
"""kDLCUDA."""
VERSION = 1, 1
READ_ONLY, COPIED = 1, 2
"""Bits of the flags of a versioned capsule."""
_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
_NARROW = {dtypes.bfloat16: (4, 16), dtypes.float8_e4m3fn: (10, 8), dtypes.float8_e5m2: (12, 8)}
"""(code, bits) of the dtypes that NumPy does not have."""

Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class DLTensor(ctypes.Structure):
    """DLTensor of dlpack.h."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("kind", ctypes.c_int32),
        ("device", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


class Managed(ctypes.Structure):
    """DLManagedTensor of dlpack.h."""

    _fields_ = (("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class ManagedVersioned(ctypes.Structure):
    """DLManagedTensorVersioned of dlpack.h."""

    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", DLTensor),
    )


_api = ctypes.pythonapi
_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_New", _api))
_is_called = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _api))
_inside = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))
_hold = ctypes.PYFUNCTYPE(None, ctypes.py_object)(("Py_IncRef", _api))
_rename = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_SetName", _api))


def exported(array: DeviceArray, stream: Any, max_version: Any, copy: bool | None) -> Any:
    """A capsule over the memory of an array on a device.

    stream: of the consumer, which waits for what was asked of the device before; None for the default one, -1 where
        the consumer sees to that by itself.
    max_version: the newest version that the consumer knows; without it the capsule has none.
    Errors: BufferError for a dtype that DLPack has not, or read-only memory without a version.
    """
    if copy:
        array = array.copy()
    versioned = max_version is not None and max_version[0] >= 1
    if not array.writeable and not versioned:
        raise BufferError("the memory of this tensor is read-only, which only DLPack 1.0 can say; clone() it first")
    code, bits = _type_of(array.dtype)
    array.memory.copies.look_at_checks()
    copies, consumer = array.memory.copies, DEFAULT_STREAM if stream is None else int(stream)
    if consumer not in (-1, copies.stream_number()):
        copies.let_wait(consumer)
    itemsize, count = array.itemsize, max(array.ndim, 1)
    shape = (ctypes.c_int64 * count)(*array.shape)
    strides = (ctypes.c_int64 * count)(*(step // itemsize for step in array.strides))
    tensor = DLTensor(array.address, CUDA_KIND, array.device.index or 0, array.ndim, code, bits, 1, shape, strides, 0)
    managed: Managed | ManagedVersioned
    name = VERSIONED if versioned else PLAIN
    ends = end_of(name, (ManagedVersioned if versioned else Managed).context.offset)
    if versioned:
        flags = (0 if array.writeable else READ_ONLY) | (COPIED if copy else 0)
        managed = ManagedVersioned(*VERSION, None, ends.deleter, flags, tensor)
    else:
        managed = Managed(tensor, None, ends.deleter)
    owner = managed, shape, strides, array
    managed.context = id(owner)
    capsule = _new(ctypes.addressof(managed), name, ends.destructor)
    _hold(owner)  # until one of the ends, of the capsule or of who takes what is in it, lets go
    return capsule


class _Taken:
    """The memory of a capsule; its producer is told when we need it no more."""

    def __init__(self, managed: Managed | ManagedVersioned, address: int) -> None:
        self.managed, self._address = managed, address

    def __del__(self) -> None:
        if self.managed.deleter:
            Deleter(self.managed.deleter)(self._address)


def imported(producer: Any, copy: bool | None = None) -> DeviceArray:
    """An array over the memory of another library's array on a GPU. The producer orders its work before ours.

    Errors: BufferError for another device or a dtype that tensors have not; whatever the producer raises.
    """
    stream = asked(DEVICE_MEMORY)().stream_number()
    try:
        capsule = producer.__dlpack__(stream=stream, max_version=VERSION)
    except TypeError:  # it is from before version 1.0
        capsule = producer.__dlpack__(stream=stream)
    for name, kind in ((VERSIONED, ManagedVersioned), (PLAIN, Managed)):
        if _is_called(id(capsule), name):
            address = _inside(id(capsule), name)
            managed = kind.from_address(address)
            break
    else:
        raise BufferError(
            f"__dlpack__ of {type(producer).__name__} gave no DLPack capsule, or one that was used before"
        )
    if kind is ManagedVersioned and managed.major != VERSION[0]:
        raise BufferError(f"a DLPack capsule of version {managed.major}.{managed.minor}; versions 0 and 1 are known")
    found = _array(managed)
    _rename(capsule, b"used_" + name)
    found.memory.owner = _Taken(managed, address)  # type: ignore[union-attr]
    if kind is ManagedVersioned and managed.flags & READ_ONLY:
        found.writeable = False
    return found.copy() if copy else found


def _array(managed: Managed | ManagedVersioned) -> DeviceArray:
    tensor = managed.tensor
    if (tensor.kind, tensor.device) != (CUDA_KIND, FIRST_CUDA.index):
        raise BufferError(f"an array of device {tensor.kind}:{tensor.device} in DLPack's numbers; cuda:0 is 2:0")
    dtype = _dtype_of(tensor.code, tensor.bits, tensor.lanes).numpy
    shape = tuple(tensor.shape[axis] for axis in range(tensor.ndim))
    strides = dense_strides(shape, dtype.itemsize)
    if tensor.strides:
        strides = tuple(tensor.strides[axis] * dtype.itemsize for axis in range(tensor.ndim))
    return foreign(int(tensor.data or 0) + tensor.offset, shape, strides, dtype, None)


def _type_of(dtype: np.dtype[Any]) -> tuple[int, int]:
    """The code and the bits of a dtype."""
    narrow = _NARROW.get(dtypes.held(dtype))  # type: ignore[arg-type]
    if narrow is not None:
        return narrow
    if dtype.kind not in _CODES:
        raise BufferError(f"DLPack has no dtype {dtype}")
    return _CODES[dtype.kind], dtype.itemsize * 8


def _dtype_of(code: int, bits: int, lanes: int) -> DType:
    for each in (*dtypes.ALL, *dtypes.NARROW):
        if lanes == 1 and _type_of(each.numpy) == (code, bits):
            return each
    raise BufferError(f"an array of DLPack's dtype (code {code}, {bits} bits, {lanes} lanes), which tensors have not")
