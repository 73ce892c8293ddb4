"""Matrix products of all layouts as kernels of a device. `test_simulated.py` runs this file.

Results lie between margins, at places and steps that a group of elements does not divide."""

import itertools

import numpy as np
import pytest

from guardlift.backend.cuda.device import current, is_simulated
from guardlift.backend.cuda.products import launches
from guardlift.backend.cuda.products.launches import Matrices, Product, parts_nbytes, product_kernels
from guardlift.core import dtypes

MARGIN = 5
HALVES = (dtypes.float16, dtypes.bfloat16)
UNIT = {dtypes.float64: 2.0**-52, dtypes.float32: 2.0**-23, dtypes.float16: 2.0**-10, dtypes.bfloat16: 2.0**-7}


@pytest.fixture(autouse=True)
def tiles_of_few(monkeypatch):
    """Products of four rows have tiles where these are tiny."""
    if is_simulated():
        monkeypatch.setattr(launches, "FEW", 3)


class Matrix:
    """Random matrices in memory of the device, lines `pad` elements apart and the first one `shift` elements inside."""

    def __init__(self, rng, dtype, batch, rows, columns, turned=False, shift=0, pad=0, fill=None):
        lines, length = (columns, rows) if turned else (rows, columns)
        line = length + pad
        self.turned, self.place = turned, MARGIN + shift
        self.memory = np.full(2 * self.place + batch * lines * line, np.nan, np.float32).astype(dtype.numpy)
        self.shape = batch, lines, line, length
        self.cells = self._cells(self.memory)
        if fill is None:
            self.cells[...] = rng.standard_normal(self.cells.shape).astype(dtype.numpy)
        self.form = Matrices(dtype, lines * line if batch > 1 else 0, line, turned)
        self.start = current().allocate(max(self.memory.nbytes, 1))
        current().upload(self.start, self.memory.view(np.uint8))

    @property
    def address(self):
        return self.start + self.place * self.memory.itemsize

    @property
    def values(self):
        cells = self.cells.astype(np.float64)
        return cells.swapaxes(1, 2) if self.turned else cells

    def fetched(self):
        """The matrices as they are now; nothing around them has changed."""
        found = np.empty_like(self.memory)
        current().download(self.start, found.view(np.uint8))
        bits = f"u{found.itemsize}"
        self.cells[...] = self._cells(found)
        np.testing.assert_array_equal(found.view(bits), self.memory.view(bits))
        return self.values

    def _cells(self, memory):
        batch, lines, line, length = self.shape
        return memory[self.place : self.place + batch * lines * line].reshape(batch, lines, line)[:, :, :length]


def multiplied(
    m,
    n,
    k,
    *,
    batch=1,
    a=dtypes.float32,
    b=None,
    c=None,
    turned=(False, False),
    shifts=(0, 0, 0),
    pads=(0, 0, 0),
    tensor=False,
    tf32=False,
):
    """The forms of the kernels of a product, after its result has been compared."""
    rng, device = np.random.default_rng(m * 7919 + n * 31 + k), current()
    b, c = b or a, c or a
    left = Matrix(rng, a, batch, m, k, turned[0], shifts[0], pads[0])
    right = Matrix(rng, b, batch, k, n, turned[1], shifts[1], pads[1])
    result = Matrix(rng, c, batch, m, n, False, shifts[2], pads[2], fill="nothing")
    product = Product(m, n, k, batch, left.form, right.form, result.form, tf32)
    kernels = product_kernels(product, device.tilings, device.limits, device.tensor_tiling if tensor else None)
    parts = device.allocate(max(parts_nbytes(product, kernels), 1))
    addresses = {"a": left.address, "b": right.address, "c": result.address, "parts": parts}
    for each in kernels:
        numbers = [*(addresses[name] for name in each.operands), *each.numbers]
        device.launch(device.load(each.text), each.sizes, numbers)
    device.wait()
    found, wanted = result.fetched(), left.values @ right.values
    size = np.abs(left.values) @ np.abs(right.values)
    allowed = UNIT[product.summed] * (k + 4) / 2 * size + UNIT[c] * np.abs(wanted)
    allowed += 2.0**-10 * size * tf32  # each of two operands is rounded to 11 bits
    assert (np.abs(found - wanted) <= allowed).all(), (m, n, k, np.abs(found - wanted).max())
    for block in (left.start, right.start, result.start, parts):
        device.free(block)
    return [each.form for each in kernels]


