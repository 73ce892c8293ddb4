"""The memory order NumPy gives to new arrays ("K" order): axes sorted by the strides of the operands."""

from __future__ import annotations

from collections.abc import Sequence

from ..values.arrays.view_steps import FakeArray, Ints


def kept_order(shape: Ints, operands: Sequence[FakeArray]) -> Ints:
    """Strides, in elements, of the array NumPy would allocate for an elementwise result over `operands`.

    Source: the axis sort of NumPy's nditer (numpy/_core/src/multiarray/nditer_constr.c).
    """
    return order_by_steps(shape, [aligned_strides(shape, fake.shape, fake.strides) for fake in operands if fake.ndim])


def order_by_steps(shape: Ints, steps: Sequence[Ints]) -> Ints:
    """Strides, in elements, of an elementwise result over operands with these strides (see `aligned_strides`)."""
    rank = len(shape)
    if rank < 2:
        return (1,) * rank
    order = list(range(rank - 1, -1, -1))  # fastest axis first
    for first in range(1, rank):
        axis, place = order[first], first
        for second in range(first - 1, -1, -1):
            verdict = _should_swap(steps, order[second], axis)
            if verdict is None:
                continue
            if not verdict:
                break
            place = second
        order.insert(place, order.pop(first))
    return strides_in_order(shape, order)


def copied_order(shape: Ints, model: FakeArray) -> Ints:
    """Strides, in elements, of what NumPy allocates "like" an array: of a copy, a cast, `zeros_like`.

    Source: PyArray_NewLikeArrayWithShape in NumPy's multiarray/ctors.c. Unlike `kept_order`, repeated axes go last.
    """
    rank = len(shape)
    if rank != model.ndim or model.flags.c_contiguous:
        return strides_in_order(shape, range(rank - 1, -1, -1))
    if model.flags.f_contiguous:
        return strides_in_order(shape, range(rank))
    by_stride = sorted(range(rank), key=lambda axis: -abs(model.strides[axis]))
    return strides_in_order(shape, by_stride[::-1])


def strides_in_order(shape: Ints, fastest_first: Sequence[int]) -> Ints:
    """Dense strides of `shape` with its axes laid out in this order."""
    strides = [0] * len(shape)
    step = 1
    for axis in fastest_first:
        strides[axis] = step
        step *= max(shape[axis], 1)
    return tuple(strides)


def aligned_strides(shape: Ints, own_shape: Ints, strides: Ints) -> Ints:
    """An operand's strides along the axes of a result: no sign, and 0 where it has one element or none."""
    lead = len(shape) - len(own_shape)
    own = tuple(0 if size == 1 else abs(step) for size, step in zip(own_shape, strides, strict=True))
    return (0,) * lead + own


def _should_swap(steps: Sequence[Ints], faster: int, axis: int) -> bool | None:
    """Whether `axis` belongs before `faster`; None while every operand leaves it open."""
    ambiguous, swap = True, False
    for strides in steps:
        if strides[faster] and strides[axis]:
            if strides[faster] <= strides[axis]:
                swap = False
                return False
            if ambiguous:
                swap = True
            ambiguous = False
    return None if ambiguous else swap
