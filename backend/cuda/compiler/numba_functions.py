"""The native functions of CUDA kernel text as intrinsics of Numba CUDA, for the compiler that kernels are held to.

Each is made from its declaration in `text_functions.py`, so both compilers emit the same instructions. Imports
numba-cuda, so only the compiler imports this module.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from numba import cuda
from numba.cuda import types
from numba.cuda.extending import intrinsic

from ....core import dtypes
from ...llvm.intrinsic_names import intrinsics_named_in, typing_function
from ...llvm.native_functions import VOID, NativeFunction
from ...llvm.values import Kind, PointerKind, llvm_type
from .text_functions import native_function


def namespace_for(text: str) -> dict[str, Any]:
    """Globals for a kernel text."""
    return {**_fixed_names(), **intrinsics_named_in(text, numba_function)}


@cache
def _fixed_names() -> dict[str, Any]:
    casts = {"boolean" if dtype.is_bool else dtype.name: numba_type(dtype.code) for dtype in dtypes.ALL}
    return {"cuda": cuda, **casts}


@cache
def numba_type(kind: Kind | tuple[Kind, ...]) -> Any:
    """The type that Numba has for a kind; a pointer of Numba's is of no address space."""
    if isinstance(kind, tuple):
        return types.Tuple([numba_type(each) for each in kind])
    if isinstance(kind, PointerKind):
        return types.CPointer(numba_type(kind.element))
    names = {"b1": "boolean", VOID: "void", "f32": "float32", "f64": "float64"}
    return getattr(types, names.get(str(kind)) or f"{'u' * (str(kind)[0] == 'u')}int{str(kind)[1:]}")


@cache
def numba_function(name: str) -> object | None:
    """The intrinsic for the native function of this name; None where there is none."""
    function = native_function(name)
    if function is None:
        return None
    names = [f"x{k}" for k in range(len(function.operands))]
    return intrinsic(typing_function(name, names, lambda given: _resolved(function, given)))  # type: ignore[no-any-return]


def _resolved(function: NativeFunction, operands: tuple[Any, ...]) -> Any:
    """Numba's signature and code generator, or None (a typing error) for operands of another kind."""
    if not all(_accepts(kind, found) for kind, found in zip(function.operands, operands, strict=True)):
        return None
    pairs = zip(function.operands, operands, strict=True)
    taken = [found if isinstance(found, types.Array) else numba_type(kind) for kind, found in pairs]
    signature = numba_type(function.result)(*taken)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values: list[Any] = []
        for kind, found, value in zip(function.operands, signature.args, arguments, strict=True):
            if isinstance(found, types.Array):
                value = context.make_array(found)(context, builder, value).data
            if isinstance(kind, tuple):
                values.append([builder.extract_value(value, k) for k in range(len(kind))])
            else:
                values.append(_in_space(builder, value, kind))
        made = function.generate(builder, values)
        if function.result == VOID:
            return context.get_dummy_value()
        if isinstance(function.result, tuple):
            return context.make_tuple(builder, signature.return_type, list(made))
        return _in_no_space(builder, made)

    return signature, codegen


def _accepts(kind: Kind | tuple[Kind, ...], found: Any) -> bool:
    wanted = numba_type(kind)
    if isinstance(kind, tuple):
        return isinstance(found, types.BaseTuple) and len(found) == len(kind) and all(map(_accepts, kind, found))
    if isinstance(found, types.Array):
        return isinstance(kind, PointerKind) and kind.space != 1 and found.dtype == numba_type(kind.element)
    if isinstance(wanted, types.Integer):
        return isinstance(found, types.Integer)
    return found == wanted or (isinstance(found, types.BooleanLiteral) and wanted == types.boolean)


def _in_space(builder: Any, value: Any, kind: Kind) -> Any:
    """A pointer in the address space of its kind; other values as they are."""
    if not isinstance(kind, PointerKind) or value.type.addrspace == kind.space:
        return value
    return builder.addrspacecast(value, llvm_type(kind))


def _in_no_space(builder: Any, value: Any) -> Any:
    """A pointer of Numba's; other values as they are. NVVM still sees the space, and accesses are of it."""
    space = getattr(value.type, "addrspace", 0)
    return builder.addrspacecast(value, value.type.pointee.as_pointer()) if space else value
