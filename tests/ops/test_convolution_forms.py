"""Convolution and its adjoints: what an emitter makes of them is what NumPy's loops give, for windows of every kind."""

from __future__ import annotations

import random

import numpy as np

from guardlift.ops.convolution_arrays import convolution_array, counts, input_array, weight_array
from guardlift.ops.convolution_forms import convolution_form, input_form, weight_form
from guardlift.ops.emitter import ARRAYS


def test_windows_of_every_kind_mean_the_same_through_an_emitter() -> None:
    rng, chosen = np.random.default_rng(0), random.Random(0)
    tried = 0
    for _ in range(400):
        rank, groups = chosen.choice((1, 2, 2)), chosen.choice((1, 1, 2, 4))
        each, height = groups * chosen.randint(1, 3), groups * chosen.randint(1, 2)

        kernel, size, stride, padding, dilation = (
            tuple(chosen.randint(*ends) for _ in range(rank)) for ends in ((1, 5), (1, 9), (1, 5), (0, 4), (1, 2))
        )
        windows = {"stride": stride, "padding": padding, "dilation": dilation}
        out = counts(size, kernel, **windows)
        if min(out) < 1:
            continue
        tried += 1
        x, g = rng.standard_normal((2, each, *size)), rng.standard_normal((2, height, *out))
        weight = rng.standard_normal((height, each // groups, *kernel))
        attrs = {**windows, "groups": groups}
        found = (
            convolution_form(ARRAYS, x, weight, **attrs),
            input_form(ARRAYS, g, weight, **attrs, size=size),
            weight_form(ARRAYS, g, x, **attrs, size=kernel),
        )
        expected = (
            convolution_array(x, weight, **attrs),
            input_array(g, weight, **attrs, size=size),
            weight_array(g, x, **attrs, size=kernel),
        )
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-12, err_msg=f"{x.shape} {weight.shape} {attrs}")
    assert tried > 250
