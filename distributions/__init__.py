"""Probability distributions under the names of `torch.distributions`, eager and in graphs."""

from . import constraints, kl, transforms
from .binary import Bernoulli, Binomial, Geometric, Poisson
from .categorical import Categorical, Multinomial, OneHotCategorical, OneHotCategoricalStraightThrough
from .composed import Independent, MixtureSameFamily
from .constraint_registry import biject_to, transform_to
from .continuous import Cauchy, Exponential, Gumbel, Laplace, Uniform, Weibull
from .continuous_bernoulli import ContinuousBernoulli
from .distribution import Distribution, ExponentialFamily
from .divergence import kl_divergence, register_kl
from .gamma import Beta, Chi2, Dirichlet, Gamma, InverseGamma, StudentT
from .gamma_ratios import FisherSnedecor, NegativeBinomial
from .joined_transforms import CatTransform, CumulativeDistributionTransform
from .matrices import kl as _  # noqa: F401
from .matrices.lkj import LKJCholesky
from .matrices.low_rank import LowRankMultivariateNormal
from .matrices.transforms import CorrCholeskyTransform, PositiveDefiniteTransform
from .matrices.wishart import Wishart
from .multivariate import MultivariateNormal
from .normal import Normal
from .pareto import GeneralizedPareto, Kumaraswamy, Pareto
from .relaxed import RelaxedBernoulli, RelaxedOneHotCategorical
from .transformed import HalfCauchy, HalfNormal, LogisticNormal, LogNormal, TransformedDistribution
from .transforms import (
    AbsTransform,
    AffineTransform,
    ComposeTransform,
    ExpTransform,
    IndependentTransform,
    LowerCholeskyTransform,
    PowerTransform,
    ReshapeTransform,
    SigmoidTransform,
    SoftmaxTransform,
    SoftplusTransform,
    StackTransform,
    StickBreakingTransform,
    TanhTransform,
    Transform,
    identity_transform,
)
from .von_mises import VonMises

__all__ = [
    "AbsTransform",
    "AffineTransform",
    "Bernoulli",
    "Beta",
    "Binomial",
    "CatTransform",
    "Categorical",
    "Cauchy",
    "Chi2",
    "ComposeTransform",
    "ContinuousBernoulli",
    "CorrCholeskyTransform",
    "CumulativeDistributionTransform",
    "Dirichlet",
    "Distribution",
    "ExpTransform",
    "Exponential",
    "ExponentialFamily",
    "FisherSnedecor",
    "Gamma",
    "GeneralizedPareto",
    "Geometric",
    "Gumbel",
    "HalfCauchy",
    "HalfNormal",
    "Independent",
    "IndependentTransform",
    "InverseGamma",
    "Kumaraswamy",
    "LKJCholesky",
    "Laplace",
    "LogNormal",
    "LogisticNormal",
    "LowRankMultivariateNormal",
    "LowerCholeskyTransform",
    "MixtureSameFamily",
    "Multinomial",
    "MultivariateNormal",
    "NegativeBinomial",
    "Normal",
    "OneHotCategorical",
    "OneHotCategoricalStraightThrough",
    "Pareto",
    "Poisson",
    "PositiveDefiniteTransform",
    "PowerTransform",
    "RelaxedBernoulli",
    "RelaxedOneHotCategorical",
    "ReshapeTransform",
    "SigmoidTransform",
    "SoftmaxTransform",
    "SoftplusTransform",
    "StackTransform",
    "StickBreakingTransform",
    "StudentT",
    "TanhTransform",
    "Transform",
    "TransformedDistribution",
    "Uniform",
    "VonMises",
    "Weibull",
    "Wishart",
    "biject_to",
    "constraints",
    "identity_transform",
    "kl",
    "kl_divergence",
    "register_kl",
    "transform_to",
    "transforms",
]
