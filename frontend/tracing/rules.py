"""The table of callables that the tracer has a rule for, whatever they are: NumPy's functions, built-ins, `math`.

A rule is ``rule(trace, *args, **kwargs) -> Value`` over traced values, with the parameter names of the function it
stands for, so that Python itself binds keywords and defaults. Adding a function is one decorated rule.
"""

# Note [First tensors]
# The rules about tensors import the eager half, `tensor/`, `autograd/`, `nn/` and `optim/`: a third of all modules. As
# long as a program has touched none of their names, nothing it traces is a tensor. A trace may be the first to touch
# one, as `gl.ones(3)` does in a function over NumPy arrays; what it made of tensors before the rules came is worth
# nothing, so it is made anew.

from __future__ import annotations

import dis
import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ...core.errors import GuardliftError
from ...core.package import PACKAGE
from ..breaks import DTYPE, NUMPY_ARGUMENT, RAISES, UNKNOWN_VALUE, GraphBreak, Unwinding
from .restarts import RestartFromStart

if TYPE_CHECKING:
    from ..values.base import Value
    from .trace import Trace

Rule = Callable[..., "Value"]
_RULES: dict[Any, Rule] = {}
_FAMILIES: list[Callable[[Any], Rule | None]] = []
_OTHERWISE: list[Callable[[Any], Rule | None]] = []


def traces(*functions: Any) -> Callable[[Rule], Rule]:
    """Registers the rule for these callables; a call that does not fit the rule's parameters breaks the graph."""

    def register(rule: Rule) -> Rule:
        for function in functions:
            name = getattr(function, "__name__", str(function))
            _RULES[function] = functools.partial(checked_call, name, rule)
        return rule

    return register


def newer(module: Any, *names: str) -> list[Any]:
    """The functions of these names that the module has: those that came later than its oldest version."""
    return [getattr(module, name) for name in names if hasattr(module, name)]


def traces_family(find: Callable[[Any], Rule | None]) -> Callable[[Any], Rule | None]:
    """Registers a finder of rules for a whole kind of callables (all ufuncs)."""
    _FAMILIES.append(find)
    return find


def otherwise(find: Callable[[Any], Rule | None]) -> Callable[[Any], Rule | None]:
    """Registers a finder of rules that serve where a callable has no other, or its own does not cover the arguments."""
    _OTHERWISE.append(find)
    return find


def rule_for(function: Any) -> Rule | None:
    """The rule for a callable; None when there is none. Unhashable callables have none."""
    load_rules()
    try:
        rule = _RULES.get(function) or _found(_FAMILIES, function)
        return with_other(rule, _found(_OTHERWISE, function))
    except TypeError:
        return None


def _drop_checks(trace: Trace, first: int) -> None:
    """Takes back those nodes from number `first` on that would raise though nobody needs them any more."""
    nodes = trace.builder.nodes
    used = {operand for node in nodes[first:] for operand in node.inputs}
    nodes[first:] = [node for node in nodes[first:] if not node.op.may_raise or node in used]


def own_rule(function: Any) -> Rule | None:
    """The rule as it was registered for exactly this callable."""
    rule = _RULES.get(function)
    return rule.args[1] if isinstance(rule, functools.partial) else rule


def _found(finders: list[Callable[[Any], Rule | None]], function: Any) -> Rule | None:
    rule = next((rule for rule in (find(function) for find in finders) if rule is not None), None)
    return None if rule is None else fitting(getattr(function, "__name__", str(function)), rule)


def fitting(name: str, rule: Rule) -> Rule:
    """A rule that breaks the graph where the arguments do not fit its parameters."""
    return functools.partial(_fitting_call, name, rule)


def _fitting_call(name: str, rule: Rule, trace: Trace, /, *args: Value, **kwargs: Value) -> Value:
    try:
        return rule(trace, *args, **kwargs)
    except TypeError as error:
        made_here = error.__traceback__ is not None and error.__traceback__.tb_next is None
        if made_here:  # by the call itself, and not by what the rule does
            raise NUMPY_ARGUMENT.stop(name=name, argument=misfit(error)) from None
        raise


_NAME_OF_RULE = re.compile(r"^[\w.<>]+\(\) ")


def misfit(error: TypeError) -> str:
    """The arguments of a call that a rule does not take, in words that do not name the rule."""
    return f"these arguments ({_NAME_OF_RULE.sub('', str(error))})"


