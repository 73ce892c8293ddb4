import ctypes

import numpy as np
import pytest

from guardlift.backend.cpu.compiler.kernels import get_kernel
from guardlift.backend.cpu.matmul.blas import gemm
from guardlift.backend.cpu.plan import table_layout
from guardlift.backend.cpu.plan.plan import (
    ArrayInput,
    FloatInput,
    FreshOutput,
    GemmOperand,
    GemmStep,
    KernelStep,
    LaunchPlan,
    build,
)
from guardlift.core.errors import KernelError

F4, F8 = np.dtype(np.float32), np.dtype(np.float64)


def array_input(array, writeable=False):
    return ArrayInput(array.dtype, array.shape, array.strides, writeable)


def test_steps_run_in_order_with_their_sizes_and_extent(python_kernel):
    seen = []
    record = lambda name: python_kernel(
        lambda addresses, sizes, start, stop: seen.append((name, sizes[0], sizes[1], start, stop)) or 0
    )
    steps = (KernelStep(record("a"), (), (5, -6), 7), KernelStep(record("b"), (), (1 << 60, 0), 0))
    assert build(LaunchPlan(steps=steps))() is None
    assert seen == [("a", 5, -6, 0, 7), ("b", 1 << 60, 0, 0, 0)]


def test_offsets_are_bytes_from_the_first_element(double):
    x = np.arange(10, dtype=F4)[::-1]
    plan = LaunchPlan(
        (array_input(x),), (FreshOutput(F4, (4,), (4,)),), steps=(KernelStep(double, ((0, -36), (1, 4)), (), 3),)
    )
    assert build(plan)(x)[1:].tolist() == [0, 2, 4]


@pytest.mark.parametrize("slot", [(0, 44), (0, -4), (1, 20), (2, 0), (-1, 0)])
def test_an_operand_outside_its_slot_is_refused_when_building(double, slot):
    plan = LaunchPlan(
        (ArrayInput(F4, (10,), (4,)),),
        (FreshOutput(F4, (4,), (4,)),),
        steps=(KernelStep(double, (slot, (1, 0)), (), 1),),
    )
    with pytest.raises(KernelError, match="contradicts itself"):
        build(plan)


