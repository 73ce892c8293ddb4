"""Half the memory between forward and backward: saved-tensor hooks that keep activations as float16.

    python examples/saved_hooks.py [--epochs 12] [--batch 128]

The perceptron of `digits.py` is trained twice in eager mode, over the same batches: once with its activations kept as
they are, and once with hooks that pack each float32 activation into float16 and unpack it for backward. Parameters are
left alone: the model holds them anyhow. Bytes are those of the list of saved tensors when forward is done and backward
has not begun.

Exits with 1 when the hooks save nothing, or cost more than a point of test accuracy.
"""

from __future__ import annotations

import argparse
import sys
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from digits import LEFT_AFTER_AN_EPOCH, RATE, perceptron
from handwritten import Digits, load
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from threadpoolctl import threadpool_limits

import guardlift as gl
from guardlift import nn
from guardlift.autograd.graph import SaveInfo, list_saved_tensors, saved_tensors_hooks

ACCURACY_MAY_DROP = 0.01

# Note [Saved twice, kept once]
# ReLU saves its result, and the layer that follows saves it again as its input. As they are, both records share one
# array; packed one by one they would be two arrays of half the size, and nothing would be gained. So what was packed is
# found again by the address of its original, if that still lives: a freed address may be used again.


@dataclass
class Keeper:
    """A pair of hooks.

    change: makes of an array what is kept of it.   restore: the way back.
    known: by address, an original as long as it lives, and what stands for it.
    """

    change: Callable[[np.ndarray], np.ndarray]
    restore: Callable[[np.ndarray], np.ndarray]
    known: dict[int, tuple[weakref.ref, np.ndarray]] = field(default_factory=dict)

    def pack(self, tensor: gl.Tensor, info: SaveInfo) -> Any:
        """What stands for the tensor until backward: an array; a parameter, or integers, stand for themselves."""
        if info.is_parameter or info.dtype is not gl.float32:
            return tensor
        array = tensor.detach().numpy()
        owner = array if array.base is None else array.base
        original, packed = self.known.get(array.ctypes.data, (lambda: None, array))
        if original() is not owner:  # Note [Saved twice, kept once]
            packed = self.change(array)
            self.known[array.ctypes.data] = weakref.ref(owner), packed
        return packed

    def unpack(self, packed: Any) -> gl.Tensor:
        """The tensor again."""
        return gl.from_numpy(self.restore(packed)) if isinstance(packed, np.ndarray) else packed


def bytes_kept(loss: gl.Tensor) -> int:
    """Of the float32 activations behind a loss: memory that several operations share counts once."""
    saved = list_saved_tensors(loss)
    return saved.where(lambda row: not row.is_parameter and row.dtype is gl.float32).total_bytes


class Run:
    """A training on its way: the model, its step, and the bytes that were kept in the last one."""

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper
        self.model = perceptron()
        self.optimizer = gl.optim.Adam(self.model.parameters(), lr=RATE)
        self.schedule = gl.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=LEFT_AFTER_AN_EPOCH)
        self.bytes_kept = 0

    def step(self, x: gl.Tensor, y: gl.Tensor) -> float:
        """Improves the model on one batch, and gives the loss before the step."""
        self.optimizer.zero_grad()
        with saved_tensors_hooks(self.keeper.pack, self.keeper.unpack):
            loss = nn.functional.cross_entropy(self.model(x), y)
        self.keeper.known.clear()  # the graph alone holds what was packed from now on
        self.bytes_kept = bytes_kept(loss)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def epoch(self, digits: Digits, batch: int, epoch: int) -> float:
        """The loss of the last of its batches."""
        loss = float("nan")
        for images, digit in digits.batches(batch, epoch):
            loss = self.step(gl.tensor(images), gl.tensor(digit))
        self.schedule.step()
        return loss

    def accuracy(self, digits: Digits) -> float:
        """The share of held-out digits that the model reads right."""
        with gl.no_grad():
            guessed = self.model(gl.tensor(digits.test_x)).numpy().argmax(axis=1)
        return float((guessed == digits.test_digit).mean())


def train(runs: dict[str, Run], digits: Digits, epochs: int, batch: int) -> None:
    """Takes all runs through the epochs, in turns."""
    columns = (TextColumn("{task.description:<7}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("loss {task.fields[loss]:.4f}")) as progress:
        bars = {label: progress.add_task(label, total=epochs, loss=float("nan")) for label in runs}
        for epoch in range(epochs):
            for label, run in runs.items():
                progress.update(bars[label], completed=epoch + 1, loss=run.epoch(digits, batch, epoch))


def summary(plain: Run, packed: Run, digits: Digits) -> list[str]:
    """The printed figures; returns what is wrong, an empty list when nothing is."""
    before, after = plain.bytes_kept, packed.bytes_kept
    read, read_packed = plain.accuracy(digits), packed.accuracy(digits)
    print(f"bytes kept, plain    {before:9,d}")
    print(f"bytes kept, packed   {after:9,d}   {after / before:.2f} of it")
    print(f"accuracy, plain      {read:.4f}")
    print(f"accuracy, packed     {read_packed:.4f}")
    wrong = []
    if not 0 < after < before:
        wrong.append(f"packing left {after} bytes of {before}")
    if read - read_packed > ACCURACY_MAY_DROP:
        wrong.append(f"packing cost {read - read_packed:.4f} of the test accuracy, more than {ACCURACY_MAY_DROP}")
    return wrong


def main(argv: list[str] | None = None) -> int:
    """Trains twice, prints the figures; 0 when all is well."""
    parser = argparse.ArgumentParser(description="saved-tensor hooks that keep activations as float16")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch", type=int, default=128)
    options = parser.parse_args(argv)
    digits = load(np.float32)
    if options.epochs < 1 or not 0 < options.batch <= len(digits.train_x):
        parser.error(f"at least one epoch, and batches of 1 to {len(digits.train_x)} images")
    plain = Run(Keeper(lambda array: array, lambda kept: kept))
    packed = Run(Keeper(lambda array: array.astype(np.float16), lambda kept: kept.astype(np.float32)))
    with threadpool_limits(1):  # products of this size are not worth waking a second thread for
        train({"plain": plain, "packed": packed}, digits, options.epochs, options.batch)
    wrong = summary(plain, packed, digits)
    for line in wrong:
        print(f"WRONG: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
