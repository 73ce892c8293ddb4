"""Kernels that multiply windows, run on NumPy's memory: results, bits, and what is read and written."""

from __future__ import annotations

import ctypes
import mmap
import sys
from typing import Any

import numpy as np
import pytest

from guardlift.backend.cpu.compiler.kernels import get_kernel
from guardlift.backend.cpu.matmul import tile_shapes, tiles, window_text
from guardlift.backend.evaluate.buffers import Buffer, BufferView
from guardlift.backend.launch import window_steps
from guardlift.backend.schedule.window_products import PartedMatrices, WindowProduct
from guardlift.core import dtypes

pytestmark = pytest.mark.skipif(not tiles.vector_bytes(), reason="the processor has no fused multiply-add on vectors")

GUARD = 7.0
Case = tuple[type, int, int, tuple[int, int], tuple[int, int]]
COLUMNS: list[Case] = [
    # outputs, channels, window, result
    (np.float32, 12, 30, (3, 3), (2, 32)),
    (np.float32, 9, 5, (2, 3), (3, 48)),
    (np.float32, 10, 3, (3, 5), (6, 8)),
    (np.float32, 1, 4, (1, 2), (5, 24)),
    (np.float64, 8, 30, (3, 3), (7, 16)),
    (np.float64, 5, 3, (2, 2), (9, 4)),
    (np.float64, 2, 3, (2, 1), (9, 15)),
]
ROWS: list[Case] = [
    (np.float32, 16, 17, (3, 3), (9, 32)),
    (np.float32, 17, 3, (2, 3), (5, 15)),
    (np.float32, 64, 8, (3, 3), (8, 8)),
    (np.float64, 33, 9, (1, 5), (3, 24)),
    (np.float64, 1, 1, (3, 2), (4, 3)),
    (np.float64, 9, 33, (2, 7), (2, 9)),
]


def launch(call: WindowProduct, *arrays: np.ndarray) -> str:
    """Runs the kernel of a product, in two parts, on memory of this process; gives its text."""
    made = window_steps._kernel_of(call)
    kernel = get_kernel(made.text)
    run = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 2)(kernel.address)
    sizes, addresses = np.array(made.sizes, np.int64), np.array([each.ctypes.data for each in arrays], np.int64)
    middle = made.extent // 3
    for start, stop in ((0, middle), (middle, made.extent)):
        assert run(addresses.ctypes.data, sizes.ctypes.data, start, stop) == 0
    return made.text


def buffers(dtype: type) -> list[Buffer]:
    return [Buffer("input", k, dtypes.float32 if dtype is np.float32 else dtypes.float64) for k in range(3)]


def convolved(x: np.ndarray, weight: np.ndarray, out: tuple[int, int]) -> tuple[np.ndarray, str]:
    """[N, O, *out] of x [N, C, H, W] and weight [O, C, KH, KW], by the kernel of the form "columns"; its text."""
    images, channels, height, width = x.shape
    outputs, _, tall, wide = weight.shape
    a, b, c = buffers(x.dtype.type)
    depth, count = channels * tall * wide, out[0] * out[1]
    left = PartedMatrices(a, 0, ((images, 0),), ((outputs, depth),), ((depth, 1),))
    rows = ((channels, height * width), (tall, width), (wide, 1))
    right = PartedMatrices(b, 0, ((images, channels * height * width),), rows, ((out[0], width), (out[1], 1)))
    room = np.full((images * outputs * count + 40), GUARD, x.dtype)
    result = BufferView(c, (images, outputs, count), (outputs * count, count, 1), 0)
    text = launch(WindowProduct("columns", left, right, result), weight, x, room[20:])
    assert (room[:20] == GUARD).all()
    assert (room[-20:] == GUARD).all()
    return room[20:-20].reshape(images, outputs, *out), text


def weight_gradient(x: np.ndarray, g: np.ndarray, window: tuple[int, int]) -> tuple[np.ndarray, str]:
    """[C, KH, KW, O] of x [N, C, H, W] and g [N, O, *out], by the kernel of the form "rows"; its text."""
    images, channels, height, width = x.shape
    outputs, tall, wide = g.shape[1:]
    a, b, c = buffers(x.dtype.type)
    rows = ((channels, height * width), (window[0], width), (window[1], 1))
    summed = ((images, channels * height * width), (tall, width), (wide, 1))
    left = PartedMatrices(a, 0, (), rows, summed)
    count = tall * wide
    right = PartedMatrices(b, 0, (), ((images, outputs * count), (tall, wide), (wide, 1)), ((outputs, count),))
    height_ = channels * window[0] * window[1]
    room = np.full(height_ * outputs + 40, GUARD, x.dtype)
    result = BufferView(c, (height_, outputs), (outputs, 1), 0)
    text = launch(WindowProduct("rows", left, right, result), x, g, room[20:])
    assert (room[:20] == GUARD).all()
    assert (room[-20:] == GUARD).all()
    return room[20:-20].reshape(channels, *window, outputs), text


def windows(x: np.ndarray, window: tuple[int, int], out: tuple[int, int]) -> np.ndarray:
    """[KH, KW, N, C, *out] of x, in float64."""
    return np.array(
        [[x[:, :, i : i + out[0], j : j + out[1]] for j in range(window[1])] for i in range(window[0])], np.float64
    )


