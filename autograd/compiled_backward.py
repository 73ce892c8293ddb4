"""Compiled autograd: the context under which backward passes run as compiled code, and what became of them there."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from ..core.floors import BACKWARD_RUNNER, asked
from ..core.records import dataclass
from .inlineable import take_in
from .modes import MODES, ModeContext

if TYPE_CHECKING:
    from .engine import GraphTask
    from .node import Edge


class Runner(Protocol):
    """The runner of backward passes that an upper floor offers."""

    def run(self, task: GraphTask, roots: Sequence[Edge], gradients: Sequence[Any]) -> None:
        """Does what ``task.run(roots, gradients)`` does."""

    def forget(self) -> None:
        """Drops all compiled code."""


@dataclass(slots=True)
class Statistics:
    """The count of backward passes that ran under `compiled_autograd`, by how they ran.

    compiles: pieces of graphs that were compiled.   hits: passes that compiled nothing.
    pieces:   pieces of compiled code that ran; of a graph without hooks and custom functions there is one.
    eager:    passes that the engine ran, or finished, itself, by the reason.
    """

    compiles: int = 0
    hits: int = 0
    pieces: int = 0
    eager: dict[str, int] = field(default_factory=dict)


_counted = Statistics()
_lock = threading.Lock()


def count(*, compiles: int = 0, hits: int = 0, pieces: int = 0, eager: str = "") -> None:
    """Adds to what `compiled_autograd.statistics` tells; `eager`: a reason."""
    with _lock:
        _counted.compiles += compiles
        _counted.hits += hits
        _counted.pieces += pieces
        if eager:
            _counted.eager[eager] = _counted.eager.get(eager, 0) + 1


class compiled_autograd(ModeContext):  # noqa: N801
    """A context, or a decorator, under which backward passes over eager graphs run as compiled code.

    A graph is compiled when a backward pass first meets one of its structure: operations, their attributes, shapes,
    dtypes, and where hooks are. Hooks, custom functions and saved-tensor hooks are called between pieces of compiled
    code, where the engine would call them. What cannot be compiled the engine runs; `statistics` says what and why.
    Of this thread alone.   enabled: False for plain backward passes inside of another such context.
    """

    __slots__ = ("before", "enabled")

    def __init__(self, enabled: bool = True) -> None:
        self.enabled = enabled
        self.before: list[bool] = []

    def __enter__(self) -> None:
        self.before.append(MODES.compiled_autograd)
        MODES.compiled_autograd = self.enabled
        take_in()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        MODES.compiled_autograd = self.before.pop()
        take_in()

    def clone(self) -> AbstractContextManager[None]:
        """Another one of the same setting."""
        return compiled_autograd(self.enabled)

    @staticmethod
    def statistics() -> Statistics:
        """The counts since the process began, or since `reset`, in all threads: a copy."""
        with _lock:
            return Statistics(_counted.compiles, _counted.hits, _counted.pieces, dict(_counted.eager))

    @staticmethod
    def reset() -> None:
        """Forgets all compiled backward passes, and counts from 0."""
        global _counted
        runner().forget()
        with _lock:
            _counted = Statistics()


def runner() -> Runner:
    """The runner of backward passes under this context."""
    found: Runner = asked(BACKWARD_RUNNER)
    return found
