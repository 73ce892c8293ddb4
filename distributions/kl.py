"""The Kullback-Leibler divergences that are known in closed form."""

from __future__ import annotations

import math
from typing import Any

from ..linalg import solve_triangular
from ..nn.functional import softplus
from ..tensor.creation import ones_like
from ..tensor.elementary import xlogy
from ..tensor.pointwise import logical_or, where
from .binary import Bernoulli, Binomial, Geometric, Poisson
from .categorical import Categorical, OneHotCategorical
from .composed import Independent, sum_rightmost
from .continuous import Cauchy, Exponential, Gumbel, Laplace, Uniform
from .continuous_bernoulli import ContinuousBernoulli
from .divergence import kl_divergence, register_kl
from .gamma import Beta, Dirichlet, Gamma
from .multivariate import MultivariateNormal, half_log_determinant, squared_distance
from .normal import Normal
from .parameters import all_valid
from .pareto import Pareto
from .transformed import HalfNormal, TransformedDistribution

Value = Any


def infinite_like(value: Value) -> Value:
    """Infinity for each element."""
    return value * 0 + math.inf


def no_mass(value: Value, weight: Value) -> Value:
    """`value`, and 0 where `weight` is 0, whatever the value is there."""
    return where(weight == 0, 0.0, value)


@register_kl(Normal, Normal)
def normal_normal(p: Normal, q: Normal) -> Value:
    """Both normal."""
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(Bernoulli, Bernoulli)
def bernoulli_bernoulli(p: Bernoulli, q: Bernoulli) -> Value:
    """Both of one trial; infinite where `q` rules out what `p` does not."""
    ones = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    ones = where(q.probs == 0, math.inf, ones)
    ones = where(p.probs == 0, 0.0, ones)
    zeros = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    zeros = where(q.probs == 1, math.inf, zeros)
    return ones + where(p.probs == 1, 0.0, zeros)


@register_kl(Binomial, Binomial)
def binomial_binomial(p: Binomial, q: Binomial) -> Value:
    """Both of many trials. Errors: NotImplementedError where `p` has fewer of them than `q`."""
    if not all_valid(p.total_count >= q.total_count):
        raise NotImplementedError("KL between Binomials where q.total_count > p.total_count is not implemented")
    found = p.total_count * (p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p())
    return where(p.total_count > q.total_count, math.inf, found)


@register_kl(Categorical, Categorical)
def categorical_categorical(p: Categorical, q: Categorical) -> Value:
    """Both of places; infinite where `q` rules out what `p` does not."""
    found = p.probs * (p.logits - q.logits)
    found = where(q.probs == 0, math.inf, found)
    found = where(p.probs == 0, 0.0, found)
    return found.sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def one_hot_one_hot(p: OneHotCategorical, q: OneHotCategorical) -> Value:
    """The divergence of the places."""
    return categorical_categorical(p._categorical, q._categorical)


@register_kl(Beta, Beta)
def beta_beta(p: Beta, q: Beta) -> Value:
    """Both beta."""
    total_p, total_q = p.concentration1 + p.concentration0, q.concentration1 + q.concentration0
    first = q.concentration1.lgamma() + q.concentration0.lgamma() + total_p.lgamma()
    second = p.concentration1.lgamma() + p.concentration0.lgamma() + total_q.lgamma()
    third = (p.concentration1 - q.concentration1) * p.concentration1.digamma()
    fourth = (p.concentration0 - q.concentration0) * p.concentration0.digamma()
    return first - second + third + fourth + (total_q - total_p) * total_p.digamma()


@register_kl(Dirichlet, Dirichlet)
def dirichlet_dirichlet(p: Dirichlet, q: Dirichlet) -> Value:
    """Both Dirichlet."""
    total_p, total_q = p.concentration.sum(-1), q.concentration.sum(-1)
    first = total_p.lgamma() - total_q.lgamma()
    second = (p.concentration.lgamma() - q.concentration.lgamma()).sum(-1)
    third = p.concentration - q.concentration
    fourth = p.concentration.digamma() - total_p.digamma().unsqueeze(-1)
    return first - second + (third * fourth).sum(-1)


