"""Marks in graphs: `saved`, a value that a rule reads and saved-tensor hooks stand before, and `one_call` of many."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .pointwise_gradients import unchanged
from .registry import Array, Composite, Sample, Structural, define_op


def _meta(value: TensorType, pair: int) -> TensorType:
    return value


def _eager(value: Array, pair: int) -> Array:
    return value


def _samples() -> Iterable[Sample]:
    for each in samples.unary(dtypes.FLOATS):
        yield Sample(each.args, (("pair", 0),))


def _itself(f: Any, value: Any, pair: int) -> Any:
    return value


SAVED = define_op(
    "saved",
    meta=_meta,
    eager=_eager,
    lower=Composite(_itself),
    samples=_samples,
    operands=("self",),
    vjp=(unchanged,),
)
"""The operand, as the hooks number `pair` give it back. Splitting a graph takes the mark out: see `graph.aot.pair`."""


# one_call: any entry along the first axis; which one is not said, since what is computed of it is for all of them.
def _call_meta(batch: TensorType, *, level: int) -> TensorType:
    if not batch.rank:
        raise OpError(f"one_call takes a batch, whose first axis is that of the calls, got {batch}")
    return batch.with_shape(batch.shape[1:])


def _call_eager(*_arrays: Any, **_attrs: Any) -> Any:
    raise OpError("one call of a batch has no value: what is computed of it is computed for all")


ONE_CALL = define_op(
    "one_call", meta=_call_meta, eager=_call_eager, lower=Structural(), samples=tuple, operands=("self",), vjp=None
)
"""Marks of the `vmap` number `level` of a trace. None is left when that ends: see `frontend/tensors/func`."""
