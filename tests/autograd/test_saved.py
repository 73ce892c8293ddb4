"""Tensors that a node keeps for backward: which ones, in what form, and when it gives them back."""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as np
import pytest

import guardlift as gl
from guardlift.autograd import graph
from guardlift.autograd.saved import SavedTensor

spec = pytest.mark.spec


def leaf(*values: float) -> gl.Tensor:
    return gl.tensor(list(values), requires_grad=True)


@spec("S0.02")
def test_a_write_through_data_is_not_counted_and_one_through_detach_is() -> None:
    a = leaf(1.0)
    y = a * a
    a.data.add_(1)
    y.sum().backward()
    assert a.grad.tolist() == [4.0]
    b = leaf(1.0)
    y = b * b
    b.detach().add_(1)
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0"):
        y.sum().backward()


@spec("S0.02")
def test_views_share_the_version_counter_of_their_base() -> None:
    x = gl.zeros(2, 3)
    view = x[0].t()
    x.add_(1)
    view.mul_(2)
    assert x._version == view._version == x.detach()._version == 2
    assert x.data._version == 0


@spec("S0.03")
def test_saved_tensors_are_reached_by_the_names_of_the_operands() -> None:
    a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
    product = (a * b).grad_fn
    assert product._saved_self is a
    assert product._saved_other is b
    assert isinstance(product._raw_saved_self, SavedTensor)
    assert a.exp().grad_fn._saved_result.tolist() == a.exp().tolist()
    with pytest.raises(AttributeError, match="_saved_nothing"):
        product._saved_nothing  # noqa: B018


@spec("S0.04")
def test_only_what_the_derivative_reads_is_saved() -> None:
    x, y = leaf(1.0, 2.0), gl.tensor([3.0, 4.0])
    assert (x * y).grad_fn._saved_self is None
    assert (x * y).grad_fn._saved_other is y
    assert not (x + y).grad_fn.saved
    assert not x.sum().grad_fn.saved
    with graph.saved_tensors_hooks(pytest.fail, pytest.fail):
        x * 3.0
        (x + y).sum()


@spec("S0.04")
def test_what_was_added_may_be_overwritten_before_backward() -> None:
    x, y = leaf(1.0, 2.0), gl.tensor([3.0, 4.0])
    total = (x + y).sum()
    y.zero_()
    total.backward()
    assert x.grad.tolist() == [1.0, 1.0]


@spec("S0.04")
def test_a_tensor_that_is_detached_and_written_in_a_loop_serves_every_backward() -> None:
    mu, x, const = leaf(1.0, 2.0), gl.zeros(2), gl.tensor([2.0, 3.0])
    for i in range(3):
        x.detach_()
        x.copy_(mu + i)
        (x * const).sum().backward()
    assert mu.grad.tolist() == [6.0, 9.0]


@spec("S0.05", "S1.37")
def test_a_python_number_is_never_shown_to_a_hook() -> None:
    a = leaf(1.0, 2.0)
    with graph.saved_tensors_hooks(pytest.fail, pytest.fail):
        (a * 3).sum().backward()
    assert a.grad.tolist() == [3.0, 3.0]


@spec("S1.01")
def test_a_record_of_nothing_unpacks_to_none_and_refuses_hooks() -> None:
    node = (leaf(1.0) * gl.tensor([2.0])).grad_fn
    assert node._saved_self is None
    with pytest.raises(RuntimeError, match="None is forbidden"):
        node._raw_saved_self.register_hooks(lambda t: t, lambda t: t)


@spec("S1.03", "S1.05")
def test_an_output_is_kept_as_an_alias_with_its_version() -> None:
    a = leaf(1.0, 2.0)
    b = a.exp()
    saved = b.grad_fn._saved_result
    assert saved is not b
    assert saved.tolist() == b.tolist()
    assert saved.grad_fn is b.grad_fn
    assert saved._storage is b._storage
    with gl.no_grad():
        b.add_(0)
    assert saved._version == b._version == 1


@spec("S1.05")
def test_an_output_and_its_graph_are_freed_without_the_garbage_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        b = leaf(1.0).exp()
        node, memory = weakref.ref(b.grad_fn), weakref.ref(b._storage)
        del b
        assert node() is None
        assert memory() is None
    finally:
        gc.enable()


@spec("S1.04")
def test_an_input_is_kept_as_the_object_it_is() -> None:
    a = leaf(1.0)
    b = a * 2
    assert (a * a).grad_fn._saved_self is a
    assert (b * b).grad_fn._saved_self is b


