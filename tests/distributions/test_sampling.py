"""Samples have the mean, the variance and the shares that they are to have, and gradients that follow the shares."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import distributions as D

COUNT = 20000
MADE: dict[str, Any] = {
    "normal": lambda: D.Normal(gl.tensor([1.0, -2.0]), gl.tensor([0.5, 2.0])),
    "laplace": lambda: D.Laplace(gl.tensor([1.0, -2.0]), gl.tensor([0.5, 2.0])),
    "gumbel": lambda: D.Gumbel(gl.tensor([1.0, -2.0]), gl.tensor([0.5, 2.0])),
    "exponential": lambda: D.Exponential(gl.tensor([0.5, 2.0])),
    "weibull": lambda: D.Weibull(gl.tensor([0.5, 2.0]), gl.tensor([1.5, 3.0])),
    "uniform": lambda: D.Uniform(gl.tensor([0.5, 2.0]), gl.tensor([1.5, 3.0])),
    "gamma": lambda: D.Gamma(gl.tensor([0.3, 4.0]), gl.tensor([0.5, 2.0])),
    "chi2": lambda: D.Chi2(gl.tensor([1.0, 4.0])),
    "inverse gamma": lambda: D.InverseGamma(gl.tensor([6.0, 8.0]), gl.tensor([0.5, 2.0])),
    "beta": lambda: D.Beta(gl.tensor([0.3, 4.0]), gl.tensor([0.5, 2.0])),
    "dirichlet": lambda: D.Dirichlet(gl.tensor([0.3, 4.0, 1.0])),
    "student": lambda: D.StudentT(gl.tensor([9.0, 15.0]), gl.tensor([1.0, -2.0]), gl.tensor([0.5, 2.0])),
    "lognormal": lambda: D.LogNormal(gl.tensor([0.1, -0.2]), gl.tensor([0.5, 0.3])),
    "half normal": lambda: D.HalfNormal(gl.tensor([0.5, 2.0])),
    "fisher": lambda: D.FisherSnedecor(gl.tensor([3.0, 8.0]), gl.tensor([20.0, 15.0])),
    "pareto": lambda: D.Pareto(gl.tensor([0.5, 2.0]), gl.tensor([9.0, 7.0])),
    "generalized pareto": lambda: D.GeneralizedPareto(
        gl.tensor([0.5, 2.0]), gl.tensor([1.0, 2.0]), gl.tensor([-0.3, 0.1])
    ),
    "kumaraswamy": lambda: D.Kumaraswamy(gl.tensor([0.5, 2.0]), gl.tensor([1.5, 3.0])),
    "continuous bernoulli": lambda: D.ContinuousBernoulli(gl.tensor([0.2, 0.5, 0.9])),
    "negative binomial": lambda: D.NegativeBinomial(gl.tensor([3.0, 0.7]), gl.tensor([0.2, 0.7])),
    "low rank": lambda: D.LowRankMultivariateNormal(
        gl.tensor([1.0, 2.0]), gl.tensor([[1.0], [-0.5]]), gl.tensor([0.3, 2.0])
    ),
    "bernoulli": lambda: D.Bernoulli(gl.tensor([0.2, 0.7])),
    "geometric": lambda: D.Geometric(gl.tensor([0.2, 0.7])),
    "binomial": lambda: D.Binomial(7, gl.tensor([0.2, 0.7])),
    "poisson": lambda: D.Poisson(gl.tensor([0.5, 12.0])),
    "one-hot": lambda: D.OneHotCategorical(gl.tensor([1.0, 3.0, 4.0])),
    "multinomial": lambda: D.Multinomial(9, gl.tensor([1.0, 3.0, 4.0])),
    "multivariate": lambda: D.MultivariateNormal(gl.tensor([1.0, 2.0]), gl.tensor([[2.0, 0.6], [0.6, 1.0]])),
    "wishart": lambda: D.Wishart(gl.tensor([4.5, 9.0]), gl.tensor([[2.0, 0.6], [0.6, 1.0]])),
    "mixture": lambda: D.MixtureSameFamily(
        D.Categorical(gl.tensor([0.2, 0.8])), D.Normal(gl.tensor([-2.0, 3.0]), gl.tensor([0.5, 1.0]))
    ),
    "mixture of vectors": lambda: D.MixtureSameFamily(
        D.Categorical(gl.tensor([0.2, 0.8])),
        D.Independent(D.Normal(gl.tensor([[-2.0, 1.0], [3.0, 0.0]]), gl.tensor([[0.5, 1.0], [1.0, 2.0]])), 1),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_samples_have_the_mean_and_the_variance(name: str) -> None:
    gl.manual_seed(11)
    made = MADE[name]()
    drawn = made.sample((COUNT,)).numpy().astype(np.float64)
    assert drawn.shape == (COUNT, *made.batch_shape, *made.event_shape)
    mean, variance = made.mean.numpy(), made.variance.numpy()
    # Five standard errors of the mean; the error of the variance grows with the fourth moment.
    np.testing.assert_allclose(drawn.mean(0), mean, atol=5 * math.sqrt(variance.max() / COUNT), rtol=0)
    fourth = ((drawn - drawn.mean(0)) ** 4).mean(0)
    error = np.sqrt(np.maximum(fourth - variance**2, variance**2) / COUNT)
    assert (abs(drawn.var(0) - variance) < 6 * error + 1e-6).all()
    assert not made.sample((2,)).requires_grad


@pytest.mark.parametrize("name", [each for each in MADE if each not in ("gumbel", "beta", "dirichlet", "student")])
def test_samples_lie_in_the_support(name: str) -> None:
    gl.manual_seed(5)
    made = MADE[name]()
    assert made.support.check(made.sample((200,))).all()


CONTINUOUS = {
    "normal": lambda: D.Normal(1.0, 2.0), "laplace": lambda: D.Laplace(1.0, 2.0), "cauchy": lambda: D.Cauchy(1.0, 2.0),
    "gumbel": lambda: D.Gumbel(1.0, 2.0), "uniform": lambda: D.Uniform(1.0, 2.0),
    "weibull": lambda: D.Weibull(1.0, 2.0),
    "exponential": lambda: D.Exponential(2.0), "gamma": lambda: D.Gamma(0.7, 2.0), "chi2": lambda: D.Chi2(3.0),
    "lognormal": lambda: D.LogNormal(0.5, 1.0), "half normal": lambda: D.HalfNormal(2.0),
    "half cauchy": lambda: D.HalfCauchy(2.0), "inverse gamma": lambda: D.InverseGamma(2.0, 1.5),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTINUOUS)
def test_shares_of_samples_are_even(name: str) -> None:
    """The largest distance of the sorted shares from even ones (Kolmogorov and Smirnov) is that of chance."""
    gl.manual_seed(17)
    made = CONTINUOUS[name]()
    shares = np.sort(made.cdf(made.sample((COUNT,))).numpy().astype(np.float64))
    distance = np.abs(shares - (np.arange(COUNT) + 0.5) / COUNT).max() * math.sqrt(COUNT)
    assert distance < 2.0


def test_categorical_draws_each_place_as_often_as_it_is_probable() -> None:
    gl.manual_seed(3)
    probs = gl.tensor([[0.1, 0.2, 0.7], [0.5, 0.5, 0.0]])
    drawn = D.Categorical(probs).sample((COUNT,)).numpy()
    assert drawn.shape == (COUNT, 2)
    for row in range(2):
        found = np.bincount(drawn[:, row], minlength=3) / COUNT
        np.testing.assert_allclose(found, probs[row].numpy(), atol=0.015)
    assert D.Categorical(probs).sample((0,)).shape == (0, 2)


def share_below(shape: float, x: float) -> float:
    return float(gl.igamma(gl.tensor(shape, dtype=gl.float64), gl.tensor(x, dtype=gl.float64)).item())


def number_below_which(share: float, shape: float) -> float:
    """The quantile, by halving."""
    low, high = 0.0, 200.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if share_below(shape, middle) < share else (low, middle)
    return (low + high) / 2


@pytest.mark.parametrize("shape", [0.2, 1.0, 3.5, 40.0])
def test_the_gradient_of_a_gamma_draw_is_that_of_the_number_below_which_its_share_lies(shape: float) -> None:
    gl.manual_seed(1)
    concentration = gl.tensor(shape, dtype=gl.float64).requires_grad_()
    for _ in range(2):
        drawn = D.Gamma(concentration, gl.tensor(1.0, dtype=gl.float64)).rsample()
        (slope,) = gl.autograd.grad(drawn, concentration)
        share, step = share_below(shape, drawn.item()), 1e-4 * shape
        numbers = [number_below_which(share, shape + sign * step) for sign in (1, -1)]
        assert slope.item() == pytest.approx((numbers[0] - numbers[1]) / (2 * step), rel=1e-4)


@pytest.mark.parametrize(
    ("make", "of_mean"),
    [
        (lambda a, b: D.Gamma(a, b), lambda a, b: (1 / b, -a / b**2)),
        (lambda a, b: D.Beta(a, b), lambda a, b: (b / (a + b) ** 2, -a / (a + b) ** 2)),
        (lambda a, b: D.LogNormal(a, 0.5 * b), lambda a, b: (math.exp(a + b * b / 8), b / 4 * math.exp(a + b * b / 8))),
        (lambda a, b: D.Weibull(a, b), lambda a, b: (math.gamma(1 + 1 / b), None)),
        (lambda a, b: D.Laplace(a, b), lambda a, b: (1.0, 0.0)),
        (lambda a, b: D.Uniform(a - b, a + 2 * b), lambda a, b: (1.0, 0.5)),
    ],
)  # fmt: skip
def test_gradients_of_many_samples_are_those_of_the_mean(make: Any, of_mean: Any) -> None:
    gl.manual_seed(2)
    a, b = gl.tensor(1.3, requires_grad=True), gl.tensor(0.8, requires_grad=True)
    make(a, b).rsample((20000,)).mean().backward()
    for leaf, expected in zip((a, b), of_mean(1.3, 0.8), strict=True):
        if expected is not None:
            assert leaf.grad.item() == pytest.approx(expected, rel=0.06, abs=0.04)


def test_samples_without_a_gradient_say_so() -> None:
    for made in (D.Bernoulli(0.5), D.Categorical(gl.ones(2)), D.Poisson(1.0), D.Geometric(0.5)):
        assert not made.has_rsample
        with pytest.raises(NotImplementedError, match="has no rsample"):
            made.rsample()


def test_straight_through_samples_are_one_hot_and_have_the_gradient_of_the_probabilities() -> None:
    gl.manual_seed(0)
    logits = gl.tensor([0.5, -1.0, 0.2], requires_grad=True)
    made = D.OneHotCategoricalStraightThrough(logits=logits)
    drawn = made.rsample()
    assert sorted(drawn.detach().round().tolist()) == [0.0, 0.0, 1.0]
    weight = gl.tensor([1.0, 2.0, 3.0])
    (drawn * weight).sum().backward()
    (expected,) = gl.autograd.grad((logits.softmax(-1) * weight).sum(), logits)
    np.testing.assert_allclose(logits.grad.numpy(), expected.numpy(), rtol=1e-5)


def test_small_concentrations_give_no_zeros_and_no_nans() -> None:
    gl.manual_seed(0)
    for made in (
        D.Gamma(gl.full((1000,), 1e-3), 1.0),
        D.Dirichlet(gl.full((500, 3), 1e-3)),
        D.Beta(gl.full((500,), 1e-3), 1e-3),
    ):
        drawn = made.sample()
        assert gl.isfinite(drawn).all() and (drawn > 0).all()


def test_angles_have_the_density_the_moments_and_the_range_that_they_are_to_have() -> None:
    loc, concentration = np.array([1.0, -3.0, 0.5]), np.array([0.3, 4.0, 300.0])
    made = D.VonMises(gl.tensor(loc), gl.tensor(concentration))
    angles = np.linspace(-3, 3, 7)
    wanted = concentration * np.cos(angles[:, None] - loc) - np.log(2 * np.pi * np.i0(concentration))
    np.testing.assert_allclose(made.log_prob(gl.tensor(angles)[:, None]).numpy(), wanted, rtol=1e-12)
    ask = gl.jit(lambda made: made.sample((COUNT,)), fullgraph=True)
    for sample in (lambda made: made.sample((COUNT,)), ask):
        gl.manual_seed(11)
        drawn = sample(made).numpy()
        assert drawn.dtype == np.float64
        assert (np.abs(drawn) <= np.pi).all()
        mean = np.exp(1j * drawn).mean(0)
        near = 5 / math.sqrt(COUNT)
        np.testing.assert_allclose(1 - np.abs(mean), made.variance.numpy(), atol=near)
        np.testing.assert_allclose(np.abs(np.exp(1j * (np.angle(mean) - loc)) - 1), 0, atol=near * 4)
    with pytest.raises(NotImplementedError, match="has no rsample"):
        made.rsample()


@pytest.mark.parametrize("concentration", [0.5, 3.0])
def test_correlations_are_spread_as_their_concentration_says(concentration: float) -> None:
    gl.manual_seed(4)
    factors = D.LKJCholesky(4, concentration).sample((COUNT,)).double()
    found = (factors @ factors.mT).numpy()
    np.testing.assert_allclose(np.diagonal(found, axis1=1, axis2=2), 1, atol=1e-6)
    lower = found[:, *np.tril_indices(4, -1)]
    # Each (r + 1) / 2 is of the beta distribution of twice this number.
    variance = 1 / (2 * (concentration - 1 + 4 / 2) + 1)
    np.testing.assert_allclose(lower.mean(0), 0, atol=5 * math.sqrt(variance / COUNT))
    np.testing.assert_allclose(lower.var(0), variance, rtol=0.05)


def test_too_few_degrees_of_freedom_are_refused_or_warned_of() -> None:
    with pytest.raises(ValueError, match=r"expected to be greater than ndim - 1 = 1"):
        D.Wishart(1.0, gl.eye(2))
    with pytest.warns(UserWarning, match="Singular samples are highly likely"):
        D.Wishart(1.5, gl.eye(2))
    with pytest.raises(ValueError, match="Exactly one of"):
        D.Wishart(3.0)
    with pytest.raises(ValueError, match="dim=1"):
        D.LKJCholesky(1)
