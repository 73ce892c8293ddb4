"""Stable sorting along an axis: short rows by one block each, long ones by their digits."""

from __future__ import annotations

from ....core.dtypes import DType
from ....core.errors import KernelError
from ..launch_grid import DeviceLimits
from .block_sort import block_sort_launch, block_sort_of, block_sort_text
from .keys import LONGEST, SortedRows
from .launches import DeviceForm, Operand
from .radix_sort import add_radix_sort


def add_sort(
    form: DeviceForm,
    dtype: DType,
    descending: bool,
    rows: SortedRows,
    length: int,
    source: Operand,
    target: Operand,
    limits: DeviceLimits,
) -> None:
    """Appends the launches that store, for each row of `source`, the places of its elements in order, as int64.

    Equal elements stay in the order of their places; NaN counts as the largest, and zeros of both signs as one.
    rows: those of `source`, called x, and of `target`, called out; of `length` elements, one at least.
    Errors: KernelError for rows that are too long.
    """
    if length > LONGEST:
        raise KernelError(f"rows of {length} elements are too long to be sorted on a device; {LONGEST} are the most")
    if length > limits.sorted_elements:
        add_radix_sort(form, dtype, descending, rows, length, source, target, limits)
        return
    block = block_sort_of(length, limits)
    text = block_sort_text(dtype, descending, block, rows)
    launch = block_sort_launch(rows.count, block, limits)
    form.add("sort", text, (source, target), (rows.count, length, *rows.numbers), launch)
