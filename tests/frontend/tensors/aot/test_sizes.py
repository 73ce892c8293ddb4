"""Histories of results whose sizes change: gradients from outside are those of eager mode, from two compiles."""

from __future__ import annotations

import json
import threading
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import backward, check, interpreted, leaf, normal, same
from frontend.tensors.test_sizes import SIZES, compiles

import guardlift as gl
from guardlift import nn
from guardlift.autograd import grad
from guardlift.autograd.graph import inlineable, saved_tensors_hooks
from guardlift.backend.cpu.compiler.kernels import statistics
from guardlift.frontend import state_of

F = nn.functional
Tensor = Any


def rows(number: int) -> list[Tensor]:
    return [normal(SIZES[number], 3).requires_grad_(), leaf(3, 2)]


def loss(x: Tensor, w: Tensor) -> Tensor:
    return (x @ w).tanh().square().mean()


def activations(x: Tensor, w: Tensor) -> Tensor:
    return (x @ w).exp() / x.size(0)


def two_results(x: Tensor, w: Tensor) -> Any:
    hidden = (x @ w).tanh()
    return hidden, (hidden * hidden).sum(0) + x.size(0), x.detach() * 2


def one_behind_the_other(x: Tensor, w: Tensor) -> Any:
    first = (x @ w).sigmoid()
    return first, F.softmax(first, 0) * first.size(0)


def transposed(x: Tensor, w: Tensor) -> Any:
    return (w.t() @ x.t()).t().reshape(-1)[1:] * 2


@pytest.fixture(autouse=True)
def loud() -> Any:
    with gl.config.patch(raise_internal_errors=True, verify_graphs=True):
        yield


@pytest.mark.spec("S7.06")
@pytest.mark.parametrize("program", [loss, activations, two_results, one_behind_the_other, transposed])
def test_gradients_of_many_sizes_come_from_two_compiles(program: Any) -> None:
    check(program, rows, calls=len(SIZES), after=backward, compiles=2)


@pytest.mark.parametrize("program", [loss, one_behind_the_other])
def test_no_kernel_is_compiled_for_a_size_alone(program: Any) -> None:
    fast, w, compiled = gl.jit(program), leaf(64, 8), []
    for size in (70, 80, 90, 71, 200, 300, 57):
        x = normal(size, 64, seed=size)
        results = [program(x, w), fast(x, w)]
        gradients = []
        for each in results:
            w.grad = None
            backward(each)
            gradients.append(w.grad)
        same([results[0], gradients[0]], [results[1], gradients[1]], relative=1e-4)
        compiled.append(statistics.compiled)
    assert len(set(compiled[4:])) == 1  # the fifth size brings the plan for many


def test_sizes_0_and_1_are_compiled_apart() -> None:
    sizes = (4, 6, 1, 0, 7, 1, 0)
    check(activations, lambda k: [normal(sizes[k], 3), leaf(3, 2)], calls=7, after=backward, compiles=4)


def test_calls_that_wait_for_their_backward_in_any_order() -> None:
    fast = gl.jit(activations)
    with interpreted():
        worlds: list[Any] = []
        for function in (activations, fast):
            w = leaf(3, 2)
            results = [function(normal(size, 3, seed=size), w) for size in SIZES]
            for place in (3, 0, 6, 1, 2, 5, 4):
                results[place].square().sum().backward()
            worlds.append([w, results])
        same(*worlds)
    assert compiles(fast) == 2


def test_gradients_of_gradients() -> None:
    def penalty(result: Tensor, x: Tensor, w: Tensor) -> Tensor:
        (first,) = grad(result, x, create_graph=True)
        return first.square().sum().backward()

    check(loss, rows, calls=len(SIZES), after=penalty, compiles=2)


def test_a_graph_that_is_kept_and_one_that_is_freed() -> None:
    def twice(result: Tensor, x: Tensor, w: Tensor) -> None:
        result.backward(retain_graph=True)
        result.backward()
        result.backward()

    check(loss, rows, calls=len(SIZES), after=twice, compiles=2)


def test_hooks_on_saved_tensors_see_tensors_of_the_calls_sizes() -> None:
    worlds = []
    fast = gl.jit(loss)
    with interpreted():
        for function in (loss, fast):
            w, seen = leaf(3, 2), []
            for size in (4, 6, 5, 8):
                with saved_tensors_hooks(lambda x, seen=seen: seen.append(x.shape[0]) or x.clone(), lambda x: x):  # type: ignore[misc]
                    result = function(normal(size, 3, seed=size), w)
                result.backward()
            worlds.append([w, {4, 6, 5, 8} <= set(seen)])
        same(*worlds)
    assert compiles(fast) == 2


