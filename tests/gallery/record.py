"""The record of a program of the gallery: what it is called with, at which sizes, how exact its results are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

Inputs = Callable[[int, int], tuple[Any, ...]]


@dataclass(frozen=True)
class Program:
    """A function and how to call it.

    inputs:     makes the arguments from a size and a seed; what a size counts is up to the program.
    test:       the size of the first calls in the tests; `others` are the sizes of the calls that follow.
    bench:      the size at which plain NumPy takes some 10 ms.
    ulp, rtol:  how far a float may lie from the plain run's: that many units in its own last place, or that share of
                the largest magnitude in its array (for results that cancel). With neither the bits are equal.
    """

    function: FunctionType
    inputs: Inputs
    test: int
    bench: int
    others: tuple[int, ...]
    ulp: int = 0
    rtol: float | None = None

    @property
    def name(self) -> str:
        """The function's own name."""
        return self.function.__name__


PROGRAMS: dict[str, Program] = {}


def program(
    inputs: Inputs, *, test: int, bench: int, others: tuple[int, ...], ulp: int = 0, rtol: float | None = None
) -> Callable[[Any], Any]:
    """A decorator that puts a function into `PROGRAMS` and gives it back as it is."""

    def declare(function: FunctionType) -> FunctionType:
        declared = Program(function, inputs, test, bench, others, ulp, rtol)
        assert declared.name not in PROGRAMS, f"two programs are called {declared.name}"
        PROGRAMS[declared.name] = declared
        return function

    return declare
