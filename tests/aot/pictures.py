"""Convolutions by windows, pooling, and what else looks at neighbours."""

from __future__ import annotations

from typing import Any

from aot.declaring import Tap, takes

import guardlift as gl
from guardlift.nn import functional as F

Tensor = Any


@takes("x: n 1 6 6 grad; w: h 9 grad; b: h grad; v: c h grad; labels: n index=c")
def convolution_by_unfolding(tap: Tap, x: Tensor, w: Tensor, b: Tensor, v: Tensor, labels: Tensor) -> Tensor:
    windows = x.unfold(2, 3, 1).unfold(3, 3, 1)
    columns = tap("columns", windows.permute(0, 2, 3, 1, 4, 5).reshape(x.shape[0], 16, 9))
    maps = tap("maps", F.relu(F.linear(columns, w, b)))
    pooled = maps.reshape(-1, 2, 2, 2, 2, w.shape[0]).amax((2, 4)).mean((1, 2))
    return F.cross_entropy(pooled @ v.t(), labels)


@takes("x: n c 5 5 grad; w: c 3 3 grad; mix: h c grad")
def depthwise_convolution(tap: Tap, x: Tensor, w: Tensor, mix: Tensor) -> Tensor:
    windows = tap("windows", x.unfold(2, 3, 2).unfold(3, 3, 2))
    maps = tap("maps", (windows * w[:, None, None]).sum((-1, -2)))
    return gl.einsum("ncij,hc->nhij", maps, mix).tanh().mean()


@takes("x: n k 9 grad; w: 3 h k grad; y: n h")
def dilated_convolution(tap: Tap, x: Tensor, w: Tensor, y: Tensor) -> Tensor:
    parts = [w[step] @ x[:, :, 2 * step : 5 + 2 * step] for step in range(3)]
    return F.mse_loss(tap("sum", parts[0] + parts[1] + parts[2]).relu().mean(2), y)


@takes("x: n 1 4 4 grad; w: 4 grad; b: 4 grad")
def down_and_up_again(tap: Tap, x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    small = tap("small", (x[:, :, ::2, ::2] + x[:, :, 1::2, 1::2]) / 2)
    large = small.repeat_interleave(2, 2).repeat_interleave(2, 3)
    joined = tap("joined", gl.cat([x, large], 1).mean(1))
    return F.mse_loss(F.silu(joined * w + b), x[:, 0])


@takes("image: 5 6 grad; noisy: 5 6")
def total_variation(tap: Tap, image: Tensor, noisy: Tensor) -> Tensor:
    across, down = tap("across", image.diff(dim=1)[:-1]), tap("down", image.diff(dim=0)[:, :-1])
    return (image - noisy).square().sum() / 2 + 0.3 * (across**2 + down**2 + 1e-2).sqrt().sum()


@takes("field: 6 grad; rate: unit grad; seen: 6")
def heat_written_in_place(tap: Tap, field: Tensor, rate: Tensor, seen: Tensor) -> Tensor:
    state = field.clone()
    for _ in range(3):
        bent = tap("bent", state[2:] - 2 * state[1:-1] + state[:-2])
        state[1:-1] += 0.4 * rate * bent
    return F.mse_loss(tap("end", state), seen)


@takes("x: n 6 grad; w: 3 grad; y: n 6")
def circular_convolution(tap: Tap, x: Tensor, w: Tensor, y: Tensor) -> Tensor:
    total = w[0] * x + w[1] * tap("rolled", x.roll(1, 1)) + w[2] * x.flip(1)
    return F.mse_loss(total.sinh(), y)


@takes("x: n 4 4 grad; w: 4 grad; y: n")
def patches(tap: Tap, x: Tensor, w: Tensor, y: Tensor) -> Tensor:
    cut = x.reshape(-1, 2, 2, 2, 2).permute(0, 1, 3, 2, 4).flatten(3).flatten(1, 2)
    scores = tap("scores", cut @ w)
    return F.mse_loss((scores.softmax(1) * scores).sum(1), y)
