"""Questions about distributions: expressions over `D`, `lib` and tensors (see tests/nn/figures/make.py)."""

# ruff: noqa: E501  (an expression a line)

FLOATS = {"x": (3,), "y": (3,), "z": (2, 3), "w": (3, 4), "m": (3, 3), "s": (), "b": (2, 2, 3)}
"""Tensors of made-up numbers of both signs."""
CLASSES = {
    "k": [0, 2, 1],
    "bits": [1.0, 0.0, 1.0],
    "counts": [[2.0, 0.0, 1.0, 1.0], [0.0, 4.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]],
    "whole": [0.0, 2.0, 5.0],
    "hot": [[0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]],
    "chance": [0.2, 0.5, 0.9],
}

P, Q = "lib.exp(y)", "lib.exp(0.5 * x)"
U, V = "lib.sigmoid(y)", "lib.sigmoid(x)"
L = "(m.tril(-1) + lib.diag_embed(lib.exp(m.diagonal())))"
MADE = {
    "normal": f"D.Normal(x, {P})",
    "laplace": f"D.Laplace(x, {P})",
    "cauchy": f"D.Cauchy(x, {P})",
    "gumbel": f"D.Gumbel(x, {P})",
    "student": f"D.StudentT(2.5 + {P}, x, {Q})",
    "lognormal": f"D.LogNormal(x, {P})",
    "halfnormal": f"D.HalfNormal({P})",
    "halfcauchy": f"D.HalfCauchy({P})",
    "exponential": f"D.Exponential({P})",
    "gamma": f"D.Gamma({P}, {Q})",
    "chi2": f"D.Chi2({P})",
    "inversegamma": f"D.InverseGamma(2.5 + {P}, {Q})",
    "weibull": f"D.Weibull({P}, {Q})",
    "uniform": f"D.Uniform(x, x + {P})",
    "beta": f"D.Beta({P}, {Q})",
    "kumaraswamy_like": f"D.TransformedDistribution(D.Uniform(lib.zeros(3), 1.), D.PowerTransform({Q}))",
    "bernoulli": f"D.Bernoulli(probs={U})",
    "bernoulli_logits": "D.Bernoulli(logits=y)",
    "geometric": f"D.Geometric(probs={U})",
    "geometric_logits": "D.Geometric(logits=y)",
    "binomial": f"D.Binomial(5, probs={U})",
    "binomial_logits": "D.Binomial(5, logits=y)",
    "poisson": f"D.Poisson({P})",
    "categorical": "D.Categorical(probs=lib.exp(w))",
    "categorical_logits": "D.Categorical(logits=w)",
    "onehot": "D.OneHotCategorical(logits=w)",
    "multinomial": "D.Multinomial(4, logits=w)",
    "multinomial_probs": "D.Multinomial(4, probs=lib.exp(w))",
    "dirichlet": "D.Dirichlet(lib.exp(w))",
    "mvn_tril": f"D.MultivariateNormal(z, scale_tril={L})",
    "mvn_cov": "D.MultivariateNormal(x, covariance_matrix=m @ m.mT + lib.eye(3))",
    "mvn_precision": "D.MultivariateNormal(z, precision_matrix=m @ m.mT + lib.eye(3))",
    "independent": f"D.Independent(D.Normal(z, {P}), 1)",
    "mixture": f"D.MixtureSameFamily(D.Categorical(logits=y), D.Normal(x, {P}))",
    "mixture_vectors": "D.MixtureSameFamily(D.Categorical(logits=w), D.Independent(D.Normal(b[0].mT.unsqueeze(1).expand(3, 4, 2), 1.5), 1))",
    "affine": f"D.TransformedDistribution(D.Normal(x, {P}), [D.AffineTransform(y, -{Q}), D.SigmoidTransform()])",
    "squashed": f"D.TransformedDistribution(D.Normal(x, {P}), D.TanhTransform())",
    "softplus": f"D.TransformedDistribution(D.Normal(x, {P}), [D.SoftplusTransform(), D.PowerTransform(lib.tensor(-2.0))])",
    "independent_affine": f"D.TransformedDistribution(D.Independent(D.Normal(z, {P}), 1), D.AffineTransform(x, {Q}, event_dim=1))",
    "logisticnormal": f"D.LogisticNormal(z, {P})",
    "relaxed_bernoulli": "D.RelaxedBernoulli(lib.exp(s), logits=y)",
    "relaxed_categorical": "D.RelaxedOneHotCategorical(lib.exp(s), logits=w)",
    "expanded": f"D.Normal(x, {P}).expand((2, 3))",
    "fisher": f"D.FisherSnedecor({P}, 4.5 + {Q})",
    "negative_binomial": f"D.NegativeBinomial({P}, probs={U})",
    "negative_binomial_logits": "D.NegativeBinomial(lib.exp(x), logits=y)",
    "pareto": f"D.Pareto({P}, 2.5 + {Q})",
    "generalized_pareto": f"D.GeneralizedPareto(x, {P}, 0.4 * lib.tanh(y))",
    "kumaraswamy": f"D.Kumaraswamy({P}, {Q})",
    "continuous_bernoulli": f"D.ContinuousBernoulli(probs={U})",
    "continuous_bernoulli_logits": "D.ContinuousBernoulli(logits=y)",
    "low_rank": f"D.LowRankMultivariateNormal(z, w[:, :2], {P})",
    "wishart": "D.Wishart(4.5 + lib.exp(s), covariance_matrix=m @ m.mT + lib.eye(3))",
    "wishart_tril": f"D.Wishart(4.5 + {P}, scale_tril={L})",
    "wishart_precision": "D.Wishart(5.5, precision_matrix=m @ m.mT + lib.eye(3))",
    "lkj": f"D.LKJCholesky(3, {P})",
}
"""Distributions, by a name."""

