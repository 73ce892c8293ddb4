"""Loops along rows: the same elements, whatever is computed before the loop."""

from __future__ import annotations

import numpy as np
import pytest
from backend.cpu.compiler.test_compiler import run
from backend.llvm.test_text_emitter import kernel

from guardlift.backend.cpu.compiler.text_functions import native_function
from guardlift.backend.llvm.text_emitter import emit_function
from guardlift.backend.llvm.values import PointerKind


def lines_around(*body: str) -> list[str]:
    """A kernel over the rows of two matrices of 8 columns, around the statements of a loop over j."""
    return [
        "p, q, s = pointer_f64(addresses[0]), pointer_f64(addresses[1]), sizes[0]",
        "for i in range(1, sizes[1]):",
        "    k = i",
        "    for j in range(8):",
        *(f"        {line}" for line in body),
        "return 0",
    ]


BODIES = {
    "from row to row of two memories": (["q[i * s + j] = p[i * s + j] * 2.0"], 2),
    "rows of several kinds that are only read": (["q[j] = p[i * s + j] + p[i * s - s + j]"], 2),
    "rows and other elements": (["q[j] = p[i * s + j] + p[j]"], 0),
    "in place": (["p[i * s + j] = p[i * s + j] * 2.0"], 1),
    "in place, from the row before": (["p[i * s + j] = p[(i - 1) * s + j] + 1.0"], 0),
    "in place, from the element before": (["p[i * s + j] = p[i * s + j - 1] + 1.0"], 0),
    "along a column": (["q[j * s + i] = p[j * s + i] + 1.0"], 0),
    "of a row that changes": (["q[k * s + j] = p[k * s + j] + 1.0", "k = i - k"], 0),
    "of a row found in memory": (["q[i * s + j] = p[int64(p[0]) * s + j]"], 1),
    "of a row found by a division": (["if s > 100:", "    q[i // (s - 8) * s + j] = 1.0"], 0),
}


def emitted(text: str) -> str:
    words = PointerKind("i64")
    return str(emit_function(text, (words, words, "i64", "i64"), "kernel", "<kernel>", native_function))


@pytest.mark.parametrize("name", BODIES)
def test_rows_hold_the_elements_that_they_are_for_python(name: str) -> None:
    body, rows = BODIES[name]
    text = kernel(*lines_around(*body))
    assert emitted(text).count("call double* asm") == rows
    rng = np.random.default_rng(0)
    arrays = [np.abs(rng.standard_normal((9, 8))).round(3) for _ in range(2)]
    arrays[0][0, 0] = 3.0
    wanted = [each.copy() for each in arrays]
    flat = [each.reshape(-1) for each in wanted]
    scope = {"pointer_f64": lambda which: flat[which], "int64": int}
    exec(text, scope)
    scope["kernel"]([0, 1], [8, 9], 0, 0)  # type: ignore[operator]
    run(text, *arrays, sizes=(8, 9))
    for made, right in zip(arrays, wanted, strict=True):
        np.testing.assert_array_equal(made, right)
