"""Memory formats: strides are those of PyTorch 2.13, plainly and in jitted functions; modules are converted too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import backward, check, leaf

import guardlift as gl
from guardlift import nn

X = gl.arange(120.0).reshape(2, 3, 4, 5)
LAST = X.contiguous(memory_format=gl.channels_last)
IN_ROWS, BY_CHANNELS = (60, 20, 5, 1), (60, 1, 15, 3)


@pytest.mark.parametrize(
    ("call", "strides"),
    [
        (lambda: X.contiguous(memory_format=gl.channels_last), BY_CHANNELS),
        (lambda: X.contiguous(memory_format=gl.contiguous_format), IN_ROWS),
        (lambda: X.to(memory_format=gl.channels_last), BY_CHANNELS),
        (lambda: X.to(gl.float64, memory_format=gl.channels_last), BY_CHANNELS),
        (lambda: X.to("cpu", memory_format=gl.channels_last), BY_CHANNELS),
        (lambda: X.to(memory_format=gl.preserve_format), IN_ROWS),
        (lambda: X.clone(memory_format=gl.channels_last), BY_CHANNELS),
        (lambda: LAST.clone(memory_format=gl.contiguous_format), IN_ROWS),
        (lambda: LAST.contiguous(), IN_ROWS),
        (lambda: LAST.to(memory_format=gl.contiguous_format), IN_ROWS),
        (lambda: LAST.to(gl.float64), BY_CHANNELS),
        (lambda: LAST + 1 - 1, BY_CHANNELS),
    ],
)
def test_elements_lie_as_the_format_says_and_are_the_same(call: Any, strides: tuple[int, ...]) -> None:
    found = call()
    assert found.stride() == strides
    np.testing.assert_array_equal(found.tolist(), X.tolist())


def test_what_lies_so_already_is_the_tensor_itself_unless_a_copy_is_asked_for() -> None:
    assert LAST.contiguous(memory_format=gl.channels_last) is LAST and LAST.to(memory_format=gl.channels_last) is LAST
    copy = LAST.clone(memory_format=gl.channels_last)
    assert copy.stride() == BY_CHANNELS and copy.data_ptr() != LAST.data_ptr()


def test_whether_a_tensor_lies_so() -> None:
    assert LAST.is_contiguous(memory_format=gl.channels_last) and not LAST.is_contiguous()
    assert not X.is_contiguous(memory_format=gl.channels_last) and X.is_contiguous(memory_format=gl.preserve_format)
    one = X[:, :1].contiguous()
    assert one.is_contiguous() and one.is_contiguous(memory_format=gl.channels_last)
    assert not X[0].is_contiguous(memory_format=gl.channels_last)
    volume = gl.zeros(2, 3, 4, 5, 6).contiguous(memory_format=gl.channels_last_3d)
    assert volume.stride() == (360, 1, 90, 18, 3)


def test_other_ranks_and_other_things_are_refused() -> None:
    with pytest.raises(RuntimeError, match="required rank 4 tensor to use channels_last format, got 3 axes"):
        X[0].contiguous(memory_format=gl.channels_last)
    with pytest.raises(RuntimeError, match="required rank 5"):
        X.to(memory_format=gl.channels_last_3d)
    with pytest.raises(TypeError, match="must be gl.memory_format, not int"):
        X.contiguous(memory_format=3)


def test_a_module_is_converted_in_place_where_the_rank_fits() -> None:
    class Two(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(gl.arange(54.0).reshape(2, 3, 3, 3))
            self.bias = nn.Parameter(gl.zeros(2))

    model = Two()
    weight, before = model.weight, model.weight.tolist()
    assert model.to(memory_format=gl.channels_last, non_blocking=True) is model
    assert model.weight is weight and weight.stride() == (27, 1, 9, 3) and weight.tolist() == before
    with pytest.raises(TypeError, match="memory_format"):
        model.to(memory_format="channels_last")


def test_a_jitted_function_gives_the_same_strides() -> None:
    def program(x: Any) -> Any:
        lies = x.is_contiguous(memory_format=gl.channels_last)
        return x.contiguous(memory_format=gl.channels_last), (x * 2).to(memory_format=gl.channels_last).sin(), lies

    check(program, arguments=lambda: [leaf(2, 3, 4, 5)], after=lambda r, *a: backward(r[1], *a), calls=2)
