"""Feed-forward networks: layers, gates, normalisations, shared and composed weights."""

from __future__ import annotations

from typing import Any

from aot.declaring import Tap, takes

import guardlift as gl
from guardlift import nn
from guardlift.nn import functional as F

Tensor = Any


@takes("x: n k grad; w: h k grad; b: h grad; v: c h grad; d: c grad; y: n c")
def mlp(tap: Tap, x: Tensor, w: Tensor, b: Tensor, v: Tensor, d: Tensor, y: Tensor) -> Tensor:
    hidden = tap("hidden", F.linear(x, w, b).tanh())
    return F.mse_loss(tap("out", F.linear(hidden, v, d)), y)


@takes("x: n k; w: t k k grad; y: n k")
def deep_residual(tap: Tap, x: Tensor, w: Tensor, y: Tensor) -> Tensor:
    for weight in w:
        x = tap("state", x + F.gelu(x @ weight))
    return F.l1_loss(x, y)


@takes("x: n k; w: h k grad; g: h k grad; v: k h grad; y: n k")
def swiglu(tap: Tap, x: Tensor, w: Tensor, g: Tensor, v: Tensor, y: Tensor) -> Tensor:
    gate = tap("gate", F.silu(x @ g.t()))
    return F.mse_loss(tap("out", (gate * (x @ w.t())) @ v.t()), y)


@takes("x: n k; w: 6 k grad; y: n 3")
def gated_linear_unit(tap: Tap, x: Tensor, w: Tensor, y: Tensor) -> Tensor:
    value, gate = tap("both", F.linear(x, w)).chunk(2, 1)
    return F.mse_loss(tap("out", value * gate.sigmoid()), y)


@takes("x: n k grad; w: k k grad; g: k k grad; b: k grad")
def highway(tap: Tap, x: Tensor, w: Tensor, g: Tensor, b: Tensor) -> Tensor:
    for _ in range(2):
        gate = tap("gate", F.linear(x, g, b - 1).sigmoid())
        x = tap("state", gate * F.relu(x @ w) + (1 - gate) * x)
    return x.square().sum()


@takes("x: n k; frozen: h k; down: 2 k grad; up: h 2 grad; y: n h")
def low_rank_adapter(tap: Tap, x: Tensor, frozen: Tensor, down: Tensor, up: Tensor, y: Tensor) -> Tensor:
    update = tap("update", (x @ down.t()) @ up.t()) * (4.0 / 2)
    return F.mse_loss(F.linear(x, frozen) + update, y)


