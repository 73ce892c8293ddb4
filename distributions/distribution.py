"""The base of all distributions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..autograd import no_grad
from .constraint import Constraint
from .constraints import is_dependent
from .parameters import all_valid, is_tensor

Value = Any
Shape = tuple[int, ...]


class Distribution:
    """A probability distribution, or a batch of them, each independent of the others.

    A sample has the shape that was asked for, then that of the batch, then that of one event. What compiled code
    builds of distributions is part of its graph: values that fail a check there are left to plain Python, which raises.

    batch_shape: of the distributions, event_shape: of what one of them gives.
    validate_args: whether parameters and values are checked; None for the default, see `set_default_validate_args`.
    Errors: ValueError for parameters outside of `arg_constraints`.
    """

    has_rsample = False
    has_enumerate_support = False
    arg_constraints: ClassVar[Mapping[str, Constraint]] = {}
    one_of: ClassVar[tuple[str, ...]] = ()
    """Parameters of which one is given, and the others are made of it when they are asked for."""
    _validate_args = __debug__

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Makes checks of distributions that are built from now on the default, or not. Errors: ValueError."""
        if value not in (True, False):
            raise ValueError(f"set_default_validate_args takes True or False, got {value!r}")
        Distribution._validate_args = value

    def __init__(self, batch_shape: Shape = (), event_shape: Shape = (), validate_args: bool | None = None) -> None:
        self._batch_shape = tuple(batch_shape)
        self._event_shape = tuple(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameters()

    def _check_parameters(self) -> None:
        for name, constraint in self.arg_constraints.items():
            if is_dependent(constraint):
                continue
            value = getattr(self, "_" + name) if name in self.one_of else getattr(self, name)
            if value is None:
                continue
            if not all_valid(constraint.check(value)):
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution "
                    f"{self!r} to satisfy the constraint {constraint!r}, but found invalid values:\n{value}"
                )

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Distribution:
        """Itself, repeated to a larger batch. Nothing is checked again."""
        raise NotImplementedError(f"{type(self).__name__} has no expand")

    @property
    def batch_shape(self) -> Shape:
        """The shape of the batch of distributions."""
        return self._batch_shape

    @property
    def event_shape(self) -> Shape:
        """The shape of one event."""
        return self._event_shape

    @property
    def support(self) -> Any:
        """The constraint that all values satisfy."""
        raise NotImplementedError(f"{type(self).__name__} has no support")

    @property
    def mean(self) -> Value:
        """The mean."""
        raise NotImplementedError(f"{type(self).__name__} has no mean")

    @property
    def mode(self) -> Value:
        """The value of the highest density."""
        raise NotImplementedError(f"{type(self).__name__} does not implement mode")

    @property
    def variance(self) -> Value:
        """The variance."""
        raise NotImplementedError(f"{type(self).__name__} has no variance")

    @property
    def stddev(self) -> Value:
        """The standard deviation."""
        return self.variance.sqrt()

    def sample(self, sample_shape: Shape = ()) -> Value:
        """A sample, or as many as `sample_shape` says, without a history."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Shape = ()) -> Value:
        """Samples that parameters get gradients of: a function of them and of other draws."""
        raise NotImplementedError(f"{type(self).__name__} has no rsample; take sample() and log_prob()")

    def sample_n(self, n: int) -> Value:
        """`n` samples."""
        return self.sample((n,))

    def log_prob(self, value: Value) -> Value:
        """The logarithm of the density, or of the probability, of each value."""
        raise NotImplementedError(f"{type(self).__name__} has no log_prob")

    def cdf(self, value: Value) -> Value:
        """The probability of a value no larger than each."""
        raise NotImplementedError(f"{type(self).__name__} has no cdf")

    def icdf(self, value: Value) -> Value:
        """The number below which that share of values lies."""
        raise NotImplementedError(f"{type(self).__name__} has no icdf")

    def enumerate_support(self, expand: bool = True) -> Value:
        """All values along a new first axis; expanded to the batch if asked."""
        raise NotImplementedError(f"{type(self).__name__} has no enumerate_support")

    def entropy(self) -> Value:
        """The entropy of each distribution of the batch."""
        raise NotImplementedError(f"{type(self).__name__} has no entropy")

    def perplexity(self) -> Value:
        """e to the power of the entropy."""
        return self.entropy().exp()

    def _extended_shape(self, sample_shape: Shape = ()) -> Shape:
        """The shape of samples."""
        given = (sample_shape,) if isinstance(sample_shape, int) else tuple(sample_shape)
        return given + self._batch_shape + self._event_shape

    def _validate_sample(self, value: Value) -> None:
        """Errors: ValueError for a value that is no tensor, does not broadcast to samples, or is not in the support."""
        if not is_tensor(value):
            raise ValueError("The value argument to log_prob must be a Tensor")
        axes = len(self._event_shape)
        first = value.ndim - axes
        if tuple(value.shape[first:]) != self._event_shape:
            raise ValueError(
                f"The right-most size of value must match event_shape: {tuple(value.shape)} vs {self._event_shape}."
            )
        expected = self._batch_shape + self._event_shape
        for one, other in zip(tuple(reversed(value.shape)), tuple(reversed(expected))):
            if one != 1 and other != 1 and one != other:
                raise ValueError(
                    f"Value is not broadcastable with batch_shape+event_shape: {tuple(value.shape)} vs {expected}."
                )
        support = self._support_of_samples()
        if support is not None and not all_valid(support.check(value)):
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the "
                f"support ({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def _support_of_samples(self) -> Constraint | None:
        """The support, or None where a distribution does not say."""
        try:
            return self.support  # type: ignore[no-any-return]
        except NotImplementedError:
            return None

    def _get_checked_instance(self, cls: type, _instance: Any = None) -> Any:
        """A new object for `expand` to fill.

        Errors: NotImplementedError for a subclass with an `__init__` and no `expand` of its own.
        """
        if _instance is None and type(self).__init__ is not cls.__init__:  # type: ignore[misc]
            raise NotImplementedError(
                f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method must also "
                "define a custom .expand() method."
            )
        return object.__new__(type(self)) if _instance is None else _instance

    def __repr__(self) -> str:
        names = [
            name
            for name in self.arg_constraints
            if getattr(self, "_" + name if name in self.one_of else name, None) is not None
        ]
        parts = []
        for name in names:
            value = getattr(self, name)
            parts.append(f"{name}: {value.item() if value.numel() == 1 else tuple(value.shape)}")
        return type(self).__name__ + "(" + ", ".join(parts) + ")"


def expanded(base: Any, made: Any, batch_shape: Shape, *names: str, event_shape: Shape = ()) -> Any:
    """`made` as `base` with the parameters called so expanded to a batch; nothing is checked."""
    for name in names:
        value = getattr(base, name)
        if value is not None:
            setattr(made, name, value.expand(tuple(batch_shape) + tuple(event_shape)))
        else:
            setattr(made, name, None)
    Distribution.__init__(made, tuple(batch_shape), tuple(event_shape), validate_args=False)
    made._validate_args = base._validate_args
    return made


class ExponentialFamily(Distribution):
    """A distribution whose density is ``exp(t(x) @ natural - normalizer(natural) + carrier(x))``.

    A subclass that gives `_natural_params` and `_log_normalizer` has an entropy, by differentiation.
    """

    @property
    def _natural_params(self) -> tuple[Value, ...]:
        """The natural parameters."""
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Value) -> Value:
        """The logarithm of what the density is divided by."""
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self) -> float:
        """The mean of the carrier."""
        raise NotImplementedError

    def entropy(self) -> Value:
        """The entropy, by the Bregman divergence of the normalizer.

        Source: Nielsen & Nock 2010, "Entropies and cross-entropies of exponential families".
        """
        from ..autograd import grad

        natural = [each.detach().requires_grad_() for each in self._natural_params]
        normalizer = self._log_normalizer(*natural)
        slopes = grad(normalizer.sum(), natural, create_graph=True)
        result = normalizer - self._mean_carrier_measure
        for one, slope in zip(natural, slopes):
            result = result - (one * slope).reshape(self._batch_shape + (-1,)).sum(-1)
        return result
