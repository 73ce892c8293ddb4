"""Mixed precision: autocast, scaled losses, and how custom functions take part."""

from typing import TYPE_CHECKING

from ..core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .autocast_mode import autocast, get_autocast_dtype, is_autocast_available, is_autocast_enabled
    from .custom_functions import custom_bwd, custom_fwd
    from .grad_scaler import GradScaler

__all__ = [
    "GradScaler",
    "autocast",
    "custom_bwd",
    "custom_fwd",
    "get_autocast_dtype",
    "is_autocast_available",
    "is_autocast_enabled",
]

__getattr__, __dir__ = lazy_names(__name__)
