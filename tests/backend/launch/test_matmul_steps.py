from collections.abc import Callable

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.cpu.matmul import blas, tiles
from guardlift.backend.cpu.plan.plan import GemmStep, KernelStep
from guardlift.backend.launch import matmul_steps
from guardlift.frontend import state_of

pytestmark = pytest.mark.skipif(not tiles.vector_bytes(), reason="the processor has no fused multiply-add on vectors")


@pytest.fixture(autouse=True)
def nothing_compiled_before() -> None:
    """A plan made under other settings of a test before could be shared, were its entry still there."""
    gl.reset()


def straight(a, b):
    return a @ b


def turned_right(a, b):
    return a @ b.T


def turned_left(a, b):
    return a.T @ b


def both_turned(a, b):
    return a.T @ b.T


def turned_result(a, b):
    return (a @ b).T


def of_slices(a, b):
    return a[::2, 1:] @ b[1:, ::-1]


def steps_of(function: Callable[..., object]) -> list[type]:
    """The kinds of the plan's steps."""
    return [type(step) for step in state_of(function).entries[0].details["compiled"].plan.steps]


def compare(function: Callable[..., np.ndarray], a: np.ndarray, b: np.ndarray) -> list[type]:
    """The kinds of steps of the jitted function, whose result must be close to the plain one's."""
    jitted = gl.jit(function, fullgraph=True)
    found, expected = jitted(a, b), function(a.astype(np.float64), b.astype(np.float64))
    assert found.dtype == a.dtype and found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=0, atol=50 * np.finfo(a.dtype).eps * a.shape[-1])
    return steps_of(jitted)


@pytest.mark.parametrize("dtype", (np.float32, np.float64))
@pytest.mark.parametrize("function", (straight, turned_right, turned_left, both_turned, turned_result, of_slices))
def test_products_of_middle_size_are_our_own_whatever_the_layout(function, dtype) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 40, 40)).astype(dtype)
    assert GemmStep not in compare(function, a, b)


def test_a_batch_is_one_step_of_our_own() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((3, 20, 30)).astype(np.float32), rng.standard_normal((3, 30, 40)).astype(np.float32)
    assert compare(straight, a, b) == [KernelStep]


@pytest.mark.parametrize("shape", ((7, 30, 40), (40, 30, 3), (1, 30, 40), (40, 30, 1)))
def test_products_with_few_rows_or_columns_are_left_to_blas(shape) -> None:
    m, k, n = shape
    rng = np.random.default_rng(2)
    a, b = rng.standard_normal((m, k)).astype(np.float32), rng.standard_normal((k, n)).astype(np.float32)
    assert compare(straight, a, b) == [GemmStep]


@pytest.mark.parametrize(
    ("function", "width", "narrow", "limit"),
    (
        pytest.param(straight, 32, False, "OWN_WORK", id="of 256 bits"),
        pytest.param(straight, 64, False, "OWN_WIDE_WORK", id="of 512 bits, as those of BLAS"),
        pytest.param(turned_left, 64, True, "OWN_TURNED_WORK", id="of 512 bits, wider than those of BLAS, and turned"),
    ),
)
def test_products_above_a_limit_are_left_to_blas(function, width, narrow, limit, monkeypatch) -> None:
    if tiles.vector_bytes() < width:
        pytest.skip("this processor's registers are narrower")
    monkeypatch.setattr(tiles, "vector_bytes", lambda: width)
    monkeypatch.setattr(blas, "is_narrow", lambda: narrow)
    a, b = np.random.default_rng(3).standard_normal((2, 40, 40)).astype(np.float32)
    with gl.config.patch(artifact_cache=False):  # which does not know of other numbers than those of the source
        for most, step in ((40**3, KernelStep), (40**3 - 1, GemmStep)):
            monkeypatch.setattr(matmul_steps, limit, most)
            gl.reset()
            assert step in compare(function, a, b)


def test_products_of_any_size_are_our_own_where_registers_are_wider_than_those_of_blas(monkeypatch) -> None:
    if tiles.vector_bytes() < 64:
        pytest.skip("this processor has no registers of 512 bits")
    monkeypatch.setattr(blas, "is_narrow", lambda: True)
    for limit in ("OWN_WORK", "OWN_WIDE_WORK", "OWN_TURNED_WORK"):
        monkeypatch.setattr(matmul_steps, limit, 0)
    a, b = np.random.default_rng(3).standard_normal((2, 40, 40)).astype(np.float32)
    with gl.config.patch(artifact_cache=False):
        assert compare(straight, a, b) == [KernelStep]


@pytest.mark.parametrize(("core", "narrow"), ((b"Haswell", True), (b"SkylakeX", False), (None, False)))
def test_blas_is_narrow_where_it_took_kernels_of_256_bits(core, narrow, monkeypatch) -> None:
    monkeypatch.setattr(blas, "_core_name", lambda: core)
    assert blas.is_narrow.__wrapped__() is narrow


def test_a_processor_without_the_vectors_multiplies_by_blas(monkeypatch) -> None:
    monkeypatch.setattr(tiles, "vector_bytes", lambda: 0)
    a, b = np.random.default_rng(4).standard_normal((2, 40, 40)).astype(np.float32)
    with gl.config.patch(artifact_cache=False):
        assert compare(straight, a, b) == [GemmStep]


