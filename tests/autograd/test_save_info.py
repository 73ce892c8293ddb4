"""Facts that a pack hook of two arguments is told of what it packs."""

from __future__ import annotations

import functools
import gc
import inspect
import weakref
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from frontend.tensors.scenario import check

import guardlift as gl
from guardlift import nn
from guardlift.autograd import graph

spec = pytest.mark.spec


def leaf(*values: float) -> gl.Tensor:
    return gl.tensor(list(values), requires_grad=True)


def told(log: list[graph.SaveInfo]) -> graph.saved_tensors_hooks:
    """Hooks that note what they are told."""

    def pack(tensor: gl.Tensor, info: graph.SaveInfo) -> gl.Tensor:
        assert info.shape == tensor.shape and info.dtype is tensor.dtype
        log.append(info)
        return tensor

    return graph.saved_tensors_hooks(pack, lambda packed: packed)


def infos(program: Any) -> list[graph.SaveInfo]:
    log: list[graph.SaveInfo] = []
    with told(log):
        program()
    return log


def here() -> int:
    return inspect.currentframe().f_back.f_lineno


@spec("S10.04")
def test_a_pack_hook_is_told_node_operation_and_argument() -> None:
    a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
    names = [(info.node, info.op, info.argument) for info in infos(lambda: (a * b).exp() / b)]
    assert names == [
        ("MulBackward0", "multiply", "self"),
        ("MulBackward0", "multiply", "other"),
        ("ExpBackward0", "exp", "result"),
        ("DivBackward0", "divide", "self"),
        ("DivBackward0", "divide", "other"),
    ]


@spec("S10.04")
def test_it_is_told_shape_and_dtype_and_what_kind_of_tensor_it_is() -> None:
    weight, x = nn.Parameter(gl.ones(2, 3).double()), leaf(1.0, 2.0, 3.0).double()
    saved = infos(lambda: (weight * x).tanh() * weight[0])
    found = [(each.argument, each.shape, each.is_parameter, each.is_leaf, each.is_output) for each in saved]
    assert found == [
        ("self", (2, 3), True, True, False),
        ("other", (3,), False, False, False),
        ("result", (2, 3), False, False, True),
        ("self", (2, 3), False, False, False),
        ("other", (3,), True, False, False),  # a view of a parameter
    ]
    assert {each.dtype for each in saved} == {gl.float64}


@spec("S10.04")
def test_the_user_line_is_the_innermost_one_outside_guardlift() -> None:
    layer, x = nn.Linear(3, 3), gl.ones(2, 3)
    lines = []

    def pack(tensor: gl.Tensor, info: graph.SaveInfo) -> gl.Tensor:
        lines.append(info.user_line)
        return tensor

    def inner(x: gl.Tensor) -> gl.Tensor:
        return x * x

    with graph.saved_tensors_hooks(pack, lambda packed: packed):
        first = here() + 1
        y = layer(x)
        inner(y)
    of_inner = inner.__code__.co_firstlineno + 1
    assert [each.line for each in lines] == [first, of_inner, of_inner]
    assert {each.file for each in lines} == {__file__}
    assert str(lines[0]) == f"{__file__}:{first}"


@spec("S10.04")
def test_the_user_line_is_kept_once_it_was_read_and_gone_if_it_was_not() -> None:
    log: list[graph.SaveInfo] = []

    def pack(tensor: gl.Tensor, info: graph.SaveInfo) -> gl.Tensor:
        if not log:
            assert info.user_line is info.user_line
        log.append(info)
        return tensor

    a = leaf(1.0)
    with graph.saved_tensors_hooks(pack, lambda packed: packed):
        line = here() + 1
        a * a
    assert log[0].user_line.line == line
    assert log[1].user_line is None


@spec("S10.04")
def test_the_user_line_is_that_of_the_right_save_when_packs_are_nested() -> None:
    outer: list[Any] = []

    def pack(tensor: gl.Tensor, info: graph.SaveInfo) -> gl.Tensor:
        if not outer:
            outer.append(info)
            with gl.enable_grad():
                tensor * 2.0 * tensor  # packed in its turn
            outer.append(info.user_line)
        elif len(outer) == 1:
            outer.append(outer[0].user_line)
        return tensor

    a = leaf(1.0)
    with graph.saved_tensors_hooks(pack, lambda packed: packed):
        line = here() + 1
        a.exp()
    assert {each.line for each in outer[1:]} == {line}


@spec("S10.04")
def test_what_it_is_told_cannot_be_changed_and_keeps_nothing_alive() -> None:
    a = leaf(1.0)
    (info,) = infos(lambda: a.exp())
    with pytest.raises(FrozenInstanceError):
        info.op = "mine"
    gc.collect()
    gc.disable()
    try:
        kept: list[Any] = []
        pair = graph.saved_tensors_hooks(lambda t, info: kept.append((info, info.user_line)) or t, lambda t: t)
        with pair:
            y = a.exp()
        node = weakref.ref(y.grad_fn)
        del y
        assert node() is None and kept
    finally:
        gc.enable()


class Method:
    def pack(self, tensor: gl.Tensor, info: graph.SaveInfo) -> tuple[gl.Tensor, str]:
        return tensor, info.op

    def __call__(self, tensor: gl.Tensor, info: graph.SaveInfo) -> tuple[gl.Tensor, str]:
        return tensor, info.op


def with_more(more: int, tensor: gl.Tensor, info: graph.SaveInfo) -> tuple[gl.Tensor, str]:
    return tensor, info.op


@gl.no_grad()
def decorated(tensor: gl.Tensor, info: graph.SaveInfo) -> tuple[gl.Tensor, str]:
    return tensor, info.op


