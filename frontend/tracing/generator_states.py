"""States of the generators of NumPy and Python, noted before a draw, and put back where Python has to draw instead."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable
from functools import cache, partial
from typing import Any

_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_RLOCK = type(threading.RLock())
TWISTER_BYTES = 4 * 625
"""The state of the Mersenne Twister in C: 624 words, and how many of them have been given."""


def bit_generator_of(generator: Any) -> Any:
    """The bit generator of a `numpy.random.Generator` or a `numpy.random.RandomState`."""
    return generator._bit_generator if is_legacy(generator) else generator.bit_generator


def is_legacy(generator: Any) -> bool:
    """Whether a generator is a `numpy.random.RandomState`."""
    return type(generator).__name__ == "RandomState"


def is_pythons(generator: Any) -> bool:
    """Whether a generator is a `random.Random`."""
    random = sys.modules.get("random")
    return random is not None and type(generator) is random.Random


def lock_of(generator: Any) -> Any:
    """The lock of a generator that a thread may take twice; None where it has none."""
    lock = None if is_pythons(generator) else bit_generator_of(generator).lock
    return lock if type(lock) is _RLOCK else None


def functions_address(bit_generator: Any) -> int:
    """The addresses of the functions and the state of a bit generator, as NumPy's C interface has them."""
    address = _pointer(bit_generator.capsule, b"BitGenerator")
    assert isinstance(address, int)
    return address


def word_of(generator: Any) -> int:
    """The number that stands for a generator in a plan: of its C functions, or of the object where NumPy draws itself.

    A `RandomState` and a `Generator` may have one bit generator, so the former is known by its own address.
    """
    return id(generator) if is_legacy(generator) else functions_address(generator.bit_generator)


def noted(generator: Any) -> Callable[[], object]:
    """A function that puts the generator back where it is now."""
    if is_pythons(generator):
        state = generator.getstate()
        return lambda: generator.setstate(state)
    bit_generator = bit_generator_of(generator)
    back = _noted_bits(bit_generator)
    if not is_legacy(generator):
        return back
    pending = _pending_normal(generator)

    def put_back() -> None:
        back()
        if _pending_normal(generator) != pending:
            has_gauss, gauss = pending
            generator.set_state({**generator.get_state(legacy=False), "has_gauss": has_gauss, "gauss": gauss})

    return put_back


def _noted_bits(bit_generator: Any) -> Callable[[], object]:
    if type(bit_generator).__name__ == "MT19937" and _twister_lies_as_expected():
        # NumPy makes its 624 words into Python's ints one by one, which takes longer than most plans.
        place = _state_address(bit_generator)
        words = ctypes.string_at(place, TWISTER_BYTES)
        return partial(ctypes.memmove, place, words, TWISTER_BYTES)
    state = bit_generator.state
    return lambda: setattr(bit_generator, "state", state)


def _state_address(bit_generator: Any) -> int:
    address = ctypes.c_void_p.from_address(functions_address(bit_generator)).value
    assert address is not None
    return address


@cache
def _twister_lies_as_expected() -> bool:
    """Whether this NumPy has the state of a Mersenne Twister in memory as its sources say: tried on one."""
    import numpy as np

    tried = np.random.MT19937(5)
    tried.random_raw(3)
    state: Any = tried.state["state"]
    words = np.frombuffer(ctypes.string_at(_state_address(tried), TWISTER_BYTES), np.uint32)
    return bool(np.array_equal(words[:-1], state["key"]) and words[-1] == state["pos"])


def _pending_normal(generator: Any) -> tuple[int, float]:
    """Whether a `RandomState` has a number of a normal distribution left over, and that number."""
    places = _pending_places()
    if places is None:
        state = generator.get_state(legacy=False)
        return state["has_gauss"], state["gauss"]
    flag, number = places
    return ctypes.c_int.from_address(id(generator) + flag).value, ctypes.c_double.from_address(
        id(generator) + number
    ).value


@cache
def _pending_places() -> tuple[int, int] | None:
    """The places, in a `RandomState`, of the flag and the number left over; None where trials do not show them."""
    import numpy as np

    tried = np.random.RandomState(5)
    size = type(tried).__basicsize__

    def memory(has_gauss: int, gauss: float) -> bytes:
        tried.set_state({**tried.get_state(legacy=False), "has_gauss": has_gauss, "gauss": gauss})  # type: ignore[arg-type]
        return ctypes.string_at(id(tried), size)

    cases = [(0, -0.123456789e-17), (1, -0.123456789e-17), (1, 3.25e19), (0, 1e-300)]
    seen = [memory(*case) for case in cases]

    def place(kind: Any, values: list[Any]) -> list[int]:
        step = ctypes.sizeof(kind)
        return [
            at
            for at in range(0, size - step + 1, step)
            if [kind.from_buffer_copy(each, at).value for each in seen] == values
        ]

    flags = place(ctypes.c_int, [has_gauss for has_gauss, _ in cases])
    numbers = place(ctypes.c_double, [gauss for _, gauss in cases])
    return (flags[0], numbers[0]) if len(flags) == len(numbers) == 1 else None
