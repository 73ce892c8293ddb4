"""Training programs as people write them: twenty usual habits, one step function each."""

# Each program is a function that makes all it needs anew, from a seed of its own, and gives a `Program`: the step,
# what a call of it gets, and the tensors by which a run is judged. It is one program for eager mode and for `gl.jit`.
# To add one is to write one function below `@habit`.

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import guardlift as gl
from guardlift import nn, optim
from guardlift.nn import functional as F

NULL = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (as long as the process)


@dataclass
class Program:
    """A step, its batches, and what a run leaves behind.

    batches: the arguments of the step, for each call; they repeat.   models, optimizers: what is compared at the end.
    extras:  more tensors to compare, by name.   before: what happens before call k (and is plain Python in both runs).
    """

    step: Callable[..., Any]
    batches: list[tuple[Any, ...]]
    models: list[Any]
    optimizers: list[Any]
    extras: dict[str, Any] = field(default_factory=dict)
    before: Callable[[int], None] | None = None


@dataclass(frozen=True)
class Habit:
    """A program with what is to be seen of it.

    graphs:   the number of compiled pieces that a call runs through; 1 where the whole step is one graph.
    compiles: how often 30 steps compile at most, for each piece.
    """

    make: Callable[[], Program]
    graphs: int
    compiles: int


HABITS: dict[str, Habit] = {}


def habit(graphs: int = 1, compiles: int = 2) -> Callable[[Callable[[], Program]], Callable[[], Program]]:
    """Registers a program."""

    def register(make: Callable[[], Program]) -> Callable[[], Program]:
        HABITS[make.__name__] = Habit(make, graphs, compiles)
        return make

    return register


class Perceptron(nn.Module):
    """Layers with an activation between."""

    def __init__(self, *widths: int, activation: Any = F.relu, dropout: float = 0.0) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(widths, widths[1:])])
        self.activation = activation
        self.dropout = nn.Dropout(dropout) if dropout else None

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = self.activation(layer(x))
            if self.dropout is not None:
                x = self.dropout(x)
        return self.layers[-1](x)


def labelled(count: int = 4, rows: int = 16, features: int = 8, classes: int = 4) -> list[tuple[Any, Any]]:
    """Batches of inputs and classes."""
    return [(gl.randn(rows, features), gl.randint(0, classes, (rows,))) for _ in range(count)]


@habit(graphs=1)
def log_with_print() -> Program:
    """The loss is printed every ten steps."""
    gl.manual_seed(0)
    model = Perceptron(8, 32, 4)
    optimizer = optim.Adam(model.parameters(), lr=1e-2)

    def step(x, y, number):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        if number % 10 == 0:
            print(f"step {number}: loss {loss.item():.4f}", file=NULL)
        return loss.item()

    return Program(step, [(*pair, k) for k, pair in enumerate(labelled(30))], [model], [optimizer])


@habit()
def stop_on_nan() -> Program:
    """A step whose loss is not a number is left out."""
    gl.manual_seed(1)
    model = Perceptron(8, 32, 4)
    optimizer = optim.AdamW(model.parameters(), lr=1e-2)

    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        if gl.isnan(loss):
            return None
        loss.backward()
        optimizer.step()
        return loss.item()

    batches = labelled()
    batches[2][0][3, 2] = math.nan
    return Program(step, batches, [model], [optimizer])


@habit()
def accumulation() -> Program:
    """Gradients of four small batches before each step of the optimizer, and clipping."""
    gl.manual_seed(2)
    model = Perceptron(8, 32, 4)
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

    def step(micro):
        optimizer.zero_grad()
        total = 0.0
        for x, y in micro:
            loss = F.cross_entropy(model(x), y) / len(micro)
            loss.backward()
            total += loss.detach()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return total.item(), norm.item()

    return Program(step, [(labelled(4, rows=4),) for _ in range(3)], [model], [optimizer])


@habit()
def two_optimizers() -> Program:
    """A generator and a critic, each with its optimizer."""
    gl.manual_seed(3)
    generator, critic = Perceptron(4, 32, 8), Perceptron(8, 32, 1)
    of_generator = optim.Adam(generator.parameters(), lr=1e-3, betas=(0.5, 0.999))
    of_critic = optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.999))

    def step(real):
        noise = gl.randn(real.shape[0], 4)
        fake = generator(noise)
        of_critic.zero_grad()
        ones, zeros = gl.ones(real.shape[0], 1), gl.zeros(real.shape[0], 1)
        loss_critic = F.binary_cross_entropy_with_logits(critic(real), ones)
        loss_critic = loss_critic + F.binary_cross_entropy_with_logits(critic(fake.detach()), zeros)
        loss_critic.backward()
        of_critic.step()
        of_generator.zero_grad()
        loss_generator = F.binary_cross_entropy_with_logits(critic(fake), ones)
        loss_generator.backward()
        of_generator.step()
        return loss_critic.item(), loss_generator.item()

    return Program(step, [(gl.randn(16, 8),) for _ in range(4)], [generator, critic], [of_generator, of_critic])


