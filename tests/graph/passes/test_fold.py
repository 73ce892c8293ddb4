import numpy as np
import pytest
from graph.bits import assert_same_bits
from graph.passes.fold_cases import CASES, LEFT_ALONE, N, V, body, full

from guardlift.core import dtypes
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph
from guardlift.graph.parser import parse_graph
from guardlift.graph.passes.algebra import lossless
from guardlift.graph.passes.dce import drop_dead_nodes
from guardlift.graph.passes.fold import RULES, apply_rules, fold
from guardlift.graph.passes.rewrite import rewrite
from guardlift.graph.passes.rule import Rule
from guardlift.graph.printer import print_graph
from guardlift.graph.verifier import verify
from guardlift.ops.pointwise import CAST
from guardlift.ops.samples import special_floats

BY_NAME = {rule.name: rule for rule in RULES}


def special_inputs(graph: Graph) -> list[np.ndarray]:
    def vector(dtype: dtypes.DType) -> np.ndarray:
        if dtype.is_bool:
            return np.arange(N) % 2 == 0
        if dtype.is_integer:
            info = np.iinfo(dtype.numpy)
            return np.resize(np.array([0, 1, 2, 100, info.max, info.max - 1, info.min, info.min + 1], dtype.numpy), N)
        bits, quiet = (np.uint64, 0xFFF8000000000ABC) if dtype.itemsize == 8 else (np.uint32, 0xFFC00ABC)
        nans = np.array([quiet, quiet ^ (1 << (8 * dtype.itemsize - 1))], bits).view(dtype.numpy)
        return np.concatenate([special_floats(dtype), nans, np.array([0.1], dtype.numpy)])

    arrays = [vector(node.type.dtype) if node.type.rank == 1 else None for node in graph.inputs]
    return [
        np.linspace(-1, 1, node.type.size).reshape(node.shape) if array is None else array
        for node, array in zip(graph.inputs, arrays, strict=True)
    ]


def cases() -> list[object]:
    return [
        pytest.param(BY_NAME[name], before, after, id=f"{name}-{number}")
        for name, pairs in CASES.items()
        for number, (before, after) in enumerate(pairs)
    ]


def applied(graph: Graph, *rules: Rule) -> Graph:
    return drop_dead_nodes(rewrite(graph, lambda node: apply_rules(node, rules) or node))


def test_every_rule_has_a_case_and_a_name_of_its_own() -> None:
    assert sorted(CASES) == sorted(rule.name for rule in RULES)


@pytest.mark.parametrize(("rule", "before", "after"), cases())
def test_a_rule_fires_alone_and_is_exact_on_special_values(rule: Rule, before: str, after: str) -> None:
    graph, expected = parse_graph(before), parse_graph(after)
    verify(graph)
    folded = applied(graph, rule)
    verify(folded)
    assert print_graph(folded) == print_graph(expected)
    assert_same_bits(run_reference(folded, special_inputs(graph)), run_reference(graph, special_inputs(graph)))


@pytest.mark.parametrize(("rule", "before", "after"), cases())
def test_the_whole_table_does_no_less_than_the_rule_alone(rule: Rule, before: str, after: str) -> None:
    graph = parse_graph(before)
    folded = drop_dead_nodes(fold(graph))
    verify(folded)
    assert len(folded.nodes) <= len(parse_graph(after).nodes)
    assert_same_bits(run_reference(folded, special_inputs(graph)), run_reference(graph, special_inputs(graph)))


@pytest.mark.parametrize("lines", [pytest.param(lines, id=why) for why, lines in LEFT_ALONE.items()])
def test_what_is_not_exact_is_left_alone(lines: tuple[str, ...]) -> None:
    graph = parse_graph(body(*lines, "return %0"))
    verify(graph)
    assert print_graph(fold(graph)) == print_graph(graph)


def test_folding_goes_on_until_no_rule_holds() -> None:
    graph = parse_graph(
        body(
            "%a = full(dtype=f64, shape=(), value=3.0) : f64[]",
            f"%b2 = expand(%a, shape=({N},)) : {V}",
            f"%c2 = subtract(%b2, %b2) : {V}",
            f"%d = subtract(%x, %c2) : {V}  # here.py:9",
            f"%e = negative(%d) : {V}",
            f"%f = negative(%e) : {V}",
            "return %f",
        )
    )
    assert drop_dead_nodes(fold(graph)).outputs == (graph.inputs[0],)


def test_what_stands_for_a_node_keeps_its_line() -> None:
    graph = parse_graph(
        body(f"%a = {full('f64', '2.0')}  # a.py:1", f"%0 = divide(%x, %a) : {V}  # b.py:2", "return %0")
    )
    assert [node.location and node.location.line for node in drop_dead_nodes(fold(graph)).nodes] == [1, 2]


@pytest.mark.parametrize("source", dtypes.ALL, ids=repr)
@pytest.mark.parametrize("target", dtypes.ALL, ids=repr)
def test_lossless_says_whether_every_value_comes_back(source: dtypes.DType, target: dtypes.DType) -> None:
    if source.is_float:
        info = np.finfo(source.numpy)
        values = [info.max, info.min, info.tiny, info.smallest_subnormal, info.eps + 1, np.inf, 0.5]
    elif source.is_bool:
        values = [False, True]
    else:
        limits = np.iinfo(source.numpy)
        values = [limits.max, limits.max - 1, limits.min, limits.min + 1, 2, 3]
    kept = []
    for value in np.array(values, source.numpy):
        with np.errstate(all="ignore"):
            # Python's own numbers, so that the comparison is exact: NumPy would round both sides.
            kept.append(value.astype(target.numpy).item() == value.item())
    assert lossless(source, target) is all(kept)


@pytest.mark.parametrize("source", dtypes.NARROW, ids=repr)
@pytest.mark.parametrize("target", [*dtypes.FLOATS, *dtypes.NARROW], ids=repr)
def test_of_narrow_floats_it_says_so_where_all_bits_come_back(source: dtypes.DType, target: dtypes.DType) -> None:
    bits = np.arange(2 ** (8 * source.itemsize)).astype(source.bits.numpy)
    if source is dtypes.float16:
        bits = bits[~np.isnan(bits.view(np.float16)) | (bits & 0x200 != 0)]  # the signalling ones become quiet
    there = CAST.eager(bits.view(source.numpy), dtype=target)
    back = CAST.eager(there, dtype=source).view(source.bits.numpy)
    assert not lossless(source, target) or np.array_equal(back, bits)
    assert lossless(source, dtypes.float32) is (source in (dtypes.float16, dtypes.float8_e4m3fn))
