"""Chance: options priced by paths and by formula, spins at a temperature."""

import numpy as np

from gallery.record import program


def asian_call(size, seed):
    return np.random.default_rng(seed), 100.0, 105.0, 0.03, 0.2, 12, size


@program(asian_call, test=6, bench=27_000, others=(3, 10), rtol=1e-12)
def option_price(rng, spot, strike, rate, volatility, months, paths):
    """The price of a call on the monthly mean of a stock, and its standard error, by simulated paths."""
    dt = 1.0 / 12
    price = np.full(paths, spot)
    total = np.zeros(paths)
    for _ in range(months):
        z = rng.standard_normal(paths)
        price *= np.exp((rate - 0.5 * volatility**2) * dt + volatility * np.sqrt(dt) * z)
        total += price
    payoff = np.maximum(total / months - strike, 0.0) * np.exp(-rate * months * dt)
    return payoff.mean(), payoff.std(ddof=1) / np.sqrt(paths)


def spins(size, seed):
    rng = np.random.default_rng(seed)
    return rng.choice(np.array([-1, 1], dtype=np.int8), (size, size)), 0.44, 2, rng


@program(spins, test=4, bench=30, others=(3, 6))
def ising(spin, beta, sweeps, rng):
    """Flips spins in place by Metropolis's rule; the magnetisation after each sweep."""
    n, m = spin.shape
    magnetisation = []
    for _ in range(sweeps):
        for _ in range(n * m):
            i, j = rng.integers(n), rng.integers(m)
            around = spin[(i + 1) % n, j] + spin[i - 1, j] + spin[i, (j + 1) % m] + spin[i, j - 1]
            cost = 2 * spin[i, j] * around
            if cost <= 0 or rng.random() < np.exp(-beta * cost):
                spin[i, j] = -spin[i, j]
        magnetisation.append(spin.mean())
    return magnetisation


def options(size, seed):
    rng = np.random.default_rng(seed)
    return rng.uniform(80, 120, size), rng.uniform(80, 120, size), rng.uniform(0.1, 2.0, size), 0.02, 0.25


def normal_cdf(x):
    """The normal distribution to 7.5e-8: Abramowitz & Stegun, 26.2.17."""
    t = 1.0 / (1.0 + 0.2316419 * np.abs(x))
    tail = 0.0
    for c in (1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530):
        tail = (tail + c) * t
    tail = tail * np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi)
    return np.where(x >= 0, 1.0 - tail, tail)


@program(options, test=7, bench=250_000, others=(4, 12), rtol=1e-13)
def black_scholes(spot, strike, years, rate, volatility):
    """Prices of European calls and puts (Black & Scholes 1973)."""
    spread = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / spread
    d2 = d1 - spread
    discounted = strike * np.exp(-rate * years)
    call = spot * normal_cdf(d1) - discounted * normal_cdf(d2)
    return call, call - spot + discounted
