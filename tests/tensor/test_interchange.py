"""NumPy's functions on tensors, DLPack, pickle, copies, and plain Python values."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.tensor.numpy_protocols import from_dlpack


def test_a_ufunc_that_names_an_operation_gives_a_recorded_tensor() -> None:
    x = gl.tensor([1.0, 2.0], requires_grad=True)
    array = np.float32([3.0, 4.0])
    for result in (np.exp(x), array * x, np.add(array, x), x - array, np.matmul(x, array), array**x, 2 / x):
        assert isinstance(result, gl.Tensor) and result.requires_grad
    assert (array - x).tolist() == [2.0, 2.0]
    assert (array > x).tolist() == [True, True]


def test_everything_else_of_numpy_works_on_the_elements() -> None:
    x = gl.tensor([[1.0, 2.0], [3.0, 4.0]])
    for result in (
        np.hypot(x, x),
        np.concatenate([x, x]),
        np.add.reduce(x),
        np.stack((x, x)),
        np.mean(x),
        np.where(x > 1, x, 0),
    ):
        assert not isinstance(result, gl.Tensor)
    out = np.zeros((2, 2))
    assert np.multiply(x, x, out=out) is out and out.tolist() == [[1.0, 4.0], [9.0, 16.0]]
    np.testing.assert_allclose(x, [[1, 2], [3, 4]])
    with pytest.raises(TypeError):
        np.hypot(x, x, out=x)


def test_numpy_does_not_get_at_a_tensor_whose_history_it_would_lose() -> None:
    x = gl.tensor([1.0, 2.0], requires_grad=True)
    for use in (lambda: np.hypot(x, x), lambda: np.concatenate([x]), lambda: np.asarray(x), lambda: x.numpy()):
        with pytest.raises(RuntimeError, match=r"Can't call numpy\(\) on Tensor that requires grad"):
            use()
    assert x.numpy(force=True).tolist() == [1.0, 2.0]


def test_an_array_of_a_tensor_shares_its_memory_unless_a_copy_is_asked_for() -> None:
    x = gl.tensor([1.0, 2.0])
    assert np.asarray(x) is x.numpy() or np.shares_memory(np.asarray(x), x.numpy())
    assert not np.shares_memory(np.array(x), x.numpy())
    assert np.asarray(x, np.float64).dtype == np.float64
    with pytest.raises(ValueError, match="only as a copy"):
        np.asarray(x, np.float64, copy=False)


def test_dlpack_shares_memory_both_ways() -> None:
    x = gl.tensor([1.0, 2.0])
    array = np.from_dlpack(x)
    assert np.shares_memory(array, x.numpy())
    assert x.__dlpack_device__() == (1, 0)
    back = from_dlpack(np.arange(3.0))
    assert isinstance(back, gl.Tensor) and back.tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(BufferError, match="detach"):
        np.from_dlpack(gl.ones(1, requires_grad=True))


@pytest.mark.parametrize("how", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_a_twin_has_the_elements_the_flag_and_memory_of_its_own(how: Any) -> None:
    for x in (
        gl.tensor([[1.0, 2.0]], requires_grad=True),
        gl.arange(6).reshape(2, 3).t(),
        gl.tensor(2.5),
        gl.zeros(0, 2),
    ):
        twin = how(x)
        assert type(twin) is gl.Tensor
        assert (twin.tolist(), twin.dtype, twin.requires_grad) == (x.tolist(), x.dtype, x.requires_grad)
        assert twin.stride() == x.stride() or not x.numel()
        assert not np.shares_memory(twin.detach().numpy(), x.detach().numpy())


@pytest.mark.parametrize("how", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_tensors_that_share_memory_do_so_afterwards(how: Any) -> None:
    base = gl.arange(6.0).reshape(2, 3)
    one, two, same = how([base, base[1], base])
    assert one is same
    two.fill_(9)
    assert one.tolist() == [[0.0, 1.0, 2.0], [9.0, 9.0, 9.0]]
    assert base.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


OTHER_DTYPES: dict[str, Any] = {
    "real": (gl.complex64, lambda x: x.real),
    "imag, from the second on": (gl.complex128, lambda x: x.imag[1:]),
    "pairs": (gl.complex64, gl.view_as_real),
    "pairs as complex numbers": (gl.float32, lambda x: gl.view_as_complex(x.view(2, 2))),
    "bits": (gl.float32, lambda x: x.view(gl.int32)),
    "bits of bfloat16": (gl.bfloat16, lambda x: x.view(gl.int16)),
    "bits as bfloat16": (gl.int16, lambda x: x.view(gl.bfloat16)),
}
"""A dtype, and a view of a tensor of four elements as another one."""


@pytest.mark.parametrize("name", OTHER_DTYPES)
def test_views_of_another_dtype_share_memory_in_copies_and_are_written_through_expanded_ones(name: str) -> None:
    dtype, view = OTHER_DTYPES[name]
    for how in (
        copy.deepcopy,
        lambda pair: pickle.loads(pickle.dumps(pair)),
        lambda pair: pickle.loads(pickle.dumps(pair, 5)),
    ):
        x = gl.arange(4).to(dtype)
        seen = view(x)
        other, also = how((x, seen))
        assert (also.dtype, also.stride(), also.tolist()) == (seen.dtype, seen.stride(), seen.tolist())
        seen.fill_(7)
        also.fill_(7)
        assert other.dtype is dtype and other.tolist() == x.tolist()
        also.unsqueeze(0).expand(2, *also.shape)[1].fill_(9)  # NumPy allows no write to what is expanded
        seen.fill_(9)
        assert other.tolist() == x.tolist()


def test_deepcopy_takes_the_gradient_along_and_refuses_what_was_computed() -> None:
    p = gl.nn.Parameter(gl.ones(2))
    p.note = ["mine"]
    (p * 3).sum().backward()
    twin = copy.deepcopy(p)
    assert type(twin) is gl.nn.Parameter and twin.note == ["mine"] and twin.note is not p.note
    assert twin.grad.tolist() == [3.0, 3.0] and twin.grad is not p.grad
    with pytest.raises(RuntimeError, match="graph leaves"):
        copy.deepcopy(p * 2)
    assert pickle.loads(pickle.dumps(p)).note == ["mine"]


@pytest.mark.parametrize("dtype", [gl.float32, gl.int64, gl.float16, gl.bfloat16, gl.float8_e5m2])
def test_out_of_band_pickling_copies_no_elements(dtype: gl.dtype) -> None:
    x = gl.arange(1000).to(dtype)
    whole = {"x": x, "row": x.reshape(10, 100)[3, ::2], "p": gl.nn.Parameter(gl.ones(500))}
    buffers: list[Any] = []
    data = pickle.dumps(whole, protocol=5, buffer_callback=buffers.append)
    assert len(data) < 1000 and len(buffers) == 2
    found = pickle.loads(data, buffers=buffers)
    for name, each in found.items():
        assert type(each) is type(whole[name]) and each.dtype is whole[name].dtype
        assert each.requires_grad == whole[name].requires_grad and each.tolist() == whole[name].tolist()
        assert each.data_ptr() == whole[name].data_ptr()
    own = pickle.loads(data, buffers=[bytearray(each.raw()) for each in buffers])
    own["x"][300] = own["x"][0]
    assert own["row"].tolist()[0] == x.tolist()[0] != x.tolist()[300]
    fixed = pickle.loads(data, buffers=[bytes(each.raw()) for each in buffers])["x"]
    with pytest.raises(RuntimeError, match="read-only"):
        fixed.zero_()
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(x, protocol)).tolist() == x.tolist()


def test_tensors_are_hashed_by_identity() -> None:
    x, y = gl.ones(2), gl.ones(2)
    assert len({x: 1, y: 2}) == 2
    assert hash(x) == hash(x)


def test_a_parameter_is_a_leaf_over_the_memory_it_was_given() -> None:
    x = gl.ones(2)
    p = gl.nn.Parameter(x)
    assert p.requires_grad and p.is_leaf and isinstance(p, gl.Tensor)
    assert p._storage is x._storage
    assert repr(p) == "Parameter containing:\ntensor([1., 1.], requires_grad=True)"
    assert not gl.nn.Parameter(x, requires_grad=False).requires_grad
    with pytest.raises(AttributeError):
        x.note = 1
    assert type(p * 2) is gl.Tensor


def test_the_default_dtype_decides_for_python_floats() -> None:
    try:
        gl.set_default_dtype(gl.float64)
        assert gl.tensor(1.5).dtype is gl.zeros(1).dtype is (gl.tensor(1) / 2).dtype is gl.float64
        assert repr(gl.tensor([1.5], dtype=gl.float32)) == "tensor([1.5000], dtype=gl.float32)"
    finally:
        gl.set_default_dtype(gl.float32)
    with pytest.raises(TypeError, match="only floating-point types"):
        gl.set_default_dtype(gl.int64)


def test_a_device_that_is_not_there_is_refused() -> None:
    assert gl.ones(1, device="cpu").to("cpu").device == "cpu"
    with pytest.raises(RuntimeError, match="device type at start of device string: tpu"):
        gl.ones(1).to("tpu")


def test_a_number_of_numpys_counts_as_pythons() -> None:
    x = gl.tensor([1.0, 2.0])
    for number in (np.float64(2.0), np.float32(2.0), np.int64(2), np.float16(2)):
        assert (x * number).dtype is (number * x).dtype is gl.float32
        assert (x * number).tolist() == [2.0, 4.0]
    y = gl.tensor([1, 2])
    y[0] = np.int8(7)
    y[1:].fill_(np.float32(3.0))
    y += np.int16(1)
    assert y.tolist() == [8, 4]


def test_array_and_tensor_add_in_place_to_each_other() -> None:
    array, x = np.ones(2, np.float32), gl.ones(2)
    array += x
    x += array
    assert (type(array), array.tolist(), x.tolist()) == (np.ndarray, [2.0, 2.0], [3.0, 3.0])


def test_a_pickled_tensor_can_be_computed_with_in_a_process_that_imports_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "tensors").write_bytes(pickle.dumps((gl.tensor([1.0, 2.0]), gl.ones(2, requires_grad=True))))
    code = "import pickle; x, y = pickle.load(open('tensors', 'rb')); print(x[1].item(), (x * y).sum().requires_grad)"
    command = [sys.executable, "-P", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True)
    assert (done.stdout, done.stderr) == ("2.0 True\n", "")
