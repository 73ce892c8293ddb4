"""What each instruction does to a frame under evaluation: a table of handlers, one module a family."""

from . import attributes, calls, containers, contexts, control, functions, generators, imports, loads  # noqa: F401
from . import operators, strings  # noqa: F401
from .table import TABLE, Opcode, opcode, run_handler

__all__ = ["TABLE", "Opcode", "opcode", "run_handler"]
