"""Narrow floats inside jitted functions: bit for bit what eager mode gives, fused with what makes or reads them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import broken, interpreted

import guardlift as gl
from guardlift import nn, optim
from guardlift.core import dtypes

EACH = pytest.mark.parametrize("dtype", dtypes.NARROW, ids=str)
HALVES = pytest.mark.parametrize("dtype", [gl.float16, gl.bfloat16], ids=str)


def normal(*shape: int, seed: int = 5) -> gl.Tensor:
    """Numbers that are equal at every call."""
    return gl.tensor(np.random.default_rng(seed).standard_normal(shape).astype(np.float32))


def bits(value: Any) -> Any:
    """The visible parts of tensors, down to the bits."""
    if isinstance(value, (tuple, list)):
        return [bits(each) for each in value]
    if not isinstance(value, gl.Tensor):
        return value
    grad = bits(value.grad) if value.is_leaf and value.grad is not None else None
    return value.dtype, value.shape, value.stride(), value.requires_grad, value._array.tobytes(), grad


def check(program: Callable[..., Any], *tensors: gl.Tensor, fullgraph: bool = True) -> Any:
    """The jitted program, after it gave bit for bit what the plain one gives, on copies."""
    fast = gl.jit(program, fullgraph=fullgraph)
    for _ in range(3):
        worlds = [[each.detach().clone().requires_grad_(each.requires_grad) for each in tensors] for _ in range(2)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", gl.GraphBreakWarning)
            results = [program(*worlds[0]), fast(*worlds[1])]
        for result in results:
            for each in result if isinstance(result, tuple) else (result,):
                if each.requires_grad:
                    each.backward(gl.ones_like(each))
        assert bits([results[0], worlds[0]]) == bits([results[1], worlds[1]])
    return fast


def kernels(fast: Any) -> int:
    """The number of kernels that the only entry of a jitted function launches."""
    (entry,) = gl.explain(fast).entries
    return len(entry.kernels)


@EACH
def test_a_value_is_cast_in_the_kernel_that_makes_it(dtype: dtypes.DType) -> None:
    fast = check(lambda x: (x * 2 + 1).to(dtype), normal(8, 16))
    both = check(lambda x: (x * 2, x.to(dtype)), normal(8, 16))
    assert kernels(fast) == kernels(both) == 1


@EACH
def test_a_value_is_cast_in_the_kernel_that_reads_it(dtype: dtypes.DType) -> None:
    fast = check(lambda p: p.to(gl.float32) * 3, normal(8, 16).to(dtype))
    both = check(lambda x: x.to(dtype).float() - x, normal(8, 16))
    assert kernels(fast) == kernels(both) == 1


@EACH
@pytest.mark.parametrize("other", [gl.int32, gl.float64, gl.bool, *dtypes.NARROW], ids=str)
def test_it_is_cast_to_and_from_others(dtype: dtypes.DType, other: dtypes.DType) -> None:
    x = gl.tensor([[0.0, 1.0, -2.0], [3.0, 96.0, -0.5]])
    check(lambda x: x.to(other).to(dtype), x)
    check(lambda p: p.to(other), x.to(dtype))


MOVES: dict[str, Callable[[Any], Any]] = {
    "clone": lambda p: p.clone(),
    "transposed": lambda p: p.T.contiguous(),
    "sliced": lambda p: p[1:3, ::2].clone(),
    "joined": lambda p: gl.cat([p, p], 1),
    "expanded": lambda p: p[0].expand(3, 6).contiguous(),
    "picked": lambda p: p.index_select(0, gl.tensor([2]).expand(2)),
    "chosen": lambda p: gl.where(p.float() > 0, p, gl.zeros_like(p)),
    "filled": lambda p: p.masked_fill(p.float() > 0, 0.3),
    "flipped": lambda p: p.flip(0),
    "constant": lambda p: gl.full((3,), 0.1, dtype=p.dtype),
}


@EACH
@pytest.mark.parametrize("name", MOVES)
def test_it_moves_as_it_is(dtype: dtypes.DType, name: str) -> None:
    check(MOVES[name], normal(4, 6).to(dtype), fullgraph=name != "picked")


@EACH
def test_it_is_written_in_place(dtype: dtypes.DType) -> None:
    def write(p: Any, x: Any) -> Any:
        p[1:3] = 0.3
        p[0] = x[0]
        x.copy_(p)
        return p.float()

    check(write, normal(4, 6).to(dtype), normal(4, 6, seed=6))


LARGE: dict[str, Callable[[Any, Any], Any]] = {
    "a cast": lambda p, x: (x * 1e3).to(p.dtype),
    "a constant": lambda p, x: gl.full((3,), 500.0, dtype=p.dtype),
    "a literal": lambda p, x: gl.tensor([500.0, float("-inf"), 1.0], dtype=p.dtype),
    "a choice": lambda p, x: gl.where(x > 0, p, 1e6),
    "a filled part": lambda p, x: p.masked_fill(x > 0, -1e6),
    "a write": lambda p, x: p.fill_(470.0),
    "a number of the call": lambda p, x: gl.full((2,), float(x.shape[0] * 1000), dtype=p.dtype),
}


@EACH
@pytest.mark.parametrize("name", LARGE)
def test_what_lies_beyond_the_range_becomes_what_it_becomes_in_eager_mode(dtype: dtypes.DType, name: str) -> None:
    check(LARGE[name], normal(4, 6).to(dtype), normal(4, 6, seed=6))


def test_a_number_known_at_run_time_saturates() -> None:
    fast = gl.jit(lambda number: gl.full((2,), number, dtype=gl.float8_e4m3fn).float(), fullgraph=True)
    for number, expected in ((1.5, 1.5), (500.0, 448.0), (-1e30, -448.0), (float("inf"), 448.0)):
        assert fast(number).tolist() == [expected] * 2


def test_gradients_of_e4m3fn_add_up_as_in_eager_mode() -> None:
    check(lambda p: p.float() * 300 + p.to(gl.float64) * 300, normal(4, 6).to(gl.float8_e4m3fn).requires_grad_())


@EACH
def test_the_gradient_of_a_cast_is_cast_back(dtype: dtypes.DType) -> None:
    def packed(x: Any) -> Any:
        p = (x * 2).to(dtype)
        return p.float() * x + p[:, 1:2].float()

    check(packed, normal(4, 6).requires_grad_())
    check(lambda p: p.float() * 3 + p.to(gl.float32), normal(4, 6).to(dtype).requires_grad_())


EXACT: dict[str, Callable[[Any, Any], Any]] = {
    "arithmetic": lambda a, b: (a + b) * a - b / a,
    "numbers": lambda a, b: 0.1 * a + 3 - b * 1e-3,
    "comparison": lambda a, b: (a > b, a == b),
    "with float32": lambda a, b: a * b.float(),
    "with the other half": lambda a, b: a.half() + b.bfloat16(),
    "functions": lambda a, b: a.abs().sqrt() + b.floor() - gl.relu(-a),
    "extremes": lambda a, b: (a.amax(1), b.min(), a.argmax(1)),
}


@HALVES
@pytest.mark.parametrize("name", EXACT)
def test_exact_arithmetic_is_that_of_eager_mode(dtype: dtypes.DType, name: str) -> None:
    check(EXACT[name], normal(4, 6).to(dtype), normal(4, 6, seed=6).to(dtype))


@HALVES
def test_halves_are_computed_with_in_place(dtype: dtypes.DType) -> None:
    def compute(a: Any, b: Any, x: Any) -> Any:
        a.mul_(b).add_(0.1)
        b -= x
        return a

    check(compute, normal(4).to(dtype), normal(4, seed=6).to(dtype), normal(4, seed=7))


INEXACT: dict[str, Callable[[Any], Any]] = {
    "a function that may round otherwise": lambda a: a.exp(),
    "a sum": lambda a: a.sum(0),
    "a product of matrices": lambda a: a @ a.T,
}


def near(one: Any, other: Any) -> None:
    """Asserts that what can be seen agrees, numbers up to what one rounding makes of a last bit of float32."""
    if isinstance(one, (tuple, list)):
        assert len(one) == len(other)
        for left, right in zip(one, other, strict=True):
            near(left, right)
        return
    if not isinstance(one, gl.Tensor):
        assert one == other
        return
    facts = [
        (each.dtype, each.shape, each.requires_grad, each.stride() if each.numel() else ()) for each in (one, other)
    ]
    assert facts[0] == facts[1]
    step = 2.0**-7 if one.dtype is gl.bfloat16 else 2.0**-10 if one.dtype is gl.float16 else 1e-5
    left, right = (each.detach().double().numpy() for each in (one, other))
    scale = np.abs(left[np.isfinite(left)]).max(initial=0.0)
    np.testing.assert_allclose(right, left, rtol=step, atol=step * 0.01 * scale)
    if one.is_leaf and one.grad is not None:
        near(one.grad, other.grad)


def check_near(program: Callable[..., Any], *tensors: gl.Tensor) -> None:
    """The jitted program is one graph and gives what the plain one gives, up to roundings, with gradients."""
    fast = gl.jit(program, fullgraph=True)
    for _ in range(2):
        worlds = [[each.detach().clone().requires_grad_(each.requires_grad) for each in tensors] for _ in range(2)]
        results = [program(*worlds[0]), fast(*worlds[1])]
        for result in results:
            for each in result if isinstance(result, tuple) else (result,):
                if each.requires_grad:
                    each.backward(gl.ones_like(each))
        near([results[0], worlds[0]], [results[1], worlds[1]])


@HALVES
@pytest.mark.parametrize("name", INEXACT)
def test_what_may_round_otherwise_is_compiled_and_near(dtype: dtypes.DType, name: str) -> None:
    check_near(INEXACT[name], normal(4, 6).to(dtype))
    check_near(INEXACT[name], normal(4, 6).to(dtype).requires_grad_())


LAYERS: dict[str, Callable[..., Any]] = {
    "linear": lambda x, w, b: nn.functional.linear(x, w, b),
    "linear of a batch": lambda x, w, b: nn.functional.linear(x.reshape(2, 2, 6), w, b),
    "matmul": lambda x, w, b: x @ w.t() + b,
    "matrix times vector": lambda x, w, b: w @ x[0] + b,
    "batched product": lambda x, w, b: gl.matmul(x.reshape(2, 2, 6), w.t().expand(2, 6, 3)),
    "gelu": lambda x, w, b: nn.functional.gelu(nn.functional.linear(x, w, b)),
    "sigmoid and tanh": lambda x, w, b: gl.sigmoid(x) * gl.tanh(x * 2),
    "silu": lambda x, w, b: nn.functional.silu(x) + x.exp(),
    "softmax": lambda x, w, b: nn.functional.softmax(x @ x.t(), -1) @ x,
    "layer norm": lambda x, w, b: nn.functional.layer_norm(x, (6,), w[0], w[1]),
    "means": lambda x, w, b: x.mean(1) * x.sum() + x.var(1),
    "a norm": lambda x, w, b: x / x.norm(dim=1, keepdim=True),
    "cross entropy": lambda x, w, b: nn.functional.cross_entropy(x.float(), gl.arange(4)),
    "cross entropy of halves": lambda x, w, b: nn.functional.cross_entropy(x, gl.arange(4)),
    "mean squares": lambda x, w, b: nn.functional.mse_loss(x, x.flip(0)),
    "rows of a table": lambda x, w, b: nn.functional.embedding(gl.tensor([1, 0, 1]), w) * 2,
    "gather": lambda x, w, b: x.gather(1, gl.tensor([[0, 0], [1, 2], [3, 3], [5, 5]])).exp(),
    "a broadcast bias": lambda x, w, b: (x[:, :3] * 2 + b) * b[:1],
    "cumulative": lambda x, w, b: x.cumsum(1).sqrt().where(x > 0, x),
    "sorted": lambda x, w, b: x.topk(2).values * 2,
    "dropout": lambda x, w, b: nn.functional.dropout(x, 0.0) + x.abs().sqrt(),
    "mixed": lambda x, w, b: nn.functional.linear(x.float(), w.float(), b.float()).to(x.dtype) * 0.5,
}


@HALVES
@pytest.mark.parametrize("name", LAYERS)
def test_layers_of_halves_are_compiled_and_differentiated_as_in_eager_mode(dtype: Any, name: str) -> None:
    given = [normal(*shape, seed=seed).to(dtype).requires_grad_() for seed, shape in enumerate(((4, 6), (3, 6), (3,)))]
    with interpreted():
        check_near(LAYERS[name], *given)


@pytest.mark.slow
@pytest.mark.parametrize("name", LAYERS)
def test_so_they_are_through_kernels(name: str) -> None:
    shapes = enumerate(((4, 6), (3, 6), (3,)))
    check_near(LAYERS[name], *(normal(*shape, seed=seed).bfloat16().requires_grad_() for seed, shape in shapes))


class Net(nn.Module):
    """Two layers, with a norm between them."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.norm, self.last = nn.Linear(6, 8), nn.LayerNorm(8), nn.Linear(8, 3)
        for seed, each in enumerate(self.parameters()):
            each.data.copy_(normal(*each.shape, seed=seed))

    def forward(self, x: Any) -> Any:
        """Logits."""
        return self.last(nn.functional.gelu(self.norm(self.first(x))))


