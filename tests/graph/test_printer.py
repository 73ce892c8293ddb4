import math
import struct

import pytest
from graph.strategies import graphs
from hypothesis import given

from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Graph, Location, Write
from guardlift.graph.parser import parse_graph
from guardlift.graph.printer import format_attribute, format_type, print_graph
from guardlift.graph.verifier import verify
from guardlift.ops import OPS

F32 = TensorType((2, 3), dtypes.float32)


def test_a_graph_prints_one_statement_a_line() -> None:
    builder = GraphBuilder()
    x = builder.input(F32, "x")
    two = builder.add(OPS["full"], value=2.0, shape=(2, 3), dtype=dtypes.float32)
    product = builder.add(OPS["multiply"], x, two, location=Location("/home/user/code.py", 12, "f"))
    graph = builder.finish([product, x], [Write(x, product)])
    assert print_graph(graph, locations=True) == (
        "graph(%x: f32[2, 3]) {\n"
        "  %0 = full(dtype=f32, shape=(2, 3), value=2.0) : f32[2, 3]\n"
        "  %1 = multiply(%x, %0) : f32[2, 3]  # code.py:12\n"
        "  write %x <- %1\n"
        "  return %1, %x\n"
        "}\n"
    )


def test_locations_are_left_out_unless_asked_for() -> None:
    builder = GraphBuilder()
    node = builder.add(OPS["sin"], builder.input(F32, "x"), location=Location("f.py", 1, "f"))
    assert "f.py" not in print_graph(builder.finish([node]))


def test_input_names_come_out_valid_and_unique() -> None:
    builder = GraphBuilder()
    for name in ("x", "x", "x_1", "a b", "0", ""):
        builder.input(TensorType((), dtypes.bool_), name)
    header = print_graph(builder.finish([])).splitlines()[0]
    assert header == "graph(%x: b1[], %x_1: b1[], %x_1_1: b1[], %a_b: b1[], %_0: b1[], %input: b1[]) {"


def test_a_graph_without_outputs_prints_a_bare_return() -> None:
    assert print_graph(Graph((), (), ())) == "graph() {\n  return\n}\n"


def test_a_device_other_than_the_cpu_is_printed() -> None:
    assert format_type(TensorType((2,), dtypes.int8, "cuda:0")) == "i8[2]@cuda:0"


def test_a_value_from_outside_the_graph_prints_as_unknown_and_does_not_parse() -> None:
    builder = GraphBuilder()
    node = builder.add(OPS["sin"], builder.input(F32, "x"))
    text = print_graph(Graph((), (node,), (node,)))
    assert "%0 = sin(%?) : f32[2, 3]" in text
    with pytest.raises(ValueError, match=r"line 2: expected .* found '%\?"):
        parse_graph(text)


NAN_WITH_PAYLOAD = struct.unpack("<d", (0xFFF8000000000007).to_bytes(8, "little"))[0]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1, "0.1"),
        (-0.0, "-0.0"),
        (1e300, "1e+300"),
        (5e-324, "5e-324"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, "nan"),
        (NAN_WITH_PAYLOAD, "nan(0xfff8000000000007)"),
        (True, "True"),
        (1, "1"),
        (-(2**63), "-9223372036854775808"),
        (None, "None"),
        ("a'b\"# (\n%0\\", repr("a'b\"# (\n%0\\")),
        ((), "()"),
        ((1,), "(1,)"),
        ((1, (2.0, True), "x"), "(1, (2.0, True), 'x')"),
        (dtypes.float32, "f32"),
        (dtypes.bool_, "b1"),
    ],
)
def test_attributes_print_so_that_they_parse_back_exactly(value: object, text: str) -> None:
    assert format_attribute(value) == text
    graph = parse_graph(f"graph() {{\n  %0 = full(value={text}) : f32[]\n  return\n}}")
    back = graph.nodes[0].attr("value")
    assert type(back) is type(value)
    assert struct.pack("<d", back) == struct.pack("<d", value) if isinstance(value, float) else back == value
    assert format_attribute(back) == text


@given(graph=graphs())
def test_printing_parsing_and_printing_again_gives_the_same_text(graph: Graph) -> None:
    text = print_graph(graph)
    parsed = parse_graph(text)
    assert print_graph(parsed) == text
    verify(parsed)
    with_places = print_graph(graph, locations=True)
    assert print_graph(parse_graph(with_places), locations=True) == with_places
