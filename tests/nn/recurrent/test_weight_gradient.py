import numpy as np
import pytest

import guardlift as gl
from guardlift.nn.recurrent.recurrence import gradient_of_weight


@pytest.mark.parametrize("kernels", (True, False))
@pytest.mark.parametrize("shape", ((9, 4, 80, 72), (1, 1, 64, 64), (300, 2, 65, 66), (5, 3, 4, 2), (0, 3, 80, 72)))
@pytest.mark.parametrize("dtype", (np.float32, np.float64))
def test_the_gradient_of_a_weight_is_the_sum_over_time_and_batch(dtype, shape, kernels) -> None:
    steps, batch, rows, columns = shape
    rng = np.random.default_rng(steps)
    slopes = rng.standard_normal((steps, batch, rows)).astype(dtype)
    factors = rng.standard_normal((steps, batch, columns)).astype(dtype)
    with gl.config.patch(eager_kernels=kernels):
        found = gradient_of_weight(slopes, factors)
    assert found.dtype == dtype
    expected = np.einsum("tbi,tbj->ij", slopes, factors, dtype=np.float64)
    np.testing.assert_allclose(found, expected, rtol=0, atol=np.finfo(dtype).eps * 8 * (1 + steps * batch))
