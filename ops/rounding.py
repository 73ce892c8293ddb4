"""The rounding behind an op on narrow floats in eager mode, of the result in float32; the rounded one is kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import OpError
from ..core.types import TensorType
from . import pointwise_gradients as d
from . import samples
from .emitter import Emitter
from .pointwise import CAST
from .registry import Composite, Sample, define_op


# rounded: the result of an op in float32, as the narrow float that it is the result for. It is a cast; but what rules
# of that op read of the result is this value. See Note [Derivatives of halves].
def _rounded_meta(x: TensorType, *, dtype: DType) -> TensorType:
    if not x.dtype.is_float or not dtype.is_float:
        raise OpError(f"rounded makes floats of floats, got {x} and {dtype}")
    return x.with_dtype(dtype)


def _expand(f: Emitter, x: Any, *, dtype: DType) -> Any:
    return f.cast(x, dtype=dtype)


def _samples() -> Iterable[Sample]:
    yield samples.with_attrs((samples.uniform(-4, 4, (3, 4)),), dtype=dtypes.float64)
    for dtype in dtypes.NARROW:
        yield samples.with_attrs((samples.uniform(-4, 4, (3, 4), dtypes.float32),), dtype=dtype)
        yield samples.with_attrs((samples.special_floats(dtypes.float32),), dtype=dtype)


ROUNDED = define_op(
    "rounded",
    meta=_rounded_meta,
    eager=CAST.eager,
    lower=Composite(_expand),
    samples=_samples,
    operands=("value",),
    vjp=(d.cast,),
    grad_name="ToCopy",
)
