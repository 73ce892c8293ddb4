"""Activations made of pieces; `at` are places where pieces meet, which keep their gradients."""

from __future__ import annotations

from typing import Any

FLOATS: dict[str, tuple[int, ...]] = {
    "x": (4, 3),
    "cube": (2, 4, 3),
    "image": (2, 4, 3, 2),
    "w": (4,),
    "one": (1,),
    "z": (8,),
}
CLASSES: dict[str, list[Any]] = {"edges": [-3.0, 3.0, -0.5, 0.5, 0.0, -1.0, 1.0, 2.5]}

_AT = "(z - z.detach() + edges)"
_PIECES = {
    "threshold": "F.threshold({}, 0.5, -2.0)",
    "selu": "F.selu({})",
    "celu": "F.celu({}, 0.5)",
    "celu of one": "F.celu({})",
    "elu": "F.elu({}, 1.5)",
    "hardswish": "F.hardswish({})",
    "hardshrink": "F.hardshrink({})",
    "hardshrink of nothing": "F.hardshrink({}, 0.0)",
    "softshrink": "F.softshrink({})",
    "softshrink of one": "F.softshrink({}, 1.0)",
    "tanhshrink": "F.tanhshrink({})",
    "rrelu evaluated": "F.rrelu({}, 0.2, 0.4)",
    "leaky_relu": "F.leaky_relu({}, 0.3)",
    "relu6": "F.relu6({})",
}

CASES = {
    **{name: text.format("x * 2") for name, text in _PIECES.items()},
    **{f"{name} at edges": text.format(_AT) for name, text in _PIECES.items()},
    "prelu": "F.prelu(cube, w)",
    "prelu of one": "F.prelu(x + 0.1, one)",
    "prelu of images": "F.prelu(image, w)",
    "softmin": "F.softmin(cube, dim=1)",
    "mish overwriting": "F.mish(x * 1, inplace=True)",
    "hardswish overwriting": "F.hardswish(x * 1, inplace=True)",
    "selu overwriting": "F.selu_(x * 1)",
    "celu overwriting": "F.celu_(x * 1, 2.0)",
    "elu overwriting": "F.elu_(x * 1)",
    "relu overwriting": "F.relu_(x * 1)",
    "hardtanh overwriting": "F.hardtanh_(x * 1)",
    "leaky_relu overwriting": "F.leaky_relu_(x * 1)",
    "threshold overwriting": "F.threshold_(x * 1, 0.1, 0.2)",
    "rrelu overwriting": "F.rrelu_(x * 1)",
    "Softsign": "nn.Softsign()(x)",
    "Tanhshrink": "nn.Tanhshrink()(x)",
    "SELU": "nn.SELU()(x)",
    "CELU": "nn.CELU(0.5)(x)",
    "GLU": "nn.GLU(1)(cube)",
    "Threshold": "nn.Threshold(0.1, 20.0)(x)",
    "Hardswish": "nn.Hardswish()(x)",
    "Hardshrink": "nn.Hardshrink(0.7)(x)",
    "Softshrink": "nn.Softshrink(0.7)(x)",
    "PReLU": "nn.PReLU(dtype=x.dtype)(x)",
    "PReLU of channels": "fixed(nn.PReLU(4))(image)",
    "RReLU evaluated": "nn.RReLU().eval()(x)",
    "Softmin": "nn.Softmin(dim=0)(x)",
    "Softmax2d": "nn.Softmax2d()(image)",
}
