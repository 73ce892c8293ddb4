"""Python functions and kernel text to native object, by a lean use of Numba: no wrappers, no reference counts.

The native runtime is compiled so, when its programs are made. Kernels are where `gl.config.kernel_compiler` says so: to
compare them with those of guardlift's own emitter. Importing this module does not import numba; compiling does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from ....core.errors import KernelError
from ...llvm.intrinsic_names import intrinsics_named_in
from ...llvm.text_emitter import RAISED
from .compiler import registered
from .elf import undefined_symbols
from .kernel_object import KernelObject

if TYPE_CHECKING:
    from .object_library import ObjectLibrary

DTYPE_NAMES = (
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "boolean",
    "complex64",
    "complex128",
)


def compile_source(text: str) -> KernelObject:
    """The native object of `text`, as `compiler.compile_source` promises it, by way of Numba.

    Errors: KernelError when the text does not compile, with Numba's reason.
    """
    require_numba()
    from numba import types

    name, filename = registered(text)
    namespace = names_in(text)
    try:
        exec(compile(text, filename, "exec"), namespace)
        kernel = namespace["kernel"]
    except (SyntaxError, KeyError) as error:
        raise KernelError(f"{filename} is not the text of a kernel: {error!r}") from error
    words = types.CPointer(types.int64)
    arguments = (words, words, types.int64, types.int64)
    return compile_function(kernel, arguments, f"guardlift_kernel_{name}", text, on_raise=RAISED, is_kernel=True)


def require_numba() -> None:
    """Errors: KernelError where numba is not installed."""
    try:
        import numba  # noqa: F401
    except ImportError as error:
        raise KernelError("this takes numba, which is not installed: pip install 'guardlift[numba]'") from error


def names_in(text: str) -> dict[str, Any]:
    """The objects that a function's text may refer to by name: types and native functions."""
    from .numba_functions import numba_function

    return {**_type_names(), **intrinsics_named_in(text, numba_function)}


def compile_function(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    symbol: str,
    source: str,
    on_raise: int,
    is_kernel: bool = False,
) -> KernelObject:
    """The native object of a Python function, behind C symbol `symbol`. See `compiled_library`."""
    from numba.core.compiler_lock import global_compiler_lock

    with global_compiler_lock:
        code = compiled_library(function, arguments, symbol, on_raise, is_kernel).emit()
    return KernelObject(code, symbol, undefined_symbols(code), source)


def compiled_library(
    function: Callable[..., Any], arguments: tuple[Any, ...], symbol: str, on_raise: int, is_kernel: bool = False
) -> ObjectLibrary:
    """The optimised code of a Python function of Numba types `arguments`, with result int64, behind C symbol `symbol`.

    `on_raise` is the C result when the function raises; in a kernel integers may wrap.
    Errors: KernelError when Numba refuses the function.
    """
    from numba.core import types
    from numba.core.compiler import compile_extra
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.errors import NumbaError

    from .numba_pipeline import KernelCompiler, kernel_contexts
    from .object_library import KernelLibrary, ObjectLibrary

    with global_compiler_lock:
        typing_context, target_context = kernel_contexts()
        target_context.refresh()  # and the other with it
        library = (KernelLibrary if is_kernel else ObjectLibrary)(target_context.codegen(), symbol)
        try:
            result = compile_extra(
                typing_context,
                target_context,
                function,
                arguments,
                types.int64,
                _flags(),
                {},
                library=library,
                pipeline_class=KernelCompiler,
            )
        except NumbaError as error:
            raise KernelError(f"Numba refused {function.__code__.co_filename}:\n{error}") from error
        library.add_ir_module(_c_entry(target_context, result.fndesc, symbol, on_raise))
        library.finalize()
        return library


@cache
def _type_names() -> dict[str, Any]:
    from numba import types

    return {name: getattr(types, name) for name in DTYPE_NAMES}


def _flags() -> Any:
    from numba.core.compiler import Flags

    flags = Flags()
    flags.no_compile = True  # stop before Numba's engine links the code; the object is all we want
    flags.no_cpython_wrapper = True
    flags.no_cfunc_wrapper = True
    flags.enable_pyobject = False
    flags.enable_looplift = False
    flags.nrt = False
    flags.boundscheck = False
    flags.error_model = "numpy"
    return flags


def _c_entry(context: Any, descriptor: Any, symbol: str, on_raise: int) -> Any:
    """A module with the C function `symbol`, which calls Numba's own form (result by pointer, status as value)."""
    from llvmlite import ir

    module = context.create_module(symbol)
    convention = context.call_conv
    callee_type = convention.get_function_type(descriptor.restype, descriptor.argtypes)
    callee = ir.Function(module, callee_type, descriptor.llvm_func_name)
    result_type = context.get_value_type(descriptor.restype)
    argument_types = [context.get_value_type(argument) for argument in descriptor.argtypes]
    entry = ir.Function(module, ir.FunctionType(result_type, argument_types), symbol)
    builder = ir.IRBuilder(entry.append_basic_block("entry"))
    status, value = convention.call_function(builder, callee, descriptor.restype, descriptor.argtypes, entry.args)
    raised = ir.Constant(result_type, on_raise)
    builder.ret(builder.select(status.is_error, raised, value))
    return module
