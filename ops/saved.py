"""The mark `saved` in a joint graph: a value that a derivative rule reads, and that saved-tensor hooks stand before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..core import dtypes
from ..core.types import TensorType
from . import samples
from .pointwise_gradients import unchanged
from .registry import Array, Composite, Sample, define_op


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
