"""Distributions and transforms in which matrices take part: of low rank, definite, or of correlations."""
