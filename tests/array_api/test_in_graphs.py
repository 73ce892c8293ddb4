"""Functions of `gl.xp` in jitted functions: whole graphs that give what eager mode gives."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from array_api.catalogue import environment, expressions
from frontend.language import compiled, plain
from oracle import under

import guardlift as gl
from guardlift.frontend import state_of

NAMES = environment(gl.xp)
ARRAYS = {name: each for name, each in NAMES.items() if isinstance(each, gl.Tensor)}
OF_VALUES = re.compile(
    r"xp\.(nextafter|unique_\w+|from_dlpack)\(|xp\.repeat\(.*ones_there|eig(vals)?\(|matrix_norm\([mw], ord=(2|\"nuc\")"
    r"|linalg\.(cholesky|det|eigh|eigvalsh|matrix_rank|pinv|qr|slogdet|svd|svdvals)\(.*\b[mzw]\b"
)
"""Calls that are computed from values, or give a shape that follows from them: left to Python."""


def leaves(value: Any) -> list[Any]:
    if isinstance(value, tuple):
        return [type(value).__name__, *(leaf for each in value for leaf in leaves(each))]
    return [(value.dtype, value.numpy())] if isinstance(value, gl.Tensor) else [value]


def check(samples: list[str]) -> None:
    """All samples in one program, jitted, against each of them alone in eager mode."""
    used = [name for name in ARRAYS if re.search(rf"\b{name}\b", " ".join(samples))]
    scope: dict[str, Any] = {"xp": gl.xp}
    exec(f"def program({', '.join(used)}):\n    return ({', '.join(samples)},)", scope)
    jitted = gl.jit(scope["program"])
    for _ in range(2):
        with under("reference"):
            results = jitted(*(ARRAYS[name] for name in used))
        for text, result in zip(samples, results, strict=True):
            for wanted, got in zip(leaves(eval(text, NAMES)), leaves(result), strict=True):
                if isinstance(wanted, tuple):
                    assert wanted[0] is got[0] and wanted[1].shape == got[1].shape, text
                    np.testing.assert_allclose(got[1], wanted[1], rtol=2e-6, atol=1e-6, err_msg=text)
                else:
                    assert wanted == got, text
    assert not gl.explain(jitted).breaks and len(state_of(jitted).history) == 1


def test_samples_of_every_function_become_one_graph() -> None:
    whole = [text for text in expressions() if not OF_VALUES.search(text)]
    by_function: dict[str, list[str]] = {}
    for text in whole:
        by_function.setdefault(text.split("(")[0], []).append(text)
    few = [text for texts in by_function.values() for text in texts[:1]]
    for start in range(0, len(few), 40):
        check(few[start : start + 40])


@pytest.mark.slow
def test_all_samples_do() -> None:
    whole = [text for text in expressions() if not OF_VALUES.search(text)]
    for start in range(0, len(whole), 40):
        check(whole[start : start + 40])


def test_an_array_of_numpys_gives_numpy() -> None:
    def function(x: Any) -> Any:
        xp = x.__array_namespace__(api_version="2022.12")
        return xp.astype(x, xp.float32), xp is np, x.device

    compiled(function, np.arange(3.0))
    plain(lambda x: x.__array_namespace__(api_version="1999.1"), np.arange(3.0), code="B304")


def test_the_namespace_is_found_in_the_trace_and_answers_there() -> None:
    def function(x: gl.Tensor) -> Any:
        xp = x.__array_namespace__(api_version="2024.12")
        info = xp.__array_namespace_info__()
        wide = xp.astype(x, info.default_dtypes()["integral"])
        kinds = xp.isdtype(x.dtype, "real floating"), xp.can_cast(xp.int8, wide.dtype), xp is x.__array_namespace__()
        return wide, kinds, xp.finfo(x.dtype).eps, hasattr(xp, "complex64"), "float64" in info.dtypes(kind="numeric")

    jitted = gl.jit(function)
    x = gl.tensor([1.5, 2.5])
    with under("reference"):
        wanted, got = function(x), jitted(x)
    assert got[0].tolist() == wanted[0].tolist() == [1, 2] and got[1:] == wanted[1:]
    assert not gl.explain(jitted).breaks and len(state_of(jitted).history) == 1
