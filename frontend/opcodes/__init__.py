"""The handlers that carry out instructions on a frame under evaluation: a table of them, one module a family."""

from ..bytecode.opcode_table import REFUSED, TABLE, Opcode, opcode
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
    matching,
    operators,
    refused,
    sets,
    strings,
)
from .table import run_handler

__all__ = ["REFUSED", "TABLE", "Opcode", "opcode", "run_handler"]
