"""The type of an array, known before it has a value: shape, element type, device."""

from __future__ import annotations

import math

from .dtypes import DType
from .records import dataclass
from .sizes import shown


@dataclass(frozen=True, slots=True)
class TensorType:
    """Shape, dtype and device of one graph value. Sizes count elements."""

    shape: tuple[int, ...]
    dtype: DType
    device: str = "cpu"

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of a dense array of this type."""
        return self.size * self.dtype.itemsize

    def with_shape(self, shape: tuple[int, ...]) -> TensorType:
        return TensorType(shape, self.dtype, self.device)

    def with_dtype(self, dtype: DType) -> TensorType:
        return TensorType(self.shape, dtype, self.device)

    def __str__(self) -> str:
        return f"{self.dtype.code}[{', '.join(map(shown, self.shape))}]"


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Row-major strides of `shape`, in elements."""
    strides = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))