def all_in_halves(model: Any, optimizer: Any, x: Any, y: Any) -> Any:
    return nn.functional.cross_entropy(model(x.bfloat16()).float(), y)


def scaled(model: Any, optimizer: Any, x: Any, y: Any) -> Any:
    return nn.functional.cross_entropy(model(x.bfloat16()), y) * 8


def master_weights(model: Any, optimizer: Any, x: Any, y: Any) -> Any:
    h = x.bfloat16()
    for each in (model.first, model.last):
        h = nn.functional.linear(h[:, : each.in_features], each.weight.bfloat16(), each.bias.bfloat16()).relu()
    return nn.functional.cross_entropy(h.float(), y)


def attention(model: Any, optimizer: Any, x: Any, y: Any) -> Any:
    h = model.norm(model.first(x.to(model.first.weight.dtype)))
    return (nn.functional.softmax(h @ h.t() / 8**0.5, -1) @ h).float().square().mean()


@pytest.mark.parametrize("make", [optim.SGD, optim.Adam, optim.AdamW], ids=lambda each: each.__name__)
@pytest.mark.parametrize("loss_of", [all_in_halves, scaled, master_weights, attention], ids=lambda each: each.__name__)
def test_a_training_step_in_bfloat16_is_one_graph_and_trains_as_eager_mode_does(loss_of: Any, make: Any) -> None:
    found = []
    for jitted in (False, True):
        model = Net() if loss_of is master_weights else Net().bfloat16()
        optimizer = make(model.parameters(), lr=0.05)

        def step(x: Any, y: Any) -> Any:
            optimizer.zero_grad()  # noqa: B023
            loss = loss_of(model, optimizer, x, y)  # noqa: B023
            loss.backward()
            optimizer.step()  # noqa: B023
            return loss.detach()

        run = gl.jit(step, fullgraph=True) if jitted else step
        with nullcontext() if make is optim.SGD else interpreted():
            losses = [float(run(normal(4, 6, seed=seed), gl.arange(4) % 3)) for seed in range(4)]
        found.append((losses, [each.detach().float().numpy() for each in model.parameters()]))
    np.testing.assert_allclose(found[1][0], found[0][0], rtol=0.03, atol=0.01)
    for one, other in zip(found[0][1], found[1][1], strict=True):
        np.testing.assert_allclose(other, one, rtol=0.05, atol=0.12 if make is not optim.SGD else 0.03)


