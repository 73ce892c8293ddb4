import pytest

from guardlift.core import dtypes
from guardlift.core.errors import GraphError
from guardlift.core.types import TensorType
from guardlift.graph.node import Location
from guardlift.graph.parser import parse_graph
from guardlift.ops import OPS


def test_inputs_nodes_writes_and_outputs_are_read() -> None:
    graph = parse_graph("""
        # A comment, then a graph.
        graph(%x: f64[2], %w: f64[2]) {
          %y = sin(%x) : f64[2]   # model.py:12

          %z = cat(%y, %x, axis=0) : f64[4]
          write %w <- %y
          return %z, %x
        }
    """)
    x, w = graph.inputs
    y, z = graph.nodes
    assert (x.name, w.type) == ("x", TensorType((2,), dtypes.float64))
    assert (y.op, y.inputs, y.location) == (OPS["sin"], (x,), Location("model.py", 12, ""))
    assert (z.inputs, z.attrs, z.location) == ((y, x), (("axis", 0),), None)
    assert [(write.target, write.value) for write in graph.writes] == [(w, y)]
    assert graph.outputs == (z, x)


def test_attributes_may_come_in_any_order() -> None:
    graph = parse_graph("graph() {\n %a = full(value=1, shape=(), dtype=i8) : i8[]\n return\n}")
    assert [key for key, _ in graph.nodes[0].attrs] == ["dtype", "shape", "value"]


HEAD = "graph(%x: f64[2]) {\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected 'graph(...) {', found no text"),
        ("grph() {", "line 1: expected 'graph(...) {', found 'grph'"),
        ("graph(x: f64[2]) {", "line 1: expected an input such as '%x: f32[2, 3]', found 'x'"),
        ("graph(%x f64[2]) {", "line 1: expected ':' and the input's type, found 'f64'"),
        ("graph(%x: f64[2] %y: f64[2]) {", "line 1: expected ',' or ')', found '%y'"),
        ("graph(%x: f64[2], %x: f64[2]) {", "line 1: expected a name that is not taken, found '%x'"),
        (
            "graph(%x: f99[2]) {",
            "line 1: expected a dtype's code (b1, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64), found 'f99'",
        ),
        ("graph(%x: f64[-2]) {", "line 1: expected a size, a whole number from 0, found '-2'"),
        ("graph(%x: f64[2.5]) {", "line 1: expected a size, a whole number from 0, found '2.5'"),
        ("graph(%x: f64[2])", "line 1: expected '{', found the end of the line"),
        (HEAD + "  %0 sin(%x) : f64[2]", "line 2: expected '=' and an operation, found 'sin'"),
        (HEAD + "  %0 = sine(%x) : f64[2]", "line 2: expected the name of an operation (there is no op named 'sine'"),
        (HEAD + "  %0 = sin(%y) : f64[2]", "line 2: expected an input or a value of a line above, found '%y'"),
        (HEAD + "  %0 = sin(%x) f64[2]", "line 2: expected ':' and the type of the value, found 'f64'"),
        (HEAD + "  %0 = sin(%x) : f64[2] 3", "line 2: expected the end of the line, found '3'"),
        (HEAD + "  %x = sin(%x) : f64[2]", "line 2: expected a name that is not taken, found '%x'"),
        (
            HEAD + "  %0 = cat(axis=0, %x) : f64[2]",
            "line 2: expected an attribute such as 'axis=0' (operands come before",
        ),
        (HEAD + "  %0 = cat(%x, axis=0, axis=1) : f64[2]", "line 2: expected each attribute once, found 'axis'"),
        (HEAD + "  %0 = cat(%x, axis=%x) : f64[2]", "line 2: expected a value: a number, True, False,"),
        (HEAD + "  %0 = cat(%x, axis=zero) : f64[2]", "line 2: expected a value: a number, True, False,"),
        (HEAD + "  %0 = cat(%x, axis=", "line 2: expected a value: a number, True, False,"),
        (
            HEAD + "  %0 = cat(%x, axis=(1)) : f64[2]",
            "line 2: expected ',' (a tuple of one is written (1,)), found ')'",
        ),
        (HEAD + "  %0 = cat(%x, axis=0) ; f64[2]", "line 2: expected a name, a value, a number or a sign, found ';'"),
        (HEAD + "  write %0 <- %x", "line 2: expected an input or a value of a line above, found '%0'"),
        (HEAD + "  write %x = %x", "line 2: expected '<-' and the value, found '='"),
        (HEAD + "  write %x <- %x\n  %0 = sin(%x) : f64[2]", "line 3: expected a write or 'return', found '%0'"),
        (HEAD + "  hello", "line 2: expected a node, a write or 'return', found 'hello'"),
        (HEAD + "  return %0", "line 2: expected an input or a value of a line above, found '%0'"),
        (HEAD + "  return %x %x", "line 2: expected ',', found '%x'"),
        (HEAD, "line 1: expected a node, a write or 'return' after it, found the end of the text"),
        (HEAD + "  return %x", "line 2: expected '}' after it, found the end of the text"),
        (HEAD + "  return %x\n  return %x\n}", "line 3: expected '}', found 'return'"),
        (HEAD + "  return %x\n}\n}", "line 4: expected nothing after the graph, found '}'"),
    ],
)
def test_an_error_says_the_line_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(GraphError) as caught:
        parse_graph(text)
    assert str(caught.value).startswith(message)


def test_an_error_shows_the_line_with_a_mark_under_the_place() -> None:
    with pytest.raises(GraphError) as caught:
        parse_graph(HEAD + "  %0 = sin(%x) f64[2]")
    assert str(caught.value).splitlines()[1:] == ["      %0 = sin(%x) f64[2]", "                   ^"]
