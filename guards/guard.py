"""Guards: one class for each kind of fact. A class says in one place how the fact is checked (`text`), how it reads
(`fact`), and, when it fails, what was, what is, and which edit avoids it (`change`).

`holds` evaluates the very text that the entry code runs, so an explanation cannot drift from what was checked. The
field `checked_by` says who checks a guard at a call; where it is not the entry code, the text serves explanations
alone. Here are the guards on single objects: type, identity, value. Those on arrays, tensors and containers have files
of their own.
"""

from __future__ import annotations

import math
import re
import weakref
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, ClassVar, Literal

import numpy as np

from ..core.asynchronous import lookup_failed
from ..core.dtypes import DType
from ..core.events import Remedy
from ..core.records import dataclass
from ..core.user_line import line_text
from .advice.remedies import BOTH_CASES, DECIDES, ELEMENTS, no_edit, number, sequence, type_name
from .computed_sources import shown
from .constants import constant_text, object_text
from .describe import MISSING, describe, describe_type
from .pool import Pool
from .precedence import COMPARISON
from .reasons import DEAD, IDENTITY, ReasonChange
from .sources import LOOKUP, Attribute, Source, evaluate


@dataclass(frozen=True)
class Where:
    """The user's line that made a fact matter."""

    file: str
    line: int
    text: str = ""

    def __str__(self) -> str:
        return line_text(self.file, self.line) + (f": {self.text}" if self.text else "")


_STEP = 12
"""Units: nanoseconds that each step to a place takes: an attribute, an item, a variable."""


CheckedBy = Literal["entry", "plan", "owner"]
"""The part that checks a guard at a call: the entry code by its text, the plan in its prologue, or the owner of the
fact. That is a tensor known by identity, which tells of a change, or the plan looks; `config.guard_limit` does not
count such guards."""


@dataclass(frozen=True)
class Guard:
    """One fact about the value at `source`; `where` is the user's line that relied on it.

    A kind of guard is one subclass with `kind`, `text`, `fact` and `change`; everything else follows from these. A kind
    that the plan checks as a rule declares `checked_by` again, with "plan" as its default.
    """

    source: Source
    where: Where | None = field(default=None, compare=False)
    checked_by: CheckedBy = field(default="entry", kw_only=True)
    kind: ClassVar[str] = ""
    cost: ClassVar[int] = 2
    """An estimate of how long the check takes, without reading the place. Units: 10 ns."""

    @property
    def native(self) -> bool:
        """Whether the plan or the owner checks the guard, and not the entry code."""
        return self.checked_by != "entry"

    @property
    def sources(self) -> tuple[Source, ...]:
        """Every place the condition reads."""
        return (self.source,)

    @property
    def nanoseconds(self) -> int:
        """An estimate of how long the check takes, with reading the places."""
        steps = 0 if self.native else sum(1 + len(source.below()) for source in self.sources)
        return 10 * self.cost + _STEP * steps

    def text(self, pool: Pool) -> str:
        """The condition, as an expression of the entry code."""
        raise NotImplementedError

    def fact(self) -> str:
        """The fact that must hold, as the user would write it."""
        raise NotImplementedError

    def change(self, found: object) -> ReasonChange:
        """The change that made the fact fail. `found` is the value now."""
        raise NotImplementedError

    def explain(self, found: object) -> str:
        """The failure in one sentence: what was, what is, and what would avoid it."""
        return str(self.change(found))

    def holds(self, namespace: Mapping[str, object], pool: Pool) -> bool:
        """Whether the fact holds among these locals, free variables and globals."""
        try:
            return bool(evaluate(self.text(pool), namespace, pool))
        except LOOKUP:
            lookup_failed()
            return False

    def found(self, namespace: Mapping[str, object], pool: Pool) -> object:
        """The value at the source now, or `MISSING`."""
        try:
            return evaluate(self.source.text(pool), namespace, pool)
        except LOOKUP:
            lookup_failed()
            return MISSING


@dataclass(frozen=True)
class TypeIs(Guard):
    """The value's type is exactly `expected`; a subclass fails."""

    expected: type = object
    kind: ClassVar[str] = "type"

    def text(self, pool: Pool) -> str:
        return f"{pool.add(type)}({self.source.text(pool)}) is {pool.add(self.expected)}"

    def fact(self) -> str:
        return f"type({self.source}) is {self.expected.__name__}"

    def change(self, found: object) -> ReasonChange:
        return type_change(self.source, self.expected, found)


_NUMBERS = (bool, int, float, np.bool_, np.integer, np.floating)
_SEQUENCES = (list, tuple)
_RANGE = re.compile(r"(?<![\w.])range\(")
OTHER_TYPE = 2
"""The parts by which a value of another type differs: more than another value of its type."""


