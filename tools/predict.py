"""`predict(f, ...)`: the entry that would serve a call, or the facts that would fail; nothing is compiled or run."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from ..core.config import config
from ..core.errors import NotAFunctionError
from ..core.events import RECOMPILE, Reason
from ..core.records import dataclass, replace
from .report import not_jitted, unwrapped

if TYPE_CHECKING:
    from ..frontend.dispatch.state import FunctionState
    from .causes import Cause


@dataclass(frozen=True, slots=True)
class Prediction:
    """The outcome that a call would have now. `str` of it is for people.

    outcome: ``hit`` (entry number `entry` serves it), ``plain`` (it runs as plain Python, `why` says on what account),
    ``compile`` (the function has no entry yet), ``recompile``.
    reasons: of a recompile, or of a miss beyond the limit, the facts that fail, of the entry that comes closest.
    cause: the same as the causes of recompiles that have happened, with the values and the edit.
    """

    function: str
    outcome: str
    entry: int = -1
    why: str = ""
    reasons: tuple[Reason, ...] = ()
    cause: Cause | None = None

    def __str__(self) -> str:
        from .show.screen import cause_lines

        said = {
            "hit": f"{self.function}: entry {self.entry} would serve the call",
            "plain": f"{self.function}: the call would run as plain Python: {self.why}",
            "compile": f"{self.function}: the call would compile the first entry",
            "recompile": f"{self.function}: the call would compile again",
        }[self.outcome]
        lines = [text for _, text in cause_lines(self.cause)] if self.cause is not None else []
        return "\n".join([said, *lines])


def predict(function: Any, /, *args: Any, **kwargs: Any) -> Prediction:
    """The outcome of a call of a jitted function with these arguments, which does not take place.

    Nothing is compiled, run or counted. An entry that ends at a graph break serves the part before it. Takes what
    `explain` takes. A `gl.ShapeDtypeStruct` among the arguments stands for zeros.
    Errors: `NotAFunctionError` for anything that `jit` did not make; `TypeError` for arguments that it does not take.
    """
    from ..frontend import state_of
    from ..frontend.dispatch.registry import why_left_alone

    given, named = _with_bound(function, args, kwargs)
    for each in unwrapped(function):
        state = state_of(each)
        if state is not None:
            return _predicted(state, given, named)
        why = why_left_alone(each)
        if why:
            return Prediction(each.__qualname__, "plain", why=why)
    raise NotAFunctionError(not_jitted(function, "gl.predict(f, x)"))


def _with_bound(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments, with those that a method or a partial application adds."""
    if isinstance(function, functools.partial):
        return _with_bound(function.func, (*function.args, *args), {**function.keywords, **kwargs})
    if hasattr(function, "__func__") and hasattr(function, "__self__"):
        return _with_bound(function.__func__, (function.__self__, *args), kwargs)
    if hasattr(type(function), "_compiled_call"):
        return (function._compiled_call.module, *args), kwargs
    return args, kwargs


def _predicted(state: FunctionState, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Prediction:
    from ..frontend.codegen.frame_state import FrameState
    from ..frontend.dispatch.ahead import examples, variables_of
    from ..frontend.dispatch.event_history import event, why_no_entry_fits
    from .causes import causes

    name, point = state.original.__qualname__, state.points[0]
    at = FrameState(point, variables_of(state, examples(args), examples(kwargs)))
    if config.disable:
        return Prediction(name, "plain", why="gl.config.disable is on")
    if state.given_up:
        return Prediction(name, "plain", why="its code could not be put together")
    with state.lock:
        namespace = state.namespace(at)
        fitting = next((entry for entry in point.entries if entry.fits(namespace, state.pool)), None)
        if fitting is not None and fitting.plain:
            return Prediction(name, "plain", fitting.number, state.calls.breaks.get(fitting.number, "a graph break"))
        if fitting is not None:
            return Prediction(name, "hit", fitting.number)
        if not any(not entry.plain for entry in point.entries):
            return Prediction(name, "compile")
        miss = event(state, RECOMPILE, **why_no_entry_fits(state, at))
        limit = state.limit_reached(point)
    # Nothing has been compiled, so nothing was lost yet.
    cause = replace(causes([miss])[0], recompiles=0, saved=0, saved_seconds=0.0, sites=(), called_from=())
    if limit:
        return Prediction(name, "plain", why=f"{name} {limit}", reasons=miss.nearest(), cause=cause)
    return Prediction(name, "recompile", reasons=miss.nearest(), cause=cause)
