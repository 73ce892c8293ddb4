"""The values that several kernels need: whether they are computed again in each, or stored, or stored in part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

from ...core.devices import CPU
from ...graph.node import Node
from ...ops.movement import EXPAND
from ...ops.registry import Indexed, Pointwise
from .groups import Schedule, given_places
from .loop_nest import evaluated

DEAR = 8.0
"""Cost, in additions an element, from which a value that several kernels need is stored instead of computed again."""


def cost_of(schedule: Schedule, node: Node, hoisted: Container[Node] = ()) -> tuple[float, int]:
    """The cost of computing an element of a virtual value, in additions, and how many stored values it reads.

    `hoisted` nodes cost nothing: they are computed once for many elements."""
    seen: set[Node] = set()
    pending = [node]
    cost, leaves = 0.0, 0
    while pending:
        each = pending.pop()
        if each in seen:
            continue
        seen.add(each)
        if each in schedule.places and each is not node:
            leaves += 1
            continue
        if each in hoisted:
            continue
        if isinstance(each.op.lower, Pointwise):
            cost += each.op.lower.cost
        elif isinstance(each.op.lower, Indexed):
            cost += DEAR / 2
        pending.extend(each.inputs)
    return cost, leaves


def computed_again(schedule: Schedule) -> set[Node]:
    """Virtual values that are dear and that the kernels would compute more than once for each element."""
    times: Counter[Node] = Counter()
    in_loops: set[Node] = set()
    places = given_places(schedule)
    for group in schedule.groups:
        nest = evaluated(group, places)
        for node, _, inner in nest.evaluated:
            weight = 1
            if inner and node.type.size > 1 and nest.size >= 2 * node.type.size:
                weight = 2  # the same element again and again, in the innermost loop
            times[node] += weight
            if inner:
                in_loops.add(node)
    again = {node for node, count in times.items() if count > 1 and node.type.size > 1}
    hoisted = times.keys() - in_loops
    nodes = schedule.nodes
    found: set[Node] = set()
    for node in again:
        if node in schedule.places or cost_of(schedule, node, hoisted - {node})[0] < DEAR:
            continue
        users = [nodes[k] for k in schedule.users[node] if k < len(nodes)]
        if (
            all(user in again and times[user] == times[node] and user not in schedule.places for user in users)
            and users
        ):
            continue  # storing what uses it serves as well
        found |= _of_rows(schedule, node, hoisted) or {node}
    return found


def _of_rows(schedule: Schedule, node: Node, hoisted: set[Node]) -> set[Node]:
    """The values of few elements that make `node` dear, if storing them serves as well: on a device, where what is made
    of one large value in memory and of them is read as quickly as if it were stored, and need not be stored then."""
    if schedule.graph.device == CPU:
        return set()
    seen, few, large = set[tuple[Node, bool]](), set[Node](), set[Node]()
    pending = [(node, False)]
    while pending:
        each, is_small = pending.pop()
        if (each, is_small) in seen:
            continue
        seen.add((each, is_small))
        if each in schedule.places and each is not node:
            large |= set() if is_small else {each}
        elif is_small and isinstance(each.op.lower, Pointwise):
            few.add(each)
        else:
            pending.extend((one, is_small or each.op is EXPAND) for one in each.inputs)
    serves = len(large) <= 1 and cost_of(schedule, node, hoisted | few)[0] < DEAR
    return few if serves else set()
