"""Guards on built-in containers and on namespaces: their size, their keys, and what they lack."""

from __future__ import annotations

from dataclasses import dataclass
from operator import is_
from typing import Any, ClassVar

from .guard import Guard
from .reasons import Change
from .sources import Pool
from .words import describe, listed


@dataclass(frozen=True)
class Length(Guard):
    """A built-in container has exactly `expected` elements."""

    expected: int = 0
    kind: ClassVar[str] = "length"

    def text(self, pool: Pool) -> str:
        return f"{pool.add(len)}({self.source.text(pool)}) == {self.expected}"

    def fact(self) -> str:
        return f"len({self.source}) == {self.expected}"

    def change(self, found: object) -> Change:
        sized = (list, tuple, dict, str, set, frozenset, bytes)
        now = str(len(found)) if isinstance(found, sized) else describe(found)
        edit = f"keep one length of {self.source}, which decides what runs, or stack its elements into one array"
        return Change(f"len({self.source})", str(self.expected), now, edit)


@dataclass(frozen=True)
class DictKeys(Guard):
    """A built-in dict has these keys in this order."""

    expected: tuple[Any, ...] = ()
    kind: ClassVar[str] = "key order"
    cost: ClassVar[int] = 20

    def text(self, pool: Pool) -> str:
        return f"{pool.add(_has_keys)}({self.source.text(pool)}, {pool.add(self.expected)})"

    def fact(self) -> str:
        return f"list({self.source}) == {listed(self.expected)}"

    def change(self, found: object) -> Change:
        now = listed(tuple(found)) if isinstance(found, dict) else describe(found)
        edit = f"build {self.source} with the same keys, in one order, for every call"
        return Change(f"list({self.source})", listed(self.expected), now, edit)


def _has_keys(value: dict[Any, Any], expected: tuple[Any, ...]) -> bool:
    if len(value) != len(expected):
        return False
    if False not in map(is_, value, expected):
        return True
    # Types first: 1, 1.0 and True are equal keys, and comparing with a key of another class would run its code.
    pairs = zip(value, expected, strict=True)
    return all(found is want or type(found) is type(want) and found == want for found, want in pairs)


@dataclass(frozen=True)
class LacksKey(Guard):
    """A name is absent from a dict: an instance has no attribute of its own that would hide the class's."""

    key: str = ""
    kind: ClassVar[str] = "absence"

    def text(self, pool: Pool) -> str:
        return f"{self.key!r} not in {self.source.text(pool)}"

    def fact(self) -> str:
        return f"{self.key!r} not in {self.source}"

    def change(self, found: object) -> Change:
        edit = f"put {self.key!r} there before the first call, or not at all"
        return Change(f"{self.key!r} in {self.source}", "False", "True", edit)


@dataclass(frozen=True)
class HasKey(Guard):
    """A name is in a dict, whatever it stands for."""

    key: str = ""
    kind: ClassVar[str] = "presence"

    def text(self, pool: Pool) -> str:
        return f"{self.key!r} in {self.source.text(pool)}"

    def fact(self) -> str:
        return f"{self.key!r} in {self.source}"

    def change(self, found: object) -> Change:
        return Change(f"{self.key!r} in {self.source}", "True", "False", f"keep {self.key!r} there")