@HALVES
@pytest.mark.slow
def test_a_recurrent_loop_over_halves_is_one_loop(dtype: Any) -> None:
    def program(xs: Any, h: Any, w: Any) -> Any:
        for t in range(12):
            h = gl.tanh(xs[t] + h @ w)
        return h

    given = [normal(*shape, seed=k).to(dtype) for k, shape in enumerate(((12, 2, 3), (2, 3), (3, 3)))]
    check_near(program, *given)
    check_near(program, *(each.requires_grad_() for each in given))


DERIVED: dict[str, Callable[[Any, Any], Any]] = {
    "by a number": lambda a, b: (a * 2).float(),
    "a polynomial": lambda a, b: (a * a + a * b - b * 0.3) * a,
    "quotients": lambda a, b: (a + 1) * (a / b - 2 / a) + a,
    "differences of one": lambda a, b: (a - a * 3) + (b - a) + a * b - (a - a),
    "selections": lambda a, b: gl.maximum(a, b) * a - gl.minimum(a, 0.5 * b) + gl.relu(b) + (-a).abs(),
    "a choice": lambda a, b: gl.where(a > b, a * b, b) * 2,
    "clamped": lambda a, b: a.clamp(-0.5, 0.5) * b,
    "with float32": lambda a, b: (a * b).float() * b.float() + a.float(),
    "views": lambda a, b: (a.t() * b.t())[1:] * 2,
    "in place": lambda a, b: (a * 2).mul_(b).add_(a),
    "three addends": lambda a, b: a + gl.addcmul(a, b, a, value=0.5) + gl.lerp(a, b, 0.3),
    "joined": lambda a, b: (gl.cat([a * 2, b]) * 3).reshape(-1) * 0.5,
}


