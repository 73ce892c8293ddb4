"""In-place writes of a custom backward: into what, when they are seen, and what is refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check, leaf, normal, outcome

import guardlift as gl
from guardlift import nn
from guardlift.autograd import Function
from guardlift.frontend import state_of
from guardlift.graph.printer import print_graph


class WriteAttribute(Function):
    """Doubles, in backward, a tensor that the context has as an attribute."""

    @staticmethod
    def forward(ctx: Any, x: Any, b: Any) -> Any:
        ctx.b = b
        return x * 2.0

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        ctx.b.mul_(2.0)
        return g * 2.0 * ctx.b, None


class WriteSaved(Function):
    """Adds, in backward, to a tensor that was saved."""

    @staticmethod
    def forward(ctx: Any, x: Any, b: Any) -> Any:
        ctx.save_for_backward(b)
        return x * b

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (b,) = ctx.saved_tensors
        gradient = g * b
        b.add_(1.0)
        b[0] = 7.0
        return gradient, None


class WriteBoth(Function):
    """Writes the buffer in forward, and again in backward."""

    @staticmethod
    def forward(ctx: Any, x: Any, b: Any) -> Any:
        b.mul_(3.0)
        ctx.b = b
        return x * b

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        gradient = g * ctx.b
        ctx.b.mul_(2.0)
        return gradient, None


class WriteResult(Function):
    """Writes, in backward, the result that it saved."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = x * 2.0
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (y,) = ctx.saved_tensors
        gradient = g * y
        y.mul_(2.0)
        return gradient


class WriteIntermediate(Function):
    """Writes, in backward, something that forward has made and nobody else knows."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.inner = x.exp()
        return x.sin()

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        ctx.inner.add_(1.0)
        return g * ctx.inner


class WriteGradient(Function):
    """Writes the gradient that it is given."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 3.0

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        g.mul_(2.0)
        return g * 3.0


class Resize(Function):
    """Changes, in backward, the shape of a tensor that the context has."""

    @staticmethod
    def forward(ctx: Any, x: Any, b: Any) -> Any:
        ctx.b = b
        return x * 2.0

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        ctx.b.resize_(2, 2)
        return g * 2.0, None


class OtherMemory(Resize):
    """Gives it other memory."""

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        ctx.b.data = ctx.b.data * 2.0
        return g * 2.0, None


class ResizeGradient(Resize):
    """Changes the shape of the gradient that it is given."""

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        g.resize_(2, 2)
        return gl.ones(3, 4), None


class WriteView(Function):
    """Writes, in backward, a part of a tensor by a view, and uses the whole."""

    @staticmethod
    def forward(ctx: Any, x: Any, b: Any) -> Any:
        ctx.row, ctx.b = b[1], b
        return x * 2.0

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        ctx.row.fill_(5.0)
        return g * ctx.b, None


TOTAL = gl.zeros(3, 4)
FACTOR = 2.0


class WriteGlobal(Function):
    """Adds its gradient to a global tensor, weighted by a global number."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2.0

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        TOTAL.add_(g * FACTOR)
        return g * TOTAL


class Counting(nn.Module):
    """A layer whose buffers are written in backward passes."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = leaf(3, 4, seed=3)
        self.register_buffer("passes", gl.ones(3, 4))

    def forward(self, x: Any) -> Any:
        """Its weight times the input."""
        return WriteAttribute.apply(x * self.weight, self.passes)


def world(*, requires_grad: bool = False) -> Sequence[Any]:
    return [leaf(3, 4, seed=1), leaf(3, 4, seed=2) if requires_grad else normal(3, 4, seed=2)]


def with_grad() -> Sequence[Any]:
    return world(requires_grad=True)


def backward(r: Any, *arguments: Any) -> None:
    r.backward(gl.ones(3, 4) * 0.5)


def told(call: Callable[[], Any]) -> Any:
    """Type and text of what a call raised, without the line: a compiled backward has none in the user's own."""
    found = outcome(call)
    return found[:2] if isinstance(found, tuple) else found


