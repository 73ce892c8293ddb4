"""Derivative rules over tensors: under create_graph what they compute is itself put on the tape."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..core.devices import HOST
from ..core.dtypes import DType
from ..core.errors import DeviceError
from ..ops.emitter import Emitter, op_named
from ..ops.registry import OpDef
from ..tensor.devices import placed_on
from ..tensor.dispatch import apply
from ..tensor.tensor import Tensor


def _applied(op: OpDef, *operands: Any, **attrs: object) -> Any:
    try:
        return apply(op, *operands, **attrs)
    except DeviceError:  # rules give constants, which are on the host
        place = next(each.device for each in operands if isinstance(each, Tensor) and each.device != HOST)
        placed = (placed_on(place, each) if isinstance(each, Tensor) else each for each in operands)
        return apply(op, *placed, **attrs)


class TensorEmitter(Emitter):
    """Applies ops to tensors. It keeps nothing but the functions of ops asked for; one serves all (`TENSORS`)."""

    __slots__ = ("__dict__",)

    def apply(self, op: OpDef, *operands: Any, **attrs: object) -> Any:
        """The tensor that `op` gives."""
        return _applied(op, *operands, **attrs)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        self.__dict__[name] = function = partial(_applied, op_named(name))
        return function

    def constant(self, value: bool | int | float, like: Tensor) -> Tensor:
        """A tensor of no axes."""
        return Tensor._wrap(np.asarray(value, like.dtype.numpy))

    def shape(self, value: Tensor) -> tuple[int, ...]:
        """The shape of a tensor."""
        return value.shape

    def dtype(self, value: Tensor) -> DType:
        """The dtype of a tensor."""
        return value.dtype

    def on_device(self, value: Tensor) -> bool:
        """See `Emitter.on_device`."""
        return value.device != HOST


TENSORS = TensorEmitter()
