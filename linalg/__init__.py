"""Linear algebra under the names of `torch.linalg`: batches of matrices in float32 and float64, differentiable twice.

LAPACK does the work, through NumPy. Determinants and factors of complex matrices have no derivative.
"""

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
from .eigenvalues import eig, eigvals
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
    "eig",
    "eigh",
    "eigvals",
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
