"""The memory that a region reads and writes: whose it is, and who may write it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..breaks import LOOP_ARRAY
from ..tracing.restarts import RegionRestart
from ..tracing.speculation import LoopKey, unsupported_in_region

if TYPE_CHECKING:
    from ..tracing.trace import Trace
    from ..values.arrays.array import Storage


class RegionMemory:
    """The storages of a region: those that it reads, writes, or has made.

    storages: by id, with the number of the operand that each is.   written: those that have another value behind the
    region.   renamed: those whose elements lie elsewhere for as long as the region lasts.
    """

    def __init__(self, trace: Trace, key: LoopKey) -> None:
        self.storages: dict[int, tuple[Storage, int]] = {}
        self.written: dict[int, Storage] = {}
        self.renamed: set[int] = set()
        self._trace, self._key = trace, key
        self._scratch: set[int] = set()
        self._frozen: set[int] = set()
        self._older = len(trace.inputs.storages)
        foreseen = trace.speculation.written.get(key, frozenset())
        self._owned = {id(trace.inputs.storages[number]) for number in foreseen if number < self._older}

    def note_read(self, storage: Storage) -> None:
        """To be called where the graph value of a storage is asked for.

        Errors: a break for one that the region writes.
        """
        if self.owns(storage):
            raise unsupported_in_region("an operation on the whole of an array that the loop writes")

    def note_write(self, storage: Storage) -> None:
        """To be called where an element is written. Errors: `RegionRestart` if nobody foresaw that; a break."""
        if not self.owns(storage):
            number = next(k for k, each in enumerate(self._trace.inputs.storages) if each is storage)
            if number >= self._older:
                raise LOOP_ARRAY.stop(what="an array that another function makes in each round, and that is written")
            foreseen = self._trace.speculation.written
            foreseen[self._key] = foreseen.get(self._key, frozenset()) | {number}
            raise RegionRestart
        if id(storage) in self._frozen:
            raise LOOP_ARRAY.stop(what="a write into an array that a variable holds from round to round")

    def owns(self, storage: Storage) -> bool:
        """Whether the region writes the storage, so that what it holds is no value of the graph."""
        return id(storage) in self._owned

    def take_over(self, storage: Storage) -> None:
        """Let the region write a storage from before it."""
        self._owned.add(id(storage))

    def own(self, storage: Storage) -> None:
        """Make a storage one of the region's."""
        self._owned.add(id(storage))
        self._scratch.add(id(storage))

    def is_scratch(self, storage: Storage) -> bool:
        """Whether the region made a storage, and writes it at will."""
        return id(storage) in self._scratch and id(storage) not in self._frozen

    def freeze(self, storage: Storage) -> None:
        """Let nobody write a storage any more but in `thawed`."""
        self._frozen.add(id(storage))

    @contextmanager
    def thawed(self, storage: Storage) -> Iterator[None]:
        """A context in which a frozen storage is written."""
        self._frozen.discard(id(storage))
        try:
            yield
        finally:
            self._frozen.add(id(storage))