@HALVES
@pytest.mark.parametrize("name", DERIVED)
def test_exact_arithmetic_is_differentiated_as_in_eager_mode(dtype: dtypes.DType, name: str) -> None:
    check(DERIVED[name], *(normal(4, 6, seed=seed).to(dtype).requires_grad_() for seed in (5, 6)))


@HALVES
@pytest.mark.parametrize("name", ["a polynomial", "differences of one", "selections", "with float32"])
def test_a_backward_inside_gives_eager_mode_s_bits(dtype: dtypes.DType, name: str) -> None:
    def whole(a: Any, b: Any) -> Any:
        y = DERIVED[name](a, b)
        y.backward(gl.ones_like(y))
        return y.detach()

    check(whole, *(normal(4, 6, seed=seed).to(dtype).requires_grad_() for seed in (5, 6)))


@HALVES
@pytest.mark.parametrize("name", ["a polynomial", "quotients", "selections", "clamped"])
def test_gradients_at_the_ends_of_the_range_are_eager_mode_s(dtype: dtypes.DType, name: str) -> None:
    largest = 65504.0 if dtype is gl.float16 else 3e38
    ends = [0.0, -0.0, 1e-7, -6e-8, largest, -largest, 1.0, 1.001, 300.0, float("inf"), -float("inf"), 1e-38]
    fast, found = gl.jit(DERIVED[name], fullgraph=True), []
    for f in (DERIVED[name], fast):
        a, b = (gl.tensor(each).to(dtype).requires_grad_() for each in (ends, ends[::-1]))
        y = f(a, b)
        y.backward(gl.ones_like(y))
        found.append([each.float().numpy() for each in (y.detach(), a.grad, b.grad)])
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(np.signbit(one[~np.isnan(one)]), np.signbit(other[~np.isnan(one)]))
        np.testing.assert_array_equal(one, other)


