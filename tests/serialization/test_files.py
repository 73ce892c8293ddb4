"""`gl.save` and `gl.load`: what goes in comes out, in value, type, identity and shared memory."""

from __future__ import annotations

import io
import json
import math
import os
import struct
import threading
import zipfile
from collections import Counter, OrderedDict, deque
from pathlib import Path
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest

import guardlift as gl
from guardlift.core import dtypes
from guardlift.serialization.errors import UnsavableError


def through_a_file(value: Any, **keywords: Any) -> Any:
    file = io.BytesIO()
    gl.save(value, file)
    file.seek(0)
    return gl.load(file, **keywords)


ATOMS = [
    *(None, True, False, 0, -1, 2**63 - 1, -(2**63), 2**63, -(2**200), 10**5000, 0.0, -0.0, 0.1, 1e22, 5e-324),
    *(math.inf, -math.inf, "", "ü\n\0", "\ud800", b"", b"\0\xff", bytearray(b"ab"), 1 + 2j, complex(math.inf, -0.0)),
    *(slice(1, None, 2), range(3), range(10, 0, -2), gl.float32, gl.bfloat16, gl.device("cuda", 0)),
]


@pytest.mark.parametrize("value", ATOMS, ids=range(len(ATOMS)))
def test_atoms_come_back_as_they_were(value: Any) -> None:
    found = through_a_file([value])[0]
    assert type(found) is type(value) and found == value
    if type(value) is float:
        assert struct.pack("d", found) == struct.pack("d", value)


def test_a_nan_keeps_its_bits() -> None:
    value = struct.unpack("<d", bytes.fromhex("010203040506f8ff"))[0]
    assert struct.pack("<d", through_a_file(value)).hex() == "010203040506f8ff"


@pytest.mark.parametrize(
    "value",
    [
        *([], [1, [2]], (), (1, (2,)), {}, {1: "a", "1": "b", (1, 2): 3, None: 4}, {3, 1}, frozenset("ab")),
        *(OrderedDict(b=1, a=2), Counter([1, 1, 2]), deque([1, 2], maxlen=2), deque([1])),
    ],
)
def test_containers_come_back_as_they_were(value: Any) -> None:
    found = through_a_file(value)
    assert type(found) is type(value) and found == value
    assert not isinstance(value, dict) or list(found.items()) == list(value.items())
    assert not isinstance(value, deque) or found.maxlen == value.maxlen


DTYPES = [*dtypes.ALL, *dtypes.NARROW]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3, 4)], ids=str)
def test_tensors_of_every_dtype_keep_their_bits(dtype: Any, shape: tuple[int, ...]) -> None:
    count = math.prod(shape)
    noise = np.random.default_rng(0).integers(0, 256, count * dtype.itemsize, np.uint8)
    noise = noise % 2 if dtype.is_bool else noise
    x = gl.Tensor._wrap(noise.view(dtype.numpy).reshape(shape))
    found = through_a_file(x)
    assert type(found) is gl.Tensor and found.dtype is dtype and found.shape == shape
    assert found._array.tobytes() == x._array.tobytes()
    assert not found.requires_grad and found.is_leaf


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6).reshape(2, 3),
        np.arange(6.0).reshape(2, 3).T,
        np.array(3, np.int8),
        np.zeros((0, 2), np.complex64),
        np.array(["a", "bc"]),
        np.array(["2020-01-01"], "datetime64[D]"),
        np.array([1, 2], ">i4"),
        np.array([1.5, 2.5], ml_dtypes.bfloat16),
    ],
)
def test_arrays_come_back_as_they_were(array: Any) -> None:
    found = through_a_file(array)
    assert type(found) is np.ndarray and found.dtype == array.dtype and found.shape == array.shape
    assert found.tobytes() == array.tobytes()
    found[...] = found  # it can be written


@pytest.mark.parametrize("value", [np.float32(0.1), np.float64(0.1), np.int64(-3), np.bool_(True), np.complex64(1j)])
def test_numbers_of_numpy_keep_their_type(value: Any) -> None:
    found = through_a_file(value)
    assert type(found) is type(value) and found == value


def test_parameters_keep_their_flags_and_attributes() -> None:
    weight, frozen = gl.nn.Parameter(gl.randn(2, 3)), gl.nn.Parameter(gl.arange(3), requires_grad=False)
    weight.tag = {"axis": 0}  # type: ignore[attr-defined]
    first, second, leaf, computed = through_a_file([weight, frozen, gl.ones(2, requires_grad=True), weight * 2])
    assert type(first) is gl.nn.Parameter and first.requires_grad and first.tag == {"axis": 0}
    assert type(second) is gl.nn.Parameter and not second.requires_grad and second.dtype is gl.int64
    assert leaf.requires_grad and leaf.is_leaf
    assert computed.requires_grad and computed.is_leaf and gl.equal(computed, weight * 2)
    assert through_a_file(gl.nn.Buffer(gl.ones(2))).tolist() == [1.0, 1.0]


