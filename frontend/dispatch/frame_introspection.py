"""The built-in functions that look at the frame of a body: they would see the variables of our code, too."""

# The decorator asks this, and functions may be decorated long before anything is traced: so `dis` is asked here, and
# not the table of opcodes, which is filled when the tracer is loaded.

from __future__ import annotations

import dis
import types

_READERS = frozenset({"locals", "vars", "dir", "eval", "exec"})
"""Built-in functions that look at the caller's frame."""
_GETTERS = frozenset({"_getframe", "currentframe"})
"""Functions that look at the caller's frame, usually called through a module (`sys._getframe`)."""
_OF_AN_ARGUMENT = frozenset({"vars", "dir"})
"""Built-in functions that look at their argument instead of the frame, where they have one."""
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_CALLS = ("PRECALL", "CALL")


def frame_readers(code: types.CodeType) -> list[str]:
    """The functions in a body that may look at its frame. A method of that name (`model.eval()`) is none of them."""
    found = set(_GETTERS.intersection(code.co_names))
    for inner in code.co_consts:  # comprehensions, which were functions of their own before CPython 3.12
        if isinstance(inner, types.CodeType) and inner.co_name in _COMPREHENSIONS:
            found.update(frame_readers(inner))
    if _READERS.intersection(code.co_names):
        instructions = list(dis.get_instructions(code))
        for place, each in enumerate(instructions):
            if each.opname in ("LOAD_GLOBAL", "LOAD_NAME") and each.argval in _READERS:
                if each.argval not in _OF_AN_ARGUMENT or not _is_given_something(instructions[place + 1 :]):
                    found |= {each.argval}
    return sorted(found)


def _is_given_something(following: list[dis.Instruction]) -> bool:
    """Whether the function that was just loaded is called at once, with positional arguments."""
    above = 0
    for each in following:
        if each.opname in _CALLS and each.arg == above:
            return above > 0
        if each.opcode in dis.hasjrel or each.opcode in dis.hasjabs or each.opname in ("SWAP", "KW_NAMES"):
            return False
        above += dis.stack_effect(each.opcode, each.arg if each.opcode >= dis.HAVE_ARGUMENT else None)
        if above < 0:
            return False
    return False
