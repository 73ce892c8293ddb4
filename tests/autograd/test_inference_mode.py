"""Inference mode, and the rest of the contexts and decorators that say what is recorded."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from frontend.tensors.scenario import check

import guardlift as gl
from guardlift.autograd import graph

spec = pytest.mark.spec
NOT_WRITTEN = "Inplace update to inference tensor outside InferenceMode is not allowed"
NOT_SAVED = "Inference tensors cannot be saved for backward"


def made_inside(*values: float) -> gl.Tensor:
    with gl.inference_mode():
        return gl.tensor(list(values))


def leaf(*values: float) -> gl.Tensor:
    return gl.tensor(list(values), requires_grad=True)


# Which tensors are inference tensors.


def test_tensors_made_inside_are_inference_tensors_and_others_are_not() -> None:
    n, x = gl.ones(2), leaf(1.0, 2.0)
    with gl.inference_mode():
        assert gl.is_inference_mode_enabled() and not gl.is_grad_enabled()
        made = [gl.ones(2), n + 1, x * 2, n.clone(), gl.ones(2, 2).t().reshape(4), gl.ones(2, requires_grad=True)]
        shared = [n[:1], n.detach(), n.data, n.reshape(2), x[:1]]
    assert all(each.is_inference() for each in made)
    assert not any(each.is_inference() for each in [*shared, n, x])
    assert not gl.is_inference_mode_enabled() and gl.is_grad_enabled()


def test_views_and_aliases_of_an_inference_tensor_are_inference_tensors_everywhere() -> None:
    i = made_inside(1.0, 2.0)
    assert all(each.is_inference() for each in (i[:1], i.detach(), i.data, i.view(2, 1)))
    assert not any(each.is_inference() for each in (i + 1, i.clone(), i[gl.tensor([0])]))


def test_copies_made_outside_are_normal() -> None:
    i = made_inside(1.0)
    assert not copy.deepcopy(i).is_inference()
    assert not pickle.loads(pickle.dumps(i)).is_inference()
    with gl.inference_mode():
        assert copy.deepcopy(gl.ones(1)).is_inference()


def test_a_module_made_inside_has_inference_parameters() -> None:
    with gl.inference_mode():
        layer = gl.nn.Linear(2, 2)
    assert all(each.is_inference() and each.requires_grad for each in layer.parameters())


# What they refuse.


@spec("S1.02")
def test_an_inference_tensor_has_no_version() -> None:
    i = made_inside(1.0)
    with pytest.raises(RuntimeError, match="version counter"):
        i._version  # noqa: B018
    with gl.inference_mode(), pytest.raises(RuntimeError, match="version counter"):
        i._version  # noqa: B018


@spec("S1.02")
def test_whether_it_is_refused_depends_on_what_the_operation_saves() -> None:
    w, i = leaf(2.0), made_inside(3.0)
    (w + i).sum().backward()
    assert w.grad.tolist() == [1.0]
    with pytest.raises(RuntimeError, match=NOT_SAVED):
        w * i
    with pytest.raises(RuntimeError, match=NOT_SAVED):
        gl.matmul(w.view(1, 1), i.view(1, 1))
    (w * i.clone()).sum().backward()
    assert w.grad.tolist() == [4.0]


@spec("S1.02")
def test_an_inference_leaf_that_requires_grad_is_differentiated_where_it_is_not_saved() -> None:
    with gl.inference_mode():
        i = gl.ones(2, requires_grad=True)
        assert not (i * i).requires_grad
    (i * 3.0).sum().backward()
    assert i.grad.tolist() == [3.0, 3.0] and not i.grad.is_inference()
    (i[:1] * 2.0).sum().backward()
    assert i.grad.tolist() == [5.0, 3.0]
    with pytest.raises(RuntimeError, match=NOT_SAVED):
        i * i


@pytest.mark.parametrize("mode", [gl.enable_grad, gl.no_grad])
@pytest.mark.parametrize(
    "write",
    [
        lambda i: i.add_(1),
        lambda i: i.zero_(),
        lambda i: i.__setitem__(0, 5.0),
        lambda i: i[:1].mul_(2),
        lambda i: i.detach().add_(1),
        lambda i: i.data.add_(1),
        lambda i: i.copy_(gl.zeros(2)),
        lambda i: i.mul_(leaf(2.0, 2.0)),
    ],
)
def test_it_is_not_written_outside_and_keeps_its_values(mode: Any, write: Callable[[gl.Tensor], Any]) -> None:
    i = made_inside(1.0, 2.0)
    with mode(), pytest.raises(RuntimeError, match=NOT_WRITTEN):
        write(i)
    assert i.tolist() == [1.0, 2.0] and not i.requires_grad and i.grad_fn is None


def test_inside_it_is_written_freely() -> None:
    i = made_inside(1.0, 2.0)
    with gl.inference_mode():
        i.add_(1)
        i[0] = 7.0
        i += i
    assert i.tolist() == [14.0, 6.0]


def test_inside_a_normal_tensor_is_written_and_counts_it() -> None:
    n, x = gl.ones(2), leaf(1.0, 1.0)
    y = x * x
    with gl.inference_mode():
        n.add_(1)
        n[:1].add_(1)
        x.add_(1)
    assert n._version == 2 and n.tolist() == [3.0, 2.0] and x.is_leaf
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0"):
        y.sum().backward()


def test_a_view_made_inside_is_written_outside_as_one_made_under_no_grad() -> None:
    n, x = gl.ones(2), leaf(1.0, 1.0)
    with gl.inference_mode():
        of_plain, of_leaf = n[:1], x[:1]
    of_plain.add_(1)
    assert n.tolist() == [2.0, 1.0] and n._version == 1
    with pytest.raises(RuntimeError, match="modified inplace with grad mode enabled"):
        of_leaf.add_(1)
    assert x.tolist() == [1.0, 1.0]


def test_it_does_not_start_to_require_grad_outside() -> None:
    i = made_inside(1.0)
    with pytest.raises(RuntimeError, match="Setting requires_grad=True on inference tensor outside InferenceMode"):
        i.requires_grad_()
    assert not i.requires_grad
    with gl.inference_mode():
        assert i.requires_grad_().requires_grad


def test_a_gradient_that_is_an_inference_tensor_is_not_added_to() -> None:
    x = leaf(1.0)
    y = (x * 3.0).sum()
    with gl.inference_mode():
        y.backward(retain_graph=True)
    assert x.grad.is_inference() and x.grad.tolist() == [3.0]
    with pytest.raises(RuntimeError, match=NOT_WRITTEN):
        y.backward(retain_graph=True)
    assert x.grad.tolist() == [3.0]


@spec("S4.21")
def test_increment_version_passes_over_inference_tensors() -> None:
    i, n = made_inside(1.0), gl.ones(1)
    graph.increment_version(i)
    graph.increment_version([i, n])
    assert n._version == 1


# Nothing is recorded inside.


def test_nothing_is_recorded_inside_whatever_grad_mode_says() -> None:
    x = leaf(1.0)
    with gl.inference_mode(), gl.enable_grad():
        assert gl.is_grad_enabled() and gl.is_inference_mode_enabled()
        y = x * x
        with gl.no_grad():
            assert not gl.is_grad_enabled()
        assert gl.is_grad_enabled()
    assert not y.requires_grad and y.grad_fn is None
    assert gl.is_grad_enabled()


def test_create_graph_inside_builds_none() -> None:
    x = leaf(2.0)
    y = (x * x).sum()
    with gl.inference_mode():
        (first,) = gl.autograd.grad(y, x, create_graph=True)
    assert first.tolist() == [4.0] and not first.requires_grad


def test_false_turns_it_off_and_grad_mode_on() -> None:
    x = leaf(1.0)
    with gl.inference_mode():
        with gl.inference_mode(False):
            assert not gl.is_inference_mode_enabled() and gl.is_grad_enabled()
            y = x * x
        assert gl.is_inference_mode_enabled()
    assert y.requires_grad and not y.is_inference()
    with gl.no_grad(), gl.inference_mode(mode=False):
        assert gl.is_grad_enabled()


def test_the_modes_come_back_after_an_exception() -> None:
    with pytest.raises(ZeroDivisionError), gl.no_grad(), gl.inference_mode():
        raise ZeroDivisionError
    assert gl.is_grad_enabled() and not gl.is_inference_mode_enabled() and not gl.ones(1).is_inference()


# As decorators.


def test_inference_mode_as_a_decorator_with_and_without_parentheses() -> None:
    @gl.inference_mode
    def bare() -> gl.Tensor:
        return gl.ones(1)

    @gl.inference_mode()
    def called() -> gl.Tensor:
        return gl.ones(1)

    @gl.inference_mode(False)
    def off() -> gl.Tensor:
        return gl.ones(1)

    assert bare().is_inference() and called().is_inference() and bare.__name__ == "bare"
    with gl.inference_mode():
        assert not off().is_inference()


MODES = {
    "no_grad": (gl.no_grad, (False, False)),
    "enable_grad": (gl.enable_grad, (True, False)),
    "off": (lambda function: gl.set_grad_enabled(False)(function), (False, False)),
    "on": (lambda function: gl.set_grad_enabled(True)(function), (True, False)),
    "inference": (gl.inference_mode, (False, True)),
    "not inference": (lambda function: gl.inference_mode(False)(function), (True, False)),
}


def modes() -> tuple[bool, bool]:
    return gl.is_grad_enabled(), gl.is_inference_mode_enabled()


@pytest.mark.parametrize("name", MODES)
def test_each_step_of_a_decorated_generator_runs_under_the_mode_and_what_is_between_does_not(name: str) -> None:
    decorate, inside = MODES[name]
    log: list[Any] = []

    @decorate
    def numbers(start: int) -> Iterator[Any]:
        value: Any = start
        try:
            while True:
                try:
                    value = yield value, modes()
                except ValueError as error:
                    value = str(error)
                if value is None:
                    return modes()
        finally:
            log.append(modes())

    generator: Any = numbers(1)
    assert next(generator) == (1, inside) and modes() == (True, False)
    assert generator.send(5) == (5, inside) and modes() == (True, False)
    assert generator.throw(ValueError("thrown")) == ("thrown", inside) and modes() == (True, False)
    with pytest.raises(StopIteration) as end:
        next(generator)
    assert end.value.value == inside and log == [inside]
    again: Any = numbers(2)
    next(again)
    again.close()
    assert log == [inside, inside] and modes() == (True, False)
    untouched: Any = numbers(3)
    untouched.close()
    assert log == [inside, inside]


def test_a_generator_lets_out_what_it_raises() -> None:
    @gl.no_grad()
    def failing() -> Iterator[int]:
        yield 1
        raise KeyError("inside")

    with pytest.raises(KeyError):
        list(failing())
    assert gl.is_grad_enabled()


def test_set_grad_enabled_as_a_function_a_context_and_a_decorator() -> None:
    gl.set_grad_enabled(False)
    try:
        assert not gl.is_grad_enabled()
    finally:
        gl.set_grad_enabled(True)
    with gl.set_grad_enabled(False):
        assert not gl.is_grad_enabled()
    assert gl.is_grad_enabled()

    @gl.set_grad_enabled(False)
    def off() -> bool:
        return gl.is_grad_enabled()

    assert gl.is_grad_enabled() and not off() and gl.is_grad_enabled()


def test_a_decorated_function_may_call_itself() -> None:
    @gl.no_grad()
    def down(depth: int) -> list[bool]:
        return [gl.is_grad_enabled(), *(down(depth - 1) if depth else [])]

    assert down(3) == [False] * 4 and gl.is_grad_enabled()


# In traces.


def test_jitted_functions_give_in_and_around_inference_mode_what_eager_gives() -> None:
    def around(x: Any) -> Any:
        with gl.inference_mode():
            y = x * 2
        return y, y.is_inference(), y.requires_grad

    def asking(x: Any) -> Any:
        return gl.is_inference_mode_enabled(), gl.is_grad_enabled(), x * 2

    def enabling(x: Any) -> Any:
        with gl.enable_grad():
            return (x * 2).requires_grad

    for program in (around, asking, enabling):
        jitted = gl.jit(program)
        for _ in range(2):
            for mode in (gl.enable_grad, gl.inference_mode, gl.no_grad):
                with mode():
                    x = leaf(1.0)
                    # A compiled result has a node for all of its operations.
                    assert str(jitted(x)).replace("CompiledFunctionBackward", "MulBackward0") == str(program(x))
    check(lambda x: around(x)[0].clone(), lambda k: [gl.ones(3)], breaks=None)


def test_what_compiled_code_makes_in_inference_mode_is_an_inference_tensor() -> None:
    double = gl.jit(lambda x: x * 2)
    n = gl.ones(2)
    assert not double(n).is_inference()
    with gl.inference_mode():
        assert double(n).is_inference()
    assert not double(n).is_inference()


def test_compiled_code_refuses_inference_tensors_where_eager_does() -> None:
    product = gl.jit(lambda x, w: (x * w).exp())
    w, n, i = leaf(1.0, 2.0), gl.ones(2), made_inside(1.0, 2.0)
    for each in (n, i, n, i):
        if each is i:
            with pytest.raises(RuntimeError, match=NOT_SAVED):
                product(each, w)
        else:
            assert product(each, w).requires_grad


def test_compiled_code_writes_an_inference_tensor_only_inside() -> None:
    @gl.jit
    def write(x: gl.Tensor) -> gl.Tensor:
        x.add_(1)
        return x * 2

    n, i = gl.ones(2), made_inside(1.0, 2.0)
    for _ in range(2):
        write(n)
        before = i.tolist()
        with pytest.raises(RuntimeError, match=NOT_WRITTEN):
            write(i)
        assert i.tolist() == before
        with gl.inference_mode():
            write(i)
            write(n)
    assert i.tolist() == [3.0, 4.0] and n.tolist() == [5.0, 5.0] and n._version == 4


ORDINARY = gl.ones(2)
WRITES = {
    "resize_": (lambda: gl.ones(3), lambda x: x.resize_(5)),
    "out": (lambda: gl.ones(3), lambda x: gl.add(gl.zeros(3), 1, out=x)),
    "an out of another shape": (lambda: gl.ones(3), lambda x: gl.add(gl.zeros(4), 1, out=x)),
    "fill_diagonal_": (lambda: gl.ones(2, 2), lambda x: x.fill_diagonal_(2.0)),
    "scatter_": (lambda: gl.ones(2), lambda x: x.scatter_(0, gl.tensor([1]), 2.0)),
    "sparse zero_": (lambda: gl.eye(2).to_sparse(), lambda x: x.zero_()),
    "sparse mul_": (lambda: gl.eye(2).to_sparse(), lambda x: x.mul_(2)),
    "sparse copy_": (lambda: gl.eye(2).to_sparse(), lambda x: x.copy_(gl.ones(2, 2).to_sparse())),
    "sparse values made outside": (
        lambda: gl.sparse_coo_tensor(gl.tensor([[0, 1]]), ORDINARY, (3,)),
        lambda x: x.mul_(2),
    ),
}


@pytest.mark.filterwarnings("ignore:An output")
@pytest.mark.parametrize("name", WRITES)
def test_a_write_outside_is_refused_before_anything_changes(name: str) -> None:
    make, write = WRITES[name]
    with gl.inference_mode():
        x = make()
        before = x.to_dense().tolist()
    assert x.is_inference()
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside"):
        write(x)
    assert x.to_dense().tolist() == before
