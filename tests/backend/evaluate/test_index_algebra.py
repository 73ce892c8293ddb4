import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardlift.backend.evaluate.index_algebra import Affine, NeedSplit, NotAffine, domain_of, of_var
from guardlift.ops import OPS


def value(entry, point):
    return entry.const + sum(coefficient * point[var] for var, coefficient in entry.terms)


def points(domain):
    for numbers in itertools.product(*(range(var.extent) for var in domain.variables)):
        yield dict(zip(domain.variables, numbers, strict=True))


@given(st.lists(st.sampled_from([2, 3, 4, 6]), min_size=1, max_size=3), st.data())
def test_a_reshape_is_affine_over_a_split_domain_or_says_that_it_is_not(before, data):
    size = int(np.prod(before))
    halves = [(2, size // 2), (size // 2, 2)] if size % 2 == 0 else []
    after = data.draw(st.sampled_from([(size,), *halves, tuple(before[::-1])]))
    domain = domain_of(after)
    source = OPS["reshape"].lower.source
    while True:
        try:
            index = source(list(domain.of_shape(after)), tuple(before), after, shape=after)
            break
        except NeedSplit as need:
            domain.split(need.var, need.size)
        except NotAffine:
            return
    flat = np.arange(size).reshape(before)
    for point in points(domain):
        here = tuple(value(entry, point) for entry in domain.of_shape(after))
        there = tuple(value(entry, point) if isinstance(entry, Affine) else entry for entry in index)
        assert flat[there] == flat.reshape(after)[here]


def test_division_splits_terms_by_what_they_are_multiples_of():
    domain = domain_of((5, 4))
    i, j = (of_var(var) for var in domain.variables)
    assert (i * 4 + j) // 4 == i and (i * 4 + j) % 4 == j
    assert (i * 8 + j + 12) // 8 == i + 1 and (i * 8 + j) % 8 == j


def test_an_offset_that_crosses_a_multiple_is_not_affine():
    domain = domain_of((5, 4))
    i, j = (of_var(var) for var in domain.variables)
    with pytest.raises(NotAffine):
        (i * 4 + j + 1) // 4


def test_a_variable_whose_range_holds_whole_multiples_asks_to_be_split():
    domain = domain_of((12,))
    with pytest.raises(NeedSplit) as need:
        of_var(domain.variables[0]) // 4
    assert need.value.size == 4
