"""Backward passes through custom functions and hooks that have a history: what they compute under create_graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from ..core.records import dataclass
from ..graph.aot.double_backward import DoubleBackwardStep, inner_values
from ..graph.node import Node
from .backward_passes import BackwardPass, partial_backward_pass, refused


@dataclass(frozen=True, slots=True, eq=False)
class RecordedStep:
    """A backward pass as under create_graph. later: see `backward_passes.partial_backward_pass`.   holds: see
    `later.Later`."""

    step: DoubleBackwardStep
    later: tuple[int, ...]
    holds: Callable[[], bool]


@dataclass(eq=False)
class RecordedPasses:
    """The backward passes evaluated for second derivatives, with the call itself; compiled when they are asked for.

    results: from all results.   parts: from other outputs of the node, by their numbers: inner values, to which
    gradients of the second backward pass come.
    """

    results: RecordedStep
    parts: Mapping[tuple[int, ...], RecordedStep]
    _made: dict[tuple[int, ...], BackwardPass] = field(default_factory=dict)

    def outputs(self) -> tuple[Node, ...]:
        """The results, then the inner values that second derivatives lead to."""
        return (*self.results.step.roots, *inner_values(self.results.step))

    def backward_pass(self, whole: BackwardPass, numbers: Sequence[int], names: str) -> BackwardPass:
        """The backward pass from these outputs. whole: the one without a history.   names: of the functions, for
        messages.

        Errors: SecondOrderError where none was evaluated from just these, or what it relied on has changed.
        """
        key = tuple(numbers)
        results = tuple(range(len(self.results.step.roots)))
        found = self.results if key == results else self.parts.get(key)
        if found is None:
            raise refused(f"gradients come to a part of what {names} gives")
        if not found.holds():
            raise refused(f"what {names} reads outside has changed")
        if key not in self._made:
            self._made[key] = partial_backward_pass(whole, found.step, key, found.later)
        return self._made[key]


__all__ = ["RecordedPasses", "RecordedStep"]
