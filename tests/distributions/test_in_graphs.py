"""Steps that sample and score distributions are one graph, and are what they are in eager mode."""

from __future__ import annotations

import linecache
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from distributions.test_like_pytorch import cases
from frontend.tensors.scenario import backward, broken, check, interpreted

import guardlift as gl
from guardlift import distributions as D
from guardlift import nn, optim
from guardlift.nn import functional as F


def normal(*shape: int, seed: int = 0, requires_grad: bool = False) -> Any:
    made = gl.tensor(np.random.default_rng(seed).standard_normal(shape).astype(np.float32))
    return made.requires_grad_(requires_grad)


class Coder(nn.Module):
    """A variational autoencoder of small vectors."""

    def __init__(self) -> None:
        super().__init__()
        self.encode = nn.Linear(6, 8)
        self.loc = nn.Linear(8, 2)
        self.log_scale = nn.Linear(8, 2)
        self.decode = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 6))
        with gl.no_grad():
            for seed, parameter in enumerate(self.parameters()):
                parameter.copy_(0.3 * normal(*parameter.shape, seed=seed))

    def forward(self, x: Any) -> Any:
        hidden = self.encode(x).tanh()
        posterior = D.Independent(D.Normal(self.loc(hidden), self.log_scale(hidden).exp()), 1)
        prior = D.Independent(D.Normal(gl.zeros(2), gl.ones(2)), 1)
        latent = posterior.rsample()
        likelihood = D.Independent(D.Bernoulli(logits=self.decode(latent)), 1)
        return likelihood.log_prob(x) - D.kl_divergence(posterior, prior)


def test_a_step_of_a_variational_autoencoder() -> None:
    def world() -> Sequence[Any]:
        model = Coder()
        return model, optim.Adam(model.parameters(), lr=0.01), (normal(5, 6, seed=9) > 0).float()

    def step(model: Any, optimizer: Any, x: Any) -> Any:
        optimizer.zero_grad()
        loss = -model(x).mean()
        loss.backward()
        optimizer.step()
        return loss

    check(step, arguments=world, calls=3, compiles=1)


