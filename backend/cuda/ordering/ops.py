"""The ops whose results NumPy finds on the CPU, as launches on a device: one function for each, in a table."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....core.errors import KernelError
from ....ops import ordering
from ....ops.ordering import FOUND_BY_NUMPY, called_as
from ...evaluate.buffers import BufferView
from ..launch_grid import DeviceLimits, Launch
from .keys import SortedRows, rows_of
from .launches import DeviceForm, Scratch
from .ranks import extreme_text, rank_text, share_text, weight_text
from .searching import member_text, search_text
from .sorting import add_sort

if TYPE_CHECKING:
    from ....ops.registry import OpDef
    from ...launch.call_outs import CallOutCall

Views = tuple[BufferView, ...]
MakeForm = Callable[..., None]
"""Appends the launches to a `DeviceForm`, for operands, the result, the limits of a device, and the op's attributes."""

FORMS: dict[str, MakeForm] = {}
"""By the name of the function that a plan for the CPU calls out for."""


def device_form(call: CallOutCall, limits: DeviceLimits) -> DeviceForm:
    """The launches that give what a call-out gives. Errors: KernelError where there are none."""
    name: str = call.node.attr("function")  # type: ignore[assignment]
    make = FORMS.get(name)
    if make is None:
        raise KernelError(f"{name} is NumPy's own: it runs on the CPU only")
    (result,) = call.results
    if result.buffer.place == "input":
        raise KernelError(f"{name} writes its result over an argument, which it does on the CPU only")
    keywords: Any = call.node.attr("keywords")
    form = DeviceForm([])
    make(form, call.operands, result, limits, **{key: value[1] for key, value in keywords})
    return form


def has_device_form(op: OpDef) -> bool:
    """Whether an op that NumPy finds on the CPU is found by kernels on a device."""
    return FOUND_BY_NUMPY.get(op) in FORMS


def _gives(function: Callable[..., Any]) -> Callable[[MakeForm], MakeForm]:
    """Enters the form of what this function of an op gives."""

    def enter(make: MakeForm) -> MakeForm:
        FORMS[called_as(function)] = make
        return make

    return enter


@_gives(ordering.order)
def _order(
    form: DeviceForm, given: Views, out: BufferView, limits: DeviceLimits, *, axis: int, descending: bool
) -> None:
    (x,) = given
    add_sort(form, x.buffer.dtype, descending, rows_of(axis, x=x, out=out), x.shape[axis], x, out, limits)


@_gives(ordering.place_of_rank)
def _rank(form: DeviceForm, given: Views, out: BufferView, limits: DeviceLimits, *, axis: int, rank: int | str) -> None:
    (x,), rows = given, rows_of(axis, x=given[0], out=out)
    order = _sorted_rows(form, x, axis, rows, limits)
    fixed = type(rank) is int
    if type(rank) is int and not 0 <= rank < x.shape[axis]:
        raise KernelError(f"place_of_rank finds no element of rank {rank} among {x.shape[axis]}")
    text = rank_text(x.buffer.dtype, "fixed" if fixed else str(rank), rows)
    numbers = (rows.count, x.shape[axis], rank if fixed else 0, *rows.numbers)
    form.add("pick", text, (x, order, out), numbers, _over(rows.count, limits))  # type: ignore[arg-type]


@_gives(ordering.place_of_share)
def _share(
    form: DeviceForm,
    given: Views,
    out: BufferView,
    limits: DeviceLimits,
    *,
    axis: int,
    share: float,
    ignoring: bool,
    side: str,
) -> None:
    (x,), rows = given, rows_of(axis, x=given[0], out=out)
    order = _sorted_rows(form, x, axis, rows, limits)
    text = share_text(x.buffer.dtype, side, ignoring, rows)
    numbers = (rows.count, x.shape[axis], _word(share), *rows.numbers)
    form.add("pick", text, (x, order, out), numbers, _over(rows.count, limits))


@_gives(ordering.weight_of_share)
def _weight(
    form: DeviceForm, given: Views, out: BufferView, limits: DeviceLimits, *, axis: int, share: float, ignoring: bool
) -> None:
    (x,), rows = given, rows_of(axis, x=given[0], out=out)
    text = weight_text(x.buffer.dtype, ignoring, limits.threads, rows)
    numbers = (rows.count, x.shape[axis], _word(share), *rows.numbers)
    form.add("weigh", text, (x, out), numbers, _block_a_row(rows.count, limits))