def twice(r: Any, *arguments: Any) -> Any:
    r.backward(gl.ones(3, 4), retain_graph=True)
    return told(lambda: r.backward(gl.ones(3, 4)))


def later_of(result: Any) -> Any:
    """The custom functions that the history of a jitted result knows."""
    return result.grad_fn.history.later


WRITERS = [WriteAttribute, WriteSaved, WriteBoth, WriteView]


# -- outside of the call -----------------------------------------------------------------------------------------------
@pytest.mark.spec("S3.03", "S3.04")
@pytest.mark.parametrize("make", [world, with_grad])
@pytest.mark.parametrize("function", WRITERS)
def test_what_backward_writes_changes_when_backward_runs(function: Any, make: Any) -> None:
    for after in (backward, twice):
        check(lambda x, b: function.apply(x, b), lambda number: make(), after=after, kernels=after is backward)


def test_without_a_backward_nothing_is_written() -> None:
    x, b = world()
    before = b.numpy().copy()
    gl.jit(lambda x, b: WriteAttribute.apply(x, b), fullgraph=True)(x, b)
    assert (b.numpy() == before).all() and b._version == 0


@pytest.mark.spec("S3.07", "S11.08")
@pytest.mark.parametrize("make", [world, with_grad])
def test_what_both_halves_write_is_written_by_each_in_its_time(make: Any) -> None:
    x, b = make()
    with gl.no_grad():
        b.fill_(1.0)
    y = gl.jit(lambda x, b: WriteBoth.apply(x, b), fullgraph=True)(x, b)
    assert (b.detach().numpy() == 3.0).all()
    y.sum().backward()
    assert (b.detach().numpy() == 6.0).all() and (x.grad.numpy() == 3.0).all()


@pytest.mark.spec("S3.05", "S3.06", "S3.04")
@pytest.mark.parametrize("function", [WriteAttribute, WriteSaved, WriteBoth])
def test_under_create_graph_only_writes_to_what_requires_grad_are_refused(function: Any) -> None:
    fast = gl.jit(lambda x, b: function.apply(x, b), fullgraph=True)
    (x, b), (other, plain) = world(), world()
    (found,) = gl.autograd.grad(fast(x, b).sum(), x, create_graph=True)
    (expected,) = gl.autograd.grad(function.apply(other, plain).sum(), other)
    np.testing.assert_array_equal(found.detach().numpy(), expected.numpy())
    np.testing.assert_array_equal(b.numpy(), plain.numpy())

    x, b = with_grad()
    y = fast(x, b)
    before, version = b.detach().numpy().copy(), b._version
    assert later_of(y).tracked == (0,) and later_of(fast(*world())).tracked == ()
    refused = r"input mutations with requires_grad in backward for create_graph=True.*\(b\)"
    with pytest.raises(RuntimeError, match=refused):
        gl.autograd.grad(y.sum(), x, create_graph=True, retain_graph=True)
    assert (b.detach().numpy() == before).all() and b._version == version and x.grad is None
    y.sum().backward()
    assert (b.detach().numpy() != before).any()


@pytest.mark.spec("S3.02", "S3.09")
@pytest.mark.parametrize("function", [Resize, OtherMemory, ResizeGradient])
def test_a_change_of_metadata_is_an_error_when_it_is_compiled(function: Any) -> None:
    fast = gl.jit(lambda x, b: function.apply(x, b))
    x, b = world()
    with pytest.raises(AssertionError, match=r"metadata mutated in the backward: .* outside the jitted function"):
        fast(x, b)
    assert b.shape == (3, 4) and b._version == 0
    with pytest.raises(gl.GuardliftError):
        fast(x, b)


@pytest.mark.spec("S3.08", "S10.15")
def test_a_result_of_the_call_that_backward_writes_is_eager_modes() -> None:
    check(lambda x, b: WriteResult.apply(x), lambda number: world(), after=backward, breaks="B405")
    check(lambda x, b: WriteResult.apply(x) * b, lambda number: world(), after=backward, breaks="B405")

    def inside_only(x: Any, b: Any) -> Any:
        y = WriteResult.apply(x)
        (y * b).sum().backward()
        return y.detach()

    check(inside_only, lambda number: world(), breaks="B405")


