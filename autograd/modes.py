"""Per-thread state: grad mode, the running backward pass, the stack of saved-tensor hooks; contexts of grad mode."""

# Note [Recording in inference mode]
# `grad_enabled` is what the tape asks, and in inference mode it is always off. What `no_grad` and `enable_grad` set
# inside is kept in `asked`, for `is_grad_enabled` alone.

from __future__ import annotations

import functools
import inspect
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, Union

from ..core.package import is_ours

if TYPE_CHECKING:
    from .engine import GraphTask
    from .hook_pairs import HookChain
    from .inlineable import PairKey

F = TypeVar("F", bound=Callable[..., Any])
Pair = tuple[Callable[[Any], Any], Callable[[Any], Any]]
Hooks: TypeAlias = Union[Pair, "HookChain"]
"""Hooks that pack and unpack: a plain pair, or a chain of pairs that are composed, told or checked."""


class _Modes(threading.local):
    grad_enabled: bool = True
    """Whether operations are recorded."""
    inference: bool = False
    """Whether inference mode is on."""
    task: GraphTask | None = None
    """The backward pass that is running, the innermost."""
    asked: bool = False
    """The value that grad mode was set to inside of inference mode. See Note [Recording in inference mode]."""
    hooks: Hooks | None = None
    """The pair of saved-tensor hooks in force: the top of `stack`, unless a trace hides it."""
    stack: tuple[Hooks, ...] = ()
    """The pairs of `saved_tensors_hooks` that were entered, the innermost last."""
    inlined: PairKey | None = None
    """The key of the pair in force, where compiled code takes it in; see Note [Keys of pairs]."""
    hooks_disabled: str | None = None
    """Why entering `saved_tensors_hooks` is an error now; None where it is none."""
    tangents: int = 0
    """The number of functions under way of which derivatives are carried forward."""
    compiled_autograd: bool = False
    """Whether backward passes are compiled as a whole; no trace inlines saved-tensor hooks then, nor guards them."""


MODES = _Modes()
"""The state of the calling thread."""


def is_grad_enabled() -> bool:
    """Whether operations are recorded in this thread, as far as grad mode goes: in inference mode none ever is."""
    return MODES.asked if MODES.inference else MODES.grad_enabled


def _set_grad_mode(mode: bool) -> None:
    if MODES.tangents and not mode:
        _refuse_forward()
    if MODES.inference:
        MODES.asked = mode
    else:
        MODES.grad_enabled = mode


def _refuse_forward() -> None:
    """Errors: RuntimeError where the user's code turns grad mode off while derivatives are carried forward.

    There it would have no effect in PyTorch, and here it would lose them: they are found by what is recorded.
    Code of our own that turns it off for a while, as a custom function's forward, knows what it does.
    """
    frame = sys._getframe(1)
    while frame.f_globals is globals() and frame.f_back is not None:  # contexts and decorated functions
        frame = frame.f_back
    if not is_ours(frame.f_globals):
        raise RuntimeError(
            "grad mode was turned off inside of a function whose derivative is carried forward (jvp, jacfwd, hessian, "
            "linearize, dual_level), which goes by what is recorded. PyTorch carries the derivative through no_grad: "
            "take the context out; to stop the derivative, use detach()"
        )


class ModeContext:
    """A context that is a decorator too: each call of the decorated function runs inside a context of its own.

    Of a generator function it is each step, so that the mode of whoever runs the generator is left alone.
    """

    __slots__ = ()

    def clone(self) -> AbstractContextManager[None]:
        """A context of the same mode that nobody has entered."""
        raise NotImplementedError

    def __call__(self, function: F) -> F:
        """`function` under this mode."""
        fresh = self.clone
        if inspect.isgeneratorfunction(function):
            return _step_by_step(function, fresh)  # type: ignore[return-value]

        @functools.wraps(function)
        def under_mode(*args: Any, **keywords: Any) -> Any:
            with fresh():
                return function(*args, **keywords)

        return under_mode  # type: ignore[return-value]


def _step_by_step(
    function: Callable[..., Generator[Any, Any, Any]], fresh: Callable[[], AbstractContextManager[None]]
) -> Callable[..., Generator[Any, Any, Any]]:
    @functools.wraps(function)
    def under_mode(*args: Any, **keywords: Any) -> Generator[Any, Any, Any]:
        with fresh():
            generator = function(*args, **keywords)
        step: Callable[[], Any] = functools.partial(next, generator)
        while True:
            try:
                with fresh():
                    yielded = step()
            except StopIteration as end:
                return end.value
            try:
                sent = yield yielded
            except GeneratorExit:
                with fresh():
                    generator.close()
                raise
            except BaseException as error:
                step = functools.partial(generator.throw, error)
            else:
                step = functools.partial(generator.send, sent)

    return under_mode


class _GradMode(ModeContext):
    """A context, or a decorator, under which grad mode is `mode`."""

    __slots__ = ("before",)
    mode: bool

    def __init__(self) -> None:
        self.before: list[bool] = []

    def __enter__(self) -> None:
        if MODES.tangents and not self.mode:
            _refuse_forward()
        if MODES.inference:
            self.before.append(MODES.asked)
            MODES.asked = self.mode
        else:
            self.before.append(MODES.grad_enabled)
            MODES.grad_enabled = self.mode

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if MODES.inference:
            MODES.asked = self.before.pop()
        else:
            MODES.grad_enabled = self.before.pop()

    def clone(self) -> AbstractContextManager[None]:
        """Another one of the same mode."""
        return type(self)()


class _FixedMode(_GradMode):
    """One whose mode is that of its class; as a decorator it needs no parentheses."""

    __slots__ = ()

    def __new__(cls, function: F | None = None) -> Any:
        """The context, or the decorated function."""
        context = super().__new__(cls)
        if function is None:
            return context
        context.__init__()  # type: ignore[misc]
        return context(function)


class no_grad(_FixedMode):  # noqa: N801
    """A context, or a decorator, under which nothing is recorded."""

    __slots__ = ()
    mode = False


class enable_grad(_FixedMode):  # noqa: N801
    """A context, or a decorator, under which operations are recorded, inside `no_grad` too."""

    __slots__ = ()
    mode = True


class set_grad_enabled(_GradMode):  # noqa: N801
    """Sets grad mode at once; as a context it puts the old mode back on leaving, as a decorator at once."""

    __slots__ = ("mode",)

    def __init__(self, mode: bool) -> None:
        self.before = [is_grad_enabled()]
        self.mode = bool(mode)
        _set_grad_mode(self.mode)

    def __enter__(self) -> None:
        _set_grad_mode(self.mode)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _set_grad_mode(self.before[0])

    def __call__(self, function: F) -> F:
        """`function` under this mode; the mode around stays as it was before this object was made."""
        _set_grad_mode(self.before[0])
        return super().__call__(function)

    def clone(self) -> AbstractContextManager[None]:
        """A context that sets the mode when it is entered, and puts back what it finds then."""
        return enable_grad() if self.mode else no_grad()  # type: ignore[no-any-return]
