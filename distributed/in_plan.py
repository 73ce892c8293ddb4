"""Collectives of compiled code: the functions that a plan calls out to, one to start and one to wait.

A plan that has started a communication goes on with its kernels until the result is needed. The number that `start`
gives is an operand of `finish`, and what came last is an operand of what comes next: so passes keep all of them, in
order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ops.call_outs import AROUND
from .backend import Array
from .process_group import numbered_group
from .reduce_op import ReduceOp, averaged, reducible
from .replay import Communicated, begun, communicating, noted
from .started import start_all_reduce, start_broadcast


def start(array: Array, *settings: Any) -> Array:
    """The number of a communication among those of this plan, which was started. Shapes: any -> int64[1].

    settings: the function, the number of the group, and the name of a `ReduceOp` or the rank that sends; then whatever
    was communicated before.
    """
    function, group, setting, *_ = settings
    made = noted()
    if begun():
        made.append(begun().pop(0))
        return np.array([len(made) - 1], np.int64)
    if function == "all_reduce":
        op = ReduceOp[setting]
        sent, kind = reducible(array, op)
        work = start_all_reduce(group, array, sent, op, kind)
    else:
        sent = array.copy(order="C")
        work = start_broadcast(group, sent, setting)
    made.append(Communicated(work.description, work, sent))
    return np.array([len(made) - 1], np.int64)


def finish(number: Array, *settings: Any) -> Array:
    """The result of a communication that was started, once it is there. Shapes: int64[1] -> any.

    settings: as of `start`, and the dtype of the result.
    """
    function, group, setting, dtype, *_ = settings
    known = noted()[int(number[0])]
    known.work.wait()
    result = known.result
    if function == "all_reduce":
        result = averaged(result, ReduceOp[setting], numbered_group(group).size)
    return np.array(result, dtype=dtype, order="C")


for _each in (start, finish):
    AROUND[f"{__name__}.{_each.__name__}"] = communicating
