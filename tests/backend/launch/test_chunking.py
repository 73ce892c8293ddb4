"""Kernels that are cut into chunks, and that nobody can tell from the result."""

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.cpu.plan import plan as plans
from guardlift.backend.cpu.plan.parallel_split import ONE_THREAD, ROUND, ParallelSplit
from guardlift.backend.launch import chunking
from guardlift.backend.launch.chunking import COLUMNS, split_of
from guardlift.core import dtypes
from guardlift.frontend import state_of
from guardlift.loop_ir.ir import Access, ColumnReduction, Count, Kernel, Let, Load, Loop, Ordered, Store

X = Access(0, (("i0", 1),))
DOUBLE = (Let("a", dtypes.float64, Load(X)), Store(X, "a", dtypes.float64))


def kernel(*body):
    return Kernel((dtypes.float64,), 1, body)


ELEMENTS = kernel(Loop("i0", "", DOUBLE, parallel=True))
SUMS = kernel(ColumnReduction("c", "", (("j0", "s0"),), (), (), (), (), parallel=True))
ROWS = kernel(Loop("i0", "", (Loop("i1", "s0", DOUBLE),), parallel=True))


def test_small_kernels_are_left_whole():
    assert split_of(ELEMENTS, 100_000, 2 * chunking.CHUNK_WORK - 1) is ONE_THREAD
    assert split_of(ELEMENTS, 100_000, 2 * chunking.CHUNK_WORK).chunk > 0


def test_threads_that_sleep_are_woken_for_larger_kernels_alone():
    assert not split_of(ELEMENTS, 100_000, chunking.WAKING_WORK - 1).wakes
    assert split_of(ELEMENTS, 100_000, chunking.WAKING_WORK).wakes


@pytest.mark.parametrize(("function", "is_cut"), [(np.negative, False), (np.tanh, True)])
def test_work_counts_what_functions_cost(function, is_cut):
    jitted = gl.jit(lambda x: function(x))
    with gl.config.patch(artifact_cache=False):
        jitted(np.zeros(16384, np.float32))
    (step,) = state_of(jitted).entries[0].details["compiled"].plan.steps
    assert (step.parallel_split.chunk > 0) == is_cut


def test_a_chunk_of_elements_is_a_whole_number_of_rounds():
    for extent in (100_000, 123_457, 10**7 + 1):
        parallel_split = split_of(ELEMENTS, extent, 3.0 * extent * 10)
        assert parallel_split.chunk % ROUND == 0 and 0 < parallel_split.chunk < extent


def test_a_chunk_of_rows_may_be_a_single_one():
    assert split_of(ROWS, 3, 1e9).chunk == 1
    assert split_of(ROWS, 1, 1e9) is ONE_THREAD


def test_of_columns_each_thread_takes_as_many_as_it_can():
    assert split_of(SUMS, 3 * COLUMNS, 1e9) == ParallelSplit(COLUMNS, 1)
    assert split_of(SUMS, COLUMNS, 1e9) is ONE_THREAD


@pytest.mark.parametrize(
    "body",
    [
        (Ordered("i0", "s0", DOUBLE),),
        (Loop("i0", "s0", DOUBLE),),
        (Loop("i0", "", (Count("i1", "0", "s0", "1", DOUBLE),), parallel=True),),
    ],
)
def test_what_has_an_order_is_left_whole(body):
    assert split_of(kernel(*body), 100_000, 1e9) is ONE_THREAD


# -- results -----------------------------------------------------------------------------------------------------------
def in_place(x, y):
    x /= x[0]
    x[1:] = x[:-1] + y[1:]
    return x


