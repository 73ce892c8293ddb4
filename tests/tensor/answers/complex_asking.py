"""The questions about complex tensors: expressions (complex.txt) over `t`, PyTorch or guardlift, and operands.

An answer is the value, its dtype, the gradients of the operands, and those of the gradients' squares.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

DTYPES = {"c": "complex64", "z": "complex128"}
"""By the first letter of a case's name, the dtype of the complex operands; the real ones have parts of it."""


def cases() -> list[str]:
    """The names: a letter for the dtype, and the expression."""
    lines = (Path(__file__).parent / "complex.txt").read_text().splitlines()
    found = [each.strip() for line in lines if not line.startswith("#") for each in line.split(";")]
    return [f"{letter} {each}" for each in found for letter in DTYPES]


def _written(x: Any, y: Any) -> Any:
    made = x * 1
    made[0] = y[1]
    made[1, 1] = 3 - 4j
    made[1, :1] *= 2
    return made


def operands(t: Any, dtype: str) -> dict[str, Any]:
    """The operands by name, complex ones of `dtype`."""
    draw = np.random.default_rng(5)

    def drawn(*shape: int) -> Any:
        return (draw.uniform(-2, 2, shape) + 1j * draw.uniform(-2, 2, shape)).astype(dtype)

    infinite, none = np.inf, np.nan
    made = {
        "a": drawn(2, 3),
        "b": drawn(2, 3),
        "m": drawn(4, 4) + 2 * np.eye(4, dtype=dtype),
        "v": drawn(4),
        "batch": drawn(2, 4, 4),
        "r": drawn(2, 3).real,
        "pairs": np.stack([drawn(3).real, drawn(3).real], -1),
        "zeros": np.array([0, 1j, -0.0], dtype),
        "odd": np.array([complex(none, 0), complex(0, infinite), complex(-infinite, none), 1], dtype),
        "cut": np.array([-2 + 1e-3j, -2 - 1e-3j, 0.5 + 1e-3j, 2 + 1e-3j, 2 - 1e-3j, 3j, -3j], dtype),
        "large": np.array([30 + 1j, -30 + 2j, 40j, -60 - 3j], dtype)[:3],
        "signal": drawn(2, 20).real,
        "frames": drawn(5, 6),
        "i": np.array([[1, 2, 3], [4, 5, 6]]),
        "k": np.array([[1, 2, 0], [0, 0, 1]]),
    }
    return {name: t.tensor(each, requires_grad=each.dtype.kind in "fc") for name, each in made.items()}


def ask(t: Any, name: str, wrap: Any = None) -> list[Any]:
    """The answer: texts and arrays, or the word "error".   wrap: what makes another function of the expression."""
    letter, expression = name[0], name[2:]
    given = operands(t, DTYPES[letter])
    names = [each for each in given if each in _words(expression)]
    scope = {"t": t, "written": _written}
    function = eval(f"lambda {', '.join(names)}: {expression}", scope)  # noqa: S307  (the list above)
    try:
        result = (function if wrap is None else wrap(function))(*(given[each] for each in names))
    except (RuntimeError, NotImplementedError, TypeError, ValueError, IndexError):
        return ["error"]
    answer: list[Any] = []
    for each in result if isinstance(result, tuple) else (result,):
        answer += _shown(t, each)
        if hasattr(each, "requires_grad") and each.requires_grad:
            answer += _gradients(t, each, [given[name] for name in names if given[name].requires_grad])
    return answer


def _words(expression: str) -> set[str]:
    text = "".join(each if each.isalnum() or each in "_." else " " for each in expression)
    return {word.split(".")[0] for word in text.split()}


def _shown(t: Any, value: Any) -> list[Any]:
    if not isinstance(value, t.Tensor):
        return [str(value).rpartition(".")[2] if isinstance(value, t.dtype) else np.asarray(value)]
    return [str(value.dtype).rpartition(".")[2], value.numpy(force=True)]


def _gradients(t: Any, result: Any, leaves: list[Any]) -> list[Any]:
    weights = np.random.default_rng(7).uniform(-1, 1, (2, *result.shape))
    whole = weights[0] + 1j * weights[1] if result.dtype.is_complex else weights[0]
    weighed = result * t.tensor(whole.astype(str(result.dtype).rpartition(".")[2]))
    loss = (weighed.real if weighed.dtype.is_complex else weighed).sum()
    first = t.autograd.grad(loss, leaves, create_graph=True, allow_unused=True)
    known = [each for each in first if each is not None]
    answer = [None if each is None else each.numpy(force=True) for each in first]
    squares = [
        (each.abs() ** 2 if each.dtype.is_complex else each * each).sum() for each in known if each.requires_grad
    ]
    if not squares:
        return [each for each in answer if each is not None]
    second = t.autograd.grad(sum(squares), leaves, allow_unused=True)
    answer += [None if each is None else each.numpy(force=True) for each in second]
    return [np.zeros(()) if each is None else each for each in answer]
