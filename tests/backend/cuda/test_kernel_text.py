import numpy as np
import pytest
from backend.graph_cases import Program, bound, layout_for
from backend.schedule.test_foreach import momentum, momentum_arrays
from backend.schedule.test_groups import softmax

from guardlift.backend.compile import compile_graph
from guardlift.backend.cuda.kernel_text import cuda_text
from guardlift.backend.cuda.launch_grid import DeviceLimits, Launch, LaunchGrid, choose_launch_grid, table_launch
from guardlift.core import dtypes


def text(p, *results, **changes):
    kernel = bound(p, *results)
    launch_grid = choose_launch_grid(kernel, **changes)
    return cuda_text(kernel.kernel, launch_grid)


def test_a_chain_of_operations_reads_like_this():
    p = Program()
    x, y = p.input((1000,), dtypes.float32), p.input((1000,), dtypes.float32)
    assert text(p, p.tanh(p.add(x, p.multiply(y, p.number(y, 0.1))))) == (
        "def kernel(a0, a1, a2, extent, failed):\n"
        "    p0 = pointer_f32(a0)\n"
        "    p1 = pointer_f32(a1)\n"
        "    p2 = pointer_f32(a2)\n"
        "    t2 = float32(0.10000000149011612)\n"
        "    i0 = int32(cuda.grid(1))\n"
        "    while i0 < extent:\n"
        "        t0 = p0[i0]\n"
        "        t1 = p1[i0]\n"
        "        t3 = (t1 * t2)\n"
        "        t4 = (t0 + t3)\n"
        "        t5 = tanh_f32(t4)\n"
        "        p2[i0] = t5\n"
        "        i0 = int32(i0 + cuda.gridsize(1))\n"
    )


def test_a_long_chain_goes_by_groups_of_elements_and_what_is_left_one_by_one():
    p = Program()
    x, y = p.input((64, 100), dtypes.float32), p.input((64, 100), dtypes.float16)
    added = p.add(p.permute(x, axes=(1, 0)), p.permute(p.cast(y, dtype=dtypes.float32), axes=(1, 0)))
    assert text(p, p.permute(added, axes=(1, 0))).count("load") == 2
    p = Program()
    x, b = p.input((64, 100), dtypes.float32), p.input((100,), dtypes.float32)
    wide = p.expand(p.reshape(b, shape=(1, 100)), shape=(64, 100))
    assert text(p, p.add(x, wide)) == (
        "def kernel(a0, a1, a2, s0, s1, extent, failed):\n"
        "    p0 = pointer_f32(a0)\n"
        "    p1 = pointer_f32(a1)\n"
        "    p2 = pointer_f32(a2)\n"
        "    i0 = int32(cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y)\n"
        "    while i0 < extent:\n"
        "        i1_groups = s0 >> 2 if ((a0 | s1 * 4 | a1 | a2) & 15) == 0 else 0\n"
        "        i1_group = int32(cuda.grid(1))\n"
        "        while i1_group < i1_groups:\n"
        "            i1 = i1_group << 2\n"
        "            t0_0, t0_1, t0_2, t0_3 = load_4_f32(p0, i0 * s1 + i1)\n"
        "            t1_0, t1_1, t1_2, t1_3 = load_4_f32(p1, i1)\n"
        "            t2_0 = (t0_0 + t1_0)\n"
        "            t2_1 = (t0_1 + t1_1)\n"
        "            t2_2 = (t0_2 + t1_2)\n"
        "            t2_3 = (t0_3 + t1_3)\n"
        "            store_4_f32(p2, i0 * s1 + i1, t2_0, t2_1, t2_2, t2_3)\n"
        "            i1_group = int32(i1_group + cuda.gridsize(1))\n"
        "        i1 = int32((i1_groups << 2) + cuda.grid(1))\n"
        "        while i1 < s0:\n"
        "            t0 = p0[i0 * s1 + i1]\n"
        "            t1 = p1[i1]\n"
        "            t2 = (t0 + t1)\n"
        "            p2[i0 * s1 + i1] = t2\n"
        "            i1 = int32(i1 + cuda.gridsize(1))\n"
        "        i0 = int32(i0 + cuda.gridDim.y * cuda.blockDim.y)\n"
    )


