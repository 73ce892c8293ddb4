import numpy as np
from backend.graph_cases import Program, layout_for

from guardlift.backend.compile import compile_graph
from guardlift.core import dtypes
from guardlift.graph.node import Write


def scaled_sum():
    p = Program()
    x = p.input((4, 6), dtypes.float32)
    y = p.multiply(x, p.number(x, 0.1))
    graph = p.builder.finish([p.sum(y, axes=(1,))])
    return compile_graph(graph, layout_for(graph, [np.zeros((4, 6), np.float32)]))


def test_the_loops_of_a_row_sum_read_like_this():
    assert scaled_sum().kernels[0].loops == (
        "kernel(p0: f32, p1: f32; 2 sizes, apart)\n"
        "  t1: f32 = 0.1\n"
        "  parallel for i0:\n"
        "    sweep j0 < s0:\n"
        "      t0: f32 = p0[i0 * s1 + j0]\n"
        "      t2: f32 = (t0 * t1)\n"
        "      fold r3: f32 = sum t2\n"
        "    p1[i0] = r3\n"
    )


def test_what_is_written_over_memory_that_may_overlap_is_computed_elsewhere():
    for apart, kernels in ((True, 1), (False, 2)):
        p = Program()
        x, y = p.input((4, 6)), p.input((4, 6))
        graph = p.builder.finish([], [Write(x, p.add(x, y))])
        compiled = compile_graph(graph, layout_for(graph, [np.zeros((4, 6))] * 2, disjoint=apart))
        assert [", apart)" in each.loops for each in compiled.kernels] == [True] * kernels


def test_its_text_for_the_cpu_reads_like_this():
    assert scaled_sum().kernels[0].text == (
        "def kernel(addresses, sizes, start, stop):\n"
        "    p0 = pointer_f32_0_of_2(addresses[0])\n"
        "    p1 = pointer_f32_1_of_2(addresses[1])\n"
        "    s0 = sizes[0]\n"
        "    s1 = sizes[1]\n"
        "    t1 = float32(0.10000000149011612)\n"
        "    for i0 in range(start, stop):\n"
        "        r3_held = float64(0.0)\n"
        "        for j0 in range(s0):\n"
        "            t0 = p0[i0 * s1 + j0]\n"
        "            t2 = (t0 * t1)\n"
        "            r3_held = reassociated_add_f64(r3_held, float64(t2))\n"
        "        r3 = float32(r3_held)\n"
        "        p1[i0] = r3\n"
        "    return 0\n"
    )
