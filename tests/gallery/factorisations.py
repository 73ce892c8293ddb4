"""Matrices taken apart: LU, QR, Cholesky."""

import numpy as np

from gallery.record import program


def square(size, seed):
    return (np.random.default_rng(seed).standard_normal((size, size)),)


@program(square, test=4, bench=38, others=(3, 6))
def lu(A):
    """Overwrites A by its factors L (unit diagonal, not stored) and U; the order of the rows.

    Element by element, with partial pivoting (Golub & Van Loan, Matrix Computations, 3.4).
    """
    n = A.shape[0]
    order = np.arange(n)
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[pivot, k]):
                pivot = i
        if pivot != k:
            A[[k, pivot]] = A[[pivot, k]]
            order[k], order[pivot] = order[pivot], order[k]
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            for j in range(k + 1, n):
                A[i, j] -= A[i, k] * A[k, j]
    return order


def tall(size, seed):
    return (np.random.default_rng(seed).standard_normal((size + 3, size)),)


@program(tall, test=3, bench=150, others=(2, 5), rtol=1e-11)
def householder_qr(A):
    """Q and R with A = Q R, by reflections (Householder 1958)."""
    m, n = A.shape
    R = A.copy()
    Q = np.eye(m)
    for k in range(n):
        x = R[k:, k]
        v = x.copy()
        v[0] += np.copysign(np.linalg.norm(x), x[0])
        v /= np.linalg.norm(v)
        R[k:, k:] -= 2.0 * np.outer(v, v @ R[k:, k:])
        Q[:, k:] -= 2.0 * np.outer(Q[:, k:] @ v, v)
    return Q[:, :n], np.triu(R[:n])


def covariance(size, seed):
    samples = np.random.default_rng(seed).standard_normal((3 * size, size))
    return (samples.T @ samples / (3 * size) + 0.1 * np.eye(size),)


@program(covariance, test=4, bench=95, others=(3, 7), rtol=1e-12)
def cholesky(A):
    """The lower triangular L with A = L L^T; NaN from where A is not positive definite."""
    n = len(A)
    L = np.zeros_like(A)
    for i in range(n):
        for j in range(i):
            L[i, j] = (A[i, j] - L[i, :j] @ L[j, :j]) / L[j, j]
        rest = A[i, i] - L[i, :i] @ L[i, :i]
        if rest <= 0:
            L[i:, i:] = np.nan
            return L
        L[i, i] = np.sqrt(rest)
    return L
