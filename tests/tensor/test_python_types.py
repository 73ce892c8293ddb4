from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn

PLACES = (gl, gl.Tensor, gl.linalg, gl.fft, gl.special, nn.functional, gl.func)
LEFT_OUT = {"type", "set_default_dtype", "from_file", "sparse_coo_tensor"}
"""The functions that take names too, or two dtypes only, or look at the dtype after their other arguments."""


def asking_for_a_dtype() -> dict[str, Any]:
    """Every public function with a parameter `dtype`, by its name."""
    found = {}
    for place in PLACES:
        for name in dir(place):
            function = None if name.startswith("_") or name in LEFT_OUT else getattr(place, name)
            if inspect.isfunction(function) and "dtype" in inspect.signature(function).parameters:
                found[f"{place.__name__}.{name}"] = function
    return found


def call(function: Any, dtype: Any) -> Any:
    """The result of a call whose other arguments are tensors."""
    parameters = inspect.signature(function).parameters.values()
    needed = [each for each in parameters if each.default is each.empty and each.kind < each.KEYWORD_ONLY]
    return function(*[gl.ones(2, 2)] * sum(each.kind < each.VAR_POSITIONAL for each in needed), dtype=dtype)


def test_every_function_that_asks_for_a_dtype_takes_types_of_python_and_refuses_others() -> None:
    asking = asking_for_a_dtype()
    assert len(asking) > 70
    deaf = []
    for name, function in asking.items():
        for wrong in (object, np.float32, "float32", np.dtype("f4")):
            try:
                call(function, wrong)
            except TypeError as error:
                if "a dtype is one such as gl.float32, or bool, int, float or complex, got" in str(error):
                    continue
            except Exception:
                pass
            deaf.append((name, wrong))
    assert deaf == []


def test_types_of_python_are_the_widest_dtypes_of_their_kind() -> None:
    x = gl.ones(2, 2)
    for given, meant in ((bool, gl.bool), (int, gl.int64), (float, gl.float64), (complex, gl.complex128)):
        for made in (
            gl.zeros(2, dtype=given),
            gl.tensor([1, 2], dtype=given),
            gl.full_like(x, 1, dtype=given),
            x.to(given),
            x.to("cpu", given),
            x.to(dtype=given),
            x.sum(dtype=given),
            x.new_zeros(3, dtype=given),
            gl.eye(2, dtype=given),
            gl.sparse_coo_tensor([[0]], [1], (2,), dtype=given),
        ):
            assert made.dtype is meant
        assert gl.promote_types(given, gl.bool) is meant and gl.can_cast(given, gl.complex64)
    assert x.softmax(0, float).dtype is nn.functional.log_softmax(x, 0, dtype=float).dtype is gl.float64
    assert x.bool().view(bool).dtype is gl.bool and x.double().view(int).dtype is gl.int64
    assert gl.finfo(float).bits == gl.finfo(complex).bits == gl.iinfo(int).bits == 64
    assert nn.Linear(2, 2, dtype=float).weight.dtype is nn.Linear(2, 2).to(float).weight.dtype is gl.float64
    for wrong in (lambda: x.to(np.float32), lambda: gl.promote_types(int, "f"), lambda: nn.Linear(2, 2).to(np.float32)):
        with pytest.raises(TypeError, match="a dtype is one such as"):
            wrong()


def test_types_of_python_mean_the_same_in_compiled_code() -> None:
    @gl.jit(fullgraph=True)
    def masks(x: Any, dtype: Any) -> Any:
        return x.to(dtype) * gl.ones(x.shape, dtype=bool), gl.arange(3, dtype=int)

    x = gl.arange(3.0)
    made, places = masks(x, float)
    assert made.dtype is gl.float64 and made.tolist() == [0.0, 1.0, 2.0] and places.tolist() == [0, 1, 2]


def test_what_makes_tensors_takes_layouts_and_pinned_memory_and_what_is_like_another_takes_formats() -> None:
    x = gl.ones(1, 2, 3, 4)

    @gl.jit(fullgraph=True)
    def like(x: Any) -> Any:
        made = gl.zeros_like(x, memory_format=gl.preserve_format, layout=gl.strided)
        return made, gl.empty_like(x, memory_format=gl.channels_last, pin_memory=False)

    for function in (like, like.__wrapped__):
        assert [each.stride() for each in function(x)] == [(24, 12, 4, 1), (24, 1, 8, 2)]
    for name in ("ones_like", "rand_like", "randn_like"):
        assert getattr(gl, name)(x, memory_format=gl.channels_last).stride() == (24, 1, 8, 2)
    assert gl.full_like(x, 2, memory_format=gl.contiguous_format, dtype=int).sum() == 48
    assert gl.empty(1, 2, 3, 4, memory_format=gl.channels_last).stride() == (24, 1, 8, 2)
    assert gl.arange(3, layout=gl.strided, pin_memory=False).tolist() == [0, 1, 2]
    assert x.new_zeros(2, layout=gl.strided).tolist() == [0, 0]
    with pytest.raises(TypeError, match="memory_format"):
        gl.zeros(2, memory_format=gl.contiguous_format)
    with pytest.raises(TypeError, match="'memory_format' must be gl.memory_format, not int"):
        gl.zeros_like(x, memory_format=1)
    with pytest.raises(RuntimeError, match=r"layout=gl.strided, got gl.sparse_coo; use to_sparse\(\)"):
        gl.zeros(2, layout=gl.sparse_coo)
