"""Per-thread state of recording: grad mode and the stack of saved-tensor hooks, and the contexts that change them."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, Union

if TYPE_CHECKING:
    from .hook_pairs import HookChain

F = TypeVar("F", bound=Callable[..., Any])
Pair = tuple[Callable[[Any], Any], Callable[[Any], Any]]
Hooks: TypeAlias = Union[Pair, "HookChain"]
"""What packs and unpacks: a plain pair of hooks, or a chain of pairs that are composed, told or checked."""


class _Modes(threading.local):
    grad_enabled: bool = True
    """Whether operations are recorded."""
    hooks: Hooks | None = None
    """The pair of saved-tensor hooks in force: the top of `stack`, unless a trace hides it."""
    stack: tuple[Hooks, ...] = ()
    """The pairs of `saved_tensors_hooks` that were entered, the innermost last."""
    hooks_disabled: str | None = None
    """Why entering `saved_tensors_hooks` is an error now; None where it is none."""


MODES = _Modes()
"""The state of the calling thread."""


def is_grad_enabled() -> bool:
    """Whether operations are recorded in this thread."""
    return MODES.grad_enabled


class _GradMode:
    """A context, or a decorator, under which grad mode is `mode`."""

    __slots__ = ("before",)
    mode: bool

    def __init__(self) -> None:
        self.before: list[bool] = []

    def __enter__(self) -> None:
        self.before.append(MODES.grad_enabled)
        MODES.grad_enabled = self.mode

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        MODES.grad_enabled = self.before.pop()

    def __call__(self, function: F) -> F:
        """`function`, each call of which runs inside such a context of its own."""

        @functools.wraps(function)
        def under_mode(*args: Any, **keywords: Any) -> Any:
            with type(self)():
                return function(*args, **keywords)

        return under_mode  # type: ignore[return-value]


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
    """Sets grad mode at once; as a context it puts the old mode back on leaving."""

    __slots__ = ("mode",)

    def __init__(self, mode: bool) -> None:
        self.before = [MODES.grad_enabled]
        self.mode = mode
        MODES.grad_enabled = mode

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        MODES.grad_enabled = self.before[0]