@spec("S1.06", "S1.12", "S1.11")
def test_with_hooks_the_tensor_is_rebuilt_with_its_history() -> None:
    a = leaf(2.0)
    with graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        b = a.exp()
        of_input = (b * b).grad_fn._saved_self
        of_leaf = (a * a).grad_fn._saved_self
    assert b.grad_fn._saved_result.grad_fn is b.grad_fn
    assert of_input.grad_fn is b.grad_fn
    assert of_leaf.is_leaf and of_leaf.requires_grad and of_leaf is not a


@spec("S1.12")
def test_a_rebuilt_leaf_leads_a_second_backward_to_the_same_leaf() -> None:
    a = leaf(2.0)
    with graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        y = a * a * a
        (first,) = gl.autograd.grad(y, a, gl.ones(1), create_graph=True)
        first.sum().backward()
    assert a.grad.tolist() == [12.0]


@spec("S1.13")
def test_a_rebuilt_tensor_shares_the_counter_of_what_the_hook_gave() -> None:
    a = leaf(2.0)
    other = gl.tensor([5.0])
    with graph.saved_tensors_hooks(lambda t: None, lambda packed: other):
        node = (a * a).grad_fn
    with gl.no_grad():
        node._saved_self.add_(1)
    assert other._version == 1
    assert a._version == 0


@spec("S1.07")
def test_a_result_written_through_a_view_is_kept_without_a_cycle() -> None:
    a = gl.ones(2, 2, requires_grad=True)
    b = a.clone()
    v = b[0]
    v.exp_()
    assert b.grad_fn.name() == "CopySlices"
    b.sum().backward(retain_graph=True)
    np.testing.assert_allclose(a.grad.tolist(), [[np.e, np.e], [1, 1]], rtol=1e-6)
    v.add_(1)
    with pytest.raises(RuntimeError, match="is at version 2; expected version 1"):
        b.sum().backward()


@spec("S1.10", "S1.16")
def test_a_saved_input_that_was_detached_in_place_is_refused_and_an_output_is_not() -> None:
    a = leaf(0.5) * 1
    y = a.sin()
    a.detach_()
    with pytest.raises(RuntimeError, match="detached"):
        y.sum().backward()
    b = leaf(0.5)
    y = b.exp()
    total = y.sum()
    y.detach_()
    total.backward()
    np.testing.assert_allclose(b.grad.tolist(), np.exp([0.5]), rtol=1e-6)


@spec("S1.14")
def test_packing_happens_once_and_unpacking_at_every_use() -> None:
    log = []
    a = leaf(3.0)
    with graph.saved_tensors_hooks(lambda t: log.append("pack") or t, lambda t: log.append("unpack") or t):
        y = a * a
    y.grad_fn._saved_self, y.grad_fn._saved_self  # noqa: B018
    for _ in range(2):
        y.sum().backward(retain_graph=True)
    assert (log.count("pack"), log.count("unpack")) == (2, 6)


@spec("S1.15")
def test_a_graph_that_was_freed_says_how_to_keep_it() -> None:
    a = leaf(1.0)
    c = a * a
    c.sum().backward()
    for use in (lambda: c.sum().backward(), lambda: c.grad_fn._saved_self, lambda: gl.autograd.grad(c.sum(), a)):
        with pytest.raises(RuntimeError, match="after they have already been freed") as error:
            use()
        assert "Specify retain_graph=True" in str(error.value)
        assert ".backward() or autograd.grad()" in str(error.value)


@spec("S1.15")
def test_a_node_that_saved_nothing_runs_again() -> None:
    a = leaf(1.0)
    c = a + 1
    c.backward(gl.ones(1))
    c.backward(gl.ones(1))
    assert a.grad.tolist() == [2.0]


@spec("S1.20")
def test_a_saved_tensor_that_was_written_is_told_in_all_its_parts() -> None:
    x, y = gl.ones(5, 5, requires_grad=True), gl.ones(5, 5, requires_grad=True)
    z = x * y
    w = z * y
    z.add_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation") as error:
        w.sum().backward()
    text = str(error.value)
    for part in ("float32", "[5, 5]", "output 0 of AddBackward", "is at version 1", "expected version 0", "look for"):
        assert part in text


