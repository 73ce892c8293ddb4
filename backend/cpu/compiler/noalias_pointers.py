"""Pointers of kernel text to memory that no other pointer of the kernel leads to.

``pointer_f64_0_of_3(address)`` is the first of three. Each load and store through it belongs to a scope of its own and
to none of the others (LLVM's ``alias.scope`` and ``noalias``), so what is written through one pointer need not be
loaded again through another, and a loop over several needs no check at run time before it is vectorised. Importing
this module does not import numba.
"""

from __future__ import annotations

import operator
import re
from functools import cache
from typing import Any

_POINTER = re.compile(r"\bpointer_([a-z]+[0-9]+)_([0-9]+)_of_([0-9]+)\b")


def names_of_pointers(text: str) -> set[str]:
    """The makers of such pointers that occur by name in `text`."""
    return {found.group(0) for found in _POINTER.finditer(text)}


def pointers_named_in(text: str) -> dict[str, object]:
    """The makers of such pointers in `text`, each with its intrinsic, to be put among the globals of kernel text."""
    found = ((each.group(0), each.groups()) for each in _POINTER.finditer(text))
    return {name: _maker(code, int(place), int(number)) for name, (code, place, number) in found}


@cache
def _maker(code: str, place: int, number: int) -> object:
    from .pointers import ELEMENTS, pointer_maker

    return pointer_maker(_pointer_type()(ELEMENTS[code], place, number))


@cache
def _pointer_type() -> Any:
    from numba import types
    from numba.core.datamodel.models import PointerModel
    from numba.core.datamodel.registry import register_default
    from numba.core.extending import lower_builtin

    class ApartPointer(types.CPointer):  # type: ignore[misc]
        """A pointer to the memory `place` of `number`, none of which overlap."""

        def __init__(self, dtype: Any, place: int, number: int) -> None:
            super().__init__(dtype)
            self.name = f"{dtype}* to {place} of {number}"
            self.place, self.number = place, number

        @property
        def key(self) -> Any:
            """The facts that make two such types one; of pointers as Numba has them, that is the dtype alone."""
            return self.dtype, self.place, self.number

    register_default(ApartPointer)(PointerModel)

    @lower_builtin(operator.getitem, ApartPointer, types.Integer)  # type: ignore[untyped-decorator]
    def load(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, index = arguments
        loaded = builder.load(builder.gep(pointer, [index]))
        _mark(builder.module, loaded, signature.args[0])
        return loaded

    @lower_builtin(operator.setitem, ApartPointer, types.Integer, types.Any)  # type: ignore[untyped-decorator]
    def store(context: Any, builder: Any, signature: Any, arguments: Any) -> None:
        pointer, index, value = arguments
        _mark(builder.module, builder.store(value, builder.gep(pointer, [index])), signature.args[0])

    return ApartPointer


def _mark(module: Any, instruction: Any, pointer: Any) -> None:
    """Says of a load or store which memory it is about, and which not."""
    domain = module.add_metadata(["memory of the kernel"])
    scopes = [module.add_metadata([f"memory {k}", domain]) for k in range(pointer.number)]
    instruction.set_metadata("alias.scope", module.add_metadata([scopes[pointer.place]]))
    others = scopes[: pointer.place] + scopes[pointer.place + 1 :]
    if others:
        instruction.set_metadata("noalias", module.add_metadata(others))
