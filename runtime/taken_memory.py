"""A tensor that comes to have the memory of another one after a call: taken over, or copied where nobody can tell."""

# Note [Copied where nobody can tell]
# `tensor.data = value` gives the tensor other memory, and each entry that relies on its memory is linked anew then. The
# program cannot see the difference from a copy into the memory that is there if nothing else holds that memory, or the
# new one. All that sees an array's elements holds a reference to the array that owns them, so the counts say it; what
# they are for a tensor alone is found out here, as it differs between versions of Python.

from __future__ import annotations

from sys import getrefcount

import numpy as np

from ..backend.cpu.plan.pinned_memory import is_pinned
from ..tensor import Tensor


def _references(tensor: Tensor) -> int:
    return getrefcount(tensor._array)


_ALONE = _references(Tensor._wrap(np.zeros(1)))


def _is_alone(tensor: Tensor, others: int) -> bool:
    """Whether nothing but the tensor, plans, and at most so many others hold its memory."""
    return _references(tensor) - is_pinned(tensor._array) - _ALONE <= others


def take_over(tensor: Tensor, given: Tensor) -> None:
    """`tensor.data = given`, where besides `given` at most the results of the call's plan hold its memory."""
    if _lies_as(tensor, given) and _is_alone(tensor, 0) and _is_alone(given, 1):
        np.copyto(tensor._array, given._array)
    else:
        tensor.data = given


def _lies_as(tensor: Tensor, given: Tensor) -> bool:
    """Whether both own their memory, which may be written, and have their elements in the same places of it."""
    pair = tensor._array, given._array
    if any(type(each) is not np.ndarray or not each.flags.owndata or not each.flags.writeable for each in pair):
        return False
    left, right = ((each.dtype, each.shape, each.strides) for each in pair)
    return left == right
