"""Kernels in the place of NumPy: both compute the same, and nothing but speed tells which it was."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.eager.host import CALLS, MOST_SIZES, HostCalls
from guardlift.core.dtypes import held
from guardlift.ops.derivative import derivative
from guardlift.ops.emitter import ARRAYS
from guardlift.ops.registry import MANY, NO_KERNEL, OPS
from guardlift.tensor import host_kernels
from guardlift.tensor.host_kernels import PLACE_OF_DRAWS

F = gl.nn.functional


def flagged() -> list[Any]:
    return [op for op in OPS.values() if op.kernel_from != NO_KERNEL]


def first_sample(op: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    for each in op.samples():
        floats = [array for array in each.args if array.dtype.kind == "f"]
        if all(array.size and np.isfinite(array).all() for array in floats) and any(
            array.dtype == np.float32 for array in floats or each.args[:1]
        ):
            return each.args, dict(each.attrs)
    each = next(iter(op.samples()))
    return each.args, dict(each.attrs)


def close(found: Any, expected: Any) -> None:
    wide = expected.dtype == np.float64
    np.testing.assert_allclose(found, expected, rtol=1e-12 if wide else 2e-5, atol=1e-12 if wide else 2e-5)
    assert found.dtype == expected.dtype and found.shape == expected.shape


@pytest.mark.slow
def test_kernels_of_every_flagged_op_and_of_its_gradients_agree_with_numpy():
    for op in flagged():
        arrays, attrs = first_sample(op)
        with np.errstate(all="ignore"):
            expected = op.eager(*arrays, **attrs)
        found = NotImplemented
        if op.kernel_from.result is not None:
            call = CALLS.draw if op.operands == PLACE_OF_DRAWS else CALLS.operation
            found = call(op, arrays, attrs)
            assert found is not NotImplemented, op
            close(found, expected)
        if op.kernel_from.gradients is None or expected.dtype.kind != "f" or op.vjp is None:
            continue
        wanted = tuple(
            array.dtype.kind == "f" and rule is not None for array, rule in zip(arrays, op.vjp, strict=False)
        )
        rules = derivative(op, wanted)
        values = {name: arrays[place] for name, place in rules.operands}
        if rules.reads_result:
            values["result"] = expected
        g = np.linspace(-1.0, 2.0, expected.size, dtype=expected.dtype).reshape(expected.shape)
        shapes, dtypes = [each.shape for each in arrays], [held(each.dtype) for each in arrays]
        found = CALLS.gradients(rules, g, values, shapes, dtypes, attrs)
        assert found is not NotImplemented, op
        for one, other in zip(found, rules.apply(ARRAYS, g, values, shapes, dtypes, attrs), strict=True):
            assert (one is None) == (other is None), op
            if one is not None:
                close(one, np.asarray(other))


def composites() -> dict[str, Any]:
    weight, scale = gl.linspace(-1, 1, 54).reshape(3, 2, 3, 3), gl.linspace(0.5, 2, 2)
    return {
        "gelu": F.gelu,
        "softmax": lambda x: gl.softmax(x, 0),
        "norm": lambda x: F.layer_norm(x, (4,)),
        "where": lambda x: gl.where(x > 0, x * x, 0.5),
        "transposed": lambda x: F.silu(x.t()),
        "entropy": lambda x: F.cross_entropy(x, gl.arange(x.shape[0]) % 4),
        "convolution": lambda x: F.conv2d(x.reshape(2, 2, -1, 4), weight, padding=1),
        "pool": lambda x: F.max_pool2d(x.reshape(2, 2, -1, 4), 2),
        "batch norm": lambda x: F.batch_norm(x.reshape(2, 2, -1, 4), None, None, scale, scale, training=True),
    }


def computed(function: Any, values: Any, on: bool) -> list[Any]:
    """The result, its strides, the gradient, and a gradient of that."""
    with gl.config.patch(eager_kernels=on):
        x = gl.tensor(values, requires_grad=True)
        result = function(x)
        weight = gl.arange(result.numel()).reshape(result.shape).cos().to(x.dtype)
        (slope,) = gl.autograd.grad((result * result * weight).sum(), x, create_graph=True)
        (bend,) = gl.autograd.grad(slope.cos().sum(), x)
        plain = gl.tensor(values, requires_grad=True)
        (function(plain) * weight).sum().backward()
    assert x.grad is None and plain.grad is not None
    return [*(each.detach().numpy() for each in (result, slope, bend, plain.grad)), result.stride()]


@pytest.mark.parametrize("name", composites())
def test_composites_agree_on_both_sides_of_the_threshold(name):
    function = composites()[name]
    for rows in (MANY // 4 - 4, MANY // 4, MANY // 4 + 12):
        values = np.random.default_rng(rows).standard_normal((rows, 4)).astype(np.float32)
        *found, strides = computed(function, values, on=True)
        *expected, plain_strides = computed(function, values, on=False)
        assert strides == plain_strides
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-4, atol=2e-4 * max(1.0, float(np.abs(other).max())))


def test_bits_do_not_depend_on_earlier_calls():
    op = OPS["softmax"]
    arrays = [np.random.default_rng(k).standard_normal((k, 70)).astype(np.float32) for k in (64, 100, 65)]
    answers = []
    for order in ((0, 1, 2), (2, 1, 0)):
        calls = HostCalls()
        found = {k: calls.operation(op, (arrays[k],), {"axis": 1}).tobytes() for k in order}
        again = {k: calls.operation(op, (arrays[k],), {"axis": 1}).tobytes() for k in order}
        assert found == again
        answers.append(found)
    assert answers[0] == answers[1]


def test_one_program_serves_draws_of_all_shapes_and_ranges():
    calls = HostCalls()
    op, place = OPS["random_integers"], (np.array(7, np.uint64), np.array(5, np.uint64))
    for k, shape in enumerate(((300,), (20, 20), (1000,))):
        attrs = {"shape": shape, "dtype": gl.int64, "low": -k, "high": 10 * k + 3}
        assert (calls.draw(op, place, attrs) == op.eager(*place, **attrs)).all()
    assert len(calls._programs) == 1 and sum(map(len, calls._programs.values())) == 1


def test_what_lowers_graphs_is_loaded_once_numpy_has_taken_as_long(monkeypatch):
    seen = []
    monkeypatch.setattr(CALLS, "draw", lambda op, *rest: seen.append(op.name) or NotImplemented)
    monkeypatch.setattr(CALLS, "step_row", lambda *rest: not seen.append("step"))
    monkeypatch.setattr(host_kernels._KERNELS, "waited", 0.0)
    parameter = gl.nn.Parameter(gl.rand(4096))
    optimizer = gl.optim.SGD([parameter], lr=0.5)

    def program():
        gl.rand(1000)
        gl.randint(0, 9, (1000,))
        parameter.grad = gl.ones(4096)
        optimizer.step()

    del seen[:]
    monkeypatch.setattr(host_kernels, "_LOWERS_GRAPHS", "no module")
    program()
    assert seen == []
    gl.randn(1000)  # whose bits are not those of NumPy
    assert seen == ["random_normal"]
    gl.rand(math.ceil(host_kernels.LOADING / host_kernels._DRAW))
    program()
    assert seen == ["random_normal", "random_uniform", "random_integers", "step"]
    monkeypatch.setattr(host_kernels._KERNELS, "waited", 0.0)
    monkeypatch.setattr(host_kernels, "_LOWERS_GRAPHS", "sys")  # loaded by something else
    program()
    assert seen[4:] == seen[1:4]


def stepped(kind: Any, on: bool, **settings: Any) -> bytes:
    gl.manual_seed(0)
    shared = gl.randn(70, 70)
    params = [gl.nn.Parameter(gl.randn(*shape)) for shape in ((80, 60), (5000,), (30,), (2000,), (1900,))]
    params += [gl.nn.Parameter(shared), gl.nn.Parameter(shared.t())]  # of the same memory, and not in rows
    gradients = [gl.randn(*each.shape) for each in params]
    with gl.config.patch(eager_kernels=on):
        host_kernels._KERNELS.waited = host_kernels.LOADING
        optimizer = kind(params, **settings)
        for k in range(3):
            for param, gradient in zip(params, gradients, strict=True):
                param.grad = gradient * (k + 1)
            optimizer.step()
    return b"".join(each.numpy(force=True).tobytes() for each in params)


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        (gl.optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
        (gl.optim.AdamW, {"lr": 0.01, "amsgrad": True}),
        (gl.optim.RMSprop, {"lr": 0.01, "centered": True}),
        (gl.optim.Rprop, {}),
    ],
)
def test_steps_of_optimizers_are_the_same_bit_for_bit(kind, settings):
    assert stepped(kind, True, **settings) == stepped(kind, False, **settings)


@pytest.mark.parametrize("other", [(512, 512), (512,), (512, 1), ()])
def test_gradients_of_large_products_come_from_one_kernel(other, monkeypatch):
    asked, gradients, found = [], CALLS.gradients, []
    monkeypatch.setattr(CALLS, "gradients", lambda *given: asked.append(1) or gradients(*given))
    gl.manual_seed(0)
    a, b, g = gl.randn(512, 512).requires_grad_(), gl.randn(other).requires_grad_(), gl.randn(512, 512)
    monkeypatch.setattr(host_kernels, "_LOWERS_GRAPHS", "no module")
    for on, waited in ((True, host_kernels.LOADING), (True, 0.0), (False, host_kernels.LOADING)):
        monkeypatch.setattr(host_kernels._KERNELS, "waited", waited)
        a.grad = b.grad = None
        seen = []
        with gl.config.patch(eager_kernels=on):
            product = a * b
            product.register_hook(seen.append)
            product.backward(g)
        assert seen[0] is g
        found.append((a.grad.numpy(), b.grad.numpy()))
        short = a[:2] * b.expand(512, 512)[:2]
        short.backward(g[:2])
    assert len(asked) == (1 if b.shape == a.shape else 2)
    for first, second in found[1:]:
        np.testing.assert_array_equal(first, found[0][0])
        np.testing.assert_allclose(second, found[0][1], rtol=1e-5, atol=1e-3 if b.shape != a.shape else 0)


@pytest.mark.parametrize("kind", [gl.nn.LSTM, gl.nn.GRU])
def test_recurrences_agree(kind):
    found = []
    for on in (True, False):
        gl.manual_seed(0)
        with gl.config.patch(eager_kernels=on):
            layer = kind(12, 40, bidirectional=True)
            x = gl.randn(9, 8, 12).requires_grad_()
            y, state = layer(x)
            ((y * y).sum() + sum(each.sin().sum() for each in (state if kind is gl.nn.LSTM else [state]))).backward()
            with gl.no_grad():
                assert (layer(x)[0] == y).all()
        found.append([y.detach().numpy(), x.grad.numpy(), *(each.grad.numpy() for each in layer.parameters())])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


def test_errors_error_states_and_gradients_that_are_taken_over_stay_as_they_are():
    x = gl.full((MANY,), 1e38)
    with np.errstate(all="raise"):
        assert gl.isinf(F.softplus(x) * 10).all() and (gl.softmax(x, 0) == 1 / MANY).all()
    texts = []
    for on in (True, False):
        with gl.config.patch(eager_kernels=on), pytest.raises(Exception) as error:
            gl.where(gl.ones(MANY, dtype=gl.bool_), gl.ones(MANY - 1), gl.ones(MANY))
        texts.append((type(error.value), str(error.value)))
    assert texts[0] == texts[1]
    leaf = gl.randn(MANY).requires_grad_()
    F.gelu(leaf).backward(gl.ones(MANY))
    assert leaf.grad._array.flags.owndata and leaf.grad._array.flags.writeable


def test_numpy_computes_what_no_kernel_takes_and_what_is_short(monkeypatch):
    seen = []
    monkeypatch.setattr(CALLS, "operation", lambda op, *rest: seen.append(op.name) or NotImplemented)
    F.gelu(gl.ones(MANY - 1))
    with gl.config.patch(eager_kernels=False):
        F.gelu(gl.ones(MANY))
    assert seen == []
    expected = F.gelu(gl.ones(MANY))
    assert seen == ["gelu"]
    monkeypatch.undo()
    raw = np.ones(4 * MANY + 1, np.int8)[1:].view(np.float32)
    raw[:] = 1.0
    assert not raw.flags.aligned or raw.ctypes.data % 4 == 0
    np.testing.assert_allclose(F.gelu(gl.from_numpy(raw)).numpy(), expected.numpy(), rtol=1e-6)


def test_windows_of_ever_other_sizes_are_left_to_numpy_after_a_while(monkeypatch):
    calls = HostCalls()
    compiled = []
    monkeypatch.setattr(calls, "built", lambda graph: compiled.append(graph) or (lambda operands: NotImplemented))
    for name in ("operation", "gradients"):
        monkeypatch.setattr(CALLS, name, getattr(calls, name))
    pictures = [gl.ones(1, 1, 64, 64 + 2 * k) for k in range(2 * MOST_SIZES)]
    for _ in range(2):
        for each in pictures:
            assert F.max_pool2d(each, 2).shape[-1] == each.shape[-1] // 2
    assert len(compiled) == MOST_SIZES
    calls._calls.clear()  # as when there are too many of them: the sizes that had kernels have them again
    for each in pictures:
        F.max_pool2d(each, 2)
    assert len(compiled) == 2 * MOST_SIZES


def test_products_of_rows_agree_with_numpy_and_one_program_serves_all_their_sizes():
    calls, linear = HostCalls(), OPS["linear"]
    rules = derivative(linear, (True, True, True))
    for k, (lead, width, features) in enumerate(
        [((600,), 32, 48), ((40, 20), 48, 65), ((0,), 128, 64), ((3, 0), 128, 64), ((1,), 96, 80), ((), 96, 80)]
    ):
        make = np.random.default_rng(k).standard_normal
        x, weight, bias, g = (
            make(shape).astype(np.float32) for shape in ((*lead, width), (features, width), features, (*lead, features))
        )
        about = [each.shape for each in (x, weight, bias)], [gl.float32] * 3, {}
        values = {"input": x, "weight": weight}
        found = [calls.operation(linear, given, {}) for given in ((x, weight), (x, weight, bias))]
        expected = [linear.eager(x, weight), linear.eager(x, weight, bias)]
        parts = calls.gradients(rules, g, values, *about)
        found += [parts] * 3 if parts is NotImplemented else parts
        expected += rules.apply(ARRAYS, g, values, *about)
        for one, other in zip(found, expected, strict=True):
            if one is NotImplemented:
                assert 0 in lead
                continue
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5 * float(np.abs(other).max(initial=0)))
            assert one.shape == other.shape and one.dtype == other.dtype
    assert not any(calls._made_for_sizes.values())


def test_recurrent_layers_agree_with_numpy():
    for kind, settings in ((gl.nn.LSTM, {"proj_size": 6}), (gl.nn.GRU, {})):
        answers = []
        for on in (True, False):
            with gl.config.patch(eager_kernels=on):
                gl.manual_seed(0)
                layer, x = kind(12, 24, **settings), gl.randn(16, 20, 12).transpose(0, 1).requires_grad_()
                out, _ = layer(x)
                (out * gl.arange(out.numel()).reshape(out.shape).cos()).sum().backward()
            answers.append([out.detach().numpy(), *(each.grad.numpy() for each in (x, *layer.parameters()))])
        for one, other in zip(*answers, strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-4, atol=2e-5 * max(1.0, float(np.abs(other).max())))


def test_what_has_no_kernel_is_told_once_for_each_reason(capsys, log_on_stderr):
    calls = HostCalls()
    weight = np.ones((64, 100), np.float32)
    with gl.config.patch(logs=("hints",)):
        for _ in range(2):
            for rows in (64, 65):
                operands = np.ones((rows, 64), np.float32, "F"), weight
                assert calls.operation(OPS["matmul"], operands, {}) is NotImplemented
    told = capsys.readouterr().err
    assert told.count("NumPy computes matmul, since no kernel does: no one program serves many sizes") == 1
    assert "test_host_kernels.py:" in told
    calls.operation(OPS["matmul"], (np.ones((66, 64), np.float32, "F"), weight), {})
    assert not capsys.readouterr().err
