"""Signals: a recursive filter, a spline through samples, a filter's impedance."""

import numpy as np

from gallery.record import program


def noise(size, seed):
    # A Butterworth low-pass of second order, cut off at a tenth of the sampling rate.
    b = np.array([0.0674552738, 0.1349105476, 0.0674552738])
    a = np.array([1.0, -1.1429805025, 0.4128015980])
    return b, a, np.random.default_rng(seed).standard_normal(size)


@program(noise, test=6, bench=7000, others=(3, 9))
def iir_filter(b, a, x):
    """x filtered by the rational transfer function b / a, in the transposed direct form II."""
    order = len(a) - 1
    state = np.zeros(order + 1)
    y = np.zeros_like(x)
    for n in range(len(x)):
        y[n] = b[0] * x[n] + state[0]
        for k in range(order):
            state[k] = b[k + 1] * x[n] - a[k + 1] * y[n] + state[k + 1]
    return y


def samples(size, seed):
    rng = np.random.default_rng(seed)
    knots = np.sort(rng.uniform(0.0, 10.0, size))
    return knots, np.sin(knots), np.linspace(knots[0], knots[-1], 3 * size)


@program(samples, test=4, bench=1400, others=(3, 5))
def spline(knots, values, points):
    """The natural cubic spline through the values, at ascending points (Burden & Faires, Numerical Analysis, 3.5)."""
    n = len(knots) - 1
    h = knots[1:] - knots[:-1]
    mu = np.zeros(n + 1)
    z = np.zeros(n + 1)
    c = np.zeros(n + 1)
    for i in range(1, n):
        slope = 3 * ((values[i + 1] - values[i]) / h[i] - (values[i] - values[i - 1]) / h[i - 1])
        pivot = 2 * (knots[i + 1] - knots[i - 1]) - h[i - 1] * mu[i - 1]
        mu[i] = h[i] / pivot
        z[i] = (slope - h[i - 1] * z[i - 1]) / pivot
    for i in reversed(range(n)):
        c[i] = z[i] - mu[i] * c[i + 1]
    result = np.empty(len(points))
    i = 0
    for k, x in enumerate(points):
        while i < n - 1 and x > knots[i + 1]:
            i += 1
        t = x - knots[i]
        b = (values[i + 1] - values[i]) / h[i] - h[i] * (c[i + 1] + 2 * c[i]) / 3
        d = (c[i + 1] - c[i]) / (3 * h[i])
        result[k] = values[i] + t * (b + t * (c[i] + t * d))
    return result


def ladder(size, seed):
    rng = np.random.default_rng(seed)
    return np.logspace(2, 6, size), rng.uniform(1, 50, 5), rng.uniform(1e-6, 1e-4, 5), rng.uniform(1e-9, 1e-7, 5), 50.0


@program(ladder, test=3, bench=2800, others=(2, 5), rtol=1e-12)
def impedance(frequencies, R, L, C, load):
    """The input impedance of a ladder of sections, R and L in series, C across, at each frequency in Hz."""
    result = np.empty(len(frequencies), dtype=complex)
    for k in range(len(frequencies)):
        omega = 2 * np.pi * frequencies[k]
        z = complex(load)
        for s in range(len(R)):
            admittance = 1 / z + 1j * omega * C[s]
            z = 1 / admittance + R[s] + 1j * omega * L[s]
        result[k] = z
    return result
