"""Modules that several processes train together."""

from typing import TYPE_CHECKING

from ...core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .distributed import DistributedDataParallel

__all__ = ["DistributedDataParallel"]

__getattr__, __dir__ = lazy_names(__name__)
