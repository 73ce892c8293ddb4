"""Saved-tensor hooks that are checked: what they give back, and that nobody wrote to what they keep."""

from __future__ import annotations

import inspect
import weakref
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check

import guardlift as gl
from guardlift.autograd import graph

spec = pytest.mark.spec
hooks = graph.saved_tensors_hooks


def leaf(*values: float) -> gl.Tensor:
    return gl.tensor(list(values), requires_grad=True)


def half(tensor: gl.Tensor) -> Any:
    return tensor.detach().numpy().astype(np.float16)


def whole(packed: Any) -> gl.Tensor:
    return gl.from_numpy(packed.astype(np.float32))


def here() -> int:
    return inspect.currentframe().f_back.f_lineno


@spec("S10.05")
def test_hooks_that_give_back_what_they_got_pass_and_gradients_are_right() -> None:
    a = leaf(1.0, float("nan"), float("inf"))
    with hooks(lambda t: t.detach().clone(), lambda t: t, check=True):
        (a * a).sum().backward()
    np.testing.assert_array_equal(a.grad.numpy(), [2.0, np.nan, np.inf])


@spec("S10.05")
def test_a_value_outside_the_tolerance_fails_the_forward_with_all_there_is_to_know() -> None:
    a = leaf(0.5, 0.1)
    with hooks(half, whole, check=True), pytest.raises(graph.HookCheckError) as error:
        line = here() + 1
        a * a
    text = str(error.value)
    for part in ("(half, whole)", "'self' of multiply (MulBackward0)", f"{__file__}:{line}", "1 of 2 elements", "[1]",
                 "0.1", "0.099", "rtol=0.0"):  # fmt: skip
        assert part in text
    assert isinstance(error.value, RuntimeError)


@spec("S10.05")
def test_a_tolerance_lets_a_lossy_pair_pass() -> None:
    a = leaf(0.5, 0.1)
    with hooks(half, whole, check=graph.Check(rtol=1e-3)):
        (a * a).sum().backward()
    np.testing.assert_allclose(a.grad.numpy(), [1.0, 0.2], rtol=1e-3)
    with hooks(half, whole, check=graph.Check(atol=1e-4)):
        a * a
    with hooks(half, whole, check=graph.Check(rtol=1e-6, atol=1e-6)), pytest.raises(graph.HookCheckError):
        a * a


@spec("S10.05")
@pytest.mark.parametrize(("saved", "back"), [(1.0, np.nan), (np.nan, 1.0), (np.inf, -np.inf), (np.inf, 1.0)])
def test_nan_and_infinity_are_no_matter_of_tolerance(saved: float, back: float) -> None:
    a = leaf(saved)
    with hooks(lambda t: t, lambda t: gl.tensor([back]), check=graph.Check(1.0, 1e30)):
        with pytest.raises(graph.HookCheckError, match="change the value"):
            a * a


@spec("S10.05")
@pytest.mark.parametrize(
    ("unpack", "text"),
    [
        (lambda t: t.double(), r"float32 \[1, 2\] on cpu came back as float64 \[1, 2\] on cpu"),
        (lambda t: t.reshape(2), r"float32 \[1, 2\] on cpu came back as float32 \[2\] on cpu"),
    ],
)
def test_another_shape_or_dtype_fails_the_forward(unpack: Any, text: str) -> None:
    a = gl.ones(1, 2, requires_grad=True)
    with hooks(lambda t: t.detach(), unpack, check=graph.Check(1.0, 1.0)):
        with pytest.raises(graph.HookCheckError, match=text):
            a * a


@spec("S10.05")
def test_another_shape_or_dtype_in_backward_alone_is_found_there() -> None:
    late: list[int] = []
    a = leaf(1.0)
    with hooks(lambda t: t.detach(), lambda t: t.double() if late else t, check=True):
        line = here() + 1
        y = (a * a).sum()
    late.append(1)
    with pytest.raises(graph.HookCheckError, match=f"'self' of multiply .*:{line}: float32"):
        y.backward()