def side():
    """The results along a side of the smallest tile."""
    return current().tilings[-1].size


LAYOUTS = [*itertools.product((False, True), repeat=2)]


@pytest.mark.parametrize("turned", LAYOUTS)
def test_tiles_of_float32_at_edges_and_shifted_places(turned):
    few, size = launches.FEW + 1, side()
    sizes = [(few, size + few, 9), (size + few, few, size), (size, size, 16), (few + 3, few, 1)]
    for k, (m, n, inner) in enumerate(sizes):
        shifts, pads = ((k, 0, 3), (0, 1, k), (0, 0, 0))[k % 3], ((0, 3, 0), (1, 0, 4), (0, 0, 0))[k % 3]
        (form,) = multiplied(m, n, inner, turned=turned, shifts=shifts, pads=pads)
        assert form.startswith("tiles")


@pytest.mark.skipif(is_simulated(), reason="there tiles are small")
def test_large_tiles(monkeypatch):
    monkeypatch.setattr(launches, "LARGE_FROM", 1)
    assert multiplied(130, 257, 19, shifts=(0, 1, 3), pads=(1, 3, 1)) == ["tiles of 128"]
    assert multiplied(128, 128, 16, turned=(True, True), shifts=(3, 3, 3)) == ["tiles of 128"]


def test_tiles_of_float64_and_of_several_matrices():
    few = launches.FEW + 1
    for turned in LAYOUTS[:: 3 if is_simulated() else 1]:
        multiplied(few, side() + few, 10, batch=3, a=dtypes.float64, turned=turned, shifts=(1, 0, 0), pads=(0, 1, 1))


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_tiles_of_narrow_floats_are_summed_in_float32(dtype):
    few = launches.FEW + 1
    multiplied(few + 2, side() + few, 13, a=dtype, turned=(False, True), shifts=(0, 1, 2), pads=(3, 0, 0))
    multiplied(few + 3, few + 3, 8, a=dtype, c=dtypes.float32, turned=(True, False))
    multiplied(few, few, 5, a=dtype, b=dtypes.float32, c=dtypes.float32)


@pytest.mark.parametrize("turned", LAYOUTS)
def test_tensor_cores_multiply_narrow_floats_of_all_layouts(turned):
    few, (a, c) = launches.FEW + 1, (HALVES if turned[0] else HALVES[::-1])
    places = [((0, 0, 0), (0, 0, 0)), ((0, 8, 1), (8, 8, 3)), ((1, 0, 2), (0, 1, 2)), ((3, 3, 0), (8, 0, 0))]
    for number, (m, n, k) in enumerate(
        [(few, few + 7, 40), (few + 8, few, 17), (few + 15, few + 15, 8), (few, few, 1)]
    ):
        shifts, pads = places[(number + 2 * turned[0] + turned[1]) % 4]
        kind = (a, c, dtypes.float32)[number % 3]
        given = {"a": a, "c": kind if kind is not c else a}
        assert multiplied(m, n, k, turned=turned, shifts=shifts, pads=pads, tensor=True, **given) == ["tensor cores"]
    assert multiplied(few, few, 64, batch=2, a=c, turned=turned, tensor=True)[0] == "tensor cores"


@pytest.mark.parametrize("turned", LAYOUTS)
def test_tensor_cores_multiply_float32_that_is_rounded_to_tf32(turned):
    few = launches.FEW + 1
    places = [((0, 0, 0), (0, 0, 0)), ((0, 4, 1), (4, 4, 3)), ((1, 0, 2), (0, 1, 2)), ((3, 3, 0), (4, 0, 0))]
    for number, (m, n, k) in enumerate([(few, few + 7, 40), (few + 8, few, 17), (few + 15, few + 15, 7)]):
        shifts, pads = places[(number + 2 * turned[0] + turned[1]) % 4]
        forms = multiplied(m, n, k, turned=turned, shifts=shifts, pads=pads, tensor=True, tf32=True)
        assert forms == ["tensor cores"]
    assert multiplied(few, few, 24, batch=2, turned=turned, tensor=True, tf32=True)[0] == "tensor cores"


