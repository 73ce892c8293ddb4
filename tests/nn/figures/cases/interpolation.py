"""Pictures of other sizes, by size and by factor, in every mode."""

from __future__ import annotations

from typing import Any

FLOATS: dict[str, tuple[int, ...]] = {
    "line": (1, 2, 5),
    "image": (1, 2, 4, 3),
    "volume": (1, 1, 2, 3, 2),
    "grid": (1, 2, 3, 2),
    "grid3": (1, 1, 2, 2, 3),
    "map2": (2, 2, 3),
    "map3": (1, 3, 4),
}
CLASSES: dict[str, list[Any]] = {}

CASES = {
    "nearest": "F.interpolate(image, scale_factor=2)",
    "nearest of a line": "F.interpolate(line, 8)",
    "nearest smaller": "F.interpolate(image, size=(3, 2))",
    "nearest by a factor": "F.interpolate(image, scale_factor=(1.7, 0.6))",
    "nearest by a factor recomputed": "F.interpolate(image, scale_factor=(1.7, 0.6), recompute_scale_factor=True)",
    "nearest of a volume": "F.interpolate(volume, scale_factor=1.5)",
    "nearest-exact": "F.interpolate(image, (7, 2), mode='nearest-exact')",
    "nearest-exact by a factor": "F.interpolate(line, scale_factor=1.3, mode='nearest-exact')",
    "linear": "F.interpolate(line, 8, mode='linear')",
    "linear aligned": "F.interpolate(line, 8, mode='linear', align_corners=True)",
    "linear smaller": "F.interpolate(line, scale_factor=0.5, mode='linear')",
    "linear to one": "F.interpolate(line, 1, mode='linear', align_corners=True)",
    "bilinear": "F.interpolate(image, scale_factor=2, mode='bilinear')",
    "bilinear aligned": "F.interpolate(image, (5, 7), mode='bilinear', align_corners=True)",
    "bilinear by a factor": "F.interpolate(image, scale_factor=(1.6, 2.3), mode='bilinear', align_corners=False)",
    "bilinear recomputed": "F.interpolate(image, scale_factor=1.6, mode='bilinear', recompute_scale_factor=True)",
    "bilinear of the same size": "F.interpolate(image, (4, 3), mode='bilinear')",
    "bicubic": "F.interpolate(image, scale_factor=2, mode='bicubic')",
    "bicubic aligned": "F.interpolate(image, (6, 2), mode='bicubic', align_corners=True)",
    "trilinear": "F.interpolate(volume, scale_factor=2, mode='trilinear')",
    "trilinear aligned": "F.interpolate(volume, (3, 2, 5), mode='trilinear', align_corners=True)",
    "area": "F.interpolate(image, (3, 2), mode='area')",
    "area of a line": "F.interpolate(line, scale_factor=1.4, mode='area')",
    "area of a volume": "F.interpolate(volume, (1, 2, 2), mode='area')",
    "Upsample": "nn.Upsample(scale_factor=2, mode='bilinear', align_corners=True)(image)",
    "Upsample to a size": "nn.Upsample(size=7)(line)",
    "UpsamplingNearest2d": "nn.UpsamplingNearest2d(scale_factor=2)(image)",
    "UpsamplingBilinear2d": "nn.UpsamplingBilinear2d(size=(5, 4))(image)",
    "bilinear smoothed": "F.interpolate(image, (2, 2), mode='bilinear', antialias=True)",
    "bilinear smoothed, aligned": "F.interpolate(image, (2, 7), mode='bilinear', align_corners=True, antialias=True)",
    "bicubic smoothed": "F.interpolate(image, scale_factor=(0.4, 0.7), mode='bicubic', antialias=True)",
    "affine_grid": "F.affine_grid(map2, (2, 1, 3, 4), align_corners=False)",
    "affine_grid of volumes": "F.affine_grid(map3, (1, 1, 2, 1, 3), align_corners=True)",
    **{
        f"grid_sample {mode} {padding} {aligned}": (
            f"F.grid_sample(image, 0.8 * grid, {mode!r}, {padding!r}, {aligned})"
        )
        for mode in ("bilinear", "nearest", "bicubic")
        for padding in ("zeros", "border", "reflection")
        for aligned in (False, True)
    },
    **{
        f"grid_sample of a volume {mode} {padding} {aligned}": (
            f"F.grid_sample(volume, 0.8 * grid3, {mode!r}, {padding!r}, {aligned})"
        )
        for mode in ("bilinear", "nearest")
        for padding, aligned in (("zeros", False), ("border", True), ("reflection", False))
    },
}

FIRST_ORDER = tuple(
    case
    for case in CASES
    if case.startswith("grid_sample") and ("bicubic" in case or "volume" in case or "nearest" in case)
)
"""PyTorch has no second derivative of these, or says otherwise which of them are zeros."""
