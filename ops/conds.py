"""Branches on the data of arrays: two bodies, graphs of their own, of which one is run.

A cond takes one bool, then what its branches read. It gives what the branch gives that is taken; both give values of
the same types.
"""

from __future__ import annotations

from ..core import dtypes
from ..core.errors import OpError
from ..core.sizes import same_sizes
from ..core.types import TensorType
from .loops import Body
from .several import define_several


def _cond_meta(*types: TensorType, true: Body, false: Body, kept: int) -> TensorType:
    test, *operands = types
    if test.shape or not test.dtype.is_bool:
        raise OpError(f"a cond asks one bool, and got {test}")
    for name, (wanted, _, _) in (("true", true), ("false", false)):
        if len(wanted) != len(operands):
            raise OpError(f"the arm {name!r} of a cond takes {len(wanted)} operands, and got {len(operands)}")
        for place, (operand, (shape, dtype)) in enumerate(zip(operands, wanted, strict=True)):
            if operand.dtype is not dtype or not same_sizes(operand.shape, shape):
                raise OpError(f"operand {place} of a cond is {operand}; its arm {name!r} takes {dtype}{shape}")
    if len(true[2]) != len(false[2]) or kept > len(true[2]):
        raise OpError(f"the arms of a cond give {len(true[2])} and {len(false[2])} values, {kept} of them for backward")
    return TensorType((), dtypes.int64)


COND, COND_RESULT = define_several("cond", meta=_cond_meta)
"""The node itself is only a token; what the cond gives are `cond_result` nodes.

true, false: the branches; they take all operands but the first, which says which of them is run. See `graph.bodies`.
kept: how many of its last results only backward reads: those that one branch keeps for it are anything in the other.
Its derivative is a step of the walk back, since it has several results: see `graph.aot.conds`.
"""
