"""The command that makes the shipped IR of the runtime's programs, `make programs`.

With ``--check`` it writes nothing, and exits with 1 if a file is not what it would write. See Note [Shipped programs].
"""

from __future__ import annotations

import ast
import os
import re
import sys
import sysconfig
from pathlib import Path

from .compiler import content_digest
from .fixed_programs import DIGEST, PACKAGE_FOLDER, PROGRAMS, SOURCE, FixedProgram
from .numba_compiler import compiled_library

ANY_PROCESSOR = {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": ""}
"""Numba's variables, under which it decides nothing for the processor at hand."""
COMPILING = (
    "numba_compiler.py",
    "numba_functions.py",
    "numba_pipeline.py",
    "object_library.py",
    "pointers.py",
    "../../llvm/native_functions.py",
)
"""The modules that shape each program, relative to this one."""
_MANGLED = re.compile(r"_ZN[A-Za-z0-9_]+")


def main(arguments: list[str]) -> int:
    """Writes the files, or compares them; the exit status."""
    if any(os.environ.get(name) != value for name, value in ANY_PROCESSOR.items()):
        os.execve(sys.executable, [*sys.orig_argv], {**os.environ, **ANY_PROCESSOR})
    stale = []
    for program in PROGRAMS:
        content = file_of(program)
        known = program.ir_file.read_bytes() if program.ir_file.exists() else b""
        if content == known:
            continue
        stale.append(program.name)
        if "--check" not in arguments:
            program.ir_file.parent.mkdir(exist_ok=True)
            program.ir_file.write_bytes(content)
    print(f"{len(PROGRAMS)} programs; not as they were: {', '.join(stale) or 'none'}")
    return int(bool(stale) and "--check" in arguments)


def file_of(program: FixedProgram) -> bytes:
    """The content of the file with a program's IR."""
    lines = [
        f"; The program {program.symbol} of guardlift's native runtime, made by `make programs` from its source.",
        f"; made by {made_by()}",
        *(f"{SOURCE}{path} {content_digest((PACKAGE_FOLDER / path).read_bytes())}" for path in sources_of(program)),
        readable(_ir_of(program)),
    ]
    below = "\n".join(lines).encode()
    return f"{DIGEST}{content_digest(below)}\n".encode() + below


def made_by() -> str:
    """The versions of what decides how the IR looks."""
    import llvmlite
    import numba

    return f"CPython {sysconfig.get_python_version()}, numba {numba.__version__}, llvmlite {llvmlite.__version__}"


def _ir_of(program: FixedProgram) -> str:
    function, arguments = program.definition()
    return compiled_library(function, arguments, program.symbol, on_raise=0).ir()


def readable(module_text: str) -> str:
    """The module without what nothing refers to, and with short names for its own functions."""
    lines = [line for line in module_text.splitlines() if not re.match(r"@_ZN08NumbaEnv\w+ = ", line)]
    text = "\n".join(lines) + "\n"
    names: dict[str, str] = {}
    for found in _MANGLED.finditer(text):
        if found[0] not in names:
            name = _last_part(found[0])
            taken = sum(each.rpartition(".")[0] == name or each == name for each in names.values())
            names[found[0]] = f"{name}.{taken}" if taken else name
    return _MANGLED.sub(lambda found: names[found[0]], text)


def _last_part(mangled: str) -> str:
    """The name of the function in a mangled name, whose parts come behind their lengths."""
    rest, name = mangled.removeprefix("_ZN"), "function"
    while (length := re.match(r"\d+", rest)) is not None:
        name, rest = rest[length.end() :][: int(length[0])], rest[length.end() :][int(length[0]) :]
    return re.sub(r"\W", "_", name)


def sources_of(program: FixedProgram) -> list[str]:
    """The modules of the package that shape a program, relative to it: those that its own imports, and the compiler."""
    here = Path(__file__).parent
    waiting = [
        here.parent / "runner" / f"{program.module}.py",
        *(Path(os.path.normpath(here / name)) for name in COMPILING),
    ]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        if path.parent == here or path.parent.name == "llvm":
            continue  # what these import decides nothing more
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level:
                folder = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
                names = [folder / f"{each.name}.py" for each in node.names]
                waiting += [each for each in (folder.with_suffix(".py"), *names) if each.is_file()]
    return sorted(path.relative_to(PACKAGE_FOLDER).as_posix() for path in found)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
