"""Guards: one class for each kind of fact. Each gives the text that checks it and the words that explain its failure.

`holds` evaluates the very text that the entry code runs, so an explanation cannot drift from what was checked. Array
layouts and exact numbers are checked by the plan's own prologue instead; their `native` flag says so, and their text
form is used only for explaining.
"""

from __future__ import annotations

import math
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ..core.types import TensorType
from .sources import LOOKUP, Pool, Source, evaluate

_MISSING = object()


@dataclass(frozen=True)
class Where:
    """The user's line that made a fact matter."""

    file: str
    line: int
    text: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f": {self.text}" if self.text else "")


@dataclass(frozen=True)
class Guard:
    """One fact about the value at `source`; `where` is the user's line that relied on it."""

    source: Source
    where: Where | None = field(default=None, compare=False)
    native: ClassVar[bool] = False
    kind: ClassVar[str] = ""
    cost: ClassVar[int] = 1
    """Rough price of one check, for the order of checks: cheap ones first."""

    def text(self, pool: Pool) -> str:
        """The condition, as an expression of the entry code."""
        raise NotImplementedError

    def explain(self, found: object) -> str:
        """What differs, in the user's words, and what would avoid it. `found` is the value now."""
        raise NotImplementedError

    def holds(self, namespace: Mapping[str, object], pool: Pool) -> bool:
        """Whether the fact holds among these locals, free variables and globals."""
        try:
            return bool(evaluate(self.text(pool), namespace, pool))
        except LOOKUP:
            return False

    def found(self, namespace: Mapping[str, object], pool: Pool) -> object:
        """The value at the source now, or `MISSING`."""
        try:
            return evaluate(self.source.text(pool), namespace, pool)
        except LOOKUP:
            return _MISSING


@dataclass(frozen=True)
class TypeIs(Guard):
    """The value's type is exactly `expected`; a subclass fails."""

    expected: type = object
    kind: ClassVar[str] = "type"

    def text(self, pool: Pool) -> str:
        return f"{pool.add(type)}({self.source.text(pool)}) is {pool.add(self.expected)}"

    def explain(self, found: object) -> str:
        return (
            f"{self.source} was of type {self.expected.__name__}, now {describe_type(found)}; "
            "pass one type, or convert before the call"
        )


