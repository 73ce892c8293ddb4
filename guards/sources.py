"""Sources: how to reach a value again, in the generated entry code and in a report.

A source answers two questions. `text()` is a Python expression valid in the entry code of the function, where
``S[k]`` is entry `k` of the pool of pinned objects. `str(source)` is what the user would have written.
Evaluating a source never runs user code: instance attributes are read from the instance's own dict.
"""

from __future__ import annotations

import functools
import sys
import threading
import types
import weakref
from collections import ChainMap, Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar, dataclass_transform

from ..core.errors import SizeError, StrongReferenceError
from ..core.sizes import Size

_S = TypeVar("_S")

STATE = "__guardlift_state__"
POOL = "__guardlift_pool__"
RESULT = "__guardlift_result__"

LOOKUP = (LookupError, NameError, AttributeError, TypeError, ValueError, ArithmeticError)
"""What evaluating a guard may raise when the thing it looks for is gone or changed; the entry then does not fit."""


class _Lease(threading.local):
    """Where a thread notes what it names: class facts name objects when a call of any thread asks for them."""

    numbers: set[int] | None = None


class Pool:
    """The objects that generated code refers to by number. Append-only, so that numbers stay valid.

    An object that is dropped leaves None behind; code that still names it then fails its guard and moves on.
    """

    def __init__(self, first: tuple[object, ...]) -> None:
        self._objects: list[object] = list(first)
        self._numbers: dict[int, int] = {}
        self._users: Counter[int] = Counter()
        """How many leases name each object; what was named outside of all has one that never ends."""
        self._present = _Lease()

    def add(self, value: object) -> str:
        """The text that names `value` in generated code; the pool keeps it alive.

        Errors: `StrongReferenceError` for an object whose life belongs to the user, or a tuple with one in it.
        """
        number = self._numbers.get(id(value))
        if number is None:
            _refuse_watched(value)
            number = len(self._objects)
            self._objects.append(value)
            self._numbers[id(value)] = number
        self._use(number)
        return f"{POOL}[{number}]"

    def new(self, value: object) -> tuple[str, int]:
        """Like `add`, in a slot of its own that `drop` can free."""
        self._objects.append(value)
        number = len(self._objects) - 1
        self._use(number)
        return f"{POOL}[{number}]", number

    def _use(self, number: int) -> None:
        leased = self._present.numbers
        if leased is None:
            self._users[number] += 1
        elif number not in leased:
            leased.add(number)
            self._users[number] += 1

    @contextmanager
    def lease(self, numbers: set[int]) -> Iterator[None]:
        """A context in which the numbers of all objects that this thread names go into `numbers`, for `release`."""
        before, self._present.numbers = self._present.numbers, numbers
        try:
            yield
        finally:
            self._present.numbers = before

    def release(self, numbers: set[int]) -> None:
        """End a lease: objects that nobody else has named are dropped."""
        for number in numbers:
            self._users[number] -= 1
            if self._users[number] <= 0:
                del self._users[number]
                self.drop(number)
        numbers.clear()

    def drop(self, number: int) -> None:
        """Forget the object in slot `number`."""
        self._numbers.pop(id(self._objects[number]), None)
        self._objects[number] = None

    def replace(self, number: int, value: object) -> None:
        """Put another object into a slot that `new` made."""
        self._objects[number] = value

    @property
    def objects(self) -> tuple[object, ...]:
        """What generated code sees: for an anchor, the weak reference that it has now."""
        return tuple(each.reference if type(each) is Anchor else each for each in self._objects)

    def __getitem__(self, number: int) -> object:
        """One of these: the pool itself can stand for its objects where text is tried only once."""
        found = self._objects[number]
        return found.reference if type(found) is Anchor else found


class Anchor:
    """An object that a trace knows by identity and does not keep: called, it gives the object, or None once that died.

    Whatever names the object by its anchor (sources, guards, assumptions) is about another one once `Moves` has put
    that in its place.
    """

    __slots__ = ("__weakref__", "kind", "reference")

    def __init__(self, value: Any) -> None:
        self.kind: type = type(value)
        self.reference: weakref.ref[Any] = weakref.ref(value)

    def __call__(self) -> Any:
        return self.reference()