@spec("S1.21")
def test_with_hooks_there_is_no_version_check() -> None:
    a = gl.ones(1, requires_grad=True)
    with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        b = a.clone()
        y = b * b
    with gl.no_grad():
        b.add_(5)
    y.sum().backward()
    assert a.grad.tolist() == [12.0]


@spec("S1.30")
def test_hooks_on_one_record_replace_what_it_keeps() -> None:
    a = leaf(3.0)
    y = a * a
    y.grad_fn._raw_saved_self.register_hooks(lambda t: t * 2, lambda t: t / 2)
    assert y.grad_fn._saved_self.tolist() == [3.0]
    y = a * a
    y.grad_fn._raw_saved_self.register_hooks(lambda t: t * 2, lambda t: t)
    assert y.grad_fn._saved_self.tolist() == [6.0]
    y.sum().backward()
    assert a.grad.tolist() == [9.0]
    y = a * a
    kept = a.detach()
    y.grad_fn._raw_saved_self.register_hooks(lambda t: None, lambda packed: kept if packed is None else pytest.fail())
    assert y.grad_fn._saved_self.tolist() == [3.0]


@spec("S1.31")
def test_a_record_takes_one_pair_of_hooks() -> None:
    def same(value: gl.Tensor) -> gl.Tensor:
        return value

    a = leaf(3.0)
    y = a * a
    record = y.grad_fn._raw_saved_self
    record.register_hooks(same, same)
    with pytest.raises(RuntimeError, match="only one pair of hooks"):
        record.register_hooks(same, same)
    with graph.saved_tensors_hooks(same, same):
        packed = (a * a).grad_fn._raw_saved_self
    with pytest.raises(RuntimeError, match="only one pair of hooks"):
        packed.register_hooks(same, same)
    y.sum().backward()
    with pytest.raises(RuntimeError, match="after it has been freed.*Specify retain_graph=True"):
        record.register_hooks(same, same)


@spec("S1.32")
def test_pack_runs_without_recording_and_sees_the_tensor_itself() -> None:
    a = leaf(2.0)
    b = a * 2
    seen = []

    def pack(tensor: gl.Tensor) -> gl.Tensor:
        seen.append((tensor, gl.autograd.is_grad_enabled()))
        return tensor

    with graph.saved_tensors_hooks(pack, pack):
        y = b * b
    assert all(tensor is b and tensor.requires_grad and not mode for tensor, mode in seen)
    seen.clear()
    y = b * b
    y.grad_fn._raw_saved_self.register_hooks(pack, lambda t: t)
    ((late, mode),) = seen
    assert late is not b and not late.requires_grad and not mode


@spec("S1.32")
def test_unpack_runs_in_the_grad_mode_of_its_caller() -> None:
    modes = []
    a = leaf(2.0)

    def unpack(tensor: gl.Tensor) -> gl.Tensor:
        modes.append(gl.autograd.is_grad_enabled())
        return tensor

    with graph.saved_tensors_hooks(lambda t: t, unpack):
        y = (a * a).sum()
    y.backward(retain_graph=True)
    gl.autograd.grad(y, a, create_graph=True)
    assert modes == [False, False, True, True]


@spec("S1.33")
@pytest.mark.parametrize("saving", ["leaf", "input", "output"])
def test_a_pack_hook_that_writes_to_its_input_fails_the_forward(saving: str) -> None:
    a = leaf(2.0)

    def write(tensor: gl.Tensor) -> gl.Tensor:
        tensor += 1
        return tensor

    b = a if saving == "leaf" else a * 2
    with pytest.raises(RuntimeError, match="pack hook is modifying its input in place"):
        with graph.saved_tensors_hooks(write, lambda t: t):
            b.exp() if saving == "output" else b * b
    node = (b.exp() if saving == "output" else b * b).grad_fn
    record = node._raw_saved_result if saving == "output" else node._raw_saved_self
    with pytest.raises(RuntimeError, match="pack hook is modifying its input in place"):
        record.register_hooks(write, lambda t: t)


@spec("S1.34")
def test_hooks_of_the_wrong_form_are_told_what_is_wrong() -> None:
    y = leaf(2.0) ** 3
    record = y.grad_fn._raw_saved_self
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        record.register_hooks(lambda tensor, info, more: tensor, lambda packed: packed)
    with pytest.raises(TypeError, match="takes 0 positional arguments but 1 was given"):
        record.register_hooks(lambda: None, lambda packed: packed)
    record.register_hooks(lambda tensor: tensor, lambda packed: 1)
    with pytest.raises(TypeError, match="unpack_hook expected to be a Tensor but got int"):
        y.sum().backward()


