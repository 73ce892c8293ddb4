"""Objects as trees of JSON and a list of memories."""

from __future__ import annotations

import struct
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.devices import Device
from ..core.devices.host_or_device import address_of, device_of, on_host
from ..core.dtypes import DType
from ..core.strided import strided
from ..core.watched_containers import WatchedDict, WatchedList
from ..tensor import Tensor
from ..tensor.generator import Generator
from ..tensor.parameter import Buffer, Parameter
from ..tensor.sparse_tensor import SparseTensor
from .errors import UnsavableError

Array = np.ndarray[Any, Any]
Tree = Any
Rule = Callable[["Encoder", Any], Any]
LARGE = 2**63
ARRAY_KINDS = "biufcSUmM"
"""NumPy's kinds of elements that a .npy file holds without pickle."""


class Encoder:
    """The memories of an object, and what was met of it and may be met again."""

    def __init__(self) -> None:
        self.memories: list[tuple[Array, dict[str, Any]]] = []
        self._of_storage: dict[int, tuple[int, int]] = {}
        self._trees: dict[int, dict[str, Any]] = {}
        self._open: set[int] = set()
        self._alive: list[Any] = []
        self._path: list[tuple[str, Any]] = []
        self._numbers = 0

    def tree(self, value: Any) -> Tree:
        """The tree of a value.

        Errors: UnsavableError, with the place in the object, for what a file does not hold.
        """
        kind = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if kind is int:
            return value if -LARGE <= value < LARGE else {"int": hex(value)}
        if kind is float:
            return value if value - value == 0 else {"float": struct.pack("<d", value).hex()}
        known = self._trees.get(id(value))
        if known is not None:
            if "id" not in known:
                known["id"] = self._numbers
                self._numbers += 1
            return {"same": known["id"]}
        rule = RULES.get(kind) or (_scalar if isinstance(value, np.generic) else None)
        if rule is None:
            raise UnsavableError(f"{self.place()} is {_article(kind)}, which a file does not hold; {_remedy(value)}")
        if id(value) in self._open:
            raise UnsavableError(f"{self.place()} is a tuple or set that holds itself, which a file does not hold")
        if rule in (_pairs, _sequence):  # they may hold themselves
            tree: dict[str, Any] = {}
            self._trees[id(value)] = tree
            whole = rule(self, value) | tree  # the kind first, then the id that it may have got
            tree.clear()
            tree.update(whole)
        else:
            self._open.add(id(value))
            tree = rule(self, value)
            self._open.discard(id(value))
            self._trees[id(value)] = tree
        self._alive.append(value)
        return tree

    def below(self, step: str, name: Any, value: Any) -> Tree:
        """The tree of a part of a value.   step: how the part is reached by its name, for errors."""
        self._path.append((step, name))
        tree = self.tree(value)
        self._path.pop()
        return tree

    def place(self) -> str:
        """The place of the value at which it is now, as Python writes it."""
        return "the object" + "".join(step.format(name) for step, name in self._path)

    def memory(self, storage: Array) -> tuple[int, int] | None:
        """The number of a memory, and the address of its first byte; None where it is made of no whole elements."""
        found = self._of_storage.get(id(storage))
        if found is None:
            flat = _flat(storage)
            if flat is None:
                return None
            found = self.add(flat, device_of(storage)), address_of(flat)
            self._of_storage[id(storage)] = found
            self._alive.append(storage)
        return found

    def add(self, array: Array, device: str = "cpu") -> int:
        """The number of a further memory."""
        about = {"dtype": _name(array.dtype)} | ({} if device == "cpu" else {"device": device})
        self.memories.append((on_host(array), about))
        return len(self.memories) - 1


def _article(kind: type) -> str:
    return f"an object of class {kind.__module__}.{kind.__qualname__}"


def _remedy(value: Any) -> str:
    if hasattr(value, "state_dict"):
        return "save what its state_dict() gives"
    if isinstance(value, Tensor):
        return "save its elements as a Tensor"
    if isinstance(value, np.ndarray):
        return f"arrays of dtype {value.dtype} hold objects or fields; save arrays of numbers"
    if isinstance(value, tuple) or isinstance(value, (dict, list, set)):
        return "save it as one of the built-in containers"
    return "save the numbers, strings, tensors and containers that it is made of"


def _name(dtype: np.dtype[Any]) -> str:
    held = dtypes.held(dtype)
    return dtype.str if held is None else held.name


