"""Writes `names.txt`: the public names of PyTorch 2.13, a line for each place. Run by a Python that has PyTorch."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

NAMES = Path(__file__).with_name("names.txt")
HEAD = "# The public names of PyTorch 2.13, after the place where they are. Written by make.py.\n"
PLACES = (
    "torch torch.Tensor torch.nn torch.nn.functional torch.nn.init torch.nn.utils torch.optim torch.optim.lr_scheduler "
    "torch.autograd torch.func torch.distributions torch.linalg torch.amp torch.utils.data"
).split()
TYPING = {
    "Any",
    "Callable",
    "Optional",
    "TypeVar",
    "Union",
    "TYPE_CHECKING",
    "ParamSpec",
    "overload",
    "Self",
    "Literal",
}


def names_at(place: str) -> Iterator[str]:
    """The public names of a module: those that it lists, or else those of what it holds that is PyTorch's own."""
    if place == "torch.Tensor":
        owner: Any = importlib.import_module("torch").Tensor
        yield from (name for name in dir(owner) if not name.startswith("_"))
        return
    owner = importlib.import_module(place)
    listed = getattr(owner, "__all__", None) or [name for name in dir(owner) if _is_own(getattr(owner, name))]
    for name in sorted(set(listed)):
        if not name.startswith("_") and name not in TYPING and not isinstance(getattr(owner, name, None), ModuleType):
            yield name


def _is_own(value: Any) -> bool:
    module = getattr(value, "__module__", None) or ""
    return callable(value) and (module.split(".")[0] == "torch" or type(value).__name__ == "builtin_function_or_method")


if __name__ == "__main__":
    lines = [f"{place}: {' '.join(names_at(place))}" for place in PLACES]
    NAMES.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
