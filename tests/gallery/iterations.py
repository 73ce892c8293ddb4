"""Matrices applied again and again: dominant vectors, ranks, exponentials."""

import numpy as np

from gallery.record import program


def symmetric(size, seed):
    X = np.random.default_rng(seed).standard_normal((size, size))
    return X @ X.T / size, 1e-9


@program(symmetric, test=5, bench=300, others=(3, 8), rtol=1e-9)
def power_iteration(A, tolerance):
    """The largest eigenvalue of A and its vector."""
    v = np.ones(A.shape[0])
    v /= np.linalg.norm(v)
    value = 0.0
    change = np.inf
    while change > tolerance * abs(value):
        w = A @ v
        new = v @ w
        v = w / np.linalg.norm(w)
        change = abs(new - value)
        value = new
    return value, v


def links(size, seed):
    rng = np.random.default_rng(seed)
    return rng.integers(0, size, 4 * size), rng.integers(0, size, 4 * size), size, 0.85


@program(links, test=5, bench=170, others=(3, 9), rtol=1e-11)
def pagerank(sources, targets, n, damping):
    """The rank of each of `n` pages, given links as pairs; pages without links lead everywhere.

    Source: Page, Brin, Motwani, Winograd 1999, The PageRank Citation Ranking.
    """
    degree = np.bincount(sources, minlength=n)
    rank = np.full(n, 1.0 / n)
    while True:
        lost = rank[degree == 0].sum()
        new = np.full(n, (1.0 - damping + damping * lost) / n)
        for k in range(len(sources)):
            new[targets[k]] += damping * rank[sources[k]] / degree[sources[k]]
        if np.abs(new - rank).sum() < 1e-6:
            return new
        rank = new


def generator(size, seed):
    return (np.random.default_rng(seed).standard_normal((size, size)) * 2.0,)


@program(generator, test=4, bench=210, others=(3, 6), rtol=1e-10)
def matrix_exponential(A):
    """exp(A): a Taylor series of A / 2^s, squared s times (Moler & Van Loan 2003, method 3)."""
    norm = np.abs(A).sum(axis=0).max()
    s = max(0, int(np.ceil(np.log2(norm))) + 1)
    B = A / 2.0**s
    result = np.eye(len(A))
    term = np.eye(len(A))
    for k in range(1, 17):
        term = term @ B / k
        result += term
    for _ in range(s):
        result = result @ result
    return result
