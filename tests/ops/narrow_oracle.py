"""PyTorch 2.13's numbers as bfloat16 and float8, down to the bits: ml_dtypes, and what lies beyond."""

from __future__ import annotations

from typing import Any

import numpy as np

from guardlift.core import dtypes

LARGEST_E4M3FN, NAN_OF_FLOAT8 = 0x7E, 0x7F


def cast(x: np.ndarray[Any, Any], dtype: dtypes.DType) -> np.ndarray[Any, Any]:
    """`x` in a dtype: beyond 448 float8_e4m3fn holds 448, and the NaNs of a float8 have all bits set but the sign's."""
    with np.errstate(all="ignore"):
        made = np.asarray(x.astype(dtype.numpy))
        if dtype in (dtypes.float8_e4m3fn, dtypes.float8_e5m2):
            bits = made.view(np.uint8)
            np.copyto(bits, (bits & 0x80) | NAN_OF_FLOAT8, where=np.isnan(x))
            if dtype is dtypes.float8_e4m3fn:
                np.copyto(bits, (bits & 0x80) | LARGEST_E4M3FN, where=np.abs(x) > 448)
    return made