def _flat(storage: Array) -> Array | None:
    """The memory that an array spans, as an array of one axis over it; None where it is made of no whole elements."""
    item = storage.itemsize
    if storage.flags.c_contiguous:
        return storage.reshape(-1)
    if not storage.size:
        return np.empty(0, storage.dtype)
    if any(step % item for step in storage.strides):
        return None
    first = storage[tuple(slice(None, None, -1 if step < 0 else 1) for step in storage.strides)]
    count = 1 + sum((extent - 1) * step // item for extent, step in zip(first.shape, first.strides))
    return strided(first, (count,), (item,), writeable=False)


# Rules, by type.


def _sequence(encoder: Encoder, value: Any) -> Tree:
    return {"list": [encoder.below("[{}]", number, each) for number, each in enumerate(value)]}


def _fixed_sequence(encoder: Encoder, value: Any) -> Tree:
    parts = [encoder.below("[{}]", number, each) for number, each in enumerate(value)]
    return {"tuple": parts} if type(value) is tuple else {"deque": parts, "maxlen": value.maxlen}


def _set(encoder: Encoder, value: Any) -> Tree:
    parts = [encoder.below(" (element {!r})", each, each) for each in _in_order(value)]
    return {"set" if type(value) is set else "frozenset": parts}


def _in_order(value: Any) -> list[Any]:
    """The elements of a set in an order that is the same in each process, where they have one."""
    try:
        return sorted(value)
    except TypeError:
        return list(value)


def _pairs(encoder: Encoder, value: Any) -> Tree:
    kinds: dict[type, str] = {OrderedDict: "ordered_dict", Counter: "counter"}
    return {kinds.get(type(value), "dict"): [_pair(encoder, key, each) for key, each in value.items()]}


def _pair(encoder: Encoder, key: Any, value: Any) -> Tree:
    return [encoder.below(" (key {!r})", key, key), encoder.below("[{!r}]", key, value)]


def _tensor(encoder: Encoder, value: Tensor) -> Tree:
    array = value._array
    found = encoder.memory(value._storage) if array.size else None
    if found is None:
        found = encoder.add(np.ascontiguousarray(on_host(array)).reshape(-1), device_of(array)), 0
        start, strides = 0, None
    else:
        start, strides = address_of(array) - found[1], None if array.flags.c_contiguous else list(array.strides)
    tree: dict[str, Any] = {"tensor": found[0], "dtype": value.dtype.name, "shape": list(value.shape)}
    if start:
        tree["offset"] = start
    if strides is not None:
        tree["strides"] = strides
    if value.requires_grad:
        tree["requires_grad"] = True
    if type(value) is Parameter:
        tree["parameter"] = True
        if value.__dict__:
            tree["attributes"] = encoder.below(".{}", "__dict__", dict(value.__dict__))
    return tree


def _sparse(encoder: Encoder, value: SparseTensor) -> Tree:
    places, held = value._places.detach(), value._held.detach()
    tree = {
        "sparse_coo": encoder.below(".{}()", "_indices", places),
        "values": encoder.below(".{}()", "_values", held),
        "size": list(value.shape),
    }
    if value.is_coalesced():
        tree["coalesced"] = True
    if value.requires_grad:
        tree["requires_grad"] = True
    return tree


def _array(encoder: Encoder, value: Array) -> Tree:
    if value.dtype.kind not in ARRAY_KINDS and dtypes.held(value.dtype) is None:
        raise UnsavableError(f"{encoder.place()} is an array that a file does not hold; {_remedy(value)}")
    return {"array": encoder.add(np.array(value, order="C").reshape(-1)), "shape": list(value.shape)}


def _scalar(encoder: Encoder, value: np.generic) -> Tree:
    if dtypes.held(value.dtype) is None:
        raise UnsavableError(
            f"{encoder.place()} is {_article(type(value))}, which a file does not hold; save its item()"
        )
    return {"scalar": np.asarray(value).tobytes().hex(), "dtype": _name(value.dtype)}


def _three(name: str) -> Rule:
    return lambda encoder, value: {name: [encoder.tree(each) for each in (value.start, value.stop, value.step)]}


RULES: dict[type, Rule] = {
    **dict.fromkeys((list, WatchedList), _sequence),
    **dict.fromkeys((tuple, deque), _fixed_sequence),
    **dict.fromkeys((set, frozenset), _set),
    **dict.fromkeys((dict, OrderedDict, Counter, WatchedDict), _pairs),
    **dict.fromkeys((Tensor, Parameter, Buffer), _tensor),
    SparseTensor: _sparse,
    np.ndarray: _array,
    bytes: lambda encoder, value: {"bytes": value.hex()},
    bytearray: lambda encoder, value: {"bytearray": value.hex()},
    complex: lambda encoder, value: {"complex": struct.pack("<2d", value.real, value.imag).hex()},
    slice: _three("slice"),
    range: _three("range"),
    DType: lambda encoder, value: {"dtype": value.name},
    Device: lambda encoder, value: {"device": str(value)},
    Generator: lambda encoder, value: {"generator": value.state_bytes().tobytes().hex()},
}
