"""The floors of the house: imports go down only, are relative inside the package, and no piece grows without end."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass
from pathlib import Path

import pytest
from repository.tree import ROOT, package_files

from guardlift.frontend.values import protocols

# A floor's direct neighbours below; what those may import, it may too.
BELOW = {
    "core": (),
    "ops": ("core",),
    "tensor": ("ops",),
    "autograd": ("tensor",),
    "linalg": ("tensor",),
    "special": ("tensor",),
    "fft": ("tensor",),
    "array_api": ("linalg", "fft", "runtime"),
    "distributed": ("autograd",),
    "nn": ("distributed",),
    "distributions": ("nn", "linalg"),
    "optim": ("nn",),
    "serialization": ("autograd",),
    "func": ("nn",),
    "graph": ("ops",),
    "loop_ir": ("ops",),
    "backend": ("graph", "loop_ir"),
    "guards": ("core", "tensor"),
    "runtime": ("autograd", "backend"),
    "utils": ("serialization", "runtime", "distributed"),
    "amp": ("runtime",),
    "backends": ("core",),
    "frontend": ("nn", "optim", "func", "guards", "amp", "array_api"),
    "tools": ("frontend",),
}

# The rooms of the two largest floors, the lowest first. A room imports from itself and from those before it.
ROOMS = {
    "frontend": (
        *("breaks", "bytecode", "tracing", "values", "regions", "python", "numpy", "tensors", "opcodes"),
        *("control_flow", "interpreter", "codegen", "compile", "dispatch", "jit"),
    ),
    "backend": (
        *(
            "platform_support",
            "status_line",
            "call_layout",
            "math",
            "llvm",
            "disk_cache",
            "cpu",
            "compiled_program",
            "evaluate",
            "schedule",
            "lowering",
        ),
        *("codegen", "launch", "lowered", "compile", "artifacts", "eager", "cuda", "plugins"),
    ),
}

# Why an import of the two stands inside a function: what it loads is not always needed (by the target) ...
LOADED_LATE = {
    "autograd": "programs without tensors load none of their code",
    "nn": "programs without tensors load none of their code",
    "runtime": "programs without tensors load none of their code",
    "tensor": "programs without tensors load none of their code",
    "frontend/control_flow/tensors": "programs without tensors load none of their code",
    "frontend/tensors": "programs without tensors load none of their code",
    "frontend/values/tensors": "programs without tensors load none of their code",
    "frontend/compile": "functions whose entries are all on disk are not traced",
    "guards/code_object": "functions whose entries are all on disk have their code from there",
    "frontend/dispatch": "`import guardlift` loads no tracer",
    "frontend/regions": "programs without loops over elements load none of their code",
    "graph": "`import guardlift` loads no compiler",
    "loop_ir": "a graph whose program is on disk has no loops, unless a report asks for them",
    "backend/artifacts": "`import guardlift` loads no compiler",
    "backend/compile": "`import guardlift` loads no compiler; what is traced may not have to be compiled",
    "backend/launch": "a graph whose program is on disk is not lowered",
    "backend/lowered": "a graph whose program is on disk is not lowered",
    "backend/plugins": "most programs use the backend that is built in",
    "backend/cpu": "kernels on disk are run without what compiles them, and plans are built when they are first called",
    "backend/math": "kernels that are on disk are run without what compiles them",
    "backend/llvm": "kernels that are on disk are run without what compiles them",
    "backend/cuda": "programs on the CPU load nothing of the driver",
}
LOADED_FROM_BELOW = {("backend/compile.py", ("backend", "cuda"))}
"""Imports that point up all the same: a graph is built for the device that it is for."""
# ... or two modules of one room call each other: why, and how many such imports there are at most.
CALL_EACH_OTHER = {
    "frontend/values": (35, "a value may hold, become or be asked about a value of any other kind"),
    "frontend/python": (11, "operators ask special methods, whose results operators look at"),
    "frontend/numpy": (5, "an array function makes arrays, and takes apart what others make"),
    "frontend/regions": (17, "elements of arrays are numbers, and numbers index arrays"),
    "frontend/control_flow": (1, "a loop holds loops"),
    "backend/schedule": (9, "to schedule a node of one kind is to schedule its operands, of any kind"),
}
LONGEST_FILE = 400
FACE = "__init__.py"
"""The root lists every public name, one a line; it has no other length."""


PROTOCOLS = Path("frontend/values/protocols.py")


@dataclass(frozen=True, slots=True)
class Import:
    """One import found in the package: the file and line it stands in, and the dotted target below guardlift."""

    file: Path
    line: int
    target: tuple[str, ...]
    absolute: bool
    when: str = "top"
    """"top", "deferred" to a call of the function around it, or "types": read by type checkers alone."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {'.'.join(self.target) or 'the root package'}"


def reachable(floor: str) -> set[str]:
    """The floor itself and every floor below it."""
    return {floor}.union(*(reachable(lower) for lower in BELOW[floor]))


