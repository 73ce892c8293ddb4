"""A parametrization of orthogonal matrices: the exponential, Cayley's map, or products of reflections."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from ...autograd.modes import no_grad
from ...tensor import Tensor
from ...tensor.arithmetic import add, mul, sub
from ...tensor.creation import eye, zeros_like
from ...tensor.drawing import digits
from ...tensor.elementary import allclose
from ...tensor.joining import cat
from ...tensor.linear_algebra import matrix_exp, orthogonal_parts_of, solution_of
from ...tensor.random import randn
from ...tensor.reflections import householder_product
from ...tensor.surface import surface
from ..errors import LayerArgumentError
from ..module import Module
from .parametrize import register_parametrization

M = TypeVar("M", bound=Module)
_MAPS = ("matrix_exp", "cayley", "householder")


@surface
def _cayley(A: Tensor) -> Tensor:
    """Cayley's map of skew-symmetric matrices."""
    one = eye(A.shape[-1], dtype=A.dtype, device=A.device)
    half = mul(A, 0.5)
    return solution_of("orthogonal", sub(one, half), add(one, half), True)  # type: ignore[no-any-return]


def _is_orthogonal(Q: Tensor) -> bool:
    rows, columns = Q.shape[-2:]
    near = 10 * rows * 2.0 ** (1 - digits(Q.dtype))
    return bool(allclose(Q.mT @ Q, eye(columns, dtype=Q.dtype, device=Q.device), atol=near))


def _made_orthogonal(A: Tensor) -> Tensor:
    """Q of A = Q R with a positive diagonal of R."""
    Q, R = orthogonal_parts_of("orthogonal", A, "reduced")
    return Q * R.diagonal(dim1=-2, dim2=-1).sign().unsqueeze(-2)


def _reflections(Q: Tensor) -> Tensor:
    """The vectors of which `householder_product` makes this orthogonal matrix, below the diagonal, and on it signs."""
    raw, scales = (np.ascontiguousarray(each) for each in np.linalg.qr(Q.detach().numpy(), mode="raw"))
    found = np.swapaxes(raw, -1, -2).copy()
    signs = np.sign(np.diagonal(found, axis1=-2, axis2=-1))
    signs = np.where(scales == 0, -signs, signs)
    places = np.arange(signs.shape[-1])
    found[..., places, places] = signs
    return Tensor._wrap(found)


class _Orthogonal(Module):
    """An orthogonal matrix made of any one; of one that is wider than high, the rows are orthogonal."""

    base: Tensor | None

    def __init__(self, weight: Tensor, orthogonal_map: str, use_trivialization: bool = True) -> None:
        super().__init__()
        self.shape = tuple(weight.shape)
        self.orthogonal_map = orthogonal_map
        self.use_trivialization = use_trivialization
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Tensor) -> Tensor:
        """The orthogonal matrix."""
        rows, columns = X.shape[-2:]
        is_wide = rows < columns
        if is_wide:
            X, rows, columns = X.mT, columns, rows
        if self.orthogonal_map == "householder":
            A = X.tril(-1)
            Q = householder_product(A, 2.0 / (1.0 + (A * A).sum(-2)))
            Q = Q * X.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)
        else:
            X = X.tril()
            if rows != columns:
                X = cat([X, X.new_zeros((*X.shape[:-1], rows - columns))], -1)
            A = X - X.mT
            if self.orthogonal_map == "matrix_exp":
                Q = matrix_exp(A)
            else:
                Q = _cayley(A)
            Q = Q[..., :columns]
        if self.use_trivialization:
            Q = self.base @ Q
        return Q.mT if is_wide else Q  # type: ignore[no-any-return]

    def right_inverse(self, Q: Tensor) -> Tensor:
        """The tensor to be stored so that the result is `Q`, or the matrix nearest to it by QR.

        Errors: ValueError for another shape; NotImplementedError for maps that go one way only, without a base.
        """
        if tuple(Q.shape) != self.shape:
            raise LayerArgumentError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {tuple(Q.shape)}."
            )
        with no_grad():
            return self._stored_for(Q)

    def _stored_for(self, Q: Tensor) -> Tensor:
        given, (rows, columns) = Q, Q.shape[-2:]
        is_wide = rows < columns
        if is_wide:
            Q, rows, columns = Q.mT, columns, rows
        if not self.use_trivialization:
            if self.orthogonal_map != "householder":
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
                    "use_trivialization=False."
                )
            found = _reflections(Q)
            return found.mT if is_wide else found  # type: ignore[no-any-return]
        if rows != columns:
            more = randn(*Q.shape[:-1], rows - columns, dtype=Q.dtype, device=Q.device)
            Q = _made_orthogonal(cat([Q, more], -1))
        else:
            Q = Q.clone() if _is_orthogonal(Q) else _made_orthogonal(Q)
        self.base = Q
        start: Tensor = zeros_like(given)
        start.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return start


def orthogonal(
    module: M, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> M:
    """`module`, whose weight has orthogonal columns, or orthogonal rows if it is wider than high.

    orthogonal_map: "matrix_exp", by default for square weights, "cayley", or "householder", by default for others.
    use_trivialization: makes the weight by a fixed orthogonal matrix, so that one may be assigned; needs n² more.
    Errors: ValueError for a name that is no tensor of the module, for less than two axes, and for another map.
    Source: Lezcano-Casado 2019, Trivializations for Gradient-Based Optimization on Manifolds.
    """
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise LayerArgumentError(f"Module '{type(module).__name__}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise LayerArgumentError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        orthogonal_map = "matrix_exp" if weight.shape[-2] == weight.shape[-1] else "householder"
    if orthogonal_map not in _MAPS:
        raise LayerArgumentError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    made = _Orthogonal(weight, orthogonal_map, use_trivialization)
    return register_parametrization(module, name, made, unsafe=True)


__all__ = ["orthogonal"]
