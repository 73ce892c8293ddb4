"""Bringing elements from one device to another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..core import dtypes
from ..core.devices import CPU, HOST, arrays, resolved
from ..core.records import replace
from ..core.types import TensorType
from . import samples
from .registry import Array, Pointwise, Sample, define_op


def _meta(x: TensorType, *, device: str, source: str) -> TensorType:
    return replace(x, device=str(resolved(device)))


def _eager(x: Array, *, device: str, source: str) -> Array:
    found: Array = arrays.fetched(x) if resolved(device) == HOST else arrays.moved(x)  # type: ignore[assignment]
    return found


def _rule(f: Any, g: Any, *, device: str, source: str) -> Any:
    return f.to_device(g, device=source, source=device)


def _samples() -> Iterator[Sample]:
    for dtype in (*dtypes.ALL, *dtypes.NARROW):
        if not dtype.is_narrow:
            yield Sample((samples.values(dtype, (3, 4)),), (("device", CPU), ("source", CPU)))


# to_device: the same elements on another device.   device: which one.   source: where cotangents go.
TO_DEVICE = define_op(
    "to_device",
    meta=_meta,
    eager=_eager,
    lower=Pointwise("{0}", 0.1),
    samples=_samples,
    operands=("self",),
    vjp=(_rule,),
    grad_name="ToCopy",
)
