"""Beside the tensors: data sets and their loaders, and files of other libraries."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["data", "safetensors"]


def __getattr__(name: str) -> Any:
    if name == "data":
        return import_module("guardlift.utils.data")
    if name == "safetensors":
        return import_module("guardlift.utils.safetensors")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
