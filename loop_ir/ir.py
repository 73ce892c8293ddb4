"""Loop IR: what a kernel does, for any device. Frozen data; `printer.print_kernel` gives the readable form.

A kernel knows its pointers (typed, in order) and its sizes (run-time integers, in order) only by name, so one kernel
serves every call of the same structure.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..core.dtypes import DType
from ..core.records import dataclass

Amount = int | str
"""A literal, or the name of an entry of the sizes table."""


@dataclass(frozen=True, slots=True)
class Access:
    """Element `sum(variable * stride)` of pointer `pointer`. Units: strides count elements."""

    pointer: int
    terms: tuple[tuple[str, Amount], ...] = ()


@dataclass(frozen=True, slots=True)
class Load:
    """The element there."""

    access: Access


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal, already rounded to the dtype of the let that holds it."""

    value: bool | int | float


@dataclass(frozen=True, slots=True)
class Apply:
    """`text` with ``{0}``, ``{1}`` … replaced by `operands`; `widens`: the result must be cast to the let's dtype."""

    text: str
    operands: tuple[str, ...]
    widens: bool = False


@dataclass(frozen=True, slots=True)
class IndexValue:
    """`sum(variable * factor) + constant` as a number of the let's dtype."""

    terms: tuple[tuple[str, Amount], ...]
    constant: Amount = 0


Expression = Load | Literal | Apply | IndexValue


@dataclass(frozen=True, slots=True)
class Let:
    """`name` is the value of `expression`, from here to the end of the enclosing loop."""

    name: str
    dtype: DType
    expression: Expression


@dataclass(frozen=True, slots=True)
class CheckedIndex:
    """`name` is the int64 `value` as an index below `size`, negative ones counted from the end.

    Outside of the range the kernel's status becomes 1 and `name` is 0."""

    name: str
    value: str
    size: Amount


@dataclass(frozen=True, slots=True)
class Fail:
    """The kernel's status becomes 1; with `condition`, only where that let is true."""

    condition: str = ""


@dataclass(frozen=True, slots=True)
class Store:
    """The element there becomes `value`."""

    access: Access
    value: str
    dtype: DType


@dataclass(frozen=True, slots=True)
class Accumulate:
    """The element there is combined with `value` by `combine`, in its own dtype."""

    access: Access
    combine: str
    value: str
    dtype: DType


@dataclass(frozen=True, slots=True)
class Loop:
    """`body` for `var` in 0 .. extent-1; iterations are independent. `parallel`: this loop is the kernel's range."""

    var: str
    extent: Amount
    body: tuple[Statement, ...]
    parallel: bool = False


@dataclass(frozen=True, slots=True)
class Ordered:
    """`body` for `var` in 0 .. extent-1, one after the other."""

    var: str
    extent: Amount
    body: tuple[Statement, ...]
    parallel: bool = False


SEARCHED = ("argmax", "argmin")
"""Reductions that give a place: that of the first element which is the extreme."""


@dataclass(frozen=True, slots=True)
class LoopReduction:
    """`name` is the reduction of `value` over an inner loop, from the end of the inner loop on. `dtype` is its type.

    `position`: for a searched reduction, what holds the index along the axis: one of its loops, or a let of the
    inner loop that is made of its loops and of sizes alone."""

    name: str
    combine: str
    dtype: DType
    value: str
    value_dtype: DType
    position: str = ""


@dataclass(frozen=True, slots=True)
class InnerLoop:
    """`body` for every point of `loops` (outermost first), with `reductions` taken over them, in any order."""

    loops: tuple[tuple[str, Amount], ...]
    body: tuple[Statement, ...]
    reductions: tuple[LoopReduction, ...]


@dataclass(frozen=True, slots=True)
class ColumnReduction:
    """For each column `var`: `before`; then `body` for every point of `rows`; then `after`.

    Columns are independent; a back end may go through a block of them row by row. `per_row` does not depend on the
    column and comes before the body."""

    var: str
    extent: Amount
    rows: tuple[tuple[str, Amount], ...]
    before: tuple[Statement, ...]
    per_row: tuple[Statement, ...]
    body: tuple[Statement, ...]
    after: tuple[Statement, ...]
    parallel: bool = False


# The statements of regions: control flow that depends on data, and variables that are assigned again.
@dataclass(frozen=True, slots=True)
class Variable:
    """`name` holds the let or variable `value` from here on, and may be assigned."""

    name: str
    dtype: DType
    value: str


