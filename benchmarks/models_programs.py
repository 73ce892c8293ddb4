"""The training steps of `models.py`, for any library with PyTorch's names: eight models as people write them.

A program makes a model with its data and gives the function that is one step, and the arguments of a call. `of_model`
is what compiles the model, where that is compiled and not the step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Made = tuple[Callable[..., Any], tuple[Any, ...]]


def char_transformer(lib: Any, of_model: Callable[[Any], Any]) -> Made:
    """Two blocks of width 64 with 4 heads and dropout, AdamW, clipping; 16 texts of 64 of 65 characters."""
    nn, functional = lib.nn, lib.nn.functional

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.before, self.between = nn.LayerNorm(64), nn.LayerNorm(64)
            self.qkv, self.out = nn.Linear(64, 192), nn.Linear(64, 64)
            self.up, self.down, self.drop = nn.Linear(64, 256), nn.Linear(256, 64), nn.Dropout(0.1)

        def forward(self, x):
            batch, length, width = x.shape
            heads = (each.view(batch, length, 4, 16).transpose(1, 2) for each in self.qkv(self.before(x)).split(64, 2))
            mixed = functional.scaled_dot_product_attention(*heads, is_causal=True)
            x = x + self.drop(self.out(mixed.transpose(1, 2).contiguous().view(batch, length, width)))
            return x + self.drop(self.down(functional.gelu(self.up(self.between(x)))))

    class Transformer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.token, self.place = nn.Embedding(65, 64), nn.Embedding(64, 64)
            self.blocks = nn.Sequential(Block(), Block())
            self.last, self.head = nn.LayerNorm(64), nn.Linear(64, 65)

        def forward(self, tokens):
            x = self.token(tokens) + self.place(lib.arange(tokens.shape[1]))
            return self.head(self.last(self.blocks(x)))

    model = Transformer()
    optimizer = lib.optim.AdamW(model.parameters(), lr=1e-3, **fastest(lib))
    called = of_model(model)

    def step(x, y):
        optimizer.zero_grad()
        loss = functional.cross_entropy(called(x).view(-1, 65), y.view(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.detach()

    return step, (lib.randint(0, 65, (16, 64)), lib.randint(0, 65, (16, 64)))


def convolutional(lib: Any, of_model: Callable[[Any], Any]) -> Made:
    """Two convolutions with pools and two linear layers, SGD with momentum; 32 pictures of 28 x 28."""
    nn = lib.nn
    model = nn.Sequential(
        *(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Flatten(), nn.Linear(32 * 7 * 7, 64), nn.ReLU(), nn.Linear(64, 10)),
    )
    return classifier(lib, model, of_model(model), lib.randn(32, 1, 28, 28))


def residual(lib: Any, of_model: Callable[[Any], Any]) -> Made:
    """A residual network of eight layers with batch norm, SGD with momentum; 16 pictures of 3 x 32 x 32."""
    nn = lib.nn

    class Block(nn.Module):
        def __init__(self, given: int, width: int, stride: int) -> None:
            super().__init__()
            self.first = nn.Conv2d(given, width, 3, stride, 1, bias=False)
            self.second = nn.Conv2d(width, width, 3, 1, 1, bias=False)
            self.norm, self.norm2 = nn.BatchNorm2d(width), nn.BatchNorm2d(width)
            self.short = nn.Sequential()
            if stride != 1 or given != width:
                self.short = nn.Sequential(nn.Conv2d(given, width, 1, stride, bias=False), nn.BatchNorm2d(width))

        def forward(self, x):
            y = lib.relu(self.norm(self.first(x)))
            return lib.relu(self.norm2(self.second(y)) + self.short(x))

    model = nn.Sequential(
        *(nn.Conv2d(3, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU()),
        *(Block(16, 16, 1), Block(16, 32, 2), Block(32, 64, 2)),
        *(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10)),
    )
    return classifier(lib, model, of_model(model), lib.randn(16, 3, 32, 32))


def classifier(lib: Any, model: Any, called: Callable[..., Any], pictures: Any) -> Made:
    """A step of a classifier of ten kinds of pictures."""
    optimizer = lib.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    def step(x, y):
        optimizer.zero_grad()
        loss = lib.nn.functional.cross_entropy(called(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step, (pictures, lib.randint(0, 10, (pictures.shape[0],)))


def recurrent(lib: Any, of_model: Callable[[Any], Any]) -> Made:
    """An LSTM of width 128 over 16 texts of 32 of 100 words, Adam, clipping."""
    nn = lib.nn

    class Words(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed, self.head = nn.Embedding(100, 64), nn.Linear(128, 100)
            self.lstm = nn.LSTM(64, 128, batch_first=True)

        def forward(self, tokens):
            return self.head(self.lstm(self.embed(tokens))[0])

    model = Words()
    optimizer = lib.optim.Adam(model.parameters(), lr=1e-3, **fastest(lib))
    called = of_model(model)

    def step(x, y):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(called(x).reshape(-1, 100), y.reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()
        return loss.detach()

    return step, (lib.randint(0, 100, (16, 32)), lib.randint(0, 100, (16, 32)))


def autoencoder(lib: Any, of_model: Callable[[Any], Any]) -> Made:
    """A variational autoencoder 784-256-20, Adam; 64 pictures of 784 points."""
    nn, functional, distributions = lib.nn, lib.nn.functional, lib.distributions

    class Autoencoder(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.encode = nn.Sequential(nn.Linear(784, 256), nn.ReLU())
            self.mean, self.spread = nn.Linear(256, 20), nn.Linear(256, 20)
            self.decode = nn.Sequential(nn.Linear(20, 256), nn.ReLU(), nn.Linear(256, 784))

        def forward(self, x):
            h = self.encode(x)
            posterior = distributions.Normal(self.mean(h), lib.exp(0.5 * self.spread(h)), validate_args=False)
            prior = distributions.Normal(0.0, 1.0, validate_args=False)
            return self.decode(posterior.rsample()), distributions.kl_divergence(posterior, prior).sum()

    model = Autoencoder()
    optimizer = lib.optim.Adam(model.parameters(), lr=1e-3, **fastest(lib))
    called = of_model(model)

    def step(x):
        optimizer.zero_grad()
        again, divergence = called(x)
        loss = functional.binary_cross_entropy_with_logits(again, x, reduction="sum") + divergence
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step, (lib.rand(64, 784),)


def policy(lib: Any, of_model: Callable[[Any], Any]) -> Made:
    """A step of PPO: actor and critic 8-64-64, clipped objective, entropy; 256 steps of an environment."""
    nn, categorical = lib.nn, lib.distributions.Categorical

    class ActorCritic(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.actor = nn.Sequential(*self.body(), nn.Linear(64, 4))
            self.critic = nn.Sequential(*self.body(), nn.Linear(64, 1))

        def body(self):
            return nn.Linear(8, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh()

        def forward(self, x):
            return self.actor(x), self.critic(x).squeeze(1)

    model = ActorCritic()
    optimizer = lib.optim.Adam(model.parameters(), lr=3e-4, eps=1e-5, **fastest(lib))
    called = of_model(model)

    def step(seen, actions, before, advantages, returns):
        logits, values = called(seen)
        chosen = categorical(logits=logits, validate_args=False)
        ratio = (chosen.log_prob(actions) - before).exp()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        gain = lib.min(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages).mean()
        loss = -gain + 0.5 * ((values - returns) ** 2).mean() - 0.01 * chosen.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        return loss.detach()

    actions = lib.randint(0, 4, (256,))
    return step, (lib.randn(256, 8), actions, lib.full((256,), -math.log(4.0)), lib.randn(256), lib.randn(256))


def diffusion(lib: Any, of_model: Callable[[Any], Any]) -> Made:
    """A denoiser of points of the plane, 128 wide, Adam; 256 points at times by chance, of 100."""
    nn = lib.nn
    kept = lib.cumprod(1 - lib.linspace(1e-4, 0.02, 100), 0)
    rates = lib.exp(lib.arange(16) * -0.5)

    class Denoiser(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.Sequential(
                *(nn.Linear(34, 128), nn.SiLU(), nn.Linear(128, 128), nn.SiLU(), nn.Linear(128, 2))
            )

        def forward(self, points, times):
            angles = times[:, None] * rates
            return self.layers(lib.cat([points, angles.sin(), angles.cos()], 1))

    model = Denoiser()
    optimizer = lib.optim.Adam(model.parameters(), lr=1e-3, **fastest(lib))
    called = of_model(model)

    def step(points):
        times = lib.randint(0, 100, (points.shape[0],))
        noise = lib.randn_like(points)
        share = kept[times][:, None]
        noisy = share.sqrt() * points + (1 - share).sqrt() * noise
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(called(noisy, times), noise)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step, (lib.randn(256, 2),)


def physics(lib: Any, of_model: Callable[[Any], Any]) -> Made:
    """A network 1-32-32-1 that solves u'' = -pi^2 sin(pi x) at 128 points: a step of LBFGS, of five iterations."""
    nn = lib.nn
    model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
    optimizer = lib.optim.LBFGS(model.parameters(), lr=0.1, max_iter=5)
    called = of_model(model)
    x = lib.linspace(0.0, 1.0, 128).reshape(-1, 1).requires_grad_()
    ends = lib.tensor([[0.0], [1.0]])

    def loss_of():
        u = called(x)
        (slope,) = lib.autograd.grad(u.sum(), x, create_graph=True)
        (bend,) = lib.autograd.grad(slope.sum(), x, create_graph=True)
        return ((bend + math.pi**2 * lib.sin(math.pi * x)) ** 2).mean() + (called(ends) ** 2).mean()

    def step():
        def closure():
            optimizer.zero_grad()
            loss = loss_of()
            loss.backward()
            return loss

        return optimizer.step(closure)

    return step, ()


@dataclass(frozen=True)
class Model:
    """A program, and the names that not every library has."""

    make: Callable[[Any, Callable[[Any], Any]], Made]
    needs: str = ""


MODELS = {
    "char transformer": Model(char_transformer, "nn.Dropout"),
    "convolutional": Model(convolutional, "nn.Conv2d nn.MaxPool2d nn.Flatten"),
    "ResNet-8": Model(residual, "nn.Conv2d nn.BatchNorm2d nn.AdaptiveAvgPool2d nn.Flatten"),
    "LSTM": Model(recurrent, "nn.LSTM"),
    "autoencoder": Model(autoencoder, "distributions.Normal distributions.kl_divergence"),
    "PPO": Model(policy, "distributions.Categorical"),
    "diffusion": Model(diffusion, "nn.SiLU"),
    "physics": Model(physics, "optim.LBFGS"),
}


def missing(lib: Any, model: Model) -> list[str]:
    """The names of a program that a library does not have."""
    return [name for name in model.needs.split() if not _has(lib, name)]


def _has(lib: Any, path: str) -> bool:
    for name in path.split("."):
        lib = getattr(lib, name, None)
    return lib is not None


def fastest(lib: Any) -> dict[str, bool]:
    """Settings under which a library's optimizer is fastest on the CPU."""
    return {"fused": True} if lib.__name__ == "torch" else {}


def same(function):
    """The function as it is."""
    return function