@takes("x: n k; w: h k grad; b: k grad")
def tied_autoencoder(tap: Tap, x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    code = tap("code", (x @ w.t()).sigmoid())
    return F.mse_loss(tap("back", code @ w + b), x)


@takes("x: n k; z: n h; w: c k h grad; labels: n index=c")
def bilinear(tap: Tap, x: Tensor, z: Tensor, w: Tensor, labels: Tensor) -> Tensor:
    return F.cross_entropy(tap("scores", gl.einsum("ni,cij,nj->nc", x, w, z)), labels)


@takes("x: n k; context: h; w: 12 h grad; y: n 4")
def hypernetwork(tap: Tap, x: Tensor, context: Tensor, w: Tensor, y: Tensor) -> Tensor:
    made = tap("weights", (w @ context).tanh()).reshape(4, 3)
    return F.mse_loss(F.linear(x[:, :1].expand(-1, 3), made), y)


@takes("x: n k; w: k h grad; v: 2 h grad; y: n")
def fourier_features(tap: Tap, x: Tensor, w: Tensor, v: Tensor, y: Tensor) -> Tensor:
    phase = tap("phase", 2 * (x @ w))
    features = gl.stack([phase.sin(), phase.cos()], 1)
    return (((features * v).sum((1, 2)) - y) ** 2).mean()


@takes("x: n k; centres: h k grad; width: h unit grad; w: h grad; y: n")
def radial_basis(tap: Tap, x: Tensor, centres: Tensor, width: Tensor, w: Tensor, y: Tensor) -> Tensor:
    squared = tap("squared", ((x[:, None] - centres) ** 2).sum(-1))
    return F.mse_loss(tap("bumps", (-squared / (2 * width**2)).exp()) @ w, y)


@takes("x: n k; w: 8 k grad; v: 4 grad; y: n")
def maxout(tap: Tap, x: Tensor, w: Tensor, v: Tensor, y: Tensor) -> Tensor:
    pieces = tap("pieces", F.linear(x, w)).reshape(-1, 4, 2)
    return F.mse_loss(pieces.amax(2) @ v, y)


@takes("x: n h t grad; down: 2 h grad; up: h 2 grad")
def squeeze_excite(tap: Tap, x: Tensor, down: Tensor, up: Tensor) -> Tensor:
    squeezed = tap("squeezed", x.mean(2))
    scale = tap("scale", F.linear(F.relu(F.linear(squeezed, down)), up).sigmoid())
    return (x * scale[..., None]).pow(3).mean()


@takes("x: n k; w: h k grad; mask: n h bits; v: h grad; y: n")
def dropout_by_mask(tap: Tap, x: Tensor, w: Tensor, mask: Tensor, v: Tensor, y: Tensor) -> Tensor:
    kept = tap("kept", F.relu(F.linear(x, w)) * mask / 0.5)
    return F.mse_loss(kept @ v, y)


@takes("x: n k; w: h k grad; v: h grad; y: n")
def dropout_with_a_seed(tap: Tap, x: Tensor, w: Tensor, v: Tensor, y: Tensor) -> Tensor:
    hidden = tap("hidden", F.linear(x, w).tanh())
    gl.manual_seed(7)
    kept = gl.where(gl.rand_like(hidden) > 0.3, hidden / 0.7, 0.0)
    return F.mse_loss(tap("kept", kept) @ v, y)


@takes("x: n k; w: h k grad; v: h grad; y: n")
def straight_through_rounding(tap: Tap, x: Tensor, w: Tensor, v: Tensor, y: Tensor) -> Tensor:
    step = w.detach().abs().amax() / 7
    quantised = w + ((w / step).round() * step - w).detach()
    return F.mse_loss(tap("hidden", F.linear(x, quantised).tanh()) @ v, y)


@takes("x: n k grad; w: h k grad; scale: h grad; shift: h grad")
def batch_norm(tap: Tap, x: Tensor, w: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
    hidden = tap("hidden", x @ w.t())
    centred = hidden - hidden.mean(0)
    normal = tap("normal", centred / (hidden.var(0, unbiased=False) + 1e-3).sqrt())
    return F.relu(normal * scale + shift).square().mean()


@takes("x: n 4 t grad; scale: 4 1 grad; shift: 4 1 grad; y: n 4 t")
def group_norm(tap: Tap, x: Tensor, scale: Tensor, shift: Tensor, y: Tensor) -> Tensor:
    groups = tap("groups", x.reshape(x.shape[0], 2, -1))
    variance, mean = gl.var_mean(groups, -1, keepdim=True, correction=0)
    normal = ((groups - mean) * (variance + 1e-3).rsqrt()).reshape(x.shape)
    return F.mse_loss(tap("out", normal * scale + shift), y)


@takes("x: n k; w: h k grad; scale: h grad; y: n h")
def root_mean_square_norm(tap: Tap, x: Tensor, w: Tensor, scale: Tensor, y: Tensor) -> Tensor:
    hidden = tap("hidden", x @ w.t())
    return F.mse_loss(hidden * gl.rsqrt(hidden.square().mean(-1, keepdim=True) + 1e-3) * scale, y)


@takes("x: n k; w: h k grad; u: h; y: n h")
def spectral_norm(tap: Tap, x: Tensor, w: Tensor, u: Tensor, y: Tensor) -> Tensor:
    with gl.no_grad():
        for _ in range(3):
            v = w.t() @ u
            v = v / (v.norm() + 1e-3)
            u = w @ v
            u = u / (u.norm() + 1e-3)
    sigma = tap("sigma", u @ (w @ v))
    return F.mse_loss(F.linear(x, w / (sigma + 2)), y)


@takes("x: n k; v: h k grad; g: h grad; y: n h")
def weight_norm(tap: Tap, x: Tensor, v: Tensor, g: Tensor, y: Tensor) -> Tensor:
    weight = tap("weight", v * (g / v.norm(dim=1))[:, None])
    return F.mse_loss(F.linear(x, weight).tanh(), y)


@takes("x: n k; w: h k grad; u: h grad; v: h grad; scale: 2 grad; y: n; z: n bits")
def two_tasks(tap: Tap, x: Tensor, w: Tensor, u: Tensor, v: Tensor, scale: Tensor, y: Tensor, z: Tensor) -> Tensor:
    shared = tap("shared", F.linear(x, w).relu())
    losses = gl.stack([F.mse_loss(shared @ u, y), F.binary_cross_entropy_with_logits(shared @ v, z)])
    return (losses * (-scale).exp() + scale).sum()


@takes("x: n k grad; y: n index=c")
class NormalisedNetwork(nn.Module):
    """Linear layers in a Sequential, with a LayerNorm between them."""

    def __init__(self, k: int, h: int, c: int) -> None:
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(k, h), nn.GELU(), nn.LayerNorm(h))
        self.outer = nn.Linear(h, c)

    def forward(self, tap: Tap, x: Tensor, y: Tensor) -> Tensor:
        return F.cross_entropy(self.outer(tap("inner", self.inner(x))), y)


@takes("x: n k; z: n k; same: n bits")
class Siamese(nn.Module):
    """One network over two inputs, and how far apart its results are."""

    def __init__(self, k: int, h: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(k, h), nn.Linear(h, h)])

    def embed(self, tap: Tap, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = tap("layer", layer(x).tanh())
        return x

    def forward(self, tap: Tap, x: Tensor, z: Tensor, same: Tensor) -> Tensor:
        apart = (self.embed(tap, x) - self.embed(tap, z)).square().sum(1)
        return (same * apart + (1 - same) * (1 - (apart + 1e-3).sqrt()).clamp(min=0) ** 2).mean()


@takes("x: n k; y: n")
class MeanTeacher(nn.Module):
    """A student, and a teacher that follows it by an average that is written in place."""

    def __init__(self, k: int, h: int) -> None:
        super().__init__()
        self.student, self.head = nn.Linear(k, h), nn.Linear(h, 1)
        self.register_buffer("teacher", gl.full((h, k), 0.1))

    def forward(self, tap: Tap, x: Tensor, y: Tensor) -> Tensor:
        with gl.no_grad():
            self.teacher.lerp_(self.student.weight, 0.1)
            target = (x @ self.teacher.t()).tanh()
        hidden = tap("hidden", self.student(x).tanh())
        return F.mse_loss(self.head(hidden)[:, 0], y) + 0.1 * F.mse_loss(hidden, target)


@takes("x: n k; y: n h")
class RunningNorm(nn.Module):
    """Batch normalisation that keeps running figures."""

    def __init__(self, k: int, h: int) -> None:
        super().__init__()
        self.linear = nn.Linear(k, h)
        self.register_buffer("mean", gl.zeros(h))
        self.register_buffer("variance", gl.ones(h))

    def forward(self, tap: Tap, x: Tensor, y: Tensor) -> Tensor:
        hidden = tap("hidden", self.linear(x))
        variance, mean = hidden.var(0, unbiased=False), hidden.mean(0)
        with gl.no_grad():
            self.mean.mul_(0.9).add_(mean, alpha=0.1)
            self.variance.mul_(0.9).add_(variance, alpha=0.1)
        return F.mse_loss((hidden - mean) / (variance + 1e-3).sqrt(), y)