READING: dict[str, Callable[[Any, Any], Any]] = {
    "a rule that reads the result": lambda a, b: (a * a + 1).sqrt(),
    "one that reads it twice": lambda a, b: (a * a + 1).sqrt().sqrt() * b,
    "one in float32 that is no rule of a half": lambda a, b: (a.float() * a.float() + 1).sqrt().to(a.dtype) * b,
    "a reciprocal": lambda a, b: 1 / (a * a + b * b),
}


@HALVES
@pytest.mark.parametrize("name", READING)
def test_a_rule_reads_the_result_as_it_was_rounded(dtype: Any, name: str) -> None:
    check(READING[name], *(normal(4, 6, seed=seed).to(dtype).requires_grad_() for seed in (5, 6)))


def test_recorded_walks_over_halves_and_saved_tensor_hooks_on_them_are_left_to_python() -> None:
    def again(a: Any) -> Any:
        (first,) = gl.autograd.grad(a * a * a, a, gl.ones_like(a), create_graph=True)
        return first

    @gl.autograd.graph.inlineable
    def rounded(t: Any) -> Any:
        return t.round()

    @gl.autograd.graph.inlineable
    def same(t: Any) -> Any:
        return t

    def packed(a: Any) -> Any:
        with gl.autograd.graph.saved_tensors_hooks(rounded, same):
            return a * a

    fast = check(again, normal(4).half().requires_grad_(), fullgraph=False)
    assert "create_graph=True of operations on float16" in broken(fast)[0]
    fast = check(packed, normal(4).half().requires_grad_(), fullgraph=False)
    assert "arrays of dtype float16" in broken(fast)[0]


@pytest.mark.parametrize("dtype", [gl.float8_e4m3fn, gl.float8_e5m2], ids=str)
def test_arithmetic_on_float8_raises_what_eager_mode_raises(dtype: dtypes.DType) -> None:
    fast = gl.jit(lambda p: p + p)
    with pytest.raises(NotImplementedError, match=f"add is not implemented for {dtype}"):
        fast(gl.ones(2, dtype=dtype))


def test_arrays_of_ml_dtypes_are_left_to_numpy() -> None:
    array = normal(4).bfloat16().numpy()
    fast = gl.jit(lambda a: a + a)
    with pytest.warns(gl.GraphBreakWarning, match="arrays of dtype bfloat16"):
        assert fast(array).tobytes() == (array + array).tobytes()


@HALVES
@pytest.mark.parametrize("make", [optim.SGD, optim.Adam, optim.RMSprop], ids=lambda each: each.__name__)
def test_a_jitted_step_of_an_optimizer_is_that_of_eager_mode(dtype: dtypes.DType, make: Any) -> None:
    found = []
    for jitted in (False, True):
        params = [nn.Parameter(normal(*shape).to(dtype)) for shape in ((5, 7), (300,), (3,))]
        optimizer = make(params, lr=0.1)
        step = gl.jit(lambda: optimizer.step(), fullgraph=True) if jitted else optimizer.step  # noqa: B023
        for seed in range(3):
            for param in params:
                param.grad = normal(*param.shape, seed=seed).to(dtype)
            step()
        found.append(bits(params) + [bits(list(each.values())) for each in optimizer.state.values()])
    assert found[0] == found[1]
