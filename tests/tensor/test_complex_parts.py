"""Complex tensors beside what `test_complex_answers.py` asks: parameters, files, draws, warnings and refusals."""

from __future__ import annotations

import copy
import io
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn
from guardlift.autograd import gradcheck, gradgradcheck
from guardlift.core.devices import Device
from guardlift.tensor.devices import placed_on

STEPPED = {
    "SGD": ({"lr": 0.01, "momentum": 0.9, "weight_decay": 0.1}, [0.1923 - 0.5616j, -1.5307 + 0.8273j]),
    "Adam": ({"lr": 0.1}, [0.6133 + 1.606j, 2.6045 - 0.6077j]),
    "AdamW": ({"lr": 0.1, "amsgrad": True}, [0.6102 + 1.5988j, 2.5933 - 0.6045j]),
    "RMSprop": ({"lr": 0.01, "momentum": 0.5}, [0.6158 + 1.5886j, 2.5816 - 0.5961j]),
    "Adagrad": ({"lr": 0.1, "initial_accumulator_value": 0.5}, [0.7565 + 1.7417j, 2.738 - 0.7457j]),
    "Adadelta": ({"lr": 1.0}, [0.987 + 1.987j, 2.987 - 0.987j]),
    "Adamax": ({"lr": 0.1}, [0.6653 + 1.6414j, 2.6345 - 0.6481j]),
    "NAdam": ({"lr": 0.1}, [0.7125 + 1.6942j, 2.6896 - 0.6992j]),
    "RAdam": ({"lr": 0.01}, [0.5608 + 0.6218j, 0.4766 + 0.0468j]),
    "ASGD": ({"lr": 0.01}, [0.6853 + 0.9478j, 1.3743 - 0.3023j]),
    "Rprop": ({"lr": 0.01}, [0.9463 + 1.9463j, 2.9463 - 0.9463j]),
}
"""The arguments of each optimizer, and a parameter after four steps, as PyTorch 2.13.0 has it."""


def after_four_steps(name: str, settings: dict[str, Any], wrap: Any) -> Any:
    p = nn.Parameter(gl.tensor([[1 + 2j, 3 - 1j]]))
    q, r = nn.Parameter(gl.tensor([0.5, 2.0])), nn.Parameter(gl.tensor(1 - 1j))
    optimizer = getattr(gl.optim, name)([p, q, r], **settings)

    def step() -> None:
        optimizer.zero_grad()
        loss = ((p * p - 1).abs() ** 2).sum() + (p * q).abs().sum() + (r * p).abs().sum()
        loss.backward()
        optimizer.step()

    chosen = wrap(step)
    for _ in range(4):
        chosen()
    return p.detach().numpy()[0]


def test_optimizers_step_each_part_as_in_pytorch() -> None:
    for name, (settings, wanted) in STEPPED.items():
        np.testing.assert_allclose(after_four_steps(name, settings, lambda step: step), wanted, atol=2e-4, err_msg=name)
    for name in ("SGD", "Adam"):
        settings, wanted = STEPPED[name]
        found = after_four_steps(name, settings, lambda step: gl.jit(step, fullgraph=True))
        np.testing.assert_allclose(found, wanted, atol=2e-4, err_msg=name)
    for name in ("LBFGS", "Muon", "Adafactor"):
        with pytest.raises(TypeError, match=f"{name} does not take complex parameters"):
            getattr(gl.optim, name)([nn.Parameter(gl.ones(2, 2, dtype=gl.complex64))])


def test_files_copies_arrays_and_modules() -> None:
    x = gl.tensor([[1 + 2j, -0.5j], [3, 4 - 1j]])
    file = io.BytesIO()
    gl.save({"x": x, "view": x.T, "wide": x.cdouble()}, file)
    file.seek(0)
    loaded = gl.load(file)
    assert loaded["x"].tolist() == x.tolist() and loaded["view"].tolist() == x.T.tolist()
    assert loaded["wide"].dtype is gl.complex128
    for other in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x)):
        assert other.dtype is gl.complex64 and other.tolist() == x.tolist()
    array = np.array([1j, 2])
    shared = gl.from_numpy(array)
    shared[0] = 5
    assert array[0] == 5 and shared.dtype is gl.complex128 and shared.numpy().base is not None
    layer = nn.Linear(2, 3, dtype=gl.complex64)
    assert layer.to(gl.complex128).weight.dtype is gl.complex128
    given = {"weight": gl.ones(3, 2, dtype=gl.complex128) * 1j, "bias": gl.zeros(3, dtype=gl.complex128)}
    assert gl.func.functional_call(layer, given, (x[0].cdouble(),)).tolist() == [(1 + 1.5j) * 1j] * 3
    fresh = nn.Linear(2, 3, dtype=gl.complex64)
    fresh.load_state_dict(layer.to(gl.complex64).state_dict())
    assert fresh.weight.tolist() == layer.weight.tolist()


def test_draws_have_the_variance_of_both_parts_together() -> None:
    gl.manual_seed(0)
    normal, even = gl.randn(40000, dtype=gl.complex64), gl.rand(40000, dtype=gl.complex128)
    assert normal.var().item() == pytest.approx(1.0, abs=0.03) and normal.real.var().item() == pytest.approx(
        0.5, abs=0.03
    )
    for part in (even.real, even.imag):
        assert 0 <= float(part.min()) and float(part.max()) < 1 and float(part.mean()) == pytest.approx(0.5, abs=0.02)
    assert gl.randn_like(normal).dtype is gl.complex64