@habit()
def frozen_layers() -> Program:
    """The first layer does not train; the optimizer gets the others."""
    gl.manual_seed(4)
    model = Perceptron(8, 32, 32, 4)
    for parameter in model.layers[0].parameters():
        parameter.requires_grad = False
    optimizer = optim.RMSprop([p for p in model.parameters() if p.requires_grad], lr=1e-3)

    def step(x, y):
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x), y, label_smoothing=0.1)
        loss.backward()
        optimizer.step()
        return loss.item()

    return Program(step, labelled(), [model], [optimizer])


@habit()
def moving_average() -> Program:
    """A second model follows the first as an exponential moving average."""
    gl.manual_seed(5)
    model, average = Perceptron(8, 32, 4), Perceptron(8, 32, 4)
    average.load_state_dict(model.state_dict())
    optimizer = optim.Adam(model.parameters(), lr=1e-2)

    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        with gl.no_grad():
            for ours, theirs in zip(average.parameters(), model.parameters()):
                ours.mul_(0.99).add_(theirs, alpha=0.01)
        return loss.item()

    return Program(step, labelled(), [model, average], [optimizer])


class Recurrent(nn.Module):
    """A recurrent cell with an embedding and a head."""

    def __init__(self, tokens: int = 12, width: int = 16) -> None:
        super().__init__()
        self.embed = nn.Embedding(tokens, width)
        self.inner, self.outer = nn.Linear(width, width), nn.Linear(width, width)
        self.head = nn.Linear(width, tokens)

    def cell(self, token, h):
        return gl.tanh(self.inner(self.embed(token)) + self.outer(h))


@habit()
def teacher_forcing() -> Program:
    """A decoder gets the right token, or with some probability its own; one coin for each step of training."""
    gl.manual_seed(6)
    random.seed(6)
    model = Recurrent()
    optimizer = optim.Adam(model.parameters(), lr=1e-2)

    def step(tokens, forced):
        optimizer.zero_grad()
        h = gl.zeros(tokens.shape[0], 16)
        token, loss = tokens[:, 0], 0.0
        for t in range(1, tokens.shape[1]):
            h = model.cell(token, h)
            logits = model.head(h)
            loss = loss + F.cross_entropy(logits, tokens[:, t])
            token = tokens[:, t] if forced else logits.argmax(-1)
        loss = loss / (tokens.shape[1] - 1)
        loss.backward()
        optimizer.step()
        return loss.item()

    texts = [gl.randint(0, 12, (8, 6)) for _ in range(4)]
    return Program(step, [(texts[k % 4], random.random() < 0.5) for k in range(10)], [model], [optimizer])


@habit()
def dropout() -> Program:
    """Dropout between the layers, with the model's mode set in the step."""
    gl.manual_seed(7)
    model = Perceptron(8, 32, 32, 4, dropout=0.3)
    optimizer = optim.Adam(model.parameters(), lr=1e-2)

    def step(x, y):
        model.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    return Program(step, labelled(), [model], [optimizer])


@habit()
def input_noise() -> Program:
    """Noise on the inputs and mixed-up pairs of rows (mixup)."""
    gl.manual_seed(8)
    model = Perceptron(8, 32, 4, activation=F.gelu)
    optimizer = optim.NAdam(model.parameters(), lr=1e-2)

    def step(x, y):
        optimizer.zero_grad()
        x = x + 0.1 * gl.randn_like(x)
        order, share = gl.randperm(x.shape[0]), gl.rand(1)
        logits = model(share * x + (1 - share) * x[order])
        losses = share * F.cross_entropy(logits, y) + (1 - share) * F.cross_entropy(logits, y[order])
        loss = losses.mean()
        loss.backward()
        optimizer.step()
        return loss.item()

    return Program(step, labelled(), [model], [optimizer])


@habit()
def schedule() -> Program:
    """Warm-up and a cosine, stepped with the optimizer."""
    gl.manual_seed(9)
    model = Perceptron(8, 32, 4)
    optimizer = optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.05)
    rates = optim.lr_scheduler.LambdaLR(
        optimizer, lambda k: (k + 1) / 5 if k < 5 else 0.5 * (1 + math.cos(math.pi * (k - 5) / 25))
    )

    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        rates.step()
        return loss.item()

    return Program(step, labelled(), [model], [optimizer])


