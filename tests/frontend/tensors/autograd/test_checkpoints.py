"""Checkpoints that compiled code takes in, beside what eager mode makes of the same ones."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import drawing_alike, leaf, normal, same

import guardlift as gl
from guardlift import nn, optim
from guardlift.autograd import Function, checkpoint, checkpoint_sequential
from guardlift.frontend import state_of
from guardlift.frontend.dispatch.jitted_callees import CallSite
from guardlift.nn import functional as F

pytestmark = pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")


class Counter(nn.Module):
    """A block that notes in a buffer how often it ran, at the beginning or at the end."""

    def __init__(self, *, first: bool) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.first = first
        self.register_buffer("ran", gl.zeros(1))

    def forward(self, x: Any) -> Any:
        if self.first:
            self.ran.add_(1)
        x = F.gelu(self.linear(x)).sin()
        if not self.first:
            self.ran.add_(1)
        return x


class Listed(nn.Module):
    """A block that appends to a list of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.linear, self.seen = nn.Linear(4, 4), []

    def forward(self, x: Any) -> Any:
        self.seen.append(x.shape[0])
        return self.linear(x).exp()


class Pair(nn.Module):
    """A block with arguments of several kinds, and two results."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, pair: Any, scale: float, *, table: Any) -> Any:
        x, y = pair
        hidden = F.dropout(self.linear(x) * table["w"], 0.3) * scale
        return hidden.tanh(), y * 2 + hidden.exp()


class Square(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * g


def block(drop: float = 0.0) -> nn.Module:
    return nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Dropout(drop), nn.Linear(8, 4), nn.LayerNorm(4))


def plain(model: Any, x: Any) -> Any:
    return checkpoint(model, x)


def chained(model: Any, x: Any) -> Any:
    return checkpoint(model, checkpoint(model, x) + x)


def kept(model: Any, x: Any) -> Any:
    return x + checkpoint(model, x, use_reentrant=False, early_stop=False, determinism_check="none")


def without_grad(model: Any, x: Any) -> Any:
    with gl.no_grad():
        return checkpoint(model, x) + x * 0


def sequential(model: Any, x: Any) -> Any:
    return checkpoint_sequential(model, 3, x)


def closure(model: Any, x: Any) -> Any:
    def run() -> Any:
        return model(x).relu()

    return checkpoint(run) + gl.rand_like(x)


def several(model: Any, x: Any) -> Any:
    first, second = checkpoint(model, (x, x + 1), 0.5, table={"w": x.sin()})
    return first * second


def nothing_saved(model: Any, x: Any) -> Any:
    return model(x) + checkpoint(lambda t: t + 1, x)


def drawing_around(model: Any, x: Any) -> Any:
    noise = gl.randn(4)
    y = checkpoint(model, x + noise)
    return F.dropout(y, 0.2) + checkpoint(model, y)


MODELS: dict[str, tuple[Callable[[], nn.Module], Callable[..., Any]]] = {
    "plain": (block, plain),
    "chained": (block, chained),
    "options": (block, kept),
    "no_grad": (block, without_grad),
    "sequential": (block, sequential),
    "closure": (block, closure),
    "several": (Pair, several),
    "nothing_saved": (block, nothing_saved),
    "dropout": (lambda: block(0.4), plain),
    "drawing_around": (lambda: block(0.4), drawing_around),
    "writes_first": (lambda: Counter(first=True), plain),
    "numpys_numbers_first": (block, lambda model, x: checkpoint(lambda t: model(t * float(NUMPYS.random())), x)),
    "pythons_numbers_first": (block, lambda model, x: checkpoint(lambda t: model(t * PYTHONS.gauss(1, 1)), x)),
}
"""Each in one graph: the model, and the forward pass over it."""

LEFT: dict[str, tuple[Callable[[], nn.Module], Callable[..., Any], str]] = {
    "writes_last": (lambda: Counter(first=False), plain, "B423"),
    "appends": (Listed, plain, "B423"),
    "nested": (block, lambda model, x: checkpoint(lambda t: checkpoint(model, t).sin(), x), "B423"),
    "custom_function": (block, lambda model, x: checkpoint(lambda t: Square.apply(model(t)), x), "B423"),
    "other_numbers": (lambda: block(0.4), lambda model, x: checkpoint(model, x, preserve_rng_state=False), "B423"),
    "numpys_numbers": (block, lambda model, x: checkpoint(lambda t: model(t) * float(NUMPYS.random()), x), "B423"),
    "pythons_numbers": (block, lambda model, x: checkpoint(lambda t: model(t) * PYTHONS.random(), x), "B423"),
    "seeds": (block, lambda model, x: checkpoint(lambda t: [gl.manual_seed(4), model(t)][1], x), "B423"),
}
"""Such as are left to Python, and the code of the break that tells of it."""
NUMPYS, PYTHONS = np.random.default_rng(0), random.Random(0)


def trained(name: str, jitted: bool, steps: int = 4) -> tuple[list[Any], Any]:
    """The losses and all state after some steps, and the report of the jitted step."""
    make, forward = {**MODELS, **LEFT}[name][:2]
    gl.manual_seed(0)
    NUMPYS.bit_generator.state = np.random.default_rng(0).bit_generator.state
    PYTHONS.seed(0)
    model, inputs = make(), leaf(3, 4)
    optimizer = optim.SGD([*model.parameters(), inputs], lr=0.1)

    def step(target: Any) -> Any:
        loss = ((forward(model, inputs * 1.5) - target) ** 2).mean()
        optimizer.zero_grad()
        if loss.requires_grad:
            loss.backward()
        optimizer.step()
        return loss.detach()

    run = gl.jit(step) if jitted else step
    losses = [run(normal(3, 4, seed=k)) for k in range(steps)]
    found = [
        *losses,
        model,
        inputs,
        [each.grad for each in model.parameters()],
        gl.get_rng_state(),
        [NUMPYS.random(), PYTHONS.random()],  # which tell how far they have been read
        vars(model).get("seen"),
    ]
    return found, gl.explain(run) if jitted else None


@pytest.mark.parametrize("name", [*MODELS, *LEFT])
def test_a_step_with_checkpoints_trains_as_in_eager_mode(name: str) -> None:
    expected, _ = trained(name, jitted=False)
    found, report = trained(name, jitted=True)
    same(expected, found, relative=2e-4)  # kernels that are fused otherwise, over four steps
    assert sorted({each.code for each in report.breaks}) == [LEFT[name][2]] if name in LEFT else not report.breaks, (
        report
    )


def arena(report: Any) -> int:
    return int(re.search(r"arena of (\d+) bytes", str(report)).group(1))  # type: ignore[union-attr]


def test_what_a_checkpoint_saves_is_not_kept() -> None:
    def step(checkpointed: bool) -> int:
        gl.manual_seed(0)
        layers = nn.ModuleList([nn.Sequential(nn.Linear(16, 64), nn.GELU(), nn.Linear(64, 16)) for _ in range(4)])

        @gl.jit
        def run(x: Any) -> Any:
            for layer in layers:
                x = checkpoint(layer, x) if checkpointed else layer(x)
            x.square().mean().backward()

        run(normal(256, 16))
        return arena(gl.explain(run))

    assert step(True) < step(False) / 2


def test_two_backward_passes_run_the_function_twice_more() -> None:
    def run(model: Any, x: Any) -> Any:
        loss = checkpoint(model, x).sum()
        first = gl.autograd.grad(loss, [x], retain_graph=True)
        return *first, *gl.autograd.grad(loss, [x])

    counters = [Counter(first=True), Counter(first=True)]
    counters[1].load_state_dict(counters[0].state_dict())
    jitted = gl.jit(run)
    for _ in range(2):
        same(run(counters[0], leaf(3, 4)), jitted(counters[1], leaf(3, 4)))
    assert counters[1].ran.item() == counters[0].ran.item() == 6
    assert not gl.explain(jitted).breaks


def test_an_argument_that_is_written_behind_a_checkpoint_is_an_error_as_in_eager_mode() -> None:
    def run(model: Any, x: Any) -> Any:
        y = x * 2
        loss = checkpoint(model, y).sum()
        with gl.no_grad():
            y.add_(1)
        loss.backward()

    model, jitted = block(), gl.jit(run)
    for _ in range(2):
        plain, compiled = drawing_alike(1, lambda: run(model, leaf(3, 4)), lambda: jitted(model, leaf(3, 4)))
        assert plain[0] is RuntimeError and plain == compiled


def test_a_weight_that_is_written_behind_a_checkpoint_counts_as_in_eager_mode() -> None:
    def run(model: Any, x: Any) -> Any:
        loss = checkpoint(model, x).sum()
        with gl.no_grad():
            model[0].weight.add_(1)
        loss.backward()
        return x.grad

    jitted = gl.jit(run)
    for _ in range(2):
        results = []
        for each in (run, jitted):
            gl.manual_seed(3)
            model, x = block(), leaf(3, 4)
            results.append(drawing_alike(1, lambda each=each, model=model, x=x: each(model, x))[0])
        same(results[0], results[1])


def test_a_jitted_forward_alone_is_told_and_has_the_same_gradients() -> None:
    model = block()

    def forward(x: Any) -> Any:
        return checkpoint(model, x).sin()

    jitted = gl.jit(forward)
    results = []
    for run in (forward, jitted, jitted):
        x = leaf(3, 4)
        model.zero_grad()
        run(x).sum().backward()
        results.append([x.grad, *(each.grad.clone() for each in model.parameters())])
    same(results[0], results[1])
    same(results[0], results[2])
    assert [each.code for each in gl.explain(jitted).breaks] == ["B427"]


def test_what_is_given_to_a_checkpoint_that_python_runs_is_compiled_for_itself() -> None:
    layers = nn.ModuleList([block() for _ in range(3)])

    @gl.jit
    def forward(x: Any) -> Any:
        for layer in layers:
            x = checkpoint(layer, x)
        return x

    for _ in range(5):
        forward(leaf(3, 4)).sum().backward()
    compiled = state_of(CallSite()(layers[0]).__func__)
    assert compiled is not None and any(each.details and not each.plain for each in compiled.entries)


def test_what_else_is_given_to_a_function_that_checkpoints_stays_what_it_is() -> None:
    model = nn.Sequential(block(), block(), block())

    @gl.jit
    def forward(x: Any) -> Any:
        return checkpoint_sequential(model, 2, x)

    def counted(layers: Any, x: Any) -> Any:
        return checkpoint(layers, x) * len(layers)

    for run, plain in ((forward, model), (gl.jit(lambda x: counted(model, x)), lambda x: model(x) * 3)):
        x = leaf(3, 4)
        for _ in range(2):
            same(run(x), plain(x))


def test_memory_of_the_call_that_is_written_behind_the_last_saved_value() -> None:
    model = block()

    def run(x: Any) -> Any:
        count = gl.zeros(1)

        def counted(t: Any) -> Any:
            y = model(t).sin()
            count.add_(1)
            return y

        checkpoint(counted, x).sum().backward()
        return count, x.grad

    jitted = gl.jit(run)
    for _ in range(2):
        same(run(leaf(3, 4)), jitted(leaf(3, 4)))


def test_a_list_of_the_call_to_which_the_function_appends() -> None:
    model = block()

    def forward(x: Any) -> Any:
        seen: list[int] = []

        def noting(t: Any) -> Any:
            seen.append(t.shape[0])
            return model(t).exp()

        return checkpoint(noting, x), seen

    jitted = gl.jit(forward)
    for run in (forward, jitted, jitted):
        y, seen = run(leaf(3, 4))
        y.sum().backward()
        assert seen == [3, 3]
