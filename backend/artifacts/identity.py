"""The identity that tells one artifact from another, besides the graph and the layout of its call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from ...core.records import dataclass

if TYPE_CHECKING:
    from ...graph.node import Graph

GRAPH, BACKWARD, CUT, ENTRY = "graph", "backward", "cut", "entry"
KINDS = (GRAPH, BACKWARD, CUT, ENTRY)
"""Kinds of artifacts: the program of a graph that calls run; that of the backward of such a call; a minimum cut; a
whole entry of a function."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """The saved-tensor hooks that are part of a graph.

    graphs: by name, what they do (see `graph.aot.hook_graphs`).
    hashes: of each opaque function that they called, in order, whether pack or unpack did, and the `user_cache_hash`.
    unhashed: the names of those that have none.
    """

    graphs: Mapping[str, Graph] = field(default_factory=dict)
    hashes: tuple[tuple[str, str], ...] = ()
    unhashed: tuple[str, ...] = ()

    def text(self) -> str:
        """A digest of the graphs, empty where hooks do nothing. Errors: NotComparable."""
        from ...graph.digest import digest, lines

        found: list[tuple[object, ...]] = []
        for name, graph in self.graphs.items():
            if graph.inputs:
                found += [(name,), *lines(graph, places=False)]
        return digest(found).hex() if found else ""


@dataclass(frozen=True, slots=True)
class BackendIdentity:
    """The identity of an artifact, besides the graph and the layout of its call.

    about: whose it is, in words: no part of the key.   split: whether the settings of splitting count.
    """

    kind: str = GRAPH
    hooks: Hooks = Hooks()
    about: str = ""
    split: bool = False


PLAIN = BackendIdentity()
"""A graph without hooks or a history."""
