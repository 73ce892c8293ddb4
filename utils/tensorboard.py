"""TensorBoard's `SummaryWriter`, that of tensorboardX or of PyTorch, for tensors of guardlift."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

from ..core import dtypes
from ..core.errors import GuardliftError
from ..tensor import Tensor

__all__ = ["SummaryWriter"]

WRITERS = ("tensorboardX", "torch.utils.tensorboard")
"""The modules that have a `SummaryWriter`, in the order in which they are looked for."""


class NoWriterError(GuardliftError, ImportError):
    """No library that writes events for TensorBoard is installed."""


class SummaryWriter:
    """Writes events for TensorBoard by the writer of tensorboardX, or else of PyTorch, whichever is installed.

    It takes the writer's arguments and has its methods, which are called with NumPy's arrays in place of tensors, in
    lists, tuples and dicts too; floats of two bytes or one become float32. As a context it is closed at the end.
    Errors: NoWriterError, an ImportError, where neither is installed; NotImplementedError for `add_graph`, which reads
        PyTorch's own graphs.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._writer = _writer_class()(*args, **kwargs)

    def add_graph(self, *args: Any, **kwargs: Any) -> None:
        """Errors: NotImplementedError, always."""
        raise NotImplementedError("add_graph reads graphs of PyTorch; gl.explain(f) shows those of guardlift")

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._writer, name)
        return _with_arrays(found) if callable(found) else found

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(self, *_error: object) -> None:
        self._writer.close()


def _writer_class() -> Callable[..., Any]:
    for module in WRITERS:
        try:
            return import_module(module).SummaryWriter  # type: ignore[no-any-return]
        except ImportError:
            continue
    raise NoWriterError("SummaryWriter needs tensorboardX, or torch with tensorboard: pip install tensorboardX")


def _with_arrays(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def called(*args: Any, **kwargs: Any) -> Any:
        return method(*map(as_arrays, args), **{name: as_arrays(each) for name, each in kwargs.items()})

    return called


def as_arrays(value: Any) -> Any:
    """The value with NumPy's arrays in place of tensors, in lists, tuples and dicts too."""
    if isinstance(value, Tensor):
        plain = value.detach().cpu()
        return (plain.to(dtypes.float32) if plain.dtype.is_narrow else plain).numpy()
    if type(value) in (list, tuple):
        return type(value)(map(as_arrays, value))
    return {name: as_arrays(each) for name, each in value.items()} if type(value) is dict else value
