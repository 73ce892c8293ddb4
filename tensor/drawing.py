"""Draws of random tensors, and who answers for them inside of `vmap`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from ml_dtypes import finfo

from ..core.devices import HOST, Device
from ..core.dtypes import DType
from ..ops.random import blocks
from ..ops.registry import OpDef
from .devices import by_kernel
from .kernels import KERNELS, find_kernel
from .tensor import Tensor

if TYPE_CHECKING:
    from .generator import Generator

Value = Any


class _Batches(threading.local):
    draw: Callable[..., Value] | None = None


BATCHES = _Batches()
"""Set `draw` where a draw is one for each of many calls, or for all of them: it is called in place of `drawn`."""


def drawn(op: OpDef, source: Generator, whole: dict[str, Any], requires_grad: bool, device: Device = HOST) -> Tensor:
    """A new leaf of random numbers: what `op` makes of the next blocks of a generator, with the attributes `whole`.

    device: where they are wanted; it may still lie on the CPU.
    """
    shape, dtype = whole["shape"], whole["dtype"]
    place = source.take(blocks(op, shape, dtype))
    result = None if device is HOST else by_kernel(op, tuple(map(np.uint64, place)), whole)
    if result is None:
        kernel = KERNELS.get(op) or find_kernel(op)
        result = Tensor._wrap(kernel(*(np.array(part, np.uint64) for part in place), **whole))
    return result.requires_grad_() if requires_grad else result


def digits(dtype: DType) -> int:
    """The number of binary digits that a float holds."""
    return int(finfo(dtype.numpy).nmant) + 1  # type: ignore[no-untyped-call]