@habit()
def evaluation_between() -> Program:
    """Every step ends with an evaluation on held-out rows."""
    gl.manual_seed(10)
    model = Perceptron(8, 32, 4, dropout=0.2)
    optimizer = optim.Adam(model.parameters(), lr=1e-2)
    ((held_x, held_y),) = labelled(1)

    def step(x, y):
        model.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        model.eval()
        with gl.no_grad():
            accuracy = (model(held_x).argmax(1) == held_y).float().mean()
        return loss.item(), accuracy.item()

    return Program(step, labelled(), [model], [optimizer])


@habit()
def mixed_losses() -> Program:
    """A weighted sum of losses of two heads, with a penalty on the weights and a dict of parts."""
    gl.manual_seed(11)
    body, classes, values = Perceptron(8, 32, 16), nn.Linear(16, 4), nn.Linear(16, 1)
    model = nn.ModuleList([body, classes, values])
    optimizer = optim.Adam(model.parameters(), lr=1e-2)

    def step(x, y):
        h = body(x).tanh()
        parts = {
            "class": F.cross_entropy(classes(h), y),
            "value": F.smooth_l1_loss(values(h).squeeze(-1), x.mean(1)),
            "penalty": 1e-4 * sum(p.abs().sum() for p in model.parameters()),
        }
        loss = sum(parts.values())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return {name: part.item() for name, part in parts.items()}

    return Program(step, labelled(), [model], [optimizer])


class Statistics:
    """A mean of activations, kept by a hook."""

    def __init__(self) -> None:
        self.mean = gl.zeros(())

    def __call__(self, module, args, result):
        self.mean = 0.9 * self.mean + 0.1 * result.detach().mean()


@habit()
def hooks_for_statistics() -> Program:
    """Forward hooks keep a running mean of each layer's activations."""
    gl.manual_seed(12)
    model = Perceptron(8, 32, 32, 4)
    kept = [Statistics() for _ in model.layers]
    for layer, statistics in zip(model.layers, kept):
        layer.register_forward_hook(statistics)
    optimizer = optim.SGD(model.parameters(), lr=0.1)

    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.item(), [statistics.mean for statistics in kept]

    return Program(step, labelled(), [model], [optimizer])


@habit()
def closure_of_the_optimizer() -> Program:
    """The loss is computed by a closure that the optimizer's step calls, as optimizers with line search need it."""
    gl.manual_seed(13)
    model = Perceptron(8, 16, 1, activation=gl.tanh)
    optimizer = optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True)

    def step(x, y):
        def closure():
            optimizer.zero_grad()
            loss = F.mse_loss(model(x).squeeze(1), y)
            loss.backward()
            return loss

        return optimizer.step(closure).item()

    return Program(step, [(x, x.sum(1)) for x, _ in labelled()], [model], [optimizer])


@habit()
def curriculum() -> Program:
    """Sequences that get longer in the course of training; the state goes through a loop over time."""
    gl.manual_seed(14)
    model = Recurrent()
    optimizer = optim.Adam(model.parameters(), lr=1e-2)

    def step(tokens):
        optimizer.zero_grad()
        h, outputs = gl.zeros(tokens.shape[0], 16), []
        for x in model.embed(tokens[:, :-1]).transpose(0, 1):
            h = gl.tanh(model.inner(x) + model.outer(h))
            outputs += [model.head(h)]
        logits = gl.stack(outputs, 1)
        loss = F.cross_entropy(logits.reshape(-1, 12), tokens[:, 1:].reshape(-1))
        loss.backward()
        optimizer.step()
        return loss.item()

    texts = [gl.randint(0, 12, (8, length)) for length in (6, 6, 6, 9, 9, 9, 12, 12, 12, 15)]
    return Program(step, [(text,) for text in texts], [model], [optimizer])


@habit()
def masks_and_padding() -> Program:
    """Padded sequences with attention under a mask, and a loss that ignores the padding."""
    gl.manual_seed(15)
    embed, mix, head = nn.Embedding(12, 16, padding_idx=0), nn.Linear(16, 48), nn.Linear(16, 12)
    model = nn.ModuleList([embed, mix, nn.LayerNorm(16), head])
    optimizer = optim.AdamW(model.parameters(), lr=1e-2)

    def step(tokens, lengths):
        there = gl.arange(tokens.shape[1])[None, :] < lengths[:, None]
        tokens = tokens.masked_fill(~there, 0)
        x = embed(tokens)
        q, k, v = mix(x).chunk(3, -1)
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(16)
        scores = scores.masked_fill(~there[:, None, :], float("-inf"))
        x = model[2](x + scores.softmax(-1) @ v)
        targets = tokens.roll(-1, 1).masked_fill(~there, -100)
        loss = F.cross_entropy(head(x).reshape(-1, 12), targets.reshape(-1), ignore_index=-100)
        picked = x[there].square().mean()
        optimizer.zero_grad()
        (loss + 0.01 * picked).backward()
        optimizer.step()
        return loss.item()

    batches = [(gl.randint(1, 12, (6, 10)), gl.randint(3, 11, (6,))) for _ in range(4)]
    return Program(step, batches, [model], [optimizer])


