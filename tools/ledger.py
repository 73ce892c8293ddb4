"""The ledger of compiles: a text file, kept with the tests, that says how often each test compiles.

A line holds compiles, recompiles and graph breaks, then the test's id; tests that compile nothing are left out. A
change that makes something compile more often thus shows in the file's diff.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path

from ..core.events import plural
from ..core.records import dataclass

FILE = "guardlift-ledger.txt"
_HEADER = """\
# How often each test compiles: compiles, recompiles (those that were not a function's first), graph breaks, test.
# Written by `pytest --guardlift-ledger=update`, compared by `pytest --guardlift-ledger=check`.
"""


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of what one test compiled, each function starting without entries."""

    compiles: int = 0
    recompiles: int = 0
    breaks: int = 0

    def __str__(self) -> str:
        words = ("compile", "recompile", "graph break")
        return ", ".join(map(plural, astuple(self), words))


def read(file: Path) -> dict[str, Counts]:
    """The ledger by test id; empty when there is no file. Errors: ValueError for a line that is none."""
    found: dict[str, Counts] = {}
    if not file.exists():
        return found
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.split(None, 3)
        if len(parts) != 4 or not all(part.isdigit() for part in parts[:3]):
            raise ValueError(f"{file}:{number} is not `compiles recompiles breaks test`: {line!r}; update the ledger")
        found[parts[3]] = Counts(*map(int, parts[:3]))
    return found


def write(file: Path, counted: Mapping[str, Counts]) -> None:
    """Put these counts into the ledger; tests that are not among them keep their lines while their file exists."""
    kept = {test: counts for test, counts in read(file).items() if (file.parent / test.split("::")[0]).exists()}
    rows = {test: counts for test, counts in (kept | dict(counted)).items() if counts != Counts()}
    lines = ["".join(f"{count:4}" for count in astuple(rows[test])) + f"  {test}\n" for test in sorted(rows)]
    file.write_text(_HEADER + "".join(lines), encoding="utf-8")


def difference(recorded: Counts | None, counted: Counts) -> str:
    """The difference from the ledger, in words; empty when there is none."""
    if (recorded or Counts()) == counted:
        return ""
    known = f"the ledger has {recorded}" if recorded else "the ledger does not have this test"
    return f"{known}, and now it is {counted}; if that is meant: pytest --guardlift-ledger=update"
