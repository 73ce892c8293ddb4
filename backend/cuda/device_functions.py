"""The functions that CUDA kernel text may call by name: the scalar functions of `backend.math` as LLVM IR for NVVM.

The bodies are those of the CPU, emitted by the same reader, so a function means the same on every device: what may
become one multiply-add says so itself, and nothing else does. Two primitives NVVM has no word for are written out
here. Importing this module does not import numba.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..math.declare import ScalarFunction

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def functions_named_in(text: str) -> dict[str, object]:
    """The functions that occur by name in `text`, as Numba CUDA intrinsics."""
    from ..math.table import TABLE

    return {name: device_function(name) for name in sorted(set(_IDENTIFIER.findall(text)) & TABLE.keys())}


@cache
def device_function(name: str) -> object:
    """The intrinsic for one scalar function. Errors: KeyError when there is none of that name."""
    from numba.cuda.extending import intrinsic

    from ..math.table import TABLE

    function = TABLE[name]

    # Numba reads the number of operands off the signature.
    def unary(typingctx: Any, a: Any) -> Any:
        return _resolved(function, (a,))

    def binary(typingctx: Any, a: Any, b: Any) -> Any:
        return _resolved(function, (a, b))

    def ternary(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
        return _resolved(function, (a, b, c))

    def quaternary(typingctx: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
        return _resolved(function, (a, b, c, d))

    typer = (unary, binary, ternary, quaternary)[len(function.operands) - 1]
    typer.__name__ = typer.__qualname__ = name
    return intrinsic(typer)


def _resolved(function: ScalarFunction, operands: tuple[Any, ...]) -> Any:
    """Numba's signature and code generator, or None (a typing error) for operands of another kind."""
    declared = tuple(numba_type(code) for code in function.operands)
    if not all(_accepts(wanted, found) for wanted, found in zip(declared, operands, strict=True)):
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return emit_for_nvvm(function, builder, arguments)

    return numba_type(function.result)(*declared), codegen


def _accepts(wanted: Any, found: Any) -> bool:
    from numba.cuda import types

    if isinstance(wanted, types.Integer):
        return isinstance(found, types.Integer)
    return found == wanted or (isinstance(found, types.BooleanLiteral) and wanted == types.boolean)


def emit_for_nvvm(function: ScalarFunction, builder: Any, operands: Sequence[Any]) -> Any:
    """The value of `function(*operands)`, as instructions that NVVM knows, appended at the builder's position."""
    from ..math.emit import emit
    from .nvvm_builder import NvvmBuilder, define_rare_functions

    define_rare_functions(builder.module, function)
    own = NvvmBuilder(builder.block)
    value = emit(function, own, operands)
    builder.position_at_end(own.block)
    return value


@cache
def numba_type(code: str) -> Any:
    """The type of Numba CUDA for the dtype with this code."""
    from numba.cuda import types

    names = {"b1": "boolean", "f32": "float32", "f64": "float64"}
    bits = code[1:]
    return getattr(types, names.get(code) or (f"int{bits}" if code[0] == "i" else f"uint{bits}"))
