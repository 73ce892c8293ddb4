"""Derivative rules over tensors: under create_graph what they compute is itself put on the tape."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.dtypes import DType
from ..ops.emitter import Emitter
from ..ops.registry import OpDef
from ..tensor.dispatch import apply
from ..tensor.tensor import Tensor


class TensorEmitter(Emitter):
    """Applies ops to tensors."""

    __slots__ = ()

    def apply(self, op: OpDef, *operands: Any, **attrs: object) -> Any:
        """The tensor that `op` gives."""
        return apply(op, *operands, **attrs)

    def constant(self, value: bool | int | float, like: Tensor) -> Tensor:
        """A tensor of no axes."""
        return Tensor._wrap(np.asarray(value, like.dtype.numpy))

    def shape(self, value: Tensor) -> tuple[int, ...]:
        """The shape of a tensor."""
        return value.shape

    def dtype(self, value: Tensor) -> DType:
        """The dtype of a tensor."""
        return value.dtype


TENSORS = TensorEmitter()
