"""Modules that register rules, ops or steps are listed in a package: else nothing has what they register."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator

from repository.tree import ROOT, dotted, package_files

REGISTERING = {
    "traces", "traces_family", "otherwise", "wraps", "wraps_when", "opcode", "surface", "method", "attribute",
    "realises", "steps_of.register", "calls_of.register", "define_op", "define_several",
}  # fmt: skip
"""Decorators, and functions called where a module's constants are made, by which a declaration enters a table."""

LOAD = """
import sys
import guardlift as gl
import guardlift.backend.lowered
from guardlift.frontend.tracing.rules import load_rules
gl.jit(lambda x: x + 1)(gl.zeros(1))
for package in (gl.nn, gl.nn.functional, gl.nn.parallel, gl.nn.utils, gl.optim, gl.func, gl.amp):
    for name in package.__all__:
        getattr(package, name)
gl.linalg.inv, gl.special.psi, gl.distributions.Normal, gl.distributed.all_reduce
load_rules()
print(*(name for name in sys.modules if name.startswith("guardlift.")))
"""


def registered_in(tree: ast.Module) -> Iterator[str]:
    """The names of the tables that the declarations of a module enter."""
    for each in tree.body:
        calls = (
            each.decorator_list if isinstance(each, (ast.FunctionDef, ast.ClassDef)) else [getattr(each, "value", None)]
        )
        for call in calls:
            if isinstance(call, ast.Call) and ast.unparse(call.func) in REGISTERING:
                yield ast.unparse(call.func)


def test_whatever_registers_something_is_loaded() -> None:
    loaded = set(
        subprocess.run([sys.executable, "-c", LOAD], capture_output=True, text=True, check=True).stdout.split()
    )
    registering = {
        dotted(file): found
        for file in package_files()
        if (found := sorted(set(registered_in(ast.parse((ROOT / file).read_text(encoding="utf-8"))))))
    }
    assert len(registering) > 100
    left_out = {module: found for module, found in registering.items() if module not in loaded}
    assert not left_out, (
        f"list these in the __init__.py of their folder, or nothing reads what they register: {left_out}"
    )