@register_kl(Exponential, Exponential)
def exponential_exponential(p: Exponential, q: Exponential) -> Value:
    """Both exponential."""
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Gamma, Gamma)
def gamma_gamma(p: Gamma, q: Gamma) -> Value:
    """Both gamma."""
    first = q.concentration * (p.rate / q.rate).log()
    second = q.concentration.lgamma() - p.concentration.lgamma()
    third = (p.concentration - q.concentration) * p.concentration.digamma()
    return first + second + third + (q.rate - p.rate) * (p.concentration / p.rate)


@register_kl(Geometric, Geometric)
def geometric_geometric(p: Geometric, q: Geometric) -> Value:
    """Both of trials until a success."""
    return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits


@register_kl(HalfNormal, HalfNormal)
def half_normal_half_normal(p: HalfNormal, q: HalfNormal) -> Value:
    """The divergence of the normal ones."""
    return normal_normal(p.base_dist, q.base_dist)


@register_kl(Laplace, Laplace)
def laplace_laplace(p: Laplace, q: Laplace) -> Value:
    """Both Laplace."""
    ratio = p.scale / q.scale
    distance = (p.loc - q.loc).abs()
    return -ratio.log() + distance / q.scale + ratio * (-distance / p.scale).exp() - 1


@register_kl(Poisson, Poisson)
def poisson_poisson(p: Poisson, q: Poisson) -> Value:
    """Both Poisson."""
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Uniform, Uniform)
def uniform_uniform(p: Uniform, q: Uniform) -> Value:
    """Both uniform; infinite where `q` does not cover `p`."""
    found = ((q.high - q.low) / (p.high - p.low)).log()
    return where((q.low > p.low) | (q.high < p.high), math.inf, found)


@register_kl(Cauchy, Cauchy)
def cauchy_cauchy(p: Cauchy, q: Cauchy) -> Value:
    """Both Cauchy. Source: Chyzak & Nielsen 2019, "A closed-form formula for the KL divergence between Cauchys"."""
    first = ((p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)).log()
    return first - (4 * p.scale * q.scale).log()


@register_kl(MultivariateNormal, MultivariateNormal)
def multivariate_multivariate(p: MultivariateNormal, q: MultivariateNormal) -> Value:
    """Both normal, of vectors. Errors: ValueError for two sizes."""
    if p.event_shape != q.event_shape:
        raise ValueError(
            "KL-divergence between two Multivariate Normals with different event shapes cannot be computed"
        )
    lower_p, lower_q = p._unbroadcasted_scale_tril, q._unbroadcasted_scale_tril
    logarithm = half_log_determinant(lower_q) - half_log_determinant(lower_p)
    size = p.event_shape[0]
    spread = solve_triangular(lower_q, lower_p, upper=False).pow(2).sum(-1).sum(-1)
    distance = squared_distance(lower_q, q.loc - p.loc)
    return logarithm + 0.5 * (spread + distance - size)


@register_kl(Independent, Independent)
def independent_independent(p: Independent, q: Independent) -> Value:
    """The divergences of the bases, added up. Errors: NotImplementedError for two numbers of axes."""
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError("KL of two Independents with different reinterpreted_batch_ndims is not implemented")
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(TransformedDistribution, TransformedDistribution)
def transformed_transformed(p: TransformedDistribution, q: TransformedDistribution) -> Value:
    """The divergence of the bases, where both are transformed alike. Errors: NotImplementedError where they are not."""
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError("KL of two distributions that are transformed in two ways is not implemented")
    return kl_divergence(p.base_dist, q.base_dist)


# Of two families. What `q` rules out and `p` does not makes it infinite.
@register_kl(Exponential, Normal)
def exponential_normal(p: Exponential, q: Normal) -> Value:
    """Exponential beside normal."""
    variance = q.scale.pow(2)
    rate = p.rate.pow(2)
    first = 0.5 * (rate * variance * 2 * math.pi).log()
    return first - 1 + rate.reciprocal() / variance - q.loc / (p.rate * variance) + 0.5 * q.loc.pow(2) / variance


