"""The beginning of the collectives that compiled code has too: see `in_plan`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .backend import Array, CollectiveBackend, StartedRequest
from .process_group import numbered_group
from .reduce_op import ReduceOp
from .replay import repeated
from .work import Work


def form_of(array: Array) -> str:
    """The dtype and the shape in words: ``float32[3, 4]``."""
    return f"{array.dtype.name}{list(array.shape)}"


def start_all_reduce(
    group: int, array: Array, sent: Array, op: ReduceOp, kind: str, store: Callable[[], None] | None = None
) -> Work:
    """The work of a reduction of `sent`, which stands for `array`. store: what `wait` does; None in a plan."""
    description = f"all_reduce({op.name}, {form_of(array)})"
    return _started(group, description, sent, lambda backend: backend.all_reduce(sent, kind), store)


def start_broadcast(group: int, sent: Array, root: int, store: Callable[[], None] | None = None) -> Work:
    """The work of a broadcast that fills `sent`. store: what `wait` does; None in a plan."""
    description = f"broadcast(src={root}, {form_of(sent)})"
    moved = sent.reshape(-1).view(np.uint8) if sent.size else np.empty(0, np.uint8)
    return _started(group, description, sent, lambda backend: backend.broadcast(moved, root), store)


def _started(
    group: int,
    description: str,
    result: Array,
    start: Callable[[CollectiveBackend], StartedRequest],
    store: Callable[[], None] | None,
) -> Work:
    work = None if store is None else repeated(description, result, store)
    if work is not None:
        return work
    where = numbered_group(group)
    return where.submit(description, lambda: start(where.backend), store or _nothing, bytes=result.nbytes)


def _nothing() -> None:
    """Nothing: the plan reads the result of its communication."""
