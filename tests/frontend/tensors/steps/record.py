"""The record of a training program: its step, its batches, what its steps change, and how it is compiled."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import guardlift as gl

Batches = Callable[[int], tuple[Any, ...]]


@dataclass(frozen=True)
class Training:
    """A program that is set up: `step(*batches(k))` is call k; `parts` are the objects that the step changes."""

    step: Callable[..., Any]
    batches: Batches
    parts: tuple[Any, ...]


@dataclass(frozen=True)
class Program:
    """A training program, and how it is compiled.

    make:      sets it up; every call makes an equal one.
    breaks:    how many graph breaks there are; a program without is one graph. Only what must run in CPython breaks.
    compiles:  how often something is compiled in thirty steps.
    relative:  how far numbers may lie apart.
    """

    make: Callable[[], Training]
    breaks: int
    compiles: int
    relative: float

    @property
    def name(self) -> str:
        """The function's own name."""
        return str(getattr(self.make, "__name__", ""))

    def start(self) -> Training:
        """The program set up, with every generator of random numbers at its beginning."""
        random.seed(0)
        np.random.seed(0)
        gl.manual_seed(0)
        return self.make()


PROGRAMS: dict[str, Program] = {}


def program(*, breaks: int = 0, compiles: int = 1, relative: float = 1e-5) -> Callable[[Any], Any]:
    """A decorator that puts a function into `PROGRAMS` and gives it back as it is."""

    def declare(make: Callable[[], Training]) -> Callable[[], Training]:
        declared = Program(make, breaks, compiles, relative)
        assert declared.name not in PROGRAMS, f"two programs are called {declared.name}"
        PROGRAMS[declared.name] = declared
        return make

    return declare


def classified(k: int, rows: int = 32, features: int = 20, classes: int = 5) -> tuple[Any, Any]:
    """Batch k of points whose class follows from their largest features."""
    x = np.random.default_rng(k).standard_normal((rows, features)).astype(np.float32)
    return gl.tensor(x), gl.tensor(x[:, :classes].argmax(1))


def measured(k: int, rows: int = 32, features: int = 20) -> tuple[Any, Any]:
    """Batch k of points and a number for each, which follows from them but for noise."""
    rng = np.random.default_rng(k)
    x = rng.standard_normal((rows, features)).astype(np.float32)
    y = np.sin(x[:, :1]) + x[:, 1:2] * x[:, 2:3] + 0.1 * rng.standard_normal((rows, 1)).astype(np.float32)
    return gl.tensor(x), gl.tensor(y.astype(np.float32))


def tokens(k: int, rows: int = 8, length: int = 12, vocabulary: int = 50) -> Any:
    """Batch k of texts in which each token mostly follows from the one before."""
    rng = np.random.default_rng(k)
    text = np.empty((rows, length), np.int64)
    text[:, 0] = rng.integers(1, vocabulary, rows)
    for place in range(1, length):
        follows = (text[:, place - 1] * 7 + 3) % (vocabulary - 1) + 1
        text[:, place] = np.where(rng.random(rows) < 0.8, follows, rng.integers(1, vocabulary, rows))
    return gl.tensor(text)