@spec("S10.04")
@pytest.mark.parametrize(
    "pack", [Method().pack, Method(), functools.partial(with_more, 1), decorated, lambda t, info, more=1: (t, info.op)]
)
def test_any_callable_that_requires_two_arguments_is_told(pack: Any) -> None:
    a = leaf(3.0)
    with graph.saved_tensors_hooks(pack, lambda packed: packed[0] * (2 if packed[1] == "pow_scalar" else 0)):
        (a**2).sum().backward()
    assert a.grad.tolist() == [12.0]


class Alone:
    def pack(self, tensor: gl.Tensor) -> gl.Tensor:
        return tensor


@spec("S10.04")
@pytest.mark.parametrize(
    "pack", [lambda t, info=None: pytest.fail() if info else t, lambda *args: args[0] if len(args) == 1 else None,
             lambda t, *, info=None: t, Alone().pack, gl.Tensor.clone, functools.partial(Alone.pack, None)]
)  # fmt: skip
def test_any_other_pack_hook_gets_the_tensor_alone(pack: Any) -> None:
    a = leaf(3.0)
    with graph.saved_tensors_hooks(pack, lambda packed: packed):
        (a**2).sum().backward()
    assert a.grad.tolist() == [6.0]


@spec("S10.04", "S1.34")
def test_the_wrong_number_of_arguments_is_the_ordinary_error() -> None:
    a = leaf(3.0)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'more'"):
        with graph.saved_tensors_hooks(lambda t, info, more: t, lambda t: t):
            a * a
    with pytest.raises(TypeError, match="takes 0 positional arguments but 1 was given"):
        with graph.saved_tensors_hooks(lambda: None, lambda t: t):
            a * a


@spec("S10.04")
@pytest.mark.parametrize("name", ["self", "result"])
def test_late_hooks_on_one_record_are_told_as_well(name: str) -> None:
    log: list[graph.SaveInfo] = []
    a = leaf(1.0)
    y = a.exp() if name == "result" else a**3
    record = getattr(y.grad_fn, f"_raw_saved_{name}")
    line = here() + 1
    record.register_hooks(lambda t, info: (log.append(info), info.user_line, t)[2], lambda t: t)
    (info,) = log
    assert (info.node, info.argument) == (y.grad_fn.name(), name)
    assert (info.is_leaf, info.is_output) == ((False, True) if name == "result" else (True, False))
    assert info.user_line.line == line
    y.sum().backward()
    assert a.grad.item() == pytest.approx(2.7182817 if name == "result" else 3.0)


@spec("S10.04")
def test_a_late_hook_on_a_saved_parameter_is_told_so() -> None:
    log: list[graph.SaveInfo] = []
    weight = nn.Parameter(gl.ones(2))
    record = (weight * leaf(1.0, 2.0)).grad_fn._raw_saved_self
    record.register_hooks(lambda t, info: log.append(info), lambda packed: weight)
    assert log[0].is_parameter and log[0].op == "multiply"


@spec("S10.04", "S10.03")
def test_every_hook_of_a_chain_is_told_of_the_tensor_that_was_saved() -> None:
    log: list[graph.SaveInfo] = []

    def pack(tensor: gl.Tensor, info: graph.SaveInfo) -> gl.Tensor:
        log.append(info)
        return tensor.double()

    a = leaf(1.0)
    with graph.saved_tensors_hooks(pack, gl.Tensor.float):
        with graph.saved_tensors_hooks(pack, gl.Tensor.float, compose=True):
            a**3
    assert log[0] is log[1] and log[0].dtype is gl.float32


@spec("S10.04")
def test_what_backward_saves_under_create_graph_is_told_with_the_line_of_backward() -> None:
    a = leaf(2.0)
    y = (a**3).sum()
    lines = []
    with graph.saved_tensors_hooks(lambda t, info: (lines.append(info.user_line.line), t)[1], lambda t: t):
        line = here() + 1
        gl.autograd.grad(y, a, create_graph=True)
    assert lines and set(lines) == {line}


@spec("S10.04")
def test_a_compiled_forward_tells_the_line_where_its_function_begins() -> None:
    layer = nn.Linear(3, 3)
    line = here() + 1
    fast = gl.jit(lambda x: layer(x).exp().sum(), fullgraph=True)
    log: list[Any] = []
    with graph.saved_tensors_hooks(lambda t, info: (log.append((info, info.user_line.line)), t)[1], lambda t: t):
        loss = fast(gl.ones(2, 3))
    assert {(info.node, number) for info, number in log} == {("CompiledFunctionBackward", line)}
    assert [info.argument for info, _ in log] == [f"saved[{k}]" for k in range(len(log))]
    loss.backward()
    assert layer.weight.grad is not None


@spec("S10.04")
def test_a_jitted_function_with_such_hooks_inside_does_what_the_plain_one_does() -> None:
    def inside(a: Any) -> Any:
        with graph.saved_tensors_hooks(lambda t, info: t * (3 if info.argument == "self" else 1), lambda t: t):
            y = a * a
        y.sum().backward()
        return a.grad

    check(inside, lambda k: [gl.ones(3, requires_grad=True)], breaks=None)


@spec("S10.04")
def test_a_jitted_function_that_registers_such_hooks_late_does_what_the_plain_one_does() -> None:
    def late(a: Any) -> Any:
        y = a**3
        y.grad_fn._raw_saved_self.register_hooks(lambda t, info: t * len(info.shape), lambda t: t)
        y.sum().backward()
        return a.grad

    check(late, lambda k: [gl.ones(2, 3, requires_grad=True)], breaks=None)
