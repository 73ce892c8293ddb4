"""Draws that are made of uniform and normal ones."""

from __future__ import annotations

import math
from typing import Any

from ..core.dtypes import DType, float64, int64
from ..ops.counts import BINOMIAL, POISSON
from .arithmetic import add, div, mul, neg, sub
from .creation import full
from .dispatch import apply, assign_, is_tensor_like
from .drawing import digits
from .generator import Generator
from .joining import narrow
from .narrow import check_computes
from .ordering import cumsum, sort
from .pointwise import ge, gt, le, log1p, logical_and, lt
from .promotion import to_dtype
from .random import rand, randint, randn
from .shapes import broadcast_shapes, sizes
from .surface import method, surface
from .tracing import all_hold

Value = Any


@method("bernoulli")
def bernoulli(self: Value, p: float | None = None, *, generator: Generator | None = None) -> Value:
    """Ones with the probability that each element (or `p`) is, zeros otherwise. Errors: RuntimeError out of [0, 1]."""
    chance = self if p is None else full(self.shape, p, dtype=self.dtype, device=self.device)
    check_computes("bernoulli", chance.dtype)
    if not all_hold(logical_and(ge(chance, 0), le(chance, 1))):
        raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
    drawn = rand(self.shape, generator=generator, dtype=chance.dtype, device=self.device)
    return to_dtype(lt(drawn, chance.detach()), self.dtype)


@method("bernoulli_")
def bernoulli_(self: Value, p: Any = 0.5, *, generator: Generator | None = None) -> Value:
    """`self`, filled with ones with probability `p` (a number or a tensor) and zeros otherwise."""
    if not is_tensor_like(p) and not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p}")
    return assign_(self, to_dtype(lt(rand(self.shape, generator=generator, device=self.device), p), self.dtype))


@surface
def normal(
    mean: Any, std: Any = 1.0, size: Any = None, *, generator: Generator | None = None, dtype: DType | None = None
) -> Value:
    """Normal numbers with those means and standard deviations: tensors, or numbers with a `size`."""
    device = None
    if size is None:
        given = [each for each in (mean, std) if is_tensor_like(each)]
        shape = broadcast_shapes(*(each.shape for each in given))
        dtype, device = dtype or given[0].dtype, given[0].device
    else:
        shape = sizes((size,))
    if not is_tensor_like(std) and std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    return add(mul(randn(shape, generator=generator, dtype=dtype, device=device), std), mean)


@surface
def randint_like(
    input: Value,
    *bounds: int,
    low: int | None = None,
    high: int | None = None,
    generator: Generator | None = None,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Value:
    """`randint` in the shape and dtype of `input`: below a bound, or from one (`low`) to another (`high`)."""
    given = bounds or tuple(each for each in (low, high) if each is not None)
    place = input.device if device is None else device
    result = randint(*given, tuple(input.shape), generator=generator, dtype=dtype or input.dtype, device=place)
    return result.requires_grad_() if requires_grad else result


@method("random_")
def random_(self: Value, *bounds: int, generator: Generator | None = None) -> Value:
    """`self`, filled with whole numbers: below a bound, from one to another, or of all that the dtype holds exactly."""
    bits = 8 * self.dtype.itemsize - (self.dtype.kind == "i")
    whole = 2**bits if bits < 63 else 2**63 - 1
    end = {"b": 2, "f": 2 ** digits(self.dtype) + 1 if self.dtype.is_float else 0}.get(self.dtype.kind, whole)
    return assign_(self, randint(*(bounds or (end,)), tuple(self.shape), generator=generator, device=self.device))


@method("exponential_")
def exponential_(self: Value, lambd: float = 1.0, *, generator: Generator | None = None) -> Value:
    """`self`, filled with numbers whose density is ``lambd * exp(-lambd * x)``."""
    if lambd <= 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd}")
    drawn = rand(self.shape, generator=generator, dtype=self.dtype, device=self.device)
    return assign_(self, div(neg(log1p(neg(drawn))), lambd))


@method("cauchy_")
def cauchy_(self: Value, median: float = 0.0, sigma: float = 1.0, *, generator: Generator | None = None) -> Value:
    """`self`, filled with numbers of the Cauchy distribution around `median`, half of them at most `sigma` away.

    Errors: RuntimeError for a `sigma` that is not positive, and for a dtype that is no float.
    """
    if not self.dtype.is_float:
        raise RuntimeError(
            "Cauchy distribution is a continuous probability distribution. dtype must be a floating point but you "
            f"specified {self.dtype}"
        )
    if sigma <= 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma}")
    drawn = rand(self.shape, generator=generator, dtype=self.dtype, device=self.device)
    return assign_(self, add(mul(mul(sub(drawn, 0.5), math.pi).tan(), sigma), median))


