"""Kernel text to native object, by guardlift's own emitter of LLVM IR or, where a setting says so, by Numba.

Importing this module imports neither llvmlite nor numba; compiling imports llvmlite.
"""

from __future__ import annotations

import linecache
from hashlib import blake2b
from typing import TYPE_CHECKING

from ....core.config import config
from ....core.errors import KernelError
from .elf import undefined_symbols
from .kernel_object import KernelObject

if TYPE_CHECKING:
    from ...llvm.values import Kind


def compile_source(text: str) -> KernelObject:
    """The native object of `text`, which defines `kernel(addresses, sizes, start, stop)`.

    Its C form is `int64 symbol(int64 *addresses, int64 *sizes, int64 start, int64 stop)`; the value is the status, 0
    when all went well. A `raise` in the text becomes status 1. IEEE arithmetic is kept exactly; only helpers that
    carry their own flags relax it. The text is registered as `<kernel DIGEST>`, so tracebacks show its lines.
    Errors: KernelError when the text does not compile, with the reason and the line.
    """
    if config.kernel_compiler == "numba":
        from . import numba_compiler

        return numba_compiler.compile_source(text)
    from ...llvm.values import PointerKind

    words = PointerKind("i64")
    return compile_words(text, (words, words, "i64", "i64"), f"guardlift_kernel_{text_digest(text)[:12]}")


def compile_words(text: str, operands: tuple[Kind, ...], symbol: str) -> KernelObject:
    """The native object of the one function that `text` defines, by the emitter, behind C symbol `symbol`.

    operands: their kinds. The result is an int64, 1 where the text raises.
    Errors: KernelError when the text does not compile, with the reason and the line.
    """
    from ...llvm.object_code import optimised_object
    from ...llvm.text_emitter import emit_function
    from .text_functions import native_function

    _, filename = registered(text)
    try:
        module = emit_function(text, operands, symbol, filename, native_function)
    except (SyntaxError, TypeError) as error:
        raise KernelError(f"{filename} is not the text of a kernel: {error}") from error
    try:
        code = optimised_object(module)
    except RuntimeError as error:
        raise KernelError(f"LLVM refuses {filename}: {error}") from error
    return KernelObject(code, symbol, undefined_symbols(code), text)


def registered(text: str) -> tuple[str, str]:
    """The name of kernel text, and that of its file, under which tracebacks find its lines."""
    name = text_digest(text)[:12]
    filename = f"<kernel {name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    return name, filename


def text_digest(text: str) -> str:
    """A hexadecimal digest of kernel text alone; names the text, does not identify its code."""
    return content_digest(text.encode())


def content_digest(content: bytes) -> str:
    """A hexadecimal digest of the content of a file."""
    return blake2b(content, digest_size=16).hexdigest()
