"""Saved-tensor hooks that compiled code takes in, beside what eager mode makes of the same hooks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn
from guardlift.autograd.inlineable import key_of
from guardlift.frontend import state_of

graph = gl.autograd.graph
hooks_of = graph.saved_tensors_hooks
inlineable = graph.inlineable
MODE = "saved_tensors_hooks_filtering_mode"
SCALE = 0.5


@inlineable
def halve(tensor: gl.Tensor) -> gl.Tensor:
    return tensor * 0.5


@inlineable
def twice(packed: gl.Tensor) -> gl.Tensor:
    return packed * 2.0


@inlineable
def zeros(tensor: gl.Tensor) -> gl.Tensor:
    return tensor * 0.0


@inlineable
def same(packed: gl.Tensor) -> gl.Tensor:
    return packed


@inlineable
def off_by_one(packed: gl.Tensor) -> gl.Tensor:
    return packed + 1.0


@pytest.fixture(autouse=True)
def seeded() -> Iterator[None]:
    gl.manual_seed(0)
    yield


def two_layers(x: gl.Tensor, w: gl.Tensor, b: gl.Tensor, v: gl.Tensor) -> gl.Tensor:
    hidden = (x @ w + b).tanh()
    return (hidden @ v).sin().sum()


def arguments() -> list[gl.Tensor]:
    rng = np.random.default_rng(5)
    shapes = [(5, 4), (4, 3), (3,), (3, 2)]
    return [gl.tensor(rng.normal(size=shape), dtype=gl.float64, requires_grad=True) for shape in shapes]


def gradients(f: Callable[..., Any], pair: Any = None, given: list[gl.Tensor] | None = None) -> list[np.ndarray]:
    tensors = arguments() if given is None else given
    with hooks_of(*pair) if pair else nullcontext():
        out = f(*tensors)
    out.backward()
    return [each.grad.numpy() for each in tensors]


def compiles(f: Callable[..., Any]) -> int:
    return sum(event.kind in ("compile", "recompile", "relink") for event in gl.explain(f).events)


def assert_close(found: list[np.ndarray], wanted: list[np.ndarray]) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


# -- which pairs ------------------------------------------------------------------------------------------------------
@pytest.mark.spec("S2.01")
def test_a_pair_is_inlineable_when_both_its_functions_are_marked() -> None:
    def plain(tensor: gl.Tensor) -> gl.Tensor:
        return tensor

    assert key_of((halve, twice)) is not None
    assert key_of((halve, plain)) is None
    assert key_of((plain, twice)) is None
    assert key_of((plain, plain)) is None
    assert key_of(None) is None


def test_only_plain_functions_take_the_mark() -> None:
    with pytest.raises(TypeError, match="takes a function made by def or lambda, got builtin_function"):
        inlineable(len)


def test_a_marked_pair_is_called_in_eager_mode_as_any() -> None:
    seen = []

    @inlineable
    def pack(tensor: gl.Tensor) -> gl.Tensor:
        seen.append(tensor.shape)
        return tensor

    a = gl.ones(3, requires_grad=True)
    with hooks_of(pack, same):
        (a * a).sum().backward()
    assert seen == [(3,), (3,)]


# -- guards -----------------------------------------------------------------------------------------------------------
@pytest.mark.spec("S2.11")
def test_plain_pairs_share_an_entry_and_inlineable_ones_have_their_own() -> None:
    f = gl.jit(two_layers)
    for pack, unpack in ((lambda t: t, lambda t: t), (lambda t: t * 1.0, lambda t: t)):
        gradients(f, (pack, unpack))
    gradients(f)
    assert compiles(f) == 1
    for _ in range(2):
        gradients(f, (halve, twice))
        gradients(f, (zeros, same))
        gradients(f)
    assert compiles(f) == 3
    last = gl.explain(f).events[-1]
    assert "the hooks on saved tensors" in last.reasons[0].text


def made() -> tuple[Any, Any]:
    return inlineable(lambda t: t * 0.5), inlineable(lambda t: t * 2.0)


@pytest.mark.spec("S10.16", "S2.42")
def test_equal_pairs_share_what_was_compiled_unless_they_are_told_apart_by_identity() -> None:
    f = gl.jit(two_layers)
    gradients(f, made())
    gradients(f, made())
    assert compiles(f) == 1
    with gl.config.patch(hook_guard="id"):
        f = gl.jit(two_layers)
        gradients(f, made())
        gradients(f, made())
        assert compiles(f) == 2


def scaled(factor: float) -> tuple[Any, Any]:
    return inlineable(lambda t: t * factor), inlineable(lambda t: t)


def test_pairs_of_equal_code_whose_cells_differ_are_never_taken_for_each_other() -> None:
    f = gl.jit(two_layers)
    with gl.config.patch(**{MODE: "all"}):
        for factor in (2.0, 3.0, 2.0, -1.0):
            assert_close(gradients(f, scaled(factor)), gradients(two_layers, scaled(factor)))


def test_a_global_that_a_hook_reads_may_change() -> None:
    global SCALE
    f = gl.jit(two_layers)

    @inlineable
    def pack(tensor: gl.Tensor) -> gl.Tensor:
        return tensor * SCALE

    try:
        with gl.config.patch(**{MODE: "all"}):
            for number in (0.5, 0.25, 0.5):
                SCALE = number
                assert_close(gradients(f, (pack, same)), gradients(two_layers, (pack, same)))
    finally:
        SCALE = 0.5


@pytest.mark.spec("S2.04")
def test_under_compiled_autograd_a_marked_pair_is_a_plain_one() -> None:
    f = gl.jit(two_layers)
    with gl.autograd.compiled_autograd(), gl.config.patch(**{MODE: "all"}):
        assert_close(gradients(f, (halve, twice)), gradients(two_layers))
        gradients(f, (zeros, same))
    gradients(f)
    assert compiles(f) == 1


@pytest.mark.spec("S2.12")
def test_hooks_that_are_part_of_the_code_are_not_called_when_it_runs() -> None:
    f = gl.jit(two_layers)
    calls = []
    gradients(f, (halve, twice))
    plain = lambda t: calls.append(t) or t  # noqa: E731
    with hooks_of(plain, plain), hooks_of(halve, twice):
        out = f(*arguments())
    assert calls == []
    out.backward()
    with hooks_of(plain, plain):
        gl.ones(3, requires_grad=True).square()
    assert len(calls) == 1


@pytest.mark.spec("S2.13")
def test_where_the_filter_selects_nothing_no_hook_applies() -> None:
    def f(a: gl.Tensor, b: gl.Tensor) -> gl.Tensor:
        return (a * b).sum()

    def pair() -> list[gl.Tensor]:
        return [gl.tensor([1.0, 2.0], requires_grad=True), gl.tensor([3.0, 4.0], requires_grad=True)]

    exact = gradients(f, None, pair())
    assert_close(gradients(gl.jit(f), (zeros, same), pair()), exact)
    with hooks_of(lambda t: t * 0.0, lambda t: t):  # of the pair around it nothing is seen either
        assert_close(gradients(gl.jit(f), (zeros, same), pair()), exact)


# -- what is packed ---------------------------------------------------------------------------------------------------
@pytest.mark.spec("S2.21")
def test_the_filter_says_which_values_are_packed() -> None:
    exact = gradients(two_layers)
    layer = nn.Linear(4, 3, dtype=gl.float64)
    changed = {}
    for mode in ("donated", "no_static", "all"):
        with gl.config.patch(**{MODE: mode}):
            found = gradients(gl.jit(two_layers), (zeros, same))
            changed[mode] = [not np.allclose(one, other) for one, other in zip(found, exact, strict=True)]
            x = gl.ones(2, 4, dtype=gl.float64, requires_grad=True)
            with hooks_of(zeros, same):
                out = gl.jit(lambda x: layer(x).sum())(x)
            out.backward()
            assert x.grad.any().item() is (mode != "all")  # the gradient of x reads the parameter alone
            assert layer.weight.grad.any().item() is (mode == "donated")  # and that of the parameter x alone
            layer.zero_grad()
    assert changed["all"] == [True, True, True, True]
    with gl.config.patch(**{MODE: "all"}):
        assert_close(gradients(gl.jit(two_layers), (zeros, same)), [each * 0.0 for each in exact])
    assert changed["donated"] == [True, True, True, True]  # the inner activation is on the way to all of them


@pytest.mark.spec("S2.26")
def test_an_exact_pair_changes_nothing_but_what_is_kept() -> None:
    def f(x: gl.Tensor, w: gl.Tensor) -> tuple[gl.Tensor, ...]:
        h = (x @ w).tanh()
        return h.sum(), h[0], x

    x, w = arguments()[:2]
    with hooks_of(halve, twice):
        total, row, again = gl.jit(f)(x, w)
    assert again is x
    assert row.shape == (3,)
    total.backward()
    wanted = gradients(lambda x, w: f(x, w)[0], None, arguments()[:2])
    assert_close([x.grad.numpy(), w.grad.numpy()], wanted)


@pytest.mark.spec("S2.28")
def test_what_is_computed_again_is_made_of_packed_values() -> None:
    def f(a: gl.Tensor) -> gl.Tensor:
        return (a.square() + 1.0).sin().sum()

    with gl.config.patch(**{MODE: "all"}):
        a = gl.tensor([0.5, 1.5], dtype=gl.float64, requires_grad=True)
        jitted = gl.jit(f)
        with gl.config.patch(partition_from=0):
            (found,) = gradients(jitted, (off_by_one, same), [a])
    (entry,) = state_of(jitted).entries
    assert list(json.loads(entry.details["aot"][0].as_json())["kept"]) == ["a_hook_0"]
    again = np.array([0.5, 1.5]) + 1.0  # a is kept, one too large; its square is made of that again
    np.testing.assert_allclose(found, np.cos(again**2 + 1.0) * 2.0 * again)


@pytest.mark.spec("S2.40")
def test_a_hook_may_decide_in_python_by_dtype_and_size() -> None:
    @inlineable
    def pack(tensor: gl.Tensor) -> Any:
        if tensor.dtype is gl.float64 and tensor.numel() >= 12:
            return tensor.to(gl.float32), True
        return tensor, False

    @inlineable
    def unpack(packed: Any) -> gl.Tensor:
        value, narrow = packed
        return value.to(gl.float64) if narrow else value

    f = gl.jit(two_layers)
    with gl.config.patch(**{MODE: "all"}):
        found = gradients(f, (pack, unpack))
    assert gl.explain(f).breaks == ()
    wanted = gradients(two_layers, (pack, unpack))
    assert_close(found, wanted)
    assert not np.array_equal(wanted[0], gradients(two_layers)[0])


class Narrow(NamedTuple):
    low: gl.Tensor
    scale: gl.Tensor


@dataclass
class Kept:
    parts: dict[str, gl.Tensor]
    dtype: Any


@inlineable
def pack_quantised(tensor: gl.Tensor) -> Narrow:
    scale = tensor.abs().max() / 127.0 + 1e-30
    return Narrow((tensor / scale).round().to(gl.int8), scale)


@inlineable
def unpack_quantised(packed: Narrow) -> gl.Tensor:
    return packed.low.to(gl.float64) * packed.scale


@inlineable
def pack_record(tensor: gl.Tensor) -> Kept:
    low = tensor.to(gl.float32)
    return Kept({"low": low, "rest": tensor - low.to(gl.float64)}, tensor.dtype)


@inlineable
def unpack_record(packed: Kept) -> gl.Tensor:
    return packed.parts["low"].to(packed.dtype) + packed.parts["rest"]


@pytest.mark.spec("S10.17", "S2.22")
@pytest.mark.parametrize("pair", [(pack_quantised, unpack_quantised), (pack_record, unpack_record)])
def test_what_pack_gives_may_be_of_any_make(pair: Any) -> None:
    with gl.config.patch(**{MODE: "all"}):
        f = gl.jit(two_layers)
        found = gradients(f, pair)
        assert_close(gradients(f, pair), found)
    assert gl.explain(f).breaks == ()
    assert_close(found, gradients(two_layers, pair))


FACTOR, SHIFT = 3.0, gl.tensor([0.25], dtype=gl.float64)


def test_hooks_may_read_numbers_and_tensors_from_outside_each_on_its_own() -> None:
    rate, table = 0.5, gl.tensor([1.0, 2.0, 4.0], dtype=gl.float64)

    @inlineable
    def pack(tensor: gl.Tensor) -> gl.Tensor:
        return tensor * rate + SHIFT

    @inlineable
    def unpack(packed: gl.Tensor) -> gl.Tensor:
        return (packed - SHIFT) * FACTOR * table[1] + table[2] * rate

    for mode in ("donated", "all"):
        with gl.config.patch(**{MODE: mode}):
            f = gl.jit(two_layers)
            found = gradients(f, (pack, unpack))
            assert gl.explain(f).breaks == ()
            if mode == "all":
                assert_close(found, gradients(two_layers, (pack, unpack)))
            for other in (0.25, 0.5):
                rate = other
                assert_close(gradients(f, (pack, unpack)), gradients(gl.jit(two_layers), (pack, unpack)))


# -- whole steps, and contexts inside ---------------------------------------------------------------------------------
def perceptron() -> nn.Module:
    gl.manual_seed(3)
    return nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 3), nn.Tanh())


@pytest.mark.spec("S1.46")
@pytest.mark.parametrize("pair", [(halve, twice), (halve, off_by_one), (zeros, off_by_one)])
@pytest.mark.parametrize("inside", [False, True])
def test_a_whole_step_under_hooks_is_one_graph_with_the_numbers_of_eager(pair: Any, inside: bool) -> None:
    def train(jit: bool) -> tuple[list[float], list[np.ndarray]]:
        model = perceptron()
        opt = gl.optim.SGD(model.parameters(), lr=0.1)

        def step(x: gl.Tensor) -> gl.Tensor:
            opt.zero_grad()
            if inside:
                with hooks_of(*pair):
                    out = model(x)
            else:
                out = model(x)
            loss = (out * out).mean()
            loss.backward()
            opt.step()
            return loss

        run = gl.jit(step) if jit else step
        gl.manual_seed(1)
        losses = []
        for _ in range(3):
            x = gl.randn(5, 4)
            with nullcontext() if inside else hooks_of(*pair):
                losses.append(run(x).item())
        if jit:
            assert compiles(run) == 1
            assert gl.explain(run).breaks == ()
        return losses, [each.detach().numpy() for each in model.parameters()]

    (losses, weights), (wanted, eager) = train(True), train(False)
    np.testing.assert_allclose(losses, wanted, rtol=1e-5)
    for one, other in zip(weights, eager, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)


@pytest.mark.spec("S10.02", "S2.05")
def test_a_context_inside_applies_to_what_is_saved_in_it_and_to_nothing_else() -> None:
    def f(x: gl.Tensor, w: gl.Tensor, b: gl.Tensor, v: gl.Tensor) -> gl.Tensor:
        with hooks_of(halve, off_by_one):
            hidden = (x @ w + b).tanh()
        with hooks_of(zeros, same), hooks_of(halve, twice):
            hidden = hidden.exp()
        return (hidden @ v).sin().sum()

    with gl.config.patch(**{MODE: "all"}):
        jitted = gl.jit(f, fullgraph=True)
        assert_close(gradients(jitted), gradients(f))
        assert_close(gradients(jitted, (halve, off_by_one)), gradients(f, (halve, off_by_one)))


@pytest.mark.spec("S2.05")
def test_a_context_inside_with_plain_hooks_names_what_to_do() -> None:
    @gl.jit(fullgraph=True)
    def f(x: gl.Tensor) -> gl.Tensor:
        with hooks_of(lambda t: t, lambda t: t):
            return x.exp()

    with pytest.raises(gl.GuardliftError, match=r"marked by autograd\.graph\.inlineable"):
        f(gl.ones(3, requires_grad=True))


def test_functions_made_and_marked_inside_are_hooks_too() -> None:
    def f(x: gl.Tensor, w: gl.Tensor, b: gl.Tensor, v: gl.Tensor) -> gl.Tensor:
        pack, unpack = inlineable(lambda t: t * 3.0), inlineable(lambda t: t)
        with hooks_of(pack, unpack):
            return two_layers(x, w, b, v)

    with gl.config.patch(**{MODE: "all"}):
        assert_close(gradients(gl.jit(f, fullgraph=True)), gradients(f))


# -- hooks that do not do what they must ------------------------------------------------------------------------------
def bad_pairs() -> Iterator[tuple[str, Any, Any]]:
    def writes(t: gl.Tensor) -> gl.Tensor:
        t.mul_(2.0)
        return t

    def raises(t: gl.Tensor) -> gl.Tensor:
        raise ValueError("no")

    yield "pack writes", writes, lambda t: t
    yield "pack raises", raises, lambda t: t
    yield "unpack raises", lambda t: t, raises
    yield "unpack gives no tensor", lambda t: t, lambda t: 3
    yield "unpack gives another shape", lambda t: t, lambda t: t.reshape(-1)[:1]
    yield "unpack gives another dtype", lambda t: t, lambda t: t.to(gl.float32)


@pytest.mark.parametrize(
    ("name", "pack", "unpack"), [*bad_pairs()], ids=lambda value: value if type(value) is str else ""
)
def test_bad_hooks_do_what_they_do_in_eager_mode(name: str, pack: Any, unpack: Any) -> None:
    def outcome(f: Callable[..., Any], given: list[gl.Tensor]) -> Any:
        try:
            return gradients(f, (inlineable(pack), inlineable(unpack)), given)
        except Exception as error:
            return type(error), str(error)

    def f(x: gl.Tensor, w: gl.Tensor) -> gl.Tensor:
        return (x @ w).tanh().exp().sum()

    wanted = outcome(f, arguments()[:2])
    with gl.config.patch(**{MODE: "all"}):
        given = arguments()[:2]
        found = outcome(gl.jit(f), given)
    if isinstance(wanted, list):
        assert_close(found, wanted)
    else:
        assert found == wanted
    for one, other in zip(given, arguments()[:2], strict=True):
        if name != "pack writes":
            assert np.array_equal(one.detach().numpy(), other.detach().numpy())


def test_a_hook_with_side_effects_runs_as_plain_python() -> None:
    seen: list[Any] = []

    @inlineable
    def pack(tensor: gl.Tensor) -> gl.Tensor:
        seen.append(tensor.shape)
        return tensor

    f = gl.jit(two_layers)
    assert_close(gradients(f, (pack, same)), gradients(two_layers))
    first = len(seen)
    assert first
    gradients(f, (pack, same))
    assert len(seen) == 2 * first


# -- hooks that are told what they pack --------------------------------------------------------------------------------
@inlineable
def by_what_it_is(tensor: gl.Tensor, info: Any) -> tuple[gl.Tensor, float]:
    factor = 2.0 if info.op == "matmul" else 3.0 if info.argument == "result" else 5.0
    factor += 0.5 if info.is_parameter else 0.25 if info.is_leaf else 0.125 if info.is_output else 0.0
    return tensor * (factor * len(info.shape)), factor


@inlineable
def back_a_little_off(packed: tuple[gl.Tensor, float]) -> gl.Tensor:
    return packed[0] * (1.0 / packed[1])


@pytest.mark.spec("S2.29")
def test_a_traced_hook_is_told_in_a_step_what_an_eager_one_is() -> None:
    def step(x: gl.Tensor, w: gl.Tensor, b: gl.Tensor, v: gl.Tensor) -> gl.Tensor:
        with hooks_of(by_what_it_is, back_a_little_off):
            loss = two_layers(x, w, b, v)
        loss.backward()
        return loss

    eager, jitted = arguments(), arguments()
    step(*eager)
    fast = gl.jit(step)
    fast(*jitted)
    assert not gl.explain(fast).breaks
    assert_close([each.grad.numpy() for each in jitted], [each.grad.numpy() for each in eager])
    plain = arguments()
    two_layers(*plain).backward()
    assert not np.allclose(plain[0].grad.numpy(), eager[0].grad.numpy())


@pytest.mark.spec("S2.29")
def test_a_pair_around_a_step_is_told_too() -> None:
    def step(x: gl.Tensor, w: gl.Tensor, b: gl.Tensor, v: gl.Tensor) -> None:
        two_layers(x, w, b, v).backward()

    found = []
    for call in (step, gl.jit(step)):
        given = arguments()
        with hooks_of(by_what_it_is, back_a_little_off):
            call(*given)
        found.append([each.grad.numpy() for each in given])
    assert_close(found[1], found[0])


@inlineable
def halve_what_tanh_gave(tensor: gl.Tensor, info: Any) -> tuple[gl.Tensor, float]:
    factor = 0.5 if info.argument == "tanh" and info.op == "tanh" else 1.0
    return tensor * factor, 1.0


@inlineable
def first(packed: tuple[gl.Tensor, float]) -> gl.Tensor:
    return packed[0] * packed[1]


@pytest.mark.spec("S2.29")
def test_a_hook_of_a_compiled_forward_is_told_by_which_name_the_dumps_call_the_value() -> None:
    f = gl.jit(two_layers)
    given = arguments()
    found = gradients(f, (halve_what_tanh_gave, first), given)

    x, w, b, v = (each.detach().numpy() for each in given)
    hidden = np.tanh(x @ w + b)
    g = np.cos(hidden @ v) @ v.T  # by the product, whose saved operand is the same value
    product = (0.5 * hidden).T @ np.cos(hidden @ v)
    inner = g * (1 - (0.5 * hidden) ** 2)
    assert_close(found, [inner @ w.T, x.T @ inner, inner.sum(axis=0), product])
    assert not gl.explain(f).breaks


@inlineable
def by_what_it_is_outside(tensor: gl.Tensor, info: Any) -> gl.Tensor:
    compiled = info.node == "CompiledFunctionBackward"
    return tensor * (2.0 if info.is_parameter and compiled else 1.0)


@pytest.mark.spec("S2.29")
def test_a_hook_of_a_compiled_forward_knows_parameters() -> None:
    x, w = gl.ones(3, 3), nn.Parameter(gl.ones(3, 3))
    with gl.config.patch(**{MODE: "all"}), hooks_of(by_what_it_is_outside, same):
        out = gl.jit(lambda x, w: ((x @ w) * w).sum())(x, w)
    out.backward()
    # d/dw of sum((x @ w) * w), where the w that is kept counts twice
    np.testing.assert_allclose(w.grad.numpy(), 3.0 + 3.0 * 2.0)
