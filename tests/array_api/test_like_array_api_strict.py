"""Values, dtypes, shapes and refusals of `gl.xp` beside `array_api_strict`, over the samples of the catalogue."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from array_api.catalogue import REFUSED, environment, expressions, split

import guardlift as gl

strict = pytest.importorskip("array_api_strict", reason="array_api_strict is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")
GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "array_api.md"
ZEROS_OF_EITHER_SIGN = ("xp.unique_values(edges)",)
"""The standard does not say which of two equal zeros is kept."""


@pytest.fixture(scope="module")
def namespaces() -> tuple[dict[str, Any], dict[str, Any]]:
    """The names of expressions for the strict implementation, and for ours."""
    strict.set_array_api_strict_flags(api_version="2025.12")
    return environment(strict), environment(gl.xp)


def plain(value: Any) -> Any:
    """A result as what both libraries can be compared in: arrays as their dtype and NumPy's array."""
    if isinstance(value, tuple):
        return [getattr(value, "_fields", len(value)), *map(plain, value)]
    if isinstance(value, gl.Tensor):
        return str(value.dtype), value.numpy()
    if type(value).__name__ == "Array":
        return str(value.dtype).rpartition(".")[2], value._array
    return str(value).rpartition(".")[2] if type(value).__name__ == "DType" else value


def differ(wanted: Any, got: Any, signs: bool) -> bool:
    if isinstance(wanted, list):
        if len(wanted) != len(got) or wanted[0] != got[0]:
            return True
        return any(differ(one, two, signs) for one, two in zip(wanted[1:], got[1:]))
    if not isinstance(wanted, tuple):
        return type(wanted) is not type(got) or wanted != got
    (dtype, one), (own, two) = wanted, got
    if dtype != own or one.shape != two.shape:
        return True
    if one.dtype.kind == "c":
        return not np.allclose(one, two, rtol=1e-5, atol=1e-5, equal_nan=True)
    if one.dtype.kind != "f":
        return not np.array_equal(one, two)
    zeros = one == 0
    if signs and not np.array_equal(np.signbit(one[zeros]), np.signbit(two[zeros])):
        return True
    return not np.allclose(one, two, rtol=2e-6, atol=1e-6, equal_nan=True)


def test_values_and_dtypes_of_every_sample(
    namespaces: tuple[dict[str, Any], dict[str, Any]], record_property: Any
) -> None:
    theirs, ours = namespaces
    samples = expressions()
    wrong = []
    for text in samples:
        wanted, got = plain(eval(text, theirs)), plain(eval(text, ours))
        if differ(wanted, got, text not in ZEROS_OF_EITHER_SIGN):
            wrong.append((text, wanted, got))
    of = f"{len(samples) - len(wrong)} of {len(samples)}"
    record_property("table", f"{of} samples: values, dtypes and shapes of array_api_strict")
    assert not wrong and len(samples) > 1000
    assert f"{of} samples" in GUIDE.read_text(encoding="utf-8")


def test_what_the_strict_implementation_refuses_is_refused(
    namespaces: tuple[dict[str, Any], dict[str, Any]], record_property: Any
) -> None:
    theirs, ours = namespaces
    record_property("table", f"{len(split(REFUSED))} calls that array_api_strict refuses are refused")
    assert f"{len(split(REFUSED))} calls" in GUIDE.read_text(encoding="utf-8")
    for text in split(REFUSED):
        with pytest.raises(Exception):  # noqa: B017, PT011  (of many classes, AttributeError among them)
            eval(text, theirs)
        with pytest.raises((TypeError, ValueError, IndexError, OverflowError, RuntimeError)):
            eval(text, ours)
