"""The record of a run of pytest: of its own process, of the workers of pytest-xdist, and of all that tests start."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ..record.lines import ENDING, VARIABLE


@contextmanager
def recorded_run(folder: Path) -> Iterator[None]:
    """A context in which this process, and those that it starts, write into the folder.

    Errors: a usage error when nothing can be written there, or when it holds a record already, which would be joined.
    """
    from ..record.writer import start, stop

    if any(folder.glob(f"*{ENDING}")):
        raise pytest.UsageError(
            f"--guardlift-record: {folder} holds a record already; delete it, or name another folder"
        )
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = str(folder)
    try:
        writer = start(folder)
        if writer is None:
            raise pytest.UsageError(f"--guardlift-record: nothing can be written into {folder}")
        try:
            yield
        finally:
            stop(writer)
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
