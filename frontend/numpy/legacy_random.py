"""Draws from `numpy.random.RandomState`, and so from the global generator of `np.random`: NumPy itself is called.

See Note [Drawing].
"""

from __future__ import annotations

from ..tracing.rules import Rule
from .callouts.draws import by_numpy, shuffled_by_numpy

METHOD = "numpy.random.RandomState."
"""Begins the names of its methods, for call-outs."""
_CALLED_OUT = (
    *("rand", "randn", "randint", "random", "random_sample", "uniform", "normal", "standard_normal", "exponential"),
    *("standard_exponential", "choice", "permutation", "seed"),
    *("beta", "binomial", "chisquare", "dirichlet", "f", "gamma", "geometric", "gumbel", "hypergeometric", "laplace"),
    *("logistic", "lognormal", "logseries", "multinomial", "multivariate_normal", "negative_binomial"),
    *("noncentral_chisquare", "noncentral_f", "pareto", "poisson", "power", "rayleigh", "standard_cauchy"),
    *("standard_gamma", "standard_t", "triangular", "vonmises", "wald", "weibull", "zipf"),
)
METHODS: dict[str, Rule] = {
    **{name: by_numpy(METHOD + name) for name in _CALLED_OUT},
    "shuffle": shuffled_by_numpy(METHOD + "shuffle"),
}
"""Rules of the methods by which a trace draws, by name."""
