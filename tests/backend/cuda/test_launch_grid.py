import pytest
from backend.graph_cases import Program, bound
from backend.schedule.test_groups import softmax

from guardlift.backend.cuda.access.held_rows import held_rows, needed_at_once
from guardlift.backend.cuda.kernels.scans import scan_of
from guardlift.backend.cuda.launch_grid import DeviceLimits, Launch, choose_launch_grid, launch_of, with_bound
from guardlift.backend.evaluate.buffers import Buffer, dense_view
from guardlift.backend.schedule.scans import ScanCall
from guardlift.core import dtypes
from guardlift.core.config import config

LIMITS = DeviceLimits(threads=256, blocks=1000, warps=8, row_threads=512)


def planned(p, *results):
    """The team, and the sizes of the launch, of the last kernel."""
    kernel = bound(p, *results)
    launch_grid = choose_launch_grid(kernel)
    return launch_grid, launch_of(kernel, launch_grid, LIMITS)


@pytest.mark.parametrize(
    ("shape", "team", "launch"),
    [
        ((100, 8), "thread", Launch((1, 1, 1), (128, 1, 1))),
        ((100, 100), "warp", Launch((13, 1, 1), (32, 8, 1))),
        ((100, 1100), "block", Launch((100, 1, 1), (192, 1, 1))),
        ((5000, 1100), "block", Launch((1000, 1, 1), (64, 1, 1))),
        ((5000, 50_000), "block", Launch((1000, 1, 1), (512, 1, 1))),
    ],
)
def test_longer_rows_get_larger_teams(shape, team, launch):
    p = Program()
    launch_grid, sizes = planned(p, p.sum(p.input(shape, dtypes.float32), axes=(1,)))
    assert (launch_grid.team, sizes) == (team, launch)


def test_a_team_shares_out_the_longest_loop_where_the_last_one_is_short():
    p = Program()
    launch_grid, _ = planned(p, p.sum(p.permute(p.input((500, 3, 2)), axes=(1, 0, 2)), axes=(1, 2)))
    assert launch_grid.team == "warp" and launch_grid.shared_loop == 0


def test_a_long_fold_without_rows_is_split_over_the_grid():
    p = Program()
    launch_grid, sizes = planned(p, p.sum(p.input((1000, 1000), dtypes.float32), axes=(0, 1)))
    assert launch_grid.team == "grid" and sizes == Launch((244, 1, 1), (512, 1, 1))
    p = Program()
    x = p.input((1000, 1000), dtypes.float32)
    total = p.sum(x, axes=(0, 1))
    launch_grid, _ = planned(p, p.divide(x, p.expand(p.reshape(total, shape=(1, 1)), shape=(1000, 1000))))
    assert launch_grid.team != "grid"  # what follows needs the sum in a kernel of its own, or the inner loop goes twice


@pytest.mark.parametrize(
    ("shape", "team", "launch"),
    [
        ((8, 40), "thread", Launch((1, 1, 1), (64, 1, 1))),
        ((200, 40), "rows", Launch((2, 1, 1), (32, 16, 1))),
        ((500, 40), "row parts", Launch((6, 1, 1), (32, 16, 1))),
        ((4096, 1024), "row parts", Launch((384, 1, 1), (32, 16, 1))),
        ((4096, 65536), "rows", Launch((1000, 1, 1), (32, 16, 1))),
    ],
)
def test_many_rows_of_a_column_are_shared_out(shape, team, launch):
    p = Program()
    launch_grid, sizes = planned(p, p.sum(p.input(shape), axes=(0,)))
    assert (launch_grid.team, sizes) == (team, launch)


def test_few_long_rows_are_shared_out_among_blocks():
    p = Program()
    launch_grid, sizes = planned(p, p.sum(p.input((8, 1 << 20), dtypes.float32), axes=(1,)))
    assert launch_grid.team == "grid" and sizes == Launch((384, 1, 1), (512, 1, 1))
    p = Program()
    launch_grid, sizes = planned(p, p.sum(p.input((400, 1 << 20), dtypes.float32), axes=(1,)))
    assert launch_grid.team == "block" and sizes == Launch((400, 1, 1), (512, 1, 1))


def test_an_argmax_down_a_column_goes_row_by_row_in_one_thread():
    p = Program()
    launch_grid, _ = planned(p, p.argmax(p.input((500, 40)), axes=(0,)))
    assert launch_grid.team == "thread"


def test_scattered_sums_share_out_what_does_not_depend_on_the_index():
    p = Program()
    table, index, values = p.input((9, 4, 5)), p.input((7,), dtypes.int64), p.input((7, 4, 5))
    launch_grid, sizes = planned(p, p.scatter_add(table, index, values, axis=0))
    assert launch_grid.spread == ("i1",) and sizes == Launch((1, 1, 1), (32, 1, 1))
    p = Program()
    launch_grid, sizes = planned(p, p.scatter_add(p.input((9,)), p.input((7,), dtypes.int64), p.input((7,)), axis=0))
    assert launch_grid.spread == () and sizes == Launch((1, 1, 1), (1, 1, 1))