@register_kl(Exponential, Gamma)
def exponential_gamma(p: Exponential, q: Gamma) -> Value:
    """Exponential beside gamma."""
    ratio = q.rate / p.rate
    euler = 0.57721566490153286060
    return -q.concentration * ratio.log() + ratio + q.concentration.lgamma() + q.concentration * euler - (1 + euler)


@register_kl(Gamma, Exponential)
def gamma_exponential(p: Gamma, q: Exponential) -> Value:
    """Gamma beside exponential."""
    return -p.entropy() - q.rate.log() + q.rate * p.concentration / p.rate


@register_kl(Gamma, Normal)
def gamma_normal(p: Gamma, q: Normal) -> Value:
    """Gamma beside normal."""
    variance = q.scale.pow(2)
    rate = p.rate.pow(2)
    first = 0.5 * (rate * variance * 2 * math.pi).log() - p.concentration - p.concentration.lgamma()
    second = 0.5 * (p.concentration.pow(2) + p.concentration) / rate
    third = q.loc * p.concentration / p.rate
    fourth = 0.5 * q.loc.pow(2)
    slope = (p.concentration - 1) * p.concentration.digamma()
    return first + slope + (second - third + fourth) / variance


@register_kl(Laplace, Normal)
def laplace_normal(p: Laplace, q: Normal) -> Value:
    """Laplace beside normal."""
    variance = q.scale.pow(2)
    ratio = p.scale.pow(2) / variance
    first = 0.5 * (2 * ratio / math.pi).log()
    return -first + ratio + 0.5 * p.loc.pow(2) / variance - p.loc * q.loc / variance + 0.5 * q.loc.pow(2) / variance - 1


@register_kl(Normal, Laplace)
def normal_laplace(p: Normal, q: Laplace) -> Value:
    """Normal beside Laplace."""
    distance = p.loc - q.loc
    ratio = p.scale / q.scale
    unit = distance / p.scale
    first = ratio.log()
    second = math.sqrt(2 / math.pi) * p.scale * (-0.5 * unit.pow(2)).exp()
    third = distance * (math.sqrt(0.5) * unit).erf()
    return -first + (second + third) / q.scale - (0.5 * (1 + math.log(0.5 * math.pi)))


@register_kl(Uniform, Normal)
def uniform_normal(p: Uniform, q: Normal) -> Value:
    """Uniform beside normal."""
    width = p.high - p.low
    first = (math.sqrt(math.pi * 2) * q.scale / width).log()
    second = width.pow(2) / 12
    third = ((p.high + p.low - 2 * q.loc) / 2).pow(2)
    return first + 0.5 * (second + third) / q.scale.pow(2)


@register_kl(Uniform, Exponential)
def uniform_exponential(p: Uniform, q: Exponential) -> Value:
    """Uniform beside exponential."""
    found = q.rate * (p.high + p.low) / 2 - ((p.high - p.low) * q.rate).log()
    return where(p.low < 0, math.inf, found)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def continuous_bernoulli_continuous_bernoulli(p: ContinuousBernoulli, q: ContinuousBernoulli) -> Value:
    """Both of the unit interval."""
    own = p.mean * (p.logits - q.logits) + p._log_norm() + (-p.probs).log1p()
    return own - q._log_norm() - (-q.probs).log1p()


@register_kl(Beta, ContinuousBernoulli)
def beta_continuous_bernoulli(p: Any, q: ContinuousBernoulli) -> Value:
    """A distribution of the unit interval beside one whose density is an exponential there."""
    return -p.entropy() - p.mean * q.logits - (-q.probs).log1p() - q._log_norm()


@register_kl(Uniform, ContinuousBernoulli)
def uniform_continuous_bernoulli(p: Uniform, q: ContinuousBernoulli) -> Value:
    """Infinite where the interval reaches the end of the unit interval, as PyTorch has it."""
    return where(logical_or(p.high >= 1, p.low <= 0), math.inf, beta_continuous_bernoulli(p, q))


