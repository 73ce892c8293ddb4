"""The part of NumPy that is left to break the graph, and why; `page` of docs/numpy_page.py shows it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np

from ..breaks import DATA_SHAPE
from ..tracing.rules import Rule, otherwise

if TYPE_CHECKING:
    from ..tracing.trace import Trace
    from ..values.base import Value

_DATA = "B103: the shape of the result depends on the values"
_USERS = "B201: it calls a function of the user's"
_FILES = "B201: it reads or writes files and text"
_STATE = "B201: it reads or sets NumPy's settings"
_MEMORY = "B201: it is about memory, not about numbers"
_KINDS = "B201: it makes or takes other things than arrays of numbers"
_RANDOM = "B201: it asks or changes the global generator otherwise than by a draw of numbers"

_DTYPE = "B201: the dtype of the result depends on the values"

_NAMES: dict[str, str] = {
    _DATA: """
        intersect1d polydiv polymul roots setdiff1d setxor1d trim_zeros
        union1d unique unique_all unique_counts unique_inverse unique_values mask_indices
    """,
    _DTYPE: "linalg.eig linalg.eigvals",
    _USERS: "apply_along_axis apply_over_axes fromiter frompyfunc",
    _FILES: """
        array2string array_repr array_str base_repr binary_repr format_float_positional format_float_scientific fromfile
        fromregex fromstring genfromtxt load loadtxt save savetxt savez savez_compressed
        ndarray.dump ndarray.dumps ndarray.tobytes ndarray.tofile
    """,
    _STATE: """
        get_printoptions getbufsize geterr geterrcall printoptions set_printoptions setbufsize seterr seterrcall
        get_include info show_config show_runtime
    """,
    _MEMORY: """
        from_dlpack frombuffer nested_iters einsum_path asarray_chkfinite
        ndarray.base ndarray.byteswap ndarray.ctypes ndarray.data ndarray.flags
        ndarray.getfield ndarray.resize ndarray.setfield ndarray.setflags ndarray.to_device
    """,
    _KINDS: """
        asmatrix bmat busday_count busday_offset datetime_as_string datetime_data is_busday isnat mintypecode typename
        real_if_close
    """,
}
REASONS: dict[str, str] = {name: reason for reason, names in _NAMES.items() for name in names.split()}


def reason(name: str) -> str:
    """Why the function breaks the graph, with the code of the break."""
    if name.startswith("random."):
        return _RANDOM
    return REASONS.get(name, "B201: no rule yet")


def method(name: str) -> Rule | None:
    """The rule that breaks with the reason, for a method of arrays."""
    return _refusal(f"ndarray.{name}") if REASONS.get(f"ndarray.{name}") == _DATA else None


def _refusal(name: str) -> Rule:
    def refuse(trace: Trace, /, *args: Value, **kwargs: Value) -> Value:
        raise DATA_SHAPE.stop(name=name)

    return refuse


_OF_DATA = {getattr(np, name) for name in _NAMES[_DATA].split() if hasattr(np, name)}


@otherwise
def find_shaped_by_data(function: object) -> Rule | None:
    """The rule that breaks with the reason, for a function whose result's shape depends on values."""
    if not isinstance(function, Hashable) or function not in _OF_DATA:
        return None
    return _refusal(f"np.{function.__name__}")  # type: ignore[attr-defined]
