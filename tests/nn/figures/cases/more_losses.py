"""Losses of margins, of pairs and triplets, and of distributions."""

# ruff: noqa: E501  (an expression a line)

from __future__ import annotations

from typing import Any

FLOATS: dict[str, tuple[int, ...]] = {
    "x": (4, 3),
    "y": (4, 3),
    "n": (4, 3),
    "v": (3,),
    "w": (3,),
    "d": (4,),
    "e": (4,),
    "row": (4, 1),
}
CLASSES: dict[str, list[Any]] = {
    "t": [2, 0, 1, 1],
    "far": [6, 1, 2, 4],
    "signs": [1.0, -1.0, -1.0, 1.0],
    "both": [[1.0, -1.0, 1.0], [-1.0, -1.0, 1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, -1.0]],
    "bits": [[1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 0.0]],
    "labels": [[2, 0, -1], [-1, 1, 2], [1, -1, 0], [0, 1, 2]],
    "counts": [[0.0, 1.0, 2.0], [3.0, 5.0, 0.0], [1.0, 7.0, 4.0], [2.0, 2.0, 9.0]],
    "seven": [7.0],
}
_P = "F.sigmoid(x)"

CASES = {
    "binary_cross_entropy": f"F.binary_cross_entropy({_P}, F.sigmoid(y))",
    "AdaptiveLogSoftmaxWithLoss": "fixed(nn.AdaptiveLogSoftmaxWithLoss(3, 7, [2, 4], div_value=1.5, head_bias=True))(x, far)",
    "AdaptiveLogSoftmaxWithLoss of one": "fixed(nn.AdaptiveLogSoftmaxWithLoss(3, 7, [2, 4], div_value=1.5))(x[1], far[1])",
    "AdaptiveLogSoftmaxWithLoss of all": "fixed(nn.AdaptiveLogSoftmaxWithLoss(3, 7, [2, 4], div_value=1.5)).log_prob(x)",
    "AdaptiveLogSoftmaxWithLoss best": "[fixed(nn.AdaptiveLogSoftmaxWithLoss(3, 7, [2, 4], div_value=1.5)).predict(3 * x), v * 1.0]",
    "linear_cross_entropy": "F.linear_cross_entropy(x, n[:, :3], far[:4] % 4, linear_bias=d, weight=e.abs().detach())",
    "LinearCrossEntropyLoss": "fixed(nn.LinearCrossEntropyLoss(3, 3, bias=True, label_smoothing=0.1))(x, t)",
    "LinearCrossEntropyLoss of places": "fixed(nn.LinearCrossEntropyLoss(3, 3, out_features=(2,), reduction='none'))(x, lib.stack([t, t.flip(0)], 1))",
    "binary_cross_entropy of bits": f"F.binary_cross_entropy({_P}, bits, reduction='sum')",
    "binary_cross_entropy with weights": f"F.binary_cross_entropy({_P}, bits, weight=w.detach(), reduction='none')",
    "BCELoss": f"nn.BCELoss(reduction='sum')({_P}, bits)",
    "BCELoss with weights": f"nn.BCELoss(weight=bits + 1)({_P}, bits)",
    "soft_margin_loss": "F.soft_margin_loss(x, both)",
    "soft_margin_loss none": "F.soft_margin_loss(x, both, reduction='none')",
    "SoftMarginLoss": "nn.SoftMarginLoss(reduction='sum')(x, both)",
    "multilabel_margin_loss": "F.multilabel_margin_loss(x, labels)",
    "multilabel_margin_loss none": "F.multilabel_margin_loss(x * 0.3, labels, reduction='none')",
    "multilabel_margin_loss of a row": "F.multilabel_margin_loss(v, labels[0])",
    "MultiLabelMarginLoss": "nn.MultiLabelMarginLoss(reduction='sum')(x, labels)",
    "multi_margin_loss": "F.multi_margin_loss(x, t)",
    "multi_margin_loss squared": "F.multi_margin_loss(x, t, p=2, margin=0.7)",
    "multi_margin_loss with weights": "F.multi_margin_loss(x, t, weight=w.detach(), reduction='none')",
    "multi_margin_loss of a row": "F.multi_margin_loss(v, t[0], reduction='none')",
    "multi_margin_loss of one row": "F.multi_margin_loss(v, t[:1], reduction='none')",
    "MultiMarginLoss": "nn.MultiMarginLoss(2, 0.5, reduction='sum')(x, t)",
    "multilabel_soft_margin_loss": "F.multilabel_soft_margin_loss(x, bits)",
    "multilabel_soft_margin_loss with weights": "F.multilabel_soft_margin_loss(x, bits, weight=w, reduction='none')",
    "MultiLabelSoftMarginLoss": "nn.MultiLabelSoftMarginLoss(reduction='sum')(x, bits)",
    "hinge_embedding_loss": "F.hinge_embedding_loss(x, both)",
    "hinge_embedding_loss of others": "F.hinge_embedding_loss(x, both * 2, margin=0.5, reduction='none')",
    "HingeEmbeddingLoss": "nn.HingeEmbeddingLoss(2.0, reduction='sum')(x, both)",
    "cosine_embedding_loss": "F.cosine_embedding_loss(x, y, signs)",
    "cosine_embedding_loss none": "F.cosine_embedding_loss(x, n, signs, margin=-0.3, reduction='none')",
    "cosine_embedding_loss of a row": "F.cosine_embedding_loss(v, w, signs[0])",
    "CosineEmbeddingLoss": "nn.CosineEmbeddingLoss(0.1, reduction='sum')(x, y, signs)",
    "margin_ranking_loss": "F.margin_ranking_loss(d, e, signs)",
    "margin_ranking_loss none": "F.margin_ranking_loss(x, n, both, margin=0.4, reduction='none')",
    "MarginRankingLoss": "nn.MarginRankingLoss(0.2)(d, e, signs)",
    "triplet_margin_loss": "F.triplet_margin_loss(x, y, n)",
    "triplet_margin_loss swapped": "F.triplet_margin_loss(x, y, n, margin=2.0, p=1, swap=True, reduction='none')",
    "triplet_margin_loss of a row": "F.triplet_margin_loss(v, w, v * 2)",
    "TripletMarginLoss": "nn.TripletMarginLoss(0.5, p=3.0, reduction='sum')(x, y, n)",
    "triplet_margin_with_distance_loss": "F.triplet_margin_with_distance_loss(x, y, n, margin=3.0, swap=True)",
    "TripletMarginWithDistanceLoss": (
        "nn.TripletMarginWithDistanceLoss(distance_function=lambda a, b: (a - b).abs().amax(-1), margin=4.0)(x, y, n)"
    ),
    "poisson_nll_loss": "F.poisson_nll_loss(x, counts)",
    "poisson_nll_loss in full": "F.poisson_nll_loss(x, counts, full=True, reduction='none')",
    "poisson_nll_loss of rates": "F.poisson_nll_loss(x.exp(), counts, log_input=False, eps=0.1)",
    "poisson_nll_loss of differentiable counts": "F.poisson_nll_loss(x, y.exp() + 1, full=True)",
    "PoissonNLLLoss": "nn.PoissonNLLLoss(False, reduction='sum')(x * x + 1, counts)",
    "gaussian_nll_loss": "F.gaussian_nll_loss(x, y, n.exp())",
    "gaussian_nll_loss in full": "F.gaussian_nll_loss(x, y, row.exp(), full=True, reduction='none')",
    "gaussian_nll_loss by rows": "F.gaussian_nll_loss(x, y, d * d)",
    "gaussian_nll_loss of small variances": "F.gaussian_nll_loss(x, y, n * n, eps=1.5, reduction='sum')",
    "gaussian_nll_loss of a number": "F.gaussian_nll_loss(x, y, 0.5)",
    "GaussianNLLLoss": "nn.GaussianNLLLoss(full=True, reduction='sum')(x, y, n.exp())",
}

_FIRST = ("multi_margin", "MultiMargin", "multilabel_margin", "MultiLabelM", "binary_cross", "BCE")
FIRST_ORDER = tuple(each for each in CASES if each.startswith(_FIRST))
"""PyTorch has no second derivative of these; that of binary cross entropy has 1e-12 added to a denominator there."""
