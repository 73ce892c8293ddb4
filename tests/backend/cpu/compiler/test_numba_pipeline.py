import threading

import numpy as np
import pytest
from backend.cpu.compiler.test_compiler import run

import guardlift as gl
from guardlift.backend.cpu.compiler.numba_compiler import compile_source
from guardlift.core.errors import KernelError


@pytest.fixture(autouse=True)
def numba():
    with gl.config.patch(kernel_compiler="numba"):
        yield


def test_a_name_that_is_given_values_of_two_types_is_refused():
    text = (
        "def kernel(addresses, sizes, start, stop):\n"
        "    x = pointer_f32(addresses[0])\n"
        "    for i in range(start, stop):\n"
        "        t = x[0]\n"
        "        x[0] = t * t\n"
        "        t = sizes[0]\n"
        "        addresses[1] = t\n"
        "    return 0\n"
    )
    with pytest.raises(KernelError, match="t is float64 and is given (float32|int64): one type for each name"):
        compile_source(text)


def test_a_name_that_is_given_values_again_and_again_keeps_the_last():
    text = (
        "def kernel(addresses, sizes, start, stop):\n"
        "    total = 0\n"
        "    for i in range(start, stop):\n"
        "        last = i\n"
        "        if i % 2 == 0:\n"
        "            total = total + i\n"
        "        else:\n"
        "            total = total - 1\n"
        "    return total * 100 + last\n"
    )
    assert run(text, start=0, stop=8) == (0 + 2 + 4 + 6 - 4) * 100 + 7


def test_a_comparison_after_an_inversion_of_the_same_operands_has_its_own_type():
    """Operators that are looked up once: by the types of their operands, literals too."""
    text = (
        "def kernel(addresses, sizes, start, stop):\n"
        "    x = pointer_i8(addresses[0])\n"
        "    y = pointer_u8(addresses[1])\n"
        "    x[1] = ~x[0]\n"
        "    y[1] = uint8(not (y[0] != 0))\n"
        "    x[2] = int8(x[0] + 1)\n"
        "    x[3] = int8(x[0] + x[0])\n"
        "    return 0\n"
    )
    x, y = np.array([5, 0, 0, 0], np.int8), np.array([1, 1], np.uint8)
    assert run(text, x, y) == 0
    assert x.tolist() == [5, -6, 6, 10]
    assert y.tolist() == [1, 0]


def test_threads_compile_at_the_same_time():
    texts = [
        f"def kernel(addresses, sizes, start, stop):\n    return start * {k} + stop % {k + 1}\n" for k in range(1, 9)
    ]
    found = {}
    threads = [
        threading.Thread(target=lambda k=k, text=text: found.update({k: run(text, start=5, stop=7)}))
        for k, text in enumerate(texts, 1)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: 5 * k + 7 % (k + 1) for k in range(1, 9)}
