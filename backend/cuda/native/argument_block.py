"""The kernel that puts words into a plan's argument block: scalars, and rows of tables, by value."""

# Note [Argument blocks]
# Kernels find scalars and the rows of tables in the device's memory. A copy from the host would wait, or need pinned
# memory that lives until the device comes to it. The parameters of a launch are copied by the driver as it is called,
# so a kernel that takes words by value and stores them is such a copy, in order with the launches around it. Words that
# the device has from an earlier call are not put there again.

from __future__ import annotations

from ...cpu.plan.issue_table import BLOCK_WORDS
from ..launch_grid import Launch

ONE_THREAD = Launch((1, 1, 1), (1, 1, 1))


def put_text() -> str:
    """Python source that defines `kernel`: an address, the words that go there, and the failure word, last as in all
    kernels, which it does not use."""
    words = [f"w{k}" for k in range(BLOCK_WORDS)]
    lines = ["target = pointer_i64(address)", *(f"target[{k}] = {word}" for k, word in enumerate(words))]
    return "\n    ".join([f"def kernel(address, {', '.join(words)}, failed):", *lines]) + "\n"
