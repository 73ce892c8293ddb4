"""Determinants and factors of complex matrices, which LAPACK finds: without a derivative, and not in a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.devices.host_or_device import as_array
from ..core.errors import LinAlgError
from .dispatch import tensor_of
from .tracing import values_of

Value = Any
Array = np.ndarray[Any, Any]


def found_of_complex(name: str, function: Callable[..., Any], x: Value, *args: Any, **keywords: Any) -> list[Value]:
    """The results of a function of NumPy's on complex matrices, as tensors.

    Errors: NotImplementedError where a gradient would have to go back; LinAlgError where LAPACK gives up.
    """
    if x.requires_grad:
        raise NotImplementedError(
            f"{name} of complex matrices has no derivative here; take that of a detach()ed matrix"
        )
    try:
        made = function(values_of(name, x), *args, **keywords)
    except np.linalg.LinAlgError as error:
        raise LinAlgError(f"{name}: {error}") from None
    return [tensor_of(as_array(each), x) for each in (made if isinstance(made, tuple) else (made,))]


def _turned(x: Array) -> Array:
    return np.asarray(x.conj().swapaxes(-1, -2))


def triangle(x: Array, upper: bool) -> Array:
    """The triangular factors L of ``x = L @ L.mH``, or U of ``x = U.mH @ U``; only that triangle is read."""
    return _turned(np.linalg.cholesky(_turned(x))) if upper else np.linalg.cholesky(x)


def pseudo_inverse(x: Array, atol: float, rtol: float) -> Array:
    """The pseudo-inverses; singular values up to the larger of `atol` and `rtol` times the largest one count as 0."""
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    counts = s > np.maximum(atol, rtol * s.max(-1, keepdims=True, initial=0.0))
    inverse = np.where(counts, 1 / np.where(counts, s, 1), 0).astype(s.dtype)
    return np.asarray(_turned(vh) * inverse[..., None, :] @ _turned(u))


def orthogonal_parts(x: Array, mode: Any) -> Any:
    """Q and R; with mode "r" R alone."""
    made = np.linalg.qr(x, mode)
    return made if mode == "r" else (made[0], made[1])
