"""The record that declares an operation, and the table of all of them.

A primitive has one meaning: its operands are already of one dtype and, for pointwise ops, of one shape. Promotion and
broadcasting belong to the surfaces (NumPy's rules in the frontend), which insert `cast` and `expand`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from importlib import import_module
from typing import Any

import numpy as np

from ..core.devices import CPU
from ..core.errors import OpError
from ..core.records import dataclass, replace
from ..core.types import TensorType

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Pointwise:
    """Element by element.

    `text` is an expression over operands ``{0}``, ``{1}`` …; ``{t}`` is the code of the operand dtype, ``{out}`` that
    of the result. `integer_text` replaces it where the operands are integers, `bool_text` where they are bools.
    Units: `cost` counts additions.
    """

    text: str
    cost: float = 1.0
    integer_text: str = ""
    bool_text: str = ""


@dataclass(frozen=True, slots=True)
class Movement:
    """No arithmetic: element `index` of the result is element `source(index, …)` of the only operand.

    `source(index, in_shape, out_shape, **attrs)` uses only ``+ - * // %`` on the index entries, so that it runs on
    ints, on symbolic expressions and on arrays alike.
    """

    source: Callable[..., list[Any]]


@dataclass(frozen=True, slots=True)
class Reduction:
    """A reduction over the axes in the attribute `axes`.

    `combine` names the reduction: sum, prod, max, min, any, all, argmax or argmin.
    """

    combine: str


@dataclass(frozen=True, slots=True)
class Indexed:
    """Loads or stores at computed places; the lowering of that `name` lives in the back end."""

    name: str


@dataclass(frozen=True, slots=True)
class Contraction:
    """A matrix product: BLAS where the dtype allows it, else a loop nest."""


@dataclass(frozen=True, slots=True)
class Creation:
    """No operands. `text` is an expression over the index entries ``{i0}``, ``{i1}`` … and the attributes by name."""

    text: str


@dataclass(frozen=True, slots=True)
class Structural:
    """No arithmetic of its own: the placeholder; and regions, whose lowering the graph carries."""


@dataclass(frozen=True, slots=True)
class Composite:
    """Other ops: `expand(f, *operands, **attrs)` gives the value, writing primitives through the emitter `f`.

    A composite keeps its own derivative and NumPy form. It stays whole in traced graphs, where differentiation uses its
    stable rule; then the pass `expand_composites` rewrites it, and fusion and the back ends see only primitives.

    elementwise: its operands broadcast, and may be Python numbers, as those of a pointwise op do.
    on_devices: what stands in the place of `expand` in graphs for a device; it gives None where `expand` is to.
    kept_on_devices: a device has a step for it, so it stays whole there.
    put_back: for an op whose NumPy form, and whose result in eager mode, is a view of its operand under another dtype:
        ``put_back(f, whole, part)`` is `whole` with what the view shows replaced by `part`.
    """

    expand: Callable[..., Any]
    elementwise: bool = False
    on_devices: Callable[..., Any] | None = None
    kept_on_devices: bool = False
    put_back: Callable[..., Any] | None = None


Lowering = Pointwise | Movement | Reduction | Indexed | Contraction | Creation | Structural | Composite
Rule = Callable[..., Any]
"""A rule by which a cotangent goes back to an operand; see `derivative`."""


MANY = 1 << 12
"""Units: elements. From so many on, a compiled kernel is quicker than several passes of NumPy's, its call included."""


@dataclass(frozen=True, slots=True)
class KernelFrom:
    """The elements of an operand or a result from which eager mode on the CPU computes an op, and the gradients of its
    operands, by kernels of graphs (`backend/eager/`), where NumPy would take several passes; None for never.

    of_sizes: its graph is lowered for each set of sizes, since it is made of them: of windows, say.
    for_all_sizes: there is a kernel only where one program serves many sizes.
    of_rows: so that one does, the axes of operands but for the last are joined to one, and NumPy adds the third operand
        to the result in place: the graph is that of two matrices.
    same_bits: gradients that are not summed have NumPy's bits, so NumPy may compute them until kernels are loaded."""

    result: int | None = None
    gradients: int | None = None
    of_sizes: bool = False
    for_all_sizes: bool = False
    of_rows: bool = False
    same_bits: bool = False


_IN_ROWS = 1 << 10
"""Units: elements. Likewise where NumPy goes to and fro between short rows."""
NO_KERNEL, KERNEL = KernelFrom(), KernelFrom(MANY, MANY)
ROW_KERNEL = KernelFrom(_IN_ROWS, _IN_ROWS)
GRADIENT_KERNEL, WINDOW_KERNEL = KernelFrom(gradients=MANY), KernelFrom(MANY, MANY, of_sizes=True)
LARGE_GRADIENT_KERNEL = KernelFrom(gradients=1 << 18, same_bits=True)
"""NumPy makes one pass for each gradient, and one more to sum it: a kernel reads all of that once. Caches hide it where
arrays are not so long."""
PRODUCT_KERNEL = KernelFrom(MANY, MANY, for_all_sizes=True)
"""Products of middle sizes are quicker by kernels of our own than by BLAS."""
DRAW_KERNEL = KernelFrom(result=1 << 8)
"""The rounds of a generator of random numbers are a hundred passes."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One example call of an op, for the derived tests."""

    args: tuple[Array, ...]
    attrs: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class OpDef:
    """One operation.

    meta:    ``meta(*types, **attrs) -> TensorType``; raises OpError for operands it does not accept.
    eager:   ``eager(*arrays, **attrs) -> array`` in NumPy; the meaning of the op. Pointwise operands may broadcast, and
        be Python numbers beside arrays. Silencing NumPy's floating-point warnings is up to the caller.
    lower:   how a back end makes loops of it.
    samples: example calls, from which its tests are made.
    exact:   the result is NumPy's bit for bit; otherwise within 2 ulp (or a reassociated sum).
    may_raise: for some values of its integer operand (an index, an exponent) it raises.
    operands: what its operands are called, by PyTorch's names; those at the end may be left out where `meta` says so.
    variadic: it takes any number of operands; `operands` is the one name of them all.
    vjp:     one derivative rule for each operand, None where it has none (see `derivative`); of a variadic op one rule
        for all. None: not differentiable at all.
    grad_name: what PyTorch calls its derivative, without ``Backward0``.
    kernel_from: from which size on eager mode on the CPU compiles it; see `KernelFrom`.
    """

    name: str
    meta: Callable[..., TensorType]
    eager: Callable[..., Array]
    lower: Lowering
    samples: Callable[[], Iterable[Sample]]
    exact: bool = True
    may_raise: bool = False
    operands: tuple[str, ...] = ("self", "other")
    variadic: bool = False
    vjp: tuple[Rule | None, ...] | None = None
    grad_name: str = ""
    kernel_from: KernelFrom = NO_KERNEL

    def __repr__(self) -> str:
        return f"<op {self.name}>"

    def __call__(self, *arrays: Array, **attrs: object) -> Array:
        """The result in NumPy, as `eager` gives it."""
        return self.eager(*arrays, **attrs)

    def __reduce__(self) -> tuple[Any, ...]:
        return get, (self.name,)


