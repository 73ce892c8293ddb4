"""Parameters that a forward leaves out: found in its history, and compared between processes."""

# Note [Parameters left out in compiled code]
# Whether a parameter that this process leaves out has a gradient afterwards is known when all processes have told
# each other. Compiled code cannot wait for that: it was made for one outcome. So a reducer keeps what came out last
# time, which the code relies on, and the plan leaves the call to Python where it comes out otherwise. Python then finds
# and keeps the new outcome, for which the next call has, or gets, code of its own. A parameter that this process has
# used has a gradient in any case.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...autograd.accumulate import AccumulateGrad
from ...autograd.edges import edge_of
from ...core.records import is_dataclass_object, part_names
from ...distributed.backend import Array
from ...distributed.collectives import _all_reduce
from ...distributed.reduce_op import ReduceOp
from ...tensor.tensor import Tensor


def tensors_in(value: Any) -> Iterator[Tensor]:
    """The tensors in the output of a module: in containers, in attributes and in the parts of dataclasses."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from tensors_in(each)
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from tensors_in(each)
    elif hasattr(value, "__dict__"):
        for each in vars(value).values():
            yield from tensors_in(each)
    elif is_dataclass_object(value):  # one with slots
        for name in part_names(type(value)):
            yield from tensors_in(getattr(value, name))


def are_behind(outputs: Sequence[Tensor], parameters: Sequence[Tensor]) -> list[bool]:
    """Whether gradients of the outputs lead to each parameter. The tracer has a rule for this function."""
    todo: list[Any] = [edge_of(each)[0] for each in outputs if each.requires_grad]
    seen: set[Any] = set()
    found: set[int] = set()
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if isinstance(node, AccumulateGrad):
            found.add(id(node.variable))
        todo += [edge[0] for edge in node.next_functions]
    return [id(each) in found for each in parameters]


def used_by_some(group: int, size: int, is_used: Sequence[bool], elsewhere: list[bool]) -> list[bool]:
    """Whether each parameter is used by some process of a group.

    is_used: by this one. elsewhere: by another one, as it came out last for those that this one had not used.
    See Note [Parameters left out in compiled code].
    """
    expected = [own or other for own, other in zip(is_used, elsewhere, strict=True)]
    told = np.array(is_used, np.int64)
    _all_reduce(group, size, told, ReduceOp.SUM, False)
    if is_as_expected(told > 0, np.array(expected)):
        return expected
    found: list[bool] = (told > 0).tolist()
    elsewhere[:] = [before if own else by_some for before, own, by_some in zip(elsewhere, is_used, found, strict=True)]
    return found


def is_as_expected(found: Array, expected: Array) -> bool:
    """Whether two arrays of bools are equal. The tracer has a rule for this function: compiled code is left if not."""
    return bool((found == expected).all())
