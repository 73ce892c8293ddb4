"""A recurrent network learns sentences of a small grammar, word by word.

    python examples/recurrent_words.py [--steps 200] [--plot loss.png]

Two layers of LSTM run over 35 words at a time; their state goes on from piece to piece, cut off from its history. The
whole step, with the loop over time, is one compiled function.
Source: Hochreiter & Schmidhuber 1997; Zaremba, Sutskever & Vinyals 2014 (dropout between layers).

Exits with 1 when the losses of the plain and the jitted run differ, the step was compiled more than twice, a graph
broke, or (from 100 steps on) the loss is no better than that of the words' frequencies.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from sentences import words
from side_by_side import Training, compare, figure, finish, options

WIDTH, LAYERS, LENGTH, BATCH, DROPOUT = 128, 2, 35, 20, 0.2
STEPS_TO_JUDGE = 100


def text() -> np.ndarray:
    """Sentences as numbers of words, int64."""
    read = words(60_000, seed=0)
    numbers = {word: number for number, word in enumerate(sorted(set(read)))}
    return np.array([numbers[each] for each in read], dtype=np.int64)


def training(lib: Any, jit: Callable[..., Any]) -> Training:
    """The network, its pieces of text and its step."""
    nn = lib.nn
    numbers = text()
    vocabulary = int(numbers.max()) + 1

    class Reader(nn.Module):
        """Words [time, batch] and a state to the logits of the words that follow, and the state behind them."""

        def __init__(self) -> None:
            super().__init__()
            self.words = nn.Embedding(vocabulary, WIDTH)
            self.drop = nn.Dropout(DROPOUT)
            self.memory = nn.LSTM(WIDTH, WIDTH, LAYERS, dropout=0.0)
            self.head = nn.Linear(WIDTH, vocabulary)

        def forward(self, words, state):
            seen, state = self.memory(self.drop(self.words(words)), state)
            return self.head(self.drop(seen)), state

    columns = lib.from_numpy(np.ascontiguousarray(numbers[: len(numbers) // BATCH * BATCH].reshape(BATCH, -1).T))
    pieces = (columns.shape[0] - 1) // LENGTH
    lib.manual_seed(0)
    model = Reader()
    optimizer = lib.optim.Adam(model.parameters(), lr=2e-3)
    state = [lib.zeros(LAYERS, BATCH, WIDTH), lib.zeros(LAYERS, BATCH, WIDTH)]

    @jit
    def train_step(words, following, hidden, cell):
        """Improves the model on one piece; gives the loss before the step, and the state without its history."""
        logits, (hidden, cell) = model(words, (hidden, cell))
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), following.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()
        return loss.detach(), hidden.detach(), cell.detach()

    def step(number: int) -> Any:
        start = number % pieces * LENGTH
        words, following = columns[start : start + LENGTH], columns[start + 1 : start + LENGTH + 1]
        loss, *state[:] = train_step(words, following, *state)
        return loss

    def result() -> dict[str, Any]:
        shares = np.bincount(numbers) / len(numbers)
        shares = shares[shares > 0]
        known = -float((shares * np.log(shares)).sum())
        return {"of frequencies": f"{known:.4f} would be the loss", "known": known}

    return Training(step, train_step, result, (model,))


def main() -> int:
    """Trains twice; 0 when all is well."""
    chosen = options(__doc__, steps=200)
    jitted, found, wrong = compare(training, chosen.steps)
    if chosen.steps >= STEPS_TO_JUDGE and not np.mean(jitted.losses[-20:]) < found["known"]:
        wrong.append(f"the loss is above {found['known']:.2f}, that of the words' frequencies")
    if chosen.plot:
        drawn, axes = figure()
        axes.plot(jitted.losses)
        axes.axhline(found["known"], color="silver")
        axes.set(xlabel="step", ylabel="loss")
        drawn.savefig(chosen.plot)
    return finish(wrong)


if __name__ == "__main__":
    sys.exit(main())