REAL = "normal laplace cauchy gumbel student"
POSITIVE = "lognormal halfnormal halfcauchy exponential gamma chi2 inversegamma weibull"
VALUES = {
    **dict.fromkeys(REAL.split(), "z"),
    **dict.fromkeys(POSITIVE.split(), "lib.exp(z)"),
    "uniform": f"x + 0.3 * {P}",
    **dict.fromkeys("beta kumaraswamy_like affine relaxed_bernoulli".split(), "lib.sigmoid(z)"),
    "bernoulli": "bits", "bernoulli_logits": "bits",
    **dict.fromkeys("geometric geometric_logits binomial binomial_logits poisson".split(), "whole"),
    "categorical": "k", "categorical_logits": "k", "onehot": "hot",
    "multinomial": "counts", "multinomial_probs": "counts",
    "dirichlet": "lib.softmax(w, -1)", "relaxed_categorical": "lib.softmax(w + 1, -1)",
    "mvn_tril": "z", "mvn_cov": "b", "mvn_precision": "z", "independent": "z", "mixture": "s", "expanded": "z",
    "mixture_vectors": "b[:, 0, :2].mT.reshape(-1)[:2].expand(3, 2)", "squashed": "lib.tanh(z)", "softplus": "lib.exp(z)", "independent_affine": "b",
    "fisher": "lib.exp(z)", "negative_binomial": "whole", "negative_binomial_logits": "whole",
    "pareto": f"{P} * (1 + lib.exp(z))", "generalized_pareto": f"x + {P} * lib.sigmoid(z)", "low_rank": "b",
    **dict.fromkeys("kumaraswamy continuous_bernoulli continuous_bernoulli_logits".split(), "lib.sigmoid(z)"),
    **dict.fromkeys("wishart wishart_tril wishart_precision".split(), "m.mT @ m + 0.5 * lib.eye(3)"),
    "lkj": "D.transform_to(D.constraints.corr_cholesky)(x)",
    "logisticnormal": "lib.softmax(lib.cat([z, z[:, :1]], -1), -1)",
}  # fmt: skip
"""The values at which densities are asked."""