def test_one_object_comes_back_as_one() -> None:
    tensor, array, inner = gl.ones(2), np.ones(2), [1]
    found = through_a_file({"a": (tensor, array, inner), "b": [tensor, array, inner], "c": [1]})
    assert all(left is right for left, right in zip(found["a"], found["b"]))
    assert found["c"] is not found["a"][2]


def test_containers_may_hold_themselves() -> None:
    ring: list[Any] = [1]
    ring.append({"ring": ring})
    found = through_a_file(ring)
    assert found[1]["ring"] is found


def test_tensors_that_share_memory_share_it_again() -> None:
    base = gl.arange(12.0).reshape(3, 4)
    bits = base.view(gl.int32)
    views = [base, base[1], base.t(), base[:, 1::2], bits, base.unsqueeze(0).expand(2, 3, 4)]
    found = through_a_file(views)
    assert [each.tolist() for each in found] == [each.tolist() for each in views]
    assert [each.stride() for each in found] == [each.stride() for each in views]
    found[0].fill_(1.5)
    base.fill_(1.5)
    assert [each.tolist() for each in found] == [each.tolist() for each in views]
    assert all(each.untyped_storage() == found[0].untyped_storage() for each in found)
    assert {each._version for each in found} == {1}


def test_a_write_through_one_is_noticed_by_backward_through_the_other() -> None:
    x, view = through_a_file([base := gl.ones(3), base[1:]])
    w = gl.ones(3, requires_grad=True)
    loss = (x * w).sum()
    view.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_a_view_brings_its_whole_memory() -> None:
    (found,) = through_a_file([gl.arange(100)[3:5]])
    assert found.tolist() == [3, 4] and found.storage_offset() == 3 and found.untyped_storage().nbytes() == 800


@pytest.mark.parametrize(
    "array",
    [
        np.arange(10.0)[::2],
        np.arange(10.0)[::-1],
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.broadcast_to(np.arange(3.0), (2, 3)),
        np.array([(1, 2.5), (3, 4.5)], [("a", "i1"), ("b", "<f8")])["b"],
    ],
    ids=["steps", "backwards", "columns", "expanded", "a field"],
)
def test_memory_of_any_layout_can_be_saved(array: Any) -> None:
    x = gl.Tensor._wrap(array)
    found, again = through_a_file([x, x.detach()])
    assert found.tolist() == again.tolist() == array.tolist()


def test_sparse_tensors_keep_their_entries() -> None:
    x = gl.sparse_coo_tensor([[0, 1, 1], [2, 0, 0]], [1.0, 2.0, 3.0], (2, 4), requires_grad=True)
    first, second = through_a_file([x, x.detach().coalesce()])
    assert first.shape == (2, 4) and first._nnz() == 3 and first.requires_grad and not first.is_coalesced()
    assert second.is_coalesced() and not second.requires_grad
    assert first.to_dense().tolist() == x.to_dense().tolist() == second.to_dense().tolist()


def test_generators_go_on_where_they_were() -> None:
    generator = gl.Generator().manual_seed(3)
    gl.rand(5, generator=generator)
    found = through_a_file({"g": generator, "state": generator.get_state(), "default": gl.get_rng_state()})
    assert gl.equal(gl.rand(4, generator=found["g"]), gl.rand(4, generator=generator))
    gl.set_rng_state(found["default"])


class Pair(NamedTuple):
    left: int
    right: int


class Special(gl.Tensor):
    pass


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"model": [1, gl.nn.Linear(2, 2)]}, r"the object\['model'\]\[1\] is .*Linear.*state_dict\(\)"),
        ([gl.optim.SGD([gl.ones(1, requires_grad=True)], 0.1)], r"the object\[0\] is .*SGD.*state_dict\(\)"),
        ({"f": len}, r"the object\['f'\] is an object of class builtins.builtin_function_or_method"),
        ({(1, Pair(1, 2)): 0}, r"the object \(key .*\)\[1\] is .*Pair.*built-in containers"),
        ({frozenset([object])}, r"the object \(element .*\) \(element .*\) is"),
        (np.array([object()]), r"the object is an array .* dtype object"),
        ([np.zeros(2, "i4,f4")], r"the object\[0\] is an array"),
        ([np.datetime64("2020")], r"the object\[0\] is .*datetime64"),
        ([Special([1.0])], r"the object\[0\] is .*Special.*as a Tensor"),
    ],
)
def test_what_a_file_does_not_hold_is_refused_with_its_place(value: Any, said: str, tmp_path: Path) -> None:
    path = tmp_path / "old"
    gl.save([1], path)
    with pytest.raises(UnsavableError, match=said) as raised:
        gl.save(value, path)
    assert isinstance(raised.value, TypeError)
    assert gl.load(path) == [1] and os.listdir(tmp_path) == ["old"]


def test_what_is_too_deep_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(UnsavableError, match="nested too deeply"):
        gl.save(deep, io.BytesIO())


