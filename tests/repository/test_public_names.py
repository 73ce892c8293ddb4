"""The names of the root package: all of them are there, and every function of the surface is among them."""

from __future__ import annotations

import subprocess
import sys

import guardlift as gl
import guardlift.tensor.random
import guardlift.tensor.reflections
from guardlift.tensor.surface import SURFACE

METHODS_ONLY = set(
    "view view_as reshape_as expand expand_as size dim contiguous is_contiguous to type_as cpu "
    "getitem setitem repeat byte char new_tensor new_full new_zeros new_ones new_empty unfold type "
    "householder_product to_device new_empty_strided".split()
)
"""Functions that PyTorch too has as methods alone, or in `linalg`, and the array API's `to_device`."""


def test_every_name_can_be_looked_up() -> None:
    assert [name for name in gl.__all__ if not hasattr(gl, name)] == []
    assert gl.__all__ == sorted(gl.__all__, key=lambda name: (not name[0].isupper(), not name.startswith("_"), name))


def test_every_function_of_the_surface_is_a_name_or_a_method_alone() -> None:
    functions = {
        function.__name__
        for function in SURFACE
        if function.__module__.startswith("guardlift.tensor.") and not function.__name__.startswith("_")
    }
    assert {name for name in functions if not name.endswith("_")} - set(gl.__all__) == METHODS_ONLY


def test_the_tape_is_there_whatever_loaded_the_tensors_first() -> None:
    code = (
        "import numpy, guardlift as gl; gl.jit(lambda x: x + 1)(numpy.ones(3)); "
        "gl.tensor([1.0], requires_grad=True).sum()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_function_called_tensor_is_not_hidden_by_the_package_of_that_name() -> None:
    code = "import guardlift.nn, guardlift.tensor.creation, guardlift as gl; assert gl.tensor([1.0]).shape == (1,)"
    subprocess.run([sys.executable, "-P", "-c", code], check=True)
