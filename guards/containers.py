"""Guards on built-in containers and on namespaces: their size, their keys, and what they lack."""

from __future__ import annotations

from collections import deque
from operator import is_
from typing import Any, ClassVar

import numpy as np

from ..core.records import dataclass
from .advice.remedies import BOTH_CASES, ELEMENTS, no_edit, sequence
from .constants import constant_text
from .describe import describe, listed
from .guard import Guard
from .pool import Pool, RebindableRef
from .reasons import ReasonChange

_KEYS_DECIDE = "the keys and their order decide what runs: each order is compiled once"
_KEYS: Any = type({}.keys())
"""The type of the keys that a guard gets for a dict of a subclass, whose own iteration is not asked for."""


@dataclass(frozen=True)
class Length(Guard):
    """A built-in container has exactly `expected` elements."""

    expected: int = 0
    kind: ClassVar[str] = "length"

    def text(self, pool: Pool) -> str:
        return f"{pool.add(len)}({self.source.text(pool)}) == {self.expected}"

    def fact(self) -> str:
        return f"len({self.source}) == {self.expected}"

    def change(self, found: object) -> ReasonChange:
        sized = (list, tuple, deque, dict, str, set, frozenset, bytes)
        now = str(len(found)) if isinstance(found, sized) else describe(found)
        remedy = no_edit(f"the length of {self.source} decides what runs: each is compiled once")
        if stackable(found):
            one = "1" in (str(self.expected), now)
            aside = no_edit("a stack of one array is compiled for itself", aside=True)
            remedy = aside if one else sequence(self.source, "np.stack({})", (), ELEMENTS)
        return ReasonChange(f"len({self.source})", str(self.expected), now, remedy)


def stackable(elements: Any) -> bool:
    """Whether it is a list or a tuple of arrays of one dtype and shape, so that one array can hold them."""
    if type(elements) not in (list, tuple) or not elements or any(type(each) is not np.ndarray for each in elements):
        return False
    return len({(each.dtype, each.shape) for each in elements}) == 1


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

    def change(self, found: object) -> ReasonChange:
        others = tuple(found) if isinstance(found, (dict, _KEYS)) else ()
        now = listed(others, self.expected) if isinstance(found, (dict, _KEYS)) else describe(found)
        return ReasonChange(f"list({self.source})", listed(self.expected, others), now, no_edit(_KEYS_DECIDE))


@dataclass(frozen=True)
class LiveKeys(DictKeys):
    """A dict has these keys in this order. Some are objects that the entry does not keep: anchors stand for them."""

    def text(self, pool: Pool) -> str:
        return f"{pool.add(_has_live_keys)}({self.source.text(pool)}, {pool.add(self.expected)})"

    def fact(self) -> str:
        return f"list({self.source}) == {listed(self._keys())}"

    def change(self, found: object) -> ReasonChange:
        others = tuple(found) if isinstance(found, dict) else ()
        now = listed(others) if isinstance(found, dict) else describe(found)
        return ReasonChange(f"list({self.source})", listed(self._keys()), now, no_edit(_KEYS_DECIDE))

    def _keys(self) -> tuple[Any, ...]:
        return tuple(each() if isinstance(each, RebindableRef) else each for each in self.expected)

    def __hash__(self) -> int:
        return hash((self.source, len(self.expected)))


def _has_live_keys(value: Any, expected: tuple[Any, ...]) -> bool:
    if len(value) != len(expected):
        return False
    return all(
        each is want() if isinstance(want, RebindableRef) else same_constant(each, want)
        for each, want in zip(value, expected, strict=True)
    )


def _has_keys(value: Any, expected: tuple[Any, ...]) -> bool:
    if len(value) != len(expected):
        return False
    return False not in map(is_, value, expected) or all(map(same_constant, value, expected))


CONSTANTS = frozenset({bool, int, float, complex, str, bytes, type(None), type(Ellipsis)})
"""The types of plain constants."""


def same_constant(found: object, want: object) -> bool:
    """Whether a value from outside is equal to the constant `want` in type, value and the signs of zeros.

    No code of the user's runs: types come first, and objects of other classes are the same only if they are identical.
    """
    if found is want:
        return True
    if type(found) is not type(want):  # 1, 1.0 and True are equal
        return False
    if type(found) is tuple and type(want) is tuple:
        return len(found) == len(want) and all(map(same_constant, found, want))
    if type(found) not in CONSTANTS or found != want:
        return False
    return type(found) not in (float, complex) or repr(found) == repr(want)


@dataclass(frozen=True)
class SetElements(Guard):
    """A set or frozenset has these elements; where the order of iteration matters (`ordered`), in this order."""

    expected: tuple[Any, ...] = ()
    ordered: bool = False
    kind: ClassVar[str] = "elements"
    cost: ClassVar[int] = 30

    def text(self, pool: Pool) -> str:
        found = self.source.text(pool)
        check = _has_keys if self.ordered else _has_elements
        return f"{pool.add(check)}({found}, {pool.add(self.expected)})"

    def fact(self) -> str:
        return f"{'list' if self.ordered else 'set'}({self.source}) == {listed(self.expected)}"

    def change(self, found: object) -> ReasonChange:
        others = tuple(found) if isinstance(found, (set, frozenset)) else ()
        now = listed(others, self.expected) if isinstance(found, (set, frozenset)) else describe(found)
        remedy = no_edit("the elements decide what runs: each set of them is compiled once")
        return ReasonChange(f"list({self.source})", listed(self.expected, others), now, remedy)

    def __hash__(self) -> int:
        return hash((self.source, len(self.expected), self.ordered))


def _has_elements(value: set[Any], expected: tuple[Any, ...]) -> bool:
    # An element is looked up only once its type is known, since hashing and comparing others would run their code.
    if len(value) != len(expected) or not all(map(is_plain, value)):
        return False
    wanted = {each: each for each in expected}
    return all(each in wanted and same_constant(each, wanted[each]) for each in value)


def is_plain(value: object) -> bool:
    """Whether a value is hashed and compared by code of CPython's own alone: a constant, a plain class, tuples of them.

    NaN, which is not equal to itself, is left out.
    """
    if type(value) is tuple:
        return all(map(is_plain, value))
    return type(value) is type or type(value) in CONSTANTS and value == value


@dataclass(frozen=True)
class LacksKey(Guard):
    """A name is absent from a dict: an instance has no attribute of its own that would hide the class's."""

    key: str = ""
    shown: str = ""
    """The text of the key in a report where it is not the key's own: `os.environ` keeps bytes."""
    kind: ClassVar[str] = "absence"

    def text(self, pool: Pool) -> str:
        return f"{constant_text(self.key, pool, equal=True)} not in {self.source.text(pool)}"

    def fact(self) -> str:
        return f"{self.shown or repr(self.key)} not in {self.source}"

    def change(self, found: object) -> ReasonChange:
        return ReasonChange(f"{self.shown or repr(self.key)} in {self.source}", "False", "True", no_edit(BOTH_CASES))


@dataclass(frozen=True)
class HasKey(Guard):
    """A name is in a dict, whatever it stands for."""

    key: str = ""
    kind: ClassVar[str] = "presence"

    def text(self, pool: Pool) -> str:
        return f"{constant_text(self.key, pool, equal=True)} in {self.source.text(pool)}"

    def fact(self) -> str:
        return f"{self.key!r} in {self.source}"

    def change(self, found: object) -> ReasonChange:
        return ReasonChange(f"{self.key!r} in {self.source}", "True", "False", no_edit(BOTH_CASES))