def test_a_tuple_in_itself_is_refused() -> None:
    inner: list[Any] = []
    whole = (inner,)
    inner.append(whole)
    with pytest.raises(UnsavableError, match="holds itself"):
        gl.save(whole, io.BytesIO())


# Paths.


def test_a_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "state"
    gl.save({"x": gl.zeros(200_000)}, path)
    stop, seen = threading.Event(), []

    def read() -> None:
        while not stop.is_set():
            seen.append(float(gl.load(path)["x"].max()))

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(10):
        gl.save({"x": gl.full((200_000,), float(number))}, path)
    stop.set()
    reader.join()
    assert seen and set(seen) <= set(map(float, range(10)))
    assert os.listdir(tmp_path) == ["state"]


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "state"
    gl.save([1], path)

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np.lib.format, "write_array", full)
    with pytest.raises(OSError, match="No space"):
        gl.save([gl.ones(3)], path)
    assert gl.load(path) == [1] and os.listdir(tmp_path) == ["state"]


def test_permissions_and_links_are_kept(tmp_path: Path) -> None:
    path, link = tmp_path / "state", tmp_path / "link"
    before = os.umask(0o027)
    try:
        gl.save([1], path)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640
    path.chmod(0o604)
    link.symlink_to(path)
    gl.save([2], link)
    assert link.is_symlink() and gl.load(path) == [2] and path.stat().st_mode & 0o777 == 0o604


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        gl.save([1], tmp_path / "missing" / "state")
    with pytest.raises(FileNotFoundError):
        gl.load(tmp_path / "missing")


def test_the_same_object_is_the_same_bytes(tmp_path: Path) -> None:
    value = {"w": gl.arange(5), "names": {"b", "a"}}
    for name in "ab":
        gl.save(value, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_file_is_a_zip_of_arrays_and_json(tmp_path: Path) -> None:
    gl.save({"w": gl.arange(5), "h": gl.ones(2, dtype=gl.bfloat16)}, tmp_path / "state")
    with zipfile.ZipFile(tmp_path / "state") as archive:
        assert archive.namelist() == ["guardlift.json", "data/0.npy", "data/1.npy"]
        about = json.loads(archive.read("guardlift.json"))
        assert np.load(archive.open("data/0.npy")).tolist() == [0, 1, 2, 3, 4]
    assert about["memories"] == [{"dtype": "int64"}, {"dtype": "bfloat16"}]
    assert about["object"]["dict"][0] == ["w", {"tensor": 0, "dtype": "int64", "shape": [5]}]


def test_files_that_cannot_seek_are_written_and_read() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as file:
        gl.save([gl.arange(3)], file)
    with os.fdopen(reading, "rb") as file:
        assert gl.load(file)[0].tolist() == [0, 1, 2]


@pytest.mark.parametrize("writes", [True, False])
def test_mapped_memory_can_be_written_and_the_file_stays(writes: bool, tmp_path: Path) -> None:
    path = tmp_path / "state"
    x = gl.arange(1000.0)
    gl.save({"x": x, "h": gl.ones(3, dtype=gl.float16), "e": gl.zeros(0)}, path)
    before = path.read_bytes()
    found = gl.load(path, mmap=True)
    assert found["x"]._array.ctypes.data % 64 == 0
    if writes:
        found["x"].add_(1)
    assert gl.equal(found["x"], x + writes) and found["h"].tolist() == [1, 1, 1] and found["e"].shape == (0,)
    assert path.read_bytes() == before
    with pytest.raises(ValueError, match="must be a path"):
        gl.load(io.BytesIO(before), mmap=True)


# Places.


def test_map_location_is_a_device_a_dict_or_a_function() -> None:
    seen = []

    def to_host(memory: Any, location: str) -> Any:
        seen.append((memory.shape, location))
        return memory

    x = gl.ones(2, 3)
    for place in ("cpu", gl.device("cpu"), {"cpu": "cpu"}, {"cuda:0": "cpu"}, to_host, lambda memory, location: None):
        assert through_a_file([x, x], map_location=place)[0].device == "cpu"
    assert seen == [((6,), "cpu")]
    with pytest.raises(RuntimeError, match="Expected one of cpu, cuda"):
        through_a_file([x], map_location="tpu")


def test_weights_only_and_the_arguments_about_pickle_change_nothing() -> None:
    import pickle

    file = io.BytesIO()
    gl.save([1], file, pickle, 4)
    for weights_only in (None, True, False):
        file.seek(0)
        assert gl.load(file, None, pickle, weights_only=weights_only) == [1]


def test_jitted_functions_save_and_load(tmp_path: Path) -> None:
    path = str(tmp_path / "state")

    @gl.jit
    def step(x: Any) -> Any:
        y = x * 2
        gl.save({"y": y}, path)
        return gl.load(path)["y"] + y

    for factor in (1.0, 2.0, 3.0):
        assert step(gl.full((3,), factor)).tolist() == [4 * factor] * 3
