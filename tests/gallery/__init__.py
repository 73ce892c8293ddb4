"""Forty NumPy programs as people write them, without a thought for compilers; a module for each field.

Some are whole-array code, most loop: over elements, time steps, pairs, offsets, or until something converges. They are
run jitted and compared with plain Python (`test_gallery.py`), and timed (`benchmarks/gallery.py`). A program is changed
only where it is wrong, never to suit the tracer.
"""

from gallery import (  # noqa: F401
    chance,
    discrete,
    dynamics,
    factorisations,
    fields,
    images,
    iterations,
    learning,
    networks,
    pictures,
    sequences,
    signals,
    solvers,
)
from gallery.record import PROGRAMS, Program

__all__ = ["PROGRAMS", "Program"]
