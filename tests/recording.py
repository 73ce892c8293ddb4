"""Reports on what functions do meanwhile, through a record: `with recorded() as reports: ...; reports()`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from guardlift.tools.record.reader import read
from guardlift.tools.record.writer import start, stop
from guardlift.tools.report import Report


@contextmanager
def recorded() -> Iterator[Callable[[], list[Report]]]:
    """A context in which functions are recorded; what it gives are the reports on them, once it is left."""
    found: list[Report] = []
    with TemporaryDirectory() as folder:
        part = start(folder)
        assert part is not None
        try:
            yield lambda: found
        finally:
            stop(part)
        found += [report for _, report in read(Path(folder)).reports]
