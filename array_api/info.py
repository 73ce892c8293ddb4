"""The facts that the namespace tells of itself: devices, dtypes, capabilities."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..core.devices import HOST, Device
from ..core.dtypes import DType
from ..runtime import cuda
from ..tensor.devices import get_default_device
from ..tensor.promotion import complex_of, get_default_dtype
from .data_types import isdtype
from .declare import KINDS

DTYPES = {each.name: each for each in (*dtypes.ALL, *dtypes.COMPLEX)}
"""The dtypes of the standard that tensors have, by name."""
MOST_AXES = 64
"""The number of axes that an array of NumPy's has at most."""


class __array_namespace_info__:  # noqa: N801  (the standard's name)
    """The object that the standard's `__array_namespace_info__()` gives: it holds nothing."""

    def capabilities(self) -> dict[str, Any]:
        """The standard's choices as they are made here: what indices may be, and how many axes there may be."""
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": MOST_AXES,
        }

    def default_device(self) -> Device:
        """The device on which arrays are made that no device is given for."""
        return get_default_device()

    def default_dtypes(self, *, device: Any = None) -> dict[str, DType]:
        """The dtypes of arrays that no dtype is given for."""
        return {
            "real floating": get_default_dtype(),
            "complex floating": complex_of(get_default_dtype()),
            "integral": dtypes.int64,
            "indexing": dtypes.int64,
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, DType]:
        """The dtypes by name, those of a kind where one is given: a word as of `isdtype`, or a tuple of them.

        Errors: ValueError for another word.
        """
        if kind is None:
            return dict(DTYPES)
        words = kind if isinstance(kind, tuple) else (kind,)
        for word in words:
            if word not in KINDS:
                raise ValueError(f"{word!r} is no kind of dtypes; the kinds are {', '.join(map(repr, KINDS))}")
        return {name: each for name, each in DTYPES.items() if isdtype(each, words)}

    def devices(self) -> tuple[Device, ...]:
        """The devices that arrays may lie on: the CPU, and a GPU that is there."""
        return (HOST, Device("cuda", 0)) if cuda.is_available() else (HOST,)
