"""What each instruction does to a frame under evaluation: a table of handlers, one module a family."""

from . import calls, containers, contexts, control, functions, generators, imports, loads, operators, strings  # noqa: F401

from . import exceptions  # noqa: F401  # isort: skip
from .table import TABLE, Opcode, opcode, run_handler

__all__ = ["TABLE", "Opcode", "opcode", "run_handler"]
