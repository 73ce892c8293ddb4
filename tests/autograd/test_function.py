"""Custom functions: forward and backward of the user's own as one step of the tape."""

from __future__ import annotations

import copy
import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from frontend.tensors.scenario import check, leaf, normal

import guardlift as gl
from guardlift.autograd import Function, graph
from guardlift.autograd.function import once_differentiable
from guardlift.autograd.saved import SavedTensor

spec = pytest.mark.spec


def parameter(*values: float) -> gl.Tensor:
    return gl.tensor(list(values), requires_grad=True)


def custom(forward: Callable[..., Any], backward: Callable[..., Any]) -> type[Function]:
    return type("MyFn", (Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)})


class Exp(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (result,) = ctx.saved_tensors
        return g * result


class Product(Function):
    """``a * b * factor``, with a `setup_context`."""

    @staticmethod
    def forward(a: Any, b: Any, factor: float = 2.0) -> Any:
        return a * b * factor

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        a, b, ctx.factor = inputs
        ctx.save_for_backward(a, b)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        a, b = ctx.saved_tensors
        of_a = g * b * ctx.factor if ctx.needs_input_grad[0] else None
        return of_a, (g * a * ctx.factor if ctx.needs_input_grad[1] else None), None


class Double(Function):
    """Doubles its argument in place."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 2


def test_forward_records_nothing_and_backward_is_the_users() -> None:
    modes = []

    def forward(ctx: Any, x: Any) -> Any:
        modes.append(gl.is_grad_enabled())
        return x * 2

    def backward(ctx: Any, g: Any) -> Any:
        modes.append(gl.is_grad_enabled())
        return g * 10

    x = parameter(1.0, 2.0)
    y = custom(forward, backward).apply(x)
    y.sum().backward()
    assert y.tolist() == [2.0, 4.0]
    assert x.grad.tolist() == [10.0, 10.0]
    assert modes == [False, False]


def test_a_forward_without_ctx_and_setup_context_take_keywords_and_defaults() -> None:
    a, b = parameter(3.0), gl.tensor([5.0])
    y = Product.apply(a, b=b)
    y.backward()
    assert y.tolist() == [30.0]
    assert a.grad.tolist() == [10.0]
    assert b.grad is None
    assert Product.apply(a, b, factor=1.0).tolist() == [15.0]
    with pytest.raises(TypeError, match="missing a required argument"):
        Product.apply(a)


def test_a_node_can_be_copied() -> None:
    node = Product.apply(parameter(3.0), gl.tensor([5.0])).grad_fn
    copied = copy.copy(node)
    assert (copied.name(), copied.next_functions) == (node.name(), node.next_functions)


class KeywordOnly(Function):
    @staticmethod
    def forward(x: Any, *, factor: float = 2.0) -> Any:
        return x * factor

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 2


class AnyKeywords(Function):
    @staticmethod
    def forward(ctx: Any, x: Any, **options: Any) -> Any:
        return x * options.get("factor", 2.0)


@pytest.mark.parametrize("function", [KeywordOnly, AnyKeywords])
def test_a_keyword_that_has_no_position_is_an_error(function: Any) -> None:
    with pytest.raises(TypeError, match="'factor'.*no position"):
        function.apply(parameter(3.0), factor=5.0)
    assert function.apply(parameter(3.0)).tolist() == [6.0]


def test_keywords_of_a_forward_with_ctx_become_positions() -> None:
    x = parameter(2.0)
    function = custom(lambda ctx, x, n: x * n, lambda ctx, g: (g * 7, None))
    function.apply(x, n=3).backward()
    assert x.grad.tolist() == [7.0]


def test_vjp_is_another_name_for_backward_and_only_one_of_them_may_be_given() -> None:
    both = {"forward": staticmethod(lambda ctx, x: x * 1), "vjp": staticmethod(lambda ctx, g: g * 4)}
    x = parameter(1.0)
    type("Vjp", (Function,), both).apply(x).backward()
    assert x.grad.tolist() == [4.0]
    both["backward"] = both["vjp"]
    with pytest.raises(RuntimeError, match="Implementing both 'backward' and 'vjp'"):
        type("Both", (Function,), both).apply(x).backward()


def test_what_is_not_implemented_is_an_error_when_it_is_needed() -> None:
    x = parameter(1.0)
    with pytest.raises(NotImplementedError, match="forward function"):
        type("Nothing", (Function,), {}).apply(x)
    half = type("Half", (Function,), {"forward": staticmethod(lambda ctx, x: x * 1)})
    with pytest.raises(NotImplementedError, match="backward or vjp"):
        half.apply(x).backward()
    with pytest.raises(RuntimeError, match=r"write Half\.apply"):
        half()(x)


# -- the context -------------------------------------------------------------------------------------------------------
def test_attributes_of_ones_own_pass_to_backward_whatever_they_are_called() -> None:
    names = ("edges", "sequence", "outputs", "function", "types", "own")

    def forward(ctx: Any, x: Any) -> Any:
        for number, name in enumerate(names):
            setattr(ctx, name, number)
        return x * 2

    def backward(ctx: Any, g: Any) -> Any:
        assert [getattr(ctx, name) for name in names] == list(range(len(names)))
        return g * 2

    x = parameter(1.0)
    y = custom(forward, backward).apply(x)
    assert y.grad_fn.own == 5
    y.backward()
    assert x.grad.tolist() == [2.0]
    with pytest.raises(AttributeError, match="no attribute 'missing'"):
        y.grad_fn.missing  # noqa: B018


def test_needs_input_grad_has_an_entry_for_each_argument() -> None:
    seen = []
    function = custom(lambda ctx, *args: seen.append(ctx.needs_input_grad) or args[0] * 1, lambda ctx, g: g)
    x = parameter(1.0)
    function.apply(x, 3, x.detach(), None)
    with gl.no_grad():
        assert not function.apply(x).requires_grad
    assert seen == [(True, False, False, False), (True,)]


def test_only_tensors_are_saved_and_marked() -> None:
    x = parameter(1.0)
    for name, kind, text in (
        ("save_for_backward", TypeError, "can only save variables, but argument 1 is of type int"),
        ("mark_dirty", RuntimeError, "mark_dirty takes tensors, but argument 1 is of type int"),
        ("mark_non_differentiable", RuntimeError, "mark_non_differentiable takes tensors, but argument 1"),
    ):
        function = custom(lambda ctx, x, name=name: getattr(ctx, name)(x, 3), lambda ctx, g: g)
        with pytest.raises(kind, match=text):
            function.apply(x)


def test_a_tensor_that_is_neither_argument_nor_result_is_saved_and_the_last_call_counts() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        between = x + 1
        ctx.save_for_backward(between, None)
        return between * between

    def backward(ctx: Any, g: Any) -> Any:
        between, nothing = ctx.saved_tensors
        assert nothing is None
        return g * 2 * between

    x = parameter(2.0)
    custom(forward, backward).apply(x).backward()
    assert x.grad.tolist() == [6.0]


# -- results -----------------------------------------------------------------------------------------------------------
def test_several_results_get_zeros_where_no_gradient_came_and_none_where_they_are_no_tensors() -> None:
    seen: list[Any] = []

    def backward(ctx: Any, *gradients: Any) -> Any:
        seen.extend(each if each is None else each.tolist() for each in gradients)
        return gradients[2] * 3

    x = parameter(1.0, 2.0)
    first, text, third = custom(lambda ctx, x: (x.sum(), "text", x * 3), backward).apply(x)
    assert text == "text"
    assert (first.output_nr, third.output_nr) == (0, 2)
    third.sum().backward()
    assert seen == [0.0, None, [1.0, 1.0]]
    assert x.grad.tolist() == [3.0, 3.0]


def test_gradients_that_did_not_come_are_none_if_so_told() -> None:
    seen: list[Any] = []

    def forward(ctx: Any, x: Any) -> Any:
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    x = parameter(1.0)
    custom(forward, lambda ctx, a, b: seen.append(a) or b * 3).apply(x)[1].backward()
    assert seen == [None]


def test_what_is_marked_and_what_is_no_float_does_not_require_grad() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        marked = x * 2
        ctx.mark_non_differentiable(marked)
        return marked, x > 0, x * 3

    x = parameter(1.0)
    marked, positive, rest = custom(forward, lambda ctx, a, b, c: (a + b + c) * 3).apply(x)
    assert [each.requires_grad for each in (marked, positive, rest)] == [False, False, True]
    rest.backward()
    assert x.grad.tolist() == [3.0]


def test_lists_and_none_are_results_without_gradient() -> None:
    x = parameter(1.0)
    assert custom(lambda ctx, x: None, None).apply(x) is None
    (inside,) = custom(lambda ctx, x: [x * 2], None).apply(x)
    assert not inside.requires_grad
    assert type(custom(lambda ctx, x: (x * 2,), None).apply(x)) is tuple


def test_one_tensor_returned_twice_is_one_result() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        y = x * 2
        return y, y

    x = parameter(1.0)
    one, other = custom(forward, lambda ctx, a, b: a * 10 + b).apply(x)
    assert one is other
    (one + other).backward()
    assert x.grad.tolist() == [2.0]


def test_an_argument_returned_as_it_is_becomes_a_view_with_the_functions_gradient() -> None:
    same = custom(lambda ctx, x: x, lambda ctx, g: g * 5)
    x = parameter(1.0, 2.0)
    y = same.apply(x)
    assert y is not x
    assert y._counter is x._counter
    assert x.grad_fn is None
    (y * 1).sum().backward()
    assert x.grad.tolist() == [5.0, 5.0]
    plain = gl.ones(2)
    assert same.apply(plain) is not plain
    assert not same.apply(plain).requires_grad


def test_a_view_that_is_returned_takes_views_but_no_writes() -> None:
    first = custom(lambda ctx, x: x[0:1], lambda ctx, g: gl.cat([g * 5, g * 0]))
    x = parameter(1.0, 2.0)
    base = x * 1
    y = first.apply(base)
    y.reshape(()).backward()
    assert x.grad.tolist() == [5.0, 0.0]
    with pytest.raises(RuntimeError, match="output of a custom Function is a view and is being modified inplace"):
        y.mul_(2)
    with pytest.raises(RuntimeError, match="output of a custom Function is a view and is being modified inplace"):
        y[0].mul_(2)
    assert y.tolist() == [1.0]
    assert y._version == 0
    part = y.reshape(())
    base.mul_(3)
    assert repr(y) == "tensor([3.], grad_fn=<Invalid>)"
    for view in (y, part):
        with pytest.raises(RuntimeError, match="its base or another view of its base has been modified inplace"):
            view * 2


def test_a_write_under_a_returned_view_is_noticed_where_the_base_requires_no_grad() -> None:
    function = custom(lambda ctx, x, w: x[:], lambda ctx, g: (None, g))
    base, w = gl.ones(2), parameter(1.0, 2.0)
    y = function.apply(base, w)
    base.mul_(2)
    with pytest.raises(RuntimeError, match="modified inplace"):
        y.sum()
    with pytest.raises(RuntimeError, match="is a view and is being modified inplace"):
        function.apply(base, w).mul_(2)


def test_a_parameter_that_forward_returns_and_was_not_given_stays_a_leaf() -> None:
    captured, x = parameter(4.0), parameter(1.0)
    y = custom(lambda ctx, x: captured, lambda ctx, g: g * 3).apply(x)
    assert captured.is_leaf
    y.backward()
    assert captured.grad is None
    assert x.grad.tolist() == [3.0]


# -- writing arguments -------------------------------------------------------------------------------------------------
def test_a_written_argument_is_the_result_and_goes_on_from_there() -> None:
    x = parameter(1.0)
    y = x * 3
    y.retain_grad()
    assert Double.apply(y) is y
    assert y.tolist() == [6.0]
    assert y._version == 2  # that of mul_ and that of the mark
    assert y.grad_fn.name() == "DoubleBackward"
    y.backward()
    assert x.grad.tolist() == [6.0]
    assert y.grad.tolist() == [1.0]


def test_hooks_from_before_a_write_stay_with_the_old_value() -> None:
    log: list[Any] = []
    x = parameter(1.0)
    y = x * 3
    y.register_hook(lambda g: log.append(("old", g.item())))
    Double.apply(y)
    y.register_hook(lambda g: log.append(("new", g.item())))
    y.backward()
    assert log == [("new", 1.0), ("old", 2.0)]


def test_a_leaf_that_requires_grad_is_not_written() -> None:
    x = parameter(1.0, 2.0)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        Double.apply(x)
    assert x.is_leaf
    with pytest.raises(RuntimeError, match="a view of a leaf Variable"):
        Double.apply(x[0])
    with gl.no_grad():
        y = Double.apply(x)
    assert not y.requires_grad
    assert x.requires_grad


def test_an_argument_without_grad_starts_to_require_it_when_it_is_written() -> None:
    def forward(ctx: Any, x: Any, w: Any) -> Any:
        ctx.mark_dirty(x)
        ctx.save_for_backward(w)
        return x.mul_(w)

    x, w = gl.full((2,), 3.0), parameter(2.0)
    function = custom(forward, lambda ctx, g: (g * ctx.saved_tensors[0], g * 3))
    assert function.apply(x, w) is x
    assert x.requires_grad
    x.sum().backward()
    assert w.grad.tolist() == [6.0]


@pytest.mark.parametrize("place", [0, 1])
def test_a_written_view_changes_the_history_of_its_base_wherever_it_stands(place: int) -> None:
    def forward(ctx: Any, *args: Any) -> Any:
        ctx.mark_dirty(args[place])
        return args[place].mul_(args[1 - place])

    x, w = parameter(1.0, 2.0), parameter(3.0)
    base = x * 1
    view = base[0:1]
    before = base[1:]
    args, gradients = (view, w), (20.0, 7.0)
    function = custom(forward, lambda ctx, g: tuple(g * each for each in gradients[:: 1 - 2 * place]))
    result = function.apply(*args[:: 1 - 2 * place])
    assert result is view
    assert base.tolist() == [3.0, 2.0]
    assert base.grad_fn.name() == "CopySlices"
    (base * 2).sum().backward(retain_graph=True)
    assert x.grad.tolist() == [40.0, 2.0]
    assert w.grad.tolist() == [14.0]
    before.backward()
    assert x.grad.tolist() == [40.0, 3.0]


def test_a_written_argument_and_a_view_of_it_are_two_results() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        return x.mul_(2), x[1:]

    x = parameter(1.0, 2.0)
    y = x * 1
    written, view = custom(forward, lambda ctx, g, h: g * 2 + gl.cat([h * 0, h * 100])).apply(y)
    assert written is y
    (written.sum() + view.sum()).backward()
    assert x.grad.tolist() == [2.0, 102.0]


def test_a_written_view_is_used_with_its_base_afterwards() -> None:
    x = parameter(1.0, 2.0)
    base = x * 1
    view = base[1:]
    assert Double.apply(view) is view
    (base.sum() + view.sum() * 10).backward()
    assert x.grad.tolist() == [1.0, 22.0]
    assert view.grad_fn.next_functions == ((base.grad_fn, 0),)


def test_a_written_view_may_be_saved_and_leaves_no_cycle() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        x.exp_()
        ctx.save_for_backward(x)
        return x

    x = parameter(0.0, 0.0)
    gc.collect()
    gc.disable()
    try:
        base = x * 1
        custom(forward, lambda ctx, g: g * ctx.saved_tensors[0] * 3).apply(base[0:1])
        base.sum().backward(retain_graph=True)
        assert x.grad.tolist() == [3.0, 1.0]
        node = weakref.ref(base.grad_fn)
        del base
        assert node() is None
    finally:
        gc.enable()


def test_a_written_view_is_the_only_result() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        return x.mul_(2), x * 1

    base = parameter(1.0, 2.0) * 1
    with pytest.raises(RuntimeError, match="cannot return more than one Tensor"):
        custom(forward, None).apply(base[0])
    assert base.grad_fn.name() == "MulBackward0"


def test_a_mark_without_the_result_is_an_error_and_one_on_another_tensor_a_warning() -> None:
    def lost(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        return x.mul_(2) + 1

    def own(ctx: Any, x: Any) -> Any:
        y = x * 2
        ctx.mark_dirty(y)
        return y

    y = parameter(1.0) * 1
    with pytest.raises(RuntimeError, match="must all be outputs of the Function"):
        custom(lost, None).apply(y)
    assert y.grad_fn.name() == "MulBackward0"
    with pytest.warns(UserWarning, match="no argument of forward"):
        custom(own, None).apply(y)


def test_a_write_to_what_was_saved_is_noticed() -> None:
    x = parameter(1.0)
    y = Exp.apply(x)
    y.add_(1)
    with pytest.raises(RuntimeError, match=r"output 0 of ExpBackward, is at version 1; expected version 0"):
        y.backward()


def test_setup_context_cannot_save_an_argument_that_is_returned() -> None:
    parts = {
        "forward": staticmethod(lambda x: x),
        "setup_context": staticmethod(lambda ctx, inputs, output: ctx.save_for_backward(output)),
    }
    with pytest.raises(RuntimeError, match="returned as-is as output is being saved"):
        type("Same", (Function,), parts).apply(parameter(1.0))


# -- what backward returns ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda g: g, r"incorrect number of gradients \(expected 2, got 1\)"),
        (lambda g: (g, None, g), r"incorrect number of gradients \(expected 2, got 3\)"),
        (lambda g: (g, 3), "gradient different than None at position 2, but the corresponding forward input was not"),
        (lambda g: ([g], None), r"expected Variable or None \(got list\)"),
        (lambda g: (gl.ones(3), None), r"invalid gradient at index 0 - got \[3\] but expected shape compatible"),
        (lambda g: (gl.ones(1), None), r"invalid gradient at index 0 - got \[1\] but expected shape compatible"),
    ],
)
def test_gradients_that_do_not_fit_are_an_error(answer: Callable[[Any], Any], text: str) -> None:
    x = parameter(1.0, 2.0)
    y = custom(lambda ctx, x, n: x * n, lambda ctx, g: answer(g)).apply(x, 2)
    with pytest.raises(RuntimeError, match=f"unction MyFnBackward returned.*{text}"):
        y.sum().backward()
    assert x.grad is None


def test_gradients_are_summed_and_cast_to_their_argument() -> None:
    for made in (gl.ones(3, 2), gl.ones(3, 2, dtype=gl.float64), gl.ones(3, 2, dtype=gl.int64)):
        x = parameter(1.0, 2.0)
        custom(lambda ctx, x: x * 1, lambda ctx, g, made=made: (made, None, None)).apply(x).sum().backward()
        assert x.grad.tolist() == [3.0, 3.0]
        assert x.grad.dtype is gl.float32


def test_what_is_returned_for_an_argument_without_grad_is_dropped() -> None:
    x = parameter(1.0, 2.0)
    function = custom(lambda ctx, a, b: a * b, lambda ctx, g: (g, gl.ones(7)))
    function.apply(x, x.detach()).sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


@spec("S4.10")
@spec("S6.44")
def test_no_gradient_calls_no_hooks_and_leaves_grad_as_it_is() -> None:
    calls: list[Any] = []
    leaf_, inner = parameter(1.0), parameter(1.0)
    between = inner * 2
    leaf_.register_hook(calls.append)
    leaf_.register_post_accumulate_grad_hook(calls.append)
    between.register_hook(calls.append)
    seen: list[Any] = []
    between.grad_fn.register_prehook(seen.append)
    y = custom(lambda ctx, a, b: a * b, lambda ctx, g: (None, None)).apply(leaf_, between)
    y.backward()
    assert calls == []
    assert seen == [(None,)]
    assert leaf_.grad is inner.grad is None


# -- the node ----------------------------------------------------------------------------------------------------------
@spec("S4.01")
@spec("S4.02")
def test_its_node_is_a_node_that_bears_the_name_of_the_function() -> None:
    x = parameter(1.0)
    node = Product.apply(x, gl.ones(1), 3.0).grad_fn
    assert isinstance(node, graph.Node)
    assert node.name() == type(node).__name__ == "ProductBackward"
    assert "ProductBackward" in repr(node)
    (first, number), second = node.next_functions
    assert (first.variable, number, second) == (x, 0, (None, 0))
    node.metadata["key"] = 1
    assert node.metadata == {"key": 1}


@spec("S4.01")
def test_its_node_takes_hooks_and_so_does_the_context() -> None:
    log: list[str] = []
    kept: list[Any] = []
    x = parameter(1.0)
    y = custom(lambda ctx, x: kept.append(ctx) or x * 2, lambda ctx, g: g * 2).apply(x)
    y.grad_fn.register_prehook(lambda given: (given[0] * 10,))
    kept[0].register_hook(lambda answers, given: log.append(f"{answers[0].item()} of {given[0].item()}"))
    y.backward()
    assert log == ["20.0 of 10.0"]
    assert kept[0].name() == "MyFnBackward"


@spec("S0.03")
def test_what_it_saved_can_be_read_by_slot() -> None:
    x = parameter(1.0)
    y = custom(lambda ctx, x: ctx.save_for_backward(x, None) or x * 2, lambda ctx, g: g).apply(x)
    node = y.grad_fn
    assert node.saved_tensors == (x, None)
    first, second = node._raw_saved_tensors
    assert type(first) is type(second) is SavedTensor
    first.register_hooks(lambda tensor: tensor * 2, lambda packed: packed)
    assert node.saved_tensors[0].tolist() == [2.0]
    with pytest.raises(RuntimeError, match="None is forbidden"):
        second.register_hooks(lambda tensor: tensor, lambda packed: packed)


@spec("S1.15")
def test_what_it_saved_is_freed_by_backward() -> None:
    x = parameter(1.0)
    y = Exp.apply(x)
    y.backward(retain_graph=True)
    y.backward()
    for read in (y.backward, lambda: y.grad_fn.saved_tensors, lambda: y.grad_fn._raw_saved_tensors):
        with pytest.raises(RuntimeError, match="after they have already been freed"):
            read()
    free = custom(lambda ctx, x: x * 2, lambda ctx, g: g * 2).apply(x)
    free.backward()
    free.backward()


@spec("S1.05")
def test_a_saved_result_makes_no_cycle_and_comes_back_with_its_history() -> None:
    x = parameter(1.0)
    gc.collect()
    gc.disable()
    try:
        y = Exp.apply(x)
        saved = y.grad_fn.saved_tensors[0]
        assert saved is not y
        assert saved.grad_fn is y.grad_fn
        watched = weakref.ref(y), weakref.ref(y.grad_fn), weakref.ref(y.grad_fn.ctx)
        del y, saved
        assert [each() for each in watched] == [None] * 3
    finally:
        gc.enable()


@spec("S1.40")
def test_saved_tensor_hooks_apply_to_what_it_saves() -> None:
    packed: list[Any] = []
    x = parameter(1.0)
    with graph.saved_tensors_hooks(lambda t: packed.append(t) or t * 3, lambda t: t):
        y = Exp.apply(x)
    assert packed[0] is y
    (g,) = gl.autograd.grad(y, x)
    assert g.item() == pytest.approx(3 * 2.718281828)


@spec("S4.20")
def test_an_edge_stands_for_a_result_and_keeps_its_graph_alive() -> None:
    x = parameter(2.0)
    y = Exp.apply(x)
    loss = (y * y).sum()
    edge = graph.get_gradient_edge(y)
    assert (edge.node, edge.output_nr) == (y.grad_fn, 0)
    assert isinstance(edge.ownership_token, graph.Node)
    assert gl.autograd.grad(loss, edge, retain_graph=True) == gl.autograd.grad(loss, y)
    expected = y.tolist()
    del y, loss
    gc.collect()
    (g,) = gl.autograd.grad(edge, x, grad_outputs=gl.ones(1))
    assert g.tolist() == expected
    assert graph.get_gradient_edge(x).ownership_token is None


# -- second derivatives ------------------------------------------------------------------------------------------------
def test_backward_is_differentiated_in_turn() -> None:
    x = parameter(0.5)
    y = Exp.apply(x)
    for _ in range(3):
        (y,) = gl.autograd.grad(y, x, create_graph=True)
        assert y.item() == pytest.approx(1.6487213)
    a, b = parameter(2.0), parameter(3.0)
    (of_a,) = gl.autograd.grad(Product.apply(a * a, b), a, create_graph=True)  # 4ab
    of_a.backward()
    assert (a.grad.item(), b.grad.item()) == (12.0, 8.0)


def test_once_differentiable_runs_unrecorded_and_refuses_a_second_time() -> None:
    modes: list[bool] = []

    @once_differentiable
    def backward(ctx: Any, g: Any) -> Any:
        modes.append(gl.is_grad_enabled())
        return g * 2 * ctx.saved_tensors[0], None

    square = custom(lambda ctx, x, n: ctx.save_for_backward(x) or x * x, backward)
    x = parameter(3.0)
    (g,) = gl.autograd.grad(square.apply(x, 1), x, create_graph=True)
    assert modes == [False]
    assert g.item() == 6.0
    assert g.grad_fn.name() == "Error"
    with pytest.raises(RuntimeError, match="trying to differentiate twice"):
        g.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="trying to differentiate twice"):
        gl.autograd.grad(g + x, x)
    square.apply(x, 1).backward()
    assert x.grad.item() == 6.0


def test_once_differentiable_of_what_depends_on_nothing_gives_constants() -> None:
    double = custom(lambda ctx, x: x * 2, once_differentiable(lambda ctx, g: g * 2))
    x = parameter(3.0)
    (g,) = gl.autograd.grad(double.apply(x), x, create_graph=True)
    assert not g.requires_grad


# -- compiled code -----------------------------------------------------------------------------------------------------
def test_a_jitted_function_that_applies_one_runs_plainly_and_rightly() -> None:
    def program(x: Any, w: Any) -> Any:
        loss = (Exp.apply(x * 0.1) * Product.apply(x, w)).sum()
        loss.backward()
        return loss, x.grad, w.grad

    check(program, lambda _: (leaf(3), leaf(3, seed=1)), breaks=None)


def test_a_jitted_function_without_gradients_does_so_too() -> None:
    def program(x: Any) -> Any:
        with gl.no_grad():
            return Exp.apply(x) + 1

    check(program, lambda _: (normal(3),), breaks=None)


def test_forward_and_backward_may_be_jitted() -> None:
    forward, backward = gl.jit(lambda x: (x * 2).sin()), gl.jit(lambda g, x: g * (x * 2).cos() * 2)
    function = custom(
        lambda ctx, x: ctx.save_for_backward(x) or forward(x), lambda ctx, g: backward(g, *ctx.saved_tensors)
    )
    x, y = leaf(4), leaf(4)
    for _ in range(2):
        x.grad = y.grad = None
        function.apply(x).sum().backward()
        (y * 2).sin().sum().backward()
        assert x.grad.tolist() == pytest.approx(y.grad.tolist(), rel=1e-5)


def test_a_jitted_function_takes_results_of_one() -> None:
    def program(x: Any) -> Any:
        return (x * 2).sum()

    for made in (lambda: Exp.apply(leaf(3)), lambda: custom(lambda ctx, x: x[1:], None).apply(leaf(3) * 1)):
        check(program, lambda _, made=made: (made(),), breaks=None)
