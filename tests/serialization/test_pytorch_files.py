"""Files of PyTorch's: read where it is installed, and else told what they are."""

from __future__ import annotations

import io
import zipfile
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.serialization import pytorch
from guardlift.serialization.errors import FileFormatError, UnsavableError


def test_without_pytorch_the_error_says_what_the_file_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytorch, "find_spec", lambda name: None)
    new = io.BytesIO()
    with zipfile.ZipFile(new, "w") as archive:
        archive.writestr("archive/data.pkl", b"")
    for file in (new, io.BytesIO(pytorch.OLD_BEGINNING + bytes(20))):
        file.seek(0)
        with pytest.raises(FileFormatError, match="was written by PyTorch.*install torch.*safetensors"):
            gl.load(file)


def written(value: Any, **keywords: Any) -> io.BytesIO:
    torch = pytest.importorskip("torch")
    file = io.BytesIO()
    torch.save(value, file, **keywords)
    file.seek(0)
    return file


@pytest.mark.parametrize("zipped", [True, False])
def test_tensors_keep_their_bits_flags_and_shared_memory(zipped: bool) -> None:
    torch = pytest.importorskip("torch")
    base = torch.arange(6.0).reshape(2, 3)
    weight = torch.nn.Parameter(base.clone())
    value = {
        "views": [base, base.t(), base[1]],
        "weight": (weight, weight),
        "leaf": torch.ones(2, requires_grad=True),
        "narrow": [torch.tensor([1.5, -0.0], dtype=each) for each in (torch.bfloat16, torch.float16)],
        "empty": torch.zeros(0, 3),
        "sparse": base.to_sparse(),
        "others": [base.shape, torch.int16, torch.device("cpu"), 1, 2.5, "a", None],
    }
    found = gl.load(written(value, _use_new_zipfile_serialization=zipped))
    assert [each.tolist() for each in found["views"]] == [each.tolist() for each in value["views"]]
    found["views"][0].fill_(9)
    assert {number for each in found["views"] for number in each.flatten().tolist()} == {9}
    first, second = found["weight"]
    assert first is second and type(first) is gl.nn.Parameter and first.requires_grad
    assert found["leaf"].requires_grad
    for ours, theirs in zip(found["narrow"], value["narrow"]):
        assert str(theirs.dtype) == f"torch.{ours.dtype}"
        assert ours._array.tobytes() == theirs.view(torch.uint8).numpy().tobytes()
    assert found["empty"].shape == (0, 3)
    assert found["sparse"].to_dense().tolist() == base.tolist()
    assert found["others"] == [(2, 3), gl.int16, "cpu", 1, 2.5, "a", None]


def test_state_dicts_load_into_modules_and_optimizers() -> None:
    torch = pytest.importorskip("torch")
    theirs = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    their_adam = torch.optim.Adam(theirs.parameters(), lr=0.1)
    x = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
    theirs(torch.from_numpy(x)).sum().backward()
    their_adam.step()
    found = gl.load(written({"model": theirs.state_dict(), "optimizer": their_adam.state_dict()}))
    assert type(found["model"]) is OrderedDict
    model = gl.nn.Sequential(gl.nn.Linear(3, 4), gl.nn.Tanh(), gl.nn.Linear(4, 1))
    model.load_state_dict(found["model"])
    adam = gl.optim.Adam(model.parameters(), lr=0.5)
    adam.load_state_dict(found["optimizer"])
    for module, optimizer, library in ((theirs, their_adam, torch), (model, adam, gl)):
        optimizer.zero_grad()
        module(library.from_numpy(x)).sum().backward()
        optimizer.step()
    for ours, other in zip(model.parameters(), theirs.parameters()):
        np.testing.assert_allclose(ours.detach().numpy(), other.detach().numpy(), rtol=1e-5, atol=1e-6)


def test_what_has_no_counterpart_is_told_with_its_place() -> None:
    torch = pytest.importorskip("torch")
    for value, said in (
        ({"m": [torch.nn.Linear(2, 2)]}, r"object\['m'\]\[0\] in the file is of class torch.nn"),
        ([torch.zeros(2, dtype=torch.complex64)], r"object\[0\] in the file is a tensor of torch.complex64"),
    ):
        with pytest.raises(UnsavableError, match=said):
            gl.load(written(value), weights_only=False)


def test_programs_in_files_are_refused_by_pytorch_unless_they_are_asked_for() -> None:
    torch = pytest.importorskip("torch")
    import pickle

    with pytest.raises(pickle.UnpicklingError):
        gl.load(written(torch.nn.Linear(2, 2)))
