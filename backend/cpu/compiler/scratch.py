"""Memory of the call for kernel text: ``scratch_f64_512()`` leads to 512 elements that no other pointer reaches.

It lies on the stack, once for each place in the text, and holds nothing of use at first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from ...llvm.native_functions import NativeFunction
from ...llvm.values import PointerKind, llvm_type, stack_memory

_NAME = re.compile(r"\bscratch_([a-z]+[0-9]+)_([0-9]+)\b")


def names_of_scratch(text: str) -> dict[str, tuple[str, int]]:
    """The makers of such memory that occur by name in `text`, each with the code of its elements and their number."""
    return {found[0]: (found[1], int(found[2])) for found in _NAME.finditer(text)}


def scratch_named(name: str) -> NativeFunction | None:
    """The maker of such memory of this name."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    return NativeFunction(name, (), PointerKind(found[1]), partial(_generate, PointerKind(found[1]), int(found[2])))


def _generate(kind: PointerKind, count: int, builder: Any, operands: Sequence[Any]) -> Any:
    memory = stack_memory(builder, llvm_type(kind.element), count)
    return builder.bitcast(memory, llvm_type(kind))
