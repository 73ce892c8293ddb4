"""The functions of the surface inside of `vmap`: what they were asked about PyTorch, of one call of two."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import guardlift as gl

_ANSWERS = Path(__file__).parent.parent / "tensor" / "answers"
sys.path[:0] = [str(_ANSWERS)]
import asking  # noqa: E402
import comparing  # noqa: E402
import operands  # noqa: E402

del sys.path[:1]

CASES = asking.cases()
BY_VALUES = set(
    "allclose argwhere bincount equal is_nonzero masked_scatter masked_scatter_ masked_select nonzero one_hot "
    "repeat_interleave scatter_reduce scatter_reduce_ tensor_split unique unique_consecutive quantile nanquantile "
    "index_fill index_fill_ index_reduce index_reduce_ item tolist index setitem put put_ index_put "
    "index_put_ take_along_dim histc".split()
)
"""The functions whose results depend on values in a way that no batch has: on their number, or on what is compared."""
OF_NO_TENSOR = set(
    "dim element_size is_complex is_contiguous is_floating_point is_same_size is_signed ndimension nelement numel size "
    "get_device is_shared new_empty_strided requires_grad requires_grad_ stride type ones_like "
    "zeros_like full_like empty_like ndim shape len".split()
)
"""The functions that give no tensors, or are asked for something that is none."""


def second_of_two(question: Any) -> Any:
    """The question as it is answered for the second of two calls, the first of which has the elements backwards."""

    def run(*given: Any) -> Any:
        dims = tuple(0 if isinstance(each, gl.Tensor) else None for each in given)
        stacked = [each if dim is None else _two(each) for each, dim in zip(given, dims, strict=True)]
        return _second(gl.vmap(question, in_dims=dims)(*stacked))

    return run


def _two(x: Any) -> Any:
    return gl.stack([x.detach().reshape(-1).flip(0).reshape(x.shape), x])


def _second(found: Any) -> Any:
    return [_second(each) for each in found] if isinstance(found, (tuple, list)) else found[1]


def differing(cases: list[Any], wrap: Any) -> list[str]:
    found = []
    for case in cases:
        given = [operands.build(gl, name) for name in case.operands]
        tensors = [each for each in given if isinstance(each, gl.Tensor)]
        if not tensors or any(each.is_sparse for each in tensors) or case.function in BY_VALUES | OF_NO_TENSOR:
            continue
        plain = asking.ask(gl, gl.nn.functional, case)
        if "error" in plain:
            continue
        mapped = asking.ask(gl, gl.nn.functional, case, wrap)
        words = comparing.differences(mapped, plain, operands.coarsest(case.operands))
        # The two are stacked row by row, in memory of their own; zeros may have a history where they have none else.
        if words not in ([], ["first tracked"], ["value strides"], ["memory"]):
            found.append(f"{words[0]}: {case.name}")
    return found


@pytest.mark.filterwarnings("ignore:There is a performance drop")
def test_functions_do_for_each_call_what_they_do_for_one() -> None:
    assert differing(CASES[::41], second_of_two) == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:There is a performance drop")
def test_all_functions_do_for_each_call_what_they_do_for_one() -> None:
    assert differing(CASES, second_of_two) == []


@pytest.mark.slow
def test_jitted_functions_do_so_too() -> None:
    assert differing(CASES[::97], lambda question: gl.jit(second_of_two(question))) == []
