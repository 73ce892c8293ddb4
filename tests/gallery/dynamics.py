"""Things that move: populations, atoms."""

import numpy as np

from gallery.record import program


def populations(size, seed):
    rng = np.random.default_rng(seed)
    return np.array([10.0, 5.0]) * (0.5 + rng.random(2)), np.array([1.1, 0.4, 0.1, 0.4]), 0.05, size


def growth(state, rates):
    prey, predators = state
    birth, hunt, gain, death = rates
    return np.array([birth * prey - hunt * prey * predators, gain * prey * predators - death * predators])


@program(populations, test=4, bench=300, others=(2, 7))
def predator_prey(start, rates, dt, steps):
    """Prey and predators over time, by the Lotka-Volterra equations and the classical Runge-Kutta method."""
    path = np.empty((steps + 1, 2))
    path[0] = start
    state = start
    for k in range(steps):
        k1 = growth(state, rates)
        k2 = growth(state + 0.5 * dt * k1, rates)
        k3 = growth(state + 0.5 * dt * k2, rates)
        k4 = growth(state + dt * k3, rates)
        state = state + dt / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)
        path[k + 1] = state
    return path


def gas(size, seed):
    rng = np.random.default_rng(seed)
    side = int(np.ceil(size ** (1 / 3)))
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3), axis=-1).reshape(-1, 3)[:size]
    return 1.2 * grid + rng.uniform(-0.1, 0.1, (size, 3)), 1.2 * side, 2.5


@program(gas, test=5, bench=36, others=(3, 8), rtol=1e-11)
def lennard_jones(positions, box, cutoff):
    """Forces on atoms in a periodic box and their potential energy, in reduced units."""
    n = len(positions)
    forces = np.zeros_like(positions)
    energy = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            d = positions[i] - positions[j]
            d -= box * np.round(d / box)
            r2 = np.sum(d * d)
            if r2 > cutoff * cutoff:
                continue
            s6 = 1.0 / r2**3
            energy += 4.0 * s6 * (s6 - 1.0)
            f = 24.0 * s6 * (2.0 * s6 - 1.0) / r2 * d
            forces[i] += f
            forces[j] -= f
    return forces, energy
