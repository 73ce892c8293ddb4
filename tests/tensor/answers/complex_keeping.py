"""The file of answers: texts and arrays by the name of what was asked; all arrays lie behind each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).parent / "complex.npz"


def write(answers: dict[str, list[Any]]) -> None:
    """Writes all answers."""
    index: dict[str, list[Any]] = {}
    memory = []
    for name, parts in answers.items():
        index[name] = []
        for each in parts:
            if isinstance(each, str):
                index[name].append(each)
                continue
            array = np.asarray(each)
            index[name].append([array.dtype.str, array.shape])
            memory.append(array.tobytes())
    np.savez_compressed(FILE, index=np.array(json.dumps(index)), memory=np.frombuffer(b"".join(memory), np.uint8))


def read() -> dict[str, list[Any]]:
    """All answers, as they were written."""
    kept = np.load(FILE)
    memory, start = kept["memory"].tobytes(), 0
    answers: dict[str, list[Any]] = {}
    for name, parts in json.loads(kept["index"].item()).items():
        answers[name] = []
        for each in parts:
            if isinstance(each, str):
                answers[name].append(each)
                continue
            dtype, shape = np.dtype(each[0]), tuple(each[1])
            count = int(np.prod(shape))
            array = np.frombuffer(memory, dtype, count, start).reshape(shape)
            start += count * dtype.itemsize
            answers[name].append(array)
    return answers
