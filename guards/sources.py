"""Sources: how generated entry code reaches a value again, and how a report names it.

`text()` is a Python expression that is valid in the entry code of the function, where ``POOL[k]`` is object `k` of the
pool. `str(source)` is what the user would have written. Evaluating a source never runs user code: instance attributes
are read from the instance's own dict.
"""

from __future__ import annotations

import functools
import re
import sys
import types
from collections import ChainMap
from collections.abc import Mapping
from typing import Any, TypeVar, dataclass_transform

from ..core.records import dataclass
from .constants import key_text
from .names import compile_text, name_text
from .pool import POOL, Pool, RebindableRef

_S = TypeVar("_S")

STATE = "__guardlift_state__"
RESULT = "__guardlift_result__"

LOOKUP = (LookupError, NameError, AttributeError, TypeError, ValueError, ArithmeticError)
"""The errors that a guard may raise when what it looks for is gone or changed; the entry then does not fit."""


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
    """A place where a value was read."""

    def text(self, pool: Pool) -> str:
        """The expression that reads it in the entry code."""
        raise NotImplementedError

    def parts(self) -> tuple[Source, ...]:
        """The sources it is read through directly."""
        return ()

    def below(self) -> tuple[Source, ...]:
        """Every source it is read through, itself left out; found once an object, as the hash is."""
        known: tuple[Source, ...] | None = vars(self).get("_below")
        if known is None:
            found: list[Source] = []
            pending = [*reversed(self.parts())]
            while pending:
                found.append(part := pending.pop())
                further = vars(part).get("_below")
                if further is None:
                    pending += reversed(part.parts())
                else:
                    found += further
            known = tuple(found)
            object.__setattr__(self, "_below", known)
        return known

    @property
    def may_vanish(self) -> bool:
        """Whether a later call may find nothing here, though all that it is read through is as it was."""
        return True

    @property
    def is_computed(self) -> bool:
        """Whether Python computes this number again at each call, from those that it is read through."""
        return False

    @property
    def behind_plan(self) -> Source:
        """The source of the same once the plan has run, which may have written what this one reads."""
        return self

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
        return name_text(self.name)

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
        return name_text(self.name)

    def __str__(self) -> str:
        return self.name


@source_kind
class Free(Source):
    """A variable of an enclosing function."""

    name: str

    def text(self, pool: Pool) -> str:
        return name_text(self.name)

    def __str__(self) -> str:
        return self.name


@source_kind
class ConstantSource(Source):
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
        return isinstance(other, ConstantSource) and other.value is self.value


@source_kind
class WeakSource(Source):
    """An object that the entry knows and does not keep: what an anchor leads to.

    Once the object is gone this is None; a guard on what is read through it then fails.
    """

    reference: RebindableRef
    label: str

    def text(self, pool: Pool) -> str:
        return f"{pool.add(self.reference)}()"

    def __str__(self) -> str:
        return self.label

    # A trace has one anchor for an object.
    def __hash__(self) -> int:
        return id(self.reference)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WeakSource) and other.reference is self.reference


@source_kind
class Attribute(Source):
    """An attribute of a module, a class or a function: a plain lookup that runs no user code."""

    base: Source
    name: str

    def text(self, pool: Pool) -> str:
        return f"{self.base.text(pool)}.{name_text(self.name)}"

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
        return f"{self.base.text(pool)}[{key_text(self.key, pool)}]"

    def __str__(self) -> str:
        return f"{self.base}[{self.key!r}]"

    def parts(self) -> tuple[Source, ...]:
        return (self.base,)


@source_kind
class CellOf(Source):
    """The contents of a function's closure cell number `index`."""

    base: Source
    index: int
    name: str

    def text(self, pool: Pool) -> str:
        return f"{self.base.text(pool)}.__closure__[{self.index}].cell_contents"

    def __str__(self) -> str:
        return f"{self.name} (closed over by {self.base})"

    def parts(self) -> tuple[Source, ...]:
        return (self.base,)


_OWN_CELL = "(lambda: {}).__closure__[0]"
"""The text of a cell of the running frame."""

CELL = "__guardlift_cell_{}__"
"""The name of that cell where a text is evaluated outside of its frame."""


@source_kind
class OwnCell(Source):
    """The cell of a variable of the running frame itself."""

    name: str

    def text(self, pool: Pool) -> str:
        return _OWN_CELL.format(name_text(self.name))

    def __str__(self) -> str:
        return f"the cell of {self.name}"


def evaluate(text: str, namespace: Mapping[str, object], pool: Pool) -> object:
    """The value of generated text among these locals, free variables and globals."""
    names = ChainMap({POOL: pool}, namespace)  # type: ignore[arg-type]
    return eval(_compiled(text), {"__builtins__": {}}, names)


@functools.lru_cache(maxsize=512)
def _compiled(text: str) -> types.CodeType:
    return compile_text(_OWN_CELLS.sub(CELL.format(r"\1"), text), "<guard>", "eval")


_OWN_CELLS = re.compile(re.escape(_OWN_CELL).replace(re.escape("{}"), r"(\w+)"))