class Policy(nn.Module):
    """Scores of actions, and of a state."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.actions = nn.Linear(8, 3)
        self.value = nn.Linear(8, 1)
        self.log_std = nn.Parameter(gl.zeros(3))
        with gl.no_grad():
            for seed, parameter in enumerate(self.parameters()):
                parameter.copy_(0.3 * normal(*parameter.shape, seed=seed))

    def forward(self, x: Any) -> Any:
        hidden = self.body(x).tanh()
        return self.actions(hidden), self.value(hidden).squeeze(-1)


def test_reinforce_with_draws_inside_the_step() -> None:
    def world() -> Sequence[Any]:
        policy = Policy()
        return policy, optim.SGD(policy.parameters(), lr=0.1), normal(7, 4, seed=3), normal(3, seed=4)

    def step(policy: Any, optimizer: Any, states: Any, pay: Any) -> Any:
        optimizer.zero_grad()
        choice = D.Categorical(logits=policy(states)[0])
        actions = choice.sample()
        loss = -(choice.log_prob(actions) * pay[actions]).mean()
        loss.backward()
        optimizer.step()
        return loss, actions

    check(step, arguments=world, calls=3, compiles=1)


@pytest.mark.parametrize("continuous", [False, True])
def test_proximal_policy_optimisation(continuous: bool) -> None:
    def world() -> Sequence[Any]:
        policy = Policy()
        actions = normal(7, 3, seed=5) if continuous else gl.tensor([0, 2, 1, 1, 0, 2, 2])
        given = normal(7, 4, seed=3), actions, 0.2 * normal(7, seed=4) - 1.0, normal(7, seed=6), normal(7, seed=7)
        return policy, optim.Adam(policy.parameters(), lr=0.01), *given

    def step(policy: Any, optimizer: Any, states: Any, actions: Any, old: Any, advantages: Any, returns: Any) -> Any:
        optimizer.zero_grad()
        scores, values = policy(states)
        if continuous:
            choice: Any = D.Independent(D.Normal(scores, policy.log_std.exp()), 1)
        else:
            choice = D.Categorical(logits=scores)
        log_ratio = choice.log_prob(actions) - old
        ratio = log_ratio.exp()
        policy_loss = -gl.min(advantages * ratio, advantages * ratio.clamp(0.8, 1.2)).mean()
        loss = policy_loss + 0.5 * F.mse_loss(values, returns) - 0.01 * choice.entropy().mean()
        loss.backward()
        optimizer.step()
        return loss, ((ratio - 1) - log_ratio).mean().detach()

    check(step, arguments=world, calls=3, compiles=1)


def _sampled() -> dict[str, str]:
    random = {"independent_affine", "mixture_vectors", "mvn_precision"}
    with_gradient = (
        "normal laplace cauchy gumbel uniform exponential gamma beta dirichlet student lognormal halfnormal weibull"
    )
    with_gradient += " mvn_tril mvn_cov independent affine squashed relaxed_bernoulli relaxed_categorical chi2"
    found = {f"rsample of {name}": f"{cases.MADE[name]}.rsample((2,))" for name in with_gradient.split()}
    return found | {
        f"sample of {name}": f"{made}.sample((2,))" for name, made in cases.MADE.items() if name not in random
    }


SAMPLED = _sampled()


def program(text: str) -> Any:
    """A function of the tensors of the figures, in float32, that gives an expression."""
    names = [*cases.FLOATS, *cases.CLASSES]
    source = f"def program({', '.join(names)}):\n    return {text}\n"
    file = f"<{text}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    namespace: dict[str, Any] = {"D": D, "lib": gl, "math": math}
    exec(compile(source, file, "exec"), namespace)
    return namespace["program"]


def arguments(number: int) -> Sequence[Any]:
    floats = [0.5 * normal(*shape, seed=seed + number) for seed, shape in enumerate(cases.FLOATS.values())]
    return [each.requires_grad_() for each in floats] + [gl.tensor(each) for each in cases.CLASSES.values()]


def stripped(text: str) -> str:
    return text.removeprefix("(lambda D: ").removesuffix(")(lib.distributions)")


NOT_ONE_GRAPH = {
    "natural": "a gradient for a tensor that is made inside",
}
"""Cases whose graph breaks, by what their names begin with, and why."""
EVERY = 8
"""The number of cases of which one is in the quick run."""


def both(expressions: dict[str, str]) -> list[Any]:
    return [
        pytest.param(text, id=name, marks=() if place % EVERY == 0 else pytest.mark.slow)
        for place, (name, text) in enumerate(expressions.items())
        if not any(name.startswith(each) for each in NOT_ONE_GRAPH)
    ]


@pytest.mark.parametrize("text", both({name: stripped(text) for name, text in cases.CASES.items()}))
def test_what_is_asked_of_a_distribution_is_one_graph(text: str) -> None:
    check(program(text), arguments, calls=2, after=backward, relative=2e-3)


@pytest.mark.parametrize("text", both(SAMPLED))
def test_samples_are_one_graph_and_the_same_draws(text: str) -> None:
    check(program(text), arguments, calls=2, after=backward, relative=2e-3, strides=False)


BAD = {
    "D.Normal(x, x).log_prob(x)": -1.0,
    "D.Normal(x, x).mean": math.nan,
    "D.Categorical(probs=gl.stack([x, 2 - 0 * x])).entropy()": -1.0,
    "D.Bernoulli(x).log_prob(x)": 0.5,
    "D.Exponential(1.0).log_prob(x)": -2.0,
    "D.Poisson(x).sample()": -1.0,
    "D.Uniform(x, 1.0).sample()": 2.0,
    "D.MultivariateNormal(x.expand(2), x * gl.eye(2)).loc": -1.0,
    "D.Categorical(logits=gl.zeros(3)).log_prob(x)": 3.0,
}


@pytest.mark.parametrize("text", BAD)
def test_values_that_fail_a_check_raise_in_compiled_code_too(text: str) -> None:
    namespace: dict[str, Any] = {"D": D, "gl": gl}
    exec(f"def ask(x):\n    return {text}", namespace)
    ask = namespace["ask"]
    good = 1.0 if "Uniform" not in text else 0.5
    with interpreted():
        fast = gl.jit(ask)
        fast(gl.tensor(good))
        for asked in (ask, fast):
            with pytest.raises(ValueError, match=r"but found invalid|not defined when low >= high"):
                asked(gl.tensor(BAD[text]))
        assert broken(fast) == []


def test_nothing_is_checked_where_that_was_asked() -> None:
    def ask(x: Any) -> Any:
        return D.Normal(0.0, x, validate_args=False).log_prob(x)

    with interpreted():
        assert math.isnan(ask(gl.tensor(-1.0)).item())
        assert math.isnan(gl.jit(ask)(gl.tensor(-1.0)).item())


def test_a_distribution_of_the_user_s_own_is_part_of_the_graph() -> None:
    class Triangular(D.Distribution):
        """A density that rises from 0 to `width`."""

        arg_constraints = {"width": D.constraints.positive}  # noqa: RUF012
        has_rsample = True

        def __init__(self, width: Any, validate_args: bool | None = None) -> None:
            (self.width,) = gl.distributions.parameters.broadcast_all(width)
            super().__init__(tuple(self.width.shape), validate_args=validate_args)

        @property
        def support(self) -> Any:
            return D.constraints.interval(0.0, self.width)

        def rsample(self, sample_shape: Any = ()) -> Any:
            return self.width * gl.rand(self._extended_shape(sample_shape)).sqrt()

        def log_prob(self, value: Any) -> Any:
            if self._validate_args:
                self._validate_sample(value)
            return (2 * value).log() - 2 * self.width.log()

    def ask(width: Any) -> Any:
        made = Triangular(width.exp())
        return made.log_prob(made.rsample((3,)))

    check(ask, lambda number: [normal(2, seed=number, requires_grad=True)], calls=2, after=backward)
