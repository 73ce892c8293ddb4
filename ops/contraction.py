"""Matrix products."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from . import shape_gradients as d
from .registry import PRODUCT_KERNEL, Contraction, Sample, define_op


# matmul: [*batch, n, k] x [*batch, k, m] -> [*batch, n, m]; the batch axes are equal (the surface broadcasts them).
def _meta(left: TensorType, right: TensorType) -> TensorType:
    fits = left.dtype is right.dtype and left.rank == right.rank >= 2 and left.shape[:-2] == right.shape[:-2]
    if not fits or left.shape[-1] != right.shape[-2] or left.dtype.is_bool:
        raise OpError(f"matmul takes [*b, n, k] and [*b, k, m] of one numeric dtype, got {left} and {right}")
    return left.with_shape((*left.shape[:-1], right.shape[-1]))


def _samples() -> Iterable[Sample]:
    for dtype in (dtypes.float64, dtypes.float32, dtypes.int64, dtypes.int8):
        yield Sample((samples.values(dtype, (3, 5)), samples.values(dtype, (5, 4), 1)))
    yield Sample((samples.values(dtypes.float32, (2, 3, 5)), samples.values(dtypes.float32, (2, 5, 4), 1)))
    yield Sample((samples.values(dtypes.float64, (1, 7)), samples.values(dtypes.float64, (7, 1), 1)))
    yield Sample((samples.values(dtypes.float64, (3, 0)), samples.values(dtypes.float64, (0, 4), 1)))


MATMUL = define_op(
    "matmul",
    meta=_meta,
    eager=np.matmul,
    lower=Contraction(),
    samples=_samples,
    exact=False,
    operands=("self", "mat2"),
    vjp=d.MATMUL,
    grad_name="Mm",
    kernel_from=PRODUCT_KERNEL,
)
