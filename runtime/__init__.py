"""What compiled code becomes when it runs: the autograd node of a compiled pair, and compiled backward passes.

Here it registers itself with the floors below.
"""

from __future__ import annotations

from typing import Any

from ..core.floors import BACKWARD_RUNNER, offer


def _backward_runner() -> Any:
    from . import backward_run

    return backward_run


offer(BACKWARD_RUNNER, _backward_runner)