def test_a_model_whose_activations_are_kept() -> None:
    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm, self.inner = nn.LayerNorm(4), nn.Linear(4, 4)
            for number, each in enumerate(self.parameters()):
                each.data = normal(*each.shape, seed=number)

        def forward(self, x: Tensor) -> Tensor:
            heads = self.norm(x).view(x.size(0), x.size(1), 2, 2).transpose(1, 2)
            mixed = (heads @ heads.transpose(-1, -2) / 2**0.5).softmax(-1) @ heads
            return x + self.inner(mixed.transpose(1, 2).reshape(x.shape))

    shapes = [(2, 3), (5, 3), (5, 6), (3, 4), (7, 2), (2, 9)]
    models = [Block(), Block()]
    fast = gl.jit(lambda x: models[1](x))
    with interpreted():
        for number, shape in enumerate(shapes):
            x = normal(*shape, 4, seed=number)
            results = [models[0](x), fast(x)]
            for each in results:
                each.square().mean().backward()
            same([models[0], results[0]], [models[1], results[1]], relative=1e-4)
    assert compiles(fast) == 2


@pytest.mark.parametrize("dynamic", [True, False])
def test_the_argument_decides(dynamic: bool) -> None:
    fast = gl.jit(dynamic=dynamic)(loss)
    with interpreted():
        for number in range(len(SIZES)):
            ours, theirs = rows(number), rows(number)
            results = [loss(*ours), fast(*theirs)]
            for each in results:
                each.backward()
            same([results[0], ours], [results[1], theirs])
    assert compiles(fast) == (1 if dynamic else 6)


def test_what_the_symbols_are_stands_in_the_record() -> None:
    fast = check(activations, rows, calls=3, after=backward, compiles=2)
    (record,) = state_of(fast).entries[0].details["aot"]
    text = "\n".join(record.lines())
    assert "f32[x.shape[0], 2]" in text


# Saved-tensor hooks that are inlined.
@inlineable
def narrowed(x: Tensor) -> Any:
    return x.dtype, x.to(gl.bfloat16), x.size(1)


@inlineable
def widened(packed: Any) -> Tensor:
    dtype, narrow, columns = packed
    return narrow.to(dtype).reshape(-1, columns)


@inlineable
def flattened(x: Tensor) -> Any:
    return x.reshape(-1) * 0.5, x.size(0), x.size(1)


@inlineable
def restored(packed: Any) -> Tensor:
    flat, rows, columns = packed
    return flat.view(rows, columns) * 2


@pytest.mark.spec("S2.26", "S2.27")
@pytest.mark.parametrize(("pack", "unpack"), [(narrowed, widened), (flattened, restored)])
@pytest.mark.parametrize("mode", ["donated", "no_static", "all"])
def test_hooks_may_read_sizes(pack: Any, unpack: Any, mode: str) -> None:
    fast = gl.jit(loss)
    with interpreted(), gl.config.patch(saved_tensors_hooks_filtering_mode=mode):
        for number in range(len(SIZES)):
            worlds = [rows(number), rows(number)]
            for function, world in zip((loss, fast), worlds, strict=True):
                with saved_tensors_hooks(pack, unpack):
                    result = function(*world)
                result.backward()
            same(*worlds, relative=1e-5 if pack is flattened else 0.1)
    assert compiles(fast) == 2


@pytest.mark.spec("S2.27")
def test_a_size_that_a_hook_keeps_is_a_symbol_of_its_own() -> None:
    fast = gl.jit(lambda x, w: (x.sin() @ w).sum())
    with interpreted(), gl.config.patch(saved_tensors_hooks_filtering_mode="all"):
        for columns in (3, 5, 4):
            with saved_tensors_hooks(narrowed, widened):
                fast(normal(6, columns).requires_grad_(), leaf(columns, 2)).backward()
    (record,) = state_of(fast).entries[0].details["aot"]
    told = json.loads(record.as_json())
    given = told["backward inputs"]
    hooked = [name for name in told["symbols"] if "_hook_" in name]
    assert hooked and all(name.endswith("_hook_2") for name in hooked)
    assert all(name.endswith("_hook_1") for name in told["kept"])
    assert given[: len(told["symbols"])] == list(told["symbols"])
    backward_text = next(each["text"] for each in told["dumps"] if each["title"].startswith("backward graph with"))
    lines = backward_text.splitlines()
    assert f"  {hooked[0]}: size = x.shape[1]" in lines
    assert "_hook_0" not in backward_text


# Custom functions.
class Centred(gl.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        ctx.count = x.size(0)
        return x * x / x.size(0)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return gradient * 2 * x / ctx.count


SCALE = 2


class ReadsLater(gl.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.shape = x.shape
        return x.mean(0)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        return gradient.expand(ctx.shape) * SCALE / ctx.shape[0]


@pytest.mark.parametrize("custom", [Centred, ReadsLater])
def test_custom_functions_keep_sizes(custom: Any) -> None:
    def program(x: Tensor, w: Tensor) -> Tensor:
        return custom.apply(x @ w).sum()

    check(program, rows, calls=len(SIZES), after=backward, compiles=2)


def test_threads_that_call_with_sizes_of_their_own() -> None:
    fast, w, wrong = gl.jit(loss), leaf(3, 2), []

    def work(seed: int) -> None:
        for size in np.random.default_rng(seed).integers(2, 12, 20):
            x = normal(size, 3, seed=size)
            for function in (loss, fast):
                (gradient,) = grad(function(x, w), w)
                if not np.allclose(gradient.numpy(), grad(loss(x, w), w)[0].numpy(), 1e-3, 1e-5):
                    wrong.append(size)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert compiles(fast) == 2