def test_an_intermediate_value_that_backward_writes_is_written_for_the_next_one() -> None:
    for after in (backward, twice):
        check(lambda x, b: WriteIntermediate.apply(x), lambda number: world(), after=after, kernels=True)


@pytest.mark.spec("S3.09")
def test_the_gradient_that_is_given_stays_as_it_is() -> None:
    (x, _), (other, _) = world(), world()
    given, also = gl.ones(3, 4) * 0.5, gl.ones(3, 4) * 0.5
    gl.jit(lambda x: WriteGradient.apply(x), fullgraph=True)(x).backward(given)
    WriteGradient.apply(other).backward(also)
    np.testing.assert_array_equal(x.grad.numpy(), other.grad.numpy())
    assert (given.numpy() == 0.5).all() and (also.numpy() == 1.0).all()


@pytest.mark.spec("S3.09")
def test_a_gradient_that_was_only_expanded_is_written_out_before_it_is_written() -> None:
    results = []
    for function in (WriteGradient.apply, gl.jit(lambda x: WriteGradient.apply(x), fullgraph=True)):
        x, _ = world()
        function(x).sum().backward()
        results.append(x.grad.numpy())
    x, _ = world()
    WriteGradient.apply(x).backward(gl.ones(3, 4))
    for result in results:
        np.testing.assert_array_equal(result, x.grad.numpy())


def test_a_gradient_that_may_be_elsewhere_too_is_written_in_eager_mode() -> None:
    check(lambda x, b: WriteGradient.apply(x).exp(), lambda number: world(), after=backward, breaks="a gradient that")


def test_what_backward_reads_outside_is_what_is_there_when_it_runs() -> None:
    def program(x: Any, b: Any) -> Any:
        return WriteGlobal.apply(x) * b

    results = []
    for function in (program, gl.jit(program, fullgraph=True)):
        x, b = world()
        globals().update(TOTAL=gl.zeros(3, 4), FACTOR=2.0)
        for factor in (2.0, 3.0):
            y = function(x, b)
            globals()["FACTOR"] = factor
            y.sum().backward()
        results.append((x.grad.numpy(), TOTAL.numpy(), TOTAL._version))
    for one, other in zip(*results, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-6)


def test_a_backward_that_would_be_another_one_by_now_is_refused() -> None:
    globals().update(TOTAL=gl.zeros(3, 4), FACTOR=2.0)
    fast = gl.jit(lambda x: WriteGlobal.apply(x), fullgraph=True)
    x, _ = world()
    y = fast(x)
    try:
        for stray in (gl.zeros(4, 3), 1):
            globals()["TOTAL"] = stray
            with pytest.raises(RuntimeError, match="WriteGlobal was compiled together with forward.*has changed since"):
                y.sum().backward()
    finally:
        globals()["TOTAL"] = gl.zeros(3, 4)
    y.sum().backward()
    assert (x.grad.numpy() == 2.0).all() and (TOTAL.numpy() == 2.0).all()


