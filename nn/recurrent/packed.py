"""A recurrence over packed sequences: step by step, each with the sequences that have it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from ...tensor.joining import cat
from ...tensor.shaping import reshape_to
from .node import recur
from .recurrence import Recurrence

Value = Any


def recur_packed(
    recurrence: Recurrence,
    rows: Value,
    sizes: Sequence[int],
    states: Sequence[Value],
    weights: Sequence[Value],
    reverse: bool,
) -> tuple[Value, ...]:
    """The outputs of all steps, packed like `rows`, and the last states of each sequence.

    sizes: how many sequences each step has. Steps that have the same ones are computed at once.
    reverse: each sequence is gone through from its own end.
    """
    runs = [(size, len(list(steps))) for size, steps in groupby(sizes)]
    outputs: list[Value] = []
    ended: list[list[Value]] = [[] for _ in states]
    first = 0
    places = []
    for size, steps in runs:
        places.append((first, size, steps))
        first += size * steps
    now: list[Value] = []
    for first, size, steps in reversed(places) if reverse else places:
        if not now:
            now = [each[:size] for each in states]
        elif reverse:
            now = [cat([held, start[held.shape[0] : size]], 0) for held, start in zip(now, states)]
        elif now[0].shape[0] > size:
            for gone, held in zip(ended, now):
                gone.append(held[size:])
            now = [held[:size] for held in now]
        part = rows[first : first + size * steps]
        inputs = reshape_to(part, (steps, size, part.shape[1]))
        output, *now = recur(recurrence, (inputs, *now, *weights), reverse)
        outputs.append(reshape_to(output, (steps * size, output.shape[2])))
    if reverse:
        outputs.reverse()
    last = [held if not gone else cat([held, *reversed(gone)], 0) for held, gone in zip(now, ended)]
    return (outputs[0] if len(outputs) == 1 else cat(outputs, 0), *last)
