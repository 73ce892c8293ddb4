"""The memory under tensors: views at will, slices that walk back, `out`, and other sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from frontend.tensors.scenario import check

import guardlift as gl
from guardlift.core.watch import Validity, watch


def test_a_slice_may_walk_back_and_is_a_view() -> None:
    x = gl.arange(6).reshape(2, 3)
    back = x[::-1, ::-2]
    assert back.tolist() == [[5, 3], [2, 0]] and back.stride() == (-3, -2)
    assert back.storage_offset() == 5 and back.untyped_storage() == x.untyped_storage()
    back[0, 0] = 9
    back[1].fill_(7)
    assert x.tolist() == [[7, 1, 7], [3, 4, 9]]
    assert gl.arange(3)[5:0:-1].tolist() == [2, 1] and gl.arange(3)[0:5:-1].tolist() == []
    assert back.contiguous().stride() == (2, 1) and back.clone().tolist() == back.tolist()
    with pytest.raises(ValueError, match="step must not be zero"):
        x[::0]


@pytest.mark.spec("S1.22")
def test_a_view_of_a_leaf_that_walks_back_is_not_written_either() -> None:
    x = gl.ones(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable"):
        x[::-1].mul_(2)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable"):
        gl.ones(3, 3, requires_grad=True).diagonal().zero_()
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        x.cumsum_(0)
    assert x.tolist() == [1.0, 1.0, 1.0] and x._version == 0


def test_writing_through_a_view_that_walks_back_becomes_history_of_the_base() -> None:
    x = gl.arange(1.0, 5.0, requires_grad=True)
    y = x * 1
    y[::-2].mul_(gl.tensor([10.0, 100.0]))
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 100.0, 1.0, 10.0]


def test_as_strided_sees_the_whole_memory_and_nothing_beyond() -> None:
    x = gl.arange(6)
    view = x[2:].as_strided((2, 2), (1, 2), 1)
    assert view.tolist() == [[1, 3], [2, 4]]
    view.zero_()
    assert x.tolist() == [0, 0, 0, 0, 0, 5] and x._version == view._version == 1
    for size, stride, offset in (((7,), (1,), 0), ((2,), (-1,), 3), ((1,), (1,), -1), ((2, 2), (4, 2), None)):
        with pytest.raises(RuntimeError, match="out of bounds for storage"):
            x.as_strided(size, stride, offset)
    with pytest.raises(NotImplementedError, match="has a derivative where"):
        (gl.ones(2, 3, requires_grad=True) * 2)[0].as_strided((2,), (1,), 2)  # it sees what the view does not


def test_resizing_keeps_what_fits_and_tells_who_relies_on_the_memory() -> None:
    x = gl.arange(4)
    validity = Validity("payload")
    watch(x, "data", validity, "x.data")
    assert x.resize_(2, 3) is x and x.tolist() == [[0, 1, 2], [3, 0, 0]]
    assert validity.broken is not None
    assert x.resize_as_(gl.zeros(2)).tolist() == [0, 1]
    with pytest.raises(RuntimeError, match="require grad"):
        gl.ones(2, requires_grad=True).resize_(3)


def test_a_view_is_written_no_more_on_the_tape_when_its_base_has_other_memory() -> None:
    weight = gl.ones(3, requires_grad=True)
    for change in (lambda x: x.resize_(4, 3), lambda x: setattr(x, "data", gl.ones(2, 3))):
        base = gl.zeros(2, 3)
        row = base[0]
        change(base)
        with pytest.raises(RuntimeError, match="other memory"):
            row.add_(weight)
        assert row.tolist() == [0, 0, 0] and not base.requires_grad
        assert row.add_(1).tolist() == [1, 1, 1]  # without history there is nothing to get wrong
        base.add_(weight)
        assert row.grad_fn is None and not row.requires_grad


def test_out_is_filled_and_given_back() -> None:
    a, out = gl.ones(2), gl.zeros(2, dtype=gl.float64)
    assert gl.add(a, a, out=out) is out and out.tolist() == [2.0, 2.0] and out._version == 1
    values, places = gl.zeros(2), gl.zeros(2, dtype=gl.int64)
    found = gl.max(gl.tensor([[1.0, 3.0], [5.0, 4.0]]), 1, out=(values, places))
    assert found.values is values and values.tolist() == [3.0, 5.0] and places.tolist() == [1, 0]
    base = gl.zeros(2, 2)
    gl.exp(gl.zeros(2), out=base[:, 1])
    assert base.tolist() == [[0.0, 1.0], [0.0, 1.0]]


def test_an_out_of_another_shape_is_resized_and_said_so() -> None:
    out = gl.zeros(3)
    with pytest.warns(UserWarning, match=r"shape \[3\] was resized to that of the result, \[2\]"):
        gl.add(gl.ones(2), 1, out=out)
    assert out.tolist() == [2.0, 2.0]
    assert gl.add(gl.ones(2), 1, out=gl.zeros(0)).tolist() == [2.0, 2.0]


REFUSED: dict[str, tuple[type[Exception], str, Callable[[], Any]]] = {
    "an operand that requires grad": (
        RuntimeError,
        "don't support automatic differentiation",
        lambda: gl.mul(gl.ones(2, requires_grad=True), 2, out=gl.zeros(2)),
    ),
    "an out that requires grad": (
        RuntimeError,
        "don't support automatic differentiation",
        lambda: gl.mul(gl.ones(2), 2, out=gl.zeros(2, requires_grad=True)),
    ),
    "a dtype that does not hold it": (
        RuntimeError,
        "can't be cast to the desired output type",
        lambda: gl.exp(gl.ones(2), out=gl.zeros(2, dtype=gl.int64)),
    ),
    "an array": (TypeError, "argument 'out' must be Tensor", lambda: gl.add(gl.ones(2), 1, out=gl.ones(2).numpy())),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_out_that_cannot_be_is_refused(name: str) -> None:
    error, words, act = REFUSED[name]
    with pytest.raises(error, match=words):
        act()


def test_an_out_that_is_refused_keeps_its_shape() -> None:
    places, values = gl.zeros(2, dtype=gl.int64), gl.zeros(2)
    with pytest.raises(RuntimeError, match="can't be cast"):
        gl.exp(gl.ones(3), out=places)
    with pytest.raises(RuntimeError, match="can't be cast"):
        gl.sort(gl.ones(3), out=(values, gl.zeros(3, dtype=gl.bool)))
    assert places.shape == values.shape == (2,)
    assert values.tolist() == [0.0, 0.0] and values._version == 0


def test_under_no_grad_a_parameter_may_be_the_out() -> None:
    p = gl.ones(2, requires_grad=True)
    with gl.no_grad():
        gl.mul(p, 3, out=p)
    assert p.tolist() == [3.0, 3.0] and p.is_leaf


@pytest.mark.parametrize(
    "program",
    [
        lambda x: x[::-1] * 2,
        lambda x: gl.add(x, 1, out=gl.zeros(3)),
        lambda x: x.as_strided((2,), (2,)) + 1,
        lambda x: (x.cumsum(0), x.sort().values, x.diagonal if x.ndim > 1 else x.flip(0)),
        lambda x: (x * 1).resize_(2) * 2,
        lambda x: x.untyped_storage().nbytes() + x.storage_offset(),
    ],
)
def test_inside_a_jitted_function_it_is_the_same(program: Any) -> None:
    check(program, arguments=lambda: [gl.tensor([3.0, 1.0, 2.0])], calls=2, breaks=None)
