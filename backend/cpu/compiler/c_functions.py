"""The C functions that kernels may call, by name: where they are in this process."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from ....core.errors import KernelError

Name = tuple[Any, ...]
"""A kind, and what tells the functions of this kind apart: ``("random", "random_normal")``; plain values only."""
Finder = Callable[..., int | None]
_FINDERS: dict[str, Finder] = {}
"""By kind, what finds the function that the rest of a name names."""


def finds(kind: str) -> Callable[[Finder], Finder]:
    """Registers what finds the functions of a kind; it takes the rest of the name, part by part."""

    def register(find: Finder) -> Finder:
        _FINDERS[kind] = find
        return find

    return register


@cache
def is_there(*name: Any) -> bool:
    """Whether this process has the function."""
    return _found(name) is not None


def address_of(name: Name) -> int:
    """The address of a function. Errors: KernelError when this process has none of that name."""
    address = _found(name)
    if address is None:
        raise KernelError(f"this process has no function {name!r}")
    return address


@cache
def _found(name: Name) -> int | None:
    from .. import call_outs  # noqa: F401 (which register what finds their functions)
    from ..matmul import blas, c_matmul  # noqa: F401 (which register what finds their functions)

    kind, *rest = name
    return _FINDERS[kind](*rest)


@finds("random")
def _of_numpys_random(name: str) -> int | None:
    """A function of NumPy's C interface of distributions, which the extension of its generators exports."""
    import numpy as np

    return symbol(np.random._generator.__file__, name)


def symbol(file: str, name: str) -> int | None:
    """The address of what a library exports by this name; None when it does not."""
    try:
        return ctypes.cast(ctypes.CDLL(file)[name], ctypes.c_void_p).value
    except (AttributeError, OSError):
        return None
