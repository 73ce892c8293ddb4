"""Pointers of kernel text: an address in, a typed pointer out.

``pointer_f64(address)`` leads anywhere; ``pointer_f64_0_of_3(address)`` is the first of three, to memory that no other
pointer of the kernel leads to. Each load and store through such a one belongs to a scope of its own and to none of the
others (LLVM's ``alias.scope`` and ``noalias``), so what is written through one pointer need not be loaded again through
another, and a loop over several needs no check at run time before it is vectorised.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from ...llvm.native_functions import NativeFunction
from ...llvm.values import PointerKind, llvm_type

_POINTER = re.compile(r"\bpointer_([a-z]+[0-9]+)(?:_([0-9]+)_of_([0-9]+))?\b")


def names_of_pointers(text: str) -> set[str]:
    """The makers of pointers to memory of their own that occur by name in `text`."""
    return {found[0] for found in _POINTER.finditer(text) if found[3]}


def pointer_named(name: str) -> NativeFunction | None:
    """The maker of pointers of this name."""
    found = _POINTER.fullmatch(name)
    if found is None:
        return None
    kind = PointerKind(found[1], int(found[2] or 0), int(found[3] or 0))
    return NativeFunction(name, ("i64",), kind, partial(_generate, kind))


def _generate(kind: PointerKind, builder: Any, operands: Sequence[Any]) -> Any:
    return builder.inttoptr(operands[0], llvm_type(kind))