def test_a_softmax_by_warps_reads_like_this():
    p = Program()
    kernel = bound(p, softmax(p, p.input((64, 100), dtypes.float32))).kernel
    assert cuda_text(kernel, LaunchGrid("warp")) == (
        "def kernel(a0, a1, s0, s1, extent, failed):\n"
        "    lane = cuda.threadIdx.x\n"
        "    p0 = pointer_f32(a0)\n"
        "    p1 = pointer_f32(a1)\n"
        "    i0 = int32(cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y)\n"
        "    while i0 < extent:\n"
        "        r1_held = float32(-1e999)\n"
        "        j0 = int32(lane)\n"
        "        while j0 < s0:\n"
        "            t0 = p0[i0 * s1 + j0]\n"
        "            r1_held = maximum_f32(r1_held, t0)\n"
        "            j0 = int32(j0 + cuda.blockDim.x)\n"
        "        apart = 16\n"
        "        while apart > 0:\n"
        "            r1_held_other = exchanged_f32(r1_held, apart)\n"
        "            r1_held = maximum_f32(r1_held, r1_held_other)\n"
        "            apart >>= 1\n"
        "        r1 = r1_held\n"
        "        join_warp()\n"
        "        r5_sum = float32(0.0)\n"
        "        r5_error = float32(0.0)\n"
        "        j0 = int32(lane)\n"
        "        while j0 < s0:\n"
        "            t2 = p0[i0 * s1 + j0]\n"
        "            t3 = (t2 - r1)\n"
        "            t4 = exp_f32(t3)\n"
        "            p1[i0 * s1 + j0] = t4\n"
        "            r5_total = r5_sum + t4\n"
        "            r5_part = r5_total - r5_sum\n"
        "            r5_lost = (r5_sum - (r5_total - r5_part)) + (t4 - r5_part)\n"
        "            r5_error = r5_error + r5_lost\n"
        "            r5_sum = r5_total\n"
        "            j0 = int32(j0 + cuda.blockDim.x)\n"
        "        apart = 16\n"
        "        while apart > 0:\n"
        "            r5_sum_other = exchanged_f32(r5_sum, apart)\n"
        "            r5_error_other = exchanged_f32(r5_error, apart)\n"
        "            r5_total = r5_sum + r5_sum_other\n"
        "            r5_part = r5_total - r5_sum\n"
        "            r5_lost = (r5_sum - (r5_total - r5_part)) + (r5_sum_other - r5_part)\n"
        "            r5_error = (r5_error + r5_error_other) + r5_lost\n"
        "            r5_sum = r5_total\n"
        "            apart >>= 1\n"
        "        r5 = r5_sum + r5_error if r5_error == r5_error else r5_sum\n"
        "        join_warp()\n"
        "        j0 = int32(lane)\n"
        "        while j0 < s0:\n"
        "            t6 = p1[i0 * s1 + j0]\n"
        "            t7 = (t6 / r5)\n"
        "            p1[i0 * s1 + j0] = t7\n"
        "            j0 = int32(j0 + cuda.blockDim.x)\n"
        "        i0 = int32(i0 + cuda.gridDim.x * cuda.blockDim.y)\n"
    )


def test_a_softmax_that_a_warp_keeps_in_registers_reads_like_this():
    p = Program()
    found = text(p, softmax(p, p.input((64, 60), dtypes.float32)))
    assert found.partition("        else:\n")[0] == (
        "def kernel(a0, a1, s0, s1, extent, failed):\n"
        "    lane = cuda.threadIdx.x\n"
        "    p0 = pointer_f32(a0)\n"
        "    p1 = pointer_f32(a1)\n"
        "    i0 = int32(cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y)\n"
        "    while i0 < extent:\n"
        "        if (s0 > 0) & (s0 <= 32 * 2) & ((s0 & 1) == 0) & (((a0 | s1 * 4 | a1) & 7) == 0):\n"
        "            j0_at_0 = int32(lane * 2)\n"
        "            j0_inside = j0_at_0 < s0\n"
        "            j0_at_0 = j0_at_0 if j0_inside else int32(0)\n"
        "            t0_0, t0_1 = load_2_f32(p0, i0 * s1 + j0_at_0)\n"
        "            r1_0_0 = maximum_f32(t0_0, t0_1)\n"
        "            r1_held = r1_0_0\n"
        "            apart = 16\n"
        "            while apart > 0:\n"
        "                r1_held_other = exchanged_f32(r1_held, apart)\n"
        "                r1_held = maximum_f32(r1_held, r1_held_other)\n"
        "                apart >>= 1\n"
        "            r1 = r1_held\n"
        "            t3_0 = (t0_0 - r1)\n"
        "            t3_1 = (t0_1 - r1)\n"
        "            t4_0 = exp_f32(t3_0)\n"
        "            t4_1 = exp_f32(t3_1)\n"
        "            r5_0_0 = ((t4_0 if j0_inside else float32(0.0)) + (t4_1 if j0_inside else float32(0.0)))\n"
        "            r5_held = r5_0_0\n"
        "            apart = 16\n"
        "            while apart > 0:\n"
        "                r5_held_other = exchanged_f32(r5_held, apart)\n"
        "                r5_held = (r5_held + r5_held_other)\n"
        "                apart >>= 1\n"
        "            r5 = r5_held + float32(0.0)\n"
        "            t7_0 = (t4_0 / r5)\n"
        "            t7_1 = (t4_1 / r5)\n"
        "            if j0_inside:\n"
        "                store_2_f32(p1, i0 * s1 + j0_at_0, t7_0, t7_1)\n"
    )


