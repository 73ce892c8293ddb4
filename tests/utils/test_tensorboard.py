"""TensorBoard's writer gets arrays in place of tensors."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.utils import tensorboard


class Noted:
    """A writer that notes its calls."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.calls: list[Any] = [("made", args, kwargs)]
        self.log_dir = args[0]

    def add_scalar(self, *args: Any, **kwargs: Any) -> None:
        self.calls.append(("add_scalar", args, kwargs))

    def add_graph(self, *args: Any) -> None:
        raise AssertionError

    def close(self) -> None:
        self.calls.append(("close",))


def with_writer(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    monkeypatch.setattr(tensorboard, "WRITERS", ("no_such_module", *names))
    for name in names:
        module = ModuleType(name)
        module.SummaryWriter = Noted  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, name, module)


def test_tensors_reach_the_writer_as_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    with_writer(monkeypatch, "some_writer")
    x = gl.ones(2, requires_grad=True)
    with gl.utils.tensorboard.SummaryWriter("folder", flush_secs=3) as writer:
        assert writer.log_dir == "folder"
        writer.add_scalar("loss", x.sum(), global_step=gl.tensor(3))
        writer.add_scalar("many", {"a": [x], "b": (x.to(gl.bfloat16), 1)}, walltime=None)
        calls = writer.calls
    assert calls[0] == ("made", ("folder",), {"flush_secs": 3}) and calls[-1] == ("close",)
    name, (tag, loss), rest = calls[1]
    assert (name, tag, loss, rest) == ("add_scalar", "loss", 2.0, {"global_step": 3})
    assert type(loss) is np.ndarray and type(rest["global_step"]) is np.ndarray
    _, (_, many), _ = calls[2]
    assert type(many["a"][0]) is np.ndarray and many["b"][0].dtype == np.float32 and many["b"][1] == 1


def test_graphs_and_missing_libraries_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with_writer(monkeypatch, "some_writer")
    with pytest.raises(NotImplementedError, match="gl.explain"):
        gl.utils.tensorboard.SummaryWriter("folder").add_graph(None)
    with pytest.raises(AttributeError):
        gl.utils.tensorboard.SummaryWriter("folder").no_such_method
    with_writer(monkeypatch)
    with pytest.raises(ImportError, match="pip install tensorboardX"):
        gl.utils.tensorboard.SummaryWriter()


def test_the_real_writer_takes_what_people_log(tmp_path: Path) -> None:
    pytest.importorskip("tensorboardX")
    with gl.utils.tensorboard.SummaryWriter(str(tmp_path)) as writer:
        writer.add_scalar("loss", gl.tensor(2.5), 1)
        writer.add_scalars("losses", {"a": gl.tensor(1.0), "b": 2.0}, 1)
        writer.add_histogram("weights", gl.randn(100), 1)
        writer.add_text("note", "hello", 1)
    (path, *_) = tmp_path.glob("events.out.tfevents.*")
    content = path.read_bytes()
    assert b"loss" in content and b"weights" in content