def type_change(source: Source, expected: type, found: object) -> ReasonChange:
    """The change of a value that is of another type now, or is not there."""
    kind = type(found)
    remedy = no_edit(f"an object of another class in {source} may do other things: each class is compiled once")
    if issubclass(expected, _NUMBERS) and issubclass(kind, _NUMBERS):
        remedy = number(source, (expected, kind), (found,))
    elif expected in _SEQUENCES and kind in _SEQUENCES:
        remedy = sequence(source, "list({})", (expected.__name__, kind.__name__), ELEMENTS | {"numpy"})
    elif expected in _SEQUENCES and kind is np.ndarray:
        remedy = sequence(source, "np.asarray({})", (expected.__name__, "np.ndarray"), {"numpy"})
    return ReasonChange(f"type({source})", type_name(expected), describe_type(found), remedy, OTHER_TYPE)


@dataclass(frozen=True)
class NumberInput(Guard):
    """A number of exactly this type, its value free to change. The plan checks it when it is passed to it."""

    expected: type = float
    checked_by: CheckedBy = field(default="plan", kw_only=True)
    kind: ClassVar[str] = "type"

    def text(self, pool: Pool) -> str:
        return f"{pool.add(type)}({self.source.text(pool)}) is {pool.add(self.expected)}"

    def holds(self, namespace: Mapping[str, object], pool: Pool) -> bool:
        if not super().holds(namespace, pool):
            return False
        found = self.found(namespace, pool)
        return type(found) is not int or -(2**63) <= found < 2**63

    def fact(self) -> str:
        return f"{self.source}: any {self.expected.__name__}"

    def change(self, found: object) -> ReasonChange:
        if type(found) is not self.expected:
            return type_change(self.source, self.expected, found)
        remedy = no_edit("compiled code computes with numbers of 64 bits")
        return ReasonChange(str(self.source), "a number of 64 bits", describe(found), remedy)


@dataclass(frozen=True)
class Is(Guard):
    """The value is the very object `expected`. The plan checks it as one more argument, by comparing addresses."""

    expected: Any = None
    kind: ClassVar[str] = IDENTITY
    cost: ClassVar[int] = 1

    def text(self, pool: Pool) -> str:
        return f"{self.source.text(pool)} is {object_text(self.expected, pool)}"

    def fact(self) -> str:
        name = describe(self.expected)
        article, _, kind = name.partition(" ")
        return f"{self.source} is the same {kind} object" if article in ("a", "an") else f"{self.source} is {name}"

    def change(self, found: object) -> ReasonChange:
        source, was, now = str(self.source), describe(self.expected), describe(found)
        if type(self.expected) is bool and type(found) is np.bool_:
            return type_change(self.source, bool, found)
        if self.checked_by == "owner":
            remedy = no_edit(BOTH_CASES)
        elif self.expected is None or isinstance(self.expected, (bool, DType)):
            remedy = no_edit(DECIDES.format(source))
        elif isinstance(self.source, Attribute):
            remedy = no_edit(f"the program assigns {source} between calls; before the first call that costs nothing")
        else:
            remedy = no_edit(f"each object in {source} is compiled once; one that is kept serves all calls")
        parts = OTHER_TYPE if type(found) is not type(self.expected) else 1
        other = f"another {was.removeprefix('a ').removeprefix('an ').removeprefix('the ')}"
        return ReasonChange(source, was, now if now != was else other, remedy, parts)

    def __hash__(self) -> int:
        return hash((self.source, id(self.expected)))

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Is) and other.source == self.source and other.expected is self.expected
        return same and other.checked_by == self.checked_by  # type: ignore[attr-defined]


