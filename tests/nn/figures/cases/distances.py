"""Distances and angles between vectors, products of two of them, and an axis made several."""

from __future__ import annotations

from typing import Any

FLOATS: dict[str, tuple[int, ...]] = {
    "x": (4, 3),
    "y": (4, 3),
    "v": (3,),
    "cube": (2, 4, 3),
    "z": (4, 2),
    "w": (5, 3, 2),
    "b": (5,),
    "u": (2,),
}
CLASSES: dict[str, list[Any]] = {}

CASES = {
    "pairwise_distance": "F.pairwise_distance(x, y)",
    "pairwise_distance of vectors": "F.pairwise_distance(x, v, p=1.0)",
    "pairwise_distance kept": "F.pairwise_distance(x, y, p=3.0, eps=0.1, keepdim=True)",
    "pairwise_distance of the largest": "F.pairwise_distance(x, y, p=float('inf'))",
    "PairwiseDistance": "nn.PairwiseDistance(p=2.0, keepdim=True)(x, y)",
    "pdist": "F.pdist(x)",
    "pdist of p": "F.pdist(x, p=1.0)",
    "pdist of three": "F.pdist(x, p=3.0)",
    "CosineSimilarity": "nn.CosineSimilarity()(x, y)",
    "CosineSimilarity along another axis": "nn.CosineSimilarity(dim=0, eps=0.1)(x, y)",
    "bilinear": "F.bilinear(x, z, w, b)",
    "bilinear of vectors": "F.bilinear(v, u, w)",
    "bilinear of a batch": "F.bilinear(cube, cube[:, :, :2], w, b)",
    "Bilinear": "fixed(nn.Bilinear(3, 2, 4))(x, z)",
    "Bilinear without bias": "fixed(nn.Bilinear(3, 3, 1, bias=False))(x, y)",
    "Unflatten": "nn.Unflatten(1, (2, 2))(cube)",
    "Unflatten with the rest": "nn.Unflatten(-1, (3, -1))(x)",
}

FIRST_ORDER = ("pdist", "pdist of p", "pdist of three")
"""PyTorch has no second derivative of these."""
