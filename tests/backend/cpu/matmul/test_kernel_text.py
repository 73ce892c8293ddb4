import ctypes
import itertools
import mmap
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from guardlift.backend.cpu.compiler.kernels import get_kernel
from guardlift.backend.cpu.compiler.text_functions import native_function
from guardlift.backend.cpu.matmul import tiles
from guardlift.backend.cpu.matmul.kernel_text import product_text
from guardlift.backend.cpu.matmul.tile_shapes import panels_of
from guardlift.backend.llvm.text_emitter import emit_function
from guardlift.backend.llvm.values import PointerKind, is_in_vectors

SIZES = (
    (1, 1, 1),
    (3, 5, 7),
    (8, 16, 32),
    (9, 17, 33),
    (128, 256, 10),
    (10, 128, 256),
    (5, 600, 70),
    (2, 0, 5),
    (7, 257, 16),
    (0, 4, 4),
)

pytestmark = pytest.mark.skipif(not tiles.vector_bytes(), reason="the processor has no fused multiply-add on vectors")


def multiply(
    a: np.ndarray, b: np.ndarray, c: np.ndarray, split: int = 0, block: int = 0, is_small: bool = False
) -> None:
    """c[...] = a @ b by the kernel, over 0 .. split and then the rest. Shapes: [b, m, k], [b, k, n], [b, m, n].

    block: rows of a that are multiplied by a panel; 0 for all. is_small: as that of `product_text`."""
    code = {4: "f32", 8: "f64"}[a.itemsize]
    batch, m, depth = a.shape
    n = b.shape[2]
    turned = b.strides[2] != b.itemsize and n > 1
    kernel = get_kernel(product_text(code, n, turned, m, block, is_small=is_small))
    call = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 2)(kernel.address)
    panels = panels_of(code, n)
    b_row = b.strides[2] if turned else b.strides[1]
    steps = (a.strides[0], b.strides[0], c.strides[0])
    blocks = -(-m // block) if block else 1
    lines = (a.strides[1], a.strides[2], b_row, c.strides[1])
    sizes = np.array([m, n, depth, panels, *lines, *steps, blocks, block or m], np.int64)
    addresses = np.array([each.ctypes.data for each in (a, b, c)], np.int64)
    for start, stop in ((0, split), (split, batch * panels * blocks)):
        assert call(addresses.ctypes.data, sizes.ctypes.data, start, stop) == 0


@pytest.mark.parametrize("dtype", (np.float32, np.float64))
@pytest.mark.parametrize("size", SIZES)
def test_products_of_all_layouts_are_those_of_numpy_and_write_nothing_else(dtype, size) -> None:
    m, depth, n = size
    rng = np.random.default_rng(0)
    for turned_a, turned_b in itertools.product((False, True), repeat=2):
        a, b = rng.standard_normal((2, m, depth)).astype(dtype), rng.standard_normal((2, depth, n)).astype(dtype)
        a = a.swapaxes(1, 2).copy().swapaxes(1, 2) if turned_a else a
        b = b.swapaxes(1, 2).copy().swapaxes(1, 2) if turned_b else b
        room = np.full((2, m + 2, n + 6), 7, dtype)
        multiply(a, b, room[:, 1:-1, 3:-3])
        expected = a.astype(np.float64) @ b.astype(np.float64)
        bound = np.finfo(dtype).eps * max(depth, 1) * (np.abs(a).astype(float) @ np.abs(b).astype(float))
        assert (np.abs(room[:, 1:-1, 3:-3] - expected) <= bound).all()
        room[:, 1:-1, 3:-3] = 7
        assert (room == 7).all()


def test_a_product_in_parts_has_the_bits_of_the_whole() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((2, 9, 40)).astype(np.float32), rng.standard_normal((2, 40, 100)).astype(np.float32)
    whole, parts = np.empty((2, 2, 9, 100), np.float32)
    multiply(a, b, whole)
    multiply(a, b, parts, split=3)
    assert whole.tobytes() == parts.tobytes()
    for block in (1, 4, 7):
        multiply(a, b, parts, split=2, block=block)
        assert whole.tobytes() == parts.tobytes()


def test_infinities_and_nans_stay_where_they_belong() -> None:
    a, b = np.ones((1, 9, 5), np.float32), np.ones((1, 5, 35), np.float32)
    a[0, 3, 2], b[0, 1, 34] = np.inf, np.nan
    c = np.empty((1, 9, 35), np.float32)
    multiply(a, b, c)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(c, a @ b)


@pytest.fixture
def half_as_wide(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A processor whose vectors are 32 bytes wide, as those without AVX-512 are."""
    monkeypatch.setattr(tiles, "vector_bytes", lambda: 32)
    yield


def test_narrow_vectors_give_the_bits_of_wide_ones(half_as_wide: None, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    a, b = rng.standard_normal((1, 13, 300)).astype(np.float32), rng.standard_normal((1, 300, 45)).astype(np.float32)
    narrow, wide = np.empty((2, 1, 13, 45), np.float32)
    for right in (b, np.ascontiguousarray(b.swapaxes(1, 2)).swapaxes(1, 2)):
        multiply(a, right, narrow)
        monkeypatch.undo()
        multiply(a, right, wide)
        assert narrow.tobytes() == wide.tobytes()
        monkeypatch.setattr(tiles, "vector_bytes", lambda: 32)


@pytest.mark.skipif(sys.platform != "linux", reason="sets a page apart by the system's mprotect")
@pytest.mark.parametrize("turned", (False, True))
@pytest.mark.parametrize("size", [(8, 3, 5), (3, 20, 33), (16, 17, 17), (1, 1, 1)])
def test_nothing_is_read_behind_the_matrices(size: tuple[int, int, int], turned: bool) -> None:
    m, depth, n = size
    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, 2 * page)
    start = np.frombuffer(memory, np.uint8).ctypes.data
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.mprotect(ctypes.c_void_p(start + page), page, 0) == 0  # a read there ends the process
    try:
        rng = np.random.default_rng(0)
        parts = []
        for rows, columns in ((m, depth), (n, depth) if turned else (depth, n)):
            count = rows * columns
            part = np.frombuffer(memory, np.float32, count, page - 4 * count).reshape(1, rows, columns)
            parts.append(part)
        a, b = rng.standard_normal(parts[0].shape).astype(np.float32), parts[1]
        b[...] = rng.standard_normal(b.shape)
        right = b.swapaxes(1, 2) if turned else b
        c = np.empty((1, m, n), np.float32)
        multiply(a, right, c)
        np.testing.assert_allclose(c, a @ right, rtol=1e-5, atol=1e-5)
        kept, at_end = right.copy(), parts[0]
        at_end[...] = a
        multiply(at_end, kept, c)
        np.testing.assert_allclose(c, a @ kept, rtol=1e-5, atol=1e-5)
    finally:
        libc.mprotect(ctypes.c_void_p(start + page), page, mmap.PROT_READ | mmap.PROT_WRITE)


@pytest.mark.parametrize("turned", (False, True))
def test_rows_that_fill_tiles_have_the_bits_of_those_among_others(turned: bool) -> None:
    rng = np.random.default_rng(2)
    a = rng.standard_normal((1, 17, 300)).astype(np.float32)
    b = rng.standard_normal((1, 50, 300) if turned else (1, 300, 50)).astype(np.float32)
    b = b.swapaxes(1, 2) if turned else b
    even, others = np.empty((1, 16, 50), np.float32), np.empty((1, 17, 50), np.float32)
    multiply(a[:, :16], b, even)
    multiply(a, b, others)
    assert even.tobytes() == others[:, :16].tobytes()


def test_products_of_one_height_of_tiles_have_the_bits_of_those_of_two() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.standard_normal((1, 16, 30)).astype(np.float32), rng.standard_normal((1, 30, 128)).astype(np.float32)
    both, one = np.empty((2, 1, 16, 128), np.float32)
    multiply(a, b, both)
    multiply(a, b, one, is_small=True)
    assert both.tobytes() == one.tobytes()


@pytest.mark.parametrize("nbytes", (4, 8))
def test_squares_are_transposed_whole_and_in_part(nbytes: int) -> None:
    code, dtype = {4: ("f32", np.float32), 8: ("f64", np.float64)}[nbytes]
    count = tiles.lanes(code)
    text = f"""
def kernel(addresses, sizes, start, stop):
    turn_{code}(addresses[0], sizes[0], addresses[1], sizes[1], start, stop)
    return 0
"""
    kernel = get_kernel(text)
    call = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 2)(kernel.address)
    source = np.arange(1, count * (count + 3) + 1, dtype=dtype).reshape(count, count + 3)
    for height, width in itertools.product((0, 1, count - 1, count, count + 5), repeat=2):
        target = np.full((count, count + 1), -1, dtype)
        addresses = np.array([source.ctypes.data, target.ctypes.data], np.int64)
        steps = np.array([source.strides[0], target.strides[0]], np.int64)
        assert call(addresses.ctypes.data, steps.ctypes.data, height, width) == 0
        expected = np.zeros((count, count), dtype)
        expected[:height, :width] = source[:height, : min(width, count)]
        np.testing.assert_array_equal(target[:, :-1], expected.T)
        assert (target[:, -1] == -1).all()


def test_the_text_of_a_product_takes_the_passes_for_vectors() -> None:
    words = PointerKind("i64")
    plain = "def kernel(addresses, sizes, start, stop):\n    return 0\n"
    for text, expected in ((product_text("f32", 20, True, 9), True), (plain, False)):
        module = emit_function(text, (words, words, "i64", "i64"), "kernel", "<kernel>", native_function)
        assert is_in_vectors(module) == expected
