import pytest

from guardlift.core import dtypes
from guardlift.core.errors import OpError
from guardlift.core.types import TensorType
from guardlift.ops.registry import OPS, PLACEHOLDER, Structural, define_op, get


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
