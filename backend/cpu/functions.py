"""The C functions that kernels may call, by name: where they are in this process."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

from ...core.errors import KernelError

_FINDERS: dict[str, Callable[[str], int | None]] = {}
"""By the first word of a name, what finds the function that the rest of it names."""


def finds(kind: str) -> Callable[[Callable[[str], int | None]], Callable[[str], int | None]]:
    """Registers what finds the functions whose names begin with `kind` and a blank."""

    def register(find: Callable[[str], int | None]) -> Callable[[str], int | None]:
        _FINDERS[kind] = find
        return find

    return register


@cache
def is_there(name: str) -> bool:
    """Whether this process has the function."""
    return _found(name) is not None


def address_of(name: str) -> int:
    """The address of a function. Errors: KernelError when this process has none of that name."""
    address = _found(name)
    if address is None:
        raise KernelError(f"this process has no function {name!r}")
    return address


@cache
def _found(name: str) -> int | None:
    from . import blas, callouts, multiply  # noqa: F401 (which register what finds their functions)

    kind, _, rest = name.partition(" ")
    return _FINDERS[kind](rest)


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
