"""Pools: windows that overlap or not, padding, sizes rounded up, and what counts as an element."""

# ruff: noqa: E501  (an expression a line)

from __future__ import annotations

from typing import Any

FLOATS: dict[str, tuple[int, ...]] = {"x": (1, 2, 9), "image": (1, 2, 7, 6), "volume": (1, 1, 4, 3, 4)}
CLASSES: dict[str, list[Any]] = {
    "shares": [[[0.3, 0.75], [0.6, 0.1]]],
    "shares3": [[[0.4, 0.9, 0.2]]],
    "ties": [[[[1.0, 2.0, 2.0, 0.5], [2.0, 2.0, 1.0, 0.5]]]],
}

CASES = {
    "max_pool1d": "F.max_pool1d(x, 2)",
    "max_pool1d overlapping": "F.max_pool1d(x, 3, 1, padding=1)",
    "max_pool1d dilated": "F.max_pool1d(x, 3, 2, padding=1, dilation=2, ceil_mode=True)",
    "max_pool2d": "F.max_pool2d(image, 2)",
    "max_pool2d overlapping": "F.max_pool2d(image, 3, 2, 1)",
    "max_pool2d strided": "F.max_pool2d(image, (2, 3), stride=(3, 1))",
    "max_pool2d rounded up": "F.max_pool2d(image, 3, stride=2, ceil_mode=True)",
    "max_pool2d dilated": "F.max_pool2d(image, 2, stride=1, dilation=(3, 2))",
    "max_pool2d indices": "F.max_pool2d(image, (3, 2), 2, (1, 0), return_indices=True)",
    "max_pool2d indices of ties": "F.max_pool2d(image[:1, :1, :2, :4] * 0 + ties, 2, 1, return_indices=True)",
    "max_pool2d without batch": "F.max_pool2d(image[0], 2, return_indices=True)",
    "max_pool3d": "F.max_pool3d(volume, 2, padding=1, return_indices=True)",
    "avg_pool1d": "F.avg_pool1d(x, 2)",
    "avg_pool1d padded": "F.avg_pool1d(x, 3, 2, 1, ceil_mode=True)",
    "avg_pool2d": "F.avg_pool2d(image, 2)",
    "avg_pool2d overlapping": "F.avg_pool2d(image, 3, 1, 1)",
    "avg_pool2d without the padding": "F.avg_pool2d(image, 3, 2, 1, count_include_pad=False)",
    "avg_pool2d rounded up": "F.avg_pool2d(image, (3, 2), 2, ceil_mode=True)",
    "avg_pool2d rounded up and padded": "F.avg_pool2d(image, 3, 2, 1, True)",
    "avg_pool2d rounded up without the padding": "F.avg_pool2d(image, 3, 2, 1, True, False)",
    "avg_pool2d divisor": "F.avg_pool2d(image, 2, 3, divisor_override=3)",
    "avg_pool2d of all": "F.avg_pool2d(image, (7, 6))",
    "avg_pool3d": "F.avg_pool3d(volume, (2, 2, 3), padding=(1, 0, 1), count_include_pad=False)",
    "avg_pool2d without batch": "F.avg_pool2d(image[0], 2)",
    "lp_pool1d": "F.lp_pool1d(x.abs() + 1, 3.0, 2)",
    "lp_pool2d": "F.lp_pool2d(image, 2.0, 3, 2, ceil_mode=True)",
    "lp_pool3d": "F.lp_pool3d(volume, 2, 2)",
    "fractional_max_pool2d": "F.fractional_max_pool2d(image, (2, 3), (4, 3), return_indices=True, _random_samples=shares)",
    "fractional_max_pool2d by a ratio": "F.fractional_max_pool2d(image, 2, output_ratio=(0.5, 0.7), _random_samples=shares)",
    "fractional_max_pool2d of one": "F.fractional_max_pool2d(image[0], 3, 1, _random_samples=shares)",
    "fractional_max_pool3d": "F.fractional_max_pool3d(volume, 2, (2, 1, 2), return_indices=True, _random_samples=shares3)",
    "FractionalMaxPool2d": "nn.FractionalMaxPool2d(2, output_size=3, _random_samples=shares)(image)",
    "FractionalMaxPool3d": "nn.FractionalMaxPool3d(2, output_ratio=0.5, _random_samples=shares3)(volume)",
    "MaxPool1d": "nn.MaxPool1d(3, stride=2)(x)",
    "MaxPool2d": "nn.MaxPool2d(2, 2)(image)",
    "MaxPool3d": "nn.MaxPool3d(2, padding=1, ceil_mode=True)(volume)",
    "AvgPool1d": "nn.AvgPool1d(3, padding=1, count_include_pad=False)(x)",
    "AvgPool2d": "nn.AvgPool2d(3, stride=(2, 1), divisor_override=5)(image)",
    "AvgPool3d": "nn.AvgPool3d(2)(volume)",
    "LPPool1d": "nn.LPPool1d(2, 3)(x)",
    "LPPool2d": "nn.LPPool2d(2, 2)(image)",
    "LPPool3d": "nn.LPPool3d(2, 2, stride=1)(volume)",
}

FIRST_ORDER = tuple(case for case in CASES if case.lower().startswith("fractional"))
"""Their second derivatives are zeros, which PyTorch says and we do not."""
