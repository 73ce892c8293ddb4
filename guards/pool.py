"""The pool: objects that generated code refers to by number; and anchors of objects known by identity and not kept."""

from __future__ import annotations

import threading
import weakref
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..core.errors import SizeError, StrongReferenceError
from ..core.sizes import Size

POOL = "__guardlift_pool__"


class _Lease(threading.local):
    """The numbers that a thread names at present: class facts name objects when a call of any thread asks for them."""

    numbers: set[int] | None = None


class Pool:
    """The objects that generated code refers to by number. Append-only, so that numbers stay valid.

    An object that is dropped leaves None behind; code that still names it then fails its guard and moves on.
    """

    def __init__(self, first: tuple[object, ...]) -> None:
        self._objects: list[object] = list(first)
        self._numbers: dict[int, int] = {}
        self._users: Counter[int] = Counter()
        """The number of leases that name each object; one that was named outside of all has a lease without end."""
        self._present = _Lease()
        self.class_checks: dict[int, Any] = {}
        """By the number of a check of several classes, the facts about each. See `class_facts.text_of_classes`."""

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

    def reserve(self, size: int) -> None:
        """Let numbers up to `size` be given by `put` alone: code that names one of them may be there already."""
        self._objects += [None] * (size - len(self._objects))

    def put(self, number: int, value: object) -> None:
        """Like `add`, under a number that was reserved."""
        self._objects[number] = value
        self._numbers.setdefault(id(value), number)
        self._use(number)

    def __len__(self) -> int:
        return len(self._objects)

    def _use(self, number: int) -> None:
        leased = self._present.numbers
        if leased is None:
            self._users[number] += 1
        elif number not in leased:
            self._users[number] += 1  # first: an interrupt between the two keeps it for too long, never too short
            leased.add(number)

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
        while numbers:
            number = numbers.pop()
            self._users[number] -= 1
            if self._users[number] <= 0:
                del self._users[number]
                self.drop(number)

    def drop(self, number: int) -> None:
        """Forget the object in slot `number`."""
        self._numbers.pop(id(self._objects[number]), None)
        self.class_checks.pop(number, None)
        self._objects[number] = None

    def replace(self, number: int, value: object) -> None:
        """Put another object into a slot that `new` made."""
        self._objects[number] = value

    @property
    def objects(self) -> tuple[object, ...]:
        """The objects that generated code sees; in place of an anchor, the weak reference that it has now."""
        return tuple(each.reference if type(each) is RebindableRef else each for each in self._objects)

    def __getitem__(self, number: int) -> object:
        """The object of a number: the pool itself can stand for its objects where text is evaluated only once."""
        found = self._objects[number]
        return found.reference if type(found) is RebindableRef else found


class RebindableRef:
    """An object that a trace knows by identity and does not keep: called, it gives the object, or None once that died.

    Whatever names the object by its anchor (sources, guards, assumptions) is about another one once `Rebinding` has put
    that in its place.
    """

    __slots__ = ("__weakref__", "kind", "reference")

    def __init__(self, value: Any) -> None:
        self.kind: type = type(value)
        self.reference: weakref.ref[Any] = weakref.ref(value)

    def __call__(self) -> Any:
        return self.reference()


class Rebinding:
    """Anchors that are being put elsewhere together, and can all be taken back."""

    def __init__(self) -> None:
        self._before: dict[RebindableRef, weakref.ref[Any]] = {}

    def put(self, anchor: RebindableRef, value: Any) -> bool:
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
            raise StrongReferenceError(f"entry code would keep a {kind} alive: name it by `WeakSource` or `WeakIs`")
