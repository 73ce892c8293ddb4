from dataclasses import replace

import numpy as np
import pytest
from backend.cuda.launched_kernel import bound_kernel
from backend.graph_cases import Program, bound

from guardlift.backend.cuda.access.wide_loops import group_size, wide_loop
from guardlift.backend.cuda.kernel_text import cuda_text
from guardlift.backend.cuda.launch_grid import DeviceLimits, Launch, choose_launch_grid, launch_of, table_grid
from guardlift.core import dtypes

F32 = dtypes.float32


def added(shape, strides=None):
    """A sum of an array that lies as `strides` say, in elements, and one number."""
    p = Program()
    x = p.input(shape, F32)
    graph = p.builder.finish([p.multiply(x, p.number(x, 2.0))])
    strides = strides or tuple(np.zeros(shape, np.int8).strides)
    room = np.zeros(1 + sum((size - 1) * step for size, step in zip(shape, strides)), "f4")
    array = np.lib.stride_tricks.as_strided(room, shape, [4 * step for step in strides], writeable=False)
    return bound_kernel(graph, [array])


def test_groups_are_taken_where_sizes_strides_and_offsets_allow_it():
    assert choose_launch_grid(added((100_000,))).wide == 4
    assert choose_launch_grid(added((100_003,))).wide == 4  # three are left
    assert choose_launch_grid(added((1000,))).wide == 1  # too few to matter
    assert choose_launch_grid(added((100, 1000), (1004, 1))).wide == 4
    assert choose_launch_grid(added((100, 1000), (1001, 1))).wide == 1
    assert choose_launch_grid(added((100, 1000), (2000, 2))).wide == 1
    assert choose_launch_grid(added((100_000, 5), (8, 1))).wide == 1  # rows of one group
    whole = added((100_000,))
    for offset, wide in ((4, 4), (1, 1)):
        first, *rest = whole.pointers
        assert choose_launch_grid(replace(whole, pointers=(replace(first, offset=offset), *rest))).wide == wide


def test_a_launch_has_a_thread_for_each_group():
    for size, blocks in ((1 << 20, 1024), ((1 << 20) + 1, 1025), (1 << 30, 4096)):
        kernel = added((64,))
        kernel = replace(kernel, extent=size)
        grid = choose_launch_grid(kernel)
        assert grid.wide == 4 and launch_of(kernel, grid, DeviceLimits()) == Launch((blocks, 1, 1), (256, 1, 1))
    assert table_grid(kernel.kernel, [10, 5000]).wide == 4 and table_grid(kernel.kernel, [10, 500]).wide == 1


@pytest.mark.parametrize(
    ("codes", "count"), [("f4 f2", 8), ("f4 f8", 4), ("f8 f8", 2), ("i1 i1", 16), ("i8 i1", 4), ("i4 f2", 8)]
)
def test_arrays_of_several_dtypes_take_as_many_elements_each(codes, count):
    p = Program()
    one, other = (dtypes.held(np.dtype(code)) for code in codes.split())
    x = p.input((5000,), one)
    kernel = bound(p, p.maximum(x, x) if one is other else p.cast(x, dtype=other)).kernel
    assert group_size(kernel, wide_loop(kernel)) == count


def test_indices_are_of_64_bits_where_a_loop_is_longer_than_32_say():
    kernel = replace(added((64,)), extent=(1 << 30) + 1)
    grid = choose_launch_grid(kernel)
    assert grid.far and "int32" not in cuda_text(kernel.kernel, grid)


def test_no_groups_where_what_a_thread_does_is_no_map():
    p = Program()
    assert choose_launch_grid(bound(p, p.sum(p.input((5000, 8), F32), axes=(1,)))).wide == 1
    p = Program()
    turned = bound(p, p.negative(p.permute(p.input((100, 100), F32), axes=(1, 0))))
    assert choose_launch_grid(turned).wide == 1
    p = Program()
    x = p.input((100, 100), F32)
    assert choose_launch_grid(bound(p, p.add(x, p.permute(x, axes=(1, 0))))).wide == 1