class Moves:
    """Anchors that are being put elsewhere together, and can all be taken back."""

    def __init__(self) -> None:
        self._before: dict[Anchor, weakref.ref[Any]] = {}

    def put(self, anchor: Anchor, value: Any) -> bool:
        """Whether the anchor is at `value` now: an object of the same type, and the only one it is put at.

        Only objects of ours change places. What else a trace knows by identity, it may know by several ways.
        """
        if type(value) is not anchor.kind or not (value is anchor() or _is_watched(value)):
            return False
        if anchor in self._before:
            return anchor() is value
        self._before[anchor] = anchor.reference
        anchor.reference = weakref.ref(value)
        return True

    def undo(self) -> None:
        """Put every anchor back where it was."""
        for anchor, reference in self._before.items():
            anchor.reference = reference


def _is_watched(value: object) -> bool:
    return any("_watchers" in vars(base) for base in type(value).__mro__)


def _refuse_watched(value: object) -> None:
    for each in (value, *value) if type(value) is tuple else (value,):
        if isinstance(each, Size):
            raise SizeError("entry code would keep the size of one call")
        if _is_watched(each):
            kind = type(each).__name__
            raise StrongReferenceError(f"entry code would keep a {kind} alive: name it by `Alive` or `WeakIs`")


@dataclass_transform(frozen_default=True)
def source_kind(kind: type[_S]) -> type[_S]:
    """A frozen dataclass whose hash is computed once an object: sources are looked up by it, and a path may be long."""
    made = dataclass(frozen=True)(kind)
    compute = made.__hash__

    def __hash__(self: _S) -> int:
        known = vars(self).get("_hash")
        if known is None:
            known = compute(self)
            object.__setattr__(self, "_hash", known)
        return known

    made.__hash__ = __hash__  # type: ignore[assignment, method-assign]
    return made


@source_kind
class Source:
    """Where a value was read."""

    def text(self, pool: Pool) -> str:
        """The expression that reads it in the entry code."""
        raise NotImplementedError

    def parts(self) -> tuple[Source, ...]:
        """The sources it is read through directly."""
        return ()

    def below(self) -> Iterator[Source]:
        """Every source it is read through, itself left out."""
        pending = [*reversed(self.parts())]
        while pending:
            yield (part := pending.pop())
            pending += reversed(part.parts())

    @property
    def may_vanish(self) -> bool:
        """Whether a later call may find nothing here, though all that it is read through is as it was."""
        return True

    def local_name(self) -> str | None:
        """The argument it starts from, if any."""
        return next((each.name for each in (self, *self.below()) if isinstance(each, Local)), None)


@source_kind
class Local(Source):
    """An argument of the function."""

    name: str

    @property
    def may_vanish(self) -> bool:
        return False

    def text(self, pool: Pool) -> str:
        return self.name

    def __str__(self) -> str:
        return self.name


@source_kind
class Handling(Source):
    """The exception that is being handled where the function is called, or None."""

    @property
    def may_vanish(self) -> bool:
        return False

    def text(self, pool: Pool) -> str:
        return f"{pool.add(sys.exc_info)}()[1]"

    def __str__(self) -> str:
        return "the exception being handled"


@source_kind
class Global(Source):
    """A global (or built-in) name of the function itself."""

    name: str

    def text(self, pool: Pool) -> str:
        return self.name

    def __str__(self) -> str:
        return self.name


@source_kind
class Free(Source):
    """A variable of an enclosing function."""

    name: str

    def text(self, pool: Pool) -> str:
        return self.name

    def __str__(self) -> str:
        return self.name


@source_kind
class Pinned(Source):
    """An object that the entry holds itself."""

    value: Any
    label: str

    def text(self, pool: Pool) -> str:
        return pool.add(self.value)

    def __str__(self) -> str:
        return self.label

    def __hash__(self) -> int:
        return hash((id(self.value), self.label))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pinned) and other.value is self.value


@source_kind
class Alive(Source):
    """An object that the entry knows and does not keep: what an anchor leads to.

    Once the object is gone this is None; a guard on what is read through it then fails.
    """

    reference: Anchor
    label: str

    def text(self, pool: Pool) -> str:
        return f"{pool.add(self.reference)}()"

    def __str__(self) -> str:
        return self.label

    # A trace has one anchor for an object.
    def __hash__(self) -> int:
        return id(self.reference)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Alive) and other.reference is self.reference


@source_kind
class Attribute(Source):
    """An attribute of a module, a class or a function: a plain lookup that runs no user code."""

    base: Source
    name: str

    def text(self, pool: Pool) -> str:
        return f"{self.base.text(pool)}.{self.name}"

    def __str__(self) -> str:
        return f"{self.base}.{self.name}"

    def parts(self) -> tuple[Source, ...]:
        return (self.base,)


