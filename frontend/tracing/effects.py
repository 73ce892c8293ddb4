"""The changes of objects from outside that a call makes once its plan has run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..values.effects.external_objects import ExternalObjects
    from ..values.effects.side_effects import SideEffect


class TraceEffects:
    """The side effects of one trace, and the objects from outside that it has met."""

    def __init__(self, meet_objects: Callable[[], ExternalObjects]) -> None:
        self._meet_objects = meet_objects
        self.pending: dict[tuple[int, str], SideEffect] = {}
        """The side effects that follow when the plan has run, by the object concerned and the place in it."""
        self.external = meet_objects()

    def of_deferred_trace(self) -> TraceEffects:
        """The effects that a deferred trace begins with: none, and it has met nothing."""
        return TraceEffects(self._meet_objects)
