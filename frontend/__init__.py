"""The tracer: evaluates a function's bytecode over traced values, and turns calls into compiled entries."""

from importlib import import_module
from typing import Any

from .. import runtime  # noqa: F401  (offers itself to the floors below)
from ..core.config import config
from ..core.floors import ARRAY_NAMESPACE, JIT, LOG, offer
from ..core.package import PACKAGE
from .bytecode.versions import current
from .dispatch.registry import state_of
from .jit import jit
from .tracing.control import disable, graph_break, is_compiling, mark_dynamic

if not config.disable:
    current()  # refuses a version of CPython that is not known


def _log() -> Any:
    from .dispatch.log_stream import send  # which imports `logging`

    return send


offer(ARRAY_NAMESPACE, lambda: import_module(f"{PACKAGE}.array_api"))
offer(JIT, lambda: jit)
offer(LOG, _log)

__all__ = ["disable", "graph_break", "is_compiling", "jit", "mark_dynamic", "state_of"]
