"""The scalar functions as kernel text calls them, by name. Names, dtypes and meanings are those of `TABLE`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ..math.declare import ScalarFunction
from ..math.emit import emit
from ..math.table import TABLE
from .native_functions import NativeFunction


def scalar_function_named(name: str) -> NativeFunction | None:
    """The scalar function of this name."""
    function = TABLE.get(name)
    if function is None:
        return None
    return NativeFunction(name, function.operands, function.result, partial(_generate, function))


def _generate(function: ScalarFunction, builder: Any, operands: Sequence[Any]) -> Any:
    return emit(function, builder, operands)