@spec("S1.35")
def test_exceptions_of_hooks_come_out_as_they_are() -> None:
    class Mine(Exception):
        pass

    def fail(_: object) -> None:
        raise Mine

    a = leaf(2.0)
    with pytest.raises(Mine), graph.saved_tensors_hooks(fail, lambda t: t):
        a * a
    with graph.saved_tensors_hooks(lambda t: t, fail):
        y = a * a
    with pytest.raises(Mine):
        y.sum().backward()


@spec("S1.36")
def test_what_unpack_gives_is_not_compared_with_what_was_saved() -> None:
    a = leaf(2.0, 3.0)
    with graph.saved_tensors_hooks(lambda t: t, lambda t: t.double()):
        (a * a).sum().backward()
    assert a.grad.dtype is gl.float32
    assert a.grad.tolist() == [4.0, 6.0]
    with graph.saved_tensors_hooks(lambda t: t, lambda t: gl.ones(3)):
        y = (a * a).sum()
    with pytest.raises(RuntimeError):
        y.backward()


@spec("S1.40")
def test_only_the_innermost_pair_applies() -> None:
    def times(factor: float) -> graph.saved_tensors_hooks:
        return graph.saved_tensors_hooks(lambda t: t * factor, lambda t: t)

    a, b, other = leaf(1.0), leaf(1.0), gl.tensor([1.0])
    with times(3):
        with times(5):
            y = a * other
        z = b * other
    (y + z).sum().backward()
    assert (a.grad.tolist(), b.grad.tolist()) == ([5.0], [3.0])


@spec("S1.41")
def test_work_inside_a_pack_hook_is_not_packed() -> None:
    calls = []
    a = leaf(2.0)

    def pack(tensor: gl.Tensor) -> gl.Tensor:
        calls.append(tensor)
        return tensor * tensor

    with graph.saved_tensors_hooks(pack, lambda t: t):
        a * a
    assert len(calls) == 2


@spec("S1.42")
@pytest.mark.parametrize(("forward", "backward", "factor"), [(1, 0, 2), (0, 1, 4), (1, 1, 8), (0, 0, 1)])
def test_hooks_apply_where_something_is_saved_in_double_backward_too(forward: int, backward: int, factor: int) -> None:
    hooks = graph.saved_tensors_hooks(lambda t: t * 2, lambda t: t)
    a = leaf(1.0)

    def run() -> gl.Tensor:
        (first,) = gl.autograd.grad(y, a, create_graph=True)
        (second,) = gl.autograd.grad(first.sum(), a)
        return second

    if forward:
        with hooks:
            y = (a**3).sum()
    else:
        y = (a**3).sum()
    if backward:
        with hooks:
            second = run()
    else:
        second = run()
    assert second.tolist() == [6.0 * factor]


@spec("S1.43")
def test_other_threads_see_no_hooks() -> None:
    a = leaf(2.0)
    done = []
    with graph.saved_tensors_hooks(pytest.fail, lambda t: t):
        thread = threading.Thread(target=lambda: done.append(a * a))
        thread.start()
        thread.join()
    assert done[0].tolist() == [4.0]


@spec("S1.44")
def test_leaving_a_context_that_was_not_entered_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="without having been entered"):
        graph.saved_tensors_hooks(lambda t: t, lambda t: t).__exit__()


@spec("S1.44")
def test_an_unpack_hook_that_leaves_or_enters_a_context_too_often_does_no_harm() -> None:
    hooks = graph.saved_tensors_hooks(lambda t: t, lambda t: (hooks.__exit__(), t)[1])
    a = leaf(2.0)
    with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        hooks.__enter__()
        y = a * 1.0 * a
        y.sum().backward()
        hooks.__enter__()
    while gl.autograd.modes.MODES.stack:
        hooks.__exit__()


@spec("S1.45")
def test_the_context_can_be_subclassed_and_entered_again() -> None:
    class Doubling(graph.saved_tensors_hooks):
        def __init__(self) -> None:
            super().__init__(lambda t: t * 2, lambda t: t)

    context, a = Doubling(), leaf(1.0)
    other = gl.tensor([1.0])
    for _ in range(2):
        with context:
            y = a * other
        y.sum().backward()
    assert a.grad.tolist() == [4.0]
    assert callable(context.pack_hook) and callable(context.unpack_hook)
