"""Intermediates that live in the memory of a result: whoever reads them anew finds them there still."""

import numpy as np
import pytest

import guardlift as gl

A = np.random.default_rng(0).standard_normal((6, 21)).astype(np.float32)


def softmax(a):
    e = np.exp(a - a.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def centred(a):
    return softmax(a) - softmax(a).mean(axis=1, keepdims=True)


def scaled(a):
    u = softmax(a) - softmax(a).mean(axis=1, keepdims=True)
    return u / (u.std(axis=1, keepdims=True) + 1)


@pytest.mark.parametrize("rows", [softmax, centred, scaled])
@pytest.mark.parametrize("searched", [np.argmax, np.argmin])
def test_where_an_extreme_is_is_found_in_what_was_folded(rows, searched):
    """The search after the reduction looks in values that are computed once more."""

    def function(a):
        found = rows(a)
        return found, searched(found, axis=1), found.max(axis=1)

    for made, expected in zip(gl.jit(function)(A.copy()), function(A.copy()), strict=True):
        np.testing.assert_allclose(made, expected, rtol=1e-4, atol=1e-6)


def test_the_class_of_a_softmax_of_tensors_is_that_of_eager_mode():
    def function(x):
        found = x.softmax(1)
        return found, found.argmax(1)

    x = gl.tensor(A)
    assert gl.jit(function)(x)[1].tolist() == function(x)[1].tolist() == A.argmax(axis=1).tolist()
