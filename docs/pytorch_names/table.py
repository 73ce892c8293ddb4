"""The table of PyTorch's names: which are there, which differ, and why others are not."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pytorch_differences import DIFFERENCES
from pytorch_names.reasons import NOT_MEANT, NOT_YET, Reason

HERE = Path(__file__).resolve().parent
CALLS = HERE.parents[1] / "tests" / "tensor" / "signatures" / "differences.txt"
WITH_DIFFERENCES = {"torch", "torch.Tensor", "torch.nn.functional"}
"""The places of the functions that the list of differences names."""


@dataclass
class Place:
    """The names at a place of PyTorch's, by what became of them."""

    name: str
    there: list[str] = field(default_factory=list)
    differ: list[str] = field(default_factory=list)
    called: dict[str, str] = field(default_factory=dict)
    not_meant: dict[str, list[str]] = field(default_factory=dict)
    not_yet: dict[str, list[str]] = field(default_factory=dict)
    unaccounted: list[str] = field(default_factory=list)

    def counts(self) -> tuple[int, int, int, int, int]:
        """All names, those that are there as PyTorch has them, that differ, are not meant to be, and are not yet."""
        found = len(self.there), len(self.differ) + len(self.called)
        absent = sum(map(len, self.not_meant.values())), sum(map(len, self.not_yet.values())) + len(self.unaccounted)
        return sum((*found, *absent)), *found, *absent


def names(file: str = "names.txt") -> dict[str, list[str]]:
    """PyTorch's names by place, or, of the file "paths.txt", by the file that programs import them from."""
    lines = (HERE / file).read_text(encoding="utf-8").splitlines()
    return {place: text.split() for place, _, text in (each.partition(": ") for each in lines if each[:1] != "#")}


def found_at(place: str) -> Any:
    """The counterpart of a place of PyTorch's; None where there is none."""
    path = place.replace("torch", "guardlift", 1)
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        owner, _, name = path.rpartition(".")
        return getattr(importlib.import_module(owner), name, None) if owner in {"guardlift", "guardlift.nn"} else None


def fits(reason: Reason, place: str, name: str) -> bool:
    """Whether a reason is one for a name at a place."""
    short = f"{place.rpartition('.')[2]}.{name}"
    if reason.places and place not in reason.places.split():
        return False
    return any(fnmatchcase(short if "." in each else name, each) for each in reason.names.split())


def places() -> list[Place]:
    """Every place with its names sorted out."""
    differing = {name for each in DIFFERENCES for name in each.functions.split()}
    lines = (line.partition(": ") for line in CALLS.read_text(encoding="utf-8").splitlines() if line[:1] != "#")
    calls = {path.replace("gl", "torch", 1): how for path, _, how in lines}
    return [sorted_out(Place(place), listed, differing, calls) for place, listed in names().items()]


def sorted_out(place: Place, listed: list[str], differing: set[str], calls: dict[str, str]) -> Place:
    """The place with each of the names that are listed where it belongs."""
    owner = found_at(place.name)
    for name in listed:
        if owner is not None and hasattr(owner, name):
            if f"{place.name}.{name}" in calls:
                place.called[name] = calls[f"{place.name}.{name}"]
            elif place.name in WITH_DIFFERENCES and name in differing:
                place.differ.append(name)
            else:
                place.there.append(name)
            continue
        for reasons, kept in ((NOT_MEANT, place.not_meant), (NOT_YET, place.not_yet)):
            why = next((each.why for each in reasons if fits(each, place.name, name)), None)
            if why is not None:
                kept.setdefault(why, []).append(name)
                break
        else:
            place.unaccounted.append(name)
    return place


def import_paths() -> Iterator[str]:
    """The table of PyTorch's files: which can be imported from."""
    found: dict[bool, list[str]] = {True: [], False: []}
    for path in names("paths.txt"):
        ours = path.replace("torch", "guardlift", 1)
        try:
            importlib.import_module(ours)
        except ModuleNotFoundError:
            found[False].append(path)
        else:
            found[True].append(path)
    yield from ("| | files |", "|---|---|")
    yield f"| there, with those of its names that are there at all | {ticked(found[True])} |"
    yield f"| not there | {ticked(found[False])} |"


def lines(found: list[Place]) -> Iterator[str]:
    """The text of the section: totals, then the names of each place."""
    yield from ("| place | names | there | differ | not meant to be | not yet |", "|---|---|---|---|---|---|")
    for place in found:
        yield f"| `{place.name}` | {' | '.join(map(str, place.counts()))} |"
    yield f"| all | {' | '.join(str(sum(column)) for column in zip(*(place.counts() for place in found)))} |"
    for place in found:
        yield from ("", f"### {place.name}", "", "| | names |", "|---|---|")
        yield from rows(place)


def rows(place: Place) -> Iterator[str]:
    """The rows of the table of a place."""
    if place.there:
        yield f"| there | {ticked(place.there)} |"
    if place.differ:
        yield f"| differ, as said [above](#differences) | {ticked(place.differ)} |"
    for how in dict.fromkeys(place.called.values()):
        listed = [name for name, each in place.called.items() if each == how]
        yield f"| differ in how they are called: {how} | {ticked(listed)} |"
    for why, listed in place.not_meant.items():
        yield f"| not meant to be: {why} | {ticked(listed)} |"
    for why, listed in place.not_yet.items():
        yield f"| not yet: {why} | {ticked(listed)} |"
    if place.unaccounted:
        yield f"| **no reason given** | {ticked(place.unaccounted)} |"


def ticked(listed: list[str]) -> str:
    """Names in the form of code."""
    return ", ".join(f"`{name}`" for name in listed)