def test_tf32_is_rounded_to_nearest_and_keeps_what_is_no_number():
    m = launches.FEW + 3
    given = np.ones((m, m), np.float32)
    given[0, 1:6] = 1 + 2.0**-11, 1 + 3 * 2.0**-12, -1 - 2.0**-11, 3e38, 1e-44
    given[1, 0], given[2, 0], given[3, 0] = np.inf, -np.inf, np.nan
    unit = np.eye(m, dtype=np.float32)
    rng, device, shape = np.random.default_rng(0), current(), (1, m, m)
    left, right = (Matrix(rng, dtypes.float32, *shape) for _ in range(2))
    result = Matrix(rng, dtypes.float32, *shape, fill="nothing")
    for matrix, values in ((left, unit), (right, given)):
        matrix.cells[0] = values
        device.upload(matrix.start, matrix.memory.view(np.uint8))
    product = Product(m, m, m, 1, left.form, right.form, result.form, True)
    (kernel,) = product_kernels(product, device.tilings, device.limits, device.tensor_tiling)
    addresses = [left.address, right.address, result.address]
    device.launch(device.load(kernel.text), kernel.sizes, [*addresses, *kernel.numbers])
    device.wait()
    found = result.fetched()[0]
    assert found[0, 1:4].tolist() == [1 + 2.0**-10, 1 + 2.0**-10, -1 - 2.0**-10] and found[0, 5] == 0
    assert abs(found[0, 4] / np.float64(given[0, 4]) - 1) <= 2.0**-11
    assert np.isnan(found[:, 0]).all()


@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64, *HALVES], ids=str)
def test_thin_products(dtype):
    layouts = LAYOUTS if dtype is dtypes.float32 else LAYOUTS[1:3]
    places = [((1, 2, 3), (3, 1, 2)), ((0, 0, 0), (0, 0, 0)), ((3, 3, 0), (8, 8, 8))]
    for number, turned in enumerate(layouts):
        for k, (m, n, inner) in enumerate([(1, 5, 131), (3, 33, 8), (5, 2, 1), (2, 2, 132)]):
            shifts, pads = places[(number + k) % 3]
            multiplied(m, n, inner, a=dtype, turned=turned, shifts=shifts, pads=pads)
    assert multiplied(2, 3, 40, batch=3, a=dtype, pads=(1, 0, 2)) == ["thin"]


def test_a_long_inner_axis_is_split_and_its_parts_are_merged_in_order(monkeypatch):
    for name, value in (("LEAST_SHARE", 16), ("LEAST_WARP_SHARE", 128), ("LEAST_THREAD_SHARE", 8)):
        monkeypatch.setattr(launches, name, value)
    few = launches.FEW + 1
    for turned in LAYOUTS[1:3]:
        assert multiplied(few, few + 2, 67, batch=2, turned=turned)[1:] == ["merged parts"]
        assert multiplied(3, 7, 263, batch=2, turned=turned, pads=(0, 0, 3)) == ["thin", "merged parts"]
        assert multiplied(5, 2, 263, turned=turned, a=dtypes.bfloat16) == ["thin", "merged parts"]
    assert multiplied(few, few, 40, a=dtypes.float16)[1:] == ["merged parts"]


def test_a_result_is_the_same_bits_for_other_steps_and_places():
    m, n, k = launches.FEW + 2, side() + 3, 21
    a, b = (np.random.default_rng(k).standard_normal(size).astype("f4") for size in ((m, k), (k, n)))
    found = []
    for shift, pad in ((0, 0), (1, 3), (4, 4)):
        rng = np.random.default_rng(0)
        left, right = Matrix(rng, dtypes.float32, 1, m, k, False, shift, pad), Matrix(rng, dtypes.float32, 1, k, n)
        result = Matrix(rng, dtypes.float32, 1, m, n, False, 0, pad, fill="nothing")
        for matrix, values in ((left, a), (right, b)):
            matrix.cells[0] = values
            current().upload(matrix.start, matrix.memory.view(np.uint8))
        (kernel,) = product_kernels(
            Product(m, n, k, 1, left.form, right.form, result.form), current().tilings, current().limits
        )
        addresses = [left.address, right.address, result.address]
        current().launch(current().load(kernel.text), kernel.sizes, [*addresses, *kernel.numbers])
        current().wait()
        found.append(result.fetched())
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
