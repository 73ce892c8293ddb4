"""Batch, instance, group and local response norm, in training and in evaluation."""

from __future__ import annotations

from typing import Any

FLOATS: dict[str, tuple[int, ...]] = {
    "x": (4, 3),
    "cube": (2, 4, 3),
    "image": (2, 4, 3, 2),
    "volume": (2, 2, 2, 3, 2),
    "m": (4,),
    "v": (4,),
    "w": (4,),
    "b": (4,),
    "m3": (3,),
    "w3": (3,),
}
CLASSES: dict[str, list[Any]] = {"ones": [1.0, 1.0, 1.0, 1.0], "r": [0.5, -0.5, 0.25, 2.0], "s": [1.0, 2.0, 0.5, 0.25]}
TRACKED = "(lambda m: [m(image), m(image * 2 + 1), m.running_mean, m.running_var])"
EVALUATED = "(lambda m: [m(image).detach(), m.eval()(image)])"

CASES = {
    "batch_norm": "F.batch_norm(x, None, None, training=True)",
    "batch_norm of images": "F.batch_norm(image, None, None, w, b, True)",
    "batch_norm with weight alone": "F.batch_norm(cube, None, None, w, training=True, eps=0.1)",
    "batch_norm with bias alone": "F.batch_norm(cube, None, None, None, b, training=True)",
    "batch_norm evaluated": "F.batch_norm(image, r, s, w, b)",
    "batch_norm evaluated, nothing more": "F.batch_norm(cube, r, s, eps=0.01)",
    "batch_norm of running statistics": (
        "(lambda a, c: [F.batch_norm(cube, a, c, w, b, True, 0.3), a, c])(r * 1, s * 1)"
    ),
    "BatchNorm1d": "fixed(nn.BatchNorm1d(3))(x)",
    "BatchNorm1d without affine": "nn.BatchNorm1d(4, affine=False)(cube)",
    "BatchNorm1d without bias": "fixed(nn.BatchNorm1d(4, bias=False))(cube)",
    "BatchNorm2d twice": f"{TRACKED}(fixed(nn.BatchNorm2d(4)))",
    "BatchNorm2d by a mean of all": f"{TRACKED}(fixed(nn.BatchNorm2d(4, momentum=None)))",
    "BatchNorm2d evaluated": f"{EVALUATED}(fixed(nn.BatchNorm2d(4, momentum=0.4)))",
    "BatchNorm2d without statistics": f"{EVALUATED}(fixed(nn.BatchNorm2d(4, track_running_stats=False)))",
    "BatchNorm3d": "fixed(nn.BatchNorm3d(2, eps=0.1))(volume)",
    "BatchNorm3d evaluated at once": "fixed(nn.BatchNorm3d(2)).eval()(volume)",
    "instance_norm": "F.instance_norm(cube)",
    "instance_norm with weights": "F.instance_norm(image, weight=w, bias=b, eps=0.1)",
    "instance_norm by running statistics": "F.instance_norm(image, r, s, w, b, use_input_stats=False)",
    "InstanceNorm1d": "fixed(nn.InstanceNorm1d(4, affine=True))(cube)",
    "InstanceNorm1d of one example": "nn.InstanceNorm1d(4)(cube[0])",
    "InstanceNorm2d twice": f"{TRACKED}(fixed(nn.InstanceNorm2d(4, track_running_stats=True, affine=True)))",
    "InstanceNorm2d evaluated": f"{EVALUATED}(nn.InstanceNorm2d(4, track_running_stats=True))",
    "InstanceNorm3d": "fixed(nn.InstanceNorm3d(2, affine=True, bias=False))(volume)",
    "group_norm": "F.group_norm(image, 2, w, b)",
    "group_norm of rows": "F.group_norm(x, 1)",
    "group_norm with weight alone": "F.group_norm(cube, 4, w)",
    "GroupNorm": "fixed(nn.GroupNorm(2, 4, eps=0.1))(cube)",
    "GroupNorm without affine": "nn.GroupNorm(4, 4, affine=False)(image)",
    "GroupNorm without bias": "fixed(nn.GroupNorm(1, 2, bias=False))(volume)",
    "local_response_norm": "F.local_response_norm(image, 3, alpha=0.5, beta=0.6, k=2.0)",
    "local_response_norm of an even size": "F.local_response_norm(cube, 2, alpha=0.5)",
    "LocalResponseNorm": "nn.LocalResponseNorm(5, alpha=0.9)(volume)",
    "RMSNorm": "fixed(nn.RMSNorm(3))(x)",
    "RMSNorm of two axes": "fixed(nn.RMSNorm((4, 3), eps=0.1))(cube)",
    "RMSNorm without weight": "nn.RMSNorm(3, elementwise_affine=False)(x)",
}

FIRST_ORDER = ("batch_norm with bias alone",)
"""PyTorch fails at the second derivative of it."""
