import pytest

from guardlift.core import dtypes
from guardlift.core.errors import OpError
from guardlift.core.types import TensorType
from guardlift.ops.derivative import derivative, reads
from guardlift.ops.emitter import ARRAYS
from guardlift.ops.registry import OPS, PLACEHOLDER, OpDef, Structural, define_op, get


def test_an_op_is_found_by_name() -> None:
    assert get("sin") is OPS["sin"]
    assert repr(get("sin")) == "<op sin>"


def test_an_unknown_name_is_told_with_names_near_it() -> None:
    with pytest.raises(OpError, match="there is no op named 'sine'; near: sin, sinh"):
        get("sine")
    with pytest.raises(OpError, match="there is no op named 'qqq'$"):
        get("qqq")


def test_an_op_is_declared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def meta(x: TensorType) -> TensorType:
        return x

    with pytest.raises(OpError, match="an op named 'sin' exists already"):
        define_op("sin", meta=meta, eager=lambda x: x, lower=Structural(), samples=tuple)
    assert OPS["sin"].meta is not meta


def test_a_placeholder_has_neither_rule_nor_value() -> None:
    with pytest.raises(OpError, match="its type is given"):
        PLACEHOLDER.meta(TensorType((), dtypes.int8))
    with pytest.raises(OpError, match="the caller gives it"):
        PLACEHOLDER.eager()


def test_an_op_has_a_rule_or_none_for_each_operand() -> None:
    with pytest.raises(OpError, match="twin takes a rule or None for each of self, other, got 1"):
        define_op("twin", meta=len, eager=len, lower=Structural(), samples=tuple, vjp=(lambda f, g: g,))
    assert "twin" not in OPS


def test_a_derivative_is_called_by_the_name_that_pytorch_gives_it() -> None:
    names = {"add": "Add", "subtract": "Sub", "multiply": "Mul", "matmul": "Mm", "log_softmax": "LogSoftmax"}
    assert {name: get(name).grad_name for name in names} == names


def test_a_rule_that_reads_what_the_op_does_not_have_is_refused() -> None:
    op = OpDef("lone", len, len, Structural(), tuple, operands=("self",), vjp=(lambda f, g, other: g,))
    with pytest.raises(TypeError, match="a derivative rule of lone reads other, which the op does not have"):
        reads(op, (True,))


def test_a_rule_takes_the_rest_of_the_operands_and_attributes_by_stars() -> None:
    def rule(f: object, g: str, second: str, *others: str, scale: int, **attrs: int) -> list[object]:
        return [g, second, *others, scale, attrs]

    op = OpDef("lone", len, len, Structural(), tuple, operands=("first", "second", "third"), vjp=(rule, None, None))
    assert reads(op, (True, False, False)) == ("first", "second", "third")
    given = {"first": "a", "second": "b", "third": "c"}
    found = derivative(op, (True, False, False)).apply(ARRAYS, "g", given, (), (), {"scale": 8, "shift": 9})
    assert found[0] == ["g", "b", "a", "c", 8, {"shift": 9}]
