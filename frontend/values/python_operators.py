"""Python's operators: each as a function and as the text of entry code, and which operand is asked about one."""

from __future__ import annotations

import operator
from collections.abc import Callable
from enum import IntEnum
from typing import Any

BINARY: dict[str, tuple[Callable[..., Any], str]] = {
    "+": (operator.add, "{} + {}"),
    "-": (operator.sub, "{} - {}"),
    "*": (operator.mul, "{} * {}"),
    "/": (operator.truediv, "{} / {}"),
    "//": (operator.floordiv, "{} // {}"),
    "%": (operator.mod, "{} % {}"),
    "**": (operator.pow, "{} ** {}"),
    "<<": (operator.lshift, "{} << {}"),
    ">>": (operator.rshift, "{} >> {}"),
    "&": (operator.and_, "{} & {}"),
    "|": (operator.or_, "{} | {}"),
    "^": (operator.xor, "{} ^ {}"),
    "<": (operator.lt, "{} < {}"),
    "<=": (operator.le, "{} <= {}"),
    "==": (operator.eq, "{} == {}"),
    "!=": (operator.ne, "{} != {}"),
    ">": (operator.gt, "{} > {}"),
    ">=": (operator.ge, "{} >= {}"),
}

UNARY: dict[str, tuple[Callable[..., Any], str]] = {
    "-": (operator.neg, "-{}"),
    "+": (operator.pos, "+{}"),
    "~": (operator.invert, "~{}"),
    "not": (operator.not_, "not {}"),
}


class OperatorRank(IntEnum):
    """Who is asked first about an operator: of two operands that of the higher rank, which answers for those below.

    A Python number whose type only the run knows comes before the arrays: in a region it decides whether it counts as
    NumPy's. An object of a user's class comes before all: its methods, and those of its class's bases, have a say.
    """

    OTHER = 0
    CONSTANT = 1
    INPUT_NUMBER = 2
    SYMBOLIC_INT = 3
    LOOP_VARYING_NUMBER = 4
    COMPUTED_NUMBER = 5
    ARRAY = 6
    TENSOR = 7
    PYTHON_OR_NUMPY_NUMBER = 8
    OPTIONAL = 9
    USER_OBJECT = 10
