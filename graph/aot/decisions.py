"""What a minimum cut has decided, as numbers, so that somebody may remember it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

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
    """What a cut decides about: all that its answer depends on but for settings. Values by number, as in a decision."""

    inputs: tuple[Node, ...]
    nodes: tuple[Node, ...]
    read: tuple[int, ...]
    in_memory: tuple[int, ...]
    static: tuple[int, ...]
    exact: tuple[int, ...]


Allows = Callable[[Decision], bool]
Search = Callable[[], Decision]


class SaveDecision(Protocol):
    """What remembers decisions."""

    def decided(self, question: Question, allows: Allows, search: Search) -> Decision:
        """What was decided before, if it is allowed; else what a search finds."""


_memories: list[SaveDecision] = []


def remember_by(memory: SaveDecision) -> None:
    """From now on this one is asked before a cut is searched for."""
    _memories[:] = [memory]


def decided(question: Question, allows: Allows, search: Search) -> Decision:
    """What was decided before, if anybody remembers; else what a search finds."""
    return _memories[0].decided(question, allows, search) if _memories else search()
