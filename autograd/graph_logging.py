"""Writes to a logger what a backward pass does: one line for each node, in the order in which they run."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import partial

from .handles import RemovableHandle
from .node import Edge, Gradients, Node, reached

LOGGER = logging.getLogger(__name__.rpartition(".")[0] + ".graph")
"""The logger of the public module. At level DEBUG when a backward pass starts, that pass is logged."""


def log_executions(roots: Iterable[Edge]) -> list[RemovableHandle]:
    """Makes every node reached from `roots` write a line just before it runs, until the handles are removed."""
    return [node.register_prehook(partial(_log, node)) for node in reached(node for node, _ in roots)]


def _log(node: Node, gradients: Gradients) -> None:
    shown = ",".join("None" if each is None else f"{each.dtype.code}{list(each.shape)}" for each in gradients)
    LOGGER.debug("Executing: %s with grad_outputs: [%s]", node, shown)
