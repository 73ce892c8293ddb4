"""Differential equations, graphs, and gradients that are part of what is computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aot.declaring import Tap, takes

import guardlift as gl
from guardlift.autograd import grad
from guardlift.nn import functional as F

Tensor = Any


@takes("x: n; w: 4 grad; y: n")
def polynomial_fit(tap: Tap, x: Tensor, w: Tensor, y: Tensor) -> Tensor:
    total = gl.zeros_like(x)
    for coefficient in w:
        total = tap("total", total * x + coefficient)
    return F.mse_loss(total, y) + 0.1 * (gl.vander(x, 4) @ w).abs().mean()


@takes("y: n k grad; w: k k grad; end: n k")
def euler_steps(tap: Tap, y: Tensor, w: Tensor, end: Tensor) -> Tensor:
    for _ in range(4):
        y = tap("state", y + 0.1 * (y @ w).tanh())
    return F.mse_loss(y, end)


def runge_kutta_step(slope: Callable[[Tensor], Tensor], y: Tensor, width: float) -> Tensor:
    """One step of the classical method."""
    a = slope(y)
    b = slope(y + width / 2 * a)
    c = slope(y + width / 2 * b)
    return y + width / 6 * (a + 2 * b + 2 * c + slope(y + width * c))


@takes("y: n k grad; w: h k grad; v: k h grad; end: n k")
def runge_kutta_steps(tap: Tap, y: Tensor, w: Tensor, v: Tensor, end: Tensor) -> Tensor:
    for _ in range(2):
        y = tap("state", runge_kutta_step(lambda x: F.linear(F.linear(x, w).sin(), v), y, 0.2))
    return F.mse_loss(y, end)


@takes("x: n 1 grad; w: h 1 grad; b: h grad; v: 1 h grad")
def physics_informed(tap: Tap, x: Tensor, w: Tensor, b: Tensor, v: Tensor) -> Tensor:
    u = F.linear(tap("hidden", F.linear(x, w, b).tanh()), v)
    (slope,) = grad(u.sum(), x, create_graph=True)
    (bend,) = grad(tap("slope", slope).sum(), x, create_graph=True)
    return (bend + u).square().mean() + u[0].square().sum()


@takes("real: n k; fake: n k; w: h k grad; v: h grad")
def gradient_penalty(tap: Tap, real: Tensor, fake: Tensor, w: Tensor, v: Tensor) -> Tensor:
    between = ((real + fake) / 2).requires_grad_()
    score = tap("score", F.linear(between, w).tanh()) @ v
    (slope,) = grad(score.sum(), between, create_graph=True)
    return ((slope.square().sum(1) + 1e-2).sqrt() - 1).square().mean()


@takes("q: n k grad; p: n k grad; w: h k grad; v: h grad")
def hamiltonian(tap: Tap, q: Tensor, p: Tensor, w: Tensor, v: Tensor) -> Tensor:
    energy = tap("energy", (F.linear(q, w).tanh() @ v).sum() + (F.linear(p, w).sin() @ v).sum())
    force, speed = grad(energy, [q, p], create_graph=True)
    return (p - force).square().mean() + (q + tap("speed", speed)).square().mean()


@takes("x: n k; y: n; w: k grad; rate: unit grad")
def inner_step(tap: Tap, x: Tensor, y: Tensor, w: Tensor, rate: Tensor) -> Tensor:
    inner = F.mse_loss(tap("inner", (x @ w).tanh()), y)
    (slope,) = grad(inner, w, create_graph=True)
    return F.mse_loss(x @ (w - rate * slope), y)


@takes("x: n k grad; w: h k grad; v: h grad")
def sensitivity_without_history(tap: Tap, x: Tensor, w: Tensor, v: Tensor) -> Tensor:
    score = tap("score", F.linear(x, w).tanh() @ v).sum()
    (slope,) = grad(score, x, retain_graph=True)
    return score * slope.square().mean()


@takes("x: n k grad; start: 7 index=n; end: 7 index=n; w: h k grad; y: n h")
def graph_convolution(tap: Tap, x: Tensor, start: Tensor, end: Tensor, w: Tensor, y: Tensor) -> Tensor:
    degree = gl.zeros(x.shape[0]).to(x.dtype).index_add(0, end, gl.ones(7).to(x.dtype)) + 1
    sent = tap("sent", x[start] / degree[start][:, None])
    seen = x + gl.zeros_like(x).index_add(0, end, sent)
    return F.mse_loss(tap("seen", seen) @ w.t(), y)


@takes("x: n k grad; start: 7 index=n; end: 7 index=n; w: k grad; v: k grad")
def graph_attention(tap: Tap, x: Tensor, start: Tensor, end: Tensor, w: Tensor, v: Tensor) -> Tensor:
    score = tap("score", F.relu((x @ w)[start] + (x @ v)[end]).exp())
    total = gl.zeros(x.shape[0]).to(x.dtype).scatter_add(0, end, score)
    weights = (score / total[end])[:, None]
    rows = end[:, None].expand(-1, x.shape[1])
    return gl.zeros_like(x).scatter_add(0, rows, weights * x[start]).square().sum()


@takes("where: n 3 grad; mass: n unit grad")
def pairwise_energy(tap: Tap, where: Tensor, mass: Tensor) -> Tensor:
    apart = tap("apart", (where[:, None] - where[None]).square().sum(-1) + 0.1)
    return -(gl.outer(mass, mass) / apart.sqrt()).triu(1).sum()


@takes("m: k k grad; y: k k")
def newton_schulz(tap: Tap, m: Tensor, y: Tensor) -> Tensor:
    x = m / (m.norm() + 1e-2)
    for _ in range(3):
        x = tap("x", 1.5 * x - 0.5 * x @ x.mT @ x)
    return F.mse_loss(x, y)


@takes("y: n grad; move: unit grad; noise: unit grad; see: unit grad")
def kalman_filter(tap: Tap, y: Tensor, move: Tensor, noise: Tensor, see: Tensor) -> Tensor:
    mean, spread, cost = y[0], see, 0.0
    for seen in y[1:]:
        mean, spread = move * mean, move**2 * spread + noise
        total = tap("total", spread + see)
        cost = cost + 0.5 * (total.log() + (seen - mean) ** 2 / total)
        gain = spread / total
        mean, spread = mean + gain * (seen - mean), (1 - gain) * spread
    return cost + mean**2


@takes("logits: n c grad; w: n c")
def sampled_policy(tap: Tap, logits: Tensor, w: Tensor) -> Tensor:
    chances = tap("chances", logits.softmax(1))
    entropy = -(chances * (chances + 1e-2).log()).sum(1)
    advantage = (w - (chances * w).sum(1, keepdim=True)).detach()
    return -(logits.log_softmax(1) * advantage).mean() - 0.1 * entropy.mean()


@takes("where: n 2 grad; centre: 2 grad; y: n")
def polar_coordinates(tap: Tap, where: Tensor, centre: Tensor, y: Tensor) -> Tensor:
    across, up = (where - centre).unbind(1)
    distance, angle = tap("distance", gl.hypot(across, up)), gl.atan2(up, across)
    return F.mse_loss(distance * (angle - y).cos(), y)


@takes("one: n k grad; other: n k grad; near: n bits")
def hyperbolic_distance(tap: Tap, one: Tensor, other: Tensor, near: Tensor) -> Tensor:
    one, other = (0.9 * each / (1 + each.norm(dim=1, keepdim=True)) for each in (one, other))
    room = (1 - one.square().sum(1)) * (1 - other.square().sum(1))
    distance = gl.acosh(1.01 + 2 * tap("apart", (one - other).square().sum(1)) / room)
    return F.binary_cross_entropy_with_logits(1 - distance, near)


@takes("boxes: n 2 unit grad; sizes: n 2 unit grad; truth: n 2 unit; wanted: n 2 unit")
def overlap_of_boxes(tap: Tap, boxes: Tensor, sizes: Tensor, truth: Tensor, wanted: Tensor) -> Tensor:
    low, high = gl.maximum(boxes, truth), gl.minimum(boxes + sizes, truth + wanted)
    common = tap("common", (high - low).clamp(min=0)).prod(1)
    return (1 - common / (sizes.prod(1) + wanted.prod(1) - common)).mean()


@takes("angles: t grad; lengths: t unit grad; goal: 2")
def robot_arm(tap: Tap, angles: Tensor, lengths: Tensor, goal: Tensor) -> Tensor:
    turned = tap("turned", angles.cumsum(0))
    reached = gl.stack([(lengths * turned.cos()).sum(), (lengths * turned.sin()).sum()])
    return (reached - goal).norm() + 0.1 * (lengths.asin().tanh() + lengths.acos() + angles.atan().cosh()).sum()


@takes("x: n k grad; y: n grad; z: 3 4 grad")
def borders(tap: Tap, x: Tensor, y: Tensor, z: Tensor) -> Tensor:
    """Rows put between others, a band written by masks, a copy of parts."""
    grown = gl.cat([gl.zeros_like(x[:1]), tap("x", x), x[-1:]])
    written = gl.zeros_like(grown).slice_scatter(grown[1:], 0, 0, grown.shape[0] - 1)
    band = z.tril(1).masked_fill(z.detach() > 1, 0.5)
    return (written * grown).sum() + (band @ band.T).trace() + y.fmod(0.4).copysign(y.detach() + 0.01).sum()
