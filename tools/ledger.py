"""The ledger of compiles: a text file, kept with the tests, that says how often each test compiles, and why.

A line holds compiles, recompiles and graph breaks, then the test's id and, behind a tab, the causes; tests that compile
nothing are left out. A change that makes something compile more often, or for another reason, thus shows in the file's
diff. A line that begins with a version of Python holds for that version alone.
"""

from __future__ import annotations

import re
import sysconfig
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from pathlib import Path

from ..core.events import plural
from ..core.records import dataclass

FILE = "guardlift-ledger.txt"
PRESENT = f"py{sysconfig.get_python_version()}"
"""The version of Python that runs, as lines name it."""
_HEADER = """\
# How often each test compiles: compiles, recompiles (all but a function's first), graph breaks, test, causes.
# Written by `pytest --guardlift-ledger=update`, compared by `pytest --guardlift-ledger=check`.
# Counted on {}; a line that begins with another version holds for that one alone.
"""
_COUNTED_ON = re.compile(r"# Counted on (py3\.\d+);")
_LINE = re.compile(r"(?:(?P<version>py3\.\d+)\s)?\s*(\d+)\s+(\d+)\s+(\d+)  (?P<test>[^\t]+)(?:\t(?P<causes>.*))?")
_LONGEST_CAUSE = 80


class LedgerError(ValueError):
    """The ledger is not there, or has a line that is none."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of what one test compiled, each function starting without entries, and the causes in words."""

    compiles: int = 0
    recompiles: int = 0
    breaks: int = 0
    causes: tuple[str, ...] = ()

    @property
    def numbers(self) -> tuple[int, int, int]:
        """The counts alone."""
        return self.compiles, self.recompiles, self.breaks

    def __str__(self) -> str:
        counted = ", ".join(map(plural, self.numbers, ("compile", "recompile", "graph break")))
        return f"{counted} ({'; '.join(self.causes)})" if self.causes else counted


NOTHING = Counts()


@dataclass
class Ledger:
    """The lines of a ledger.

    counted_on: the version of Python that the lines without a version were counted on.   common: these lines, by test.
    special: the lines of other versions, by version and test.
    """

    counted_on: str = PRESENT
    common: dict[str, Counts] = field(default_factory=dict)
    special: dict[tuple[str, str], Counts] = field(default_factory=dict)

    def of(self, test: str, version: str = PRESENT) -> Counts:
        """The counts of a test; zeros when it has no line."""
        return self.special.get((version, test), self.common.get(test, NOTHING))

    def tests(self) -> set[str]:
        """The tests that have a line."""
        return {*self.common, *(test for _, test in self.special)}

    def update(self, counted: Mapping[str, Counts], gone: Collection[str] = (), version: str = PRESENT) -> None:
        """Put in these counts, made on this version, and take out the lines of tests that are gone."""
        for test, counts in counted.items():
            if version == self.counted_on:
                self.common[test] = counts
            elif counts == self.common.get(test, NOTHING):
                self.special.pop((version, test), None)
            else:
                self.special[version, test] = counts
        self.common = {test: counts for test, counts in self.common.items() if test not in gone and counts != NOTHING}
        self.special = {
            (version, test): counts
            for (version, test), counts in self.special.items()
            if test not in gone and counts != self.common.get(test, NOTHING)
        }

    def text(self) -> str:
        """The file's text."""
        lines = [(test, "", counts) for test, counts in self.common.items()]
        lines += [(test, version, counts) for (version, test), counts in self.special.items()]
        return _HEADER.format(self.counted_on) + "".join(
            _line(*each) for each in sorted(lines, key=lambda each: each[:2])
        )


def _line(test: str, version: str, counts: Counts) -> str:
    numbers = "".join(f"{count:4}" for count in counts.numbers)
    causes = "\t" + "; ".join(counts.causes) if counts.causes else ""
    return f"{version}{version and ' '}{numbers}  {test}{causes}\n"


def read(file: Path) -> Ledger:
    """The ledger in a file; an empty one when there is none. Errors: `LedgerError` for a line that is none."""
    found = Ledger()
    if not file.exists():
        return found
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LedgerError(f"{file} is no ledger: {error}") from None
    for number, line in enumerate(text.splitlines(), 1):
        counted_on = _COUNTED_ON.match(line)
        if counted_on:
            found.counted_on = counted_on[1]
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise LedgerError(
                f"{file}:{number} is no line of a ledger, `compiles recompiles breaks  test`: {line[:80]!r}"
            )
        causes = tuple((match["causes"] or "").split("; ")) if match["causes"] else ()
        counts = Counts(int(match[2]), int(match[3]), int(match[4]), causes)
        if match["version"] is None:
            known, found.common[match["test"]] = match["test"] in found.common, counts
        else:
            known = (match["version"], match["test"]) in found.special
            found.special[match["version"], match["test"]] = counts
        if known:
            raise LedgerError(f"{file}:{number}: there is another line of {match['test']}")
    return found


def gone(tests: Iterable[str], collected: Collection[str], whole: Collection[str], folder: Path) -> list[str]:
    """The tests that do not exist any more: their file does not, or was collected whole without them.

    collected: the tests that were found, those included that did not run.   whole: the files that were collected whole.
    folder: the one that tests are named from.
    """
    return sorted(
        test
        for test in tests
        if test not in collected and ((file := test.partition("::")[0]) in whole or not (folder / file).exists())
    )


def cause_text(words: str) -> str:
    """A cause in the words of a line: without what differs from run to run, and what separates the parts of a line."""
    text = re.sub(r"0x[0-9a-fA-F]+", "0x…", words)
    text = re.sub(r"\s+", " ", text.replace(";", ",")).strip()
    return text if len(text) <= _LONGEST_CAUSE else text[: _LONGEST_CAUSE - 1] + "…"


def difference(recorded: Counts, counted: Counts) -> str:
    """The difference from the ledger, in words; empty when there is none."""
    if recorded == counted:
        return ""
    known = "the ledger does not have this test" if recorded == NOTHING else f"where the ledger has {recorded}"
    return f"{counted}, {known}\nif that is meant: pytest --guardlift-ledger=update"