@spec("S10.05")
def test_integers_are_compared_too() -> None:
    x, index = gl.ones(4, requires_grad=True), gl.tensor([0, 2])
    with hooks(lambda t: t.detach(), lambda t: t if t.dtype is gl.float32 else t + 1, check=True):
        with pytest.raises(graph.HookCheckError, match="change the value"):
            x.index_select(0, index)


@spec("S10.05")
def test_tensors_of_any_size_are_compared() -> None:
    for shape in ((), (0, 3), (2, 3)):
        x = gl.ones(shape, requires_grad=True)
        with hooks(lambda t: t.detach(), lambda t: t * 1, check=True):
            x.exp().sum().backward()
        with hooks(lambda t: t.detach(), lambda t: t * 2, check=True):
            if x.numel():
                with pytest.raises(graph.HookCheckError, match="elements are outside"):
                    x.exp()
            else:
                x.exp()


@spec("S10.05", "S1.20", "S1.21")
def test_a_write_after_the_save_is_an_error_although_hooks_are_set() -> None:
    a = gl.ones(2, requires_grad=True)
    with hooks(lambda t: t.detach().clone(), lambda t: t, check=True):
        b = a.clone()
        line = here() + 1
        y = b * b
    b.add_(5)
    with pytest.raises(graph.HookCheckError, match="modified by an inplace operation") as error:
        y.sum().backward()
    for part in ("float32 tensor [2]", "output 0 of AddBackward", "is at version 1; expected version 0", "'self'",
                 "multiply (MulBackward0)", f"{__file__}:{line}"):  # fmt: skip
        assert part in str(error.value)


@spec("S10.05")
def test_a_write_is_noticed_after_the_tensor_itself_has_gone() -> None:
    a = gl.ones(2, requires_grad=True)
    with hooks(lambda t: t.detach().clone(), lambda t: t, check=True):
        b = a * 1.0
        y = b * b
    b.detach().mul_(2)
    gone = weakref.ref(b)
    del b
    assert gone() is None
    with pytest.raises(graph.HookCheckError, match="output 0 of MulBackward, is at version 1; expected version 0"):
        y.sum().backward()


@spec("S10.05")
def test_a_write_to_a_saved_result_is_noticed() -> None:
    a = gl.ones(2, requires_grad=True)
    with hooks(lambda t: t.detach().clone(), lambda t: t, check=True):
        y = a.exp()
    total = y.sum()
    with gl.no_grad():
        y.zero_()
    with pytest.raises(graph.HookCheckError, match="output 0 of ExpBackward.*'result' of exp"):
        total.backward()


@spec("S10.05", "S1.21")
def test_without_check_nothing_is_compared() -> None:
    a = gl.ones(1, requires_grad=True)
    with hooks(lambda t: t, lambda t: t, check=False):
        b = a.clone()
        y = b * b
    b.detach().add_(5)
    y.sum().backward()
    assert a.grad.tolist() == [12.0]


@spec("S10.05", "S1.34")
def test_an_unpack_that_gives_no_tensor_is_found_in_the_forward() -> None:
    with hooks(lambda t: t, lambda t: 1, check=True):
        with pytest.raises(TypeError, match="unpack_hook expected to be a Tensor but got int"):
            leaf(1.0) ** 2


@spec("S10.05", "S1.14")
def test_checking_unpacks_once_more_and_packs_once() -> None:
    log: list[str] = []
    a = leaf(2.0)
    with hooks(lambda t: log.append("pack") or t.detach(), lambda t: log.append("unpack") or t, check=True):
        y = (a**2).sum()
    assert log == ["pack", "unpack"]
    y.backward()
    assert log == ["pack", "unpack", "unpack"]


