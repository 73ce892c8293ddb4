"""`gl.cuda.amp`: mixed precision under its older names, for "cuda" alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..core import dtypes
from ..core.dtypes import DType
from . import autocast_mode, grad_scaler
from .custom_functions import custom_bwd as _custom_bwd
from .custom_functions import custom_fwd as _custom_fwd

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


def autocast(enabled: bool = True, dtype: DType = dtypes.float16, cache_enabled: bool = True) -> autocast_mode.autocast:
    """`gl.amp.autocast` for "cuda"."""
    return autocast_mode.autocast("cuda", dtype, enabled, cache_enabled)


def GradScaler(  # noqa: N802
    init_scale: float = 2.0**16,
    growth_factor: float = 2.0,
    backoff_factor: float = 0.5,
    growth_interval: int = 2000,
    enabled: bool = True,
) -> grad_scaler.GradScaler:
    """`gl.amp.GradScaler` for "cuda"."""
    return grad_scaler.GradScaler("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


custom_bwd: Callable[..., Any] = partial(_custom_bwd, device_type="cuda")
custom_fwd: Callable[..., Any] = partial(_custom_fwd, device_type="cuda")
