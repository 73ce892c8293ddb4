"""Eager operations on tensors of a GPU: kernels, with the CPU's results. `test_simulated.py` runs this file."""

import numpy as np
import pytest
from backend.graph_cases import strided

import guardlift as gl
from guardlift import nn
from guardlift.core import dtypes
from guardlift.ops import OPS
from guardlift.ops.call_outs import CALL_OUT
from guardlift.ops.registry import Creation, Structural
from guardlift.tensor.dispatch import apply
from guardlift.tensor.tensor import Tensor

BY_HOST: set[str] = set()
NAMES = [
    name
    for name, op in OPS.items()
    if name not in {"complex", "real", "imag", "to_device"} and not isinstance(op.lower, (Creation, Structural)) and op is not CALL_OUT
]


@pytest.mark.parametrize("name", NAMES)
def test_every_sample_of_an_op_has_the_cpus_result_by_a_kernel(name):
    op = OPS[name]
    for k, sample in enumerate(op.samples()):
        arrays = [strided(array, k % 4) for array in sample.args]
        here = [Tensor._wrap(each) for each in arrays]
        attrs = dict(sample.attrs)
        expected = apply(op, *here, **attrs)
        there = [each.to("cuda") for each in here]
        before = gl.cuda.host_computations()
        found = apply(op, *there, **attrs)
        by_host = {n for n, c in gl.cuda.host_computations().items() if c != before.get(n, 0)}
        if by_host:
            print("HOST", name, k, [a.dtype for a in arrays], attrs, by_host)
        assert (found.shape, found.dtype, found.device.type) == (expected.shape, expected.dtype, "cuda")
        if found.stride() != expected.stride(): print("STRIDE", name, k, found.stride(), expected.stride(), [a.strides for a in arrays])
        one, other = expected.numpy(), found.cpu().numpy()
        np.testing.assert_allclose(other.astype("f8"), one.astype("f8"), rtol=1e-5, atol=1e-5)