def imports_of(file: Path, tree: ast.Module) -> list[Import]:
    """Every import of the package's own modules in `tree`, those inside functions and under TYPE_CHECKING included."""
    found = []
    when = {id(each): "top" for each in ast.walk(tree)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            when |= {id(each): "deferred" for each in ast.walk(node)}
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            when |= {id(each): "types" for each in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            module = tuple((node.module or "").split(".")) if node.module else ()
            if node.level:
                above = file.parent.parts[: len(file.parent.parts) - (node.level - 1)]
                # `from .. import ops` reaches the same floor as `from ..ops import x`.
                for alias in node.names:
                    target = (*above, *module, alias.name)
                    found.append(Import(file, node.lineno, target, absolute=False, when=when[id(node)]))
            elif module[:1] == ("guardlift",):
                for alias in node.names:
                    found.append(Import(file, node.lineno, (*module[1:], alias.name), absolute=True))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "guardlift":
                    found.append(Import(file, node.lineno, tuple(alias.name.split(".")[1:]), absolute=True))
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "import_module":
            name = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else ""
            if isinstance(name, str) and name.split(".")[0] == "guardlift":
                found.append(Import(file, node.lineno, tuple(name.split(".")[1:]), absolute=True))
    return found


@functools.cache
def parsed(file: Path) -> ast.Module:
    """A file of the package."""
    return ast.parse((ROOT / file).read_text(encoding="utf-8"), str(file))


def arrows_back(imports: list[Import]) -> list[str]:
    """The imports that leave their floor for one that does not lie below it."""
    wrong = []
    for found in imports:
        floor = found.file.parts[0]
        if len(found.file.parts) == 1:
            continue  # the root is the public face, above every floor
        if not found.target or found.target[0] not in reachable(floor):
            wrong.append(f"{found}; {floor} may import {', '.join(sorted(reachable(floor)))}")
    return wrong


def room(path: tuple[str, ...]) -> int | None:
    """The place of a module's room in the order of its floor; None where the floor has no rooms, or it is its face."""
    order = ROOMS.get(path[0], ())
    return order.index(path[1]) if len(path) > 1 and path[1] in order else None


def arrows_up(imports: list[Import]) -> list[str]:
    """The imports at the top of a file that go to a room above its own."""
    return [
        f"{found}, a room above {'/'.join(found.file.parts[:2])}"
        for found in imports
        if found.when == "top" and points_up(found)
    ]


def points_up(found: Import) -> bool:
    """Whether an import goes to a room above its own, on one floor."""
    here, there = room(module_of(found.file)), room(found.target) if found.target else None
    same_floor = found.target[:1] == found.file.parts[:1]
    return same_floor and here is not None and there is not None and there > here


def module_of(file: Path) -> tuple[str, ...]:
    """The dotted path of a file."""
    return (*file.parent.parts, file.stem)


def hidden(imports: list[Import]) -> tuple[list[str], dict[str, list[str]]]:
    """The deferred imports of the floors with rooms that have no reason, and by room those within it."""
    wrong, within = [], {}
    for found in imports:
        if found.when != "deferred" or found.file.parts[0] not in ROOMS or found.file == PROTOCOLS:
            continue
        place = "/".join(found.target)
        if points_up(found) and (str(found.file), found.target[:2]) not in LOADED_FROM_BELOW:
            wrong.append(str(found))
            continue
        around = "/".join(found.file.parts[:2])
        late = [known for known in LOADED_LATE if place == known or place.startswith(f"{known}/")]
        if any(known != around or around not in CALL_EACH_OTHER for known in late):
            continue
        if found.target[:2] == found.file.parts[:2] and around in CALL_EACH_OTHER:
            within.setdefault(around, []).append(str(found))
        else:
            wrong.append(str(found))
    return wrong, within


def all_imports() -> list[Import]:
    return [found for file in package_files() for found in imports_of(file, parsed(file))]


def test_every_folder_of_the_package_is_a_known_floor() -> None:
    folders = {file.parts[0] for file in package_files() if len(file.parts) > 1}
    assert folders <= set(BELOW), f"add the new folder and its arrows to BELOW: {folders - set(BELOW)}"


@pytest.mark.slow
def test_imports_go_down_only() -> None:
    assert arrows_back(all_imports()) == []


def test_every_file_of_a_floor_with_rooms_lies_in_one() -> None:
    files = [file for file in package_files() if file.parts[0] in ROOMS and file.name != "__init__.py"]
    assert [str(file) for file in files if room(module_of(file)) is None] == [], "add the room to ROOMS, in its place"


@pytest.mark.slow
def test_no_room_imports_from_a_room_above() -> None:
    assert arrows_up(all_imports()) == [], (
        "move what is wanted down, hand it over, or declare a protocol in frontend/values/protocols.py"
    )


@pytest.mark.slow
def test_imports_that_are_deferred_have_a_reason() -> None:
    wrong, within = hidden(all_imports())
    assert wrong == [], "import it at the top; if that is a circle, the two belong together or one asks a protocol"
    assert {place: found for place, found in within.items() if len(found) > CALL_EACH_OTHER[place][0]} == {}
    assert {place: len(within.get(place, [])) for place in CALL_EACH_OTHER} == {
        place: most for place, (most, _) in CALL_EACH_OTHER.items()
    }, "fewer now: lower the figures"


def test_every_protocol_is_implemented() -> None:
    declared = {name: each for name, each in vars(protocols).items() if isinstance(each, protocols.Above)}
    assert len(declared) > 40
    for name, each in declared.items():
        assert each.load() is not None, name
        target = ("frontend", *each.module.split("."))
        assert (room(target) or 0) > room(("frontend", "values")), f"{name} does not lie above values: import it"


@pytest.mark.slow
def test_imports_inside_the_package_are_relative() -> None:
    assert [str(found) for found in all_imports() if found.absolute and found.file != Path("__init__.py")] == []


@pytest.mark.parametrize(
    ("file", "text", "wrong"),
    [
        ("core/x.py", "from ..ops import registry", True),
        ("core/x.py", "from .. import ops", True),
        ("ops/x.py", "from ..core import dtypes\nfrom .registry import define_op", False),
        ("graph/passes/x.py", "from ...backend.cpu import plan", True),
        ("graph/passes/x.py", "from ..node import Node\nfrom . import fold", False),
        ("guards/x.py", "def f():\n    from ..graph import node", True),
        ("backend/cpu/x.py", "from guardlift.frontend import jit", True),
        ("backend/cpu/x.py", "importlib.import_module('guardlift.tools')", True),
        ("tools/x.py", "from ..frontend import jit\nfrom ..core import config", False),
        ("tools/x.py", "from .. import jit", True),
    ],
)
def test_an_arrow_back_is_seen(file: str, text: str, wrong: bool) -> None:
    assert bool(arrows_back(imports_of(Path(file), ast.parse(text)))) is wrong


@pytest.mark.parametrize(
    ("file", "text", "wrong"),
    [
        ("frontend/values/x.py", "from ..numpy import indexing", True),
        ("frontend/values/x.py", "from ...frontend.numpy.indexing import get_item", True),
        ("frontend/values/x.py", "from ..tracing.nodes import cast", False),
        ("frontend/values/x.py", "if TYPE_CHECKING:\n    from ..numpy import indexing", False),
        ("frontend/numpy/callouts/x.py", "from ...values.base import Value", False),
        ("backend/schedule/x.py", "from ..lowering.lower import Nest", True),
    ],
)
def test_an_arrow_up_is_seen(file: str, text: str, wrong: bool) -> None:
    assert bool(arrows_up(imports_of(Path(file), ast.parse(text)))) is wrong


def test_a_hidden_import_is_seen() -> None:
    deferred = "def f():\n    from ..numpy import indexing"
    assert hidden(imports_of(Path("frontend/values/x.py"), ast.parse(deferred)))[0] != []
    assert hidden(imports_of(Path("frontend/codegen/x.py"), ast.parse(deferred)))[0] != []
    assert hidden(imports_of(Path("frontend/codegen/x.py"), ast.parse(deferred.replace("numpy", "tensors"))))[0] == []


def version_checks(tree: ast.Module) -> list[int]:
    """The lines that look at the version of the running CPython."""
    names = {"version_info", "hexversion", "python_version", "python_version_tuple"}
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in names:
            lines.append(node.lineno)
        elif isinstance(node, ast.ImportFrom) and names & {alias.name for alias in node.names}:
            lines.append(node.lineno)
    return lines


@pytest.mark.slow
def test_only_the_versions_folder_asks_for_the_version_of_cpython() -> None:
    assert version_checks(ast.parse("import sys\nif sys.version_info >= (3, 12): pass")) == [2]
    found = [
        f"{file}:{line}"
        for file in package_files()
        if file.parts[:3] != ("frontend", "bytecode", "versions")
        for line in version_checks(parsed(file))
    ]
    assert found == [], "state the difference as a fact in frontend/bytecode/versions/ and ask for the fact"


def sizes(kinds: tuple[type[ast.stmt], ...]) -> list[tuple[int, str]]:
    """(lines, place) of each definition of the given kinds, the longest first."""
    found = []
    for file in package_files():
        for node in ast.walk(parsed(file)):
            if isinstance(node, kinds):
                found.append((node.end_lineno - node.lineno + 1, f"{file}:{node.lineno} {node.name}"))
    return sorted(found, reverse=True)


@pytest.mark.slow
def test_no_file_is_longer_than_a_reader_can_hold(record_property) -> None:
    files = sorted(
        ((len((ROOT / file).read_text("utf-8").splitlines()), str(file)) for file in package_files()), reverse=True
    )
    rows = {
        "files": files,
        "classes": sizes((ast.ClassDef,)),
        "functions": sizes((ast.FunctionDef, ast.AsyncFunctionDef)),
    }
    lines = [
        f"longest {what}: " + ", ".join(f"{place} ({size})" for size, place in found[:4])
        for what, found in rows.items()
    ]
    record_property("table", "\n".join(lines))
    assert [f"{place}: {size} lines" for size, place in files if size > LONGEST_FILE and place != FACE] == []
