"""Writes `signatures.txt`: how PyTorch's functions of our names are called, from its stubs and its Python sources.

Two interpreters take part, one with guardlift and one with PyTorch 2.13:
`python -P make.py names | PYTHON_WITH_PYTORCH make.py`, in this folder.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("signatures.txt")
HEAD = "# How functions of PyTorch 2.13 are called that bear our names, a line for each way. Written by make.py.\n"
PLACES = (
    "gl gl.Tensor gl.nn.functional gl.nn gl.nn.Module gl.nn.init gl.nn.utils gl.optim gl.optim.Optimizer "
    "gl.optim.lr_scheduler gl.autograd gl.amp"
).split()
"""The places of the functions, by our names."""

OLD = ("alpha, ", "beta, ", "value, tensor1")
"""The beginnings of forms that give a number before a tensor, which PyTorch has been about to drop for years."""


def stub_signatures(tree: ast.AST) -> dict[str, list[str]]:
    """The parameter lists of the functions of a stub file or class, by name.

    A function with a parameter `self` takes a number in its place, which the stubs do not know how to say.
    """
    found: dict[str, list[str]] = {}
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            if isinstance(tree, ast.Module) and any(each.arg == "self" for each in node.args.args):
                continue
            text = parameters(node.args)
            if text is not None and text not in found.setdefault(node.name, []):
                found[node.name].append(text)
    return found


def parameters(given: ast.arguments) -> str | None:
    """A parameter list without types and `self`; None for a form with names of dimensions, and for old, odd ones."""
    annotated = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, [given.vararg])]
    types = [ast.unparse(each.annotation) for each in annotated if each.annotation]
    named = any(each.arg == "names" for each in annotated)
    if named or any("EllipsisType" in each or each == "Dimname" for each in types):
        return None
    bare = ast.parse("def f(): pass").body[0]
    assert isinstance(bare, ast.FunctionDef)
    for each in annotated:
        each.annotation = None
    given.posonlyargs = [each for each in given.posonlyargs if each.arg != "self"]
    given.args = [each for each in given.args if each.arg != "self"]
    text = plain(ast.unparse(given))
    return None if text.startswith(OLD) else text


def plain(text: str) -> str:
    """The text of a parameter list with our name for the library; a default that cannot be written is `...`."""
    return re.sub(r"<[^<>]*>", "...", text).replace("torch.", "gl.").replace("'", '"')


def python_signature(function: Any) -> list[str]:
    """The parameter list of a Python function or class, without `self`; none for what has no signature."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return []
    bare = inspect.Parameter.empty
    kept = [each.replace(annotation=bare) for name, each in signature.parameters.items() if name != "self"]
    text = str(signature.replace(parameters=kept, return_annotation=inspect.Signature.empty))
    return [plain(text[1:-1])]


def found_at(library: Any, path: str) -> Any:
    """The object that a dotted path leads to, from our name for the library; None where there is nothing."""
    for name in path.split(".")[1:]:
        library = getattr(library, name, None)
    return library


def our_names() -> Iterator[str]:
    """The dotted paths of all that is public here and can be called."""
    import guardlift as gl

    for place in PLACES:
        owner = found_at(gl, place)
        listed = getattr(owner, "__all__", None) or dir(owner)
        names = (name for name in sorted(listed) if not name.startswith("_"))
        yield from (f"{place}.{name}" for name in names if callable(getattr(owner, name, None)))


def lines(names: Iterable[str]) -> Iterator[str]:
    """The table, a line for each way to call a function."""
    import torch  # type: ignore[import-not-found]

    stubs = Path(torch.__file__).parent / "_C"
    classes = [each for each in ast.parse((stubs / "__init__.pyi").read_text()).body if isinstance(each, ast.ClassDef)]
    stub = {
        "gl": stub_signatures(ast.parse((stubs / "_VariableFunctions.pyi").read_text())),
        "gl.nn.functional": stub_signatures(ast.parse((stubs / "_nn.pyi").read_text())),
        "gl.Tensor": stub_signatures(next(each for each in classes if each.name == "TensorBase")),
    }
    for path in names:
        there = found_at(torch, path)
        place, _, name = path.rpartition(".")
        if callable(there):
            for text in python_signature(there) or stub.get(place, {}).get(name, []):
                yield f"{path}({text})"


if __name__ == "__main__":
    if "names" in sys.argv:
        print("\n".join(our_names()))
    else:
        TABLE.write_text(HEAD + "\n".join(lines(sys.stdin.read().split())) + "\n")