def broadcasts(op: OpDef) -> bool:
    """Whether the operands of `op` broadcast, and may be Python numbers: it works element by element."""
    lower = op.lower
    return isinstance(lower, Pointwise) or (isinstance(lower, Composite) and lower.elementwise)


def gives_view(op: OpDef) -> bool:
    """Whether the result in eager mode shares the memory of the operand: of a movement, or of one with `put_back`."""
    lower = op.lower
    return isinstance(lower, Movement) or (isinstance(lower, Composite) and lower.put_back is not None)


class OpTable(dict[str, OpDef]):
    """The ops by name.

    Families that few programs use are imported by the functions that apply their ops; all of them are, once somebody
    looks over the whole table, or asks for a name that is not in it yet.
    """

    def __init__(self) -> None:
        super().__init__()
        self.seldom: tuple[str, ...] = ()
        """The families that are not imported yet, as names of modules."""

    def complete(self) -> OpTable:
        """The table, with every family."""
        for family in self.seldom:
            import_module(family)
        self.seldom = ()
        return self

    def __missing__(self, name: str) -> OpDef:
        if not self.seldom:
            raise KeyError(name)
        return self.complete()[name]

    def __iter__(self) -> Iterator[str]:
        self.complete()
        return super().__iter__()

    def __len__(self) -> int:
        self.complete()
        return super().__len__()

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (bool(self.seldom) and name in self.complete())

    def items(self) -> Any:
        """The names with their ops, of every family."""
        self.complete()
        return super().items()

    def values(self) -> Any:
        """The ops of every family."""
        self.complete()
        return super().values()

    def keys(self) -> Any:
        """The names of every family."""
        self.complete()
        return super().keys()


OPS = OpTable()


def define_op(
    name: str,
    *,
    meta: Callable[..., TensorType],
    eager: Callable[..., Array],
    lower: Lowering,
    samples: Callable[[], Iterable[Sample]],
    exact: bool = True,
    may_raise: bool = False,
    operands: tuple[str, ...] = ("self", "other"),
    variadic: bool = False,
    vjp: tuple[Rule | None, ...] | None = None,
    grad_name: str = "",
    kernel_from: KernelFrom = NO_KERNEL,
) -> OpDef:
    """The new op, entered in the table; `grad_name` is its name in capitals where none is given.

    Errors: OpError when the name is taken, or the rules do not fit the operands.
    """
    if dict.__contains__(OPS, name):
        raise OpError(f"an op named {name!r} exists already; an op is declared once")
    if vjp is not None and len(vjp) != len(operands):
        raise OpError(f"{name} takes a rule or None for each of {', '.join(operands)}, got {len(vjp)}")
    if not isinstance(lower, Creation):
        meta = _on_their_device(meta)
    called = grad_name or "".join(part.capitalize() for part in name.split("_"))
    op = OpDef(name, meta, eager, lower, samples, exact, may_raise, operands, variadic, vjp, called, kernel_from)
    OPS[name] = op
    return op


def _on_their_device(meta: Callable[..., TensorType]) -> Callable[..., TensorType]:
    """`meta`, whose result is on the device of the operands unless it says so itself; constants are on every one."""

    @wraps(meta)
    def placed(*types: TensorType, **attrs: object) -> TensorType:
        device = next((each.device for each in types if each.device != CPU), CPU)
        if device == CPU or "device" in attrs:
            return meta(*types, **attrs)
        found = meta(*(replace(each, device=CPU) for each in types), **attrs)
        return replace(found, device=device)

    return placed


def get(name: str) -> OpDef:
    """The op called `name`. Errors: OpError that lists near names."""
    try:
        return OPS[name]
    except KeyError:
        near = [known for known in OPS if known[:3] == name[:3]]
        raise OpError(f"there is no op named {name!r}" + (f"; near: {', '.join(near)}" if near else "")) from None


def _no_meta(*_types: TensorType, **_attrs: object) -> TensorType:
    raise OpError("a placeholder has no rule: its type is given")


def _no_eager(*_arrays: Array, **_attrs: object) -> Array:
    raise OpError("a placeholder has no value of its own: the caller gives it")


PLACEHOLDER = define_op("placeholder", meta=_no_meta, eager=_no_eager, lower=Structural(), samples=tuple, operands=())