def check(found: np.ndarray, subscripts: str, one: np.ndarray, other: np.ndarray, depth: int) -> None:
    """Compares with the sum of products in float64, by what rounding may add up to."""
    expected = np.einsum(subscripts, one, other.astype(np.float64))
    bound = np.einsum(subscripts, np.abs(one), np.abs(other.astype(np.float64)))
    assert (np.abs(found - expected) <= np.finfo(found.dtype).eps * depth * bound).all()


def drawn(dtype: type, *shapes: tuple[int, ...]) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.standard_normal(shape).astype(dtype) for shape in shapes]


@pytest.mark.parametrize("case", COLUMNS)
def test_windows_in_place_have_the_bits_of_those_from_panels(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    dtype, outputs, channels, window, out = case
    high, wide = (size + k - 1 for size, k in zip(out, window, strict=True))
    x, weight = drawn(dtype, (2, channels, high, wide), (outputs, channels, *window))
    found, text = convolved(x, weight, out)
    piece = tiles.lanes("f32" if dtype is np.float32 else "f64")
    form = "direct_" if out[1] % piece == 0 else "halves_" if out[1] % (piece // 2) == 0 else "pack_"
    assert form in text
    check(found, "ijnchw,ocij->nohw", windows(x, window, out), weight, channels * window[0] * window[1])
    monkeypatch.setattr(window_text, "MOST_ROWS", 0)
    again, text = convolved(x, weight, out)
    assert "pack_" in text
    assert found.tobytes() == again.tobytes()


@pytest.mark.parametrize("case", ROWS)
def test_gradients_of_weights_have_the_same_bits_with_taps_and_without(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    dtype, outputs, channels, window, out = case
    high, wide = (size + k - 1 for size, k in zip(out, window, strict=True))
    x, g = drawn(dtype, (3, channels, high, wide), (3, outputs, *out))
    found, text = weight_gradient(x, g, window)
    check(found, "ijnchw,nohw->cijo", windows(x, window, out), g, 3 * out[0] * out[1])
    vectors = tile_shapes.panel_vectors("f32" if dtype is np.float32 else "f64", outputs)
    assert ("taps_" in text) == (tile_shapes.takes_taps(vectors, window[1]) and out[1] >= window[1])
    monkeypatch.setattr(tile_shapes, "takes_taps", lambda vectors, taps: False)
    again, text = weight_gradient(x, g, window)
    assert "runs_" in text
    assert found.tobytes() == again.tobytes()


def test_narrow_vectors_give_the_bits_of_wide_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    x, weight, g = drawn(np.float32, (1, 29, 6, 18), (9, 29, 3, 3), (1, 20, 4, 16))

    def both() -> list[bytes]:
        return [convolved(x, weight, (4, 16))[0].tobytes(), weight_gradient(x, g, (3, 3))[0].tobytes()]

    expected = both()
    monkeypatch.setattr(tiles, "vector_bytes", lambda: 32)
    assert both() == expected


@pytest.mark.parametrize("element", [np.inf, np.nan])
def test_an_element_that_is_not_finite_reaches_the_windows_that_have_it(element: float) -> None:
    x, weight, g = drawn(np.float32, (1, 2, 5, 18), (8, 2, 3, 3), (1, 8, 3, 16))
    x[0, 1, 2, 0] = element
    for kernel, other, subscripts in (
        (lambda: convolved(x, weight, (3, 16))[0], weight, "ijnchw,ocij->nohw"),
        (lambda: weight_gradient(x, g, (3, 3))[0], g, "ijnchw,nohw->cijo"),
    ):
        with np.errstate(invalid="ignore"):
            reached = ~np.isfinite(np.einsum(subscripts, windows(x, (3, 3), (3, 16)), other.astype(np.float64)))
        np.testing.assert_array_equal(~np.isfinite(kernel()), reached)


@pytest.mark.skipif(sys.platform != "linux", reason="sets a page apart by the system's mprotect")
def test_nothing_is_read_behind_the_operands() -> None:
    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, 3 * page)
    start = np.frombuffer(memory, np.uint8).ctypes.data
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.mprotect(ctypes.c_void_p(start + 2 * page), page, 0) == 0  # a read there ends the process

    def at_end(array: np.ndarray) -> np.ndarray:
        view: Any = np.frombuffer(memory, array.dtype, array.size, 2 * page - array.nbytes).reshape(array.shape)
        view[...] = array
        return view

    try:
        x, weight, g = drawn(np.float32, (1, 3, 5, 18), (5, 3, 3, 3), (1, 5, 3, 16))
        small, narrow = drawn(np.float32, (1, 3, 5, 10), (1, 5, 3, 8))
        for given, gradient, out in ((x, g, (3, 16)), (small, narrow, (3, 8))):
            expected = convolved(given, weight, out)[0], weight_gradient(given, gradient, (3, 3))[0]
            np.testing.assert_array_equal(convolved(at_end(given), weight, out)[0], expected[0])
            np.testing.assert_array_equal(convolved(given, at_end(weight), out)[0], expected[0])
            np.testing.assert_array_equal(weight_gradient(at_end(given), gradient, (3, 3))[0], expected[1])
            np.testing.assert_array_equal(weight_gradient(given, at_end(gradient), (3, 3))[0], expected[1])
    finally:
        libc.mprotect(ctypes.c_void_p(start + 2 * page), page, mmap.PROT_READ | mmap.PROT_WRITE)
