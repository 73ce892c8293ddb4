"""A plan's table while it is written: its words so far, the layout of the frame, and where each slot's memory is."""

from __future__ import annotations

from dataclasses import field
from typing import Any, NoReturn

import numpy as np

from ....core.errors import KernelError
from ....core.records import dataclass
from ....core.sizes import is_symbolic
from . import table_layout as at
from .cpython_api import object_address
from .lifted_inputs import Lifted
from .plan import LaunchPlan


@dataclass(frozen=True, slots=True)
class EncodedPlace:
    """The way to a slot's memory: an address in a frame word, plus bytes; it spans bytes low .. high from there."""

    word: int
    offset: int
    low: int
    high: int


@dataclass(slots=True)
class Encoding:
    """A table being written, and the frame it describes being laid out."""

    plan: LaunchPlan
    lifted: Lifted
    words: list[int] = field(default_factory=lambda: [0] * at.HEADER_WORDS)
    pins: list[Any] = field(default_factory=list)
    frame_words: int = at.FRAME_FIRST
    places: list[EncodedPlace | None] = field(default_factory=list)
    input_words: list[int] = field(default_factory=list)
    arguments: list[int] = field(default_factory=list)
    """The number of the argument for each input; -1 for what is no argument."""
    reached: dict[int, int] = field(default_factory=dict)
    """The frame word for the array that each input with an access path reaches."""
    output_objects: list[int] = field(default_factory=list)
    output_words: list[int] = field(default_factory=list)
    frame_bytes: int = 0
    known: np.ndarray[Any, Any] | None = None
    watched: int = 0
    """The number of inputs subscribed so far."""

    def take_words(self, count: int = 1) -> int:
        """The first of `count` new words of the frame, at a multiple of 16 bytes when there are several."""
        if count > 1:
            self.frame_words += self.frame_words % 2
        first = self.frame_words
        self.frame_words += count
        return first

    def take_watched_slot(self) -> int:
        """The word of a new watched slot, which stands for what the table of watched slots holds there."""
        self.watched += 1
        return -(at.WATCHED_HEADER_WORDS + at.WATCHED_WORDS * (self.watched - 1) + at.PLACE_ADDRESS)

    def named(self, thing: Any) -> int:
        """The address of `thing`, which the table keeps alive from now on."""
        self.pins.append(thing)
        return object_address(thing)

    def place(self, slot: int) -> EncodedPlace:
        """The way to a slot's memory."""
        if not 0 <= slot < len(self.places):
            refuse(f"slot {slot} does not exist; the plan has {len(self.places)}")
        found = self.places[slot]
        if found is None:
            refuse(f"slot {slot} has no memory")
        return found

    def places_of_slots(self) -> np.ndarray[Any, Any]:
        """(word, offset, low, high) of every slot; one without memory spans nothing, not even its start.

        As objects where some of them are sizes.
        """
        if self.known is None:
            rows = [(p.word, p.offset, p.low, p.high) if p else (0, 0, 1, 0) for p in self.places]
            kind = object if any(map(is_symbolic, rows)) else np.int64
            self.known = np.array(rows, kind).reshape(-1, 4)
        return self.known

    def operand(self, slot: int, offset: int) -> tuple[int, int]:
        """(frame word, bytes to add) of a step's operand."""
        place = self.place(slot)
        if not place.low <= offset <= place.high:
            refuse(f"offset {offset} lies outside slot {slot}, which spans bytes {place.low} to {place.high}")
        return place.word, place.offset + offset


def refuse(what: str) -> NoReturn:
    """Nothing. Errors: KernelError, always."""
    raise KernelError(f"the launch plan contradicts itself: {what}")


def record(fields: list[int]) -> list[int]:
    """The fields of an input, an output or a step, once they say how many words that is."""
    fields[at.LENGTH] = len(fields)
    return fields
