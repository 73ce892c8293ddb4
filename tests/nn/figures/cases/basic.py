"""Linear layers, activations, layer norm and losses."""

from __future__ import annotations

from typing import Any

FLOATS: dict[str, tuple[int, ...]] = {
    "x": (4, 3),
    "w": (5, 3),
    "b": (5,),
    "v": (3,),
    "u": (3,),
    "cube": (2, 4, 3),
    "y": (4, 3),
    "image": (2, 3, 4),
}
CLASSES: dict[str, list[Any]] = {
    "t": [2, 0, 1, 1],
    "ignored": [2, -100, 0, -100],
    "pixels": [[0, 1, 2, 2], [1, 1, -100, 0]],
    "one": [1],
}

CASES = {
    "linear": "F.linear(x, w, b)",
    "linear without bias": "F.linear(cube, w)",
    "linear of a row": "F.linear(v, w, b)",
    "relu": "F.relu(x)",
    "gelu": "F.gelu(x)",
    "gelu tanh": "F.gelu(cube, approximate='tanh')",
    "silu": "F.silu(x)",
    "sigmoid": "F.sigmoid(x)",
    "tanh": "F.tanh(x)",
    "softmax": "F.softmax(cube, dim=1)",
    "log_softmax": "F.log_softmax(x, dim=-1)",
    "layer_norm": "F.layer_norm(cube, (3,), v, u, 1e-3)",
    "layer_norm of two axes": "F.layer_norm(cube, (4, 3))",
    "layer_norm without weight": "F.layer_norm(cube, [3], None, u)",
    "mse_loss": "F.mse_loss(x, y)",
    "mse_loss sum": "F.mse_loss(x, y, reduction='sum')",
    "mse_loss none": "F.mse_loss(x, y, reduction='none')",
    "l1_loss": "F.l1_loss(x, y)",
    "bce": "F.binary_cross_entropy_with_logits(x, F.sigmoid(y))",
    "bce at zero": "F.binary_cross_entropy_with_logits(x - x.detach(), F.sigmoid(y), reduction='sum')",
    "bce weights": "F.binary_cross_entropy_with_logits(x, F.sigmoid(y), weight=v.detach(), pos_weight=u.detach() + 2)",
    "nll_loss": "F.nll_loss(x, t)",
    "nll_loss ignored": "F.nll_loss(x, ignored)",
    "nll_loss image": "F.nll_loss(image, pixels, reduction='none')",
    "cross_entropy": "F.cross_entropy(x, t)",
    "cross_entropy sum": "F.cross_entropy(x, ignored, reduction='sum')",
    "cross_entropy none": "F.cross_entropy(x, ignored, reduction='none')",
    "cross_entropy ignore 1": "F.cross_entropy(x, t, ignore_index=1)",
    "cross_entropy of one row": "F.cross_entropy(v, one[0])",
    "cross_entropy image": "F.cross_entropy(image, pixels)",
    "cross_entropy smoothed": "F.cross_entropy(x, ignored, label_smoothing=0.2)",
    "cross_entropy smoothed sum": "F.cross_entropy(image, pixels, label_smoothing=0.1, reduction='sum')",
    "cross_entropy smoothed none": "F.cross_entropy(image, pixels, label_smoothing=0.1, reduction='none')",
    "cross_entropy probabilities": "F.cross_entropy(x, F.softmax(y, dim=1))",
    "cross_entropy probabilities image": "F.cross_entropy(image, F.softmax(image * 2, dim=1), label_smoothing=0.3)",
    "cross_entropy probabilities none": "F.cross_entropy(x, F.softmax(y, dim=1), reduction='none')",
    "CrossEntropyLoss": "nn.CrossEntropyLoss(label_smoothing=0.1, ignore_index=1)(x, t)",
    "MSELoss": "nn.MSELoss(reduction='sum')(x, y)",
    "L1Loss": "nn.L1Loss()(x, y)",
    "NLLLoss": "nn.NLLLoss(reduction='none')(x, t)",
    "BCEWithLogitsLoss": "nn.BCEWithLogitsLoss()(x, F.sigmoid(y))",
    "LayerNorm": "nn.LayerNorm((4, 3), eps=1e-2)(cube)",
    "Flatten": "nn.Flatten()(cube)",
    "Flatten in part": "nn.Flatten(0, 1)(cube)",
    "Sequential": "nn.Sequential(nn.Tanh(), nn.Identity(), nn.Sigmoid(), nn.GELU(), nn.SiLU(), nn.ReLU())(x)",
    "Softmax": "nn.Softmax(dim=0)(x)",
    "LogSoftmax": "nn.LogSoftmax(dim=1)(x)",
}

FIRST_ORDER = ("layer_norm without weight",)
"""PyTorch has no second derivative of these."""