@_gives(ordering.place_of_extreme)
def _extreme(
    form: DeviceForm, given: Views, out: BufferView, limits: DeviceLimits, *, axis: int, largest: bool
) -> None:
    (x,), rows = given, rows_of(axis, x=given[0], out=out)
    text = extreme_text(x.buffer.dtype, largest, limits.threads, rows)
    numbers = (rows.count, x.shape[axis], *rows.numbers)
    form.add("extremes", text, (x, out), numbers, _block_a_row(rows.count, limits))


@_gives(ordering.places_in)
def _search(form: DeviceForm, given: Views, out: BufferView, limits: DeviceLimits, *, right: bool, dtype: Any) -> None:
    sequences, asked = given
    _check_alike("searchsorted", sequences, asked)
    length = sequences.shape[-1]
    if len(sequences.shape) == 1:  # one for all rows
        strides = (0,) * max(len(asked.shape) - 1, 0) + sequences.strides
        sequences = BufferView(sequences.buffer, (*asked.shape[:-1], length), strides, sequences.offset)
    asked, out = _with_axis(asked), _with_axis(out)
    rows = rows_of(len(asked.shape) - 1, asked=asked, out=out, x=sequences)
    count = asked.shape[-1]
    text = search_text(asked.buffer.dtype, right, out.buffer.dtype, rows)
    numbers = (rows.count, count, length, *rows.numbers)
    form.add("search", text, (sequences, asked, out), numbers, _over(rows.count * count, limits))


@_gives(ordering.is_among)
def _member(form: DeviceForm, given: Views, out: BufferView, limits: DeviceLimits, *, invert: bool) -> None:
    asked, others = given
    _check_alike("isin", others, asked)
    flat = rows_of(0, x=BufferView(others.buffer, (1, *others.shape), (1, *others.strides), others.offset))
    if len(flat.sizes) > 1:
        raise KernelError("isin on a device takes test elements that lie in steps of one size")
    step = flat.strides[0][0] if flat.sizes else 1
    line = BufferView(others.buffer, (flat.count,), (step,), others.offset)
    order: BufferView | Scratch = line  # read by nobody where there is nothing
    if flat.count:
        order = form.reserve(8 * flat.count)
        alone = SortedRows(1, ("x", "out"), (step, 1), (), ((), ()))
        add_sort(form, line.buffer.dtype, False, alone, flat.count, line, order, limits)
    asked, out = _with_axis(asked), _with_axis(out)
    rows = rows_of(len(asked.shape) - 1, asked=asked, out=out)
    count = asked.shape[-1]
    text = member_text(asked.buffer.dtype, invert, rows)
    numbers = (rows.count, count, flat.count, step, *rows.numbers)
    form.add("lookup", text, (line, order, asked, out), numbers, _over(rows.count * count, limits))


# -- parts of forms ----------------------------------------------------------------------------------------------------
def _sorted_rows(form: DeviceForm, x: BufferView, axis: int, rows: SortedRows, limits: DeviceLimits) -> Scratch:
    """The memory in which the places of the elements of each row lie in order, row by row."""
    length = x.shape[axis]
    order = form.reserve(8 * rows.count * length)
    strides, step = [], length
    for size in reversed(rows.sizes):
        strides.append(step)
        step *= size
    own = rows.only("x")
    pair = SortedRows(rows.count, ("x", "out"), (*own.steps, 1), rows.sizes, (*own.strides, tuple(reversed(strides))))
    add_sort(form, x.buffer.dtype, False, pair, length, x, order, limits)
    return order


def _with_axis(view: BufferView) -> BufferView:
    """A view with one axis at least."""
    return view if view.shape else BufferView(view.buffer, (1,), (1,), view.offset)


def _check_alike(name: str, one: BufferView, other: BufferView) -> None:
    if one.buffer.dtype is not other.buffer.dtype:
        raise KernelError(
            f"{name} on a device takes operands of one dtype, not {one.buffer.dtype} and {other.buffer.dtype}"
        )


def _word(value: float) -> int:
    """The bytes of a float64, as a number."""
    return int(struct.unpack("<q", struct.pack("<d", value))[0])


def _over(count: int, limits: DeviceLimits) -> Launch:
    """The sizes of a launch with a thread for each of so many."""
    return Launch((max(1, min(-(-count // limits.threads), limits.blocks)), 1, 1), (limits.threads, 1, 1))


def _block_a_row(count: int, limits: DeviceLimits) -> Launch:
    return Launch((max(1, min(count, limits.blocks)), 1, 1), (limits.threads, 1, 1))
