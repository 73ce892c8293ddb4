"""Single operations that are loops over elements: a region of their own, where none is being written."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from .builder import Region

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..tracing.trace import Trace
    from ..values.arrays.array import Storage


@contextmanager
def operation(trace: Trace, *written: Storage) -> Iterator[Region]:
    """A context in which statements of a region are written; `written` is memory from before it that they change.

    Within a loop that is a region it is that of the loop.
    """
    if trace.region is not None:
        yield trace.region
        return
    region = trace.region = Region(trace, (operation, 0))
    for storage in written:
        region.take_over(storage)
    try:
        yield region
        region.finish([])
    finally:
        trace.region = None
