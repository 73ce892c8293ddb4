"""All functions of the surface: a package imports its functions when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from guardlift.tensor.surface import SURFACE

PACKAGES = ("tensor", "linalg", "special", "fft", "nn.functional")


def whole_surface() -> Mapping[Callable[..., Any], str]:
    """The names by function, after every module of functions was imported."""
    for package in PACKAGES:
        found = import_module(f"guardlift.{package}")
        for each in iter_modules(found.__path__):
            import_module(f"{found.__name__}.{each.name}")
    return SURFACE