@spec("S10.05", "S1.33")
def test_an_unpack_that_writes_to_the_saved_tensor_fails_the_forward() -> None:
    a = leaf(2.0)
    with hooks(lambda t: t, lambda t: t.detach().add_(1), check=graph.Check(9, 9)):
        with pytest.raises(RuntimeError, match="modifying its input in place"):
            b = a * 1.0
            b**2


@spec("S10.05", "S10.03")
def test_each_checked_pair_of_a_chain_answers_for_what_it_was_given() -> None:
    a = leaf(0.1)
    lossy = hooks(lambda t: gl.from_numpy(whole(half(t)).numpy()), lambda t: t)
    with lossy, hooks(lambda t: t * 2, lambda t: t / 2, compose=True, check=True):
        (a**2).sum().backward()
    strict = hooks(lambda t: gl.from_numpy(whole(half(t)).numpy()), lambda t: t, check=True)
    with strict, hooks(lambda t: t * 2, lambda t: t / 2, compose=True):
        with pytest.raises(graph.HookCheckError, match="change the value"):
            a**2


@spec("S10.05")
def test_one_record_takes_checked_hooks() -> None:
    a = leaf(0.1)
    y = a**2
    with pytest.raises(graph.HookCheckError, match="'self' of pow_scalar"):
        y.grad_fn._raw_saved_self.register_hooks(half, whole, check=True)
    y.sum().backward()  # the record is as it was
    assert a.grad.item() == pytest.approx(0.2)
    b = leaf(1.0).clone()
    y = b**2
    y.grad_fn._raw_saved_self.register_hooks(half, whole, check=True)
    b.detach().add_(1)
    with pytest.raises(graph.HookCheckError, match="is at version 1; expected version 0"):
        y.sum().backward()


@spec("S10.05")
def test_a_failed_check_leaves_tensors_and_modes_as_they_were() -> None:
    a = leaf(0.1)
    with hooks(half, whole, check=True):
        with pytest.raises(graph.HookCheckError):
            a.exp()
        assert gl.autograd.is_grad_enabled()
    assert a._version == 0 and a.grad is None
    a.exp().sum().backward()
    assert a.grad is not None


@spec("S10.05")
def test_what_is_no_check_is_refused() -> None:
    with pytest.raises(TypeError, match=r"check is True, False, None or a Check.*got float"):
        hooks(half, whole, check=0.5)
    with pytest.raises(ValueError, match="tolerances of at least 0, got rtol=-1"):
        graph.Check(rtol=-1)
    with pytest.raises(ValueError, match="atol=nan"):
        graph.Check(atol=float("nan"))


@spec("S10.05")
def test_a_jitted_forward_under_checked_hooks_is_checked() -> None:
    fast = gl.jit(lambda a, b: (a * b).exp().sum())
    for _ in range(2):
        a, b = leaf(0.1, 0.2), leaf(0.3, 0.4)
        with hooks(lambda t: t.detach().clone(), lambda t: t, check=True):
            fast(a, b).backward()
        expected = (np.float32([0.3, 0.4]) * np.exp(np.float32([0.03, 0.08]))).tolist()
        assert a.grad.tolist() == pytest.approx(expected)
        with hooks(half, whole, check=True), pytest.raises(graph.HookCheckError, match="CompiledFunctionBackward"):
            fast(a, b)
        with hooks(lambda t: t.detach().clone(), lambda t: t, check=True):
            loss = fast(a, b)
        a.detach().mul_(2)
        with pytest.raises(graph.HookCheckError, match="is at version 1; expected version 0"):
            loss.backward()


@spec("S10.05")
def test_a_jitted_function_with_checked_hooks_inside_does_what_the_plain_one_does() -> None:
    def inside(a: Any) -> Any:
        with graph.saved_tensors_hooks(lambda t: t * 1, lambda t: t, check=True):
            y = a * a
        y.sum().backward()
        return a.grad

    check(inside, lambda k: [gl.ones(3, requires_grad=True)], breaks=None)
