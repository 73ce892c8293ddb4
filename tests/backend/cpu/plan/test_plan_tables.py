"""Steps that run one kernel for each row of a table."""

import numpy as np
import pytest

from guardlift.backend.cpu.plan.plan import ArrayInput, ForeachStep, FreshOutput, LaunchPlan, LiftedInput, build
from guardlift.core.errors import KernelError

F4 = np.dtype(np.float32)


def vector(size):
    return ArrayInput(F4, (size,), (4,))


def table(kernel, slots, offsets, extents, sizes=()):
    return ForeachStep(kernel, *(np.array(each, np.int64) for each in (slots, offsets, extents)), sizes)


def test_each_row_has_operands_and_an_extent_of_its_own(double):
    plan = LaunchPlan(
        (vector(4), vector(3)),
        (FreshOutput(F4, (7,), (4,)),),
        steps=(table(double, [[0, 2], [1, 2], [0, 2]], [[0, 0], [0, 16], [8, 8]], [2, 3, 2]),),
    )
    found = build(plan)(np.arange(4, dtype=F4), np.arange(5, 8, dtype=F4))
    assert found.tolist() == [0, 2, 4, 6, 10, 12, 14]


def test_rows_read_and_write_lifted_memory(double):
    arrays = [np.full(size, size, F4) for size in (3, 1, 5)]
    inputs = tuple(LiftedInput(F4, each.shape, each.strides, written=True) for each in arrays)
    step = table(double, [[0, 0], [1, 1], [2, 2]], [[0, 0]] * 3, [3, 1, 5])
    call = build(LaunchPlan(inputs, steps=(step,)), arrays)
    assert call() is None and call() is None
    assert [each.tolist() for each in arrays] == [[12] * 3, [4], [20] * 5]


def test_rows_are_run_with_the_sizes_of_the_step(python_kernel):
    seen = []
    kernel = python_kernel(lambda addresses, sizes, start, stop: seen.append((sizes[0], sizes[1], start, stop)) or 0)
    build(LaunchPlan((vector(1),), steps=(table(kernel, [[0], [0]], [[0], [0]], [9, 1 << 40], (5, -6)),)))(
        np.zeros(1, F4)
    )
    assert seen == [(5, -6, 0, 9), (5, -6, 0, 1 << 40)]


def test_a_row_with_a_status_ends_the_call(python_kernel):
    seen = []
    kernel = python_kernel(lambda addresses, sizes, start, stop: seen.append(stop) or int(stop == 2))
    step = table(kernel, [[0]] * 3, [[0]] * 3, [1, 2, 3])
    assert build(LaunchPlan((vector(1),), steps=(step, step)))(np.zeros(1, F4)) is Ellipsis
    assert seen == [1, 2]


def test_a_table_without_rows_does_nothing(double):
    step = table(double, np.zeros((0, 2)), np.zeros((0, 2)), [])
    assert build(LaunchPlan((vector(1),), steps=(step,)))(np.zeros(1, F4)) is None


@pytest.mark.parametrize("slot", [(0, 44), (0, -4), (1, 20), (7, 0), (-1, 0), (2, 0)])
def test_an_operand_outside_its_slot_is_refused_when_building(double, slot):
    number, offset = slot
    plan = LaunchPlan(
        (vector(10),),
        (FreshOutput(F4, (4,), (4,)),),
        steps=(table(double, [[0, 1], [number, 1]], [[0, 0], [offset, 0]], [1, 1]),),
    )
    with pytest.raises(KernelError, match="contradicts itself"):
        build(plan)
