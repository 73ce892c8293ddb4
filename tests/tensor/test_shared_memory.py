"""Memory that forked processes and files share with tensors."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import guardlift as gl

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_what_a_forked_process_writes_is_seen() -> None:
    x = gl.tensor(np.asfortranarray(np.arange(6.0).reshape(2, 3)))
    strides = x.stride()
    other = gl.zeros(2)
    assert not x.is_shared()
    assert x.share_memory_() is x and x.is_shared() and x[0].is_shared()
    assert x.share_memory_().stride() == strides
    assert x.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    child = os.fork()
    if child == 0:
        x.add_(10)
        other.add_(10)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert x.tolist() == [[10.0, 11.0, 12.0], [13.0, 14.0, 15.0]]
    assert other.tolist() == [0.0, 0.0]
    assert gl.nn.Linear(2, 2).share_memory().weight.is_shared()


def test_a_jitted_function_sees_the_memory_that_a_tensor_was_moved_to() -> None:
    x = gl.ones(3, requires_grad=True)
    ask = gl.jit(lambda x: x * 2)
    assert ask(x).tolist() == [2.0] * 3
    x.share_memory_()
    with gl.no_grad():
        x.add_(1)
    assert ask(x).tolist() == [4.0] * 3
    with pytest.raises(RuntimeError, match="share the tensor that is viewed"):
        gl.ones(3)[:2].share_memory_()


def test_a_tensor_over_a_file(tmp_path: Path) -> None:
    file = tmp_path / "numbers"
    x = gl.from_file(str(file), shared=True, size=3, dtype=gl.float64)
    assert x.tolist() == [0.0] * 3
    x[1] = 2.5
    assert np.fromfile(file).tolist() == [0.0, 2.5, 0.0]
    copy = gl.from_file(str(file), size=2, dtype=gl.float64, requires_grad=True)
    assert copy.requires_grad and copy.tolist() == [0.0, 2.5]
    copy.data[0] = 9.0
    assert np.fromfile(file)[0] == 0.0
    with pytest.raises(ValueError, match="fewer than 9 elements of float32 take"):
        gl.from_file(str(file), size=9)
    assert gl.from_file(str(file)).shape == (0,)
