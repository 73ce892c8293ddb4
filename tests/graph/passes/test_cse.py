import math
import struct

import pytest

from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Location
from guardlift.graph.parser import parse_graph
from guardlift.graph.passes.cse import attribute_key, merge_equal_nodes
from guardlift.graph.printer import print_graph
from guardlift.ops import OPS

OTHER_NAN = struct.unpack("<d", (0xFFF8000000000000).to_bytes(8, "little"))[0]


def test_equal_nodes_become_one_and_so_do_their_users() -> None:
    graph = parse_graph("""
        graph(%x: f64[3]) {
          %0 = exp(%x) : f64[3]
          %1 = exp(%x) : f64[3]
          %2 = sin(%0) : f64[3]
          %3 = sin(%1) : f64[3]
          %4 = cos(%1) : f64[3]
          write %x <- %3
          return %2, %3, %4
        }
    """)
    assert print_graph(merge_equal_nodes(graph)) == (
        "graph(%x: f64[3]) {\n"
        "  %0 = exp(%x) : f64[3]\n"
        "  %1 = sin(%0) : f64[3]\n"
        "  %2 = cos(%0) : f64[3]\n"
        "  write %x <- %1\n"
        "  return %1, %1, %2\n"
        "}\n"
    )


def test_inputs_of_one_type_stay_apart() -> None:
    text = "graph(%x: f64[3], %x_1: f64[3]) {\n  %0 = exp(%x) : f64[3]\n  %1 = exp(%x_1) : f64[3]\n  return %0, %1\n}\n"
    assert print_graph(merge_equal_nodes(parse_graph(text))) == text


def test_operands_in_another_order_stay_apart() -> None:
    graph = parse_graph("""
        graph(%x: f64[3], %y: f64[3]) {
          %0 = add(%x, %y) : f64[3]
          %1 = add(%y, %x) : f64[3]
          return %0, %1
        }
    """)
    assert len(merge_equal_nodes(graph).nodes) == 2


def test_the_earliest_name_and_line_stay() -> None:
    builder = GraphBuilder()
    x = builder.input(TensorType((), dtypes.float32), "x")
    first, second = (builder.add(OPS["sin"], x, location=Location("f.py", line, "f")) for line in (1, 2))
    graph = merge_equal_nodes(builder.finish([second]))
    assert graph.outputs == (first,)


@pytest.mark.parametrize(
    ("left", "right"),
    [(0.0, -0.0), (1, 1.0), (1, True), (1.0, True), (0, False), ((1, 0.0), (1, -0.0)), ((1,), (True,)), ((1,), 1)]
    + [("1", 1), (None, 0), (dtypes.int8, "i8"), (dtypes.int8, dtypes.uint8), (math.nan, OTHER_NAN)],
)
def test_attributes_that_are_not_the_same_value_stay_apart(left: object, right: object) -> None:
    assert attribute_key(left) != attribute_key(right)


@pytest.mark.parametrize("value", [math.nan, OTHER_NAN, -0.0, (1, (math.nan,)), dtypes.int8, None, "x", True, 2**70])
def test_attributes_that_are_the_same_value_meet(value: object) -> None:
    def again(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(map(again, value))
        return struct.unpack("<d", struct.pack("<d", value))[0] if isinstance(value, float) else value

    assert attribute_key(value) == attribute_key(again(value))
    assert hash(attribute_key(value)) == hash(attribute_key(again(value)))


def test_constants_are_told_apart_by_sign_and_merged_as_nan() -> None:
    def merged(left: str, right: str) -> int:
        lines = (f"  %{k} = full(dtype=f64, shape=(), value={v}) : f64[]" for k, v in enumerate((left, right)))
        return len(merge_equal_nodes(parse_graph("\n".join(["graph() {", *lines, "  return %0, %1", "}"]))).nodes)

    assert (merged("nan", "nan"), merged("0.0", "-0.0"), merged("1.0", "1"), merged("1.0", "True")) == (1, 2, 2, 2)
