"""Blocks of a GPU's memory: small ones from size classes, the others from the driver's pool; who holds how much."""

# Note [Memory of a GPU]
# All work is given to one stream in order, and blocks come from and go to a pool of the driver in that order as well: a
# block may be given back while a kernel still uses it, and whoever gets it next comes later. Blocks below a megabyte
# are of some forty sizes, and up to `KEPT` bytes of them are kept at hand. Nothing else is: the driver's pool keeps
# what it is told it may, half of what was free. A block may be given back in any thread, and by a finalizer that runs
# in the midst of an allocation: so that only notes it down, and whoever comes next does the work. Small blocks of
# results of compiled calls wait in a list of that result, from which its next call takes them; whoever needs memory
# that is not at hand, or counts it, empties these lists first.
#
# Once a program has made another stream, a block belongs to the stream on which it was asked for. Any stream may have
# used it meanwhile, so before anybody gets it again all others have to be done with what they were given until then:
# an event on each says when. Its own stream need not be waited for, and no stream waits for another one.

from __future__ import annotations

import gc
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from ....core.config import config
from ....core.errors import OutOfMemoryError
from .blocks import LARGE, TENSORS, BlockSource, HeldBlock, StreamOrder, WaitingBlocks, size_of

KEPT = 8 << 20
"""Units: bytes of small blocks that are kept at hand."""
MOST_GIVEN = 256
"""Small blocks that were given back and not yet looked at."""
MOST_ASKED = 32
"""Small blocks that the driver is asked for before those are taken that wait for the next call of a function."""
_MOST = {"allocated": "most allocated", "reserved": "most reserved"}


