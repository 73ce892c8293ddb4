"""Functions of complex tensors give PyTorch's answers: values, dtypes, gradients and second gradients, or an error.

The answers are those of PyTorch 2.13.0 (CPU), stored by answers/make_complex.py.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.tensor.surface import SURFACE

sys.path.insert(0, str(Path(__file__).parent / "answers"))
import complex_asking  # noqa: E402
import complex_keeping as keeping  # noqa: E402

del sys.path[0]

ANSWERS = keeping.read()
CLOSE = {"c": 2e-4, "z": 1e-9}
"""The distance that a number may be off, by the first letter of a case."""


def same(got: Any, wanted: Any, close: float) -> bool:
    if isinstance(wanted, str):
        return isinstance(got, str) and got == wanted
    got = np.asarray(got)
    if got.shape != wanted.shape or (got.shape and got.dtype != wanted.dtype):
        return False
    if wanted.dtype.kind not in "fc":
        return np.array_equal(got, wanted)
    there = ~np.isnan(wanted)  # the second gradient of a sgn of 0 is a NaN in PyTorch alone
    return np.allclose(got[there], wanted[there], rtol=close, atol=close)


def differing(names: list[str], wrap: Any = None) -> list[str]:
    found = []
    for name in names:
        got, wanted = complex_asking.ask(gl, name, wrap), ANSWERS[name]
        rest = wanted[len(got) :]  # zeros that have a history in PyTorch alone
        alike = len(got) <= len(wanted) and all(same(*pair, CLOSE[name[0]]) for pair in zip(got, wanted, strict=False))
        if not alike or any(np.any(each) for each in rest):
            found.append(name)
    return found


pytestmark = pytest.mark.filterwarnings("ignore")


def test_every_case_has_an_answer() -> None:
    assert list(ANSWERS) == complex_asking.cases(), "run tests/tensor/answers/make_complex.py"
    assert sum(isinstance(wanted[0], str) and wanted[0] == "error" for wanted in ANSWERS.values()) > 40


def test_every_function_of_complex_numbers_is_asked() -> None:
    text = " ".join(ANSWERS)
    modules = ("guardlift.fft.transforms", "guardlift.tensor.complex_parts", "guardlift.tensor.short_time")
    gl.fft.fft  # noqa: B018  (whose functions are listed from then on)
    names = {name for function, name in SURFACE.items() if function.__module__ in modules}
    assert len(names) > 30 and {name for name in names if f".{name}" not in text} <= {
        "is_conj",
        "is_neg",
        "resolve_neg",
    }


def test_all_answers_are_pytorch_s() -> None:
    assert differing([name for k, name in enumerate(complex_asking.cases()) if name[0] == "z" or k % 8 == 0]) == []


def test_jitted_functions_give_them_too() -> None:
    assert differing(complex_asking.cases()[1::150], gl.jit) == []


@pytest.mark.slow
def test_all_jitted_functions_give_them() -> None:
    assert differing([name for name in complex_asking.cases() if name[0] == "z"], gl.jit) == []


def test_tensors_print_as_in_pytorch() -> None:
    shown = {
        "tensor([1.+2.j, 3.-1.j])": [1 + 2j, 3 - 1j],
        "tensor([[ 1.5000e+00+2.0000e+00j, -3.0000e+04-1.2500e+00j],\n"
        "        [ 0.0000e+00+0.0000e+00j,  0.0000e+00+1.0000e-03j]])": [[1.5 + 2j, -30000 - 1.25j], [0, 1e-3j]],
        "tensor([], dtype=gl.complex64)": [],
        "tensor(0.+3.j)": 3j,
        "tensor([1.+0.j, nan+nanj, inf+0.j])": [1, complex(np.nan, np.nan), np.inf],
    }
    for text, data in shown.items():
        assert repr(gl.tensor(data, dtype=gl.complex64)) == text
    assert repr(gl.tensor([1j], dtype=gl.complex128)) == "tensor([0.+1.j], dtype=gl.complex128)"
