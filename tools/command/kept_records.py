"""The records of the last runs, kept in the cache folder for `guard-explain show` without a record's name."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path

from ...core.config import config

KEPT_RUNS = 8


def new_folder() -> Path:
    """An empty folder for the record of a run; the oldest ones are removed, so that few are there."""
    folder = config.cache_folder / "records"
    made = folder / f"{time.time_ns():020}-{os.getpid()}"
    try:
        made.mkdir(parents=True, mode=0o700)
        for old in sorted(folder.iterdir())[:-KEPT_RUNS]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="guardlift-record-"))
    return made


def last_folder() -> Path | None:
    """The record of the last run; None when there is none."""
    try:
        found = sorted((config.cache_folder / "records").iterdir())
    except OSError:
        return None
    return found[-1] if found else None
