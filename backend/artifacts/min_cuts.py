"""Decisions of minimum cuts, remembered on disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.config import config
from ...core.sizes import hinted
from ...graph.aot.decisions import Allows, Decision, Question, Search
from ...graph.digest import NotComparable, lines
from ...graph.node import Graph
from .compiled_graphs import whose
from .counters import count
from .identity import CUT, BackendIdentity
from .keys import Request, request
from .store import bypassed, keep, missed, recall


class CutMemory:
    """Decisions of `graph.aot.partition`, by the graphs they are about and the settings."""

    def decided(self, question: Question, allows: Allows, search: Search) -> Decision:
        """The decision that this process or another has made, if it is allowed; else what a search finds."""
        if not config.artifact_cache:
            return search()
        wanted, about = _request(question)
        if wanted is None:
            bypassed(CUT, about, "an attribute in the graph has no text of its own")
            return search()
        found = _decision(recall(wanted))
        if found is not None and allows(found):
            count(CUT, "hit")
            return found
        missed(wanted)
        found = search()
        keep(wanted, {"kept": list(found.kept), "bound": found.bound})
        return found


def _request(question: Question) -> tuple[Request | None, str]:
    """The request for a decision, and whose graph it is about; None where an attribute has no text of its own.

    Where sizes are symbolic, those of the traced call decide, here as in the search.
    """
    graph = Graph(question.inputs, question.nodes, ())
    about = whose(graph)
    flags: Sequence[tuple[object, ...]] = [question.read, question.in_memory, question.static, question.exact]
    try:
        return request(
            BackendIdentity(CUT, about=about, split=True), lines(graph, places=False, numbers_of=hinted), flags
        ), about
    except NotComparable:
        return None, about


def _decision(data: Any) -> Decision | None:
    if type(data) is not dict or set(data) != {"kept", "bound"}:
        return None
    kept, bound = data["kept"], data["bound"]
    if type(kept) is not list or not all(type(each) is int for each in kept) or type(bound) is not float:
        return None
    return Decision(tuple(kept), bound)


CUTS = CutMemory()
