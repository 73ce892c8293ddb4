import itertools

import numpy as np
import pytest

from guardlift.ops.pointwise import WHERE

SPECIAL = (0.0, -0.0, 1.5, -2.5, np.inf, -np.inf, np.nan, 1e-42)


@pytest.mark.parametrize("dtype", (np.float32, np.float64))
@pytest.mark.parametrize("zero", (0.0, -0.0))
@pytest.mark.parametrize("shape", ((3,), (64, 80), (80, 64)))
def test_a_choice_between_zero_and_an_array_has_the_bits_of_numpys(dtype, zero, shape) -> None:
    size = int(np.prod(shape))
    x = np.array(list(itertools.islice(itertools.cycle(SPECIAL), size)), dtype).reshape(shape)
    condition = np.random.default_rng(0).random(shape) < 0.5
    for each, chosen in ((condition, x), (condition.T, x.T), (condition[::-1], x[..., ::-1])):
        for operands in ((each, zero, chosen), (each, chosen, zero)):
            found, expected = WHERE.eager(*operands), np.where(*operands)
            assert found.dtype == expected.dtype and found.shape == expected.shape
            assert np.ascontiguousarray(found).tobytes() == np.ascontiguousarray(expected).tobytes()


def test_other_choices_are_numpys() -> None:
    condition = np.arange(4096) % 3 == 0
    x = np.arange(4096.0)
    for operands in (
        (condition, 1.0, x),
        (condition, x, -x),
        (condition, np.zeros(()), x),
        (condition, 0, np.arange(4096)),
    ):
        np.testing.assert_array_equal(WHERE.eager(*operands), np.where(*operands), strict=True)
    assert WHERE.eager(condition, 0.0, np.float32(2)).dtype == np.where(condition, 0.0, np.float32(2)).dtype
    rows = np.ones((4096, 1), np.float32)
    np.testing.assert_array_equal(WHERE.eager(condition, 0.0, rows), np.where(condition, 0.0, rows), strict=True)
