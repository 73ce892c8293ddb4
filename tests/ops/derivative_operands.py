"""The operands at which ops have the derivatives that their rules give: matrices of linear algebra, and no draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from guardlift.ops import OpDef

PATHWISE = {"standard_gamma"}
"""Draws, which differences do not see move with their parameters as their rules say."""
IN_PART = {"zeta", "gamma_slope", "gammainc", "gammaincc", "ldl", "ldl_solve"}
"""Ops some of whose derivatives, first or second ones, are an error; tests/autograd/test_gradcheck_functions.py."""
NOT_SWEPT = PATHWISE | IN_PART
SYMMETRIC = {"cholesky", "eigh"}
REGULAR = {
    "solve",
    "solve_triangular",
    "inverse",
    "det",
    "cofactors",
    "cofactor_slopes",
    "slogdet",
    "cholesky",
    "eigh",
    "qr",
    "svd",
    "lu",
    "pinv",
}
"""Ops of matrices, by name, that have no derivative where these have equal rows."""


def symmetrised(op: OpDef, attrs: Any, matrix: Any) -> Any:
    """A matrix, or a direction, as the op may be given it: symmetric where it reads one triangle for both."""
    if op.name in SYMMETRIC or dict(attrs).get("hermitian"):
        return (matrix + matrix.swapaxes(-1, -2)) / 2
    return matrix


def on_symmetric(op: OpDef, attrs: Any) -> Callable[..., tuple[Any, ...]]:
    """The function of operands that makes the first of them symmetric where the op needs it."""
    return lambda first, *rest: (symmetrised(op, attrs, first), *rest)


def on_regular(op: OpDef, attrs: Any, shift: Any) -> Callable[..., tuple[Any, ...]]:
    """The function of operands that adds `shift` to the first of them where the op needs regular matrices."""

    def prepared(first: Any, *rest: Any) -> tuple[Any, ...]:
        moved = first + shift if op.name in REGULAR else first
        return (symmetrised(op, attrs, moved), *rest)

    return prepared