def with_other(rule: Rule | None, other: Rule | None) -> Rule | None:
    """A rule after which another one is tried, where it does not cover the arguments."""
    if rule is None or other is None:
        return rule or other

    def either(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        before, evaluated = len(trace.builder.nodes), trace.progress.instructions
        try:
            return rule(trace, *args, **kwargs)
        except GraphBreak as stop:
            if stop.kind not in (NUMPY_ARGUMENT, UNKNOWN_VALUE, DTYPE) or trace.progress.instructions != evaluated:
                raise
            if trace.region is None:
                _drop_checks(trace, before)
            try:
                return other(trace, *args, **kwargs)
            except Unwinding:
                raise stop from None

    return either


_FRONTEND = f"{PACKAGE}.frontend"
_TENSORS = f"{_FRONTEND}.tensors"
_WITH_RULES = ("values", "python", "numpy")
"""The folders whose packages import all of their modules that register rules."""
_LATER = {
    "amp.grad_scaler": ("optim.scaled_step",),
    "distributed.collectives": ("communication",),
    "nn.parallel.unused": ("unused_parameters",),
    "func": ("func.batches", "func.derivatives", "func.modules", "func.registered_nodes"),
    "optim.algorithms.lbfgs": ("optim.closures",),
}
"""Modules of functions that have rules of their own, with the modules that have these: one is loaded with the other."""


def load_rules() -> None:
    """Import the modules that register rules. Those about tensors wait until there are tensors.

    Who jits NumPy functions alone does not pay for them. See Note [First tensors].
    """
    for folder in _WITH_RULES:
        import_module(f"{_FRONTEND}.{folder}")
    if f"{PACKAGE}.tensor" in sys.modules:
        import_module(_TENSORS)
        for functions, rules in _LATER.items():
            if f"{PACKAGE}.{functions}" in sys.modules:
                for each in rules:
                    import_module(f"{_TENSORS}.{each}")


@contextmanager
def restarting_with_tensors() -> Iterator[None]:
    """A context of a trace. Errors: `RestartFromStart` if it was the first to use tensors. See Note [First tensors]."""
    known = _TENSORS in sys.modules

    def are_new() -> bool:
        load_rules()
        return not known and _TENSORS in sys.modules

    try:
        yield
    except Exception:
        if are_new():
            raise RestartFromStart from None
        raise
    if are_new():
        raise RestartFromStart


def checked_call(name: str, rule: Rule, trace: Trace, /, *args: Value, **kwargs: Value) -> Value:
    """`rule(trace, *args, **kwargs)`; what NumPy would raise, and arguments the rule does not take, become breaks.

    A TypeError that happens in the rule, and that it does not raise itself, is a mistake of ours and stays what it is:
    what Python or NumPy is asked about facts of the program is `asked`.
    """
    try:
        _signature(rule).bind(trace, *args, **kwargs)
    except TypeError as error:
        raise NUMPY_ARGUMENT.stop(name=name, argument=misfit(error)) from None
    try:
        return rule(trace, *args, **kwargs)
    except (GraphBreak, GuardliftError):
        raise  # an illegal graph is our own mistake, not the program's
    except _OF_PROGRAMS as error:
        if _is_a_mistake(error):
            raise
        raise RAISES.stop(error=f"{type(error).__name__}: {error}") from error


@functools.cache
def _signature(rule: Rule) -> inspect.Signature:
    return inspect.signature(rule)


@contextmanager
def numpy_errors() -> Iterator[None]:
    """A context in which what NumPy raises over stand-ins of the operands becomes the break for a raising program."""
    try:
        yield
    except (GraphBreak, GuardliftError):
        raise  # an illegal graph is our own mistake, not the program's
    except _OF_PROGRAMS as error:
        raise RAISES.stop(error=f"{type(error).__name__}: {error}") from error


def asked(function: Callable[..., Any], *facts: Any) -> Any:
    """`function(*facts)`, of NumPy or Python and facts of the program; what it raises breaks the graph."""
    with numpy_errors():
        return function(*facts)


_OF_PROGRAMS = (ValueError, TypeError, IndexError, ArithmeticError)
_PACKAGE = __name__.partition(".")[0]
_RAISE = dis.opmap["RAISE_VARARGS"]


def _is_a_mistake(error: BaseException) -> bool:
    """Whether a TypeError happened in code of ours, not in NumPy's, and was not raised there by a statement."""
    trace = error.__traceback__
    if type(error) is not TypeError or trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    frame = trace.tb_frame
    ours = str(frame.f_globals.get("__name__")).partition(".")[0] == _PACKAGE
    return ours and frame.f_code.co_code[trace.tb_lasti] != _RAISE
