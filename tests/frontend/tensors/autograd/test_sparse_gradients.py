"""Sparse gradients in jitted steps: entries, order and flags as in eager mode, and the optimizers that take them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.tensors.steps.comparison import same_training
from frontend.tensors.steps.record import Program, Training

import guardlift as gl
from guardlift import nn, optim
from guardlift.nn import functional as F

ROWS, WIDTH, CALLS = 12, 3, 6
CASES: dict[str, Program] = {}


def case(*, breaks: int = 0, compiles: int = 1) -> Callable[[Any], Any]:
    """A decorator that makes a function, which sets a training program up, a case."""

    def declare(make: Callable[[], Training]) -> Callable[[], Training]:
        CASES[make.__name__] = Program(make, breaks, compiles, 1e-6)
        return make

    return declare


def indices(k: int, *shape: int) -> gl.Tensor:
    """Indices with repetitions, others at each call."""
    return gl.tensor(np.random.default_rng(k).integers(0, ROWS, shape or (7,)))


def one_batch(k: int) -> tuple[gl.Tensor]:
    return (indices(k),)


def table(**settings: Any) -> nn.Embedding:
    """In float64, where sums in another order differ less than what is compared."""
    return nn.Embedding(ROWS, WIDTH, sparse=True, **{"dtype": gl.float64, **settings})


def training(
    layer: nn.Embedding,
    loss_of: Callable[..., Any],
    make: Callable[..., Any] = optim.SGD,
    *,
    batches: Callable[[int], Any] = one_batch,
    **settings: Any,
) -> Training:
    """The usual step: gradients of a loss are dropped, computed, and stepped along."""
    optimizer = make(layer.parameters(), **{"lr": 0.25, **settings})

    def step(*batch: Any) -> Any:
        optimizer.zero_grad()
        loss = loss_of(layer, *batch)
        loss.backward()
        optimizer.step()
        return loss

    return Training(step, batches, (layer, optimizer))


def square(layer: nn.Embedding, index: Any) -> Any:
    return layer(index).pow(2).sum()


def several(layer: nn.Embedding, index: Any) -> Any:
    return (layer(index) * layer(index.flip(0))).sum() + layer(index[:3]).pow(3).sum()


@case()
def sgd() -> Training:
    return training(table(), square)


@case()
def sgd_that_climbs() -> Training:
    return training(table(), square, maximize=True, lr=0.01)


@case()
def sgd_in_float32() -> Training:
    return training(table(dtype=gl.float32), square)


@case()
def adagrad_in_float32() -> Training:
    return training(table(dtype=gl.float32), square, optim.Adagrad, lr_decay=0.1)


@case()
def adagrad() -> Training:
    return training(table(), square, optim.Adagrad, lr_decay=0.1)


@case()
def adagrad_that_climbs() -> Training:
    return training(table(), square, optim.Adagrad, maximize=True, eps=1e-3)


@case()
def several_lookups_of_one_table() -> Training:
    return training(table(), several)


@case()
def several_lookups_with_adagrad() -> Training:
    return training(table(), several, optim.Adagrad)


@case()
def padding() -> Training:
    return training(table(padding_idx=1), square, batches=lambda k: (indices(k) % 4,))


@case()
def padding_counted_from_the_end_with_adagrad() -> Training:
    return training(table(padding_idx=-11), square, optim.Adagrad, batches=lambda k: (indices(k) % 4,))


@case()
def several_lookups_with_padding() -> Training:
    return training(table(padding_idx=1), several, batches=lambda k: (indices(k) % 4,))


@case()
def few_entries_beside_padding() -> Training:
    """Entries that are coalesced by themselves, as there are less than two, are so in some calls."""

    def two(layer: nn.Embedding, index: Any) -> Any:
        return (layer(index[:2]) * layer(index[2:])).sum()

    return training(table(padding_idx=0), two, optim.Adagrad, batches=lambda k: (indices(k, 4) % (k % 3 + 1),))


@case()
def single_lookups() -> Training:
    return training(table(), several, batches=lambda k: (indices(k, 1),))


@case()
def indices_of_int32_with_axes() -> Training:
    return training(table(), square, batches=lambda k: (indices(k, 2, 3).int(),))


@case(compiles=2)
def lengths_that_vary() -> Training:
    return training(table(padding_idx=1), several, optim.Adagrad, batches=lambda k: (indices(k, 5 + k),))


@case()
def beside_dense_parameters_and_two_optimizers() -> Training:
    layer, head = table(), nn.Linear(WIDTH, 2, dtype=gl.float64)
    first, second = optim.SGD(layer.parameters(), lr=0.5), optim.Adam(head.parameters(), lr=0.1)

    def step(index: Any, target: Any) -> Any:
        for each in (first, second):
            each.zero_grad()
        loss = F.cross_entropy(head(layer(index)), target)
        loss.backward()
        nn.utils.clip_grad_norm_(head.parameters(), 0.5)
        first.step()
        second.step()
        return loss.item()

    return Training(step, lambda k: (indices(k), indices(k) % 2), (layer, head, first, second))


@case()
def one_optimizer_of_sparse_and_dense_parameters() -> Training:
    layer, head = table(), nn.Linear(WIDTH, 2, dtype=gl.float64)
    optimizer = optim.Adagrad([*head.parameters(), *layer.parameters()], lr=0.5)

    def step(index: Any, target: Any) -> Any:
        optimizer.zero_grad()
        loss = F.cross_entropy(head(layer(index)), target)
        loss.backward()
        optimizer.step()
        return loss

    return Training(step, lambda k: (indices(k), indices(k) % 2), (layer, head, optimizer))


@case()
def gradients_added_up_within_a_step() -> Training:
    layer = table()
    optimizer = optim.SGD(layer.parameters(), lr=0.25)

    def step(first: Any, second: Any) -> Any:
        optimizer.zero_grad()
        square(layer, first).backward()
        several(layer, second).backward()
        optimizer.step()

    return Training(step, lambda k: (indices(k), indices(k + 50)), (layer, optimizer))


@case(compiles=3)
def gradients_added_up_from_call_to_call() -> Training:
    """On top of None, of a sparse gradient, and of a sparse one of another length."""
    layer = table()

    def step(index: Any) -> Any:
        loss = square(layer, index)
        loss.backward()
        return loss

    return Training(step, one_batch, (layer,))


@case()
def gradients_filled_with_zeros() -> Training:
    """After the first call there is a gradient, and its entries go."""
    layer = table()
    layer.weight.grad = gl.sparse_coo_tensor([[1]], [[1.0] * WIDTH], (ROWS, WIDTH), dtype=gl.float64)
    optimizer = optim.SGD(layer.parameters(), lr=0.25)

    def step(index: Any) -> Any:
        optimizer.zero_grad(set_to_none=False)
        square(layer, index).backward()
        optimizer.step()

    return Training(step, one_batch, (layer, optimizer))


@case()
def on_top_of_a_dense_gradient() -> Training:
    layer = table()

    def step(index: Any) -> Any:
        layer.weight.grad = gl.ones(ROWS, WIDTH, dtype=gl.float64)
        square(layer, index).backward()

    return Training(step, one_batch, (layer,))


@case()
def a_dense_gradient_on_top() -> Training:
    layer = table()

    def step(index: Any) -> Any:
        layer.zero_grad()
        square(layer, index).backward()
        layer.weight.pow(3).sum().backward()

    return Training(step, one_batch, (layer,))


@case()
def forms_of_the_gradient() -> Training:
    layer = table()

    def step(index: Any) -> Any:
        layer.zero_grad()
        several(layer, index).backward()
        grad = layer.weight.grad
        merged = grad.coalesce()
        seen = [grad.is_sparse, grad.layout is gl.sparse_coo, grad.is_coalesced(), merged.is_coalesced(), grad._nnz()]
        kept = grad.detach().clone()
        grad.mul_(0.5)
        return merged, grad, kept, grad.to_dense(), merged.to_dense(), grad._indices(), grad._values(), seen, grad.shape

    return Training(step, one_batch, (layer,))


@case()
def forms_of_a_gradient_with_padding() -> Training:
    layer = table(padding_idx=2)

    def step(index: Any) -> Any:
        layer.zero_grad()
        square(layer, index).backward()
        grad = layer.weight.grad
        grad.div_(4.0)
        return grad, grad.to_dense(), grad.clone(), grad.is_sparse

    return Training(step, lambda k: (indices(k) % 4,), (layer,))


@case()
def a_lookup_without_a_gradient() -> Training:
    layer = table()
    optimizer = optim.SGD(layer.parameters(), lr=0.25)

    def step(index: Any) -> Any:
        optimizer.zero_grad()
        with gl.no_grad():
            target = layer(index).mean(0)
        loss = (layer(index) - target).pow(2).sum()
        loss.backward()
        optimizer.step()
        return loss, layer(index).detach()

    return Training(step, one_batch, (layer, optimizer))


@case()
def rows_that_are_written() -> Training:
    def scaled(layer: nn.Embedding, index: Any) -> Any:
        rows = layer(index)
        assert not rows.is_leaf and rows.requires_grad
        rows.mul_(2.0)
        return (rows * rows.detach()).sum()

    return training(table(), scaled)


@case(breaks=1, compiles=2)
def a_print_before_the_backward_pass() -> Training:
    def told(layer: nn.Embedding, index: Any) -> Any:
        rows = layer(index)
        print(rows.sum().item() > 0)
        return (rows * layer(index.flip(0))).sum()

    return training(table(), told)


@case(breaks=1, compiles=3)
def a_print_before_the_optimizer_steps() -> Training:
    layer = table(padding_idx=1)
    optimizer = optim.Adagrad(layer.parameters(), lr=0.5)

    def step(index: Any) -> Any:
        optimizer.zero_grad()
        loss = several(layer, index)
        loss.backward()
        print("loss", loss.item() > 0)
        optimizer.step()
        return loss

    return Training(step, lambda k: (indices(k) % 4,), (layer, optimizer))


@case()
def a_backward_pass_outside() -> Training:
    layer = table(padding_idx=1)
    optimizer = optim.SGD(layer.parameters(), lr=0.25)

    @gl.jit
    def forward(index: Any) -> Any:
        return several(layer, index), layer(index).sum(0)

    def step(index: Any) -> Any:
        optimizer.zero_grad()
        loss, total = forward(index)
        (loss + total.sum()).backward()
        optimizer.step()
        return loss

    return Training(step, lambda k: (indices(k) % 4,), (layer, optimizer))


@case()
def twice_through_one_graph() -> Training:
    def twice(layer: nn.Embedding, index: Any) -> Any:
        loss = square(layer, index)
        loss.backward(retain_graph=True)
        return loss

    return training(table(), twice)


@case()
def a_loop_over_time() -> Training:
    def in_turn(layer: nn.Embedding, index: Any) -> Any:
        state = gl.zeros(2, WIDTH, dtype=gl.float64)
        for t in range(4):
            state = gl.tanh(layer(index[:, t]) + state)
        return state.sum()

    return training(table(), in_turn, batches=lambda k: (indices(k, 2, 4),))


@case()
def a_frozen_table() -> Training:
    layer, head = table(_freeze=True, _weight=gl.randn(ROWS, WIDTH, dtype=gl.float64)), nn.Linear(WIDTH, 1)
    optimizer = optim.SGD(head.parameters(), lr=0.25)

    def step(index: Any) -> Any:
        optimizer.zero_grad()
        loss = head(layer(index).float()).sum()
        loss.backward()
        optimizer.step()
        return loss

    return Training(step, one_batch, (layer, head, optimizer))


@case()
def one_table_under_two_names() -> Training:
    first, second = table(), table()
    second.weight = first.weight
    optimizer = optim.SGD(first.parameters(), lr=0.25)

    def step(index: Any) -> Any:
        optimizer.zero_grad()
        loss = (first(index) * second(index.flip(0))).sum()
        loss.backward()
        optimizer.step()
        return loss

    return Training(step, one_batch, (first, second, optimizer))


@case()
def the_gradient_taken_away() -> Training:
    """The optimizer sees a gradient that the program has put there."""
    layer = table()
    optimizer = optim.SGD(layer.parameters(), lr=0.25)

    def step(index: Any) -> Any:
        optimizer.zero_grad()
        square(layer, index).backward()
        layer.weight.grad = layer.weight.grad.coalesce()
        optimizer.step()
        grad = layer.weight.grad
        layer.weight.grad = None
        return grad

    return Training(step, one_batch, (layer, optimizer))


@case(breaks=1, compiles=4)
def a_print_where_lengths_vary() -> Training:
    def told(layer: nn.Embedding, index: Any) -> Any:
        rows = layer(index)
        print(rows.sum().item() > 0)
        return (rows * layer(index.flip(0))).sum()

    return training(table(padding_idx=1), told, batches=lambda k: (indices(k, 5 + k),))


@case()
def a_table_that_the_call_makes() -> Training:
    start = gl.randn(ROWS, WIDTH, dtype=gl.float64)

    def step(index: Any) -> Any:
        weight = start.clone().requires_grad_()
        (F.embedding(index, weight, 1, sparse=True) * F.embedding(index, weight, sparse=True)).sum().backward()
        return weight, weight.grad

    return Training(step, one_batch, (start,))


@case()
def rows_without_a_gradient_in_inference_mode() -> Training:
    layer = table()

    def step(index: Any) -> Any:
        with gl.inference_mode():
            return layer(index).sum().item()

    return Training(step, one_batch, (layer,))


@case()
def parts_of_a_batch() -> Training:
    layer = table(padding_idx=1)
    optimizer = optim.SGD(layer.parameters(), lr=0.1)

    def step(index: Any) -> Any:
        optimizer.zero_grad()
        for part in range(3):
            (several(layer, index[part]) / 3).backward()
        optimizer.step()

    return Training(step, lambda k: (indices(k, 3, 7),), (layer, optimizer))


@case()
def two_steps_in_one_call() -> Training:
    layer = table()
    optimizer = optim.Adagrad(layer.parameters(), lr=0.5)

    def step(index: Any) -> Any:
        loss = None
        for _ in range(2):
            optimizer.zero_grad()
            loss = square(layer, index)
            loss.backward()
            optimizer.step()
        return loss

    return Training(step, one_batch, (layer, optimizer))


@case(compiles=2)
def rows_out_of_range() -> Training:
    layer = table()

    def step(index: Any) -> Any:
        try:
            square(layer, index).backward()
        except IndexError as error:
            return str(error)
        return None

    return Training(step, lambda k: (indices(k) + k,), (layer,))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
def test_a_step_with_sparse_gradients_is_as_in_eager_mode(name: str) -> None:
    declared = CASES[name]
    report = gl.explain(same_training(declared, CALLS))
    assert len(report.breaks) == declared.breaks, "\n".join(map(str, report.breaks))
    assert report.compiles == declared.compiles, str(report)


def broken(make: Callable[[], Training]) -> Callable[[], Training]:
    """A decorator that makes a function, whose step is told to break somewhere, a case."""
    BROKEN[make.__name__] = Program(make, 1, 0, 1e-6)
    return make


BROKEN: dict[str, Program] = {}


@broken
def momentum() -> Training:
    return training(table(), several, momentum=0.5)


@broken
def momentum_of_nesterov() -> Training:
    return training(table(), several, momentum=0.5, nesterov=True)


@broken
def a_dense_use_beside() -> Training:
    def tied(layer: nn.Embedding, index: Any) -> Any:
        return F.linear(layer(index), layer.weight).pow(2).sum()

    return training(table(), tied, lr=0.01)


@broken
def a_table_that_is_no_leaf() -> Training:
    weight = gl.randn(ROWS, WIDTH, dtype=gl.float64).requires_grad_()

    def step(index: Any) -> Any:
        weight.grad = None
        F.embedding(index, weight.clone(), sparse=True).pow(2).sum().backward()
        return weight.grad.to_dense()

    return Training(step, one_batch, ())


@broken
def a_hook_on_the_table() -> Training:
    layer = table()
    seen: list[bool] = []
    layer.weight.register_hook(lambda grad: seen.append(grad.is_sparse))
    made = training(layer, square)
    return Training(made.step, made.batches, (*made.parts, seen))


@broken
def a_hook_when_the_gradient_is_there() -> Training:
    layer = table()
    optimizer = optim.SGD(layer.parameters(), lr=0.5)

    def step_now(param: Any) -> None:
        optimizer.step()
        optimizer.zero_grad()

    layer.weight.register_post_accumulate_grad_hook(step_now)

    def step(index: Any) -> Any:
        loss = several(layer, index)
        loss.backward()
        return loss

    return Training(step, one_batch, (layer, optimizer))


@broken
def a_gradient_that_is_asked_for() -> Training:
    layer = table()

    def step(index: Any) -> Any:
        return gl.autograd.grad(several(layer, index), [layer.weight])[0]

    return Training(step, one_batch, (layer,))


@broken
def second_derivatives() -> Training:
    layer = table()

    def step(index: Any) -> Any:
        layer.zero_grad()
        layer(index).pow(3).sum().backward(create_graph=True)
        found = layer.weight.grad.to_dense().pow(2).sum()
        layer.weight.grad = None
        found.backward()
        return found.detach()

    return Training(step, one_batch, (layer,))


@broken
def indices_written_before_the_backward_pass() -> Training:
    layer = table()

    def step(index: Any) -> Any:
        loss = square(layer, index)
        index.add_(0)
        try:
            loss.backward()
        except RuntimeError as error:
            return str(error)
        return loss

    return Training(step, one_batch, (layer,))


@broken
def a_second_backward_pass() -> Training:
    layer = table()

    def step(index: Any) -> Any:
        loss = layer(index).sum()
        loss.backward()
        try:
            loss.backward()
        except RuntimeError as error:
            return type(error).__name__
        return loss

    return Training(step, one_batch, (layer,))


@broken
def clipping() -> Training:
    layer = table()

    def step(index: Any) -> Any:
        square(layer, index).backward()
        try:
            return nn.utils.clip_grad_norm_(layer.parameters(), 1.0)
        except RuntimeError as error:
            return str(error)

    return Training(step, one_batch, (layer,))


@broken
def how_many_entries_beside_padding() -> Training:
    layer = table(padding_idx=1)

    def step(index: Any) -> Any:
        layer.zero_grad()
        square(layer, index).backward()
        grad = layer.weight.grad
        return grad.is_coalesced(), grad._nnz(), grad.coalesce(), grad._values()

    return Training(step, lambda k: (indices(k, 3) % 3,), (layer,))


@broken
def a_branch_by_the_data() -> Training:
    layer = table()
    optimizer = optim.SGD(layer.parameters(), lr=0.25)

    def step(index: Any) -> Any:
        optimizer.zero_grad()
        rows = layer(index)
        if rows.sum() > 0:
            rows = rows * layer(index.flip(0))
        rows.pow(2).sum().backward()
        optimizer.step()

    return Training(step, one_batch, (layer, optimizer))


@broken
def hooks_on_what_is_saved() -> Training:
    def hooked(layer: nn.Embedding, index: Any) -> Any:
        with gl.autograd.graph.saved_tensors_hooks(lambda x: x.clone(), lambda x: x):
            return square(layer, index)

    return training(table(), hooked)


@broken
def a_checkpoint_around_the_lookup() -> Training:
    def again(layer: nn.Embedding, index: Any) -> Any:
        return gl.autograd.checkpoint(lambda: square(layer, index))

    return training(table(), again)


def refused(make: Callable[..., Any], **settings: Any) -> Training:
    """A step that an optimizer refuses."""
    layer = table()
    optimizer = make(layer.parameters(), lr=0.5, **settings)

    def step(index: Any) -> Any:
        optimizer.zero_grad()
        square(layer, index).backward()
        try:
            optimizer.step()
        except RuntimeError as error:
            return str(error)
        return None

    return Training(step, one_batch, (layer, optimizer))


@broken
def an_optimizer_that_takes_none() -> Training:
    return refused(optim.Adam)


@broken
def weight_decay() -> Training:
    return refused(optim.SGD, weight_decay=0.1)


@broken
def an_update_where_the_loss_is_finite() -> Training:
    layer = table(padding_idx=1)
    optimizer = optim.Adagrad(layer.parameters(), lr=0.5)

    def step(index: Any) -> Any:
        optimizer.zero_grad()
        loss = several(layer, index)
        loss.backward()
        if loss.isfinite():
            optimizer.step()
        return loss

    return Training(step, one_batch, (layer, optimizer))


@broken
def the_gradient_printed() -> Training:
    def told(layer: nn.Embedding, index: Any) -> Any:
        layer(index).pow(2).sum().backward(retain_graph=True)
        print(layer.weight.grad)
        return square(layer, index)

    return training(table(padding_idx=1), told)


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
def test_what_has_no_form_in_a_graph_is_told_and_as_in_eager_mode(name: str) -> None:
    report = gl.explain(same_training(BROKEN[name], CALLS))
    codes = {each.code for each in report.breaks}
    assert codes and not any(each.startswith("B9") for each in codes), "\n".join(map(str, report.breaks))


SIZE = (ROWS, WIDTH)
GRADIENTS: dict[str, Callable[[], Any]] = {
    "none": lambda: None,
    "dense": lambda: gl.ones(*SIZE),
    "sparse": lambda: gl.sparse_coo_tensor([[1, 3, 1]], gl.ones(3, WIDTH), SIZE),
    "coalesced": lambda: gl.sparse_coo_tensor([[1, 3, 1]], gl.ones(3, WIDTH), SIZE).coalesce(),
    "said to be coalesced": lambda: gl.sparse_coo_tensor([[1, 3, 4]], gl.ones(3, WIDTH), SIZE, is_coalesced=True),
    "not coalesced": lambda: gl.sparse_coo_tensor([[1, 3, 4]], gl.ones(3, WIDTH), SIZE),
    "one entry": lambda: gl.sparse_coo_tensor([[1]], gl.ones(1, WIDTH), SIZE),
    "no entries": lambda: gl.sparse_coo_tensor([[]], gl.ones(0, WIDTH), SIZE),
    "of elements": lambda: gl.sparse_coo_tensor([[1, 3, 1], [0, 0, 0]], gl.ones(3), SIZE),
    "sparse again": lambda: gl.sparse_coo_tensor([[0, 0, 2]], gl.ones(3, WIDTH), SIZE),
}


def accumulated(weight: gl.Tensor, index: Any) -> Any:
    (F.embedding(index, weight, sparse=True) * 2.0).sum().backward()
    return weight.grad


def looked_at(weight: gl.Tensor, index: Any) -> Any:
    grad = weight.grad
    if grad is None:
        return None
    return (grad.to_dense(), grad.coalesce().to_dense() if grad.is_sparse else grad, grad.is_sparse, grad.layout)


def scaled_and_emptied(weight: gl.Tensor, index: Any) -> Any:
    if weight.grad is not None:
        weight.grad.mul_(0.5)
        kept = weight.grad.clone()
        weight.grad.zero_()
        return kept
    return None


def stepped(weight: gl.Tensor, index: Any) -> Any:
    optim.SGD([weight], lr=0.5).step()


def outcome(call: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return call(*arguments)
    except RuntimeError as error:
        return str(error)


def seen(grad: Any) -> Any:
    if grad is None or not isinstance(grad, gl.Tensor):
        return grad
    facts = type(grad), grad.dtype, grad.shape, grad.is_sparse, grad._counter.value
    if not grad.is_sparse:
        return (*facts, grad.tolist())
    return (*facts, grad.is_coalesced(), grad._indices().tolist(), grad._values().tolist())


@pytest.mark.parametrize("function", [accumulated, looked_at, scaled_and_emptied, stepped])
@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
def test_a_call_relies_on_what_the_gradient_is(function: Callable[..., Any]) -> None:
    """Every kind of gradient after every other; the object stays the one that somebody holds, or does not."""
    jitted = gl.jit(function)
    for number, name in enumerate([*GRADIENTS, *reversed(GRADIENTS), "sparse", "none"]):
        found = []
        for call in (function, jitted):
            weight = gl.arange(float(ROWS * WIDTH)).reshape(SIZE).requires_grad_()
            weight.grad = held = GRADIENTS[name]()
            result = outcome(call, weight, indices(number))
            listed = result if isinstance(result, tuple) else [result]
            same = weight.grad is held, result is held
            found.append([same, seen(held), seen(weight.grad), [seen(each) for each in listed], weight.tolist()])
        assert found[0] == found[1], (function.__name__, name)


@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
def test_one_sparse_tensor_is_the_gradient_of_two_tables() -> None:
    def step(first: gl.Tensor, second: gl.Tensor, index: Any) -> Any:
        F.embedding(index, first, sparse=True).sum().backward()
        return first.grad.to_dense(), second.grad.to_dense()

    jitted, found = gl.jit(step), []
    for shared in (True, False, True):
        for call in (step, jitted):
            tables = [gl.ones(*SIZE).requires_grad_() for _ in range(2)]
            for each in tables:
                each.grad = GRADIENTS["sparse"]()
            if shared:
                tables[1].grad = tables[0].grad
            result = call(*tables, indices(1))
            found.append([[each.tolist() for each in result], [seen(each.grad) for each in tables]])
        assert found[-1] == found[-2], shared
