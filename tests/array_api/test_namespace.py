"""`gl.xp` itself: how it is reached, what it says of itself, dtypes, copies, gradients, messages."""

from __future__ import annotations

import subprocess
import sys
from itertools import product

import numpy as np
import pytest

import guardlift as gl

xp = gl.xp


def test_a_tensor_gives_it_and_importing_guardlift_does_not_load_it() -> None:
    x = gl.tensor([1.0, 2.0])
    assert x.__array_namespace__() is xp is sys.modules["guardlift.array_api"]
    for version in ("2021.12", "2023.12", "2025.12", None):
        assert x.__array_namespace__(api_version=version) is xp
    with pytest.raises(ValueError, match="the array API standard '2030.12' is not served; versions are 2021.12"):
        x.__array_namespace__(api_version="2030.12")
    assert x.to_device("cpu") is x and x.to_device(x.device, stream=None) is x
    with pytest.raises(ValueError, match="takes no stream"):
        x.to_device("cpu", stream=1)
    program = "import sys, guardlift as gl; gl.tensor([1.0]); print('guardlift.array_api' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "False\n"


def test_what_it_says_of_itself() -> None:
    info = xp.__array_namespace_info__()
    assert info.capabilities() == {
        "boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64,
    }  # fmt: skip
    assert info.default_dtypes() == {
        "real floating": xp.float32, "complex floating": xp.complex64, "integral": xp.int64, "indexing": xp.int64,
    }  # fmt: skip
    assert info.default_device() == "cpu" and info.devices()[0] == "cpu"
    assert info.dtypes()["bool"] is xp.bool and len(info.dtypes()) == 13
    assert set(info.dtypes(kind="real floating")) == {"float32", "float64"}
    assert set(info.dtypes(kind=("bool", "signed integer"))) == {"bool", "int8", "int16", "int32", "int64"}
    assert set(info.dtypes(kind="complex floating")) == {"complex64", "complex128"}
    with pytest.raises(ValueError, match="'floats' is no kind of dtypes; the kinds are 'bool'"):
        info.dtypes(kind="floats")
    gl.set_default_dtype(gl.float64)
    try:
        assert info.default_dtypes()["real floating"] is xp.float64 is xp.ones(2).dtype is xp.asarray(1.5).dtype
    finally:
        gl.set_default_dtype(gl.float32)


def test_dtypes_promote_within_a_kind_whatever_the_ranks_of_the_arrays() -> None:
    floats, integers = (xp.float32, xp.float64), (xp.int8, xp.int16, xp.int32, xp.int64, xp.uint8, xp.uint16, xp.uint32)
    for left, right in (*product(floats, floats), *product(integers, integers)):
        wanted = np.promote_types(left.numpy, right.numpy)
        if wanted.kind == "f" and left.kind != "f":
            continue  # uint64 beside a signed dtype
        assert xp.result_type(left, right).numpy == wanted
        for shapes in (((), (2,)), ((2,), ()), ((), ())):
            one, two = xp.ones(shapes[0], dtype=left), xp.ones(shapes[1], dtype=right)
            assert xp.add(one, two).dtype.numpy == wanted
            assert xp.concat([xp.reshape(one, (-1,)), xp.reshape(two, (-1,))]).dtype.numpy == wanted
    for left, right in (*product(floats, integers), (xp.int8, xp.uint64), (xp.bool, xp.int8), (xp.bool, xp.float32)):
        with pytest.raises(TypeError, match="have no dtype in common in the standard; convert one with xp.astype"):
            xp.add(xp.ones(2, dtype=left), xp.ones(2, dtype=right)) if left is not xp.bool else xp.result_type(
                left, right
            )
    assert xp.add(xp.ones(2), gl.tensor(2.0, dtype=gl.float64)).dtype is xp.float64
    assert (xp.ones(2) + gl.tensor(2.0, dtype=gl.float64)).dtype is xp.float32  # the operator is PyTorch's


def test_what_shares_memory_and_what_is_a_copy() -> None:
    x, array = xp.asarray([[1.0, 2.0], [3.0, 4.0]]), np.arange(3.0)
    assert xp.asarray(x) is x and xp.asarray(x, copy=False) is x and xp.astype(x, xp.float32, copy=False) is x
    for copy in (xp.asarray(x, copy=True), xp.astype(x, xp.float32), xp.positive(x), xp.floor(xp.astype(x, xp.int64))):
        copy[...] = 9
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    shared = xp.asarray(array, copy=False)
    shared[0] = 7.0
    assert array[0] == 7.0
    with pytest.raises(ValueError, match="becomes a tensor in that dtype and on that device only as a copy"):
        xp.asarray(array, dtype=xp.float32, copy=False)
    assert xp.reshape(x, (4,), copy=False)._storage is x._storage
    assert xp.reshape(x, (4,), copy=True)._storage is not x._storage
    with pytest.raises(ValueError, match="only as a copy"):
        xp.reshape(xp.matrix_transpose(x), (4,), copy=False)


def test_gradients_go_through_it() -> None:
    x = gl.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
    xp.sum(xp.multiply(xp.exp(x), xp.clip(x, 1.5, 4.0)) + xp.cumulative_sum(x, axis=0)).backward()
    values = x.detach().numpy()
    inside = (values >= 1.5) & (values <= 4.0)
    wanted = np.exp(values) * (np.clip(values, 1.5, 4.0) + inside) + [[2.0], [1.0]]
    assert np.allclose(x.grad.numpy(), wanted, rtol=1e-6)


def test_isin_inverts_and_numbers_are_checked() -> None:
    i = xp.asarray([1, 2, 3])
    assert xp.isin(i, xp.asarray([3, 4]), invert=True).tolist() == [True, True, False]
    assert xp.isin(2, i).tolist() is True
    messages = {
        "xp.add(1, 2)": "one of both operands must be a Tensor, got two Python numbers",
        "xp.add(i, 1.5)": "a Python float does not go with an array of int64; convert one of them",
        "xp.add(xp.ones(2, dtype=xp.int8), 300)": "the Python int 300 is out of bounds for int8",
        "xp.exp(i)": "takes arrays of a floating-point dtype, got int64; convert it with xp.astype",
        "xp.exp([1.0])": "the argument 'x' must be a Tensor, got list; make one with xp.asarray",
        "xp.cumulative_sum(xp.ones((2, 2)))": "which axis is meant must be said of an array with 2 axes",
        "xp.meshgrid(xp.ones((2, 2)))": "takes vectors, got an array of shape",
        "xp.linalg.cross(i, i, axis=0)": "the axis is counted from the back",
        "xp.fft.fftshift(i)": "takes arrays of a floating-point dtype",
    }
    for text, message in messages.items():
        with pytest.raises((TypeError, ValueError, OverflowError)) as caught:
            eval(text, {"xp": xp, "i": i})
        assert message in str(caught.value), text
