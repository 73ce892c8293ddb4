"""After an error of an operation, a hook or a backward pass, tensors, graph and modes are what they were before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import guardlift as gl
from guardlift.autograd import engine, graph
from guardlift.autograd.modes import MODES

spec = pytest.mark.spec


class Mine(Exception):
    """The error that the hooks of these tests raise."""


def fail(*_arguments: Any) -> Any:
    raise Mine


def same(value: Any) -> Any:
    return value


def leaf(*values: float) -> gl.Tensor:
    return gl.tensor(list(values), requires_grad=True)


def state(*tensors: gl.Tensor) -> list[Any]:
    """All that can be told of tensors, and of this thread."""
    facts = [
        (each.tolist(), each._version, each.requires_grad, each.is_leaf, each.grad_fn, each.output_nr, each.grad)
        for each in tensors
    ]
    modes = (gl.is_grad_enabled(), gl.is_inference_mode_enabled(), MODES.stack, MODES.hooks, MODES.hooks_disabled)
    return [facts, modes, engine.current_task()]


def refused(call: Callable[[], Any], *tensors: gl.Tensor, error: Any = RuntimeError, match: str | None = None) -> None:
    """Checks that `call` raises, and that nothing has changed."""
    before = state(*tensors)
    with pytest.raises(error, match=match):
        call()
    assert state(*tensors) == before


# In-place operations.

WRITES: dict[str, tuple[Callable[[gl.Tensor], Any], Any]] = {
    "shape of an operand": (lambda x: x.add_(gl.ones(3)), RuntimeError),
    "shape of one with a history": (lambda x: x.mul_(leaf(1.0, 2.0, 3.0)), RuntimeError),
    "shape of a copy": (lambda x: x.copy_(leaf(1.0, 2.0, 3.0)), RuntimeError),
    "result that is larger": (lambda x: x.add_(gl.ones(2, 2)), RuntimeError),
    "assignment of another shape": (lambda x: x.__setitem__(slice(0, 1), leaf(1.0, 2.0, 3.0)), RuntimeError),
    "index out of range": (lambda x: x.__setitem__(5, 1.0), IndexError),
    "one of several indices out of range": (lambda x: x.__setitem__(gl.tensor([0, 7]), 3.0), IndexError),
    "mask of another shape": (lambda x: x.masked_fill_(gl.ones(3) > 0, 1.0), RuntimeError),
    "fill with several": (lambda x: x.fill_(gl.ones(2)), RuntimeError),
    "clamp without bounds": (lambda x: x.clamp_(), RuntimeError),
    "no tensor": (lambda x: x.copy_("a"), TypeError),
}


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("kind", ["plain", "result", "base", "view"])
def test_a_refused_write_changes_nothing(name: str, kind: str) -> None:
    write, error = WRITES[name]
    base = gl.tensor([1.0, 2.0]) if kind == "plain" else leaf(1.0, 2.0) * 1.0
    view = base[:]
    refused(lambda: write(view if kind == "view" else base), base, view, error=error)
    assert view._base is base


@spec("S1.22")
def test_a_leaf_and_a_view_of_one_are_what_they_were() -> None:
    x = leaf(1.0, 2.0)
    refused(lambda: x.add_(1), x, match="a leaf Variable that requires grad")
    refused(lambda: x[:1].zero_(), x, match="a view of a leaf Variable that requires grad")
    with gl.no_grad():
        blind = x[:1]
    refused(lambda: blind.add_(1), x, blind, match="A view was created in no_grad mode")


@pytest.mark.parametrize(
    "write",
    [lambda i: i.add_(1.5), lambda i: i.add_(leaf(1.0, 1.0)), lambda i: i.div_(2), lambda i: i.pow_(-1)],
)
def test_integers_do_not_take_what_they_cannot_hold(write: Callable[[gl.Tensor], Any]) -> None:
    i = gl.tensor([1, 2])
    refused(lambda: write(i), i)


def test_expanded_memory_is_not_written() -> None:
    one = gl.ones(1)
    refused(lambda: one.expand(3).add_(1), one, match="more than one element")


def test_increment_version_counts_nothing_if_one_is_no_tensor() -> None:
    x = gl.ones(1)
    refused(lambda: graph.increment_version([x, 3]), x)


# Flags and gradients.


def test_refused_settings_of_a_tensor() -> None:
    x, i = leaf(1.0, 2.0), gl.tensor([1, 2])
    y = x * 1.0
    refused(lambda: i.requires_grad_(), i)
    refused(lambda: y.requires_grad_(False), x, y)
    refused(lambda: setattr(x, "grad", gl.ones(3)), x)
    refused(lambda: setattr(x, "grad", 3), x, error=TypeError)
    refused(lambda: setattr(x, "data", i), x)
    refused(lambda: y[:1].detach_(), x, y)
    refused(lambda: gl.ones(1).register_hook(same), x)
    refused(lambda: y.register_post_accumulate_grad_hook(same), x, y)


# Pack hooks.


@spec("S1.35")
@pytest.mark.parametrize("op", ["mul", "exp", "sum", "matmul"])
def test_an_operation_whose_pack_hook_raises_leaves_its_operands(op: str) -> None:
    x, other = leaf(1.0, 2.0) * 1.0, leaf(3.0, 4.0)
    calls: dict[str, Callable[[], Any]] = {
        "mul": lambda: x * other,
        "exp": lambda: x.exp(),
        "sum": lambda: (x * x).sum(),
        "matmul": lambda: gl.matmul(x, other),
    }

    def run() -> None:
        with graph.saved_tensors_hooks(fail, same):
            calls[op]()

    refused(run, x, other, error=Mine)


IN_PLACE: dict[str, Callable[[gl.Tensor, gl.Tensor], Any]] = {
    "its operand": lambda x, other: x.mul_(other),
    "what it was": lambda x, other: x.sin_(),
    "its result": lambda x, other: x.exp_(),
}


@spec("S1.33", "S1.35")
@pytest.mark.parametrize("saving", IN_PLACE)
@pytest.mark.parametrize("kind", ["result", "base", "view"])
@pytest.mark.parametrize("retained", [False, True])
@pytest.mark.parametrize("pack", [fail, lambda t: t.add_(1)])
def test_an_in_place_operation_whose_pack_hook_fails_has_not_happened(
    saving: str, kind: str, retained: bool, pack: Any
) -> None:
    x, other = leaf(1.0, 2.0), gl.tensor([3.0, 4.0])
    base = x * 1.0
    view = base[:] if kind != "result" else base
    if retained:
        base.retain_grad()
        view.retain_grad()
    written = view if kind == "view" else base
    before = state(base, view)

    def run() -> None:
        with graph.saved_tensors_hooks(pack, same):
            IN_PLACE[saving](written, other)

    if pack is fail:
        refused(run, x, base, view, other, error=Mine)
    elif saving == "its result":
        with pytest.raises(RuntimeError, match="pack hook is modifying its input in place"):
            run()
        assert state(base, view) == before
    assert base.retains_grad is retained
    (base * 2.0).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]
    assert (base.grad is not None) is retained


@spec("S1.30")
def test_a_record_whose_late_pack_hook_failed_is_kept_as_it_was() -> None:
    x = leaf(2.0)
    for result, name in [(x * x, "self"), (x.exp(), "result")]:
        record = getattr(result.grad_fn, f"_raw_saved_{name}")
        value = getattr(result.grad_fn, f"_saved_{name}").tolist()
        refused(lambda record=record: record.register_hooks(fail, same), x, result, error=Mine)
        assert getattr(result.grad_fn, f"_saved_{name}").tolist() == value
        record.register_hooks(same, same)
        assert getattr(result.grad_fn, f"_saved_{name}").tolist() == value
        result.sum().backward()


def test_an_unpack_hook_that_raises_once_can_be_asked_again() -> None:
    x = leaf(3.0)
    broken = [True]

    def unpack(value: gl.Tensor) -> gl.Tensor:
        if broken:
            raise Mine
        return value

    with graph.saved_tensors_hooks(same, unpack):
        y = x * x
    refused(lambda: y.sum().backward(), x, y, error=Mine)
    refused(lambda: y.grad_fn._saved_self, x, y, error=Mine)
    broken.clear()
    y.sum().backward()
    assert x.grad.tolist() == [6.0]


# Backward passes.


@pytest.mark.parametrize(
    "call",
    [
        lambda x: (x * 1.0).backward(),
        lambda x: (x * 1.0).backward(gl.ones(3)),
        lambda x: (x * 1.0).backward(3),
        lambda x: gl.autograd.grad((x * 1.0).sum(), gl.ones(1)),
        lambda x: gl.autograd.grad((x * 1.0).sum(), []),
        lambda x: (x * 1.0).sum().backward(inputs=[]),
        lambda x: gl.autograd.backward([(x * 1.0).sum()], [gl.ones(()), gl.ones(())]),
        lambda x: gl.ones(()).backward(),
    ],
)
def test_a_backward_that_does_not_start(call: Callable[[gl.Tensor], Any]) -> None:
    x = leaf(1.0, 2.0)
    refused(lambda: call(x), x, error=(RuntimeError, TypeError, ValueError))


def test_wanted_tensors_start_to_retain_only_if_the_backward_starts() -> None:
    x = leaf(1.0)
    y = x * 2.0
    loss = (y * 3.0).sum()
    refused(lambda: loss.backward(inputs=[y, gl.ones(1)]), x, y, match="does not require grad")
    assert not y.retains_grad


@pytest.mark.parametrize("where", ["tensor hook", "prehook", "posthook", "wrong shape", "wrong count", "wrong type"])
def test_a_hook_that_fails_in_mid_backward_leaves_the_gradients_so_far_and_a_kept_graph_runs_again(where: str) -> None:
    a, b = leaf(1.0), leaf(1.0)
    x = a * 2.0
    y = b * 3.0
    loss = (x * y).sum()
    register: dict[str, Callable[[], Any]] = {
        "tensor hook": lambda: x.register_hook(fail),
        "prehook": lambda: x.grad_fn.register_prehook(fail),
        "posthook": lambda: x.grad_fn.register_hook(fail),
        "wrong shape": lambda: x.register_hook(lambda g: gl.ones(3)),
        "wrong count": lambda: x.grad_fn.register_prehook(lambda given: (None, None)),
        "wrong type": lambda: x.register_hook(lambda g: 3),
    }
    modes = state()
    with register[where](), pytest.raises((Mine, RuntimeError, TypeError)):
        loss.backward(retain_graph=True)
    assert state() == modes
    # The branch made last runs first, so that of b was through. That is what PyTorch leaves.
    assert a.grad is None and b.grad.tolist() == [6.0]
    loss.backward()
    assert a.grad.tolist() == [6.0] and b.grad.tolist() == [12.0]


@spec("S1.15")
def test_a_graph_that_was_not_kept_is_used_up_as_far_as_the_failed_backward_came() -> None:
    a = leaf(1.0)
    x = a * a
    y = x * x
    handle = x.register_hook(fail)
    with pytest.raises(Mine):
        y.sum().backward()
    handle.remove()
    with pytest.raises(RuntimeError, match="after they have already been freed"):
        y.sum().backward()
    (x * 1.0).sum().backward()  # the node of x had not run
    assert a.grad.tolist() == [2.0]


def test_a_hook_after_accumulation_fails_with_the_gradient_in_place() -> None:
    x = leaf(1.0)
    with x.register_post_accumulate_grad_hook(fail), pytest.raises(Mine):
        (x * 2.0).sum().backward()
    assert x.grad.tolist() == [2.0]
    (x * 2.0).sum().backward()
    assert x.grad.tolist() == [4.0]


def test_a_failed_backward_inside_a_hook_is_the_hooks_to_catch() -> None:
    x, other = leaf(1.0), leaf(1.0)
    inner = (other * 1.0).sum()
    inner.register_hook(fail)

    def hook(g: gl.Tensor) -> None:
        outer = engine.current_task()
        with pytest.raises(Mine):
            inner.backward()
        assert engine.current_task() is outer and not gl.is_grad_enabled()

    x.register_hook(hook)
    (x * 2.0).sum().backward()
    assert x.grad.tolist() == [2.0] and other.grad is None


@spec("S1.20")
def test_a_backward_refused_for_a_written_tensor_can_run_once_the_value_is_back() -> None:
    x = leaf(2.0)
    y = x * 1.0
    loss = (y * y).sum()
    counter = y._counter
    with gl.no_grad():
        y.add_(1)
        refused(lambda: loss.backward(retain_graph=True), x, y, match="is at version 1; expected version 0")
        y.sub_(1)
    counter.value = 0
    loss.backward()
    assert x.grad.tolist() == [4.0]


def test_a_gradient_of_the_wrong_dtype_or_shape_is_never_half_added() -> None:
    x = leaf(1.0, 2.0)
    x.grad = gl.ones(2)
    y = x * 1.0
    y.grad_fn.register_hook(lambda inputs, outputs: (gl.ones(3), *inputs[1:]))
    before = x.grad
    with pytest.raises(RuntimeError, match=r"shape \[2\].*shape \[3\]"):
        y.sum().backward()
    assert x.grad is before and before.tolist() == [1.0, 1.0] and before._version == 0


# Modes.


@pytest.mark.parametrize("context", [gl.no_grad, gl.enable_grad, gl.inference_mode, lambda: gl.set_grad_enabled(False)])
def test_modes_come_back_after_an_error(context: Callable[[], Any]) -> None:
    before = state()
    with pytest.raises(Mine), context():
        raise Mine
    assert state() == before
    with pytest.raises(Mine):
        context()(fail)()
    assert state() == before


@spec("S4.30")
def test_contexts_that_refuse_to_be_entered_leave_the_stack() -> None:
    def enter() -> None:
        with graph.disable_saved_tensors_hooks("not now"):
            with graph.saved_tensors_hooks(same, same):
                pass

    refused(enter, match="not now")
