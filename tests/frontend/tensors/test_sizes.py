"""Tensors whose sizes change: compiled twice, for the first sizes and for all others, and eager mode at every size."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check, interpreted, normal, outcome, same

import guardlift as gl
from guardlift import nn
from guardlift.backend.cpu.compiler.kernels import statistics
from guardlift.frontend import state_of

F = nn.functional
SIZES = (6, 7, 4, 11, 30, 5, 7)

EXPRESSIONS = """
    x * 2 + 1 | x.view(x.size(0), -1) * 2 | x.reshape(-1, 2) + 1 | x.mean(0) + x.mean(1, keepdim=True) | x.t() * 2
    F.softmax(x, -1) + F.softmax(x, 0) | x @ gl.ones(4, 3) | x @ x.t() | gl.einsum('ij,kj->ik', x, x)
    x * gl.arange(x.size(0)).unsqueeze(1) | gl.arange(1, len(x) + 1).float()
    gl.cat([x, x + 1]) | x.sum() / x.size(0)
    gl.stack([x, x], 1) | x.unsqueeze(1).expand(x.size(0), 3, 4) * 2 | x[1:] * x[:-1] + x[-1] | x[:, 1] * 3
    (x + 1, x.size(0), len(x), x.shape[0] * 2, x.shape, x.numel()) | gl.zeros(x.size(0), 4) + x | x.repeat(2, 1)
    gl.full((len(x),), 2.5) + gl.ones(x.size(0)) * x.size(0) | F.layer_norm(x, (4,)) | x.var(0) + x.std() | x.cumsum(0)
    x.max(0) | x.argmax(1) | x.norm() | x.prod(0) | gl.where(x > 0.5, x, gl.zeros_like(x)) | x.flip(0) | x.roll(1, 0)
    (x @ x.t()).tril() | (x.argmax(1) == x.argmin(1)).sum().item() / len(x) | x * (x.size(0) / 2) | x / x.size(0) ** 0.5
    x.view(x.size(0), 2, 2).transpose(1, 2).reshape(x.size(0), -1)
    x.view(len(x), 2, 2).permute(2, 0, 1).flatten(1) + 1
    F.cross_entropy(x, gl.arange(x.size(0)) % 4) | x[gl.arange(x.size(0)), 1]
    gl.tensor(x.size(0)) + gl.tensor([1, len(x)])
    x.gather(1, gl.zeros(x.size(0), 1).long()) | x.sum().item() * x.size(0)
    F.embedding((gl.arange(len(x)) * 3) % 5, gl.ones(5, 2)) | x.clone().mul_(1.5).add_(1)
    x.t().contiguous() + 1 | (x.t() * 2).softmax(0) | x.squeeze().unsqueeze(0) * 2 | F.relu(x) + F.gelu(x)
