"""The contexts `saved_tensors_hooks`, under which hooks say how saved tensors are kept, and the one that forbids it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..tensor.tensor import Tensor
from .checked_hooks import Check, check_of
from .hook_pairs import hooks_of
from .inlineable import take_in
from .modes import MODES


class saved_tensors_hooks:  # noqa: N801
    """A context in which each tensor saved for backward is kept as ``pack_hook(tensor)``.

    Backward gets ``unpack_hook`` of that. A `pack_hook` that requires two positional arguments is called as
    ``pack_hook(tensor, info)``, with a `SaveInfo`. Of nested contexts only the innermost pair applies, unless that is
    composed.

    compose: this pair packs first, then the pairs around it pack what it gave, out to the first that is not composed;
        unpacking goes the other way. In a chain a pack hook gives a tensor, or tensors in tuples, lists and dicts.
    check: True, or a `Check` with tolerances: each packed value is unpacked once at once and compared with the tensor,
        and a tensor that is written before backward is an error, as it is without hooks.
    Errors: RuntimeError on entering while `disable_saved_tensors_hooks` forbids it; TypeError for a `check` of another
    type. While it is in force: TypeError for a pair in a chain that cannot pack what it is given; HookCheckError.
    """

    compose: bool = False
    check: Check | None = None

    def __init__(
        self,
        pack_hook: Callable[..., Any],
        unpack_hook: Callable[[Any], Tensor],
        *,
        compose: bool = False,
        check: Check | bool | None = None,
    ) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook
        self.compose = compose
        self.check = check_of(check)

    def __enter__(self) -> None:
        if MODES.hooks_disabled is not None:
            raise RuntimeError(MODES.hooks_disabled)
        below = MODES.stack[-1] if self.compose and MODES.stack else None
        MODES.stack = (*MODES.stack, hooks_of(self.pack_hook, self.unpack_hook, self.check, below))
        _put_in_force()

    def __exit__(self, *_error: object) -> None:
        if not MODES.stack:
            raise RuntimeError("saved_tensors_hooks was left without having been entered")
        MODES.stack = MODES.stack[:-1]
        _put_in_force()


def _put_in_force() -> None:
    """The top of the stack from now on."""
    MODES.hooks = MODES.stack[-1] if MODES.stack else None
    take_in()


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """A context in which entering `saved_tensors_hooks` is a RuntimeError with that message.

    Errors: RuntimeError with it at once, if hooks are in force already.
    """
    if MODES.stack:
        raise RuntimeError(error_message)
    before = MODES.hooks_disabled
    MODES.hooks_disabled = error_message
    try:
        yield
    finally:
        MODES.hooks_disabled = before
