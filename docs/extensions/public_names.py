"""`{public-names} guardlift.nn`: the names that a module lists in `__all__`, as a table and one by one.

Two options choose among them by the module in which they are defined: `of` and `but`, beginnings of its name.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar

from docstrings import rst_lines
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

ROOT = "guardlift"
ALSO = ("guardlift.autograd", "guardlift.amp")
"""Packages with a page of their own, whose classes the root has too: they are described there, and named here."""


def public_names(module: str, of: str = "", but: str = "") -> list[str]:
    """The names of a module that a page lists: those of `__all__`, or all that it defines, modules left out."""
    loaded = import_module(module)
    listed = getattr(loaded, "__all__", None)
    own = [name for name, each in vars(loaded).items() if name[0] != "_" and _home(each) == module]
    found = sorted(own if listed is None else listed, key=lambda name: (name.lower(), name))
    kept = [name for name in found if not isinstance(getattr(loaded, name), ModuleType) and not name.startswith("__")]
    homes = {name: _home(getattr(loaded, name)) for name in kept}
    return [
        name
        for name in kept
        if homes[name].startswith(tuple(of.split()) or "") and not (but and homes[name].startswith(tuple(but.split())))
    ]


def _home(value: Any) -> str:
    """The module in which a function or a class is defined; for any other value that of its class."""
    named = inspect.isroutine(value) or isinstance(value, type)
    return str((value if named else type(value)).__module__)


def _summary(value: Any) -> str:
    """The first sentence of a docstring, as reStructuredText; of a constant, its text."""
    if not (inspect.isroutine(value) or isinstance(value, type)):
        return rst_lines([f"`{value!r}`"])[0]
    paragraph = (inspect.getdoc(value) or "").partition("\n\n")[0].splitlines()
    return rst_lines(paragraph)[0] if paragraph else ""


class PublicNames(SphinxDirective):
    """The directive: a table of names with their first sentences, then each name with all that is said of it."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"of": directives.unchanged, "but": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """The nodes of the table and of the descriptions."""
        module = self.arguments[0]
        names = public_names(module, self.options.get("of", ""), self.options.get("but", ""))
        if not names:
            raise self.error(f"{module} has no such names")
        values = {name: getattr(import_module(module), name) for name in names}
        lines = [".. list-table::", "   :widths: 30 70", ""]
        for name, value in values.items():
            lines += [f"   * - :py:obj:`{name} <{module}.{name}>`", f"     - {_summary(value)}"]
        lines.append("")
        for name, value in values.items():
            lines += [*_described(module, name, value), ""]
        node = nodes.Element()
        node.document = self.state.document
        self.state.nested_parse(StringList(lines, source=f"<names of {module}>"), 0, node)
        return list(node.children)


def _described(module: str, name: str, value: Any) -> list[str]:
    if module == ROOT and isinstance(value, type):
        for package in ALSO:
            if getattr(import_module(package), name, None) is value:
                return [f".. py:class:: {module}.{name}", "", f"   :py:obj:`{package}.{name} <{package}.{name}>`."]
    if isinstance(value, type) and value.__name__ == name:
        return [f".. autoclass:: {module}::{name}", "   :members:"]
    if inspect.isroutine(value):
        return [f".. autofunction:: {module}::{name}"]
    return [f".. py:data:: {module}.{name}", f"   :value: {value!r}"]


def _types_as_words(app: Any, page: nodes.document) -> None:
    """Turns the types of signatures from links into words: to look for thousands of them takes a tenth of a build."""
    for link in list(page.findall(addnodes.pending_xref)):
        if link.get("refdomain") == "py" and not link.get("refexplicit"):
            link.replace_self(link.children)


def setup(app: Any) -> dict[str, Any]:
    """The extension, for Sphinx."""
    app.add_directive("public-names", PublicNames)
    app.connect("doctree-read", _types_as_words)
    return {"parallel_read_safe": True}
