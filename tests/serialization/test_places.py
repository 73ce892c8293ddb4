"""Tensors on a device in files: they come back where they lay, or where `map_location` puts them."""

from __future__ import annotations

import io
from typing import Any

import pytest
from core.host_device import host_device  # noqa: F401  (a fixture)

import guardlift as gl
from guardlift.core import floors
from guardlift.utils.data import DataLoader, TensorDataset
from guardlift.utils.safetensors import load, save


def written(value: Any) -> bytes:
    file = io.BytesIO()
    gl.save(value, file)
    return file.getvalue()


@pytest.mark.usefixtures("host_device")
def test_tensors_come_back_on_the_device_where_they_lay() -> None:
    base = gl.arange(6.0, device="cuda").reshape(2, 3)
    weight = gl.nn.Parameter(gl.ones(2, device="cuda"))
    found = gl.load(io.BytesIO(written([base, base.t(), base[1:], weight, gl.ones(2), gl.device("cuda")])))
    assert [str(each.device) for each in found[:5]] == ["cuda:0"] * 4 + ["cpu"]
    assert found[5] == "cuda" and type(found[3]) is gl.nn.Parameter
    found[0].fill_(9)
    assert found[1].cpu().tolist() == [[9, 9]] * 3 and found[2].cpu().tolist() == [[9, 9, 9]]


@pytest.mark.usefixtures("host_device")
def test_map_location_moves_each_memory_once() -> None:
    base = gl.arange(4.0, device="cuda")
    there, here = written([base, base[1:]]), written([gl.arange(4.0)])
    seen = []

    def to_host(memory: Any, location: str) -> Any:
        seen.append((memory.tolist(), location))
        return memory

    for place in ("cpu", gl.device("cpu"), {"cuda:0": "cpu"}, to_host):
        found = gl.load(io.BytesIO(there), map_location=place)
        assert [each.device for each in found] == ["cpu"] * 2
        found[0].fill_(5)
        assert found[1].tolist() == [5, 5, 5]
    assert seen == [([0, 1, 2, 3], "cuda:0")]
    for place in ("cuda", "cuda:0", {"cpu": "cuda"}, lambda memory, location: memory.cuda()):
        (moved,) = gl.load(io.BytesIO(here), map_location=place)
        assert str(moved.device) == "cuda:0" and moved.cpu().tolist() == [0, 1, 2, 3]


@pytest.mark.usefixtures("host_device")
def test_a_device_that_is_not_there_is_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    data = written({"w": gl.ones(2, device="cuda")})

    def absent() -> Any:
        raise RuntimeError("no driver")

    monkeypatch.setitem(floors._offers, floors.DEVICE_MEMORY, absent)
    with pytest.raises(
        RuntimeError, match="lay on 'cuda:0', which is not there .no driver.; load with map_location='cpu'"
    ):
        gl.load(io.BytesIO(data))
    with pytest.raises(RuntimeError, match="no driver"):
        gl.load(io.BytesIO(data), map_location="cuda")
    assert gl.load(io.BytesIO(data), map_location="cpu")["w"].tolist() == [1, 1]


@pytest.mark.usefixtures("host_device")
def test_loaders_and_other_files_work_beside_a_device() -> None:
    gl.set_default_device("cuda")
    try:
        loader = DataLoader(TensorDataset(gl.arange(10), gl.arange(10.0)), 4, shuffle=True)
        batches = list(loader)
        assert {str(each.device) for batch in batches for each in batch} == {"cuda:0"}
        assert sorted(x for batch in batches for x in batch[0].cpu().tolist()) == list(range(10))
        x = gl.ones(3)
        assert load(save({"x": x}))["x"].device == "cpu"
    finally:
        gl.set_default_device(None)
