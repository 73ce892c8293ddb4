"""A small transformer learns to write sentences of a small grammar, character by character.

    python examples/characters.py [--steps 300] [--plot loss.png]

Causal attention, dropout, AdamW with a rate that warms up and falls as a cosine, clipped gradients: the whole step is
one compiled function, whose rate is an input. In the middle of the jitted run a checkpoint is written; a second
training, made anew, goes on from it, and its losses have to be the same to the last bit.
Source: Vaswani et al. 2017, "Attention Is All You Need"; Radford et al. 2019 (the order of norms).

Exits with 1 when the losses of the plain and the jitted run differ, the step was compiled more than twice, a graph
broke, the resumed run differs, or (from 200 steps on) the loss is no better than that of the letters' frequencies.
"""

from __future__ import annotations

import math
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sentences import words
from side_by_side import Training, compare, figure, finish, options

import guardlift as gl

WIDTH, HEADS, BLOCKS, LENGTH, BATCH, DROPOUT = 64, 4, 2, 64, 16, 0.1
RATE, WARM_UP, PERIOD = 3e-3, 20, 300
STEPS_TO_JUDGE = 200
WRITTEN = 200


def text() -> tuple[np.ndarray, str]:
    """Sentences as numbers of characters, int64, and the characters."""
    read = " ".join(words(30_000, seed=0))
    characters = "".join(sorted(set(read)))
    numbers = {character: number for number, character in enumerate(characters)}
    return np.array([numbers[each] for each in read], dtype=np.int64), characters


def training(lib: Any, jit: Callable[..., Any]) -> Training:
    """The transformer, its batches and its step."""
    nn, data = lib.nn, lib.utils.data
    numbers, characters = text()

    class Windows(data.Dataset):
        """Pieces of the text, each with the piece one character on."""

        def __len__(self) -> int:
            return (len(numbers) - 1) // LENGTH

        def __getitem__(self, place):
            start = place * LENGTH
            piece = numbers[start : start + LENGTH + 1]
            return lib.from_numpy(piece[:-1]), lib.from_numpy(piece[1:])

    class Block(nn.Module):
        """Attention to what came before, then a perceptron, each behind a norm and beside a way past it."""

        def __init__(self) -> None:
            super().__init__()
            self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
            self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
            self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
            self.drop = nn.Dropout(DROPOUT)

        def forward(self, x):
            batch, length, _ = x.shape
            q, k, v = (
                each.reshape(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)
                for each in self.qkv(self.before(x)).chunk(3, dim=-1)
            )
            seen = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.drop(self.out(seen.transpose(1, 2).reshape(batch, length, WIDTH)))
            return x + self.drop(self.down(nn.functional.gelu(self.up(self.between(x)))))

    class Writer(nn.Module):
        """Characters to the logits of those that follow."""

        def __init__(self) -> None:
            super().__init__()
            self.letters, self.places = nn.Embedding(len(characters), WIDTH), nn.Embedding(LENGTH, WIDTH)
            self.drop = nn.Dropout(DROPOUT)
            self.blocks = nn.Sequential(*(Block() for _ in range(BLOCKS)))
            self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, len(characters))

        def forward(self, tokens):
            places = lib.arange(tokens.shape[1])
            return self.head(self.norm(self.blocks(self.drop(self.letters(tokens) + self.places(places)))))

    lib.manual_seed(0)
    model = Writer()
    optimizer = lib.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.1)
    schedule = lib.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / WARM_UP, 0.55 + 0.45 * math.cos(math.pi * min(step / PERIOD, 1)))
    )
    windows = Windows()
    loader = data.DataLoader(windows, BATCH, sampler=lib.randperm(len(windows)).tolist(), drop_last=True)
    batches = [(x, y) for x, y in loader]

    @jit
    def train_step(tokens, following):
        """Improves the model on one batch; gives the loss before the step."""
        logits = model(tokens)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), following.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.detach()

    def step(number: int) -> Any:
        loss = train_step(*batches[number % len(batches)])
        schedule.step()
        return loss

    def result() -> dict[str, Any]:
        model.eval()
        written = [0]
        with lib.no_grad():
            for _ in range(WRITTEN):
                seen = (written[-LENGTH:] + [0] * LENGTH)[:LENGTH]  # of one length: one graph
                logits = model(lib.tensor([seen]))[0, min(len(written), LENGTH) - 1]
                written.append(int(lib.multinomial(lib.softmax(logits / 0.8, 0), 1)))
        model.train()
        counts = np.bincount(numbers)
        shares = counts[counts > 0] / len(numbers)
        line = "".join(characters[each] for each in written).replace("\n", " ")
        return {"writes": line[:80], "of frequencies": -float((shares * np.log(shares)).sum())}

    state = {"model": model, "optimizer": optimizer, "schedule": schedule}
    return Training(step, train_step, result, (model,), state)


def save(path: Path, made: Training, number: int) -> None:
    """Everything that the rest of a training depends on, behind step `number`."""
    states = {name: each.state_dict() for name, each in made.state.items()}
    gl.save({"number": number, "random": gl.get_rng_state(), **states}, path)


def resume(path: Path) -> tuple[Training, int]:
    """A training made anew that goes on where the file was written, and the number of its next step."""
    made = training(gl, gl.jit(fullgraph=True))
    kept = gl.load(path)
    for name, each in made.state.items():
        each.load_state_dict(kept[name])
    gl.set_rng_state(kept["random"])
    return made, kept["number"] + 1


def resumed_losses(steps: int) -> tuple[list[float], list[float]]:
    """The losses of the second half of a jitted training, without an interruption and with one."""
    half = max(steps // 2, 1)
    made = training(gl, gl.jit(fullgraph=True))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "checkpoint.gl")
        for number in range(half):
            made.step(number)
        save(path, made, half - 1)
        through = [float(made.step(number)) for number in range(half, steps)]
        again, first = resume(path)
        return through, [float(again.step(number)) for number in range(first, steps)]


def main() -> int:
    """Trains twice and resumes; 0 when all is well."""
    chosen = options(__doc__, steps=300)
    jitted, found, wrong = compare(training, chosen.steps)
    if chosen.steps >= STEPS_TO_JUDGE and not np.mean(jitted.losses[-20:]) < found["of frequencies"] - 0.3:
        wrong.append(f"the loss is hardly below {found['of frequencies']:.2f}, that of the letters' frequencies")
    through, resumed = resumed_losses(min(chosen.steps, 40))
    print(f"resumed             {len(resumed)} steps, losses {'the same' if through == resumed else 'differ'}")
    if through != resumed:
        wrong.append("the run that was resumed has other losses")
    if chosen.plot:
        drawn, axes = figure()
        axes.plot(jitted.losses)
        axes.set(xlabel="step", ylabel="loss")
        drawn.savefig(chosen.plot)
    return finish(wrong)


if __name__ == "__main__":
    sys.exit(main())
