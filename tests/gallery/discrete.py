"""Cells, primes, paths and sparse matrices."""

import numpy as np

from gallery.record import program


def soup(size, seed):
    return np.random.default_rng(seed).random((size, size)) < 0.35, 25


@program(soup, test=5, bench=280, others=(4, 8))
def life(alive, generations):
    """Conway's Game of Life on a torus; the board at the end, and how many cells lived in each generation."""
    population = np.zeros(generations, dtype=int)
    for g in range(generations):
        neighbours = np.zeros(alive.shape, dtype=np.int8)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                if dy == 0 and dx == 0:
                    continue
                neighbours += np.roll(np.roll(alive, dy, axis=0), dx, axis=1)
        alive = (neighbours == 3) | (alive & (neighbours == 2))
        population[g] = alive.sum()
        if population[g] == 0:
            break
    return alive, population


def sparse(size, seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 6, size)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    return indptr, rng.integers(0, size, indptr[-1]), rng.standard_normal(indptr[-1]), rng.standard_normal((size, 4))


@program(sparse, test=4, bench=1600, others=(3, 7))
def csr_product(indptr, indices, data, dense):
    """The product of a matrix in compressed sparse rows with a dense one."""
    rows = len(indptr) - 1
    columns = dense.shape[1]
    out = np.zeros((rows, columns))
    for i in range(rows):
        for k in range(indptr[i], indptr[i + 1]):
            for j in range(columns):
                out[i, j] += data[k] * dense[indices[k], j]
    return out


@program(lambda size, seed: (size + seed,), test=20, bench=3_500_000, others=(5, 31))
def sieve(n):
    """The primes below n, after Eratosthenes."""
    prime = np.ones(n, dtype=bool)
    prime[:2] = False
    p = 2
    while p * p < n:
        if prime[p]:
            prime[p * p :: p] = False
        p += 1
    return np.flatnonzero(prime)


def roads(size, seed):
    rng = np.random.default_rng(seed)
    distance = np.where(rng.random((size, size)) < 0.4, rng.integers(1, 20, (size, size)).astype(float), np.inf)
    np.fill_diagonal(distance, 0.0)
    return (distance,)


@program(roads, test=4, bench=24, others=(3, 6))
def floyd_warshall(distance):
    """Shortest ways between all pairs, in place; the first stop on each way, -1 where there is none (Floyd 1962)."""
    n = len(distance)
    following = np.where(np.isfinite(distance), np.arange(n), -1)
    for k in range(n):
        for i in range(n):
            if distance[i, k] == np.inf:
                continue
            for j in range(n):
                through = distance[i, k] + distance[k, j]
                if through < distance[i, j]:
                    distance[i, j] = through
                    following[i, j] = following[i, k]
    return following
