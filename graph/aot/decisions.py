"""Decisions of a minimum cut, as numbers, so that somebody may remember them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ...core.records import dataclass
from ..node import Node


@dataclass(frozen=True, slots=True)
class Decision:
    """The values to keep, by number: inputs first, then nodes, in program order.

    bound: what computing a value again may cost, in additions an element.
    """

    kept: tuple[int, ...]
    bound: float


@dataclass(frozen=True, slots=True)
class Question:
    """The question that a cut answers: all that the answer depends on but for settings.

    Values stand in it by number, as in a decision.
    """

    inputs: tuple[Node, ...]
    nodes: tuple[Node, ...]
    read: tuple[int, ...]
    in_memory: tuple[int, ...]
    static: tuple[int, ...]
    exact: tuple[int, ...]


Allows = Callable[[Decision], bool]
Search = Callable[[], Decision]


class SaveDecision(Protocol):
    """A memory of decisions."""

    def decided(self, question: Question, allows: Allows, search: Search) -> Decision:
        """The decision that was made before, if it is allowed; else the one that a search finds."""


_memories: list[SaveDecision] = []


def remember_by(memory: SaveDecision) -> None:
    """From now on this one is asked before a cut is searched for."""
    _memories[:] = [memory]


def decided(question: Question, allows: Allows, search: Search) -> Decision:
    """The decision that was made before, if anybody remembers it; else the one that a search finds."""
    return _memories[0].decided(question, allows, search) if _memories else search()
