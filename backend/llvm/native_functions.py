"""The functions that kernel text calls by name: each says its operands, its result, and the instructions of a call.

A family of functions registers what finds the function of a name, so whoever compiles kernel text asks in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from .values import Kind

VOID = ""
"""The result of a function that gives nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class NativeFunction:
    """One function of kernel text.

    operands: their kinds. An integer of any width is wrapped to the declared one; others must be of the kind exactly.
    result:   its kind, or `VOID`.
    generate: appends the instructions of a call at the builder's position; gives the LLVM value, or None.
    packed:   the operands behind the first stand in a tuple, and are converted to the declared kinds.
    """

    name: str
    operands: tuple[Kind, ...]
    result: Kind
    generate: Callable[[Any, Sequence[Any]], Any]
    packed: bool = False


Finder = Callable[[str], NativeFunction | None]
_FINDERS: list[Finder] = []
_FAMILIES = (
    "..math.kernel_functions",
    "..cpu.compiler.noalias_pointers",
    "..cpu.compiler.scratch",
    "..cpu.compiler.c_calls",
    "..cpu.compiler.python_calls",
    "..cpu.compiler.interrupts",
    "..cpu.matmul.tiles",
)
"""The modules that register a family."""


def finds_functions(find: Finder) -> Finder:
    """Registers what gives the function of a name, or None for a name of another family."""
    _FINDERS.append(find)
    return find


@cache
def native_function(name: str) -> NativeFunction | None:
    """The function that kernel text calls by this name; None if there is none."""
    for family in _FAMILIES:
        import_module(family, __package__)
    return next((found for find in _FINDERS if (found := find(name)) is not None), None)


def declared(builder: Any, name: str, result: Any, operands: Sequence[Any]) -> Any:
    """The C function of this name in the builder's module, declared at its first use. The types are LLVM's."""
    from llvmlite import ir

    known = builder.module.globals.get(name)
    return known or ir.Function(builder.module, ir.FunctionType(result, operands), name)


def called(builder: Any, name: str, result: Any, *given: Any) -> Any:
    """A call of the C function of this name with these LLVM values."""
    return builder.call(declared(builder, name, result, [each.type for each in given]), given)
