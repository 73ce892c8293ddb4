"""The way from a name of the program to an object that should be gone: who keeps it alive."""

from __future__ import annotations

import gc
import sys
import types
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

LONGEST = 12
"""Objects on the way from a name to what it holds, at most."""
WIDEST = 2_000
"""Objects looked at in one step, where very many refer to what is held."""
_TOOLS = str(Path(__file__).parent.parent)


def chain_to(sought: Any, besides: Collection[Any] = ()) -> str:
    """The way to an object, as a program would write it: ``test_a.cache['x'].weight``; empty when nothing was found.

    besides: containers that are the caller's own, and do not count.
    """
    found = {id(sought): sought}
    below: dict[int, int] = {}
    variables = dict(_variables())
    level = [sought]
    for _ in range(LONGEST):
        named = next((each for each in level if id(each) in variables or _own_name(each)), None)
        if named is not None:
            return _words(named, variables.get(id(named), "") or _own_name(named), found, below)
        own = {id(each) for each in (found, below, variables, level, *besides)}
        level = list(_holders(level, own, found, below))
    return ""


def _holders(level: list[Any], own: set[int], found: dict[int, Any], below: dict[int, int]) -> Iterator[Any]:
    """The objects that refer to one of `level` and were not found yet. One search through memory finds all of them."""
    wanted = {id(each) for each in level}
    for holder in gc.get_referrers(*level)[:WIDEST]:
        if id(holder) in own or id(holder) in found or isinstance(holder, types.FrameType):
            continue
        held = next((id(each) for each in gc.get_referents(holder) if id(each) in wanted), None)
        if held is not None:
            found[id(holder)], below[id(holder)] = holder, held
            yield holder


def _own_name(holder: Any) -> str:
    """The name by which a program reaches an object: a module, its variables, a class; empty for any other."""
    if isinstance(holder, types.ModuleType):
        return holder.__name__
    if isinstance(holder, type):
        return f"{holder.__module__}.{holder.__qualname__}"
    if type(holder) is dict and isinstance(holder.get("__name__"), str) and "__builtins__" in holder:
        return str(holder["__name__"])
    return ""


def _variables() -> Iterator[tuple[int, str]]:
    """The objects that variables of modules and of running functions hold, by identity, with the variable's name."""
    for module in list(sys.modules.values()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if gc.is_tracked(value):
                yield id(value), f"{module.__name__}.{name}"
    for frame in list(sys._current_frames().values()):
        at: types.FrameType | None = frame
        while at is not None:
            if not at.f_code.co_filename.startswith(_TOOLS) and at.f_locals is not at.f_globals:
                for name, value in list(at.f_locals.items()):
                    if name.isidentifier() and gc.is_tracked(value):
                        yield id(value), f"{at.f_code.co_qualname}.<locals>.{name}"
            at = at.f_back


def _words(holder: Any, text: str, found: Mapping[int, Any], below: Mapping[int, int]) -> str:
    """The way from a holder, whose name is `text`, down to what was sought."""
    while id(holder) in below:
        held = found[below[id(holder)]]
        # A `__dict__` and a closure are parts of what they belong to.
        while (step := _step(holder, held)) is None and id(held) in below:
            held = found[below[id(held)]]
        text += f" -> {type(held).__name__}" if step is None else step
        holder = held
    return text


def _step(holder: Any, held: Any) -> str | None:
    """The words for the way from a holder to what it holds; None where it is no step by itself."""
    if type(holder) is dict:
        key = next((key for key, value in list(holder.items()) if value is held), None)
        return f".{key}" if _own_name(holder) else f"[{_short(key)}]"
    if isinstance(holder, (list, tuple)):
        return f"[{next(k for k, each in enumerate(holder) if each is held)}]"
    if isinstance(holder, types.CellType):
        return ""
    if isinstance(holder, types.MethodType):
        return ".__self__" if holder.__self__ is held else ".__func__"
    if isinstance(holder, types.FunctionType):
        for name, cell in zip(holder.__code__.co_freevars, holder.__closure__ or ()):
            if held is cell or _content(cell) is held:
                return f".<closure>.{name}"
    variables = getattr(holder, "__dict__", None)
    for name, value in list(variables.items()) if isinstance(variables, Mapping) else ():
        if value is held:
            return f".{name}"
    slots = [name for cls in type(holder).__mro__ for name in _slots(cls)]
    return next((f".{name}" for name in slots if getattr(holder, name, None) is held), None)


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return cell


def _slots(cls: type) -> tuple[str, ...]:
    slots = vars(cls).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _short(key: object) -> str:
    return repr(key)[:40] if isinstance(key, (str, int, float, bool, tuple)) else f"<{type(key).__qualname__}>"
