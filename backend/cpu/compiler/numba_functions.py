"""The native functions of kernel text as Numba intrinsics, for the compiler that kernels are held to.

Each is made from its declaration (see `llvm.native_functions`), so both compilers emit the same instructions. Imports
numba, so only lazily imported modules import this one.
"""

from __future__ import annotations

import operator
from functools import cache
from typing import Any

from numba import types
from numba.core.datamodel.models import PointerModel
from numba.core.datamodel.registry import register_default
from numba.core.extending import intrinsic, lower_builtin

from ...llvm.intrinsic_names import typing_function
from ...llvm.native_functions import VOID, NativeFunction
from ...llvm.values import Kind, PointerKind, mark_memory
from .pointers import ELEMENTS
from .text_functions import native_function


class ApartPointer(types.CPointer):  # type: ignore[misc]
    """A pointer to memory that no other pointer of the kernel leads to."""

    def __init__(self, kind: PointerKind) -> None:
        super().__init__(ELEMENTS[kind.element])
        self.name = f"{self.dtype}* to {kind.place} of {kind.number}"
        self.kind = kind

    @property
    def key(self) -> Any:
        """The facts that make two such types one; of pointers as Numba has them, that is the dtype alone."""
        return self.kind


register_default(ApartPointer)(PointerModel)


@lower_builtin(operator.getitem, ApartPointer, types.Integer)  # type: ignore[untyped-decorator]
def _load(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    pointer, index = arguments
    return mark_memory(builder.load(builder.gep(pointer, [index])), signature.args[0].kind)


@lower_builtin(operator.setitem, ApartPointer, types.Integer, types.Any)  # type: ignore[untyped-decorator]
def _store(context: Any, builder: Any, signature: Any, arguments: Any) -> None:
    pointer, index, value = arguments
    mark_memory(builder.store(value, builder.gep(pointer, [index])), signature.args[0].kind)


@cache
def numba_type(kind: Kind) -> Any:
    """The type that Numba has for a kind."""
    if isinstance(kind, PointerKind):
        return ApartPointer(kind) if kind.number else types.CPointer(ELEMENTS[kind.element])
    return {"b1": types.boolean, VOID: types.void}.get(str(kind)) or ELEMENTS[str(kind)]


@cache
def numba_function(name: str) -> object | None:
    """The intrinsic for the native function of this name; None where there is none."""
    function = native_function(name)
    if function is None:
        return None
    names = ["place", "values"] if function.packed else [f"x{k}" for k in range(len(function.operands))]
    return intrinsic(typing_function(name, names, lambda given: _resolved(function, given)))  # type: ignore[no-any-return]


def _resolved(function: NativeFunction, operands: tuple[Any, ...]) -> Any:
    """Numba's signature and code generator, or None (a typing error) for operands of another kind."""
    declared = tuple(numba_type(kind) for kind in function.operands)
    if function.packed:
        signature = numba_type(function.result)(types.int64, operands[1])
    elif all(_accepts(wanted, found) for wanted, found in zip(declared, operands, strict=True)):
        signature = numba_type(function.result)(*declared)
    else:
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if function.packed:
            place, packed = arguments
            found, wanted = signature.args[1].types, declared[1:]
            values = [builder.extract_value(packed, k) for k in range(len(wanted))]
            arguments = [place, *(context.cast(builder, *each) for each in zip(values, found, wanted, strict=True))]
        made = function.generate(builder, arguments)
        return context.get_dummy_value() if function.result == VOID else made

    return signature, codegen


def _accepts(wanted: Any, found: Any) -> bool:
    if isinstance(wanted, types.Integer):
        return isinstance(found, types.Integer)
    return found == wanted or (isinstance(found, types.BooleanLiteral) and wanted == types.boolean)


def call_intrinsic(result: str, operands: tuple[str, ...], generate: Any) -> object:
    """An intrinsic of no name in kernel text, for the native runtime."""
    function = NativeFunction("call", operands, result, generate)

    def call(typingctx: Any, a: Any, b: Any) -> Any:
        return _resolved(function, (a, b))

    assert len(operands) == 2
    return intrinsic(call)  # type: ignore[no-any-return]
