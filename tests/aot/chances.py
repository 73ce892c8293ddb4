"""Likelihoods, flows, contrasts and kernels."""

from __future__ import annotations

import math
from typing import Any

from aot.declaring import Tap, takes

import guardlift as gl
from guardlift.nn import functional as F

Tensor = Any


@takes("x: n k; means: c k grad; scales: c k grad; weights: c grad")
def gaussian_mixture(tap: Tap, x: Tensor, means: Tensor, scales: Tensor, weights: Tensor) -> Tensor:
    z = tap("z", (x[:, None] - means) * (-scales).exp())
    logs = -0.5 * (z**2 + math.log(2 * math.pi)).sum(-1) - scales.sum(-1) + weights.log_softmax(0)
    return -tap("logs", logs).logsumexp(1).mean()


@takes("x: n k; gate: c k grad; w: c h k grad; y: n h")
def mixture_of_experts(tap: Tap, x: Tensor, gate: Tensor, w: Tensor, y: Tensor) -> Tensor:
    weights = tap("weights", (x @ gate.t()).softmax(-1))
    experts = tap("experts", gl.einsum("nk,chk->nch", x, w).relu())
    return F.mse_loss((weights[..., None] * experts).sum(1), y)


@takes("x: n k; gate: 4 k grad; w: 4 k grad; y: n")
def two_experts_of_four(tap: Tap, x: Tensor, gate: Tensor, w: Tensor, y: Tensor) -> Tensor:
    best = (x @ gate.t()).topk(2, 1)
    weights = tap("weights", best.values.softmax(1))
    said = (x @ w.t()).gather(1, best.indices)
    return F.mse_loss((weights * said).sum(1), y)


