"""The facts about a machine on which the LLVM IR of kernel text depends, besides the functions that it calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from math import prod
from typing import Any

from llvmlite import ir

from ...core.records import dataclass
from ..math.typed import LLVM_TYPES
from .values import Kind, PointerKind


@dataclass(frozen=True, slots=True, eq=False)
class TextTarget:
    """One machine.

    result:          the kind of what kernels give, or `VOID`.
    builder:         the class of the builders of its LLVM IR.
    arrays:          the calls that make arrays, each with the address space these lie in; 0 is the stack.
    array_alignment: of such arrays. Units: bytes.
    steps_are_small: whether the step of a range is positive, unless it is a negative number in the text, and no bound
                     so large that the sum of both overflows. Else rounds are counted, which takes a division a loop.
    hides_rows:      whether the beginning of a row is computed before the loop, hidden from LLVM: see `rows.py`.
    has_wishes:      whether loops are marked by what is wished for them.
    hides_infinity:  whether LLVM is not told that a number is infinite. Else it drops the minus infinity of an element
                     that a maximum leaves out together with the maximum, which is then no loop over vectors.
    """

    result: Kind = "i64"
    builder: type[Any] = ir.IRBuilder
    arrays: Mapping[str, int] = field(default_factory=dict)
    array_alignment: int = 64
    steps_are_small: bool = False
    hides_rows: bool = True
    has_wishes: bool = True
    hides_infinity: bool = True


PROCESSOR = TextTarget()
"""The processor of this host, by LLVM itself."""


def array_memory(builder: Any, target: TextTarget, kind: PointerKind) -> Any:
    """The address of the first element of a new array of this kind; it holds nothing at first."""
    array, zero = ir.ArrayType(LLVM_TYPES[kind.element], prod(kind.shape)), ir.Constant(ir.IntType(32), 0)
    if kind.space:
        memory = ir.GlobalVariable(builder.module, array, builder.module.get_unique_name("array"), kind.space)
        memory.linkage, memory.initializer = "internal", ir.Constant(array, ir.Undefined)
        memory.align = target.array_alignment
        return memory.gep([zero, zero])
    with builder.goto_entry_block():
        memory = builder.alloca(array)
        memory.align = target.array_alignment
        return builder.gep(memory, [zero, zero])