WITHOUT_ENTROPY = (
    "kumaraswamy_like mixture mixture_vectors affine squashed softplus independent_affine logisticnormal relaxed_bernoulli "
    "relaxed_categorical fisher negative_binomial negative_binomial_logits lkj"
).split()
WITHOUT_MOMENTS = "kumaraswamy_like affine squashed softplus independent_affine logisticnormal relaxed_bernoulli relaxed_categorical lkj".split()
MODELESS = {
    "weibull",
    "kumaraswamy",
    "fisher",
    "continuous_bernoulli",
    "continuous_bernoulli_logits",
    "mixture",
    "mixture_vectors",
    "multinomial",
    "multinomial_probs",
}
WITH_CDF = "normal laplace cauchy lognormal halfnormal halfcauchy exponential weibull uniform affine gumbel pareto generalized_pareto kumaraswamy continuous_bernoulli".split()
PAIRS = {
    "normal": f"D.Normal(y, {Q})", "bernoulli": f"D.Bernoulli({V})", "bernoulli_logits": "D.Bernoulli(logits=x)",
    "binomial": f"D.Binomial(5, probs={V})", "categorical": "D.Categorical(logits=w * 0.3)", "onehot": "D.OneHotCategorical(logits=w * 0.3)",
    "beta": f"D.Beta({Q}, {P})", "dirichlet": "D.Dirichlet(lib.exp(0.3 * w))", "exponential": f"D.Exponential({Q})",
    "gamma": f"D.Gamma({Q}, {P})", "geometric": f"D.Geometric({V})", "halfnormal": f"D.HalfNormal({Q})",
    "laplace": f"D.Laplace(y, {Q})", "poisson": f"D.Poisson({Q})", "uniform": f"D.Uniform(x - 1, x + {P} + {Q})",
    "cauchy": f"D.Cauchy(y, {Q})", "mvn_tril": "D.MultivariateNormal(x, covariance_matrix=m @ m.mT + lib.eye(3))",
    "independent": f"D.Independent(D.Normal(x.expand(2, 3), {Q}), 1)", "lognormal": f"D.LogNormal(y, {Q})",
    "chi2": f"D.Chi2({Q})", "pareto": f"D.Pareto(0.3 * {P}, {Q})", "continuous_bernoulli": f"D.ContinuousBernoulli({V})",
    "low_rank": f"D.LowRankMultivariateNormal(x, w[:, 1:3], {Q})",
}  # fmt: skip
CROSS = {
    "exponential beside normal": f"D.kl_divergence(D.Exponential({P}), D.Normal(x, {Q}))",
    "exponential beside gamma": f"D.kl_divergence(D.Exponential({P}), D.Gamma({Q}, {P} + 1))",
    "gamma beside exponential": f"D.kl_divergence(D.Gamma({P}, {Q}), D.Exponential({Q}))",
    "gamma beside normal": f"D.kl_divergence(D.Gamma({P}, {Q}), D.Normal(x, {Q}))",
    "laplace beside normal": f"D.kl_divergence(D.Laplace(x, {P}), D.Normal(y, {Q}))",
    "normal beside laplace": f"D.kl_divergence(D.Normal(x, {P}), D.Laplace(y, {Q}))",
    "uniform beside normal": f"D.kl_divergence(D.Uniform(x, x + {P}), D.Normal(y, {Q}))",
    "uniform beside exponential": f"D.kl_divergence(D.Uniform({Q}, {P} + {Q}), D.Exponential({Q}))",
    "normal beside uniform": "[D.kl_divergence(D.Normal(x.detach(), 1.), D.Uniform(lib.zeros(3), 1.)), s * 1.0]",
    "natural entropy of normal": f"D.ExponentialFamily.entropy(D.Normal(x, {P}))",
    "natural entropy of gamma": f"D.ExponentialFamily.entropy(D.Gamma({P}, {Q}))",
    "natural entropy of exponential": f"D.ExponentialFamily.entropy(D.Exponential({P}))",
    "natural entropy of bernoulli": f"D.ExponentialFamily.entropy(D.Bernoulli({U}))",
    "stick breaking": "D.StickBreakingTransform()(w)",
    "stick breaking, back": "D.StickBreakingTransform().inv(lib.softmax(w, -1))",
    "determinant of stick breaking": "D.StickBreakingTransform().log_abs_det_jacobian(w, D.StickBreakingTransform()(w))",
    "into a positive number": "D.transform_to(D.constraints.positive)(x)",
    "into an interval": "D.biject_to(D.constraints.interval(-1.0, 2.5))(x)",
    "above a number": "D.biject_to(D.constraints.greater_than(-1.0))(x)",
    "below a number": "D.biject_to(D.constraints.less_than(-1.0))(x)",
    "into a simplex": "D.transform_to(D.constraints.simplex)(w)",
    "into a factor": "D.transform_to(D.constraints.lower_cholesky)(m)",
    "composed": "D.ComposeTransform([D.ExpTransform(), D.AffineTransform(1.0, -2.0), D.SigmoidTransform()])(z)",
    "determinant of composed": "(lambda t: t.log_abs_det_jacobian(z, t(z)))(D.ComposeTransform([D.ExpTransform(), D.AffineTransform(1.0, -2.0), D.SigmoidTransform()]))",
    "determinant of independent": "(lambda t: t.log_abs_det_jacobian(z, t(z)))(D.IndependentTransform(D.ExpTransform(), 1))",
    "inverse of composed": "D.ComposeTransform([D.ExpTransform(), D.AffineTransform(1.0, 2.0)]).inv(lib.exp(z) + 2)",
    "beta beside continuous bernoulli": f"D.kl_divergence(D.Beta({P}, {Q}), D.ContinuousBernoulli({V}))",
    "uniform beside continuous bernoulli": f"D.kl_divergence(D.Uniform(0.1 + 0 * x, 0.2 + 0.5 * {U}), D.ContinuousBernoulli({V}))",
    "continuous bernoulli beside exponential": f"D.kl_divergence(D.ContinuousBernoulli({U}), D.Exponential({Q}))",
    "continuous bernoulli beside normal": f"D.kl_divergence(D.ContinuousBernoulli({U}), D.Normal(x, {Q}))",
    "continuous bernoulli beside uniform": f"D.kl_divergence(D.ContinuousBernoulli({U}), D.Uniform(-{P}, 1 + {Q}))",
    "pareto beside exponential": f"D.kl_divergence(D.Pareto({P}, 1.5 + {Q}), D.Exponential({Q}))",
    "pareto beside gamma": f"D.kl_divergence(D.Pareto({P}, 1.5 + {Q}), D.Gamma({Q}, {P}))",
    "pareto beside normal": f"D.kl_divergence(D.Pareto({P}, 2.5 + {Q}), D.Normal(x, {Q}))",
    "uniform beside pareto": f"D.kl_divergence(D.Uniform({Q}, {P} + {Q}), D.Pareto(0.5 * {Q}, {P}))",
    "low rank beside normal": f"D.kl_divergence(D.LowRankMultivariateNormal(z, w[:, :2], {P}), D.MultivariateNormal(x, scale_tril={L}))",
    "normal beside low rank": f"D.kl_divergence(D.MultivariateNormal(x, scale_tril={L}), D.LowRankMultivariateNormal(z, w[:, :2], {P}))",
    "matrices of low rank": f"(lambda d: [d.covariance_matrix, d.precision_matrix, d.scale_tril])(D.LowRankMultivariateNormal(z, w[:, :2], {P}))",
    "wishart beside wishart": f"D.kl_divergence(D.Wishart(5.5, scale_tril={L}.detach()), D.Wishart(4.5 + lib.exp(s), covariance_matrix=m @ m.mT + lib.eye(3)))",
    "natural entropy of wishart": "D.ExponentialFamily.entropy(D.Wishart(4.5, covariance_matrix=(m @ m.mT + lib.eye(3)).detach()))",
    "survival of pareto": f"D.GeneralizedPareto(x, {P}, 0.4 * lib.tanh(y)).log_survival_function(x + {P})",
    "exponential by generalized pareto": f"D.GeneralizedPareto(x, {P}, 0.0 * y).log_prob(x + {P})",
    "into correlations": "D.transform_to(D.constraints.corr_cholesky)(w.reshape(2, 6))",
    "out of correlations": "(lambda t: t.inv(t(w.reshape(2, 6))))(D.CorrCholeskyTransform())",
    "determinant of correlations": "(lambda t: t.log_abs_det_jacobian(z, t(z)))(D.CorrCholeskyTransform())",
    "into a definite matrix": "D.transform_to(D.constraints.positive_definite)(m)",
    "out of a definite matrix": "D.PositiveDefiniteTransform().inv(m @ m.mT + lib.eye(3))",
    "parts": "(lambda t: [t(w), t.inv(t(w)), t.log_abs_det_jacobian(w, t(w))])(D.CatTransform([D.ExpTransform(), D.AffineTransform(1., 2.)], dim=1, lengths=[1, 3]))",
    "parts of constraints": "D.biject_to(D.constraints.cat([D.constraints.positive, D.constraints.real], 0, [1, 2]))(x)",
    "places of constraints": "D.transform_to(D.constraints.stack([D.constraints.positive, D.constraints.real, D.constraints.unit_interval], 0))(x)",
    "by a cumulative distribution": f"(lambda t: [t(z), t.inv(lib.sigmoid(z)), t.log_abs_det_jacobian(z, t(z))])(D.CumulativeDistributionTransform(D.Normal(x, {P})))",
    "natural entropy of continuous bernoulli": f"D.ContinuousBernoulli({U})._log_normalizer(x)",
    "matrix of precision": "D.MultivariateNormal(z, precision_matrix=m @ m.mT + lib.eye(3)).covariance_matrix",
    "precision of matrix": "D.MultivariateNormal(x, covariance_matrix=m @ m.mT + lib.eye(3)).precision_matrix",
    "probabilities of logits": "D.Categorical(logits=w).probs",
    "logits of probabilities": "D.Categorical(probs=lib.exp(w)).logits",
    "special functions": "[lib.lgamma(z), lib.digamma(z), lib.polygamma(1, lib.exp(z)), lib.polygamma(2, lib.exp(z)), lib.erfinv(lib.tanh(z)), lib.erfc(z), lib.mvlgamma(lib.exp(z) + 2, 3)]",
    "Bessel functions": "[lib.special.i0(9 * z), lib.special.i0e(9 * z), lib.special.i1(9 * z), lib.special.i1e(9 * z), lib.i0(z)]",
    "more special functions": "[lib.special.entr(lib.exp(z)), lib.special.erfcx(z), lib.special.ndtr(z), lib.special.ndtri(lib.sigmoid(z)), lib.special.log_ndtr(3 * z), lib.special.xlog1py(x, lib.exp(z)), lib.special.gammaln(z), lib.special.psi(z), lib.special.multigammaln(lib.exp(z) + 2, 2)]",
    "shares of gamma": "[lib.special.gammainc(lib.exp(y).detach(), lib.exp(z)), lib.special.gammaincc(lib.exp(y).detach(), lib.exp(z)), lib.igamma(lib.exp(y).detach(), lib.exp(3 * z)), lib.special.zeta(1 + lib.exp(x).detach(), lib.exp(z).detach())]",
    "perplexity": "D.Categorical(logits=w).perplexity()",
    "supports": "[D.Bernoulli(logits=y).enumerate_support(), D.Categorical(logits=w).enumerate_support(False), D.OneHotCategorical(logits=w).enumerate_support(), D.Binomial(3, logits=y).enumerate_support(), s * 1.0]",
}


