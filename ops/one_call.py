"""The mark `one_call` in a trace: one entry of a batch, of which a function that `vmap` maps is evaluated."""

from __future__ import annotations

from typing import Any

from ..core.errors import OpError
from ..core.types import TensorType
from .registry import Structural, define_op


# one_call: any entry along the first axis; which one is not said, since what is computed of it is for all of them.
def _meta(batch: TensorType, *, level: int) -> TensorType:
    if not batch.rank:
        raise OpError(f"one_call takes a batch, whose first axis is that of the calls, got {batch}")
    return batch.with_shape(batch.shape[1:])


def _eager(*_arrays: Any, **_attrs: Any) -> Any:
    raise OpError("one call of a batch has no value: what is computed of it is computed for all")


ONE_CALL = define_op(
    "one_call", meta=_meta, eager=_eager, lower=Structural(), samples=tuple, operands=("self",), vjp=None
)
"""Marks of the `vmap` number `level` of a trace. None is left when that ends: see `frontend/tensors/func`."""

__all__ = ["ONE_CALL"]
