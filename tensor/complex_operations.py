"""Operations on complex tensors, in operations on their real and imaginary parts: see `ops/complex_forms.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.dtypes import DType
from ..ops.complex_forms import compute
from ..ops.emitter import Emitter
from ..ops.registry import OpDef
from .dispatch import apply, create

Value = Any


class SurfaceEmitter(Emitter):
    """Applies ops to tensors, and to what stands for tensors in a trace."""

    __slots__ = ()

    def apply(self, op: OpDef, *operands: Any, **attrs: Any) -> Value:
        """The tensor that `op` gives."""
        return apply(op, *operands, **attrs) if operands else create(op, **attrs)

    def constant(self, value: bool | int | float, like: Value) -> Any:
        """The number itself: operations take it in the dtype of the tensors beside it."""
        return value

    def shape(self, value: Value) -> tuple[int, ...]:
        """The shape of a tensor."""
        return tuple(value.shape)

    def dtype(self, value: Value) -> DType:
        """The dtype of a tensor."""
        return value.dtype  # type: ignore[no-any-return]


_SURFACE = SurfaceEmitter()


def of_parts(op: OpDef, operands: Sequence[Any], attrs: Mapping[str, Any]) -> Value:
    """The result of `op` on complex tensors. Errors: NotImplementedError for an op that has no form."""
    return compute(_SURFACE, op, operands, attrs)