@method("log_normal_")
def log_normal_(self: Value, mean: float = 1.0, std: float = 2.0, *, generator: Generator | None = None) -> Value:
    """`self`, filled with powers of e of normal numbers."""
    if std <= 0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std}")
    drawn = randn(self.shape, generator=generator, dtype=self.dtype, device=self.device)
    return assign_(self, add(mul(drawn, std), mean).exp())


@method("geometric_")
def geometric_(self: Value, p: float, *, generator: Generator | None = None) -> Value:
    """`self`, filled with how many trials of probability `p` it took until the first success."""
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p}")
    drawn = rand(self.shape, generator=generator, device=self.device)
    return assign_(self, div(log1p(neg(drawn)), math.log1p(-p)).ceil().clamp(min=1))


@surface
def poisson(input: Value, generator: Generator | None = None) -> Value:
    """Counts of the Poisson distribution whose rate each element is. They have no history.

    Shapes: any; the result has the shape and the dtype of `input`, which is a float.
    Errors: RuntimeError for a rate that is negative or NaN; NotImplementedError for integers.
    """
    check_computes("poisson", input.dtype)
    _refuse_integers("poisson", input.dtype)
    rate = input.detach()
    if not all_hold(ge(rate, 0)):
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    drawn = apply(POISSON, to_dtype(rate, float64), key_for(generator, input.device))
    return to_dtype(drawn, input.dtype)


@surface
def binomial(count: Value, prob: Value, generator: Generator | None = None) -> Value:
    """The number of successes in `count` trials that succeed with probability `prob` each. They have no history.

    Shapes: any that broadcast; the result has their shape. Both are of one float dtype, as is the result. A count is
    rounded down, one below 0 is 0, and a probability out of [0, 1] is the end next to it.
    Errors: RuntimeError for two dtypes; NotImplementedError for integers.
    """
    check_computes("binomial", count.dtype)
    _refuse_integers("binomial", count.dtype)
    if count.dtype is not prob.dtype:
        raise RuntimeError(f"binomial takes a count and a probability of one dtype, got {count.dtype} and {prob.dtype}")
    shape = broadcast_shapes(count.shape, prob.shape)
    trials, chance = (to_dtype(each.detach(), float64).expand(shape) for each in (count, prob))
    drawn = apply(BINOMIAL, trials, chance, key_for(generator, count.device))
    return to_dtype(drawn, count.dtype)


def _refuse_integers(name: str, dtype: DType) -> None:
    if not dtype.is_float:
        raise NotImplementedError(f"{name} takes floats, got {dtype}")


def key_for(generator: Generator | None, device: Any) -> Value:
    """A key, int64[1], drawn anew."""
    return randint(2**63 - 1, (1,), generator=generator, device=device)


@method("multinomial")
def multinomial(
    self: Value, num_samples: int, replacement: bool = False, *, generator: Generator | None = None
) -> Value:
    """Places along the last axis, drawn with chances that the elements there are in proportion to.

    Shapes: [n] -> [num_samples], [m, n] -> [m, num_samples].
    Errors: RuntimeError for negative chances, or fewer places than are drawn without replacement.
    """
    check_computes("multinomial", self.dtype)
    held = self.detach()
    if held.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not (all_hold(ge(held, 0)) and all_hold(gt(held.sum(-1), 0))):
        raise RuntimeError(
            "invalid multinomial distribution (with replacement=False, not enough non-negative category to sample)"
        )
    if not replacement:
        if num_samples > held.shape[-1]:
            raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
        # Who waits exponentially, with those rates, arrives in that order.
        drawn = rand(self.shape, generator=generator, dtype=self.dtype, device=self.device)
        wait = div(neg(log1p(neg(drawn))), self.detach())
        return narrow(sort(wait).indices, -1, 0, num_samples).clone()
    sums = cumsum(self.detach(), -1)
    drawn = rand((*self.shape[:-1], num_samples), generator=generator, dtype=self.dtype, device=self.device)
    below = mul(drawn, narrow(sums, -1, held.shape[-1] - 1, 1))
    return to_dtype(lt(sums.unsqueeze(-2), below.unsqueeze(-1)), int64).sum(-1)
