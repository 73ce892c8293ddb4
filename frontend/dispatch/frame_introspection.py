"""Which built-in functions in a body may look at its frame: they would see the variables of our code, too."""

from __future__ import annotations

import types
from collections.abc import Sequence

from ..bytecode.decode import Instruction, decode
from ..bytecode.opcode_table import TABLE, traits_of

_READERS = frozenset({"locals", "vars", "dir", "eval", "exec"})
"""Built-in functions that look at the caller's frame."""
_GETTERS = frozenset({"_getframe", "currentframe"})
"""The same, which are usually called through a module (`sys._getframe`)."""
_OF_AN_ARGUMENT = frozenset({"vars", "dir"})
"""Those that look at their argument instead, where they have one."""
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


def frame_readers(code: types.CodeType) -> list[str]:
    """The functions in a body that may look at its frame. A method of that name (`model.eval()`) is none of them."""
    found = set(_GETTERS.intersection(code.co_names))
    for inner in code.co_consts:  # comprehensions, which were functions of their own before CPython 3.12
        if isinstance(inner, types.CodeType) and inner.co_name in _COMPREHENSIONS:
            found.update(frame_readers(inner))
    if _READERS.intersection(code.co_names):
        instructions = decode(code).instructions
        for place, each in enumerate(instructions):
            if traits_of(each.name).global_names == "read":
                name = each.arg[-1] if isinstance(each.arg, tuple) else each.arg
                if name in _READERS - _OF_AN_ARGUMENT or (
                    name in _OF_AN_ARGUMENT and not _is_given_something(instructions[place + 1 :])
                ):
                    found.add(name)
    return sorted(found)


def _is_given_something(following: Sequence[Instruction]) -> bool:
    """Whether the function that was just loaded is called at once, with positional arguments."""
    above = 0
    for each in following:
        entry = TABLE.get(each.name)
        if entry is None or entry.may_jump or entry.rearranges is not None:
            return False
        if entry.calls and each.arg == above:
            return above > 0
        above += entry.effect.net(each.arg)
        if above < 0:
            return False
    return False
