"""Files of tensors by name, in the form that the safetensors library writes and reads."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.core import dtypes
from guardlift.serialization.errors import FileFormatError, UnsavableError
from guardlift.utils.safetensors import load, load_file, save, save_file

# What safetensors 0.8.0 writes for b = float32 [[1, 2]], a = int64 [3], h = float16 1.5, with metadata.
GIVEN = (
    b'\xc8\x00\x00\x00\x00\x00\x00\x00{"__metadata__":{"format":"np"},"a":{"dtype":"I64","shape":[1],'
    b'"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1,2],"data_offsets":[8,16]},"h":{"dtype":"F16","shape":[],'
    b'"data_offsets":[16,18]}}     \x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80?\x00\x00\x00@\x00>'
)


def every_dtype() -> dict[str, Any]:
    rng, found = np.random.default_rng(0), {}
    for dtype in (*dtypes.ALL, *dtypes.NARROW, dtypes.complex64):
        noise = rng.integers(0, 256, 6 * dtype.itemsize, np.uint8)
        noise = noise % 2 if dtype.is_bool else noise
        found[str(dtype)] = gl.Tensor._wrap(noise.view(dtype.numpy).reshape(2, 3))
    return found | {"empty": gl.zeros(0, 3), "one": gl.tensor(2.5), "columns": gl.randn(3, 2).t().clone().t()}


def test_tensors_of_every_dtype_keep_their_bits(tmp_path: Path) -> None:
    wanted = every_dtype()
    save_file(wanted, tmp_path / "w.safetensors", {"step": "3"})
    for found in (load_file(tmp_path / "w.safetensors"), load(save(wanted))):
        assert found.keys() == wanted.keys()
        for name, each in found.items():
            assert each.dtype is wanted[name].dtype and each.shape == wanted[name].shape
            assert each._array.tobytes() == wanted[name]._array.tobytes()
            each.copy_(each)  # it can be written
    assert [each.name for each in tmp_path.iterdir()] == ["w.safetensors"]


def test_the_form_is_that_of_the_library() -> None:
    tensors = {"b": gl.tensor([[1.0, 2.0]]), "a": gl.tensor([3]), "h": gl.tensor(1.5, dtype=gl.float16)}
    assert save(tensors, {"format": "np"}) == GIVEN
    assert {name: each.tolist() for name, each in load(GIVEN).items()} == {"a": [3], "b": [[1, 2]], "h": 1.5}


def test_the_library_reads_and_writes_the_same() -> None:
    library = pytest.importorskip("safetensors.numpy")
    wanted = {
        name: each for name, each in every_dtype().items() if not each.dtype.is_narrow or each.dtype is gl.float16
    }
    for name, each in library.load(save(wanted)).items():
        assert each.tobytes() == wanted[name]._array.tobytes() and each.shape == wanted[name].shape
    for name, each in load(library.save({name: each.numpy().copy() for name, each in wanted.items()})).items():
        assert each._array.tobytes() == wanted[name]._array.tobytes()


def test_state_dicts_go_through() -> None:
    model, other = gl.nn.Linear(3, 2), gl.nn.Linear(3, 2)
    other.load_state_dict(load(save(model.state_dict())))
    assert gl.equal(model.weight, other.weight) and gl.equal(model.bias, other.bias)


def test_what_the_form_cannot_say_is_refused(tmp_path: Path) -> None:
    x = gl.ones(4)
    for tensors, said in (
        ({"a": x, "b": x[1:]}, "'a' and 'b' share memory.*clone"),
        ({"a": 3}, "'a' is int, and .safetensors files hold dense tensors alone"),
        ({"a": x.to_sparse()}, "'a' is SparseTensor"),
        ({1: x}, "tensors are named by strings"),
        ({"__metadata__": x}, "tensors are named by strings other than"),
    ):
        with pytest.raises(UnsavableError, match=said):
            save_file(tensors, tmp_path / "w")  # type: ignore[arg-type]
    with pytest.raises(UnsavableError, match="metadata is made of strings, got 'step': 3"):
        save_file({"a": x}, tmp_path / "w", {"step": 3})  # type: ignore[dict-item]
    assert list(tmp_path.iterdir()) == []


def file_of(header: Any, elements: bytes = b"\0" * 8) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + elements


A = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"1234567", b"\xff" * 8, b"\xff" * 100, file_of(b"{"), file_of([]), file_of({"a": 1})),
        file_of({"a": A | {"dtype": "F31"}}),
        file_of({"a": A | {"shape": [3]}}),
        file_of({"a": A | {"shape": [-2]}}),
        file_of({"a": A | {"shape": ["2"]}}),
        file_of({"a": A | {"data_offsets": [0, 9]}}),
        file_of({"a": A | {"data_offsets": [-8, 0]}}),
        file_of({"a": A | {"data_offsets": [8, 16]}}),
        file_of({"a": A}, b"\0" * 7),
        file_of({"a": A}, b"\0" * 9),
        file_of({"a": A, "b": A}),
        file_of(b'{"a":%s,"a":%s}' % (json.dumps(A).encode(), json.dumps(A).encode())),
        file_of(b"[" * 100_000),
    ],
)
def test_files_that_are_damaged_are_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "w").write_bytes(data)
    for run in (lambda: load(data), lambda: load_file(tmp_path / "w")):
        with pytest.raises(FileFormatError, match="damaged, or no .safetensors file"):
            run()


def test_no_cut_and_no_change_of_the_header_leads_to_another_error() -> None:
    whole, rng = save(every_dtype()), random.Random(0)
    for length in range(0, len(whole), 11):
        with pytest.raises(FileFormatError):
            load(whole[:length])
    for _ in range(500):
        changed = bytearray(whole)
        changed[rng.randrange(400)] ^= 1 << rng.randrange(8)
        try:
            load(bytes(changed))
        except FileFormatError:
            pass


def test_gl_load_says_who_reads_such_files() -> None:
    with pytest.raises(FileFormatError, match="gl.utils.safetensors.load_file"):
        gl.load(io.BytesIO(save({"a": gl.ones(2)})))
