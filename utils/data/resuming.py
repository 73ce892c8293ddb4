"""The progress of a pass over a data set, so that another process goes on behind its last batch."""

# Note [Resuming a pass]
# A pass is redone from its start: generators are put where they were then, the order is drawn anew, and the places of
# batches that were given are passed over, without making them. So nothing of the order is stored, workers may have been
# ahead, and the generator of the loader stands where it stood. The default generator is put back afterwards: whoever
# wants it where it was keeps its state beside the loader's. Data sets that are iterated over have no places: their
# batches are made and dropped, unless they have a state of their own.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ...tensor.generator import Generator
from ...tensor.random import get_rng_state, set_rng_state

_KEYS = ("batches", "over", "generators", "generators_at_start", "default_generator_at_start")


class Progress:
    """The number of batches that a pass has given, and where the generators were at its start."""

    def __init__(self, generators: list[Generator]) -> None:
        self.generators = generators
        self.batches = 0
        self.over = False
        self.has_data = False
        """Whether the data set was told by its own state how far it is."""
        self.at_start = [each.get_state() for each in generators]
        self.default_at_start = get_rng_state()

    def state(self) -> dict[str, Any]:
        """The progress as numbers and tensors of bytes."""
        now = [each.get_state() for each in self.generators]
        return dict(zip(_KEYS, (self.batches, self.over, now, self.at_start, self.default_at_start), strict=True))

    @contextmanager
    def redone(self) -> Iterator[None]:
        """A context in which the generators begin where they were at the start; the default one is put back."""
        before = get_rng_state()
        set_rng_state(self.default_at_start)
        _put(self.generators, self.at_start)
        try:
            yield
        finally:
            set_rng_state(before)


def _put(generators: list[Generator], states: list[Any]) -> None:
    for generator, state in zip(generators, states, strict=True):
        generator.set_state(state)


def restored(state: Any, generators: list[Generator]) -> Progress | None:
    """The pass to go on with; None after one that was over, behind which the generators are put.

    Errors: ValueError for what is no state of a loader, or of one that has other generators.
    """
    if not isinstance(state, Mapping) or any(key not in state for key in _KEYS):
        raise ValueError(f"the state of a DataLoader has the keys {', '.join(_KEYS)}; pass what state_dict() gave")
    count = len(state["generators"])
    if count != len(generators):
        raise ValueError(
            f"the loader whose state is loaded had {count} generators of its own, with those of samplers, and "
            f"this one has {len(generators)}; make it alike"
        )
    if state["over"]:
        _put(generators, state["generators"])
        return None
    found = Progress(generators)
    found.batches = int(state["batches"])
    found.at_start, found.default_at_start = state["generators_at_start"], state["default_generator_at_start"]
    return found