def test_sums_of_columns_read_like_this():
    p = Program()
    assert text(p, p.prod(p.input((200, 64), dtypes.int32), axes=(0,))) == (
        "def kernel(a0, a1, s0, s1, extent, failed):\n"
        "    h0_held_shared = cuda.shared.array((16, 32), int32)\n"
        "    lane = cuda.threadIdx.x\n"
        "    p0 = pointer_i32(a0)\n"
        "    p1 = pointer_i32(a1)\n"
        "    c_first = cuda.blockIdx.x * cuda.blockDim.x\n"
        "    while c_first < extent:\n"
        "        c = c_first + lane\n"
        "        h0_held = int32(1)\n"
        "        if c < extent:\n"
        "            j0 = int32(cuda.threadIdx.y)\n"
        "            while j0 < s0:\n"
        "                t0 = p1[j0 * s1 + c]\n"
        "                h0_held = int32(h0_held * t0)\n"
        "                j0 = int32(j0 + cuda.blockDim.y)\n"
        "        h0_held_shared[cuda.threadIdx.y, lane] = h0_held\n"
        "        cuda.syncthreads()\n"
        "        apart = cuda.blockDim.y // 2\n"
        "        while apart > 0:\n"
        "            if cuda.threadIdx.y < apart:\n"
        "                h0_held_other = h0_held_shared[cuda.threadIdx.y + apart, lane]\n"
        "                h0_held = int32(h0_held * h0_held_other)\n"
        "                h0_held_shared[cuda.threadIdx.y, lane] = h0_held\n"
        "            cuda.syncthreads()\n"
        "            apart //= 2\n"
        "        if (c < extent) & (cuda.threadIdx.y == 0):\n"
        "            h0 = h0_held\n"
        "            p0[c] = h0\n"
        "        c_first += cuda.gridDim.x * cuda.blockDim.x\n"
    )


def test_a_scattered_sum_reads_like_this():
    p = Program()
    table, index = p.input((100, 8), dtypes.float32), p.input((20,), dtypes.int64)
    values = p.input((20, 8), dtypes.float32)
    assert text(p, p.scatter_add(table, index, values, axis=0)) == (
        "def kernel(a0, a1, a2, s0, s1, s2, s3, s4, s5, s6, extent, failed):\n"
        "    p0 = pointer_i64(a0)\n"
        "    p1 = pointer_f32(a1)\n"
        "    p2 = pointer_f32(a2)\n"
        "    i1 = int32(cuda.grid(1))\n"
        "    while i1 < s5:\n"
        "        for i0 in range(s6):\n"
        "            t0 = p0[i0 * s0]\n"
        "            t1 = int64(t0)\n"
        "            t1 = t1 + s1 if t1 < 0 else t1\n"
        "            if (t1 < 0) | (t1 >= s1):\n"
        "                pointer_i64(failed)[0] = int64(1)\n"
        "                t1 = int64(0)\n"
        "            t2 = p1[i0 * s2 + i1]\n"
        "            t3 = p2[i1 + t1 * s3]\n"
        "            t4 = (t3 + t2)\n"
        "            p2[i1 + t1 * s4] = t4\n"
        "        i1 = int32(i1 + cuda.gridsize(1))\n"
    )


def test_a_step_over_a_table_fetches_its_operands_row_by_row():
    _, graph = momentum(dtype=dtypes.float32)
    call = compile_graph(graph, layout_for(graph, momentum_arrays(dtype=np.float32))).calls[0]
    lines = cuda_text(call.bound.kernel, LaunchGrid(table=True)).splitlines()
    assert lines[:8] == [
        "def kernel(table, rows, failed):",
        "    words = pointer_i64(table)",
        "    row = cuda.blockIdx.y",
        "    while row < rows:",
        "        first = row * 6",
        "        extent = words[first]",
        "        a0 = words[first + 1]",
        "        p0 = pointer_f32(a0)",
    ]
    assert lines[-1] == "        row += cuda.gridDim.y"
    assert table_launch([40, 20, 2000], DeviceLimits()) == Launch((8, 3, 1), (256, 1, 1))


@pytest.mark.parametrize(("size", "first"), [(8, "if pointer_i64(failed)[0] != 0:"), (64, "cuda.syncthreads_or(")])
def test_a_kernel_after_a_check_asks_first_whether_it_failed(size, first):
    p = Program()
    lines = text(p, p.sum(p.input((4, size)), axes=(1,)), stops=True).splitlines()
    assert first in lines[1] and lines[2] == "        return"


def test_a_store_that_others_of_the_team_have_read_waits_for_them():
    p = Program()
    x = p.input((6, 40))
    total = p.sum(x, axes=(1,))
    wide = p.expand(p.reshape(total, shape=(6, 1)), shape=(6, 40))
    lines = cuda_text(bound(p, total, p.multiply(x, wide)).kernel, LaunchGrid("warp")).splitlines()
    store = next(k for k, line in enumerate(lines) if line.strip() == "if lane == 0:")
    assert "join_warp()" in lines[store - 1]


def test_loops_beyond_the_third_run_in_each_thread():
    p = Program()
    x = p.input((2, 3, 4, 5, 6))
    turned = p.permute(x, axes=(4, 2, 0, 3, 1))
    lines = text(p, p.negative(turned))
    assert "cuda.blockIdx.z" in lines and lines.count("while ") == 3 and lines.count("for ") >= 1
