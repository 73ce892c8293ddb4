"""The inputs of a graph that gradients of its results go to, through loops and conds as through all else.

::

    graph(%x: f64[3], %w: f64[3], %n: i64[3]) {        (1, 2), numbers of inputs: a comparison has no derivative
      %0 = less(%x, %w)
      %1 = where(%0, %w, %x)                     =>    [{0, 1}]
      return %1
    }
"""

from __future__ import annotations

from collections.abc import Mapping

from ...ops.conds import COND_RESULT
from ...ops.loops import LOOP_RESULT
from ..bodies import body_of, branches_of, count
from ..node import Graph, Node

Reached = frozenset[int]
_NOWHERE: Reached = frozenset()


def reached(graph: Graph) -> list[Reached]:
    """For each output the numbers of the inputs to which a gradient of it goes."""
    known: dict[Node, Reached] = {
        node: frozenset({k}) if node.type.dtype.is_differentiable else _NOWHERE for k, node in enumerate(graph.inputs)
    }
    inside: dict[Node, list[Reached]] = {}
    for node in graph.nodes:
        if not node.type.dtype.is_differentiable:
            known[node] = _NOWHERE
        elif node.op in (LOOP_RESULT, COND_RESULT):
            holder, index = node.inputs[0], node.attr("index")
            assert isinstance(index, int)
            if holder not in inside:
                inside[holder] = _through_loop(holder) if node.op is LOOP_RESULT else _through_cond(holder)
            known[node] = _through(holder, inside[holder][index], known)
        else:
            operands = (each for place, each in enumerate(node.inputs) if has_rule(node, place))
            known[node] = _NOWHERE.union(*(known[each] for each in operands))
    return [known[node] for node in graph.outputs]


def has_rule(node: Node, place: int) -> bool:
    """Whether a gradient of a node goes on to its operand number `place`."""
    op = node.op
    if op.vjp is None or not node.inputs[place].type.dtype.is_differentiable:
        return False
    return op.variadic or op.vjp[place] is not None


def _through(holder: Node, places: Reached, known: Mapping[Node, Reached]) -> Reached:
    return _NOWHERE.union(*(known[holder.inputs[place]] for place in places))


def _through_cond(cond: Node) -> list[Reached]:
    """For each result of a cond, the places of the operands that its gradient reaches through either branch."""
    true, false = (reached(branch) for branch in branches_of(cond))
    return [frozenset(k + 1 for k in one | other) for one, other in zip(true, false, strict=True)]


def _through_loop(loop: Node) -> list[Reached]:
    """For each result of a loop, the places of the operands that its gradient reaches, in any iteration."""
    carried, found = count(loop, "carried"), reached(body_of(loop))
    while True:
        more = [each.union(*(found[k] for k in each if k < carried)) for each in found]
        if more == found:
            return found
        found = more