@dataclass(frozen=True, slots=True)
class Assign:
    """The variable `name` holds `value` from now on."""

    name: str
    dtype: DType
    value: str


@dataclass(frozen=True, slots=True)
class Count:
    """`body` for int64 `var` from `start` on by `step` as long as it is before `stop`, one after the other.

    `step` is a literal other than 0, or a let that is never 0. `parallel`: iterations are independent but for errors,
    and their numbers are the kernel's range; then `step` is a literal."""

    var: str
    start: Amount
    stop: Amount
    step: Amount
    body: tuple[Statement, ...]
    parallel: bool = False


@dataclass(frozen=True, slots=True)
class Repeat:
    """`body` again and again, until a `Break`."""

    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class If:
    """`then` where the bool `condition` is true, else `otherwise`.

    `outside`: an int64, if the condition is false for all its values between two for which it is false, whatever else
    it depends on being the same."""

    condition: str
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()
    outside: str = ""


@dataclass(frozen=True, slots=True)
class Break:
    """Ends the innermost `Count` or `Repeat`."""


@dataclass(frozen=True, slots=True)
class Continue:
    """Goes on with the next round of the innermost `Count` or `Repeat`."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The kernel ends at once, with status 1."""


@dataclass(frozen=True, slots=True)
class Address:
    """The address of an element of a `dtype`, as an argument of a function: an int64."""

    access: Access
    dtype: DType


@dataclass(frozen=True, slots=True)
class Argument:
    """A let or a size as an argument of a function."""

    name: str
    dtype: DType


@dataclass(frozen=True, slots=True)
class Invoke:
    """`name`, a `dtype`, is what the C function gives whose address is the size `function`; it may write memory.

    Without a dtype it gives nothing. in_python: whether it is no C function, but a Python object (see
    `compiler.python_calls`), which gives 1, or 0 where Python has to run the call."""

    name: str
    dtype: DType | None
    function: str
    arguments: tuple[Address | Argument, ...]
    in_python: bool = False


Statement = (
    Let
    | CheckedIndex
    | Fail
    | Store
    | Accumulate
    | Loop
    | Ordered
    | InnerLoop
    | ColumnReduction
    | Variable
    | Assign
    | Count
    | Repeat
    | If
    | Break
    | Continue
    | Leave
    | Invoke
)


@dataclass(frozen=True, slots=True)
class Kernel:
    """One loop nest. `sizes` counts the entries ``s0``, ``s1`` … of its sizes table.

    `noalias`: what is written through one pointer is not read or written through another."""

    pointers: tuple[DType, ...]
    sizes: int
    body: tuple[Statement, ...]
    noalias: bool = False

    @property
    def can_fail(self) -> bool:
        return any(isinstance(each, (CheckedIndex, Fail, Leave)) for each in walk(self.body))

    @property
    def independent(self) -> bool:
        """Whether it has a range whose iterations are independent, and neither ends early nor calls anything."""
        statements = list(walk(self.body))
        if self.asks:
            return True
        ranged = any(isinstance(each, (Loop, ColumnReduction)) and each.parallel for each in statements)
        return ranged and not any(isinstance(each, (Ordered, Count, Repeat, Leave, Invoke)) for each in statements)

    @property
    def asks(self) -> bool:
        """Whether its range is a loop of a region, whose iterations ask from time to time if they are to end early."""
        return any(isinstance(each, Count) and each.parallel for each in walk(self.body))

    def written(self) -> set[int]:
        """The pointers through which the kernel, or a function that it calls, may write."""
        found = set()
        for each in walk(self.body):
            if isinstance(each, (Store, Accumulate)):
                found.add(each.access.pointer)
            elif isinstance(each, Invoke):
                found |= {given.access.pointer for given in each.arguments if isinstance(given, Address)}
        return found


def walk(body: tuple[Statement, ...]) -> Iterator[Statement]:
    """Every statement of `body`, outer before inner."""
    for each in body:
        yield each
        if isinstance(each, (Loop, Ordered, InnerLoop, Count, Repeat)):
            yield from walk(each.body)
        elif isinstance(each, If):
            yield from walk(each.then)
            yield from walk(each.otherwise)
        elif isinstance(each, ColumnReduction):
            for part in (each.before, each.per_row, each.body, each.after):
                yield from walk(part)
