"""Gradients on their way through a backward pass that is not recorded: arrays of which no tensor has been made yet."""

# Note [Raw gradients]
# What a derivative rule gives is an array, and most nodes take one: a tensor in between would be made and dropped
# unseen. So a gradient travels as the array itself, which nobody outside of the pass refers to, until somebody is to
# see it: a hook, the caller, a node of another kind. From there on it is one tensor for everybody, whose elements may
# be written: one that was only expanded is written out. A gradient that came as a tensor, from the caller or a hook,
# stays that tensor.

from __future__ import annotations

from typing import Any

from ..core.devices.arrays import ARRAY_TYPES
from ..tensor.tensor import Array, Tensor


def as_tensor(gradient: Any) -> Any:
    """A gradient, or None, as others may see it."""
    return _shown(gradient) if isinstance(gradient, ARRAY_TYPES) else gradient


def _shown(gradient: Array) -> Tensor:
    return Tensor._wrap(gradient if gradient.flags.writeable else gradient.copy())


def as_tensors(gradients: list[Any]) -> list[Any]:
    """The list `gradients` itself, now with tensors in place of raw arrays."""
    for place in range(len(gradients)):
        if isinstance(gradients[place], ARRAY_TYPES):
            gradients[place] = _shown(gradients[place])
    return gradients


def array_of(gradient: Any) -> Array:
    """The elements of a gradient. Errors: SparseError for a sparse one."""
    return gradient if isinstance(gradient, ARRAY_TYPES) else gradient._array  # type: ignore[no-any-return]
