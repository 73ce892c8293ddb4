"""Snapshots of what a frame holds, and how two of them become one where branches or iterations meet."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import TYPE_CHECKING

from ...core.records import dataclass
from ..tracing.speculation import unsupported_in_region
from ..values.base import Value
from ..values.constant import Constant
from ..values.containers.sequences import TupleValue
from ..values.numbers.input_scalar import InputNumber
from ..values.numbers.symbolic_int import SymInt

if TYPE_CHECKING:
    from ..interpreter.frame import Frame

Key = str | int
"""The name of a variable, the place of a stack slot, or `RETURNED`."""
RETURNED = -1
"""The place of what the frame has returned; in place of a position: the frame has returned."""
Leaf = Callable[[Key, Value | None, Value | None], Callable[..., Value]]
"""Gives what makes the one value that stands for two, which are no tuples."""
CheckTuples = Callable[[Key, TupleValue, TupleValue], None]


@dataclass(frozen=True)
class BranchTarget:
    """The start of a branch; `kept` is what the jump leaves on the stack there."""

    position: int
    kept: Value | None = None


@dataclass
class FrameSnapshot:
    """The state of a frame at one place: its variables, its stack, and what it has returned."""

    variables: dict[str, Value | None]
    stack: list[Value | None]
    returned: Value | None = None

    @classmethod
    def of(cls, frame: Frame) -> FrameSnapshot:
        """The snapshot of what the frame holds now."""
        return cls(dict(frame.variables), list(frame.stack), frame.returned)

    def restore(self, frame: Frame) -> None:
        """Lets the frame hold what it held then."""
        frame.variables = dict(self.variables)
        frame.stack[:] = self.stack
        frame.returned = self.returned

    def held(self, key: Key) -> Value | None:
        """The value that is held at a place."""
        if isinstance(key, str):
            return self.variables.get(key)
        return self.returned if key == RETURNED else self.stack[key]


def put(frame: Frame, key: Key, value: Value) -> None:
    """Lets the frame hold a value at a place."""
    if isinstance(key, str):
        frame.variables[key] = value
    elif key == RETURNED:
        frame.returned = value
    else:
        frame.stack[key] = value


def differences(
    one: FrameSnapshot, other: FrameSnapshot, live: Container[str]
) -> Iterator[tuple[Key, Value | None, Value | None]]:
    """The places where two snapshots hold different objects, with both. A variable that is not live is left out.

    Errors: a break for stacks of different heights.
    """
    if len(one.stack) != len(other.stack):
        raise unsupported_in_region("branches that leave stacks of different heights")
    names = [name for name in {**one.variables, **other.variables} if name in live]
    for key in [*names, *range(len(one.stack)), RETURNED]:
        if not is_same(one.held(key), other.held(key)):
            yield key, one.held(key), other.held(key)


def agreed(one: FrameSnapshot, other: FrameSnapshot, live: Container[str]) -> FrameSnapshot:
    """The snapshot of `one` without the values of variables that nobody reads and that the two do not agree on."""
    kept = {
        name: one.held(name) if name in live or is_same(one.held(name), other.held(name)) else None
        for name in {**one.variables, **other.variables}
    }
    return FrameSnapshot(kept, one.stack, one.returned)


def merged(
    key: Key, one: Value | None, other: Value | None, leaf: Leaf, check: CheckTuples | None = None
) -> Callable[..., Value]:
    """The function that makes the value that stands for two: element by element for tuples, else by `leaf`.

    check: is asked first about two tuples. Errors: those of `leaf` and `check`.
    """
    if one is not None and is_same(one, other):
        return lambda *given: one
    if type(one) is TupleValue and type(other) is TupleValue and len(one.items) == len(other.items):
        if check is not None:
            check(key, one, other)
        parts = [merged(key, *each, leaf, check) for each in zip(one.items, other.items, strict=True)]
        return lambda *given: TupleValue([part(*given) for part in parts])
    return leaf(key, one, other)


def is_same(one: Value | None, other: Value | None) -> bool:
    """Whether two values are one object to the program, as far as is known."""
    if one is other:
        return True
    if isinstance(one, SymInt) or isinstance(other, SymInt):
        return type(one) is type(other) and one.size.terms == other.size.terms  # type: ignore[union-attr]
    if type(one) is InputNumber and type(other) is InputNumber:
        return bool(one.source == other.source)
    if isinstance(one, Constant) and isinstance(other, Constant):
        return type(one.value) is type(other.value) and repr(one.value) == repr(other.value)
    return False


def described(key: Key) -> str:
    """The place in words, for errors."""
    return f"the variable {key}" if isinstance(key, str) else "what is returned" if key == RETURNED else "a value"