@source_kind
class Named(Source):
    """A source that is shown to the user under a shorter name."""

    base: Source
    label: str

    @property
    def may_vanish(self) -> bool:
        return self.base.may_vanish

    def text(self, pool: Pool) -> str:
        return self.base.text(pool)

    def __str__(self) -> str:
        return self.label

    def parts(self) -> tuple[Source, ...]:
        return (self.base,)


@source_kind
class Item(Source):
    """An element of a built-in tuple, list or dict, under a constant key."""

    base: Source
    key: Any

    @property
    def may_vanish(self) -> bool:
        return type(self.key) is str  # a position is there as long as the length is what a guard says

    def text(self, pool: Pool) -> str:
        key = repr(self.key) if type(self.key) in (int, str) else pool.add(self.key)
        return f"{self.base.text(pool)}[{key}]"

    def __str__(self) -> str:
        return f"{self.base}[{self.key!r}]"

    def parts(self) -> tuple[Source, ...]:
        return (self.base,)


@source_kind
class CellOf(Source):
    """What a function's closure cell number `index` holds."""

    base: Source
    index: int
    name: str

    def text(self, pool: Pool) -> str:
        return f"{self.base.text(pool)}.__closure__[{self.index}].cell_contents"

    def __str__(self) -> str:
        return f"{self.name} (closed over by {self.base})"

    def parts(self) -> tuple[Source, ...]:
        return (self.base,)


@source_kind
class OwnCell(Source):
    """The cell of a variable of the running frame itself."""

    name: str

    def text(self, pool: Pool) -> str:
        return f"(lambda: {self.name}).__closure__[0]"

    def __str__(self) -> str:
        return f"the cell of {self.name}"


@source_kind
class Computed(Source):
    """Python arithmetic on scalars, done again by Python at each call. `form` has a ``{}`` for each operand."""

    form: str
    operands: tuple[Source | int | float | bool | str, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Computed) and other.form == self.form and _same_operands(self.operands, other.operands)

    def __hash__(self) -> int:
        return hash((self.form, self.operands))

    def text(self, pool: Pool) -> str:
        return "(" + self.form.format(*(_operand_text(each, pool) for each in self.operands)) + ")"

    def __str__(self) -> str:
        return self.form.format(*map(_operand_name, self.operands))

    def parts(self) -> tuple[Source, ...]:
        return tuple(each for each in self.operands if isinstance(each, Source))


@source_kind
class Applied(Source):
    """A pure built-in function of scalars (`math.sqrt`, `abs`), called again at each call."""

    function: Any
    label: str
    operands: tuple[Source | int | float | bool | str, ...]

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Applied) and other.function is self.function
        return same and _same_operands(self.operands, other.operands)  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((id(self.function), self.operands))

    def text(self, pool: Pool) -> str:
        return f"{pool.add(self.function)}({', '.join(_operand_text(each, pool) for each in self.operands)})"

    def __str__(self) -> str:
        return f"{self.label}({', '.join(map(_operand_name, self.operands))})"

    def parts(self) -> tuple[Source, ...]:
        return tuple(each for each in self.operands if isinstance(each, Source))


def _same_operands(left: tuple[Any, ...], right: tuple[Any, ...]) -> bool:
    """Whether operands are the same; numbers that are equal but differ in type or in the sign of a zero are not."""
    return len(left) == len(right) and all(
        one == other
        if isinstance(one, Source)
        else type(one) is type(other) and (one == other if isinstance(one, int) else repr(one) == repr(other))
        for one, other in zip(left, right, strict=True)
    )


def _operand_name(operand: Source | int | float | bool | str) -> str:
    if isinstance(operand, int) and operand.bit_length() > 200:
        return f"(an int of {operand.bit_length()} bits)"
    return str(operand) if isinstance(operand, Source) else repr(operand)


def _operand_text(operand: Source | int | float | bool | str, pool: Pool) -> str:
    if isinstance(operand, Source):
        return operand.text(pool)
    if isinstance(operand, float) and (operand != operand or operand in (float("inf"), float("-inf"))):
        return pool.add(operand)
    if type(operand) is int and operand.bit_length() > 64:
        return pool.add(operand)  # Python refuses to write very long ones out
    return f"({operand!r})"


def evaluate(text: str, namespace: Mapping[str, object], pool: Pool) -> object:
    """The value of generated text among these locals, free variables and globals."""
    names = ChainMap({POOL: pool}, namespace)  # type: ignore[arg-type]
    return eval(_compiled(text), {"__builtins__": {}}, names)


@functools.lru_cache(maxsize=512)
def _compiled(text: str) -> types.CodeType:
    return compile(text, "<guard>", "eval")