FUNCTIONS = {
    "elements": lambda x, y: np.exp(np.sin(x)) / (x * x + 1.0) - np.tanh(y) ** 3,
    "halves": lambda x, y: (x.astype(np.float16) * 3 - y.astype(np.float16)).astype(np.float32),
    "bytes": lambda x, y: (x * 40).astype(np.int8) + (y * 40).astype(np.int8),
    "bools": lambda x, y: (x > y) & (y < 0.5),
    "two results": lambda x, y: (x + y, x - y),
    "backwards": lambda x, y: x[::-1] * y,
    "rows": lambda x, y: (x.reshape(-1, 7) * y.reshape(-1, 7)).sum(axis=1),
    "columns": lambda x, y: (x.reshape(7, -1) * y.reshape(7, -1)).sum(axis=0),
    "long rows": lambda x, y: np.log1p(x.reshape(7, -1) ** 2).max(axis=1),
    "softmax": lambda x, y: np.exp(x.reshape(7, -1)) / np.exp(x.reshape(7, -1)).sum(axis=1, keepdims=True),
    "transposed": lambda x, y: x.reshape(7, -1).T + y.reshape(-1, 7),
    "gathered": lambda x, y: x[(np.abs(y) * 1000).astype(np.int64) % x.size] + 1.0,
    "everything": lambda x, y: (x * y).sum(),
    "in place": in_place,
}


@pytest.fixture
def everything_is_shared_out(monkeypatch):
    """Steps that have been cut are counted."""
    found = []
    build = plans.build

    def counted(plan, *given, **more):
        found.extend(each for each in plan.steps if getattr(each, "parallel_split", ONE_THREAD).chunk)
        return build(plan, *given, **more)

    monkeypatch.setattr(chunking, "CHUNK_WORK", 1)
    monkeypatch.setattr(chunking, "COLUMNS", 256)
    monkeypatch.setattr(plans, "build", counted)
    return found


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_number_of_threads_changes_a_bit(name, everything_is_shared_out):
    rng = np.random.default_rng(1)
    x, y = (rng.standard_normal(7 * 1543).astype(np.float32) for _ in range(2))

    def results(threads):
        """The distinct results of some calls, in which helpers come sooner or later."""
        with gl.config.patch(num_threads=threads):
            found = [function(x.copy(), y.copy()) for _ in range(8)]
        return {b"".join(each.tobytes() for each in (made if isinstance(made, tuple) else (made,))) for made in found}

    with gl.config.patch(artifact_cache=False):
        function = gl.jit(FUNCTIONS[name])
        alone = results(1)
        assert len(alone) == 1
        assert [results(threads) for threads in (2, 3, 5)] == [alone] * 3
        assert everything_is_shared_out or name == "everything"
        made, expected = function(x.copy(), y.copy()), FUNCTIONS[name](x.copy(), y.copy())
    np.testing.assert_allclose(made, expected, rtol=2e-3 if name == "halves" else 1e-4, atol=1e-6)


def test_an_optimizer_over_many_parameters_does_the_same_on_any_number_of_threads(everything_is_shared_out):
    def trained(threads):
        gl.manual_seed(0)
        parameters = [gl.nn.Parameter(gl.randn(size)) for size in (3, 5000, 40, 1024, 9000)]
        optimizer = gl.optim.Adam(parameters, lr=0.1)
        for each in parameters:
            each.grad = gl.randn(each.shape[0])
        step = gl.jit(optimizer.step)
        with gl.config.patch(num_threads=threads, artifact_cache=False):
            for _ in range(4):
                step()
        return [each.detach().numpy().tobytes() for each in parameters]

    assert trained(1) == trained(2) == trained(5)
    assert any(isinstance(each, plans.ForeachStep) for each in everything_is_shared_out)


def test_an_index_beyond_the_end_is_numpys_error_on_any_number_of_threads(everything_is_shared_out):
    function = gl.jit(lambda x, index: x[index] * 2.0)
    x, index = np.arange(5000.0), np.arange(5000)
    with gl.config.patch(num_threads=3):
        assert (function(x, index) == x * 2.0).all()
        index[4321] = 5000
        with pytest.raises(IndexError, match="5000"):
            function(x, index)
    assert everything_is_shared_out