def test_an_empty_sum_is_zero() -> None:
    assert compare(straight, np.ones((20, 0), np.float32), np.ones((0, 40), np.float32))


def test_a_product_gives_the_same_bits_each_time() -> None:
    jitted = gl.jit(turned_right)
    a, b = np.random.default_rng(5).standard_normal((2, 70, 300)).astype(np.float32)
    first = jitted(a, b).copy()
    assert all(jitted(a, b).tobytes() == first.tobytes() for _ in range(5))


@pytest.mark.parametrize("shapes", (((60, 128, 64), (60, 64, 96)), ((200, 300), (300, 200))), ids=("batch", "two"))
def test_panels_are_shared_out_with_the_same_bits(shapes, monkeypatch) -> None:
    monkeypatch.setattr(matmul_steps, "OWN_CHUNK_WORK", 1 << 20)
    rng = np.random.default_rng(8)
    a, b = (rng.standard_normal(shape).astype(np.float32) for shape in shapes)
    results = []
    for count in (1, 2, 3, 5):
        with gl.config.patch(num_threads=count, artifact_cache=False):
            gl.reset()
            jitted = gl.jit(straight)
            results.append(jitted(a, b).tobytes())
            (step,) = state_of(jitted).entries[0].details["compiled"].plan.steps
            assert type(step) is KernelStep and 0 < step.parallel_split.chunk < step.extent
    assert len(set(results)) == 1


def by_vector(a, x):
    return a @ x


def by_vector_turned(a, x):
    return a.T @ x


def vector_by(a, x):
    return x @ a


def vector_by_turned(a, x):
    return x @ a.T


NARROW = {by_vector: "columns", by_vector_turned: "rows", vector_by: "rows", vector_by_turned: "columns"}
"""The axis of the matrix that the vector has as many elements as."""


def narrow(function, lines: int, width: int, dtype, step: int = 1):
    rng = np.random.default_rng(6)
    a = rng.standard_normal((lines, width)).astype(dtype)
    x = rng.standard_normal((step * (lines if NARROW[function] == "rows" else width),)).astype(dtype)[::step]
    return a, x


def compare_by_vector(function, a: np.ndarray, x: np.ndarray) -> list[type]:
    jitted = gl.jit(function, fullgraph=True)
    exact = function(a.astype(np.longdouble), x.astype(np.longdouble))
    found, bound = jitted(a, x), function(np.abs(a).astype(np.float64), np.abs(x).astype(np.float64))
    assert found.dtype == a.dtype and found.shape == exact.shape
    assert np.all(np.abs(found - exact) <= 20 * np.finfo(a.dtype).eps * bound)
    return steps_of(jitted)


@pytest.mark.parametrize("dtype", (np.float32, np.float64))
@pytest.mark.parametrize("width", range(2, 9))
@pytest.mark.parametrize("function", NARROW)
def test_a_long_narrow_matrix_times_a_vector_is_our_own(function, width, dtype) -> None:
    assert GemmStep not in compare_by_vector(function, *narrow(function, 1031, width, dtype))


@pytest.mark.parametrize("function", NARROW)
@pytest.mark.parametrize("lines, width", ((255, 5), (300, 9), (300, 300)))
def test_other_matrices_are_multiplied_by_a_vector_by_blas(function, lines, width) -> None:
    assert GemmStep in compare_by_vector(function, *narrow(function, lines, width, np.float64))


@pytest.mark.parametrize("function", NARROW)
def test_a_vector_with_gaps_is_multiplied_as_well(function) -> None:
    for lines, width in ((1031, 3), (40, 30)):
        compare_by_vector(function, *narrow(function, lines, width, np.float64, step=3))


@pytest.mark.parametrize("function", NARROW)
def test_a_narrow_part_of_a_wide_matrix_is_left_to_blas(function) -> None:
    wide = np.random.default_rng(7).standard_normal((500, 12))
    for a in (wide[:, 2:7], np.asfortranarray(wide)[:, 2:7], wide[100:, :1]):
        compare_by_vector(function, a, narrow(function, *a.shape, np.float64)[1])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_infinities_and_nan_go_through_a_narrow_product() -> None:
    a, x = narrow(by_vector, 300, 3, np.float64)
    a[7, 1], a[8, 0], a[9] = np.inf, np.nan, (np.inf, -np.inf, 1.0)
    for function, vector in ((by_vector, x), (by_vector_turned, np.ones(300))):
        np.testing.assert_array_equal(np.isnan(gl.jit(function)(a, vector)), np.isnan(function(a, vector)))


def test_products_into_parts_of_an_array() -> None:
    def columns(a, x, y):
        out = np.zeros((len(a), 2))
        out[:, 0] = a @ x
        out[:, 1] = a @ (2 * x)
        return out, y @ a

    a, x = narrow(by_vector, 300, 3, np.float64)
    y = np.arange(300.0)
    for found, expected in zip(gl.jit(columns, fullgraph=True)(a, x, y), columns(a, x, y), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)
