"""Equations solved: tridiagonal, symmetric, nonlinear."""

import numpy as np

from gallery.record import program


def tridiagonal(size, seed):
    rng = np.random.default_rng(seed)
    lower, upper, right = rng.standard_normal((3, size))
    return lower, 4.0 + rng.random(size), upper, right


@program(tridiagonal, test=4, bench=9000, others=(3, 5))
def thomas(a, b, c, d):
    """x where a[i] x[i-1] + b[i] x[i] + c[i] x[i+1] = d[i]; Thomas's elimination, without pivots."""
    n = len(d)
    cp = np.zeros(n)
    dp = np.zeros(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    x = np.zeros(n)
    x[-1] = dp[-1]
    for i in range(n - 2, -1, -1):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x


def stiffness(size, seed):
    rng = np.random.default_rng(seed)
    A = 2.01 * np.eye(size) - np.eye(size, k=1) - np.eye(size, k=-1)
    return A, rng.standard_normal(size), 1e-10


@program(stiffness, test=6, bench=480, others=(4, 9), rtol=1e-8)
def conjugate_gradients(A, b, tolerance):
    """x where A x = b, A symmetric and positive definite (Hestenes & Stiefel 1952)."""
    x = np.zeros_like(b)
    r = b - A @ x
    p = r.copy()
    rs = r @ r
    while np.sqrt(rs) > tolerance * np.linalg.norm(b):
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        rs_new = r @ r
        p = r + (rs_new / rs) * p
        rs = rs_new
    return x


def orbits(size, seed):
    rng = np.random.default_rng(seed)
    return rng.uniform(0.0, 2 * np.pi, size), rng.uniform(0.0, 0.9, size), 1e-12


@program(orbits, test=4, bench=2000, others=(2, 7), rtol=1e-10)
def kepler(mean_anomaly, eccentricity, tolerance):
    """Eccentric anomalies E where E - e sin E = M, for each planet.

    Newton's method; a step that leaves the bracket becomes a bisection.
    """
    result = np.empty_like(mean_anomaly)
    for k in range(len(mean_anomaly)):
        M, e = mean_anomaly[k], eccentricity[k]
        low, high = 0.0, 2 * np.pi
        E = M
        for _ in range(60):
            residual = E - e * np.sin(E) - M
            if abs(residual) < tolerance:
                break
            if residual > 0:
                high = E
            else:
                low = E
            E = E - residual / (1 - e * np.cos(E))
            if not low < E < high:
                E = 0.5 * (low + high)
        else:
            E = np.nan
        result[k] = E
    return result
