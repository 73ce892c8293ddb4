"""Operands and results of call-outs: how each is handed over as words, and made of the words of a call."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from math import prod
from typing import Any, Protocol

import numpy as np

from ...core.dtypes import DType
from ...core.records import dataclass

Array = np.ndarray[Any, Any]
Words = Any  # a sequence of what a call hands over: addresses, strides, numbers
Made = Callable[[Words], Any]
"""A function that makes an operand of the words of a call."""

GENERATORS: dict[int, Any] = {}
"""The generators of calls that are running, by the address of their C functions."""


class CalledOperand(Protocol):
    """The way in which an operand or a result is handed over."""

    @property
    def codes(self) -> tuple[Any, ...]:
        """The C types of its words."""

    def reader(self, at: int) -> Made:
        """The function that makes it from the words of a call, of which number `at` is its first."""


@dataclass(frozen=True, slots=True)
class CallMemory:
    """An array that lies where its word points. Units: strides count elements."""

    dtype: DType
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def codes(self) -> tuple[Any, ...]:
        return (ctypes.c_int64,)

    def reader(self, at: int) -> Made:
        dtype, shape, size = self.dtype.numpy, self.shape, self.dtype.itemsize
        strides = tuple(step * size for step in self.strides)
        if not prod(shape):
            return lambda words: np.empty(shape, dtype)
        low, high = _span(shape, strides)
        block, array = (ctypes.c_char * (high - low + size)).from_address, np.ndarray
        return lambda words: array(shape, dtype, block(words[at] + low), -low, strides)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Shaped:
    """An array whose word points to it; the next ones are its sizes, then its strides in bytes."""

    dtype: DType
    rank: int

    @property
    def codes(self) -> tuple[Any, ...]:
        return (ctypes.c_int64,) * (1 + 2 * self.rank)

    def reader(self, at: int) -> Made:
        dtype, size, middle, end = self.dtype.numpy, self.dtype.itemsize, at + 1 + self.rank, at + 1 + 2 * self.rank

        def read(words: Words) -> Array:
            shape = tuple(words[at + 1 : middle])
            if not prod(shape):
                return np.empty(shape, dtype)
            strides = tuple(words[middle:end])
            low, high = _span(shape, strides)
            memory = (ctypes.c_char * (high - low + size)).from_address(words[at] + low)
            return np.ndarray(shape, dtype, memory, -low, strides)  # type: ignore[arg-type]

        return read


@dataclass(frozen=True, slots=True)
class CalledArray:
    """An array whose word points to it; the next ones are its strides, in elements."""

    dtype: DType
    shape: tuple[int, ...]

    @property
    def codes(self) -> tuple[Any, ...]:
        return (ctypes.c_int64,) * (1 + len(self.shape))

    def reader(self, at: int) -> Made:
        dtype, shape, size = self.dtype.numpy, self.shape, self.dtype.itemsize
        if not prod(shape):
            return lambda words: np.empty(shape, dtype)

        places = range(at, at + 1 + len(shape))
        last: tuple[list[int], Array] = [], np.empty(0)
        """Words, and what was made of them: in a loop the memory is mostly the same in every round."""

        def read(words: Words) -> Array:
            nonlocal last
            here = [words[place] for place in places]
            known, array = last  # at once: another thread may come between
            if known != here:
                strides = tuple([step * size for step in here[1:]])
                low, high = _span(shape, strides)
                memory = (ctypes.c_char * (high - low + size)).from_address(here[0] + low)
                array = np.ndarray(shape, dtype, memory, -low, strides)  # type: ignore[arg-type]
                last = here, array
            return array

        return read


@dataclass(frozen=True, slots=True)
class CalledNumber:
    """A number that is its word."""

    dtype: DType

    @property
    def codes(self) -> tuple[Any, ...]:
        return (ctypes.c_double if self.dtype.is_float else ctypes.c_int64,)

    def reader(self, at: int) -> Made:
        scalar = self.dtype.numpy.type
        return lambda words: scalar(words[at])


@dataclass(frozen=True, slots=True)
class CalledGenerator:
    """A generator of random numbers, whose word is the address of its C functions."""

    @property
    def codes(self) -> tuple[Any, ...]:
        return (ctypes.c_int64,)

    def reader(self, at: int) -> Made:
        return lambda words: GENERATORS[words[at]]


def _span(shape: tuple[int, ...], strides: tuple[int, ...]) -> tuple[int, int]:
    """The distances, in bytes, that an array reaches before and behind its first element."""
    ends = [(n - 1) * step for n, step in zip(shape, strides, strict=True)]
    return sum(min(each, 0) for each in ends), sum(max(each, 0) for each in ends)
