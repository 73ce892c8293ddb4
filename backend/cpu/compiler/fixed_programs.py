"""The programs of the native runtime: the same in every process, and shipped as LLVM IR, so that nobody compiles them.

Importing this module does not import numba; nor does loading a program, unless its IR cannot be used.
"""

# Note [Shipped programs]
# A kernel is made for a plan; what runs the plans is not, and to compile it took most of the first call in an empty
# cache. So `make programs` compiles it once, for no processor in particular, and keeps the optimised IR as files of the
# package. A process assembles such a file for its own processor, which is a matter of 0.1 s, and keeps the object in
# its cache like that of a kernel. A file names the sources that it was made from, with their digests, and has a digest
# of its own text: one that is damaged, or older than its sources, is refused with a warning, and the program is
# compiled from its source instead. Programs depend on no version of CPython or NumPy: `cpython_api.check_layouts` looks
# at what they take for granted.

from __future__ import annotations

import warnings
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from ....core.errors import KernelError
from ....core.records import dataclass
from .compiler import content_digest
from .elf import undefined_symbols
from .kernel_object import KernelObject
from .kernels import obtain
from .loader import NO_SYMBOLS, LoadedKernel

PACKAGE_FOLDER = Path(__file__).parents[3]
SOURCE_FOLDER = Path(__file__).parents[1] / "runner"
IR_FOLDER = SOURCE_FOLDER / "ir"
SOURCE = "; source "
"""The beginning of a line that names a source, relative to the package, and its digest."""
DIGEST = "; digest "
"""The beginning of a file, before the digest of all that comes below this line."""


@dataclass(frozen=True, slots=True)
class FixedProgram:
    """One C function of the native runtime.

    module:    of `backend.cpu.runner`, with the function in Python.
    arguments: of its Numba types, the names; one that ends in ``*`` is a pointer. The result is an int64.
    """

    name: str
    module: str
    arguments: tuple[str, ...]

    @property
    def symbol(self) -> str:
        """The C name."""
        return f"guardlift_{self.name}"

    @property
    def ir_file(self) -> Path:
        """The file with its IR."""
        return IR_FOLDER / f"{self.name}.ll"

    def definition(self) -> tuple[Any, tuple[Any, ...]]:
        """The Python function and the Numba types of its arguments. Imports numba."""
        from numba import types

        found = {"int64": types.int64, "int64*": types.CPointer(types.int64)}
        module = import_module(f"...{SOURCE_FOLDER.name}.{self.module}", __name__)
        return getattr(module, self.name), tuple(found[each] for each in self.arguments)


LAUNCH = FixedProgram("launch", "runner", ("int64", "int64*", "int64"))
LAUNCH_SIZED = FixedProgram("launch_sized", "symbolic_plan", ("int64", "int64*", "int64"))
LOOK_AGAIN = FixedProgram("look_again", "watched_slots", ("int64", "int64"))
AGREE = FixedProgram("agree", "word_checks", ("int64", "int64*", "int64"))
COUNT_WRITE = FixedProgram("count_write", "word_checks", ("int64", "int64", "int64", "int64"))
ISSUE = FixedProgram("issue", "device_calls", ("int64", "int64*", "int64"))
FRESH_OBJECT = FixedProgram("fresh_object", "fresh_objects", ("int64", "int64*", "int64"))
SERVE = FixedProgram("serve", "team", ("int64*",))
TAKE_RESULT_MEMORY = FixedProgram("take_result_memory", "result_memory", ("int64", "int64"))
GIVE_RESULT_MEMORY = FixedProgram("give_result_memory", "result_memory", ("int64", "int64", "int64"))
PROGRAMS = (
    LAUNCH, LAUNCH_SIZED, LOOK_AGAIN, AGREE, COUNT_WRITE, ISSUE, FRESH_OBJECT, SERVE, TAKE_RESULT_MEMORY,
    GIVE_RESULT_MEMORY,
)  # fmt: skip


OF_FIRST_CALLS = (TAKE_RESULT_MEMORY, GIVE_RESULT_MEMORY, FRESH_OBJECT, AGREE)
"""The programs that most first calls need besides `LAUNCH`, some of them at least."""
_assembled_here: set[FixedProgram] = set()


def obtain_program(
    program: FixedProgram, symbols: Mapping[str, int] = NO_SYMBOLS, *, behind: bool = False
) -> LoadedKernel:
    """The loaded program: from memory, the cache, its IR, or else compiled. See Note [Shipped programs].

    behind: no other thread is to wait with its kernels until it is made.
    """
    # The text only names the code in the cache; the fingerprint in the key covers every module that shapes it.
    text = f"# {program.name}\n{(SOURCE_FOLDER / program.module).with_suffix('.py').read_text()}"
    return obtain(text, lambda: _object_of(program, text), symbols=symbols, behind=behind)


def obtain_programs_of_first_calls() -> None:
    """Has each program of `OF_FIRST_CALLS` in memory, if the cache had no `LAUNCH`: then it has none of them either.

    For a thread that nobody waits for. Where the cache has them, they are loaded when they are needed."""
    if LAUNCH in _assembled_here:
        for each in OF_FIRST_CALLS:
            obtain_program(each, behind=True)


def _object_of(program: FixedProgram, text: str) -> KernelObject:
    _assembled_here.add(program)
    try:
        return _assembled(program, text)
    except (OSError, KernelError) as error:
        warnings.warn(
            f"the native program {program.ir_file} cannot be used: {error}. It is compiled from its source, which "
            "takes seconds. To mend it, install guardlift again; in a checkout, `make programs` makes the file anew",
            RuntimeWarning,
            stacklevel=2,
        )
    from .numba_compiler import compile_function, require_numba

    require_numba()
    function, arguments = program.definition()
    return compile_function(function, arguments, program.symbol, text, on_raise=0)


def _assembled(program: FixedProgram, source: str) -> KernelObject:
    """The object that LLVM makes of the IR for this processor. Errors: OSError, KernelError: it is of no use."""
    from ...llvm.object_code import assembled_object

    module_text = checked_text(program.ir_file.read_bytes())
    try:
        code = assembled_object(module_text)
    except RuntimeError as error:
        raise KernelError(f"LLVM refuses it ({error})") from error
    return KernelObject(code, program.symbol, undefined_symbols(code), source)


def checked_text(content: bytes) -> str:
    """The IR in a file, with its comments. Errors: KernelError for one that is damaged or older than its sources."""
    first, _, below = content.partition(b"\n")
    if first != f"{DIGEST}{content_digest(below)}".encode():
        raise KernelError("it is damaged")
    text = below.decode()
    for line in text.splitlines():
        if not line.startswith(";"):
            break
        if line.startswith(SOURCE):
            path, _, known = line.removeprefix(SOURCE).rpartition(" ")
            if content_digest((PACKAGE_FOLDER / path).read_bytes()) != known:
                raise KernelError(f"{path} has changed since it was made")
    return text
