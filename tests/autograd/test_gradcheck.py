"""`gradcheck` and `gradgradcheck`: what they let through, what they find, and what they say."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check

import guardlift as gl
from guardlift.autograd import GradcheckError, Node, attach, edges_of, gradcheck, gradgradcheck
from guardlift.ops.pointwise import MULTIPLY, SIN
from guardlift.tensor.dispatch import apply


def t(value: Any, requires_grad: bool = True) -> gl.Tensor:
    return gl.tensor(value, dtype=gl.float64, requires_grad=requires_grad)


class Twice(Node):
    """The derivative of ``x * 2``, as `rule` makes it of the gradients."""

    def __init__(self, x: gl.Tensor, rule: Callable[..., Any]) -> None:
        super().__init__(edges_of((x,)))
        self.rule = rule

    def apply(self, gradients: Any) -> Any:
        return (self.rule(gradients[0]),)


def twice(rule: Callable[..., Any]) -> Callable[[gl.Tensor], gl.Tensor]:
    """``x * 2`` with that derivative."""

    def function(x: gl.Tensor) -> gl.Tensor:
        result = x.detach() * 2
        attach(result, Twice(x, rule))
        return result

    return function


# What is right.
def test_right_derivatives_pass() -> None:
    x, y = t([[1.0, 2.0, -0.5], [0.3, 4.0, 1.0]]), t([0.5, 1.5, 2.5])
    for fast in (False, True):
        assert gradcheck(lambda x, y: (x * y.sin(), y.sum()), (x, y), fast_mode=fast)
        assert gradgradcheck(lambda x, y: (x * x * y.sin(), y.exp()), (x, y), fast_mode=fast)
    assert gradcheck(twice(lambda g: None if g is None else g * 2), x)


def test_a_single_tensor_a_list_or_a_tuple_are_inputs() -> None:
    for inputs in (t([1.0]), [t([1.0])], (t([1.0]),)):
        assert gradcheck(lambda x: x * x, inputs)


def test_inputs_without_grad_and_other_objects_are_left_alone() -> None:
    index = gl.tensor([0, 1, 1])
    assert gradcheck(lambda x, i, k, name, z: x[i] * k + z, (t([1.0, 2.0]), index, 3, "name", t([1.0] * 3, False)))
    assert gradgradcheck(lambda x, i, k: x[i] ** k, (t([1.0, 2.0]), index, 3))


def test_inputs_have_their_values_back_bit_for_bit() -> None:
    values = np.random.default_rng(0).uniform(-3, 3, (3, 4))
    x = t(values)
    gradcheck(lambda x: x.sin(), x)
    gradcheck(lambda x: x.sin(), x, fast_mode=True)
    gradgradcheck(lambda x: x.sin(), x)
    assert x.detach().numpy().tobytes() == values.tobytes()
    assert x.grad is None and x._version == 0


def test_inputs_have_their_values_back_when_the_function_raises() -> None:
    x, calls = t([1.0, 2.0]), []

    def failing(x: gl.Tensor) -> gl.Tensor:
        calls.append(x)
        if len(calls) == 4:
            raise KeyError("the fourth call")
        return x * 2

    with pytest.raises(KeyError):
        gradcheck(failing, x)
    assert x.tolist() == [1.0, 2.0]


def test_inputs_may_lie_in_memory_as_they_like() -> None:
    base = np.random.default_rng(1).uniform(0.5, 2, (4, 6))
    for array in (base.T, base[::2, 1::2], base[::-1, ::-1], base[:, :0], base[0, 0, ...], base[:1].T):
        x = gl.Tensor._wrap(array).requires_grad_()
        for fast in (False, True):
            assert gradcheck(lambda x: x * x.log(), x, fast_mode=fast)
            assert gradgradcheck(lambda x: x * x.log(), x, fast_mode=fast)


def test_an_input_need_not_be_a_leaf() -> None:
    assert gradcheck(lambda x: x * x, t([1.0, 2.0]) * 2)


def test_outputs_that_are_no_floats_or_constant_pass() -> None:
    x = t([1.5, 2.5])
    assert gradcheck(lambda x: x.long(), x)
    assert gradcheck(lambda x: t([1.0], False), x)
    assert gradcheck(lambda x: (x > 2, x * 2, x.sin()), x)
    assert gradgradcheck(lambda x: t([1.0], False), x)
    assert gradgradcheck(lambda x: x.floor(), x)


# What is wrong.
@pytest.mark.parametrize("fast", [False, True])
def test_a_wrong_node_is_found_and_shown(fast: bool) -> None:
    wrong = twice(lambda g: g * 3)
    with pytest.raises(GradcheckError, match="Jacobian mismatch for output 1 with respect to input 1") as caught:
        gradcheck(lambda x, y: (x * y, wrong(y)), (t([1.0, 2.0]), t(3.0)), fast_mode=fast, check_undefined_grad=False)
    text = str(caught.value)
    assert "numerical:\n[[2." in text and "analytical:\n[[3.]]" in text and "differ by up to 1" in text
    assert isinstance(caught.value, RuntimeError)


@pytest.mark.parametrize("fast", [False, True])
def test_a_wrong_rule_of_an_op_is_found(fast: bool) -> None:
    wrong = replace(SIN, vjp=(lambda f, g, self: f.multiply(g, f.sin(self)),))
    assert not gradcheck(lambda x: apply(wrong, x), t([1.0, 2.0]), raise_exception=False, fast_mode=fast)
    assert gradcheck(lambda x: apply(SIN, x), t([1.0, 2.0]), fast_mode=fast)


def test_a_rule_that_is_wrong_for_one_operand_only_names_it() -> None:
    assert MULTIPLY.vjp is not None
    wrong = replace(MULTIPLY, vjp=(MULTIPLY.vjp[0], lambda f, g, self: f.multiply(g, f.multiply(self, 1.01))))
    with pytest.raises(GradcheckError, match="output 0 with respect to input 1"):
        gradcheck(lambda x, y: apply(wrong, x, y), (t([1.0, 2.0]), t([3.0, 4.0])))


@pytest.mark.parametrize("fast", [False, True])
def test_outputs_are_numbered_as_the_function_gives_them(fast: bool) -> None:
    wrong = twice(lambda g: g * 3)
    with pytest.raises(GradcheckError, match="output 2 with respect to input 1"):
        gradcheck(lambda k, x: (x > 0, x.detach(), wrong(x)), (2, t([1.0, 2.0])), fast_mode=fast)


def test_a_wrong_second_derivative_is_found_where_the_first_is_right() -> None:
    def cube(x: gl.Tensor) -> gl.Tensor:
        result = x.detach() ** 3
        attach(result, Twice(x, lambda g: g * 3 * x.detach() ** 2))
        return result

    x = t([1.0, 2.0])
    assert gradcheck(cube, x, check_undefined_grad=False)
    with pytest.raises(GradcheckError, match="Jacobian mismatch"):
        gradgradcheck(cube, x, check_undefined_grad=False)


def test_a_gradient_cut_off_is_found() -> None:
    with pytest.raises(GradcheckError, match="Output 0 has no history.*expected to be zero"):
        gradcheck(lambda x: x.detach() * 2, t([1.0]))
    with pytest.raises(GradcheckError, match="Jacobian mismatch"):
        gradcheck(lambda x: x * x.detach(), t([1.0]))


def test_a_backward_that_is_not_reentrant_is_found() -> None:
    calls: list[int] = []

    def drifting(g: gl.Tensor | None) -> gl.Tensor | None:
        calls.append(0)
        return None if g is None else g * (2 + 1e-8 * len(calls))

    with pytest.raises(GradcheckError, match="not reentrant.*output 0.*input 0.*nondet_tol is 0.0"):
        gradcheck(twice(drifting), t([1.0, 2.0]))
    assert gradcheck(twice(drifting), t([1.0, 2.0]), nondet_tol=1e-5)


def test_a_backward_that_does_not_take_none_is_found() -> None:
    careless = twice(lambda g: g * 2)
    with pytest.raises(GradcheckError, match="handle undefined output grads.*TypeError"):
        gradcheck(careless, t([1.0]))
    assert gradcheck(careless, t([1.0]), check_undefined_grad=False)
    with pytest.raises(GradcheckError, match="undefined or zero when all output grads"):
        gradcheck(twice(lambda g: t([5.0], False) if g is None else g * 2), t([1.0]))


def test_a_backward_that_ignores_its_gradient_is_found() -> None:
    with pytest.raises(GradcheckError, match="backward not multiplied by grad_output|Jacobian mismatch"):
        gradcheck(twice(lambda g: t([2.0], False)), t([1.0]))


def test_a_gradient_of_another_dtype_is_found_if_asked_for() -> None:
    shorter = twice(lambda g: None if g is None else (g * 2).float())
    assert gradcheck(shorter, t([1.0]))
    with pytest.raises(GradcheckError, match="gradient of input 0 has dtype float32, the input float64"):
        gradcheck(shorter, t([1.0]), check_grad_dtypes=True)


def test_a_gradient_that_is_no_number_is_found() -> None:
    with pytest.raises(GradcheckError, match="Jacobian mismatch"):
        gradcheck(lambda x: x * float("nan"), t([1.0]))


class NanAtTheSecondCall(gl.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.calls = 0
        return x.clone()

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        ctx.calls += 1
        return g * float("nan") if ctx.calls == 2 else g


@pytest.mark.parametrize("fast_mode", [False, True])
def test_a_second_backward_pass_that_gives_nan_is_an_error(fast_mode: bool) -> None:
    with pytest.raises(GradcheckError, match="not reentrant"):
        gradcheck(NanAtTheSecondCall.apply, t([1.0]), fast_mode=fast_mode, check_undefined_grad=False)


# What cannot be checked.
def test_no_input_that_requires_grad_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one input tensor to require gradient"):
        gradcheck(lambda x: x, t([1.0], False), raise_exception=False)


def test_short_floats_are_warned_of() -> None:
    with pytest.warns(UserWarning, match="Input #1 requires gradient and is not a double precision floating point"):
        gradcheck(lambda k, x: x * x, (2, gl.tensor([1.0], requires_grad=True)), raise_exception=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gradcheck(lambda k, x: x * x, (gl.tensor([1.0]), t([1.0])))


def test_elements_that_share_memory_are_an_error() -> None:
    with pytest.raises(RuntimeError, match=r"Input #0 has a dimension with stride 0.*contiguous"):
        gradcheck(lambda x: x * x, t(1.0).expand(3), raise_exception=False)


def test_read_only_memory_is_an_error() -> None:
    array = np.ones(3)
    array.flags.writeable = False
    with pytest.raises(RuntimeError, match="read-only memory.*clone"):
        gradcheck(lambda x: x * x, gl.Tensor._wrap(array).requires_grad_())


def test_a_function_that_gives_no_tensor_is_an_error() -> None:
    with pytest.raises(TypeError, match="returns tensors, but number 1 has type int"):
        gradcheck(lambda x: (x, 3), t([1.0]))


# Second order.
def test_weights_may_be_given() -> None:
    x = t([1.0, 2.0])
    assert gradgradcheck(lambda x: x**3, x, t([0.5, 2.0]))
    assert gradgradcheck(lambda x: x**3, x, (t([0.5, 2.0], False),))
    assert gradgradcheck(lambda x: (x**3, x.sin()), x, gen_non_contig_grad_outputs=True)
    with pytest.raises(ValueError, match="grad_outputs has 2 tensors.*which are 1"):
        gradgradcheck(lambda x: x**3, x, (x, x))


def test_random_numbers_of_the_user_are_not_touched() -> None:
    before = gl.get_rng_state().tolist()
    gradgradcheck(lambda x: x.sin(), t([1.0, 2.0]), fast_mode=True)
    assert gl.get_rng_state().tolist() == before


def test_fast_mode_calls_the_function_a_few_times_whatever_the_size() -> None:
    calls: list[int] = []

    def counted(x: gl.Tensor) -> gl.Tensor:
        calls.append(0)
        return x.sin()

    gradcheck(counted, t(np.linspace(0, 1, 500)), fast_mode=True)
    assert len(calls) == 3
    gradcheck(counted, t(np.linspace(0, 1, 5)))
    assert len(calls) == 3 + 1 + 2 * 5


def test_a_jitted_function_runs_the_checks_plainly() -> None:
    def program(x: gl.Tensor) -> Any:
        y = x * 2
        return gradcheck(lambda a: a.sin(), x), gradgradcheck(lambda a: a.sin(), x), y

    check(program, lambda number: [t([1.0, 2.0 + number])], breaks=None)


def test_a_jitted_function_is_checked() -> None:
    assert gradcheck(gl.jit(lambda x: x.sin() * x), t([1.0, 2.0]))
