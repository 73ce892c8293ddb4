"""Operations on narrow floats: computed in float32 and rounded once. float8 is kept, moved and cast, and no more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.devices.arrays import ARRAY_TYPES, kernels_for
from ..core.devices.host_or_device import as_array
from ..core.dtypes import DType, held
from ..ops.narrow import KEEPING
from ..ops.narrow_casts import of_number
from ..ops.pointwise import CAST, WHERE
from ..ops.registry import OpDef
from .tensor import FLOAT_KINDS

Array = np.ndarray[Any, Any]
Kernel = Callable[..., Array]


def is_narrow(array: Array) -> bool:
    """Whether the elements of an array that a tensor holds are narrow floats."""
    return array.itemsize < 4 and array.dtype.kind in FLOAT_KINDS


def widened(value: Any) -> Any:
    """A narrow array in float32; anything else as it is."""
    return CAST.eager(value, dtype=_FLOAT32) if isinstance(value, ARRAY_TYPES) and is_narrow(value) else value


def kernel_of(op: OpDef, kernel: Kernel) -> Kernel:
    """The kernel that computes `op` where operands are narrow; `kernel` does where none is.

    Errors, of the kernel that is returned: NotImplementedError where it would have to compute with float8.
    """
    if op is WHERE:
        return _choosing(kernel)
    return kernel if op.name in KEEPING else _rounding(op, kernel)


def check_computes(name: str, dtype: DType) -> None:
    """Errors: NotImplementedError for a float8, with which nothing computes."""
    if dtype.is_narrow and not dtype.is_half:
        raise NotImplementedError(
            f"{name} is not implemented for {dtype}, which tensors are kept in but not computed with; "
            "convert it with .to(gl.float32) first"
        )


def adding(array: Array) -> Kernel:
    """A function that adds two arrays like `array`, called as `np.add`; sums of float8 are rounded as casts round."""
    return np.add if array.itemsize > 1 or array.dtype.kind not in FLOAT_KINDS else _add_float8


def _add_float8(left: Array, right: Array, out: Array | None = None) -> Array:
    total = CAST.eager(as_array(widened(left) + widened(right)), dtype=dtype_of([left]))
    if out is None:
        return total
    out[...] = total
    return out


def _rounding(op: OpDef, kernel: Kernel) -> Kernel:
    def rounded(*arrays: Any, **attrs: Any) -> Array:
        dtype = dtype_of(arrays)
        check_computes(op.name, dtype)
        kernels = kernels_for(arrays)
        found = NotImplemented if kernels is None else kernels.operation(op, arrays, attrs)
        if found is not NotImplemented:
            return found  # type: ignore[no-any-return]
        result = kernel(*map(widened, arrays), **attrs)
        return CAST.eager(result, dtype=dtype) if result.dtype == np.float32 else result

    return rounded


def _choosing(kernel: Kernel) -> Kernel:
    """`where`, whose numbers are meant in the dtype of the arrays."""

    def chosen(condition: Array, *arrays: Any) -> Array:
        kernels = kernels_for((condition, *arrays))
        found = NotImplemented if kernels is None else kernels.operation(WHERE, (condition, *arrays), {})
        if found is not NotImplemented:
            return found  # type: ignore[no-any-return]
        target = dtype_of(arrays).numpy
        return kernel(
            condition, *(each if isinstance(each, ARRAY_TYPES) else of_number(each, target) for each in arrays)
        )

    return chosen


def dtype_of(arrays: Sequence[Any]) -> DType:
    """The one narrow dtype among the dtypes of arrays."""
    found = next(held(each.dtype) for each in arrays if isinstance(each, ARRAY_TYPES) and is_narrow(each))
    assert found is not None
    return found


_FLOAT32 = held(np.float32)