@takes("x: n 4 grad; w: 4 2 grad; b: 4 grad")
def coupling_flow(tap: Tap, x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    determinant = 0.0
    for _ in range(2):
        kept, changed = x.chunk(2, 1)
        scale, shift = F.linear(kept, w, b).chunk(2, 1)
        scale = tap("scale", scale.tanh())
        x = tap("state", gl.cat([changed * scale.exp() + shift, kept], 1))
        determinant = determinant + scale.sum(1)
    return (x.square().sum(1) / 2 - determinant).mean()


@takes("x: n k grad; u: k grad; w: k grad; b: grad")
def planar_flow(tap: Tap, x: Tensor, u: Tensor, w: Tensor, b: Tensor) -> Tensor:
    bend = tap("bend", (x @ w + b).tanh())
    moved = x + u * bend[:, None]
    stretch = (1 + (1 - bend**2) * gl.dot(u, w)).abs() + 1e-2
    return (moved.square().sum(1) / 2 - stretch.log()).mean()


@takes("x: n k bits; w: 4 k grad; v: k 2 grad; noise: n 2")
def variational_autoencoder(tap: Tap, x: Tensor, w: Tensor, v: Tensor, noise: Tensor) -> Tensor:
    mean, spread = F.linear(x, w).chunk(2, 1)
    z = tap("z", mean + noise * (0.5 * spread).exp())
    said = F.binary_cross_entropy_with_logits(tap("said", F.linear(z, v)), x, reduction="sum")
    return (said - 0.5 * (1 + spread - mean**2 - spread.exp()).sum()) / x.shape[0]


@takes("x: n k; w: c k grad; b: c grad; labels: n index=c")
def softmax_regression(tap: Tap, x: Tensor, w: Tensor, b: Tensor, labels: Tensor) -> Tensor:
    return F.nll_loss(tap("scores", F.linear(x, w, b)).log_softmax(1), labels) + 0.01 * w.norm()


@takes("x: n k; w: k grad; y: n bits")
def focal_loss(tap: Tap, x: Tensor, w: Tensor, y: Tensor) -> Tensor:
    score = tap("score", x @ w)
    chance = gl.where(y > 0.5, score.sigmoid(), (-score).sigmoid())
    return -((1 - chance) ** 2 * tap("logs", chance.log())).mean()


@takes("x: n k; z: n k; w: h k grad; heat: grad")
def contrastive(tap: Tap, x: Tensor, z: Tensor, w: Tensor, heat: Tensor) -> Tensor:
    one, other = (each / (each.norm(dim=1, keepdim=True) + 1e-2) for each in (x @ w.t(), z @ w.t()))
    scores = tap("scores", one @ other.t() * heat.exp())
    labels = gl.arange(x.shape[0])
    return (F.cross_entropy(scores, labels) + F.cross_entropy(scores.t(), labels)) / 2


@takes("anchor: n k grad; near: n k grad; far: n k grad")
def triplet(tap: Tap, anchor: Tensor, near: Tensor, far: Tensor) -> Tensor:
    margin = (anchor - near).square().sum(1) - (anchor - far).square().sum(1) + 1
    return tap("margin", margin).clamp_min(0).mean()


@takes("who: n index=4; what: n index=5; p: 4 h grad; q: 5 h grad; bias: 5 grad; y: n")
def matrix_factorisation(tap: Tap, who: Tensor, what: Tensor, p: Tensor, q: Tensor, bias: Tensor, y: Tensor) -> Tensor:
    users, things = tap("users", p.index_select(0, who)), q[what]
    said = (users * things).sum(-1) + bias.take(what)
    return F.mse_loss(said, y) + 0.1 * (users.square().mean() + things.square().mean())


@takes("x: n k; w: k grad; b: grad; counts: n index=5")
def poisson_regression(tap: Tap, x: Tensor, w: Tensor, b: Tensor, counts: Tensor) -> Tensor:
    rate = tap("rate", x @ w + b)
    return (rate.exp() - counts * rate).mean()


@takes("x: n k; w: k grad; y: n")
def robust_regression(tap: Tap, x: Tensor, w: Tensor, y: Tensor) -> Tensor:
    apart = tap("apart", x @ w - y)
    huber = gl.where(apart.abs() < 0.5, apart**2 / 2, 0.5 * (apart.abs() - 0.25))
    return huber.mean() + gl.maximum(0.3 * apart, -0.7 * apart).mean()


@takes("scores: n h grad; truth: n h")
def listwise_ranking(tap: Tap, scores: Tensor, truth: Tensor) -> Tensor:
    order = truth.argsort(1, descending=True)
    ranked = tap("ranked", scores.take_along_dim(order, 1))
    return (ranked.flip(1).logcumsumexp(1).flip(1) - ranked).mean() + scores.sort(1).values[:, 0].sum()


@takes("x: n k grad; z: h k; y: n; noise: unit grad; w: h grad")
def kernel_ridge(tap: Tap, x: Tensor, z: Tensor, y: Tensor, noise: Tensor, w: Tensor) -> Tensor:
    kernel = tap("kernel", (-gl.cdist(x, z) / 2).exp())
    return F.mse_loss(kernel @ w, y) + noise * (w * w).sum()


@takes("x: n k; y: n; width: unit grad; noise: unit grad")
def gaussian_process_by_conjugate_gradients(tap: Tap, x: Tensor, y: Tensor, width: Tensor, noise: Tensor) -> Tensor:
    kernel = tap("kernel", (-((x[:, None] - x) ** 2).sum(-1) / width).exp() + noise * gl.eye(x.shape[0]).to(x.dtype))
    solved, rest = gl.zeros_like(y), y
    ahead = rest
    for _ in range(2):
        seen = kernel @ ahead
        step = rest.dot(rest) / (ahead.dot(seen) + 1e-2)
        solved, new = tap("solved", solved + step * ahead), rest - step * seen
        ahead = new + new.dot(new) / (rest.dot(rest) + 1e-2) * ahead
        rest = new
    return y.dot(solved) / 2


@takes("x: n k; z: n k; w: h k grad")
def hashing(tap: Tap, x: Tensor, z: Tensor, w: Tensor) -> Tensor:
    soft = tap("soft", gl.cat([x, z]) @ w.t())
    code = soft + (soft.sign() - soft).detach()
    one, other = code.split(x.shape[0])
    return ((one * other).mean(1) - 0.5).square().mean() + soft.abs().sub(1).square().mean()


@takes("costs: n h grad; left: n grad; right: h grad")
def sinkhorn(tap: Tap, costs: Tensor, left: Tensor, right: Tensor) -> Tensor:
    a, b = left.log_softmax(0), right.log_softmax(0)
    v = gl.zeros_like(b)
    for _ in range(3):
        u = tap("u", a - (v - costs).logsumexp(1))
        v = b - (u[:, None] - costs).logsumexp(0)
    return ((u[:, None] + v - costs).exp() * costs).sum()


@takes("x: n k; w: k grad; y: n bits")
def probit_regression(tap: Tap, x: Tensor, w: Tensor, y: Tensor) -> Tensor:
    chance = 0.5 * (1 + tap("score", x @ w / math.sqrt(2)).erf())
    return -(y * (chance + 1e-3).log() + (1 - y) * (1.001 - chance).log2()).mean()


@takes("x: n k; w: k grad; y: n bits")
def complementary_log_log(tap: Tap, x: Tensor, w: Tensor, y: Tensor) -> Tensor:
    hazard = tap("hazard", (x @ w).exp())
    return (hazard * (1 - y) - y * gl.log1p(-(-hazard).exp() * 0.99)).mean() + gl.expm1(-hazard).square().mean()


@takes("parts: n k unit grad; leak: unit grad; y: n bits")
def noisy_or(tap: Tap, parts: Tensor, leak: Tensor, y: Tensor) -> Tensor:
    silent = leak * tap("silent", 1 - parts).prod(1)
    return F.mse_loss(1 - silent, y) + gl.minimum(parts, leak).log10().mean()


@takes("x: n unit; scale: grad; order: n unit grad; y: n")
def power_law(tap: Tap, x: Tensor, scale: Tensor, order: Tensor, y: Tensor) -> Tensor:
    return F.mse_loss(tap("said", scale.exp2() * gl.pow(x, order)), y) + (1 / order).tan().square().mean() * 1e-3


@takes("mean: n grad; told: n grad; rest: n")
def log_of_two_mixtures(tap: Tap, mean: Tensor, told: Tensor, rest: Tensor) -> Tensor:
    both = gl.logaddexp(tap("mean", mean), gl.logaddexp(told, rest) - math.log(3))
    return both.std() + both.mean()
