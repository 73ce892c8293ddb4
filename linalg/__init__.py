"""Linear algebra under the names of `torch.linalg`: batches of matrices in float32 and float64, differentiable twice.

LAPACK does the work, through NumPy. There are no complex tensors, and so no `eig` and `eigvals`.
"""

from ..core.errors import LinAlgError
from .decompositions import (
    cholesky,
    cholesky_ex,
    eigh,
    eigvalsh,
    qr,
    svd,
    svdvals,
)
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
    "inv",
    "inv_ex",
    "lstsq",
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
