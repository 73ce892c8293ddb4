"""Descriptions of arguments by shape and dtype, for compiling ahead, where no array is at hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.dtypes import DType
from ...core.errors import SpecError
from ...core.records import dataclass


@dataclass(frozen=True)
class ShapeDtypeStruct:
    """An argument of which only shape and dtype are known: `gl.warm` compiles for zeros of them, that lie in rows.

    dtype: of a NumPy array one of NumPy's, or its name; of a tensor one of ours, such as ``gl.float32``.
    Errors: `SpecError` for a shape or a dtype that there is not.
    """

    shape: tuple[int, ...]
    dtype: Any

    def __post_init__(self) -> None:
        shape = tuple(self.shape) if isinstance(self.shape, (tuple, list)) else (self.shape,)
        if not all(type(size) is int and size >= 0 for size in shape):
            raise SpecError(f"the shape {self.shape!r} is not a tuple of sizes, each 0 or more")
        try:
            dtype = self.dtype if isinstance(self.dtype, DType) else np.dtype(self.dtype)
        except TypeError as error:
            raise SpecError(f"{self.dtype!r} is no dtype of NumPy's or of guardlift's: {error}") from None
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "dtype", dtype)