class DeviceAllocator:
    """See Note [Memory of a GPU].

    source: where blocks come from. free_bytes: gives how many bytes of the GPU are free, and how many it has.
    exact: blocks are as large as was asked for, and none is kept."""

    def __init__(self, source: BlockSource, free_bytes: Callable[[], tuple[int, int]], exact: bool = False) -> None:
        self._exact = exact
        self.own = self.source = source
        self.free_bytes = free_bytes
        self._held: dict[int, HeldBlock] = {}
        self._kept: dict[int | tuple[int, int], list[int]] = {}
        """Blocks at hand, by their size, and by stream and size."""
        self._given: deque[int] = deque()
        self.note = self._given.append
        self.spare: list[Callable[[], None]] = []
        """Functions that give back what is held only to be at hand."""
        self._waiting: dict[int, weakref.ref[WaitingBlocks]] = {}
        self._asked_since = 0
        """Small blocks asked of the driver since those that wait were taken."""
        self.streams: StreamOrder | None = None
        """The streams, if there is another one than the default stream."""
        self._pending: deque[tuple[list[Any], list[int]]] = deque()
        """Blocks that were given back, and the events after which no other stream uses them."""
        self._lock = threading.Lock()
        self._holder = threading.local()
        self.counts = {"allocated": 0, "most allocated": 0, "reserved": 0, "most reserved": 0, "kept": 0}
        """Units: bytes: of blocks in use, at most; of those and the ones at hand, at most; of the ones at hand."""
        self.events = {"allocations": 0, "frees": 0, "retries": 0, "failures": 0}

    @contextmanager
    def held_by(self, holder: str) -> Iterator[None]:
        """A context in which the blocks that this thread asks for count as this holder's."""
        before = getattr(self._holder, "name", TENSORS)
        self._holder.name = holder
        try:
            yield
        finally:
            self._holder.name = before

    def allocate(self, nbytes: int, holder: str = "") -> int:
        """The address of a block, whose contents are undefined. holder: who holds it; see `held_by` without.

        Errors: OutOfMemoryError."""
        return self.allocate_all((self.wanted(nbytes, holder or getattr(self._holder, "name", TENSORS)),))[0]

    def wanted(self, nbytes: int, holder: str) -> HeldBlock:
        """A request to `allocate_all`: a block of so many bytes for a holder, from the driver's pool."""
        return HeldBlock(nbytes, size_of(nbytes), holder, self.own)

    def allocate_all(self, wanted: Sequence[HeldBlock]) -> list[int]:
        """The addresses of blocks; none is held in the end where one is not to be had. Errors: OutOfMemoryError."""
        own = self.source is self.own and not self._exact
        held, kept, counts = self._held, self._kept, self.counts
        stream = 0 if self.streams is None else self.streams.current().handle
        found: list[int] = []
        with self._lock:
            if self._given or self._pending:
                self._take_back()
            for block in wanted:
                if not own or stream:
                    size = block.size if own else block.asked
                    block = HeldBlock(block.asked, size, block.holder, self.source, stream)
                size = block.size
                if own and (waiting := kept.get((stream, size) if stream else size)):
                    counts["kept"] -= size
                    address = waiting.pop()
                else:
                    address = self._new(block, own, found)
                held[address] = block
                found.append(address)
                counts["allocated"] = now = counts["allocated"] + size
                if now > counts["most allocated"]:
                    counts["most allocated"] = now
            self.events["allocations"] += len(found)
        return found

    def waiting_blocks(self) -> WaitingBlocks:
        """A list to take blocks from and to give them to, at its end, of which everybody else takes them too."""
        made = WaitingBlocks()
        made.note, number = self.note, id(made)
        self._waiting[number] = weakref.ref(made, lambda _: self._waiting.pop(number, None))
        return made

    def _new(self, wanted: HeldBlock, own: bool, found: Sequence[int]) -> int:
        """The address of a block that is not at hand. found: those to give back where there is none."""
        address = self._taken(wanted, own)
        if address is None:
            address = self._retried(wanted, own)
        if address is None:
            self.events["failures"] += 1
            self.events["allocations"] += len(found)
            self._given.extend(found)
            raise OutOfMemoryError(self._full(wanted.asked, wanted.size))
        return address

    def free(self, address: int) -> None:
        """Takes a block back, once what was given to the stream before is done with it.

        Small ones wait for the next who asks for memory; `note` says so of any, and nothing else."""
        given = self._given
        given.append(address)
        block = None if self._exact else self._held.get(address)
        if block is not None and block.size < LARGE and len(given) < MOST_GIVEN and block.source is self.own:
            return
        if self._lock.acquire(blocking=False):
            try:
                self._take_back()
            finally:
                self._lock.release()

    def empty(self) -> None:
        """Gives back to the system all that is not in use."""
        self._give_spare()
        with self._lock:
            self._take_back_all(wait=True)
            self._let_go()
            self.own.trim()

    def _give_spare(self) -> None:
        for release in self.spare:
            release()

    def use(self, source: BlockSource | None) -> None:
        """Takes blocks from `source` from now on, from the driver's pool for None; those in use stay where they are."""
        self._give_spare()
        with self._lock:
            self._take_back_all()
            self.source = source or self.own

    def order_by(self, streams: StreamOrder) -> None:
        """From now on there are several streams."""
        with self._lock:
            self.streams = streams

    def _taken(self, wanted: HeldBlock, own: bool) -> int | None:
        size, stream = wanted.size, wanted.stream
        key = (stream, size) if stream else size
        kept = self._kept.get(key) if own else None
        if not kept and own and size < LARGE:
            self._asked_since += 1
            if (
                self._asked_since == MOST_ASKED
            ):  # not each time: two functions would take blocks from one another for ever
                self._asked_since = 0
                self._take_back_all()
                kept = self._kept.get(key)
        if kept:
            self.counts["kept"] -= size
            return kept.pop()
        if config.cuda_limit and self.counts["reserved"] + size > config.cuda_limit:
            return None
        address = self.source.take(size)
        if address is not None:
            self._count("reserved", size)
            if stream and not own and self.streams is not None:
                self.streams.order(0, stream)
        return address

    def _retried(self, wanted: HeldBlock, own: bool) -> int | None:
        """A block after everything was given back that is not in use, cycles of garbage too."""
        self.events["retries"] += 1
        gc.collect()
        self._give_spare()
        self._take_back_all(wait=True)
        self._let_go()
        self.source.trim()
        return self._taken(wanted, own)

    def _take_back_all(self, wait: bool = False) -> None:
        """Takes back what waits for the next call of a function, too. wait: what streams still use is waited for."""
        for each in list(self._waiting.values()):
            blocks = each()
            with suppress(IndexError):  # other threads take from it, too
                while blocks:
                    self._given.append(blocks.pop())
        self._take_back(wait)

    def _take_back(self, wait: bool = False) -> None:
        given, streams = self._given, self.streams
        if streams is None:
            while given:
                self._put_back(given.popleft())
            return
        by_stream: dict[int, list[int]] = {}
        while given:
            address = given.popleft()
            by_stream.setdefault(self._held[address].stream, []).append(address)
        for own, addresses in by_stream.items():
            self._pending.append(([streams.marked(each) for each in streams.others(own)], addresses))
        is_done = streams.finish_event if wait else streams.is_done
        while self._pending and all(is_done(event) for event in self._pending[0][0]):
            events, addresses = self._pending.popleft()
            for event in events:
                streams.forget(event)
            for address in addresses:
                self._put_back(address)

    def _put_back(self, address: int) -> None:
        """Keeps a block at hand, or gives it to its source."""
        block, counts = self._held.pop(address), self.counts
        size = block.size
        counts["allocated"] -= size
        self.events["frees"] += 1
        if size < LARGE and block.source is self.own and not self._exact and counts["kept"] + size <= KEPT:
            self._kept.setdefault((block.stream, size) if block.stream else size, []).append(address)
            counts["kept"] += size
        else:
            self._give(block.source, address, block.stream)
            self._count("reserved", -size)

    def _give(self, source: BlockSource, address: int, stream: int) -> None:
        if stream and source is self.own:
            source.give(address, stream)  # type: ignore[call-arg]
            return
        if stream and self.streams is not None:
            self.streams.order(stream, 0)
        source.give(address)

    def _let_go(self) -> None:
        for key, kept in self._kept.items():
            stream, size = key if isinstance(key, tuple) else (0, key)
            while kept:
                self._give(self.own, kept.pop(), stream)
                self.counts["kept"] -= size
                self._count("reserved", -size)

    def _count(self, name: str, change: int) -> None:
        counts, most = self.counts, _MOST[name]
        counts[name] = now = counts[name] + change
        if now > counts[most]:
            counts[most] = now

    def reset_peaks(self) -> None:
        """Counts the most bytes from now on."""
        with self._lock:
            self._take_back_all()
            for name in ("allocated", "reserved"):
                self.counts[f"most {name}"] = self.counts[name]

    def statistics(self) -> dict[str, Any]:
        """All counts, with bytes and blocks by who holds them."""
        with self._lock:
            self._take_back_all()
            return {**self.counts, **self.events, "holders": self._holders()}

    def _holders(self) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for block in self._held.values():
            nbytes, blocks = found.get(block.holder, (0, 0))
            found[block.holder] = nbytes + block.size, blocks + 1
        return found

    def summary(self) -> str:
        """The memory that is held, and by whom, as lines of text."""
        with self._lock:
            self._take_back_all()
            return self._summary()

    def _summary(self) -> str:
        free, total = self.free_bytes()
        counts = self.counts
        lines = [
            f"of {in_words(total)} of the GPU {in_words(free)} are free, to all processes",
            f"in use here: {in_words(counts['allocated'])}, at most {in_words(counts['most allocated'])}",
        ]
        for holder, (nbytes, blocks) in sorted(self._holders().items()):
            lines.append(f"  {holder}: {in_words(nbytes)} in {blocks} block{'s' if blocks != 1 else ''}")
        largest = sorted((each.size, each.holder) for each in self._held.values())[-3:]
        if largest:
            each = ", ".join(f"{in_words(size)} ({holder})" for size, holder in reversed(largest))
            lines.append(f"  the largest blocks: {each}")
        lines.append(f"kept at hand: {in_words(counts['kept'])} of small blocks")
        if config.cuda_limit:
            lines.append(f"GUARDLIFT_CUDA_LIMIT allows {in_words(config.cuda_limit)}")
        return "\n".join(lines)

    def _full(self, nbytes: int, size: int) -> str:
        over = config.cuda_limit and self.counts["reserved"] + size > config.cuda_limit
        why = "which GUARDLIFT_CUDA_LIMIT does not allow" if over else "which there are not"
        remedy = "raise the limit, or use" if over else "use"
        return (
            f"CUDA out of memory: {in_words(nbytes)} were asked for, {why}. Delete tensors that are not needed, "
            f"{remedy} smaller batches, or gl.autograd.checkpoint.\n{self._summary()}"
        )


def in_words(nbytes: int) -> str:
    """A number of bytes in its unit."""
    size = float(nbytes)
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.2f} GiB"
