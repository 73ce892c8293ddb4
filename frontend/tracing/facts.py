"""The facts that a trace relied on, which its entry checks at every call."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ...core.config import config
from ...core.records import dataclass, replace
from ...core.sizes import Facts, Size
from ...guards.assumptions import Assumption
from ...guards.guard import Guard
from ...guards.pool import RebindableRef
from ...guards.sources import Source
from ..breaks import MANY_FACTS
from .dynamic_sizes import FreeSizes


@dataclass(eq=False, kw_only=True)
class TraceFacts:
    """The guards and assumptions of one trace, and its symbolic sizes."""

    guards: dict[Guard, None] = field(default_factory=dict)
    counted: int = 0
    """The number of them that `config.guard_limit` counts."""
    assumptions: dict[tuple[int, Any], Assumption] = field(default_factory=dict)
    anchors: dict[int, RebindableRef] = field(default_factory=dict)
    """The references that stand for objects known by identity, by their identities."""
    sizes: Facts = field(default_factory=Facts)
    """The symbolic sizes of the trace, and what it relied on of them."""
    size_sources: dict[Source, Size] = field(default_factory=dict)
    """The ints from outside that are sizes, by where they are read."""
    may_count: bool = False
    """Whether arrays may be inputs whose sizes are symbolic in each trace."""
    has_free_sizes: FreeSizes = field(default_factory=FreeSizes)
    """Whether the sizes of the array at a place are to be symbolic."""

    def of_deferred_trace(self) -> TraceFacts:
        """The facts that a deferred trace begins with: none of the call's, but for its sizes."""
        return replace(self, guards={}, assumptions={})

    def keep(self, guard: Guard) -> None:
        """Keep a guard once, with its first line. Errors: a break for more than `config.guard_limit`."""
        if guard in self.guards:
            return
        if guard.checked_by != "owner":
            if self.counted >= config.guard_limit:
                raise MANY_FACTS.stop(limit=config.guard_limit)
            self.counted += 1
        self.guards[guard] = None

    def relied_on(self) -> tuple[tuple[Guard, ...], tuple[Assumption, ...]]:
        """All guards and all assumptions."""
        return tuple(self.guards), tuple(self.assumptions.values())

    def anchor(self, value: Any) -> RebindableRef:
        """The reference to an object known by identity, one for each. Errors: TypeError if it has no weak reference."""
        found = self.anchors.get(id(value))
        if found is None or found() is not value:
            found = self.anchors[id(value)] = RebindableRef(value)
        return found
