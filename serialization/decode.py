"""Objects made of their trees and memories. Whatever a tree says is checked: files come from anywhere."""

from __future__ import annotations

import math
import struct
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.devices import Device
from ..core.dtypes import DType
from ..core.strided import within
from ..tensor import Tensor
from ..tensor.generator import Generator
from ..tensor.parameter import Parameter
from ..tensor.sparse import sparse_coo_tensor
from .errors import FileFormatError

Array = np.ndarray[Any, Any]
BY_NAME = {each.name: each for each in (*dtypes.ALL, *dtypes.NARROW, *dtypes.COMPLEX)}


class Decoder:
    """The memories of a file, and what was made of its trees so far.

    memories: arrays of one axis, those of tensors as tensors where these are to lie.
    """

    def __init__(self, memories: Sequence[Any]) -> None:
        self.memories = memories
        self._made: dict[int, Any] = {}

    def value(self, tree: Any) -> Any:
        """The object of a tree. Errors: FileFormatError for what is no tree."""
        if tree is None or type(tree) in (bool, int, float, str):
            return tree
        if type(tree) is not dict or not tree:
            raise FileFormatError(f"the file holds {str(tree)[:60]!r} where a value was expected")
        kind = next(iter(tree))
        if kind == "same":
            return self._made[tree["same"]]
        if kind in CONTAINERS:
            made = CONTAINERS[kind]()
            self._note(tree, made)  # it may hold itself
            _fill(self, made, tree[kind])
            return made
        if kind not in RULES:
            raise FileFormatError(
                f"the file holds a value of the kind {kind[:60]!r}, which this version of guardlift does not know"
            )
        made = RULES[kind](self, tree)
        self._note(tree, made)
        return made

    def _note(self, tree: dict[str, Any], made: Any) -> None:
        if "id" in tree:
            self._made[tree["id"]] = made


CONTAINERS: dict[str, Callable[[], Any]] = {
    "list": list,
    "dict": dict,
    "ordered_dict": OrderedDict,
    "counter": Counter,
}


def _fill(decoder: Decoder, made: Any, parts: Any) -> None:
    if type(made) is list:
        made.extend(decoder.value(each) for each in parts)
    else:
        for key, each in parts:
            made[decoder.value(key)] = decoder.value(each)


def _parts(decoder: Decoder, tree: Any, kind: str) -> list[Any]:
    return [decoder.value(each) for each in tree[kind]]


def _tensor(decoder: Decoder, tree: dict[str, Any]) -> Tensor:
    memory, dtype = decoder.memories[_natural(tree["tensor"])], BY_NAME[tree["dtype"]]
    if not isinstance(memory, Tensor):
        raise FileFormatError("a tensor of the file sees a memory that belongs to an array")
    shape = tuple(map(_natural, tree["shape"]))
    result = memory._alias()
    result._array = _seen(memory._array, dtype, shape, tree.get("strides"), _natural(tree.get("offset", 0)))
    if tree.get("parameter"):
        made = Parameter(result, requires_grad=bool(tree.get("requires_grad")))
        made._counter = memory._counter
        if "attributes" in tree:
            made.__dict__.update(decoder.value(tree["attributes"]))
        return made
    return result.requires_grad_() if tree.get("requires_grad") else result


def _seen(memory: Array, dtype: DType, shape: tuple[int, ...], given: Any, offset: int) -> Array:
    """The elements of a tensor, a view of its memory. Errors: FileFormatError where it would leave it."""
    item = dtype.itemsize
    strides = _in_rows(shape, item) if given is None else tuple(int(each) for each in given)
    if len(strides) != len(shape):
        raise FileFormatError(f"a tensor of the file has {len(shape)} axes and {len(strides)} strides")
    reaches = [(extent - 1) * step for extent, step in zip(shape, strides)]
    low, high = offset + sum(min(each, 0) for each in reaches), offset + sum(max(each, 0) for each in reaches) + item
    if 0 not in shape and (low < 0 or high > memory.nbytes):
        raise FileFormatError(
            f"a tensor of the file, of shape {list(shape)}, sees bytes {low} to {high} of a memory of {memory.nbytes}"
        )
    if memory.dtype == dtype.numpy and given is None and not offset and memory.size == math.prod(shape):
        return memory.reshape(shape)
    if 0 in shape:
        offset, strides = 0, _in_rows(shape, item)
    return within(memory, shape, dtype.numpy, offset, strides)


def _in_rows(shape: tuple[int, ...], item: int) -> tuple[int, ...]:
    """The strides of elements that lie row by row."""
    return tuple(item * math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def _natural(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise FileFormatError(f"the file holds {str(value)[:60]!r} where a size or a place was expected")
    return value


def _sparse(decoder: Decoder, tree: dict[str, Any]) -> Tensor:
    places, values = decoder.value(tree["sparse_coo"]), decoder.value(tree["values"])
    tracked, merged = bool(tree.get("requires_grad")), bool(tree.get("coalesced"))
    return sparse_coo_tensor(places, values, tree["size"], requires_grad=tracked, is_coalesced=merged)


def _array(decoder: Decoder, tree: dict[str, Any]) -> Array:
    memory = decoder.memories[_natural(tree["array"])]
    if isinstance(memory, Tensor):
        raise FileFormatError("an array of the file sees a memory that belongs to a tensor")
    return memory.reshape(tuple(map(_natural, tree["shape"])))  # type: ignore[no-any-return]


def _scalar(decoder: Decoder, tree: dict[str, Any]) -> Any:
    return np.frombuffer(bytes.fromhex(tree["scalar"]), BY_NAME[tree["dtype"]].numpy)[0]


def _deque(decoder: Decoder, tree: dict[str, Any]) -> Any:
    return deque(_parts(decoder, tree, "deque"), tree["maxlen"])


def _generator(decoder: Decoder, tree: dict[str, Any]) -> Generator:
    state = np.frombuffer(bytes.fromhex(tree["generator"]), np.uint8)
    return Generator().set_state(Tensor._wrap(state))


RULES: dict[str, Callable[[Decoder, dict[str, Any]], Any]] = {
    "tuple": lambda decoder, tree: tuple(_parts(decoder, tree, "tuple")),
    "set": lambda decoder, tree: set(_parts(decoder, tree, "set")),
    "frozenset": lambda decoder, tree: frozenset(_parts(decoder, tree, "frozenset")),
    "slice": lambda decoder, tree: slice(*_parts(decoder, tree, "slice")),
    "range": lambda decoder, tree: range(*_parts(decoder, tree, "range")),
    "deque": _deque,
    "tensor": _tensor,
    "sparse_coo": _sparse,
    "array": _array,
    "scalar": _scalar,
    "int": lambda decoder, tree: int(tree["int"], 16),
    "float": lambda decoder, tree: struct.unpack("<d", bytes.fromhex(tree["float"]))[0],
    "complex": lambda decoder, tree: complex(*struct.unpack("<2d", bytes.fromhex(tree["complex"]))),
    "bytes": lambda decoder, tree: bytes.fromhex(tree["bytes"]),
    "bytearray": lambda decoder, tree: bytearray.fromhex(tree["bytearray"]),
    "dtype": lambda decoder, tree: BY_NAME[tree["dtype"]],
    "device": lambda decoder, tree: Device(tree["device"]),
    "generator": _generator,
}
