"""Words of kernel text for what the lanes of a warp find out together, as LLVM IR for NVVM.

Each function takes a builder of llvmlite's and the operands, int64 all, and gives the result, an int64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

WORD, WIDE = ir.IntType(32), ir.IntType(64)
EVERY_LANE = 0xFFFFFFFF


def lanes_alike(builder: Any, operands: Sequence[Any]) -> Any:
    """The lanes of the warp that give the same number as this one, as bits. The whole warp must come by."""
    match = _declared(builder, "llvm.nvvm.match.any.sync.i32", [WORD, WORD])
    return builder.zext(builder.call(match, [WORD(EVERY_LANE), builder.trunc(operands[0], WORD)]), WIDE)


def count_bits(builder: Any, operands: Sequence[Any]) -> Any:
    """The number of ones among the lower 32 bits."""
    count = _declared(builder, "llvm.ctpop.i32", [WORD])
    return builder.zext(builder.call(count, [builder.trunc(operands[0], WORD)]), WIDE)


def _declared(builder: Any, name: str, operands: Sequence[Any]) -> Any:
    known = builder.module.globals.get(name)
    return known or ir.Function(builder.module, ir.FunctionType(WORD, operands), name)


LANE_WORDS: dict[str, Callable[[Any, Sequence[Any]], Any]] = {"lanes_alike": lanes_alike, "count_bits": count_bits}
"""The words, by name. Each takes one operand."""
