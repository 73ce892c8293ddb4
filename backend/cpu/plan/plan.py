"""Launch plans: what one call of compiled code checks, makes, runs and returns, as data.

Slots number every operand: inputs first, then outputs, then temporaries, then constants, then those that move
in loops. Strides, offsets and sizes of memory count bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.records import dataclass
from ..compiler.loader import LoadedKernel
from .parallel_split import ONE_THREAD, ParallelSplit

if TYPE_CHECKING:
    from ...call_layout import AccessPath
    from ..call_outs import CallOut


@dataclass(frozen=True, slots=True)
class ArrayInput:
    """An argument that must be exactly an `ndarray` of this type and layout, aligned, and writeable if so declared.

    With an access path it is the object at its end that must be, and with an owner it is no argument. The stride of an
    axis of size 0 or 1 is not looked at, nor is any stride of an empty array.
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    writeable: bool = False
    written: bool = False
    """Steps write to it: it must not overlap the memory of any lifted input."""
    access_path: AccessPath | None = None
    subscribed: bool = False
    """Calls do not follow the access path, which has an owner: who changes what is on it tells (see
    `watched_slots`)."""
    static_address: bool = False
    """Every call passes the array that `build` was given for it: as to overlaps, it counts as lifted."""


@dataclass(frozen=True, slots=True)
class LiftedInput:
    """An array that `build` takes, of this layout, aligned; no argument of the call.

    When it is written, arguments and other lifted inputs must not overlap its memory."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    writeable: bool = False
    written: bool = False


@dataclass(frozen=True, slots=True)
class FloatInput:
    """An argument that must be exactly a `float`; its slot is a float64."""


@dataclass(frozen=True, slots=True)
class IntInput:
    """An argument that must be exactly an `int` that fits int64; its slot is an int64."""


@dataclass(frozen=True, slots=True)
class BoolInput:
    """An argument that must be True or False; its slot is a uint8 in eight zero-filled bytes."""


@dataclass(frozen=True, slots=True, eq=False)
class ObjectInput:
    """An argument that must be this very object; its slot holds nothing."""

    value: Any


@dataclass(frozen=True, slots=True)
class NumpyScalarInput:
    """An argument that must be exactly a NumPy scalar of this dtype; its slot holds the scalar's bytes."""

    dtype: np.dtype[Any]


@dataclass(frozen=True, slots=True, eq=False)
class SizeInput:
    """A number that a plan with free sizes makes of them at each call, in a word of its own table; no argument.

    address: of the table, as a size.   cell: the number of the word.
    """

    dtype: np.dtype[Any]
    value: Any
    address: Any
    cell: int


