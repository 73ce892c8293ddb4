"""The funnel: values of other kinds bring their own meaning, and NumPy stays quiet."""

from __future__ import annotations

import threading
import warnings
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.core import dtypes
from guardlift.ops.pointwise import ADD, CAST, EXP, MULTIPLY
from guardlift.tensor import SURFACE, dispatch, ignored_errstate
from guardlift.tensor.surface import method
from guardlift.tensor.tracing import TRACING


class Traced:
    """A value with a type and no elements, as a trace has them; it writes down what is done to it."""

    device, requires_grad, is_leaf = "cpu", False, True

    def __init__(self, shape: tuple[int, ...], dtype: Any = dtypes.float32) -> None:
        self.shape, self.dtype = shape, dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def standing_for(self, other: Any) -> Any:
        """Itself: what stands for another value, which a trace notes for the sake of its derivatives."""
        return self

    @staticmethod
    def __guardlift_apply__(op: Any, operands: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        LOG.append((op.name, operands, attrs))
        shape = next(each.shape for each in operands if hasattr(each, "shape"))
        made = {"less": dtypes.bool_, "where": dtypes.int64, "add": dtypes.int64, "multiply": dtypes.int64}
        return Traced(attrs.get("shape", shape), attrs.get("dtype", made.get(op.name, dtypes.float32)))

    @staticmethod
    def __guardlift_apply_in_place__(op: Any, operands: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        LOG.append((op.name + "_", operands, attrs))
        return operands[0]

    @staticmethod
    def __guardlift_assign__(x: Any, value: Any) -> Any:
        LOG.append(("assign", (x, value), {}))
        return x


class TracedFloat:
    """A Python number of a trace."""

    __guardlift_number__ = float
    __guardlift_apply__ = Traced.__guardlift_apply__


LOG: list[Any] = []


@pytest.fixture(autouse=True)
def empty_log() -> None:
    LOG.clear()


def test_an_operand_of_another_kind_is_given_the_op() -> None:
    x, t, number = Traced((2, 3)), gl.ones(2, 3), TracedFloat()
    gl.add(x, t)
    gl.mul(t, x)
    gl.exp(x)
    gl.mul(t, number)
    assert LOG == [
        ("add", (x, t), {}),
        ("multiply", (t, x), {}),
        ("exp", (x,), {}),
        ("multiply", (t, number), {}),
    ]


def test_an_operator_of_a_tensor_reaches_the_other_operands_class() -> None:
    x, t = Traced((2,)), gl.ones(2)
    assert isinstance(t * x, Traced)
    assert [entry[0] for entry in LOG] == ["multiply"]


def test_writes_are_given_to_it_too() -> None:
    x, t = Traced((2,)), gl.ones(2)
    assert gl.Tensor.add_(x, t) is x
    assert t.mul_(x) is t
    gl.Tensor.copy_(x, t)
    gl.Tensor.zero_(x)
    gl.Tensor.__setitem__(t, slice(0, 1), x)
    assert [(name, operands[1]) for name, operands, _ in LOG] == [
        ("add_", t),
        ("multiply_", x),
        ("assign", t),
        ("assign", 0),
        ("assign", x),
    ]


def test_promotion_is_that_of_tensors() -> None:
    x = Traced((2,), dtypes.int64)
    gl.mul(x, TracedFloat())
    gl.mul(x, gl.ones(2))
    gl.mul(x, 2)
    assert [(name, attrs) for name, _, attrs in LOG] == [
        ("cast", {"dtype": dtypes.float32}),
        ("multiply", {}),
        ("cast", {"dtype": dtypes.float32}),
        ("multiply", {}),
        ("multiply", {}),
    ]


def test_numbers_and_tensors_are_told_apart_from_what_stands_for_them() -> None:
    values = (True, 1, 1.5, np.float32(1), np.int8(1), np.True_, TracedFloat())
    assert [dispatch.number_kind(value) for value in values] == [bool, int, float, float, int, bool, float]
    assert dispatch.number_kind("a") is None and dispatch.number_kind(gl.ones(1)) is None
    assert dispatch.is_tensor_like(Traced(())) and dispatch.is_tensor_like(gl.nn.Parameter(gl.ones(1)))
    assert not dispatch.is_tensor_like(1.0) and not dispatch.is_tensor_like(np.ones(1))


def test_creation_is_handed_to_the_trace_in_progress() -> None:
    class Handler:
        def create(self, op: Any, attrs: Any, requires_grad: bool) -> Any:
            return op.name, attrs["shape"], attrs["value"], requires_grad

        def literal(self, data: Any, dtype: Any, requires_grad: bool) -> Any:
            return data, dtype

        def rely_on_default_device(self) -> None:
            """Nothing is guarded here."""

    TRACING.handler = Handler()  # type: ignore[assignment]
    try:
        assert gl.zeros(2, 3) == ("full", (2, 3), 0.0, False)
        assert gl.tensor([1, 2]) == ([1, 2], None)
        assert gl.ones_like(Traced((4,)), requires_grad=True) == ("full", (4,), 1.0, True)
        other = []
        thread = threading.Thread(target=lambda: other.append(gl.zeros(1)))
        thread.start()
        thread.join()
        assert isinstance(other[0], gl.Tensor)
    finally:
        TRACING.handler = None
    assert isinstance(gl.zeros(2), gl.Tensor)


def test_something_that_is_no_operand_is_refused() -> None:
    with pytest.raises(TypeError, match="an operand is a Tensor or a number, got str"):
        gl.add(gl.ones(1), "a")
    with pytest.raises(TypeError, match=r"add\(\): argument 'other' \(position 2\) must be Tensor, not list"):
        dispatch.apply(ADD, gl.ones(1), [1])


def test_every_method_of_the_surface_is_in_its_table() -> None:
    names = set(SURFACE.values())
    assert {"add", "matmul", "log_softmax", "cat", "where", "getitem", "__add__", "reshape", "zeros"} <= names
    assert SURFACE[gl.Tensor.exp] == "exp"


def test_a_method_is_registered_under_its_own_name_unless_told_otherwise() -> None:
    def only_here(self: gl.Tensor) -> int:
        return 1

    try:
        method()(only_here)
        assert gl.ones(1).only_here() == 1
    finally:
        del gl.Tensor.only_here, SURFACE[only_here]


def test_floating_point_warnings_are_off_and_the_callers_choice_stays() -> None:
    x = gl.tensor([1e38, 0.0, -1.0], requires_grad=True)
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        y = (x * 10 / 0).log() + x.sqrt()
        y.sum().backward()
        x.detach().mul_(1e38)
        with pytest.raises(FloatingPointError):
            np.float32(1) / np.float32(0)


def test_an_operation_inside_another_one_runs() -> None:
    # As one in a finalizer does, which may run at any moment.
    def inner() -> float:
        return (gl.ones(1) / 0).item()

    assert ignored_errstate.ignoring_errstate(inner) == np.inf
    with pytest.raises(RuntimeError, match="mine"):
        ignored_errstate.ignoring_errstate(lambda: (_ for _ in ()).throw(RuntimeError("mine")))


def test_primitives_can_be_applied_directly() -> None:
    x = gl.tensor([0.0, 1.0])
    assert dispatch.apply(EXP, x).tolist() == np.exp(np.float32([0, 1])).tolist()
    assert dispatch.apply(CAST, x, dtype=gl.int32).dtype is gl.int32
    assert dispatch.apply_(MULTIPLY, x, 3.0) is x
    assert dispatch.assign_(x[:1], 7.0).tolist() == [7.0]
    assert x.tolist() == [7.0, 3.0]


def test_indices_of_a_trace_are_checked_when_it_runs() -> None:
    x, index = gl.zeros(4, 5), Traced((3,), dtypes.int64)
    gl.Tensor.index_select(x, 1, index)
    gl.Tensor.gather(x, 0, Traced((2, 5), dtypes.int64))
    x[index, index]
    checks = [(entry[2]["size"], entry[2]["ignore"]) for entry in LOG if entry[0] == "checked_index"]
    assert checks == [(5, None), (4, None), (4, None), (5, None)]
