"""A tensor that a module owns and an optimizer changes."""

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
