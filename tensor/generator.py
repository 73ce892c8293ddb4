"""Generators of random numbers: a seed, and how far its sequence has been read."""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np

from ..core import dtypes
from ..ops.random import PERIOD
from .tensor import Tensor

STATE_BYTES = 16


class Generator:
    """A source of random numbers: a seed, and how far its sequence has been read. Safe to share between threads."""

    __slots__ = ("_lock", "_offset", "_seed")

    def __init__(self, seed: int = 0) -> None:
        self._lock = threading.Lock()
        self.manual_seed(seed)

    @property
    def device(self) -> str:
        """The device of the tensors that it fills."""
        return "cpu"

    def manual_seed(self, seed: int) -> Generator:
        """Itself, at the start of the sequence of `seed`; negative seeds count from 2**64 down.

        Errors: RuntimeError for what is no integer, ValueError beyond 64 bits.
        """
        checked = _checked_seed(seed)
        with self._lock:
            self._seed, self._offset = checked, 0
        return self

    def seed(self) -> int:
        """A seed that nobody can foretell, from which it starts now."""
        fresh = int.from_bytes(os.urandom(8), "little")
        self.manual_seed(fresh)
        return fresh

    def initial_seed(self) -> int:
        """The seed in force."""
        return self._seed

    def take(self, count: int) -> tuple[int, int]:
        """Seed and offset of a draw that reads `count` blocks; the next draw starts behind it."""
        with self._lock:
            start = self._offset
            self._offset = (start + count) % PERIOD
            return self._seed, start

    def give_back(self, seed: int, start: int, count: int) -> None:
        """Undoes a `take` that gave this seed and this start, unless something has happened since."""
        with self._lock:
            if self._seed == seed and self._offset == (start + count) % PERIOD:
                self._offset = start

    def get_state(self) -> Tensor:
        """Seed and offset as a tensor of bytes."""
        return Tensor._wrap(self.state_bytes())

    def state_bytes(self) -> np.ndarray[Any, Any]:
        """Seed and offset as an array, uint8[16]."""
        with self._lock:
            return np.array([self._seed, self._offset], "<u8").view(np.uint8)

    def set_state(self, state: Tensor) -> Generator:
        """Itself, where it was when `get_state` gave `state`. Errors: TypeError, RuntimeError for anything else."""
        if not isinstance(state, Tensor) or state.dtype is not dtypes.uint8:
            raise TypeError("the state of a generator is a uint8 tensor, as get_state() gives it")
        if state.shape != (STATE_BYTES,):
            raise RuntimeError(f"the state of a generator has {STATE_BYTES} bytes, got shape {list(state.shape)}")
        return self.set_state_bytes(state._array)

    def set_state_bytes(self, state: np.ndarray[Any, Any]) -> Generator:
        """Itself, where it was when `state_bytes` gave `state`."""
        seed, offset = np.ascontiguousarray(state).view("<u8").tolist()
        with self._lock:
            self._seed, self._offset = seed, offset % PERIOD
        return self

    def __repr__(self) -> str:
        return f"<Generator of seed {self._seed}, {self._offset} blocks read>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._seed, self._offset)


def _restored(*state: int) -> Generator:
    return Generator().set_state_bytes(np.array(state, "<u8"))


def _checked_seed(seed: Any) -> int:
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise RuntimeError(f"manual_seed expected an int, but got {type(seed).__name__}")
    if not -(2**63) <= int(seed.__index__()) < 2**64:
        raise ValueError(f"a seed has 64 bits, got {int(seed.__index__())}")
    return int(seed.__index__()) % 2**64


default_generator = Generator(int.from_bytes(os.urandom(8), "little"))
"""The generator that is drawn from where none is given. Its first seed is another one in each process."""
