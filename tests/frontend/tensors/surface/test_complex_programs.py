"""Whole programs over complex tensors: the same numbers jitted as in eager mode, from one graph."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn

F = nn.functional


def one_graph(function: Callable[..., Any]) -> Callable[..., Any]:
    return gl.jit(function, fullgraph=True)


def close(got: gl.Tensor, wanted: Any, tolerance: float = 1e-4) -> None:
    np.testing.assert_allclose(got.detach().numpy(), wanted, rtol=tolerance, atol=tolerance)


class FourierLayer(nn.Module):
    """A layer of a Fourier neural operator: Li et al. 2021."""

    def __init__(self, channels: int, modes: int) -> None:
        super().__init__()
        self.modes = modes
        draw = np.random.default_rng(3)
        weight = draw.normal(size=(2, channels, channels, modes)) / channels
        self.weight = nn.Parameter(gl.tensor((weight[0] + 1j * weight[1]).astype(np.complex64)))
        self.beside = nn.Conv1d(channels, channels, 1)
        with gl.no_grad():
            self.beside.weight.fill_(0.1)
            self.beside.bias.fill_(0.01)

    def forward(self, x: gl.Tensor) -> gl.Tensor:
        terms = gl.fft.rfft(x)
        kept = gl.einsum("bim,iom->bom", terms[..., : self.modes], self.weight)
        padded = F.pad(kept, (0, terms.shape[-1] - self.modes))
        return F.gelu(gl.fft.irfft(padded, n=x.shape[-1]) + self.beside(x))


def trained(wrap: Callable[[Any], Any]) -> tuple[list[float], list[Any]]:
    layer = FourierLayer(3, 4)
    optimizer = gl.optim.Adam(layer.parameters(), lr=0.05)
    draw = np.random.default_rng(0)
    x, y = (gl.tensor(draw.normal(size=(2, 3, 16)).astype(np.float32)) for _ in range(2))

    def step(x: gl.Tensor, y: gl.Tensor) -> gl.Tensor:
        optimizer.zero_grad()
        loss = F.mse_loss(layer(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    chosen = wrap(step)
    losses = [float(chosen(x, y)) for _ in range(4)]
    return losses, [each.detach().numpy().copy() for each in layer.parameters()]


def test_a_step_of_a_fourier_neural_operator() -> None:
    losses, parameters = trained(lambda step: step)
    jitted, others = trained(one_graph)
    assert losses[-1] < losses[0]
    np.testing.assert_allclose(jitted, losses, rtol=1e-4)
    for one, other in zip(parameters, others, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-3, atol=1e-4)


def test_phases_are_found_again_by_gradient_descent() -> None:
    draw = np.random.default_rng(1)
    hidden = np.exp(1j * draw.uniform(0, 2 * np.pi, 8)).astype(np.complex64)
    rows = (draw.normal(size=(40, 8)) + 1j * draw.normal(size=(40, 8))).astype(np.complex64)
    measured = gl.tensor(np.abs(rows @ hidden) ** 2)
    matrix = gl.tensor(rows)
    start = (hidden * np.exp(1j * draw.normal(size=8) * 0.4)).astype(np.complex64)

    def descended(wrap: Callable[[Any], Any]) -> Any:
        found = nn.Parameter(gl.tensor(start))
        optimizer = gl.optim.SGD([found], lr=5e-4, momentum=0.5)

        def step() -> gl.Tensor:
            optimizer.zero_grad()
            loss = ((gl.abs(matrix @ found) ** 2 - measured) ** 2).mean()
            loss.backward()
            optimizer.step()
            return loss.detach()

        chosen = wrap(step)
        for _ in range(250):
            loss = chosen()
        return float(loss), found.detach().numpy()

    loss, found = descended(one_graph)
    assert loss < 1e-3
    assert abs(np.vdot(found, hidden)) / 8 == pytest.approx(1.0, abs=1e-3)  # up to one phase for all
    close(gl.tensor(found), descended(lambda step: step)[1], 1e-3)


def gate(angle: gl.Tensor) -> gl.Tensor:
    """A rotation about the y axis, and a phase."""
    half = angle / 2
    rows = gl.stack([gl.stack([half.cos(), -half.sin()]), gl.stack([half.sin(), half.cos()])])
    return rows * gl.polar(gl.ones(()), angle * 0.3)


def energy(angles: gl.Tensor) -> gl.Tensor:
    """The expected value of Z on the second of two qubits, after rotations and a controlled phase."""
    state = gl.zeros(4, dtype=gl.complex64)
    state[0] = 1
    for layer in angles:
        state = gl.kron(gate(layer[0]), gate(layer[1])) @ state
        state = state * gl.tensor([1, 1, 1, -1j])
    signs = gl.tensor([1.0, -1.0, 1.0, -1.0])
    return (signs * (state * state.conj()).real).sum()


def by_numpy(angles: Any) -> float:
    def turned(angle: float) -> Any:
        c, s = math.cos(angle / 2), math.sin(angle / 2)
        return np.array([[c, -s], [s, c]]) * np.exp(0.3j * angle)

    state = np.array([1, 0, 0, 0], complex)
    for one, other in angles:
        state = np.kron(turned(one), turned(other)) @ state * np.array([1, 1, 1, -1j])
    return float((np.array([1, -1, 1, -1]) * abs(state) ** 2).sum())


def test_a_quantum_circuit_and_its_slopes() -> None:
    given = np.array([[0.4, 1.1], [-0.7, 0.3], [1.9, -1.2]])
    wanted = by_numpy(given)
    slopes = np.zeros_like(given)
    for place in np.ndindex(given.shape):
        step = np.zeros_like(given)
        step[place] = 1e-5
        slopes[place] = (by_numpy(given + step) - by_numpy(given - step)) / 2e-5

    def both(angles: gl.Tensor) -> tuple[gl.Tensor, gl.Tensor]:
        leaf = angles.detach().requires_grad_()
        value = energy(leaf)
        return value.detach(), gl.autograd.grad(value, leaf)[0]

    angles = gl.tensor(given, dtype=gl.float32)
    for function in (both, one_graph(both), one_graph(both)):
        value, found = function(angles)
        assert float(value) == pytest.approx(wanted, abs=1e-5)
        close(found, slopes, 1e-3)
    batch = gl.stack([angles, angles * 0.5])
    close(gl.vmap(energy)(batch), [by_numpy(given), by_numpy(given * 0.5)])
    close(gl.func.grad(energy)(angles), slopes, 1e-3)


def test_branches_loops_writes_and_views_of_complex_tensors() -> None:
    def program(x: gl.Tensor, n: int) -> tuple[gl.Tensor, ...]:
        made = x * (1 + 0.5j)
        for k in range(n):
            made = made * x if k % 2 else made + 1j
        made[0] = 2j
        made[1:] *= 0.5
        view = made.reshape(2, -1).T
        return made, view.abs().sum(0), view.conj().mean(), gl.where(made.real > 0, made, made.conj())

    x = gl.tensor([1 + 1j, 0.5 - 1j, -1 + 0.25j, 2j])
    jitted = gl.jit(program)
    for _ in range(2):
        for got, wanted in zip(jitted(x, 3), program(x, 3), strict=True):
            assert got.dtype is wanted.dtype
            close(got, wanted.numpy())
    assert not gl.explain(jitted).breaks


def written_parts(x: gl.Tensor) -> tuple[Any, ...]:
    """Writes through views of parts of a result and of the argument; parts of new tensors, and views of those."""
    y = x * 2
    y.real.mul_(3.0)
    y.imag[1:] = 4.0
    y.T.real[0] += y.T.imag[0].clone()
    x.real.add_(1.0)
    x.imag = x.real * 2
    gl.view_as_real(x)[0, 0, 1] = 9.0
    pairs = gl.zeros(x.shape[0], 2)
    gl.view_as_complex(pairs).add_(x[:, 0])
    return y, y.real, (y * 1).real.T[1:], (y + 1j).imag, gl.view_as_real(y * 1)[..., 0], pairs, x.imag


def slopes_of_parts(z: gl.Tensor, p: gl.Tensor) -> tuple[Any, ...]:
    """Gradients for views of parts, and through writes to them."""
    w = z * 2
    w.real.mul_(w.imag.clone())
    pairs = p * 1
    gl.view_as_complex(pairs).mul_(1j)
    whole = gl.complex(p[:, 0], p[:, 1])
    part = whole.real  # whose gradient is not that of what it was made of
    loss = (w.abs() ** 2).sum() + (pairs[:, 0] ** 2).sum() + (part * part * 2 + p[:, 0]).sum()
    return gl.autograd.grad(loss, (part, whole, z, p))


def test_views_of_parts_are_written_through_and_differentiated_in_one_graph() -> None:
    draw = np.random.default_rng(4)
    written, slopes = one_graph(written_parts), one_graph(slopes_of_parts)
    for rows in (3, 3, 4, 5):  # from the third call on for every size
        first = gl.tensor((draw.normal(size=(rows, 2)) + 1j * draw.normal(size=(rows, 2))).astype(np.complex64))
        other, given = first.clone(), gl.tensor(draw.normal(size=(rows, 2)), requires_grad=True)
        wanted, got = written_parts(first), written(other)
        for one, two in zip((*wanted, first), (*got, other), strict=True):
            assert one.tolist() == two.tolist() and one.stride() == two.stride()
        for y, real, *_, imag in (wanted, got):
            real.zero_()
            assert not y.real.any() and imag.tolist() == (first if y is wanted[0] else other).imag.tolist()
        got[-1].zero_()
        assert not other.imag.any()
        leaf = first.requires_grad_()
        for one, two in zip(slopes_of_parts(leaf, given), slopes(leaf, given), strict=True):
            close(two, one.numpy())
    assert not gl.explain(written).breaks and gl.explain(written).compiles <= 3, str(gl.explain(written))


def test_a_view_of_pairs_that_do_not_lie_so_is_eager_mode_s_error() -> None:
    jitted = gl.jit(lambda x: gl.view_as_complex(x.T) * 1j)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="last dimension with stride 1"):
            jitted(gl.zeros(2, 3))
    array = np.array([1 + 2j, 3 - 1j])
    over = gl.from_dlpack(array)
    np.from_dlpack(over.imag)[...] = 7
    assert array.tolist() == [1 + 7j, 3 + 7j] and over.real.tolist() == [1.0, 3.0]
