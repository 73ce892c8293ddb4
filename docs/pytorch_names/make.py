"""Writes the public names of PyTorch 2.13, a line for each place. Run by a Python that has PyTorch.

`names.txt` has the places that programs reach as attributes, `paths.txt` the files that they import from.
"""

from __future__ import annotations

import importlib
import pkgutil
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
PATHS = Path(__file__).with_name("paths.txt")
PATHS_HEAD = "# The names in files of PyTorch 2.13 that programs import from. Written by make.py.\n"
FOLDERS = (
    "torch.nn torch.nn.modules torch.nn.utils torch.nn.parallel torch.optim torch.utils.data torch.autograd "
    "torch.cuda.amp torch.amp torch.distributions"
).split()
FILES = (
    "torch.cuda torch.cuda.amp torch.cuda.memory torch.cuda.random torch.cuda.streams torch.distributed."
    "distributed_c10d torch.functional torch.nn.common_types torch.random torch.sparse torch.utils.checkpoint "
    "torch.utils.data._utils.collate torch.utils.hooks"
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


def paths() -> Iterator[str]:
    """The files of the folders, and those that are listed by themselves."""
    for folder in FOLDERS:
        found = pkgutil.iter_modules(importlib.import_module(folder).__path__)
        yield from (f"{folder}.{each.name}" for each in found if not each.name.startswith("_"))
    yield from FILES


def names_in_file(path: str) -> Iterator[str]:
    """The names that a file lists, or defines."""
    module = importlib.import_module(path)
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", None) == path]
    for name in sorted(getattr(module, "__all__", None) or own):
        if not name.startswith("_") and not isinstance(getattr(module, name, None), ModuleType):
            yield name


if __name__ == "__main__":
    found = {path: " ".join(names_in_file(path)) for path in paths()}
    PATHS.write_text(PATHS_HEAD + "".join(f"{path}: {names}\n" for path, names in found.items()), encoding="utf-8")
    lines = [f"{place}: {' '.join(names_at(place))}" for place in PLACES]
    NAMES.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