def test_what_both_halves_read_outside_may_be_another_by_then() -> None:
    class Both(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * TOTAL * FACTOR

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * TOTAL

    class Numbers(Both):
        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * FACTOR

    for function in (Both, Numbers):
        fast = gl.jit(lambda x: function.apply(x))  # noqa: B023
        grads = []
        for call in (function.apply, fast, fast):
            globals().update(TOTAL=gl.ones(3, 4), FACTOR=2.0)
            x, _ = world()
            y = call(x)
            globals().update(TOTAL=gl.ones(3, 4) * 5.0, FACTOR=3.0)
            y.sum().backward()
            grads.append(x.grad.numpy().tolist())
        assert grads[0] == grads[1] == grads[2]
    globals().update(TOTAL=gl.zeros(3, 4), FACTOR=2.0)


def test_the_next_call_meets_what_its_backward_will_read() -> None:
    class Weighted(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2.0

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * TOTAL.sum() * FACTOR

    fast = gl.jit(lambda x: Weighted.apply(x))
    for total in (gl.ones(3, 4), gl.ones(4, 5), gl.ones(2), gl.ones(2).requires_grad_(), gl.zeros(3).double()):
        for factor in (0.5, 2):
            globals().update(TOTAL=total, FACTOR=factor)
            grads = []
            for function in (Weighted.apply, fast):
                x, _ = world()
                function(x).sum().backward()
                grads.append(x.grad.numpy())
            np.testing.assert_allclose(grads[1], grads[0], rtol=1e-6)
    globals().update(TOTAL=gl.zeros(3, 4), FACTOR=2.0)


def test_a_gradient_that_does_not_lead_through_a_writing_function_is_refused() -> None:
    def program(w: Any, x: Any, b: Any) -> Any:
        return WriteAttribute.apply(x, b) * w

    fast = gl.jit(program, fullgraph=True)
    w, (x, b) = leaf(3, 4), world()
    before = b.numpy().copy()
    with pytest.raises(RuntimeError, match="not all of these lead to: the backward of WriteAttribute"):
        gl.autograd.grad(fast(w, x, b).sum(), w)
    assert (b.numpy() == before).all()
    check(program, lambda number: [leaf(3, 4), *world()], after=lambda y, w, x, b: gl.autograd.grad(y.sum(), x))


def test_memory_that_is_written_and_read_under_another_name_is_refused() -> None:
    fast = gl.jit(lambda x, b: WriteAttribute.apply(x, b), fullgraph=True)
    x, b = world()
    before = b.numpy().copy()
    with pytest.raises(RuntimeError, match="writes into b, which shares memory with another tensor"):
        fast(x, b).backward(b)
    assert (b.numpy() == before).all()


def test_hooks_on_saved_tensors_see_what_is_saved_and_take_the_write() -> None:
    kept: list[Any] = []

    def after(function: Any) -> Any:
        kept.clear()
        x, b = world()
        with gl.autograd.graph.saved_tensors_hooks(lambda t: kept.append(t.clone()) or kept[-1], lambda t: t):
            y = function(x, b)
        y.backward(gl.ones(3, 4))
        return x.grad.numpy(), b.numpy(), kept[-1].numpy(), len(kept)

    plain, jitted = after(WriteSaved.apply), after(gl.jit(lambda x, b: WriteSaved.apply(x, b), fullgraph=True))
    for one, other in zip(plain, jitted, strict=True):
        np.testing.assert_array_equal(other, one)


def test_a_buffer_of_a_module_is_written_in_every_pass() -> None:
    check(lambda m, x: m(x), arguments=lambda: [Counting(), normal(3, 4)], after=backward, calls=4, kernels=True)


def test_a_value_that_was_saved_and_is_written_before_backward_is_told_as_in_eager_mode() -> None:
    def write(y: Any, x: Any, b: Any) -> Any:
        b.add_(1.0)
        return told(lambda: y.backward(gl.ones(3, 4)))

    for function in WRITERS:
        check(lambda x, b: function.apply(x, b), lambda number: world(), after=write)  # noqa: B023


def test_what_an_operation_has_saved_as_well_is_compared_by_version() -> None:
    class Reads(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, b: Any) -> Any:
            ctx.b = b
            return x * 2.0

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.b, None

    def written(y: Any, x: Any, b: Any) -> Any:
        b.add_(1.0)
        return told(lambda: y.backward(gl.ones(3, 4)))

    for program in (lambda x, b: Reads.apply(x, b), lambda x, b: Reads.apply(x * b, b), lambda x, b: x * b + b):
        check(program, lambda number: world(), after=written)


# -- inside of it ------------------------------------------------------------------------------------------------------
@pytest.mark.spec("S3.03")
@pytest.mark.parametrize("function", WRITERS)
def test_inside_the_call_it_is_a_write_like_any_other(function: Any) -> None:
    def step(x: Any, b: Any) -> Any:
        y = function.apply(x * 1.5, b)
        (y * y).sum().backward()
        after = b * 2.0
        b.add_(1.0)
        return y.detach(), after

    check(step, arguments=world, kernels=True)


def test_what_another_operation_has_saved_is_eager_modes_when_backward_writes_it_first() -> None:
    def step(x: Any, b: Any) -> Any:
        y = WriteAttribute.apply(x * b, b)
        y.sum().backward()
        return y.detach()

    check(step, lambda number: world(), breaks=None)
    check(lambda x, b: WriteAttribute.apply(x * b, b), lambda number: world(), after=backward, breaks=None)
    check(lambda x, b: WriteAttribute.apply(x, b) * b, lambda number: world(), after=backward)


# -- what is known of it -----------------------------------------------------------------------------------------------
@pytest.mark.spec("S3.01", "S3.10")
def test_facts_of_memory_tell_forward_from_backward_and_are_never_changed() -> None:
    def program(x: Any, b: Any, c: Any) -> Any:
        with gl.no_grad():
            b.mul_(3.0)
        return WriteAttribute.apply(x, c) + b

    later = later_of(gl.jit(program, fullgraph=True)(*world(), normal(3, 4)))
    assert [str(each) for each in later.memory] == [
        "x (requires grad): not written",
        "b: written in forward",
        "c: not written",
    ]
    assert [str(each) for each in later.memory_after] == [
        "x (requires grad): not written",
        "b: written in forward",
        "c: written in backward",
    ]
    assert [each.in_backward for each in later.memory] == [None] * 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        later.memory[0].in_backward = True
    later = later_of(gl.jit(lambda x, b: WriteBoth.apply(x, b))(*world()))
    assert str(later.memory_after[1]) == "b: written in forward and backward"


@pytest.mark.spec("S3.11")
def test_each_half_has_the_writes_that_the_program_makes_in_it() -> None:
    def program(x: Any, b: Any, c: Any) -> Any:
        with gl.no_grad():
            b.mul_(3.0)
        return WriteIntermediate.apply(WriteAttribute.apply(x, c)) + b

    fast = gl.jit(program, fullgraph=True)
    y = fast(*world(), normal(3, 4))
    (entry,) = state_of(fast).points[0].entries
    forward, later = (
        print_graph(each) for each in (entry.details["traced"], y.grad_fn.history.backward_pass.step.pair.backward)
    )
    assert [line.split()[1] for line in forward.splitlines() if line.strip().startswith("write")] == ["%b"]
    assert [line.split()[1] for line in later.splitlines() if line.strip().startswith("write")] == ["%c", "%input"]


# -- models ------------------------------------------------------------------------------------------------------------
class Holder(nn.Module):
    """A weight and a buffer that a custom function is given."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function, self.weight = function, leaf(3, 4, seed=3)
        self.register_buffer("b", gl.ones(3, 4))

    def forward(self, x: Any) -> Any:
        """The function of both."""
        return self.function.apply(x * self.weight, self.b)


def replaced(number: int, m: Any, x: Any) -> None:
    m.b, m.weight = gl.ones(3, 4) * number, leaf(3, 4, seed=10 + number)


@pytest.mark.parametrize("lift", [True, False])
@pytest.mark.parametrize("function", [WriteSaved, WriteBoth, WriteAttribute])
def test_buffers_of_models_are_written_also_when_they_were_replaced(function: Any, lift: bool) -> None:
    def make() -> Sequence[Any]:
        return [Holder(function), normal(3, 4)]

    with gl.config.patch(lift_constants=lift):
        check(lambda m, x: m(x), arguments=make, change=replaced, after=twice, calls=4)


def test_a_backward_belongs_to_the_buffer_of_its_forward() -> None:
    m, x = Holder(WriteSaved), normal(3, 4)
    fast = gl.jit(lambda x: m(x))
    y, before = fast(x), m.b
    replaced(2, m, x)
    fast(x)
    y.sum().backward()
    assert (before[0].numpy() == 7.0).all() and (m.b.numpy() == 2.0).all()
