"""Negative log likelihoods of distributions as modules."""

from __future__ import annotations

from collections.abc import Sequence

from ...tensor import Tensor
from .. import functional
from .loss import _Loss, _WeightedLoss


class BCELoss(_WeightedLoss):
    """Minus the logarithm of the probability of the target, given the probability of 1."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss of the probabilities `input` for `target`."""
        return functional.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class PoissonNLLLoss(_Loss):
    """Minus the logarithm of the probability of counts, of rates or their logarithms."""

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        size_average: bool | None = None,
        eps: float = 1e-8,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss of `input` for the counts `target`."""
        return functional.poisson_nll_loss(
            input, target, log_input=self.log_input, full=self.full, eps=self.eps, reduction=self.reduction
        )


class GaussianNLLLoss(_Loss):
    """Minus the logarithm of the density of the target under normal distributions.   Source: Nix & Weigend 1994."""

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction=reduction)
        self.full = full
        self.eps = eps

    def forward(self, input: Tensor, target: Tensor, var: Tensor | float) -> Tensor:
        """The loss of the means `input` and the variances `var` for `target`."""
        return functional.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


class CTCLoss(_Loss):
    """Minus the logarithm of the probability of texts, over all their alignments with the frames.

    Source: Graves, Fernández, Gomez & Schmidhuber 2006.
    """

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction=reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def forward(
        self,
        log_probs: Tensor,
        targets: Tensor,
        input_lengths: Tensor | Sequence[int],
        target_lengths: Tensor | Sequence[int],
    ) -> Tensor:
        """The loss of log-probabilities [T, N, C] for `targets`."""
        return functional.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )
