"""Computes what is known, and drops what changes nothing.

::

    %0 = full(dtype=f64, shape=(), value=1.0) : f64[]
    %1 = expand(%0, shape=(3,)) : f64[3]           =>        %0 = exp(%x) : f64[3]
    %2 = multiply(%x, %1) : f64[3]                           return %0
    %3 = exp(%2) : f64[3]

(What is no longer used is left for `dce`.) The rules stand in `constants`, `algebra` and `motion`.
"""

from __future__ import annotations

from ..node import Graph, Node
from . import algebra, constants, motion
from .rewrite import rewrite
from .rule import Rule

RULES: tuple[Rule, ...] = (*constants.RULES, *algebra.RULES, *motion.RULES)
"""Every rule. The first that holds is applied, then all are tried again on what it gave."""


def fold(graph: Graph) -> Graph:
    """The graph with every rule applied wherever it holds."""
    return rewrite(graph, fold_node)


def fold_node(node: Node) -> Node:
    """The node that stands for `node` when no rule holds any more; its operands have been folded already."""
    while True:
        folded = apply_rules(node, RULES)
        if folded is None:
            return node
        node = folded


def apply_rules(node: Node, rules: tuple[Rule, ...]) -> Node | None:
    """The node that the first rule that holds makes of `node`; None when none does."""
    if node.is_input:
        return None
    for rule in rules:
        if not rule.ops or node.op.name in rule.ops:
            answer = rule.apply(node)
            if answer is not None:
                return answer
    return None