def test_scattered_rows_have_owners_however_their_indices_lie_and_are_checked():
    p = Program()
    table, values = p.input((1000, 512), dtypes.float32), p.input((64, 128, 512), dtypes.float32)
    index = p.checked_index(p.input((64, 128), dtypes.int64), size=1000, ignore=None)
    rows = p.reshape(values, shape=(8192, 512)), p.reshape(index, shape=(8192,))
    launch_grid, sizes = planned(p, p.scatter_add(table, rows[1], rows[0], axis=0))
    assert launch_grid.team == "owners" and sizes.grid == (16, 32, 1)
    with config.patch(deterministic_algorithms=False):
        launch_grid, sizes = planned(p, p.scatter_add(table, rows[1], rows[0], axis=0))
    assert launch_grid.atomic and sizes.grid == (2, 500, 1)  # blocks are limited to a thousand


def test_many_scattered_rows_are_shared_out_among_owners():
    p = Program()
    table, index, values = (p.input((8192, 512)), p.input((8192,), dtypes.int64), p.input((8192, 512)))
    launch_grid, sizes = planned(p, p.scatter_add(table, index, values, axis=0))
    assert launch_grid.team == "owners" and sizes == Launch((16, 32, 1), (32, 8, 1))


def test_a_transposition_is_shared_out_by_tiles():
    p = Program()
    launch_grid, sizes = planned(p, p.permute(p.input((320, 640)), axes=(1, 0)))
    assert launch_grid.tiled == ("i0", "t0") and sizes == Launch((200, 1, 1), (32, 8, 1))


@pytest.mark.parametrize(
    ("shape", "axis", "launch", "parts"),
    [
        ((4096, 4096), 1, Launch((4096, 1, 1), (256, 1, 1)), 1),
        ((4096, 4096), 0, Launch((128, 1, 1), (32, 16, 1)), 1),
        ((1 << 24,), 0, Launch((384, 1, 1), (256, 1, 1)), 384),
        ((1000, 20), 1, Launch((125, 1, 1), (32, 8, 1)), 1),
        ((1 << 20, 64), 0, Launch((384, 1, 1), (32, 16, 1)), 192),
    ],
)
def test_scans_fill_a_device(shape, axis, launch, parts):
    limits = DeviceLimits()
    view = dense_view(Buffer("input", 0, dtypes.float32), shape)
    scan = scan_of(ScanCall("sum", axis, view, view), limits)
    assert (scan.launch(limits), scan.count) == (launch, parts)


def test_a_matrix_is_walked_along_both_axes_of_the_grid():
    p = Program()
    x, b = p.input((40, 30)), p.input((30,))
    _, sizes = planned(p, p.add(x, p.expand(p.reshape(b, shape=(1, 30)), shape=(40, 30))))
    assert sizes == Launch((1, 5, 1), (32, 8, 1))


def centred(p, size):
    """Rows without their means, times a row: more arrays than a thread needs at once."""
    x, row = p.input((4096, size), dtypes.float32), p.input((size,), dtypes.float32)
    mean = p.divide(p.sum(x, axes=(1,)), p.full(value=float(size), shape=(4096,), dtype=dtypes.float32))
    there = p.subtract(x, p.expand(p.reshape(mean, shape=(4096, 1)), shape=(4096, size)))
    scale = p.sqrt(p.sum(p.multiply(there, there), axes=(1,)))
    scaled = p.divide(there, p.expand(p.reshape(scale, shape=(4096, 1)), shape=(4096, size)))
    return p.multiply(scaled, p.expand(p.reshape(row, shape=(1, size)), shape=(4096, size)))


@pytest.mark.parametrize(
    ("make", "size", "needed", "held", "threads", "shared"),
    [
        (lambda p, size: softmax(p, p.input((4096, size), dtypes.float32)), 16384, 1, 32, 512, 0),
        (lambda p, size: softmax(p, p.input((4096, size), dtypes.float32)), 20000, 1, 56, 384, 0),
        (lambda p, size: softmax(p, p.input((4096, size), dtypes.float32)), 28672, 1, 56, 512, 0),
        (lambda p, size: softmax(p, p.input((4096, size), dtypes.float32)), 28676, 1, 48, 512, 4096 + 2048),
        (lambda p, size: softmax(p, p.input((4096, size), dtypes.float32)), 50257, 1, 48, 512, 11264),
        (lambda p, size: softmax(p, p.input((4096, size), dtypes.float32)), 120_000, 1, 0, 0, 0),
        (centred, 8192, 2, 16, 512, 0),
        (centred, 16384, 2, 32, 512, 0),
        (centred, 30000, 2, 24, 512, 10240),
    ],
)
def test_long_rows_are_kept_by_what_is_needed_at_once(make, size, needed, held, threads, shared):
    p = Program()
    kernel = bound(p, make(p, size))
    found, launch_grid = held_rows(kernel.kernel), choose_launch_grid(kernel)
    assert needed_at_once(found) == needed < len(found.touched)
    assert (launch_grid.held, launch_grid.threads, launch_grid.shared) == (held, threads, shared)


def test_kernels_of_large_blocks_say_how_large():
    assert [with_bound("text", threads).partition("\n")[0] for threads in (32, 256, 257, 512, 513, 1024)] == [
        "text",
        "text",
        *["# blocks of 512 threads at most"] * 2,
        *["# blocks of 1024 threads at most"] * 2,
    ]
