"""Tensors that a module owns as soon as they are its attributes."""

from __future__ import annotations

from typing import Any

from .tensor import Tensor, _fill_slots


class Parameter(Tensor):
    """A leaf over the memory of `data` that requires grad unless told otherwise; it takes attributes of any name."""

    def __init__(self, data: Any = (), requires_grad: bool = True) -> None:
        if isinstance(data, Tensor):
            _fill_slots(self, data._array)
            self._storage = data._storage
        else:
            super().__init__(data)
        self.requires_grad_(requires_grad)


class Buffer(Tensor):
    """A leaf over the memory of `data` that is a buffer of the module whose attribute it becomes.

    persistent: it is part of the state dict.
    """

    def __init__(self, data: Any = None, *, persistent: bool = True) -> None:
        if isinstance(data, Tensor):
            _fill_slots(self, data._array)
            self._storage = data._storage
            self.requires_grad_(data.requires_grad)
        else:
            super().__init__(() if data is None else data)
        self.persistent = persistent