@pytest.mark.parametrize("arena", [256, 4096, 1 << 16])
def test_temporaries_live_in_the_arena_of_the_call(double, arena):
    half = arena // 2
    x = np.arange(half // 4, dtype=F4)
    steps = (
        KernelStep(double, ((0, 0), (2, 0)), (), x.size),
        KernelStep(double, ((2, 0), (3, 0)), (), x.size),
        KernelStep(double, ((3, 0), (1, 0)), (), x.size),
    )
    plan = LaunchPlan(
        (array_input(x),), (FreshOutput(F4, x.shape, (4,)),), ((0, half), (half, half)), arena, steps=steps
    )
    function = build(plan)
    for _ in range(3):
        assert np.array_equal(function(x), x * 8)


@pytest.mark.parametrize("nbytes", [64, 4096, 1 << 16])
def test_the_arena_is_aligned_to_a_cache_line(python_kernel, nbytes):
    seen = []
    kernel = python_kernel(lambda addresses, sizes, start, stop: seen.append(addresses[0]) or 0)
    build(LaunchPlan((FloatInput(),), (), ((0, nbytes),), nbytes, steps=(KernelStep(kernel, ((1, 0),), (), 1),)))(1.0)
    assert seen[0] % 64 == 0


def test_constants_are_read_from_their_own_memory_and_kept_alive(double):
    constant = np.arange(4, dtype=F4)
    plan = LaunchPlan(
        (), (FreshOutput(F4, (4,), (4,)),), constants=(constant,), steps=(KernelStep(double, ((1, 0), (0, 0)), (), 4),)
    )
    function = build(plan)
    del plan
    assert function().tolist() == [0, 2, 4, 6]
    constant[:] = 7
    assert function().tolist() == [14] * 4
    del constant
    assert function().tolist() == [14] * 4


def test_a_side_exit_drops_the_outputs_and_skips_later_steps(python_kernel):
    seen = []
    status = [0]
    steps = tuple(
        KernelStep(python_kernel(kernel), (), (), 1)
        for kernel in (lambda *_: seen.append("first") or status[0], lambda *_: seen.append("second") or 0)
    )
    function = build(LaunchPlan((), (FreshOutput(F4, (4,), (4,)), FreshOutput(F4, (2,), (4,))), steps=steps))
    assert len(function()) == 2
    status[0] = 3
    assert function() is Ellipsis
    status[0] = -1
    assert function() is Ellipsis
    assert seen == ["first", "second", "first", "first"]


def test_a_raise_in_kernel_text_is_a_side_exit():
    kernel = get_kernel(
        "def kernel(addresses, sizes, start, stop):\n"
        "    if pointer_f64(addresses[0])[0] < float64(0.0):\n"
        "        raise ValueError('negative')\n"
        "    return 0\n"
    )
    function = build(LaunchPlan((FloatInput(),), steps=(KernelStep(kernel, ((0, 0),), (), 1),)))
    assert function(1.0) is None
    assert function(-1.0) is Ellipsis


def test_many_slots_fit_a_frame_larger_than_the_stack_one(python_kernel):
    seen = []
    count = 1000

    def read(addresses, sizes, start, stop):
        seen.append([ctypes.c_double.from_address(addresses[k]).value for k in range(count)])
        return 0

    steps = (KernelStep(python_kernel(read), tuple((k, 0) for k in range(count)), (), 1),)
    function = build(LaunchPlan((FloatInput(),) * count, steps=steps))
    assert int(function.__self__[table_layout.FRAME_BYTES]) > table_layout.STACK_FRAME_BYTES
    assert function(*map(float, range(count))) is None
    assert seen == [list(map(float, range(count)))]


# -- products ----------------------------------------------------------------------------------------------------------
needs_blas = pytest.mark.skipif(gemm(F8) is None, reason="NumPy has no BLAS here")


def stored(array, transposed):
    """(array in memory, the matrix it stands for)"""
    return (np.ascontiguousarray(array.swapaxes(-1, -2)), array) if transposed else (array, array)


@needs_blas
@pytest.mark.parametrize("dtype", [F4, F8], ids=str)
@pytest.mark.parametrize("left_transposed", [False, True])
@pytest.mark.parametrize("right_transposed", [False, True])
@pytest.mark.parametrize("sizes", [(3, 4, 5), (1, 7, 2), (33, 17, 64), (2, 3, 1)], ids=str)
def test_a_product_is_numpys(dtype, left_transposed, right_transposed, sizes):
    m, n, k = sizes
    random = np.random.default_rng(0)
    a_stored, a = stored(random.random((m, k)).astype(dtype), left_transposed)
    b_stored, b = stored(random.random((k, n)).astype(dtype), right_transposed)
    step = GemmStep(
        dtype,
        m,
        n,
        k,
        GemmOperand(0, a_stored.shape[1], transposed=left_transposed),
        GemmOperand(1, b_stored.shape[1], transposed=right_transposed),
        GemmOperand(2, n),
    )
    outputs = (FreshOutput(dtype, (m, n), (n * dtype.itemsize, dtype.itemsize)),)
    made = build(LaunchPlan((array_input(a_stored), array_input(b_stored)), outputs, steps=(step,)))(a_stored, b_stored)
    np.testing.assert_allclose(made, a @ b, rtol=1e-5 if dtype == F4 else 1e-13)


@needs_blas
def test_a_batch_of_products_steps_through_memory_and_may_share_an_operand():
    random = np.random.default_rng(1)
    a, b = random.random((5, 3, 4)), random.random((4, 2))
    step = GemmStep(
        F8, 3, 2, 4, GemmOperand(0, 4, batch_stride=96), GemmOperand(1, 2), GemmOperand(2, 2, batch_stride=48), batch=5
    )
    made = build(
        LaunchPlan((array_input(a), array_input(b)), (FreshOutput(F8, (5, 3, 2), (48, 16, 8)),), steps=(step,))
    )(a, b)
    np.testing.assert_allclose(made, a @ b, rtol=1e-13)


@needs_blas
def test_a_product_of_parts_of_larger_matrices():
    random = np.random.default_rng(2)
    a, b = random.random((6, 10)), random.random((8, 9))
    step = GemmStep(F8, 4, 5, 3, GemmOperand(0, 10, offset=8 * 12), GemmOperand(1, 9, offset=8 * 2), GemmOperand(2, 5))
    made = build(LaunchPlan((array_input(a), array_input(b)), (FreshOutput(F8, (4, 5), (40, 8)),), steps=(step,)))(a, b)
    np.testing.assert_allclose(made, a[1:5, 2:5] @ b[:3, 2:7], rtol=1e-13)


@needs_blas
@pytest.mark.parametrize("sizes", [(0, 3, 4), (3, 0, 4), (3, 4, 0)], ids=str)
def test_a_product_without_elements_is_zeros(sizes):
    m, n, k = sizes
    a, b = np.ones((m, k)), np.ones((k, n))
    step = GemmStep(F8, m, n, k, GemmOperand(0, k), GemmOperand(1, n), GemmOperand(2, n))
    plan = LaunchPlan((array_input(a), array_input(b)), (FreshOutput(F8, (m, n), (n * 8, 8)),), steps=(step,))
    for _ in range(20):  # memory that NumPy hands out again would show what was in it
        made = build(plan)(a, b)
        assert np.array_equal(made, a @ b)
        made[...] = np.nan


@needs_blas
@pytest.mark.parametrize(
    "changes",
    [
        {"a": GemmOperand(0, 3)},
        {"m": 5},
        {"batch": 2},
        {"c": GemmOperand(2, 2, transposed=True)},
        {"dtype": np.dtype("f2")},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_product_outside_its_memory_is_refused_when_building(changes):
    fields = {
        "dtype": F8,
        "m": 3,
        "n": 2,
        "k": 4,
        "a": GemmOperand(0, 4),
        "b": GemmOperand(1, 2),
        "c": GemmOperand(2, 2),
    }
    fields |= {"a": GemmOperand(0, 4, batch_stride=96)} if "batch" in changes else {}
    inputs = (ArrayInput(F8, (3, 4), (32, 8)), ArrayInput(F8, (4, 2), (16, 8)))
    with pytest.raises(KernelError, match="contradicts itself"):
        build(LaunchPlan(inputs, (FreshOutput(F8, (3, 2), (16, 8)),), steps=(GemmStep(**(fields | changes)),)))


@needs_blas
def test_blas_is_found_in_numpy_itself():
    assert gemm(F8).symbol.endswith(("dgemm64_", "dgemm"))
    assert gemm(F4).address != gemm(F8).address
    assert gemm(np.dtype(np.int32)) is None


# -- text --------------------------------------------------------------------------------------------------------------
def test_the_plan_as_text(python_kernel):
    kernel = python_kernel(lambda *_: 0)
    plan = LaunchPlan(
        inputs=(ArrayInput(F4, (3, 4), (16, 4), writeable=True), ArrayInput(F4, (4, 2), (8, 4)), FloatInput()),
        outputs=(FreshOutput(F4, (3, 2), (8, 4)),),
        temporaries=((0, 24),),
        arena_nbytes=64,
        constants=(np.zeros(2, F4),),
        steps=(
            GemmStep(F4, 3, 2, 4, GemmOperand(0, 4), GemmOperand(1, 2), GemmOperand(4, 2)),
            KernelStep(kernel, ((4, 0), (5, 4), (2, 0), (3, 0)), (2,), 6),
        ),
        disjoint=((0, 1),),
        release_gil=True,
        check_errstate=True,
    )
    assert plan.describe() == (
        "inputs:\n"
        "  %0 float32[3, 4] strides [16, 4] writeable\n"
        "  %1 float32[4, 2] strides [8, 4]\n"
        "  %2 float\n"
        "outputs:\n"
        "  %3 fresh float32[3, 2] strides [8, 4]\n"
        "temporaries:\n"
        "  %4 arena bytes 0..24\n"
        "constants:\n"
        "  %5 float32[2] strides [4]\n"
        "disjoint: %0 %1\n"
        "steps:\n"
        "  gemm float32 m=3 n=2 k=4: %4(ld 2) = %0(ld 4) @ %1(ld 2)\n"
        "  python_kernel %4 %5+4 %2 %3 sizes [2] over 6\n"
        "returns the output (arena 64 bytes, releases the GIL, checks the error state)\n"
    )
