"""Fields on grids: waves, heat, potentials."""

import numpy as np

from gallery.record import program


def plucked_string(size, seed):
    x = np.linspace(0.0, 1.0, size)
    place = 0.3 + 0.4 * np.random.default_rng(seed).random()
    return np.exp(-200.0 * (x - place) ** 2), 0.8, 2 * size


@program(plucked_string, test=9, bench=380, others=(6, 14))
def wave(start, courant, steps):
    """Displacements of a string at all times; its ends let waves out.

    Leapfrog steps inside; at the ends Mur's first-order condition (IEEE Trans. Electromagn. Compat. 23, 1981).
    """
    u = np.zeros((steps, len(start)))
    c2 = courant**2
    u[0] = start
    u[1, 1:-1] = start[1:-1] + 0.5 * c2 * (start[2:] - 2 * start[1:-1] + start[:-2])
    k = (courant - 1) / (courant + 1)
    for t in range(1, steps - 1):
        u[t + 1, 1:-1] = 2 * u[t, 1:-1] - u[t - 1, 1:-1]
        u[t + 1, 1:-1] += c2 * (u[t, 2:] - 2 * u[t, 1:-1] + u[t, :-2])
        u[t + 1, 0] = u[t, 1] + k * (u[t + 1, 1] - u[t, 0])
        u[t + 1, -1] = u[t, -2] + k * (u[t + 1, -2] - u[t, -1])
    return u


def heated_edges(size, seed):
    rng = np.random.default_rng(seed)
    plate = np.zeros((size, size + 2))
    plate[0, :] = 100.0 * rng.random()
    plate[:, 0] = 50.0 * rng.random()
    return plate, 1.2, 1e-2, 60 * size


@program(heated_edges, test=5, bench=28, others=(4, 7))
def heat(plate, conductivity, tolerance, limit):
    """The temperatures of a plate whose edges are held, once no point moves by more than `tolerance`; and the steps.

    Explicit steps of the largest stable length, unit spacing.
    """
    dt = 0.25 / conductivity
    steps = 0
    while steps < limit:
        new = plate.copy()
        around = plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]
        new[1:-1, 1:-1] += conductivity * dt * (around - 4 * plate[1:-1, 1:-1])
        change = np.max(np.abs(new - plate))
        plate = new
        steps += 1
        if change < tolerance:
            break
    return plate, steps


def charges(size, seed):
    rng = np.random.default_rng(seed)
    return np.zeros((size, size)), rng.standard_normal((size, size)), 1.0 / (size - 1), 3


@program(charges, test=5, bench=50, others=(4, 8))
def gauss_seidel(u, f, h, sweeps):
    """Relaxes `u` in place towards the solution of Poisson's equation; the largest correction of each sweep."""
    rows, columns = u.shape
    corrections = np.zeros(sweeps)
    for sweep in range(sweeps):
        largest = 0.0
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                new = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - h * h * f[i, j])
                largest = max(largest, abs(new - u[i, j]))
                u[i, j] = new
        corrections[sweep] = largest
    return corrections