@habit()
def sampled_actions() -> Program:
    """A policy gradient: actions are drawn, rewards weigh their log-probabilities."""
    gl.manual_seed(16)
    policy = Perceptron(4, 32, 3, activation=gl.tanh)
    optimizer = optim.Adam(policy.parameters(), lr=1e-2)

    def step(state):
        log_probabilities = F.log_softmax(policy(state), dim=-1)
        action = gl.multinomial(log_probabilities.detach().exp(), 1)
        reward = (action.squeeze(1) == (state.sum(1) > 0).long()).float()
        advantage = (reward - reward.mean()) / (reward.std() + 1e-6)
        chosen = log_probabilities.gather(1, action).squeeze(1)
        entropy = -(log_probabilities.exp() * log_probabilities).sum(1).mean()
        loss = -(chosen * advantage).mean() - 0.01 * entropy
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item(), reward.mean().item()

    return Program(step, [(gl.randn(32, 4),) for _ in range(4)], [policy], [optimizer])


@habit()
def physics_informed() -> Program:
    """The residual of a differential equation: gradients by the inputs inside the step."""
    gl.manual_seed(17)
    model = Perceptron(2, 24, 24, 1, activation=gl.tanh)
    optimizer = optim.Adam(model.parameters(), lr=1e-3)

    def step(x, t):
        x.requires_grad_(True)
        t.requires_grad_(True)
        u = model(gl.cat([x, t], 1))
        (u_x,) = gl.autograd.grad(u, x, gl.ones_like(u), create_graph=True)
        (u_t,) = gl.autograd.grad(u, t, gl.ones_like(u), create_graph=True)
        (u_xx,) = gl.autograd.grad(u_x, x, gl.ones_like(u_x), create_graph=True)
        residual = u_t + u * u_x - 0.01 * u_xx
        start = model(gl.cat([x, gl.zeros_like(t)], 1)) + gl.sin(math.pi * x)
        loss = residual.square().mean() + start.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    points = [(gl.rand(24, 1) * 2 - 1, gl.rand(24, 1)) for _ in range(3)]
    return Program(step, points, [model], [optimizer])


@habit()
def contrastive_pairs() -> Program:
    """Two views of each row are drawn together, and apart from all others."""
    gl.manual_seed(18)
    model = Perceptron(8, 32, 16)
    optimizer = optim.Adam(model.parameters(), lr=1e-2)

    def step(x):
        first = F.normalize(model(x + 0.1 * gl.randn_like(x)), dim=1)
        second = F.normalize(model(x + 0.1 * gl.randn_like(x)), dim=1)
        both = gl.cat([first, second])
        scores = both @ both.T / 0.5
        scores.fill_diagonal_(float("-inf"))
        half = x.shape[0]
        partner = gl.cat([gl.arange(half) + half, gl.arange(half)])
        loss = F.cross_entropy(scores, partner)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return Program(step, [(x,) for x, _ in labelled()], [model], [optimizer])


@habit(graphs=2)
def sparse_embeddings() -> Program:
    """Pairs of words with an embedding whose gradient is sparse, and another optimizer for the dense part."""
    gl.manual_seed(19)
    words, contexts = nn.Embedding(200, 16, sparse=True), nn.Linear(16, 1)
    of_words, of_contexts = optim.SGD(words.parameters(), lr=0.5), optim.Adam(contexts.parameters(), lr=1e-2)

    def step(left, right, label):
        of_words.zero_grad()
        of_contexts.zero_grad()
        logits = contexts(words(left) * words(right)).squeeze(1)
        loss = F.binary_cross_entropy_with_logits(logits, label)
        loss.backward()
        of_words.step()
        of_contexts.step()
        return loss.item()

    batches = [(gl.randint(0, 200, (32,)), gl.randint(0, 200, (32,)), gl.rand(32).round()) for _ in range(4)]
    return Program(step, batches, [words, contexts], [of_words, of_contexts])


def calls(program: Program, count: int) -> Iterator[tuple[Any, ...]]:
    """The arguments of each of `count` calls."""
    for number in range(count):
        if program.before is not None:
            program.before(number)
        yield program.batches[number % len(program.batches)]
