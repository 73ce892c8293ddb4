"""Linear algebra under the names of `torch.linalg`: batches of matrices in float32 and float64, differentiable twice.

LAPACK does the work, through NumPy. There are no complex tensors, and so no `eig` and `eigvals`.
"""

from typing import Any

from ..core.errors import LinAlgError
from ..tensor.reflections import householder_product
from .decompositions import (
    cholesky,
    cholesky_ex,
    eigh,
    eigvalsh,
    qr,
    svd,
    svdvals,
)
from .elimination import lu, lu_factor, lu_factor_ex, lu_solve
from .norms import cond, matrix_norm, matrix_rank, norm, vector_norm
from .products import cross, diagonal, matmul, matrix_exp, matrix_power, multi_dot, vander, vecdot
from .solving import (
    det,
    inv,
    inv_ex,
    lstsq,
    pinv,
    slogdet,
    solve,
    solve_ex,
    solve_triangular,
    tensorinv,
    tensorsolve,
)
from .symmetric import ldl_factor, ldl_factor_ex, ldl_solve

__all__ = [
    "LinAlgError",
    "cholesky",
    "cholesky_ex",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eigh",
    "eigvalsh",
    "householder_product",
    "inv",
    "inv_ex",
    "ldl_factor",
    "ldl_factor_ex",
    "ldl_solve",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "lu_solve",
    "matmul",
    "matrix_exp",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "multi_dot",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_ex",
    "solve_triangular",
    "svd",
    "svdvals",
    "tensorinv",
    "tensorsolve",
    "vander",
    "vecdot",
    "vector_norm",
]


def __getattr__(name: str) -> Any:
    if name in ("eig", "eigvals"):
        raise AttributeError(
            f"guardlift.linalg has no {name}: eigenvalues of matrices that are not symmetric are complex, and there "
            "are no complex tensors. Take eigh or eigvalsh for symmetric ones, or numpy.linalg on x.detach().numpy()"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