@dataclass(frozen=True)
class Is(Guard):
    """The value is the very object `expected`."""

    expected: Any = None
    kind: ClassVar[str] = "identity"

    def text(self, pool: Pool) -> str:
        if self.expected is None or isinstance(self.expected, bool):
            return f"{self.source.text(pool)} is {self.expected!r}"
        return f"{self.source.text(pool)} is {pool.add(self.expected)}"

    def explain(self, found: object) -> str:
        return f"{self.source} was {describe(self.expected)}, now {describe(found)}; keep one object there"

    def __hash__(self) -> int:
        return hash((self.source, id(self.expected)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Is) and other.source == self.source and other.expected is self.expected


@dataclass(frozen=True, eq=False)
class IsArgument(Is):
    """The same, checked by the plan, which gets the value as one more argument: a comparison of addresses."""

    native: ClassVar[bool] = True


@dataclass(frozen=True)
class IsNot(Guard):
    """The value is not the object `excluded` (None, for most)."""

    excluded: Any = None
    kind: ClassVar[str] = "identity"

    def text(self, pool: Pool) -> str:
        name = "None" if self.excluded is None else pool.add(self.excluded)
        return f"{self.source.text(pool)} is not {name}"

    def explain(self, found: object) -> str:
        return f"{self.source} was not {describe(self.excluded)} before, and is now"


@dataclass(frozen=True)
class Equals(Guard):
    """The value has the type and the value of `expected`, a number, text or None. Signed zeros differ; NaN equals NaN."""

    expected: Any = None
    kind: ClassVar[str] = "equality"

    def text(self, pool: Pool) -> str:
        value, source = self.expected, self.source.text(pool)
        typed = f"{pool.add(type)}({source}) is {pool.add(type(value))}"
        if isinstance(value, float) and value != value:
            return f"{typed} and {source} != {source}"
        if isinstance(value, float) and value == 0.0:
            return f"{typed} and {source} == 0.0 and {pool.add(math.copysign)}(1.0, {source}) == {math.copysign(1.0, value)!r}"
        return f"{typed} and {source} == {pool.add(value) if isinstance(value, (int, float)) else repr(value)}"

    def explain(self, found: object) -> str:
        return (
            f"{self.source} was {describe(self.expected)}, now {describe(found)}; its value decides what runs, "
            "so each value is compiled anew: pass it as a float or an array if only arithmetic needs it"
        )


@dataclass(frozen=True)
class Outcome(Guard):
    """A condition on scalars came out as `expected`; the scalars themselves may change."""

    expected: bool = True
    kind: ClassVar[str] = "outcome"
    cost: ClassVar[int] = 2

    def text(self, pool: Pool) -> str:
        return self.source.text(pool) if self.expected else f"not {self.source.text(pool)}"

    def explain(self, found: object) -> str:
        return (
            f"the condition `{self.source}` was {self.expected}, now {not self.expected}; each outcome is compiled once"
        )


@dataclass(frozen=True)
class Evaluates(Guard):
    """Python arithmetic that can raise (a division, a logarithm) does not, though nothing may use its result."""

    kind: ClassVar[str] = "no error"
    cost: ClassVar[int] = 2

    def text(self, pool: Pool) -> str:
        return f"{self.source.text(pool)} is not {pool.add(_MISSING)}"

    def explain(self, found: object) -> str:
        return f"`{self.source}` gave a number before, and raises now; Python itself then runs the call"


@dataclass(frozen=True)
class Length(Guard):
    """A built-in container has exactly `expected` elements."""

    expected: int = 0
    kind: ClassVar[str] = "length"

    def text(self, pool: Pool) -> str:
        return f"{pool.add(len)}({self.source.text(pool)}) == {self.expected}"

    def explain(self, found: Any) -> str:
        now = len(found) if issubclass(type(found), (tuple, list, dict)) else "gone"
        return f"{self.source} had {self.expected} elements, now {now}; its length decides what runs"


@dataclass(frozen=True)
class DictKeys(Guard):
    """A built-in dict has these keys in this order."""

    expected: tuple[Any, ...] = ()
    kind: ClassVar[str] = "key order"
    cost: ClassVar[int] = 4

    def text(self, pool: Pool) -> str:
        return f"{pool.add(_has_keys)}({self.source.text(pool)}, {pool.add(self.expected)})"

    def explain(self, found: object) -> str:
        now = tuple(found) if isinstance(found, dict) else "gone"
        return f"{self.source} had the keys {self.expected}, now {now}"


def _has_keys(value: dict[Any, Any], expected: tuple[Any, ...]) -> bool:
    # Types first: 1, 1.0 and True are equal keys, and comparing with a key of another class would run its code.
    if len(value) != len(expected):
        return False
    pairs = zip(value, expected, strict=True)
    return all(found is want or type(found) is type(want) and found == want for found, want in pairs)


@dataclass(frozen=True)
class LacksKey(Guard):
    """A name is absent from a dict: an instance has no attribute of its own that would hide the class's."""

    key: str = ""
    kind: ClassVar[str] = "absence"
    cost: ClassVar[int] = 2

    def text(self, pool: Pool) -> str:
        return f"{self.key!r} not in {self.source.text(pool)}"

    def explain(self, found: object) -> str:
        return f"{self.source} had no {self.key!r} before, and has one now"


@dataclass(frozen=True)
class LacksAttribute(Guard):
    """A class neither has nor inherits the attribute `name`, so the instance's own one is what a read gives."""

    name: str = ""
    kind: ClassVar[str] = "absence"
    cost: ClassVar[int] = 3

    def text(self, pool: Pool) -> str:
        return f"{pool.add(getattr)}({self.source.text(pool)}, {self.name!r}, {pool.add(_MISSING)}) is {pool.add(_MISSING)}"

    def explain(self, found: object) -> str:
        return f"{self.source} had no attribute {self.name!r} before, and has one now"


@dataclass(frozen=True)
class ArrayLayout(Guard):
    """An ndarray of exactly this dtype, shape and strides (in elements). Checked by the plan itself."""

    type: TensorType = field(default_factory=lambda: TensorType((), None))  # type: ignore[arg-type]
    strides: tuple[int, ...] = ()
    writeable: bool = False
    native: ClassVar[bool] = True
    kind: ClassVar[str] = "array layout"

    def text(self, pool: Pool) -> str:
        name = pool.add(_has_layout)
        return f"{name}({self.source.text(pool)}, {pool.add(self)})"

    def explain(self, found: object) -> str:
        if type(found) is not np.ndarray:
            return f"{self.source} was an array {self.type}, now {describe_type(found)}"
        expected, dtype = self.type, self.type.dtype.numpy
        if found.dtype != dtype:
            advice = "pass one dtype, or convert before the call"
            return f"{self.source} had dtype {dtype}, now {found.dtype}; {advice}"
        if found.shape != expected.shape:
            advice = "each shape is compiled once; pad to one shape, or expect one entry a shape"
            return f"{self.source} had shape {expected.shape}, now {found.shape}; {advice}"
        if self.writeable and not found.flags.writeable:
            return f"{self.source} was writeable, now it is read-only"
        now = tuple(step // found.itemsize for step in found.strides)
        return (
            f"{self.source} had strides {self.strides}, now {now} (in elements); "
            "pass one memory layout, for instance through np.ascontiguousarray"
        )


def _has_layout(value: object, guard: ArrayLayout) -> bool:
    if type(value) is not np.ndarray or value.dtype != guard.type.dtype.numpy or value.shape != guard.type.shape:
        return False
    if not value.flags.aligned or (guard.writeable and not value.flags.writeable):
        return False
    itemsize = value.itemsize
    steps = zip(value.strides, guard.strides, value.shape, strict=True)
    return value.size == 0 or all(size == 1 or have == want * itemsize for have, want, size in steps)


@dataclass(frozen=True)
class NumberInput(Guard):
    """A number of exactly this type, its value free to change. Checked by the plan when it is passed to it."""

    expected: type = float
    native: ClassVar[bool] = True
    kind: ClassVar[str] = "type"

    def text(self, pool: Pool) -> str:
        return f"{pool.add(type)}({self.source.text(pool)}) is {pool.add(self.expected)}"

    def explain(self, found: object) -> str:
        if type(found) is self.expected:
            return f"{self.source} is {describe(found)}, which does not fit 64 bits"
        return f"{self.source} was of type {self.expected.__name__}, now {describe_type(found)}; pass one type"


@dataclass(frozen=True)
class NoOverlap(Guard):
    """Two arrays share no memory, since one of them is written. Checked by the plan itself."""

    other: Source = field(default_factory=lambda: Source())
    native: ClassVar[bool] = True
    kind: ClassVar[str] = "aliasing"

    def text(self, pool: Pool) -> str:
        check = pool.add(np.may_share_memory)
        return f"not {check}({self.source.text(pool)}, {self.other.text(pool)})"

    def explain(self, found: object) -> str:
        return f"{self.source} and {self.other} did not share memory before, and do now; pass a copy of one"


@dataclass(frozen=True)
class Same(Guard):
    """Two sources lead to one object."""

    other: Source = field(default_factory=lambda: Source())
    kind: ClassVar[str] = "aliasing"

    def text(self, pool: Pool) -> str:
        return f"{self.source.text(pool)} is {self.other.text(pool)}"

    def explain(self, found: object) -> str:
        return f"{self.source} and {self.other} were one object, now they are two"


@dataclass(frozen=True)
class Different(Guard):
    """Two sources lead to two objects."""

    other: Source = field(default_factory=lambda: Source())
    kind: ClassVar[str] = "aliasing"

    def text(self, pool: Pool) -> str:
        return f"{self.source.text(pool)} is not {self.other.text(pool)}"

    def explain(self, found: object) -> str:
        return f"{self.source} and {self.other} were two objects, now they are one"


def describe_type(value: object) -> str:
    """The value's type, as a reader would name it."""
    return "gone" if value is _MISSING else type(value).__name__


def describe(value: Any) -> str:
    """A short name of any value, without running code of its class and without an id."""
    if value is _MISSING:
        return "gone"
    if type(value) is int and value.bit_length() > 200:
        return f"an int of {value.bit_length()} bits"
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        text = repr(value)
        return text if len(text) <= 60 else text[:57] + "…"
    if issubclass(type(value), np.ufunc):
        return f"np.{value.__name__}"
    if issubclass(type(value), (types.FunctionType, types.BuiltinFunctionType)):
        return f"the function {value.__qualname__}"
    if type(value).__name__ == "_ArrayFunctionDispatcher":  # np.sum and most functions of NumPy
        return f"the function {value.__module__}.{value.__qualname__}"  # type: ignore[attr-defined]
    if issubclass(type(value), types.CodeType):
        return f"the code of {value.co_qualname} (line {value.co_firstlineno})"
    if issubclass(type(value), types.ModuleType):
        return f"the module {value.__name__}"
    if issubclass(type(value), type):
        return f"the class {value.__qualname__}"
    return f"a {type(value).__name__}"