def _cases() -> dict[str, str]:
    found = {f"log_prob of {name}": f"{made}.log_prob({VALUES[name]})" for name, made in MADE.items()}
    found |= {
        f"entropy of {name}": f"{made}.entropy()"
        for name, made in MADE.items()
        if name not in (*WITHOUT_ENTROPY, "poisson")
    }
    for name, made in MADE.items():
        if name not in WITHOUT_MOMENTS:
            found[f"moments of {name}"] = f"(lambda d: [d.mean, d.variance, d.stddev, s * 1.0])({made})"
            if name not in MODELESS:
                found[f"mode of {name}"] = f"[{made}.mode, s * 1.0]"
    found |= {f"cdf of {name}": f"{MADE[name]}.cdf({VALUES[name]})" for name in WITH_CDF}
    found |= {f"icdf of {name}": f"{MADE[name]}.icdf(chance)" for name in WITH_CDF}
    found["cdf of gamma"] = f"D.Gamma({P}.detach(), {Q}).cdf(lib.exp(z))"
    found["cdf of mixture"] = f"{MADE['mixture']}.cdf(s)"
    found |= {f"kl of {name}": f"D.kl_divergence({MADE[name]}, {other})" for name, other in PAIRS.items()}
    return found | CROSS


CASES = {name: f"(lambda D: {text})(lib.distributions)" for name, text in _cases().items()}
FIRST_ORDER: tuple[str, ...] = ()