@register_kl(ContinuousBernoulli, Exponential)
def continuous_bernoulli_exponential(p: ContinuousBernoulli, q: Exponential) -> Value:
    """The divergence of the unit interval from an exponential."""
    return -p.entropy() - q.rate.log() + q.rate * p.mean


@register_kl(ContinuousBernoulli, Normal)
def continuous_bernoulli_normal(p: ContinuousBernoulli, q: Normal) -> Value:
    """The divergence of the unit interval from a normal."""
    first = 0.5 * (math.log(2.0 * math.pi) + (q.loc / q.scale).pow(2)) + q.scale.log()
    return first - p.entropy() + (p.variance + p.mean.pow(2) - 2.0 * q.loc * p.mean) / (2.0 * q.scale.pow(2))


@register_kl(ContinuousBernoulli, Uniform)
def continuous_bernoulli_uniform(p: ContinuousBernoulli, q: Uniform) -> Value:
    """Infinite where the interval begins or ends within the unit interval, or at its end, as PyTorch has it."""
    return where(logical_or(q.low >= 0, q.high <= 1), math.inf, (q.high - q.low).log() - p.entropy())


@register_kl(Pareto, Pareto)
def pareto_pareto(p: Pareto, q: Pareto) -> Value:
    """Both Pareto."""
    ratio = q.alpha / p.alpha
    found = q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1
    return where(p.scale < q.scale, math.inf, found)


@register_kl(Pareto, Exponential)
def pareto_exponential(p: Pareto, q: Exponential) -> Value:
    """Pareto beside exponential: infinite without a mean."""
    product = p.scale * q.rate
    found = (p.alpha / product).log() - p.alpha.reciprocal() + p.alpha * product / (p.alpha - 1) - 1
    return where(p.alpha <= 1, math.inf, found)


@register_kl(Pareto, Gamma)
def pareto_gamma(p: Pareto, q: Gamma) -> Value:
    """Pareto beside gamma: infinite without a mean."""
    common = p.scale.log() + p.alpha.reciprocal()
    found = p.alpha.log() - common + q.concentration.lgamma() - q.concentration * q.rate.log()
    found = found + (1 - q.concentration) * common + q.rate * p.alpha * p.scale / (p.alpha - 1) - 1
    return where(p.alpha <= 1, math.inf, found)


@register_kl(Pareto, Normal)
def pareto_normal(p: Pareto, q: Normal) -> Value:
    """Pareto beside normal: infinite without a variance."""
    common = p.scale / (p.alpha - 1)
    first = (math.sqrt(2 * math.pi) * q.scale * p.alpha / p.scale).log() - p.alpha.reciprocal()
    square = p.alpha * common.pow(2) / (p.alpha - 2) + (p.alpha * common - q.loc).pow(2)
    return where(p.alpha <= 2, math.inf, first + square / (2 * q.scale.pow(2)) - 1)


@register_kl(Uniform, Pareto)
def uniform_pareto(p: Uniform, q: Pareto) -> Value:
    """Uniform beside Pareto."""
    width = p.high - p.low
    first = (q.alpha * q.scale.pow(q.alpha) * width).log()
    found = (xlogy(p.high, p.high) - xlogy(p.low, p.low) - width) / width * (q.alpha + 1) - first
    return where(p.low < q.scale, math.inf, found)


def _never(p: Any, q: Any) -> Value:
    """Infinite: `q` rules out what `p` does not."""
    return infinite_like(ones_like(p.mean))


_WHOLE: tuple[type, ...] = (Normal, Laplace, Cauchy, Gumbel)
_POSITIVE: tuple[type, ...] = (Exponential, Gamma, Pareto)
_BOUNDED: tuple[type, ...] = (Beta, Uniform, ContinuousBernoulli)
for _first, _others in ((_WHOLE, (*_POSITIVE, *_BOUNDED)), (_POSITIVE, _BOUNDED)):
    for _p in _first:
        for _q in _others:
            register_kl(_p, _q)(_never)
for _p in (Exponential, Gamma, Beta, ContinuousBernoulli):
    register_kl(_p, Pareto)(_never)
register_kl(Poisson, Bernoulli)(_never)
register_kl(Poisson, Binomial)(_never)
