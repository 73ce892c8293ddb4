"""The layout of a graph's inputs and outputs in memory, as the caller of `compile_graph` says it."""

from __future__ import annotations

from typing import Any

from ..core.records import dataclass, replace
from ..core.types import TensorType


@dataclass(frozen=True, slots=True)
class PathStep:
    """One object on the way to an array.

    Its type is exactly `kind`; each slot named in `same` holds that very object; each slot named in `unlike` holds an
    object that is not exactly of that type; what its slot `slot` holds comes next.
    Slots are members of `__slots__`, read past any `__getattribute__`. A slot that is not set fails the call's guard.
    """

    kind: type
    same: tuple[tuple[str, Any], ...] = ()
    slot: str = ""
    unlike: tuple[tuple[str, type], ...] = ()


@dataclass(frozen=True, slots=True)
class AccessPath:
    """A way through slots, from the call's own argument or, with `owner`, from an object given when the plan is built.

    Every link has a slot to follow, except the last link of a check."""

    owner: bool
    links: tuple[PathStep, ...]


@dataclass(frozen=True, slots=True)
class InputLayout:
    """One input. `kind`: array, lifted, float, int, bool, numpy_scalar or size.

    A lifted input is an array that is given once, when the plan is built, and no argument of the call. Lifted inputs
    of which one is written share no memory with each other, nor with arguments.
    An array with an access path is the one found at its end, at each call; with an owner it is no argument of the
    call. One at a `static_address` is given when the plan is built too, as if it were lifted. One that is `subscribed`,
    and no view's base, has an owner who tells of changes on the access path instead of being asked (see `plan.build`).
    A size is a number made of the sizes of a call, no argument: its `value`, at word `cell` of the table at `address`.
    Units: strides count elements; arrays only."""

    kind: str
    type: TensorType
    strides: tuple[int, ...] = ()
    writeable: bool = False
    access_path: AccessPath | None = None
    subscribed: bool = False
    static_address: bool = False
    value: Any = None
    address: Any = None
    cell: int = 0


@dataclass(frozen=True, slots=True)
class OutputLayout:
    """One result.

    `kind`: fresh (a new array with `strides`), scalar (a NumPy scalar), input (argument `input` itself) or view (over
    `base`, which is ("input", i) or ("output", j), with `shape`, `strides` and `offset`). Both count all inputs, but
    name no lifted one. A view over an input with an access path is over the array found; `input` gives back an argument
    as it was passed, so it names none that has an owner. `node` is the position in the graph's outputs of the value
    computed for it; None when nothing is. Units: strides and offset count elements."""

    kind: str
    node: int | None = None
    strides: tuple[int, ...] = ()
    input: int = -1
    base: tuple[str, int] | None = None
    shape: tuple[int, ...] = ()
    offset: int = 0


@dataclass(frozen=True, slots=True)
class CallLayout:
    """All inputs and outputs.

    After the inputs the call passes `objects`, which must be those very objects. `disjoint` lists pairs of array inputs
    that never share memory, none of them lifted; `unwrap`: one bare result. `checks` hold too, all with an owner; the
    first `subscribed_checks` of them are subscribed. `ignores_errstate`: the call takes any error state of NumPy's, and
    tells nothing."""

    inputs: tuple[InputLayout, ...]
    outputs: tuple[OutputLayout, ...]
    disjoint: frozenset[tuple[int, int]] = frozenset()
    unwrap: bool = False
    objects: tuple[Any, ...] = ()
    checks: tuple[AccessPath, ...] = ()
    subscribed_checks: int = 0
    ignores_errstate: bool = False


def unbound(layout: CallLayout) -> CallLayout:
    """The layout without the user's objects in it, and without the ways to arrays."""
    inputs = tuple(
        replace(each, access_path=AccessPath(each.access_path.owner, ())) if each.access_path is not None else each
        for each in layout.inputs
    )
    checks = tuple(AccessPath(each.owner, ()) for each in layout.checks)
    return replace(layout, inputs=inputs, objects=(None,) * len(layout.objects), checks=checks)


def layout_lines(layout: CallLayout) -> list[tuple[object, ...]]:
    """The lines of a call's layout on which compiled code depends: objects and access paths to arrays are left out."""
    found: list[tuple[object, ...]] = [input_line(each) for each in layout.inputs]
    found += [("output", repr(each)) for each in layout.outputs]
    found.append(("call", tuple(sorted(layout.disjoint)), layout.unwrap, len(layout.objects), len(layout.checks)))
    return found


def input_line(each: InputLayout) -> tuple[object, ...]:
    """The line of one input's layout on which compiled code depends."""
    reached = each.access_path is not None
    return (
        "argument",
        each.kind,
        str(each.type),
        each.strides,
        each.writeable,
        reached,
        each.subscribed,
        each.static_address,
    )
