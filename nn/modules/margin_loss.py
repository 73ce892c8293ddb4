"""Losses that ask for a margin, and losses of pairs and triplets, as modules."""

from __future__ import annotations

from collections.abc import Callable

from ...tensor import Tensor
from .. import functional
from ..errors import LayerArgumentError
from ..module import Module
from .loss import _Loss, _WeightedLoss


class SoftMarginLoss(_Loss):
    """``log(1 + exp(-target * input))``, for targets of 1 and -1."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss of `input` for `target`."""
        return functional.soft_margin_loss(input, target, reduction=self.reduction)


class MultiLabelMarginLoss(_Loss):
    """The margins by which labels are not ahead of other classes; see `functional.multilabel_margin_loss`."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss of `input` for the labels in `target`, up to the first -1 of a row."""
        return functional.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """Minus the logarithm of the probability of each target of 0 or 1, as a mean over the classes."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss of the logits `input` for `target`."""
        return functional.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)


class MultiMarginLoss(_WeightedLoss):
    """The margins by which the class of the target is not ahead of others. Errors: ValueError for a `p` but 1 and 2."""

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise LayerArgumentError("only p == 1 and p == 2 supported")
        if weight is not None and weight.ndim != 1:
            raise LayerArgumentError(f"MultiMarginLoss: weight must be None or have 1 dimension, got {weight.ndim}")
        self.p = p
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss of `input` for the classes `target`."""
        return functional.multi_margin_loss(
            input, target, p=self.p, margin=self.margin, weight=self.weight, reduction=self.reduction
        )


class _OfMargin(_Loss):
    """Holds besides the reduction a margin."""

    def __init__(
        self,
        margin: float = 0.0,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin


class HingeEmbeddingLoss(_OfMargin):
    """The input where the target is 1, as far as it is below the margin where the target is -1."""

    def __init__(
        self,
        margin: float = 1.0,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(margin, size_average, reduce, reduction)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss of the distances `input` for `target`."""
        return functional.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)


class CosineEmbeddingLoss(_OfMargin):
    """One less the cosine of the angle where the target is 1; where it is -1, as far as it exceeds the margin."""

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """The loss of two lists of vectors for `target`."""
        return functional.cosine_embedding_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class MarginRankingLoss(_OfMargin):
    """As far as the first input is not larger than the second by the margin; the reverse for a target of -1."""

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """The loss of two lists of numbers for `target`."""
        return functional.margin_ranking_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class TripletMarginLoss(_Loss):
    """As far as the negative is not farther from the anchor than the positive by the margin.

    Errors: ValueError unless the margin is positive.   Source: Balntas et al. 2016.
    """

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-6,
        swap: bool = False,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        if margin <= 0:
            raise LayerArgumentError(f"TripletMarginLoss: expected margin to be greater than 0, got {margin} instead")
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """The loss of three lists of vectors."""
        return functional.triplet_margin_loss(
            anchor,
            positive,
            negative,
            margin=self.margin,
            p=self.p,
            eps=self.eps,
            swap=self.swap,
            reduction=self.reduction,
        )


class TripletMarginWithDistanceLoss(Module):
    """`TripletMarginLoss` with any distance; the Euclidean one where none is given."""

    def __init__(
        self,
        *,
        distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__()
        if margin <= 0:
            raise LayerArgumentError(
                f"TripletMarginWithDistanceLoss: expected margin to be greater than 0, got {margin} instead"
            )
        self.reduction = reduction
        self.distance_function = functional.pairwise_distance if distance_function is None else distance_function
        self.margin = margin
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """The loss of three lists of vectors."""
        return functional.triplet_margin_with_distance_loss(
            anchor,
            positive,
            negative,
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )
