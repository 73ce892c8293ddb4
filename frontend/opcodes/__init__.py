"""What each instruction does to a frame under evaluation: a table of handlers, one module a family."""

from . import (  # noqa: F401
    attributes,
    calls,
    containers,
    contexts,
    control,
    exceptions,
    functions,
    generators,
    imports,
    loads,
    operators,
    strings,
)
from .table import TABLE, Opcode, opcode, run_handler

__all__ = ["TABLE", "Opcode", "opcode", "run_handler"]
