"""Maps that join products on a device, by the calls that there are; `cuda/cases_epilogues.py` runs them."""

import numpy as np
from backend.graph_cases import Program, layout_for

from guardlift.backend import lowered
from guardlift.backend.compile import compile_graph
from guardlift.backend.launch.epilogues import MOST_STATEMENTS, MappedProductCall
from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.node import Write
from guardlift.loop_ir.ir import walk
from guardlift.loop_ir.printer import print_kernel

F32 = dtypes.float32


def program(device="cuda:0"):
    p = Program()
    p.builder.input(TensorType((), F32, device), "there")
    return p


def calls(p, *results, writes=(), disjoint=True):
    graph = p.builder.finish(results, writes)
    arrays = [np.zeros(node.shape, node.type.dtype.numpy) for node in graph.inputs]
    return compile_graph(graph, layout_for(graph, arrays, disjoint)).calls


def names(found):
    return [type(each).__name__.removesuffix("Call") for each in found]


def product(p, m=6, k=4, n=8):
    return p.matmul(p.input((m, k), F32), p.input((k, n), F32))


def row(p, like):
    return p.expand(p.reshape(p.input(like.shape[-1:], F32), shape=(1, like.shape[-1])), shape=like.shape)


def test_a_map_is_one_over_lines_and_columns_and_the_result_itself_has_no_memory():
    p = program()
    z = product(p)
    (call,) = calls(p, p.tanh(p.add(z, row(p, z))))
    assert isinstance(call, MappedProductCall) and not call.kept and call.product.result.buffer not in call.buffers
    kernel = call.map.bound.kernel
    assert print_kernel(kernel).splitlines() == [
        "kernel(p0: f32, p1: f32, p2: f32; 2 sizes, apart)",
        "  parallel for i0:",
        "    for i1 < s0:",
        "      t0: f32 = p0[i0 * s1 + i1]",
        "      t1: f32 = p1[i1]",
        "      t2: f32 = (t0 + t1)",
        "      t3: f32 = tanh_f32(t2)",
        "      p2[i0 * s1 + i1] = t3",
    ]
    assert call.map.bound.extent == 6 and call.map.bound.sizes == (8, 8)
    assert call.describe()[0].startswith("product") and call.describe()[1].startswith("  as it is stored: map_")


def test_on_the_cpu_nothing_joins():
    p = program("cpu")
    assert names(calls(p, p.exp(product(p)))) == ["Product", "Kernel"]


def test_a_result_that_others_read_is_kept():
    p = program()
    z = product(p)
    (call, total) = calls(p, p.exp(z), p.sum(z, axes=(1,)))
    assert isinstance(call, MappedProductCall) and call.kept and names([total]) == ["Kernel"]


def test_several_maps_become_one(monkeypatch):
    p = program()
    z = product(p, 6, 4, 8)
    first = p.exp(p.add(z, row(p, z)))
    flat = p.reshape(first, shape=(2, 3, 8))
    other = p.expand(p.reshape(p.input((8,), F32), shape=(1, 1, 8)), shape=(2, 3, 8))
    found = calls(p, first, p.multiply(flat, other))
    assert names(found) == ["MappedProduct"]
    monkeypatch.setattr(lowered, "join_maps", lambda calls, alias: calls)
    assert names(calls(p, first, p.multiply(flat, other))) == ["Product", "Kernel", "Kernel"]
    assert sum(type(each).__name__ == "Store" for each in walk(found[0].map.bound.kernel.body)) == 2


def test_what_is_read_elsewhere_what_is_not_whole_and_what_may_fail_does_not_join():
    p = program()
    z = product(p, 8, 4, 8)
    assert names(calls(p, p.add(z, p.permute(z, axes=(1, 0))))) == ["Product", "Kernel"]
    p = program()
    z = product(p)
    assert names(calls(p, p.exp(p.slice(z, starts=(0, 0), sizes=(6, 5), steps=(1, 1))))) == ["Product", "Kernel"]
    p = program()
    z, index = product(p), p.input((6,), dtypes.int64)
    picked = p.expand(p.reshape(p.take(p.input((3,), F32), index, axis=0), shape=(6, 1)), shape=z.shape)
    assert names(calls(p, p.add(z, picked))) == ["Product", "Kernel"]
    p = program()
    z = product(p)
    for _ in range(MOST_STATEMENTS):
        z = p.add(p.sin(z), row(p, z))
    assert "MappedProduct" not in names(calls(p, z))


def test_arguments_are_not_written_by_products_which_know_of_no_failed_check():
    p = program()
    x, w = p.input((6, 6), F32), p.input((6, 6), F32)
    new = p.add(x, p.exp(p.matmul(x, w)))
    assert "MappedProduct" not in names(calls(p, writes=[Write(x, new)]))


def test_a_product_of_a_mapped_product_joins_too_and_keeps_the_order():
    p = program()
    z = product(p, 6, 4, 8)
    hidden = p.tanh(p.add(z, row(p, z)))
    second = p.matmul(hidden, p.input((8, 5), F32))
    assert names(calls(p, p.add(second, row(p, second)))) == ["MappedProduct", "MappedProduct"]
