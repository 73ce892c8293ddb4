"""Files that are cut off, changed, or of another kind: one clear error, and never a wrong object."""

from __future__ import annotations

import io
import json
import pickle
import random
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.serialization.errors import EmptyFileError, FileFormatError


def bytes_of(value: Any) -> bytes:
    file = io.BytesIO()
    gl.save(value, file)
    return file.getvalue()


def changed(edit: Any, value: Any = None, compression: int = zipfile.ZIP_STORED, data: Any = None) -> io.BytesIO:
    """A file in which `edit` has changed the text."""
    result = io.BytesIO()
    value = [gl.arange(6.0).reshape(2, 3), np.arange(3)] if value is None else value
    with zipfile.ZipFile(io.BytesIO(bytes_of(value))) as old, zipfile.ZipFile(result, "w", compression) as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "guardlift.json":
                about = json.loads(content)
                content = json.dumps(edit(about) or about).encode()
            elif data is not None:
                content = data(name, content)
            if content is not None:
                new.writestr(name, content)
    result.seek(0)
    return result


def test_a_file_that_was_cut_off_anywhere_is_refused() -> None:
    whole = bytes_of({"w": gl.arange(100.0), "text": "x" * 100})
    for length in range(1, len(whole), 7):
        with pytest.raises(FileFormatError):
            gl.load(io.BytesIO(whole[:length]))
    with pytest.raises(EmptyFileError, match="has no contents"):
        gl.load(io.BytesIO(b""))


def test_no_changed_bit_changes_what_is_loaded() -> None:
    value = {"w": gl.arange(8.0), "steps": 12345, "name": "adam"}
    whole = bytes_of(value)
    rng, refused = random.Random(0), 0
    for _ in range(600):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        try:
            found = gl.load(io.BytesIO(bytes(damaged)))
        except FileFormatError:
            refused += 1
            continue
        assert found.keys() == value.keys() and gl.equal(found["w"], value["w"])
        assert (found["steps"], found["name"]) == (12345, "adam")
    assert refused > 300


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04 but no more",
        b"hello",
        pickle.dumps([1]),
        b"\x93NUMPY\x01\x00",
        b"\0" * 100,
        b"PK\x05\x06" + bytes(18),
    ],
    ids=repr,
)
def test_files_of_other_kinds_are_refused(content: bytes) -> None:
    with pytest.raises(FileFormatError) as raised:
        gl.load(io.BytesIO(content))
    assert isinstance(raised.value, RuntimeError) and isinstance(raised.value, pickle.UnpicklingError)


def test_a_zip_of_something_else_is_refused() -> None:
    file = io.BytesIO()
    np.savez(file, a=np.ones(2))
    file.seek(0)
    with pytest.raises(FileFormatError, match="was not written by gl.save"):
        gl.load(file)


def test_a_form_that_is_newer_is_told() -> None:
    with pytest.raises(FileFormatError, match="is of form 99, and this version of guardlift reads form 1"):
        gl.load(changed(lambda about: about.update(form=99)))


def set_tensor(**entries: Any) -> Any:
    return lambda about: about["object"]["list"][0].update(entries)


@pytest.mark.parametrize(
    "edit",
    [
        set_tensor(shape=[3, 3]),
        set_tensor(shape=[-1, -6]),
        set_tensor(shape=[2, "3"]),
        set_tensor(shape=[2**70]),
        set_tensor(shape=[True, 6]),
        set_tensor(offset=4),
        set_tensor(offset=-4),
        set_tensor(strides=[4]),
        set_tensor(strides=[12, 8]),
        set_tensor(strides=[-12, 4]),
        set_tensor(strides=[2**62, 2**62]),
        set_tensor(dtype="float64"),
        set_tensor(dtype="object"),
        set_tensor(tensor=1),
        set_tensor(tensor=2),
        set_tensor(tensor=-1),
        set_tensor(tensor="0"),
        lambda about: about["object"]["list"][1].update(array=0),
        lambda about: about["object"]["list"][1].update(shape=[4]),
        lambda about: about["memories"][0].update(dtype="float64"),
        lambda about: about["object"]["list"][0].update(dtype="complex128", shape=[3]),
        lambda about: about["memories"][0].update(dtype="O"),
        lambda about: about["memories"].append({"dtype": "int64"}),
        lambda about: about["memories"].clear(),
        lambda about: about.pop("object"),
        lambda about: about.update(object={"same": 7}),
        lambda about: about.update(object={"class": "os.system"}),
        lambda about: about.update(object={}),
        lambda about: about.update(object=[1]),
        lambda about: about.update(object={"dict": [[{"list": []}, 1]]}),
        lambda about: about.update(object={"dict": [[1]]}),
        lambda about: about.update(object={"float": "zz"}),
        lambda about: about.update(object={"generator": "00"}),
        lambda about: about.update(object={"tuple": [{"same": 0}], "id": 0}),
        lambda about: [about],
    ],
)
def test_a_text_that_says_something_wrong_is_refused(edit: Any) -> None:
    with pytest.raises(FileFormatError):
        gl.load(changed(edit))


def test_a_kind_that_is_not_known_is_named() -> None:
    with pytest.raises(FileFormatError, match="a value of the kind 'class'"):
        gl.load(changed(lambda about: about.update(object={"class": "os.system"})))


def test_members_that_are_compressed_are_refused() -> None:
    with pytest.raises(FileFormatError, match="is compressed"):
        gl.load(changed(lambda about: None, compression=zipfile.ZIP_DEFLATED))


def test_arrays_of_objects_are_never_unpickled() -> None:
    file = io.BytesIO()
    np.save(file, np.array([print], object), allow_pickle=True)
    with pytest.raises(FileFormatError, match="dtype"):
        gl.load(changed(lambda about: None, data=lambda name, content: file.getvalue()))


def test_a_member_that_is_missing_or_short_is_refused() -> None:
    for data in (lambda name, content: None, lambda name, content: content[:-8], lambda name, content: content + b"0"):
        with pytest.raises(FileFormatError):
            gl.load(changed(lambda about: None, data=data))


def test_a_text_that_is_nested_without_end_is_refused() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("guardlift.json", '{"form":1,"memories":[],"object":' + '{"list":[' * 100_000)
    file.seek(0)
    with pytest.raises(FileFormatError):
        gl.load(file)


def test_errors_of_map_location_are_told_as_they_are() -> None:
    def broken(memory: Any, location: str) -> Any:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        gl.load(io.BytesIO(bytes_of([gl.ones(1)])), map_location=broken)


def test_nothing_is_half_applied_when_a_file_is_damaged(tmp_path: Path) -> None:
    model = gl.nn.Linear(3, 2)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    path = tmp_path / "state"
    gl.save({name: value + 1 for name, value in before.items()}, path)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(FileFormatError):
        model.load_state_dict(gl.load(path))
    assert all(gl.equal(value, before[name]) for name, value in model.state_dict().items())
