"""The functions that CPU kernel text may call by name: each a Numba intrinsic that emits its IR at the call.

Names, dtypes and meanings are those of `backend.math`. A call checks the kinds of its operands: an integer of any width
is wrapped to the declared one (Numba widens narrow arithmetic), anything else must have the declared type exactly.
Importing this module does not import numba.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...math.declare import ScalarFunction

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


@cache
def namespace() -> dict[str, object]:
    """Every function by name, to be put among the globals of kernel text."""
    return {name: _device_function(name) for name in _table()}


def functions_named_in(text: str) -> dict[str, object]:
    """The functions that occur by name in `text`."""
    return {name: _device_function(name) for name in set(_IDENTIFIER.findall(text)) & _table().keys()}


def _table() -> dict[str, ScalarFunction]:
    from ...math.table import TABLE

    return TABLE


@cache
def _device_function(name: str) -> object:
    """The intrinsic for one function."""
    from numba.core.extending import intrinsic

    function = _table()[name]

    # Numba reads the number of operands off the signature.
    def unary(typingctx: Any, a: Any) -> Any:
        return _resolved(function, (a,))

    def binary(typingctx: Any, a: Any, b: Any) -> Any:
        return _resolved(function, (a, b))

    def ternary(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
        return _resolved(function, (a, b, c))

    typer = (unary, binary, ternary)[len(function.operands) - 1]
    typer.__name__ = typer.__qualname__ = name
    return intrinsic(typer)  # type: ignore[no-any-return]


def _resolved(function: ScalarFunction, operands: tuple[Any, ...]) -> Any:
    """Numba's signature and code generator, or None (a typing error) for operands of another kind."""
    declared = tuple(_numba_type(code) for code in function.operands)
    if not all(_accepts(wanted, found) for wanted, found in zip(declared, operands, strict=True)):
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from ...math.emit import emit

        return emit(function, builder, arguments)

    return _numba_type(function.result)(*declared), codegen


def _accepts(wanted: Any, found: Any) -> bool:
    from numba import types

    if isinstance(wanted, types.Integer):
        return isinstance(found, types.Integer)
    return found == wanted or (isinstance(found, types.BooleanLiteral) and wanted == types.boolean)


@cache
def _numba_type(code: str) -> Any:
    from numba import types

    names = {"b1": "boolean", "f32": "float32", "f64": "float64"}
    bits = code[1:]
    return getattr(types, names.get(code) or (f"int{bits}" if code[0] == "i" else f"uint{bits}"))
