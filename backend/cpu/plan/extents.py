"""The extent of the elements of a strided array, in bytes from its first element."""

from __future__ import annotations

from math import prod


def extent(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> tuple[int, int]:
    """The half-open range of bytes that the elements touch; (0, 0) for an empty array."""
    if prod(shape) == 0:
        return 0, 0
    reach = [(size - 1) * stride for size, stride in zip(shape, strides, strict=True)]
    return sum(step for step in reach if step < 0), sum(step for step in reach if step > 0) + itemsize


def is_dense(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> bool:
    """Whether the elements fill one block of memory, in some order of the axes."""
    if len(shape) != len(strides):
        return False
    if prod(shape) == 0:
        return True
    expected = itemsize
    for stride, size in sorted((stride, size) for size, stride in zip(shape, strides, strict=True) if size > 1):
        if stride != expected:
            return False
        expected *= size
    return True