@dataclass(frozen=True)
class WeakIs(Guard):
    """The value is the very object that `reference` (a weak one, or an anchor) leads to, and that object lives."""

    reference: Callable[[], Any] = field(default_factory=lambda: weakref.ref(Guard))
    kind: ClassVar[str] = IDENTITY

    def text(self, pool: Pool) -> str:
        # A dead reference gives None, which the value may be as well.
        return f"{self.source.text(pool)} is {pool.add(self.reference)}() is not None"

    def fact(self) -> str:
        expected = self.reference()
        name = "object (which was deleted)" if expected is None else f"{describe_type(expected)} object"
        return f"{self.source} is the same {name}"

    def change(self, found: object) -> ReasonChange:
        expected, source = self.reference(), str(self.source)
        if expected is None:
            remedy = no_edit(f"each call has an object of its own in {source}; one that is kept serves all calls")
            return ReasonChange(source, "an object that has died", describe(found), remedy, DEAD)
        was = describe(expected)
        alike = type(found) is type(expected)
        now = f"another {was.removeprefix('a ').removeprefix('an ')}" if alike else describe(found)
        remedy = no_edit(f"each object in {source} is compiled once")
        return ReasonChange(source, was, now, remedy, 1 if alike else OTHER_TYPE)

    def __hash__(self) -> int:
        return hash((self.source, id(self.reference)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WeakIs) and other.source == self.source and other.reference is self.reference


@dataclass(frozen=True)
class Equals(Guard):
    """The value has the type and the value of `expected`, a number, text or None.

    Signed zeros differ; NaN equals NaN.
    """

    expected: Any = None
    kind: ClassVar[str] = "equality"
    cost: ClassVar[int] = 3

    def text(self, pool: Pool) -> str:
        value, source = self.expected, self.source.text(pool)
        typed = f"{pool.add(type)}({source}) is {pool.add(type(value))}"
        if isinstance(value, complex):
            return f"{typed} and {pool.add(repr)}({source}) == {constant_text(repr(value), pool, equal=True)}"
        if isinstance(value, float) and value != value:
            return f"{typed} and {source} != {source}"
        if isinstance(value, float) and value == 0.0:
            sign = f"{pool.add(math.copysign)}(1.0, {source}) == {math.copysign(1.0, value)}"
            return f"{typed} and {source} == 0.0 and {sign}"
        return f"{typed} and {source} == {constant_text(value, pool, equal=True)}"

    def fact(self) -> str:
        return f"{shown(self.source, COMPARISON)} == {describe(self.expected)}"

    def change(self, found: object) -> ReasonChange:
        if issubclass(type(self.expected), _NUMBERS) and issubclass(type(found), np.generic) and found == self.expected:
            return type_change(self.source, type(self.expected), found)
        parts = 1 if type(found) is type(self.expected) else OTHER_TYPE
        return ReasonChange(str(self.source), describe(self.expected), describe(found), self._remedy(), parts)

    def _remedy(self) -> Remedy:
        source = str(self.source)
        if self.where is not None and _RANGE.search(self.where.text):
            turns = f"{source} says how many turns there are, and each number of them is compiled once"
            return no_edit(f"{turns}; the body of the loop, jitted by itself, would be")
        return no_edit(DECIDES.format(source))


@dataclass(frozen=True)
class Outcome(Guard):
    """A condition on scalars came out as `expected`; the scalars themselves may change."""

    expected: bool = True
    kind: ClassVar[str] = "outcome"
    cost: ClassVar[int] = 1

    def text(self, pool: Pool) -> str:
        return self.source.text(pool) if self.expected else f"not {self.source.text(pool)}"

    def fact(self) -> str:
        return str(self.source) if self.expected else f"not ({self.source})"

    def change(self, found: object) -> ReasonChange:
        remedy = no_edit("the condition decides what runs: each outcome is compiled once")
        return ReasonChange(f"the condition `{self.source}`", str(self.expected), str(not self.expected), remedy)


_RAISES = "Python itself runs the call and raises"


@dataclass(frozen=True)
class Evaluates(Guard):
    """Python arithmetic that can raise (a division, a logarithm) does not, though nothing may use its result."""

    kind: ClassVar[str] = "no error"
    cost: ClassVar[int] = 1

    def text(self, pool: Pool) -> str:
        return f"{self.source.text(pool)} is not {pool.add(MISSING)}"

    def fact(self) -> str:
        return f"{self.source} raises no error"

    def change(self, found: object) -> ReasonChange:
        return ReasonChange(f"`{self.source}`", "a number", "an error", no_edit(_RAISES))


@dataclass(frozen=True)
class IsThere(Evaluates):
    """A variable, an attribute or a key that was read is there still, though nothing may use its value."""

    kind: ClassVar[str] = "presence"

    def fact(self) -> str:
        return f"{self.source} is there"

    def change(self, found: object) -> ReasonChange:
        return ReasonChange(f"`{self.source}`", "there", "missing", no_edit(_RAISES))


@dataclass(frozen=True)
class OfTwo(Guard):
    """A fact about two values."""

    other: Source = field(default_factory=lambda: Source())

    @property
    def sources(self) -> tuple[Source, ...]:
        return self.source, self.other


@dataclass(frozen=True)
class Same(OfTwo):
    """Two sources lead to one object."""

    kind: ClassVar[str] = "aliasing"
    cost: ClassVar[int] = 1

    def text(self, pool: Pool) -> str:
        return f"{self.source.text(pool)} is {self.other.text(pool)}"

    def fact(self) -> str:
        return f"{self.source} is {self.other}"

    def change(self, found: object) -> ReasonChange:
        return ReasonChange(f"`{self.source} is {self.other}`", "True", "False", no_edit(BOTH_CASES))


@dataclass(frozen=True)
class Different(OfTwo):
    """Two sources lead to two objects."""

    kind: ClassVar[str] = "aliasing"
    cost: ClassVar[int] = 1

    def text(self, pool: Pool) -> str:
        return f"{self.source.text(pool)} is not {self.other.text(pool)}"

    def fact(self) -> str:
        return f"{self.source} is not {self.other}"

    def change(self, found: object) -> ReasonChange:
        return ReasonChange(f"`{self.source} is {self.other}`", "False", "True", no_edit(BOTH_CASES))
