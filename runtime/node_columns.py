"""Conditions on nodes that are compiled together: compared one property of all nodes at a time."""

# Note [Columns]
# To find out that a graph is one that was compiled costs more than to run what was. Going from node to node takes the
# interpreter a microsecond or two for each. So all nodes are asked for one thing at a time: `map` over a getter and
# `==` of two lists loop in C, and lists compare by identity before they ask for equality.

# Note [Numbers]
# A Python number among the operands is part of the code at first. Where one differs from what was compiled, and all
# else is the same, the code is made anew, once, with all such numbers for arguments.

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any

from ..autograd.engine import GraphTask
from ..autograd.node import Node
from ..autograd.op_node import OpNode
from ..autograd.saved import SavedTensor
from ..tensor.tensor import Array
from .node_forms import NodeForm, OpForm, alike

_hooks = [attrgetter(name) for name in ("tensor_hooks", "prehooks", "posthooks", "retaining")]
_edges, _attrs, _saved = attrgetter("edges"), attrgetter("attrs"), attrgetter("saved")
_derivative, _shapes, _kinds = attrgetter("derivative"), attrgetter("shapes"), attrgetter("kinds")
_target, _output = itemgetter(0), itemgetter(1)
_packed, _tensor, _version = attrgetter("_hooks"), attrgetter("_tensor"), attrgetter("_version")
_current, _array = attrgetter("_counter.value"), attrgetter("_array")
_origin = attrgetter("_is_leaf", "_is_output", "_tensor._node")


Number = tuple[int, str]
"""A Python number that a node has saved: the number of the node in its backward pass, and the name of the operand."""
FREE = object()
"""Stands for a number that may be any."""


def can_be_argument(value: Any) -> bool:
    """Whether a number means the same as a float that is cast to the dtype of what it meets."""
    return type(value) is float or (type(value) is int and abs(value) <= 2**53)


class Columns:
    """Facts about nodes that follow each other in a backward pass: they are the same whenever these compile to the same
    code.

    ends: for each edge of each node, the number of the node that it leads to; -1 for one that is followed nowhere.
    free: the numbers that may be any.   See Note [Numbers].
    """

    def __init__(
        self,
        first: int,
        nodes: Sequence[Any],
        forms: Sequence[NodeForm],
        ends: Sequence[Sequence[int]],
        free: Collection[Number],
    ) -> None:
        self.first, self.count = first, len(nodes)
        self.types = list(map(type, nodes))
        self.others = [(k, form) for k, form in enumerate(forms) if type(form) is not OpForm]
        self.widths = list(map(len, ends))
        self.ends = list(chain.from_iterable(ends))
        self.outputs = list(map(_output, chain.from_iterable(map(_edges, nodes))))
        self.forms = forms
        self.with_op = [k for k, form in enumerate(forms) if form.op_node(nodes[k]) is not None]
        ops = self._ops(nodes)
        self.derivatives = list(map(_derivative, ops))  # one object for each op and set of wanted operands
        self.shapes, self.kinds, self.attrs = list(map(_shapes, ops)), list(map(_kinds, ops)), list(map(_attrs, ops))
        self.has_attrs = list(map(bool, self.attrs))
        self.with_attrs = [k for k, each in enumerate(self.attrs) if each]
        self.saved = [len(each.saved) for each in ops]  # which these are, the derivative says
        self.numbers = [
            (k, name, FREE if (first + self.with_op[k], name) in free else value)
            for k, each in enumerate(ops)
            for name, value in each.saved.items()
            if type(value) is not SavedTensor
        ]
        self.records = [
            (k, name) for k, each in enumerate(ops) for name, value in each.saved.items() if type(value) is SavedTensor
        ]

    def _ops(self, nodes: Sequence[Any]) -> Sequence[OpNode]:
        if not self.others:
            return nodes
        found = [self.forms[k].op_node(nodes[k]) for k in self.with_op]
        return found  # type: ignore[return-value]

    def fit(self, order: Sequence[Any], task: GraphTask, numbers: bool = True) -> bool:
        """Whether these nodes of the backward pass `order`, which ends with a None, are like those that were compiled.

        numbers: those among operands count.
        """
        nodes = order[self.first : self.first + self.count]
        if list(map(type, nodes)) != self.types or any(any(map(each, nodes)) for each in _hooks):
            return False
        if not all(form.fits(nodes[k]) for k, form in self.others):
            return False
        return (
            self._lead_there(nodes, order, task)
            and self._are_ops(self._ops(nodes))
            and not (numbers and self._has_other_numbers(nodes))
        )

    def _has_other_numbers(self, nodes: Sequence[Any]) -> bool:
        if not self.numbers:
            return False
        saved = list(map(_saved, self._ops(nodes)))
        return not all(
            can_be_argument(saved[k][name]) if number is FREE else alike(saved[k][name], number)
            for k, name, number in self.numbers
        )

    def arguments(self, order: Sequence[Any]) -> set[Number]:
        """The numbers among operands that can be arguments, of nodes that are like these otherwise."""
        ops = self._ops(order[self.first : self.first + self.count])
        found = ((k, name) for k, name, _ in self.numbers if can_be_argument(ops[k].saved[name]))
        return {(self.first + self.with_op[k], name) for k, name in found}

    def _lead_there(self, nodes: Sequence[Node], order: Sequence[Any], task: GraphTask) -> bool:
        edges = list(map(_edges, nodes))
        flat = list(chain.from_iterable(edges))
        if list(map(len, edges)) != self.widths or list(map(_output, flat)) != self.outputs:
            return False
        targets = list(map(_target, flat))
        if task.runs is not None:
            if not task.runs.issuperset(nodes) or not task.places.keys().isdisjoint(nodes):
                return False
            targets = [each if each in task.arriving else None for each in targets]
        return targets == list(map(order.__getitem__, self.ends))

    def _are_ops(self, ops: Sequence[OpNode]) -> bool:
        saved = list(map(_saved, ops))
        attrs = list(map(_attrs, ops))
        if (
            list(map(_derivative, ops)) != self.derivatives
            or list(map(_shapes, ops)) != self.shapes
            or list(map(_kinds, ops)) != self.kinds
            or list(map(len, saved)) != self.saved
            or list(map(bool, attrs)) != self.has_attrs
            or not all(alike(attrs[k], self.attrs[k]) for k in self.with_attrs)
            or SavedTensor in {type(saved[k][name]) for k, name, _ in self.numbers}
        ):
            return False
        records = [saved[k][name] for k, name in self.records]
        return set(map(type, records)) <= _RECORDS and not any(map(_packed, records))


_RECORDS = {SavedTensor}


def unpacked(readers: Sequence[OpNode], names: Sequence[Sequence[str]]) -> list[Array]:
    """The arrays that the nodes `readers` have saved under these names, in order; none of them has hooks.

    Errors: those of `SavedTensor.unpack`, for the first one in that order.
    """
    records = [node.saved[name] for node, each in zip(readers, names) for name in each]
    tensors = list(map(_tensor, records))
    if (
        type(None) not in set(map(type, tensors))
        and list(map(_current, tensors)) == list(map(_version, records))
        and all(map(any, map(_origin, records)))
    ):
        return list(map(_array, tensors))
    found: list[Any] = [node.saved[name].unpack_array(node) for node, each in zip(readers, names) for name in each]
    return found
