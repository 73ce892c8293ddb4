"""Ways of making a value beside ways of using one, as CUDA kernels. `test_simulated.py` runs this file."""

import pytest
from backend.codegen.test_kernel_pairs import compare
from backend.cuda.cuda_runner import run_cuda
from backend.kernel_pairs import CONSUMERS

MADE = ["row by index", "column by index", "scatter", "cat", "pad", "in-place value", "expanded", "product"]
USED = [each for each in CONSUMERS if each.startswith(("arg", "max", "sum", "place", "several", "written"))]


@pytest.mark.parametrize("producer", MADE)
def test_what_is_made_so_is_used_rightly(producer):
    for number, consumer in enumerate(USED):
        compare(number * 8 + len(producer), producer, consumer, runner=run_cuda)
