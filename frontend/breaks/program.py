"""Breaks at statements, side effects and exceptions, and at the limits of a trace."""

from __future__ import annotations

from .graph_break import BreakKind

OPCODE = BreakKind(
    "B301",
    "the instruction {name}",
    "Guardlift has no compiled form of it",
    "move this statement before or after the jitted function",
)
SIDE_EFFECT = BreakKind(
    "B302",
    "a change of {name}, which exists outside the call",
    "After its kernels compiled code changes lists, dicts, attributes, variables and names; there is no rule for this",
    "return the new value instead",
)
LONG_LOOP = BreakKind(
    "B303",
    "a loop of more than {limit} iterations",
    "Loops are unrolled so far",
    "put the body in a jitted function and loop outside it, use whole-array operations, "
    "or raise gl.config.unroll_limit",
)
LONG_TRACE = BreakKind(
    "B305",
    "more than {limit} instructions evaluated",
    "A loop that runs while a condition on known values holds is unrolled so far",
    "put the body in a jitted function and loop outside it, or raise gl.config.trace_limit",
)
NOTHING = BreakKind(
    "B306",
    "a call without array work",
    "There is nothing to compile: no array is computed or written",
    "leave the decorator off",
)
HANDLED = BreakKind(
    "B307",
    "the program raises {error} where a handler may catch it",
    "Only Python knows the exception with all its arguments",
    "test for the condition instead of catching the exception, or keep the try statement outside the jitted function",
)
TOO_DEEP = BreakKind(
    "B308",
    "a {error} while tracing",
    "Guardlift follows what is nested with calls of its own, and Python's recursion limit ended them",
    "nest less deeply, make the call nearer to the start of the program, or raise sys.setrecursionlimit",
)
RUNNING_LOOP = BreakKind(
    "B310",
    "the next element of {name}",
    "The iterator was running before this part of the function began, so what it gives is unknown",
    "nothing to do: Python advances the loop, and its body is compiled; or move what broke the graph out of the loop",
)
MANY_FACTS = BreakKind(
    "B311",
    "more than {limit} facts to be checked at each call",
    "Each element that is read of a list or a dict from outside, and each comparison of a number, is asked about anew",
    "keep many numbers in one array, or raise gl.config.guard_limit",
)
LONG_NUMBER = BreakKind(
    "B312",
    "a number that takes more than {limit} operations",
    "Arithmetic of Python's numbers is written out as one expression; a number that is used twice stands in it twice",
    "nothing to do: Python does this operation, and compiled code goes on with the result; or compute with arrays",
)
CLASS_INSIDE = BreakKind(
    "B320",
    "a class statement, which makes {name}",
    "Each call makes another class, so compiled code could rely on nothing that it knew of this one",
    "define the class outside the jitted function, at the top of the module",
)
TYPE_PARAMETERS = BreakKind(
    "B321",
    "a definition with type parameters",
    "Compiled code does not make the objects that stand for type parameters",
    "define the generic function or type alias outside the jitted function",
)
EXCEPT_STAR = BreakKind(
    "B322",
    "an `except*` clause that an exception has come to",
    "What each clause takes out of an exception group, and what is raised behind them, is left to Python",
    "catch single exceptions with `except`, or keep the try statement outside the jitted function",
)
LOCAL_CLASS = BreakKind(
    "B323",
    "{operation} on {name}, which is or belongs to a class {statement} that the call makes",
    "Each call makes another class, so compiled code could rely on nothing that it knew of this one",
    "define the class outside the jitted function, at the top of the module",
)
CHANGED_KEYS = BreakKind(
    "B324",
    "a step of an iterator over {name}, of which keys have gone and as many others come since its start",
    "What comes next, or whether Python raises, depends on empty places in the dict's table, which only Python knows",
    "iterate over a copy, as by `list(d)`, or change the dict behind the loop",
)
