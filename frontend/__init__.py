"""The tracer: evaluates a function's bytecode over traced values, and turns calls into compiled entries."""

from .. import runtime  # noqa: F401  (offers itself to the floors below)
from ..core.config import config
from ..core.floors import JIT, offer
from .bytecode.versions import current
from .dispatch.registry import state_of
from .jit import jit
from .tracing.control import disable, graph_break, is_compiling, mark_dynamic

if not config.disable:
    current()  # refuses a version of CPython that is not known

offer(JIT, lambda: jit)

__all__ = ["disable", "graph_break", "is_compiling", "jit", "mark_dynamic", "state_of"]
