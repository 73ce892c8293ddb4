"""The emitter makes broadcasting and Python numbers explicit."""

from __future__ import annotations

import pytest

from guardlift.core import dtypes
from guardlift.core.errors import OpError
from guardlift.core.types import TensorType
from guardlift.graph.aot.emitter import GraphEmitter
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Location, Node
from guardlift.graph.verifier import verify
from guardlift.ops import OPS


def emitter(*types: tuple[dtypes.DType, tuple[int, ...]]) -> tuple[GraphEmitter, list[Node]]:
    builder = GraphBuilder()
    return GraphEmitter(builder), [builder.input(TensorType(shape, dtype), "x") for dtype, shape in types]


def names(f: GraphEmitter) -> list[str]:
    return [node.op.name for node in f.builder.nodes]


def test_operands_of_one_shape_go_in_as_they_are() -> None:
    f, (x, y) = emitter((dtypes.float32, (2, 3)), (dtypes.float32, (2, 3)))
    assert f.add(x, y).inputs == (x, y)
    assert names(f) == ["add"]


def test_smaller_operands_are_expanded() -> None:
    f, (x, y) = emitter((dtypes.float32, (2, 1)), (dtypes.float32, (3,)))
    total = f.apply(OPS["add"], x, y)
    assert total.shape == (2, 3) and names(f) == ["expand", "expand", "add"]
    assert [operand.inputs for operand in total.inputs] == [(x,), (y,)]
    verify(f.builder.finish([total]))


@pytest.mark.parametrize("value", [2, 2.0, True])
def test_a_number_takes_the_dtype_and_shape_of_its_partner(value: float) -> None:
    f, (x,) = emitter((dtypes.float32, (2, 3)))
    right, left = f.less(x, value), f.less(value, x)
    for number in (right.inputs[1], left.inputs[0]):
        assert number.type == x.type and number.attr("value") == value
        assert type(number.attr("value")) is float


def test_the_condition_of_where_is_no_partner_of_its_numbers() -> None:
    f, (mask, x) = emitter((dtypes.bool_, (2, 3)), (dtypes.float64, ()))
    chosen = f.where(mask, 1, x)
    assert chosen.type == TensorType((2, 3), dtypes.float64)
    with pytest.raises(OpError, match="has no dtype"):
        f.where(mask, 1.0, 0.0)


def test_an_integer_partner_refuses_a_float() -> None:
    f, (x,) = emitter((dtypes.int32, (2,)))
    assert f.add(x, True).inputs[1].attr("value") == 1
    with pytest.raises(OpError):
        f.add(x, 0.5)


def test_numbers_alone_and_numbers_of_other_ops_are_refused() -> None:
    f, (x,) = emitter((dtypes.float64, (2, 2)))
    with pytest.raises(OpError, match="has no dtype"):
        f.add(1.0, 2.0)
    with pytest.raises(OpError, match="takes no Python numbers"):
        f.matmul(x, 2.0)


def test_shapes_that_do_not_broadcast_are_refused_by_name() -> None:
    f, (x, y) = emitter((dtypes.float64, (2,)), (dtypes.float64, (3,)))
    with pytest.raises(OpError, match=r"add cannot broadcast the shapes \(2,\), \(3,\)"):
        f.add(x, y)


def test_a_constant_has_the_type_of_what_it_is_like() -> None:
    f, (x,) = emitter((dtypes.float32, (2, 0)))
    constant = f.constant(3, x)
    assert constant.type == x.type and f.shape(constant) == (2, 0) and f.dtype(constant) is dtypes.float32


def test_nodes_bear_the_location_in_force() -> None:
    f, (x, y) = emitter((dtypes.float64, (2,)), (dtypes.float64, ()))
    lines = iter(range(100))
    f.location = lambda: Location("a.py", next(lines), "f")
    f.add(x, y)
    assert [node.location for node in f.builder.nodes] == [Location("a.py", 0, "f"), Location("a.py", 1, "f")]
    with f.at(Location("b.py", 5, "g")):
        assert f.sin(x).location == Location("b.py", 5, "g")
    assert f.sin(x).location == Location("a.py", 2, "f")