"""


def expressions(text: str) -> list[str]:
    return [each.strip() for line in text.strip().splitlines() for each in line.split("|")]


def compiles(function: Any) -> int:
    """The number of entries that were compiled."""
    return sum(event.kind in ("compile", "recompile") for event in state_of(function).history)  # type: ignore[union-attr]


def facts(function: Any) -> list[str]:
    """The facts about sizes that the last entry relied on."""
    return state_of(function).entries[0].details["binding"].fit.relations()  # type: ignore[union-attr, no-any-return]


def matrices(*sizes: int) -> Callable[[int], list[Any]]:
    return lambda number: [normal(sizes[number], 4)]


# Without a history.
@pytest.mark.spec("S7.06")
@pytest.mark.parametrize("expression", expressions(EXPRESSIONS))
def test_an_expression_is_compiled_twice(expression: str) -> None:
    function = eval(f"lambda x: {expression}", {"gl": gl, "F": F})
    with gl.config.patch(raise_internal_errors=True, verify_graphs=True):
        check(function, matrices(*SIZES), calls=len(SIZES), compiles=2)


@pytest.mark.slow
def test_no_kernel_is_compiled_for_a_size_alone() -> None:
    other = gl.jit(lambda x: x + 1)
    for size in (3, 4, 5, 6, 7):
        other(normal(size, 16))  # what runs plans for any size is compiled once for all functions

    @gl.jit
    def f(x: Any) -> Any:
        return F.layer_norm(x, (16,)).mean(0), x.var(1).mean()

    compiled = []
    for size in (70, 80, 90, 71, 200):
        x = normal(size, 16)
        same(f.__wrapped__(x), f(x), 1e-4)  # type: ignore[attr-defined]
        compiled.append(statistics.compiled)
    assert len(set(compiled[2:])) == 1


@pytest.mark.spec("S7.06")
@pytest.mark.parametrize(("dynamic", "count"), [(False, 6), (None, 2), (True, 1)])
def test_a_second_size_makes_sizes_symbolic(dynamic: bool | None, count: int) -> None:
    @gl.jit(dynamic=dynamic)
    def f(x: Any) -> Any:
        return x * 2.0 + x.sum()

    with interpreted():
        for size in SIZES:
            x = normal(size, 4)
            same(f.__wrapped__(x), f(x))  # type: ignore[attr-defined]
    assert compiles(f) == count


@pytest.mark.spec("S7.06")
def test_the_setting_turns_it_off() -> None:
    with gl.config.patch(dynamic_sizes=False):
        check(lambda x: x + 1, matrices(*SIZES), calls=len(SIZES), compiles=6)


def test_sizes_0_and_1_are_compiled_apart() -> None:
    check(lambda x: x - x.sum(0), matrices(3, 5, 1, 0, 6, 1, 0, 7), calls=8, compiles=4)


def test_sizes_that_do_not_fit_are_eager_modes_error() -> None:
    rows = [(3, 3), (4, 4), (5, 5), (5, 4), (5, 1), (1, 5), (7, 7), (7, 6)]

    def f(x: Any, y: Any) -> Any:
        return (x + y).sum(1) * x.size(0)

    fast = check(f, lambda k: [normal(2, rows[k][0]), normal(rows[k][1])], calls=3)
    assert check(f, lambda k: [normal(2, rows[k][0]), normal(rows[k][1])], calls=len(rows), breaks=None)
    with pytest.raises(RuntimeError, match=r"The size of tensor a \(6\) must match the size of tensor b \(4\)"):
        fast(normal(2, 6), normal(4))


def test_a_condition_on_a_size_is_a_fact() -> None:
    def f(x: Any) -> Any:
        if x.size(0) == 4:
            return x + 1
        return x - 1 if len(x) % 2 else x * 3

    fast = check(f, matrices(5, 3, 4, 7, 6, 4, 8, 9, 12), calls=9, compiles=4)
    assert facts(fast) == ["x.shape[0] != 4", "x.shape[0] % 2 == 0"]


def test_what_needs_an_int_is_compiled_for_each_size() -> None:
    def f(x: Any) -> Any:
        total = 0
        for k in range(1, x.size(0)):
            total = total * 2 + k
        return x * total

    check(f, matrices(3, 4, 5, 4, 6), calls=5, compiles=4)


def test_a_loop_over_the_rows_is_compiled_for_all_sizes() -> None:
    def f(x: Any) -> Any:
        total = x[0]
        for k in range(1, x.size(0)):
            total = total * 0.5 + x[k]
        return total

    check(f, matrices(3, 4, 5, 4, 6), calls=5, compiles=2)


LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "transposed": lambda x: x.t(),
    "every second": lambda x: x[:, ::2],
    "a part": lambda x: x[1:, 1:],
    "repeated": lambda x: x[0].expand(x.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_results_lie_in_memory_as_eager_modes_do(layout: str) -> None:
    def f(x: Any) -> Any:
        return x + 1, x.t() * 2, x.sum(0), x.reshape(-1) + 1, x.mean(1, keepdim=True), x @ gl.ones(x.size(1), 2)

    shapes = [(4, 6), (6, 4), (6, 6), (7, 10), (8, 5)]
    for every in (1, 2):
        make = lambda k: [LAYOUTS[layout](normal(*shapes[k])) if k % every == 0 else normal(*shapes[k])]  # noqa: B023, E731
        check(f, make, calls=len(shapes), breaks=None)


def test_a_call_that_writes_into_its_arguments() -> None:
    def f(x: Any, y: Any) -> Any:
        x[1:-1] += y[:-2]
        x[::2] = x[::2] * 2
        y.mul_(x.size(0))
        return x.sum()

    sizes = (3, 5, 6, 7, 4, 8)  # even ones and odd ones, whose last row a step of 2 meets
    check(f, lambda k: [normal(sizes[k], 4), normal(sizes[k], 4, seed=1)], calls=len(sizes), compiles=3)


def test_an_int_that_is_a_size_too() -> None:
    def f(x: Any, count: int) -> Any:
        return x[:count] * 2, gl.zeros(count, 3), x.view(count, -1).sum(1)

    check(f, lambda k: [normal(2 * SIZES[k], 4), SIZES[k]], calls=len(SIZES), breaks=None, compiles=2)


@pytest.mark.parametrize("dynamic", [None, True])
def test_an_int_that_is_only_a_number_stays_an_argument(dynamic: bool | None) -> None:
    @gl.jit(dynamic=dynamic)
    def f(x: Any, times: int) -> Any:
        return x * times + x.size(0)

    with interpreted():
        for size, times in ((4, 2), (5, 3), (5, 4), (5, 7), (6, 8), (6, 9)):
            same(f.__wrapped__(normal(size, 3), times), f(normal(size, 3), times))  # type: ignore[attr-defined]
    assert compiles(f) == (1 if dynamic else 2)
    binding = state_of(f).entries[0].details["binding"]  # type: ignore[union-attr]
    assert len(binding.bindings) == (3 if dynamic else 2)


def test_calls_go_on_behind_a_break() -> None:
    def f(x: Any) -> Any:
        y = (x * 2).sum(1)
        str(y.tolist())
        rows = x.size(0)
        x = y + 1
        return x.sum() / rows, rows

    check(f, matrices(*SIZES), calls=len(SIZES), breaks=None)


# Whole steps.
class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 5), nn.Linear(5, 3)
        for number, each in enumerate(self.parameters()):
            each.data = normal(*each.shape, seed=number)

    def forward(self, x: Any) -> Any:
        return self.second(self.first(x).relu())


OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "SGD": lambda each: gl.optim.SGD(each, lr=0.1),
    "momentum": lambda each: gl.optim.SGD(each, lr=0.1, momentum=0.9),
    "AdamW": lambda each: gl.optim.AdamW(each, lr=0.01),
}


def labels(size: int) -> Any:
    return gl.from_numpy(np.arange(size) % 3)


def step(model: Any, optimizer: Any, x: Any, y: Any) -> Any:
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.detach(), loss.item() * x.size(0)


def trained(name: str, sizes: tuple[int, ...], **options: Any) -> Any:
    """A step jitted for one model, after it was compared at batches of these sizes with a step that was not."""
    worlds: list[Any] = []
    for jit in (lambda function: function, lambda function: gl.jit(function, **options)):
        model = Network()
        optimizer = OPTIMIZERS[name](model.parameters())
        function = jit(lambda x, y, model=model, optimizer=optimizer: step(model, optimizer, x, y))
        worlds.append((function, model, optimizer))
    with interpreted(), gl.config.patch(raise_internal_errors=True, verify_graphs=True):
        for number, size in enumerate(sizes):
            x, y = normal(size, 4, seed=number), labels(size)
            same(*([outcome(lambda: function(x, y)), model, optimizer] for function, model, optimizer in worlds))  # noqa: B023
    return worlds[1]


@pytest.mark.spec("S7.06")
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_step_is_compiled_twice_however_large_batches_are(name: str) -> None:
    function, _, _ = trained(name, (8, 8, 8, 5, 8, 8, 3, 8, 6, 8))
    assert compiles(function) == (3 if name == "momentum" else 2)  # whose second step finds another state


def test_a_step_with_symbolic_sizes_from_the_start() -> None:
    function, _, _ = trained("SGD", SIZES, dynamic=True)
    assert compiles(function) == 1
    assert facts(function) == ["x.shape[1] == 4", "y.shape[0] == x.shape[0]"]


def test_batches_of_one_are_compiled_apart() -> None:
    function, _, _ = trained("AdamW", (8, 5, 1, 8, 1, 5))
    assert compiles(function) == 3


def test_a_wrong_number_of_labels_is_eager_modes_error() -> None:
    function, _, _ = trained("SGD", (8, 5, 8))
    plain = outcome(lambda: F.cross_entropy(normal(8, 3), labels(5)))
    found = outcome(lambda: function(normal(8, 4), labels(5)))
    assert found[:2] == plain[:2]


def test_gradients_that_are_added_to() -> None:
    def accumulate(model: Any, x: Any) -> Any:
        loss = model(x).square().mean()
        loss.backward()
        return loss.detach()

    models = [Network(), Network()]
    fast = gl.jit(lambda x: accumulate(models[1], x))
    with interpreted(), gl.config.patch(check_assumptions=True):
        for size in (6, 6, 5, 4, 7, 6):
            x = normal(size, 4, seed=size)
            same([accumulate(models[0], x), models[0]], [fast(x), models[1]])
    assert compiles(fast) == 3  # without a gradient, with one, and for all sizes


def test_new_memory_links_the_entry_again() -> None:
    function, model, optimizer = trained("AdamW", (8, 5, 8))
    twin = Network()
    other = OPTIMIZERS["AdamW"](twin.parameters())
    for each in (model, twin):
        for number, parameter in enumerate(each.parameters()):
            parameter.data = normal(*parameter.shape, seed=10 + number)
    other.load_state_dict(optimizer.state_dict())
    with interpreted():
        for size in (8, 6, 5):
            x, y = normal(size, 4, seed=size), labels(size)
            same(step(twin, other, x, y), function(x, y))
            same(
                [each.detach().numpy() for each in twin.parameters()],
                [each.detach().numpy() for each in model.parameters()],
            )
    kinds = [event.kind for event in state_of(function).history]  # type: ignore[union-attr]
    assert kinds == ["compile", "recompile", "relink"]


def test_memory_that_was_replaced_is_not_kept_alive() -> None:
    function, model, optimizer = trained("SGD", (8, 5, 8))
    gone = weakref.ref(model.first.weight._array)
    assert compiles(function) == 2
    assert gone() is not None
    model.first.weight.data = normal(5, 4)
    gc.collect()
    assert gone() is None


# Explanations.
def test_what_is_static_says_why_and_where() -> None:
    def total(x: Any) -> Any:
        found = 0
        for k in range(1, x.size(0)):
            found = found + k
        return x * found

    def spaced(x: Any) -> Any:
        return gl.linspace(0, 1, x.size(0)) * x.sum()

    for function, line in ((total, "for k in range(1, x.size(0)):"), (spaced, "gl.linspace(0, 1, x.size(0))")):
        fast = check(function, lambda k: [normal(3 + k, 4)], calls=3, compiles=3)
        text = state_of(fast).history[-1].reasons[0].text  # type: ignore[union-attr]
        assert "`x.shape[0] == 4` was true, now false: x.shape is (5, 4)" in text
        assert "it was relied on at " in text and line in text

    fast = check(lambda x: spaced(x.flatten()), lambda k: [normal(3 + k)], calls=3, compiles=3)
    text = state_of(fast).history[-1].reasons[0].text  # type: ignore[union-attr]
    assert "x.shape was (4,), now (5,); no edit known: the sizes of x are static here, " in text
    assert "since `x.shape[0] == 4` is relied on at " in text
