"""Letting saved tensors be written: `allow_mutation_on_saved_tensors`, which clones them just before."""

# Note [Old values]
# While the context is open, saving a tensor gives a handle, the context knows the tensor behind it, and it is told of
# every write (see `tensor.writes`). Before one happens, the saved tensors whose stretch of memory meets the written one
# are cloned. Handles belong to the graph: when they die, all that is known of them goes. So behind a handle is an alias
# without history: the tensor itself may be the result of the node that saved it, and would keep the handle alive.

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np

from ..core.devices.host_or_device import address_of
from ..tensor.storage import owner_of
from ..tensor.tensor import Array, Tensor
from ..tensor.writes import observe, stop_observing
from .hook_contexts import saved_tensors_hooks

Tid = tuple[Any, ...]
"""The key of a save: address, shape, strides, dtype and version. Tensors that agree in these hold the same values."""


class _Tids(set[Tid]):
    """The identifiers of the tensors saved of one memory."""

    __slots__ = ()


class _Handle:
    """The handle that a record keeps of a tensor; it keeps the list alive that its memory's writes are looked up in."""

    __slots__ = ("__weakref__", "tids")

    def __init__(self, tids: _Tids) -> None:
        self.tids = tids


class _SavedTensors:
    """The tensors that have been saved inside one context, and those that were cloned since."""

    def __init__(self) -> None:
        self.original: WeakKeyDictionary[_Handle, Tensor] = WeakKeyDictionary()
        """Saved tensors that have not been written since, as aliases of the same memory."""
        self.cloned: WeakKeyDictionary[_Handle, Tensor] = WeakKeyDictionary()
        """Copies of those that have."""
        self.tid_to_weakhandle: WeakValueDictionary[Tid, _Handle] = WeakValueDictionary()
        self.sid_to_tid: WeakValueDictionary[int, _Tids] = WeakValueDictionary()
        """By the array that owns a memory (see `_sid`): what was saved of that memory, wherever in it."""
        self._changing = threading.RLock()

    def pack(self, tensor: Tensor) -> _Handle:
        """The handle of `tensor` as it is now."""
        array = tensor._array
        tid = (address_of(array), array.shape, array.strides, array.dtype.char, tensor._version)
        sid = _sid(array)
        with self._changing:
            handle = self.tid_to_weakhandle.get(tid)
            if handle is None or handle not in self.original:
                tids = self.sid_to_tid.get(sid)
                if tids is None:
                    tids = self.sid_to_tid[sid] = _Tids()
                handle = self.tid_to_weakhandle[tid] = _Handle(tids)
                self.original[handle] = tensor.detach()
                tids.add(tid)
        return handle

    def unpack(self, handle: _Handle) -> Tensor:
        """The tensor with the values it had when it was saved."""
        tensor = self.cloned.get(handle)
        if tensor is None:
            tensor = self.original.get(handle)
        if tensor is None:
            raise AssertionError(
                "a backward pass asked for a saved tensor outside of the allow_mutation_on_saved_tensors context in "
                "which it was saved; call backward inside the same with block as the forward"
            )
        return tensor

    def before_write(self, written: Tensor) -> None:
        """Clones whatever lies in the memory that is about to change."""
        array = written._array
        with self._changing:
            for tid in self._in_memory_of(array):
                handle = self.tid_to_weakhandle.get(tid)
                original = self.original.get(handle) if handle is not None else None
                if original is not None and np.may_share_memory(original._array, array):
                    # Laid out alike, so that backward computes bit for bit alike.
                    self.cloned[handle] = Tensor._wrap(original._array.copy(order="K"))  # type: ignore[index]
                    del self.original[handle]  # type: ignore[arg-type]

    def _in_memory_of(self, array: Array) -> list[Tid]:
        """The identifiers of the saved tensors that may share memory with `array`, and maybe more."""
        sid = _sid(array)
        if sid == FOREIGN:
            return list(self.tid_to_weakhandle)
        return self._living(sid) + self._living(FOREIGN)

    def _living(self, sid: int) -> list[Tid]:
        """The identifiers of what was saved of one memory and is still known; the rest is dropped from the list."""
        tids = self.sid_to_tid.get(sid)
        if tids is None:
            return []
        tids.difference_update([each for each in tids if each not in self.tid_to_weakhandle])
        return list(tids)

    def clear(self) -> None:
        """Forgets everything: whatever is unpacked from now on is an error."""
        with self._changing:
            for each in (self.original, self.cloned, self.tid_to_weakhandle, self.sid_to_tid):
                each.clear()  # type: ignore[attr-defined]


FOREIGN = 0
"""The sid of memory that no array owns, as that of a buffer or another library: it may be any other's memory."""


def _sid(array: Array) -> int:
    """The id of the array that owns the memory of `array`: the same one for all views, however they came about."""
    owner = owner_of(array)
    return id(owner) if owner.flags.owndata else FOREIGN


class _Open(threading.local):
    here: bool = False
    """Whether this thread is inside a context."""


_OPEN = _Open()


@contextmanager
def allow_mutation_on_saved_tensors() -> Iterator[_SavedTensors]:
    """A context in which a tensor saved for backward may be written: backward sees the values it had when it was saved.

    Forward and backward both belong inside. A saved tensor is cloned just before the first write between its first and
    its last element in memory, whichever tensor the write goes through; writes that NumPy makes to the memory of a
    tensor are not seen. Saved-tensor hooks that are entered inside take its place for what they pack.
    Errors: RuntimeError on entering it inside another, or while saved-tensor hooks are disabled; AssertionError when a
        backward pass outside needs what was saved inside.
    """
    if _OPEN.here:
        raise RuntimeError(
            "allow_mutation_on_saved_tensors contexts cannot be nested: one is open already; leave out the inner one, "
            "the outer one does the same"
        )
    context = _SavedTensors()
    with saved_tensors_hooks(context.pack, context.unpack):
        _OPEN.here = True
        observe(context.before_write)
        try:
            yield context
        finally:
            stop_observing(context.before_write)
            _OPEN.here = False
            context.clear()