@dataclass(frozen=True, slots=True)
class FreshOutput:
    """A new array that owns its memory, which NumPy allocates; its slot is that memory, unset.

    The strides must lay the elements out densely, in any order of the axes.
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    strides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScalarOutput:
    """A NumPy scalar made from the value in its slot."""

    dtype: np.dtype[Any]


@dataclass(frozen=True, slots=True)
class ViewOutput:
    """A view of an array input or of a fresh output, whose slot is `base`: base, flags and owner as NumPy slices give.

    `offset` counts from the base's first element. Memory shared with the base is the whole point, so its slot may be
    used by steps as well.
    """

    base: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0


@dataclass(frozen=True, slots=True)
class InputOutput:
    """The very object that was passed as argument number `input`."""

    input: int


@dataclass(frozen=True, slots=True)
class KernelStep:
    """One kernel, or call of NumPy, over 0 .. extent, with the addresses of (slot, offset) operands, and `sizes`.

    What is shared out of the range is run by any thread, in any order.
    """

    kernel: LoadedKernel | CallOut
    slots: tuple[tuple[int, int], ...]
    sizes: tuple[int, ...]
    extent: int
    parallel_split: ParallelSplit = ONE_THREAD


@dataclass(frozen=True, slots=True, eq=False)
class ForeachStep:
    """One kernel run for each row of a table, over 0 .. its extent, with the addresses of its own operands.

    Shapes: slots, offsets i64[rows, operands]; extents i64[rows]. Every row is run with `sizes`. What is shared out of
    all rows, one after the other, is run by any thread, in any order.
    """

    kernel: LoadedKernel
    slots: np.ndarray[Any, Any]
    offsets: np.ndarray[Any, Any]
    extents: np.ndarray[Any, Any]
    sizes: tuple[int, ...] = ()
    parallel_split: ParallelSplit = ONE_THREAD


@dataclass(frozen=True, slots=True)
class GemmOperand:
    """One row-major matrix of a product; `leading` counts elements between rows as they are stored.

    `transposed` says that memory holds the transpose. `batch_stride` leads from one matrix to the next.
    """

    slot: int
    leading: int
    offset: int = 0
    transposed: bool = False
    batch_stride: int = 0


@dataclass(frozen=True, slots=True)
class GemmStep:
    """c = a @ b for each of `batch` matrices, through NumPy's own BLAS; float32 or float64.

    Shapes: a [m, k], b [k, n], c [m, n], which is overwritten and not transposed.
    """

    dtype: np.dtype[Any]
    m: int
    n: int
    k: int
    a: GemmOperand
    b: GemmOperand
    c: GemmOperand
    batch: int = 1


@dataclass(frozen=True, slots=True)
class LoopBegin:
    """The steps up to the `LoopEnd` that belongs to it are run `trip_count` times, one at least.

    counter: a moving slot, for the iterations that are left. starts: for each moving slot that changes from one to the
    next, the slot and the offset where it begins.
    """

    counter: int
    trip_count: int
    starts: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class LoopEnd:
    """An iteration is over. moves: moving slots that go on by so many bytes.

    double_buffers: of three moving slots, the first becomes what the second was, the second what the third was, and
    the third what the first is now.
    """

    counter: int
    moves: tuple[tuple[int, int], ...]
    double_buffers: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Jump:
    """The next `over` steps are left out, unless the bool at this slot and offset is true; always if there is none."""

    over: int
    unless: tuple[int, int] | None = None


Input = ArrayInput | LiftedInput | FloatInput | IntInput | BoolInput | NumpyScalarInput | ObjectInput | SizeInput
Output = FreshOutput | ScalarOutput | ViewOutput | InputOutput
Step = KernelStep | ForeachStep | GemmStep | LoopBegin | LoopEnd | Jump
Subscribe = Callable[[Callable[[int], Any], Sequence[object]], None]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class LaunchPlan:
    """One call as data. `build` makes it callable; nothing here changes afterwards.

    `temporaries` are (offset, nbytes) in the arena, laid out by the caller. The memory of each `disjoint` pair of
    array inputs must not overlap. `unwrap` returns a single output bare instead of in a tuple; with no outputs the
    call returns None. `check_errstate` lets calls through only under the NumPy error state last accepted. `checks` are
    access paths that have to get to their end.
    """

    inputs: tuple[Input, ...] = ()
    outputs: tuple[Output, ...] = ()
    temporaries: tuple[tuple[int, int], ...] = ()
    arena_nbytes: int = 0
    constants: tuple[np.ndarray[Any, Any], ...] = ()
    steps: tuple[Step, ...] = ()
    disjoint: tuple[tuple[int, int], ...] = ()
    unwrap: bool = True
    release_gil: bool = False
    check_errstate: bool = False
    checks: tuple[AccessPath, ...] = ()
    subscribed_checks: int = 0
    """The number of checks, the first ones, that are subscribed as inputs may be."""
    moving: int = 0
    """The number of slots that stand for addresses which change from round to round of a loop."""

    def describe(self) -> str:
        """The plan as text, a line for each slot and step."""
        from .plan_text import plan_text

        return plan_text(self)


def build(
    plan: LaunchPlan,
    lifted: Sequence[np.ndarray[Any, Any]] = (),
    owners: Sequence[object] = (),
    subscribe: Subscribe | None = None,
    static: Sequence[np.ndarray[Any, Any]] = (),
) -> Callable[..., Any]:
    """The builtin that runs `plan`, and keeps the arrays alive that it is given.

    lifted: the arrays of its lifted inputs.   static: those of inputs at a static address.
    owners: the objects where access paths with an owner start, those of inputs first, then those of checks. The builtin
    does not keep them alive: once one has died, its calls return NotImplemented.
    subscribe: called with the builtin `look_again` and the owners of what is subscribed, inputs before checks. From
    then on `look_again(number)` has to be called after each change on the access path from that owner, and
    `watched_slots.MOVES` to count those of which the owner does not know (see `watched_slots`). Until then, calls
    return NotImplemented.

    A call returns NotImplemented, with nothing done, when an argument fails a check, and Ellipsis when a kernel gave a
    status other than 0: fresh outputs are dropped and later steps not run, but what kernels wrote into inputs stays.

    Errors: KernelError when the plan contradicts itself, a lifted array or an owner does not fit its input, a class has
    no such slot, or this interpreter's objects are laid out otherwise.
    """
    from .builtin import build_builtin

    return build_builtin(plan, lifted, owners, subscribe, static)
