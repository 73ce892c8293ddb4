"""Memory of the call for kernel text: ``scratch_f64_512()`` leads to 512 elements that no other pointer reaches.

It lies on the stack, once for each place in the text, and holds nothing of use at first. Importing this module does
not import numba.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_NAME = re.compile(r"\bscratch_([a-z]+[0-9]+)_([0-9]+)\b")


def names_of_scratch(text: str) -> dict[str, tuple[str, int]]:
    """The makers of such memory that occur by name in `text`, each with the code of its elements and their number."""
    return {found[0]: (found[1], int(found[2])) for found in _NAME.finditer(text)}


def scratch_named_in(text: str) -> dict[str, object]:
    """The makers of such memory in `text`, each with its intrinsic, to be put among the globals of kernel text."""
    return {name: _maker(code, count) for name, (code, count) in names_of_scratch(text).items()}


@cache
def _maker(code: str, count: int) -> object:
    from llvmlite import ir
    from numba import types
    from numba.core.extending import intrinsic

    from .pointers import ELEMENTS

    element = types.CPointer(ELEMENTS[code])

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = context.get_value_type(element)
        # Numba's own alloca would store a zero in each element.
        with builder.goto_entry_block():
            memory = builder.alloca(ir.ArrayType(pointer.pointee, count))
        memory.align = 64
        return builder.bitcast(memory, pointer)

    def scratch(typingctx: Any) -> Any:
        return element(), codegen

    return intrinsic(scratch)
