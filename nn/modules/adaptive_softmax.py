"""A softmax over many classes, the rare ones of which share places in it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ...core.dtypes import DType
from ...tensor import Tensor
from ...tensor.joining import cat
from ...tensor.pointwise import where
from .. import functional
from ..errors import LayerArgumentError, LayerShapeError
from ..module import Module
from ..recurrent.padded import all_true, is_traced
from .container import ModuleList, Sequential
from .linear import Linear


class TargetLogProbabilities(NamedTuple):
    """The result of `AdaptiveLogSoftmaxWithLoss`.

    output: the log-probability of each target.   loss: the mean of the negative ones.
    """

    output: Tensor
    loss: Tensor


class AdaptiveLogSoftmaxWithLoss(Module):
    """Log-probabilities of targets among many classes, and their mean loss.

    The most frequent classes come first, and have a place each in a softmax, the head; each cluster of rarer ones has
    one place there, and a smaller softmax of its own, the tail.
    cutoffs: the first class of each cluster.   div_value: each cluster has so many times fewer features.
    Shapes: input [N, in_features] and target i64 [N], or [in_features] and []; the output has the shape of the target.
    Only the rows that have a target in a cluster go through it; in a graph, whose shapes depend on no target, all do.
    Errors: ValueError for cutoffs that do not grow or are out of range; RuntimeError for shapes that do not fit, and
        targets that are no classes.
        Source: Grave, Joulin, Cissé, Grangier & Jégou 2017.
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        given = list(cutoffs)
        if not given:
            raise LayerArgumentError("cutoffs should be a sequence of length larger than 0")
        if (
            any(low >= high for low, high in pairwise(given))
            or not 0 < given[0] <= given[-1] <= n_classes - 1
            or any(int(each) != each for each in given)
        ):
            raise LayerArgumentError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each "
                f"value is between 1 and n_classes-1, got {given}"
            )
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*given, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, bias=head_bias, device=device, dtype=dtype)
        self.tail = ModuleList()
        for place, (low, high) in enumerate(pairwise(self.cutoffs)):
            hidden = int(in_features // (div_value ** (place + 1)))
            self.tail.append(
                Sequential(
                    Linear(in_features, hidden, bias=False, device=device, dtype=dtype),
                    Linear(hidden, high - low, bias=False, device=device, dtype=dtype),
                )
            )

    def reset_parameters(self) -> None:
        """Fills all weights anew."""
        self.head.reset_parameters()
        cluster: Any
        for cluster in self.tail:
            for layer in cluster:
                layer.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> TargetLogProbabilities:
        """The log-probability of each target, and the mean of the negative ones."""
        _check(input_, target_)
        batched = target_.ndim == 1
        input = input_ if batched else input_.unsqueeze(0)
        target = target_ if batched else target_.unsqueeze(0)
        if not all_true((target >= 0) & (target < self.n_classes)):
            raise LayerShapeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range "
                f"[{target.min().item()}, {target.max().item()}] were found. "
            )
        places = target
        output: Any = None
        for number, (low, high) in enumerate(pairwise(self.cutoffs)):
            inside = (target >= low) & (target < high)
            places = where(inside, self.shortlist_size + number, places)
            if is_traced(inside):
                part = where(inside, self._in_cluster(number, input, where(inside, target - low, 0)), 0.0)
                output = part if output is None else output + part
                continue
            rows = inside.nonzero().squeeze(1)
            if rows.numel():
                if output is None:
                    output = input.new_zeros(target.shape[0])
                found = self._in_cluster(number, input.index_select(0, rows), target.index_select(0, rows) - low)
                output = output.index_copy(0, rows, found.to(output.dtype))
        head = functional.log_softmax(self.head(input), dim=1).gather(1, places.unsqueeze(1)).squeeze(1)
        output = head if output is None else output + head
        loss = (-output).mean()
        return TargetLogProbabilities(output if batched else output.squeeze(0), loss)

    def _in_cluster(self, number: int, input: Tensor, place: Tensor) -> Tensor:
        """The log-probability, within a cluster, of one of its classes for each row."""
        logs = functional.log_softmax(self.tail[number](input), dim=1)
        return logs.gather(1, place.unsqueeze(1)).squeeze(1)

    def log_prob(self, input: Tensor) -> Tensor:
        """The log-probabilities of all classes. Shapes: [N, in_features] -> [N, n_classes]."""
        head = functional.log_softmax(self.head(input), dim=1)
        parts = [head[:, : self.shortlist_size]]
        for number, cluster in enumerate(self.tail):
            place = self.shortlist_size + number
            parts.append(functional.log_softmax(cluster(input), dim=1) + head[:, place : place + 1])
        return cat(parts, 1)

    def predict(self, input: Tensor) -> Tensor:
        """The class with the highest probability: of the head, or, where a cluster is, of all classes.

        Shapes: [N, in_features] -> i64 [N].
        """
        first = self.head(input).argmax(dim=1)
        rare = first >= self.shortlist_size
        if is_traced(rare):
            return where(rare, self.log_prob(input).argmax(dim=1), first)
        rows = rare.nonzero().squeeze(1)
        if not rows.numel():
            return first
        return first.index_copy(0, rows, self.log_prob(input.index_select(0, rows)).argmax(dim=1))


def _check(input: Tensor, target: Tensor) -> None:
    if target.ndim > 1:
        raise LayerShapeError("0D or 1D target tensor expected, multi-target not supported")
    if input.ndim != target.ndim + 1:
        raise LayerShapeError(
            f"{target.ndim}D target tensor expects {target.ndim + 1}D input tensors, but found inputs with size "
            f"{list(input.shape)}"
        )
    if target.ndim and input.shape[0] != target.shape[0]:
        raise LayerShapeError("Input and target should have the same size in the batch dimension.")