def test_gradients_are_those_of_differences() -> None:
    x = gl.tensor([0.5 + 1j, -1.25 + 0.5j], dtype=gl.complex128, requires_grad=True)
    y = gl.tensor([0.75, 1.5], dtype=gl.float64, requires_grad=True)
    assert gradcheck(lambda x, y: (x * y).exp() / (x + 1j), (x, y)) and gradgradcheck(lambda x, y: x**2 * y, (x, y))
    with pytest.raises(RuntimeError, match="Jacobian"):
        gradcheck(lambda x: x * x.detach(), (x,))
    with pytest.raises(RuntimeError, match="only for real scalar outputs but got complex128"):
        (x * x).sum().backward()


def test_what_is_refused_says_what_to_do() -> None:
    x = gl.tensor([1 + 2j, 3 - 1j])
    leaf = gl.eye(2, dtype=gl.complex64).requires_grad_()
    for call, error, words in (
        (x.max, NotImplementedError, '"max" not implemented for complex64; take the parts with .real and .imag'),
        (lambda: x < x, NotImplementedError, '"less" not implemented for complex64'),
        (x.sign, RuntimeError, r"sgn\(\) gives each over its length"),
        (x.floor, NotImplementedError, '"floor" not implemented for complex64'),
        (lambda: gl.linalg.eigh(leaf), NotImplementedError, "linalg.eigh of complex matrices has no derivative here"),
        (lambda: gl.linalg.lstsq(leaf, leaf), NotImplementedError, '"lstsq" not implemented for complex64'),
        (lambda: gl.linalg.cholesky(-leaf.detach()), gl.linalg.LinAlgError, "linalg.cholesky: Matrix is not positive"),
        (lambda: gl.linalg.eig(gl.eye(2).requires_grad_()), NotImplementedError, "has no derivative here"),
        (lambda: float(x[0]), RuntimeError, "without overflow"),
        (lambda: gl.zeros(2).fill_(1j), RuntimeError, "without overflow"),
        (lambda: gl.zeros(2).add_(x), RuntimeError, "can't be cast"),
        (lambda: gl.zeros(2).masked_fill(gl.tensor([True, False]), 1j), RuntimeError, "without overflow"),
        (lambda: gl.full_like(gl.zeros(2), 1j), RuntimeError, "without overflow"),
        (lambda: gl.linspace(0, 1j, 3, dtype=gl.float32), RuntimeError, "the ends are complex"),
        (lambda: gl.nn.functional.pad(gl.zeros(2), (1, 1), value=1j), RuntimeError, "is complex, and the input"),
        (lambda: gl.complex(gl.ones(1), gl.ones(1).double()), RuntimeError, "of one dtype"),
        (lambda: gl.fft.rfft(x), RuntimeError, "expects a real input"),
        (lambda: placed_on(Device("cuda", 0), x), NotImplementedError, "complex tensors are on the CPU alone"),
        (lambda: gl.nn.functional.mse_loss(x, x), NotImplementedError, '"mse_loss" not implemented'),
    ):
        with pytest.raises(error, match=words):
            call()
    with pytest.warns(UserWarning, match="discards the imaginary part"):
        assert x.to(gl.float32).tolist() == [1.0, 3.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert x.bool().tolist() == [True, True] and x.real.tolist() == [1.0, 3.0]


def test_factors_put_together_are_the_matrix() -> None:
    draw = np.random.default_rng(2)
    a = gl.tensor(draw.normal(size=(2, 4, 3)) + 1j * draw.normal(size=(2, 4, 3)))
    whole = a.mH @ a
    u, s, vh = gl.linalg.svd(a, full_matrices=False)
    q, r = gl.linalg.qr(a)
    values, vectors = gl.linalg.eigh(whole)
    lower, upper = gl.linalg.cholesky(whole), gl.linalg.cholesky(whole, upper=True)
    general = gl.linalg.eig(whole)
    old = gl.svd(a)
    for made, wanted in (
        ((u * s.unsqueeze(-2)) @ vh, a),
        ((old.U * old.S.unsqueeze(-2)) @ old.V.mH, a),
        (q @ r, a),
        ((vectors * values.unsqueeze(-2)) @ vectors.mH, whole),
        (lower @ lower.mH, whole),
        (upper.mH @ upper, whole),
        (whole @ general.eigenvectors, general.eigenvectors * general.eigenvalues.unsqueeze(-2)),
        (gl.linalg.pinv(a) @ a, gl.eye(3, dtype=gl.complex128).expand(2, 3, 3)),
        (gl.linalg.det(whole), values.prod(-1).cdouble()),
    ):
        np.testing.assert_allclose(made.numpy(), wanted.numpy(), atol=1e-10)


def test_functions_are_as_accurate_as_numpy_s_with_longer_numbers() -> None:
    draw = np.random.default_rng(0)
    sizes, angles = 10.0 ** draw.uniform(-6, 2, 4000), draw.uniform(-np.pi, np.pi, 4000)
    z = sizes * np.exp(1j * angles)
    z[:100] = 1 + 1e-9 * z[:100]
    names = {
        "asin": "arcsin",
        "acos": "arccos",
        "atan": "arctan",
        "asinh": "arcsinh",
        "acosh": "arccosh",
        "atanh": "arctanh",
    }
    for name in "log log2 log10 sqrt sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh expm1 abs".split():
        wanted = getattr(np, names.get(name, name))(z)
        found = getattr(gl.tensor(z), name)().numpy()
        finite = np.isfinite(wanted)
        assert (abs(found - wanted)[finite] <= 1e-14 * abs(wanted[finite])).all(), name
