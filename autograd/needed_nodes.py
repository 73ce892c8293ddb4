"""The nodes that take part in a backward pass, and how many gradients come to each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from .node import Edge, Node


def everything_from(roots: Sequence[Edge]) -> dict[Any, int]:
    """By node that is reached from `roots`: how many edges lead to it."""
    counts: dict[Any, int] = {}
    edges = list(roots)  # grows as they are followed
    for node, _ in edges:
        if node in counts:
            counts[node] += 1
        elif node is not None:
            counts[node] = 1
            edges += node.edges
    return counts


def leading_to(targets: Collection[Any], roots: Sequence[Edge], run_targets: bool) -> tuple[dict[Any, int], set[Any]]:
    """The nodes that take part where only `targets` are wanted: how many edges lead to each, and which of them run.

    Nodes run that are reached from `roots` and from which a target is reached; the targets themselves if so told.
    """
    counts: dict[Any, int] = {}
    runs: set[Any] = set()
    seen: set[Any] = set()
    path: list[Node] = []
    stack: list[Node | None] = [node for node, _ in roots if node is not None]
    while stack:
        node = stack.pop()
        if node is None:  # all that is behind the last node of the path has been seen
            node = path.pop()
            if run_targets and node in targets:
                runs.add(node)
            for each, _ in node.edges:
                if each in runs or each in targets:
                    runs.add(node)
                    counts[each] = counts.get(each, 0) + 1
        elif node not in seen:
            seen.add(node)
            path.append(node)
            stack.append(None)
            for each, _ in node.edges:
                if each is not None and each not in seen:
                    if each.edges:
                        stack.append(each)
                    elif run_targets and each in targets:
                        runs.add(each)
    for node, _ in roots:
        if node in runs or node in targets:
            counts[node] = counts.get(node, 0) + 1
    return counts, runs
