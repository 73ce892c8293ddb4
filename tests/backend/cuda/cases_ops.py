"""Every sample of every op as CUDA kernels. `test_simulated.py` runs this file, with Numba's simulator on."""

import numpy as np
import pytest
from backend.cuda.cuda_runner import run_cuda
from backend.graph_cases import Program, check, layout_for, sample_graph, strided

from guardlift.backend.compile import compile_graph
from guardlift.backend.schedule import schedule
from guardlift.core import dtypes
from guardlift.core.errors import KernelError
from guardlift.graph.passes import run_passes
from guardlift.graph.passes.expand import expand_composites
from guardlift.ops import OPS, samples
from guardlift.ops.call_outs import CALL_OUT
from guardlift.ops.registry import Composite, Reduction

# Sums of many terms, where other orders of adding round otherwise, and composites whose terms cancel.
SUMS = {"sum", "matmul", "mean", "var", "layer_norm", "linear", "nll_loss", "softmax", "log_softmax"}
SUMS |= {"convolution", "convolution_input", "convolution_weight"}
LOOSE = {*SUMS, "gelu", "random_normal", *(name for name in OPS if name.startswith("attention"))}


@pytest.fixture(autouse=True)
def scheduled_as_on_a_device(monkeypatch):
    """The graphs of samples are the CPU's: there windows are multiplied where they lie, on devices they are copied."""
    monkeypatch.setattr(schedule, "realise_window_product", lambda schedule, node: False)


def without_minus_zero(array):
    """The zeros of one sign: which of the two is the larger, NumPy leaves to the processor. Kernels take plus zero."""
    return np.where(array == 0, np.zeros_like(array), array)


COMPLEX = {"complex", "real", "imag", "real_view", "imag_view", "view_as_real", "view_as_complex"}
NAMES = [name for name in OPS if name not in {"placeholder", *COMPLEX}]
ON_THE_HOST = "NumPy's own: it runs on the CPU only"


@pytest.mark.parametrize("name", NAMES)
def test_every_sample_of_an_op_has_its_result(name):
    op = OPS[name]
    exact = op.exact and not isinstance(op.lower, Composite)
    for k, sample in enumerate(op.samples()):
        graph = expand_composites(sample_graph(op, sample))
        if any(node.op.name == "loop" for node in graph.nodes):
            graph = run_passes(graph)  # which expands what its rounds are made of
        given = map(without_minus_zero, sample.args) if name in ("maximum", "minimum") else sample.args
        arrays = [strided(array, k % 4) for array in given]
        try:
            check(graph, arrays, run_cuda, exact=exact, absolute=absolute_of(name, arrays))
        except KernelError as refused:  # of a graph that breaks before it gets here
            assert ON_THE_HOST in str(refused) and any(node.op is CALL_OUT for node in graph.nodes)


def absolute_of(name, arrays):
    """The error that is allowed beside a few units in the last place."""
    if name == "prod" and arrays[0].dtype.kind == "f":  # each factor rounds, and another order otherwise
        largest = np.abs(np.prod(arrays[0].astype(np.longdouble), axis=0)).max()
        return float(len(arrays[0]) * np.finfo(arrays[0].dtype).eps * largest) if np.isfinite(largest) else 0.0
    return 1e-5 if name in LOOSE else 0.0


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
@pytest.mark.parametrize("shape", [(2, 40), (40, 2)], ids=["long rows", "long columns"])
def test_reductions_by_teams_of_threads(dtype, shape):
    values = samples.values(dtype, shape)
    if dtype.is_float:
        values = np.trunc(values) + 0.0  # no minus zero: which zero is the larger is not defined
        values[1, 1] = np.nan
    p = Program()
    x = p.input(shape, dtype)
    accepted = [op for op in OPS.values() if isinstance(op.lower, Reduction)]
    accepted = [op for op in accepted if dtype.is_bool == (op.name in ("any", "all"))]
    axis = int(np.argmax(shape))
    check(p.builder.finish([p.builder.add(op, x, axes=(axis,)) for op in accepted]), [values], run_cuda)


def test_a_sum_of_float32_is_as_good_as_numpys():
    values = np.random.default_rng(3).standard_normal((1, 4000)).astype(np.float32) * 1e4 + 1
    p = Program()
    x = p.input(values.shape, dtypes.float32)
    graph = p.builder.finish([p.sum(x, axes=(1,))])
    (found,) = run_cuda(compile_graph(graph, layout_for(graph, [values])), [values])
    exact = values.astype(np.float64).sum()
    assert abs(found[0] - exact) <= max(abs(values.sum() - exact), np.spacing(np.float32(exact)))
