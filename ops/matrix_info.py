"""The `info` of LAPACK's functions: which matrices have no factor or inverse, and where that was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from ..core import dtypes
from ..core.types import TensorType
from . import samples
from .matrix_forms import check_matrices
from .ordering import found_by_numpy
from .registry import Array, Sample


def broken_minor(matrix: Array) -> int:
    """The size of the smallest leading part of a matrix that has no Cholesky factor; 0 if all have one."""
    if _succeeds(np.linalg.cholesky, matrix):
        return 0
    return next(size for size in range(1, len(matrix) + 1) if not _succeeds(np.linalg.cholesky, matrix[:size, :size]))


def zero_pivot(matrix: Array) -> int:
    """The number of the first row, counted from 1, at which elimination finds nothing but zeros; 0 if none does."""
    if _succeeds(np.linalg.inv, matrix):
        return 0
    rest = matrix.copy()
    with np.errstate(all="ignore"):
        for k in range(len(rest)):
            best = k + int(np.argmax(np.abs(rest[k:, k])))
            if rest[best, k] == 0:
                return k + 1
            rest[[k, best]] = rest[[best, k]]
            rest[k + 1 :, k:] -= np.outer(rest[k + 1 :, k] / rest[k, k], rest[k, k:])
    return len(rest)


def _succeeds(function: Callable[..., Array], *operands: Array) -> bool:
    try:
        function(*operands)
    except np.linalg.LinAlgError:
        return False
    return True


def one_by_one(function: Callable[..., Array], *stacks: Array) -> Array:
    """The results of `function` for the matrices of stacks one after the other: NaN where it finds nothing."""
    found = np.full(stacks[-1].shape, np.nan, stacks[-1].dtype)
    for place in np.ndindex(stacks[-1].shape[:-2]):
        given = [each[place] for each in stacks]
        if _succeeds(function, *given):
            found[place] = function(*given)
    return found


# matrix_info: [*, n, n] -> int32[*], 0 where all is well, else the first row at which `of` ("cholesky", "lu") stops.
def _meta(a: TensorType, *, of: str) -> TensorType:
    check_matrices("matrix_info", a, square=True)
    return TensorType(a.shape[:-2], dtypes.int32)


def matrix_info(a: Array, *, of: str) -> Array:
    """The number of that row for each matrix."""
    found = np.zeros(a.shape[:-2], np.int32)
    for place in np.ndindex(a.shape[:-2]):
        found[place] = (broken_minor if of == "cholesky" else zero_pivot)(a[place])
    return found


def _samples() -> Iterable[Sample]:
    for of in ("cholesky", "lu"):
        for dtype in dtypes.FLOATS:
            stack = np.stack([np.eye(3), -np.eye(3), np.diag([1.0, 0.0, 2.0]), np.zeros((3, 3))]).astype(dtype.numpy)
            yield samples.with_attrs((stack,), of=of)
            yield samples.with_attrs((stack[0],), of=of)
        yield samples.with_attrs((np.zeros((2, 0, 0)),), of=of)


MATRIX_INFO = found_by_numpy("matrix_info", _meta, matrix_info, _samples, ("A",))

__all__ = ["MATRIX_INFO", "broken_minor", "one_by_one", "zero_pivot"]
