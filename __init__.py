"""guardlift: `@gl.jit` turns Python functions over arrays into guarded graphs and runs them as fused native kernels."""

# Note [Lazy names]
# Who jits NumPy functions does not pay for tensors, layers and optimizers: names of theirs are looked up when first
# used. `tensor` is a function, as in PyTorch, and a package of ours; the import system would put the package there.

import sys
from importlib import import_module
from os import environ as _environment
from types import ModuleType
from typing import TYPE_CHECKING, Any

from guardlift.backend.plugins.registry import list_backends, register_backend
from guardlift.core.config import config
from guardlift.core.errors import (
    AssumptionError,
    BackendError,
    GraphBreakWarning,
    GuardliftError,
    NotAFunctionError,
    RecompileError,
    SettingValueError,
    SpecError,
    UnknownSettingError,
    Unsupported,
    UnsupportedPlatformWarning,
    UnsupportedPythonError,
)
from guardlift.core.names.public_names import MORE_NAMES, in_order
from guardlift.core.rare_collections import RareCollections
from guardlift.frontend import disable, graph_break, is_compiling, jit, mark_dynamic
from guardlift.tools.artifacts import artifact_counters, artifact_misses
from guardlift.tools.memory import compiled_memory, memory_summary, reset
from guardlift.tools.report import explain

if TYPE_CHECKING:
    from guardlift import amp, autograd, distributed, distributions, fft, func, linalg, nn, optim, special, utils
    from guardlift import array_api as xp
    from guardlift.autograd import (
        enable_grad,
        inference_mode,
        is_anomaly_check_nan_enabled,
        is_anomaly_enabled,
        is_grad_enabled,
        is_inference_mode_enabled,
        no_grad,
        set_grad_enabled,
    )
    from guardlift.autograd.opaque import wrap
    from guardlift.core.dtypes import (
        bfloat16,
        float8_e4m3fn,
        float8_e5m2,
        float16,
        float32,
        float64,
        int8,
        int16,
        int32,
        int64,
        uint8,
        uint16,
        uint32,
        uint64,
    )
    from guardlift.core.dtypes import bool_ as bool  # noqa: A004
    from guardlift.frontend.dispatch.specs import ShapeDtypeStruct
    from guardlift.tensor import Tensor, random, sparse, sparse_coo, strided
    from guardlift.tensor.arithmetic import positive
    from guardlift.tensor.contraction import linear
    from guardlift.tensor.conversion import clone, is_floating_point
    from guardlift.tensor.creation import (
        as_tensor,
        empty,
        empty_like,
        from_numpy,
        full_like,
        ones_like,
        tensor,
        zeros_like,
    )
    from guardlift.tensor.generator import Generator
    from guardlift.tensor.joining import chunk, narrow, split, unbind
    from guardlift.tensor.masks import nonzero
    from guardlift.tensor.numpy_protocols import from_dlpack
    from guardlift.tensor.out import (
        abs,
        acos,
        add,
        addcdiv,
        addcmul,
        addmm,
        all,
        amax,
        amin,
        any,
        arange,
        argmax,
        argmin,
        asin,
        atan,
        bitwise_and,
        bitwise_not,
        bitwise_or,
        bitwise_xor,
        bmm,
        cat,
        ceil,
        clamp,
        cos,
        cosh,
        div,
        dot,
        eq,
        erf,
        exp,
        exp2,
        expm1,
        eye,
        floor,
        floor_divide,
        full,
        gather,
        ge,
        gt,
        index_add,
        index_select,
        le,
        lerp,
        linspace,
        log,
        log1p,
        log2,
        log10,
        log_softmax,
        logical_and,
        logical_not,
        logical_or,
        logsumexp,
        lt,
        masked_select,
        matmul,
        max,
        maximum,
        mean,
        min,
        minimum,
        mm,
        mul,
        mv,
        nan_to_num,
        ne,
        neg,
        norm,
        ones,
        outer,
        pow,
        prod,
        reciprocal,
        remainder,
        round,
        rsqrt,
        sigmoid,
        sign,
        sin,
        sinh,
        softmax,
        sqrt,
        square,
        stack,
        std,
        sub,
        sum,
        tan,
        tanh,
        trunc,
        var,
        where,
        zeros,
    )
    from guardlift.tensor.pointwise import isfinite, isinf, isnan, masked_fill, relu
    from guardlift.tensor.promotion import can_cast, get_default_dtype, promote_types, result_type, set_default_dtype
    from guardlift.tensor.random import (
        get_rng_state,
        initial_seed,
        manual_seed,
        rand,
        rand_like,
        randint,
        randn,
        randn_like,
        randperm,
        seed,
        set_rng_state,
    )
    from guardlift.tensor.shaping import (
        broadcast_to,
        flatten,
        movedim,
        numel,
        permute,
        reshape,
        squeeze,
        t,
        transpose,
        unflatten,
        unsqueeze,
    )
    from guardlift.tensor.sparse import sparse_coo_tensor
    from guardlift.tools import testing
    from guardlift.tools.predict import predict
    from guardlift.tools.warm import warm

__version__ = "0.1.0"

_FROM = {
    "guardlift.autograd": (
        "enable_grad inference_mode is_anomaly_check_nan_enabled is_anomaly_enabled is_grad_enabled "
        "is_inference_mode_enabled no_grad set_grad_enabled"
    ),
    "guardlift.autograd.opaque": "wrap",
    "guardlift.core.dtypes": (
        "bfloat16 float16 float32 float64 float8_e4m3fn float8_e5m2 int16 int32 int64 int8 uint16 uint32 uint64 uint8"
    ),
    "guardlift.frontend.dispatch.specs": "ShapeDtypeStruct",
    "guardlift.tensor": "Tensor random sparse sparse_coo strided",
    "guardlift.tensor.arithmetic": "positive",
    "guardlift.tensor.contraction": "linear",
    "guardlift.tensor.conversion": "clone is_floating_point",
    "guardlift.tensor.creation": "as_tensor empty empty_like from_numpy full_like ones_like tensor zeros_like",
    "guardlift.tensor.generator": "Generator",
    "guardlift.tensor.joining": "chunk narrow split unbind",
    "guardlift.tensor.masks": "nonzero",
    "guardlift.tensor.numpy_protocols": "from_dlpack",
    "guardlift.tensor.out": (
        "abs acos add addcdiv addcmul addmm all amax amin any arange argmax argmin asin atan bitwise_and "
        "bitwise_not bitwise_or bitwise_xor bmm cat ceil clamp cos cosh div dot eq erf exp exp2 expm1 eye floor "
        "floor_divide full gather ge gt index_add index_select le lerp linspace log log10 log1p log2 log_softmax "
        "logical_and logical_not logical_or logsumexp lt masked_select matmul max maximum mean min minimum mm mul "
        "mv nan_to_num ne neg norm ones outer pow prod reciprocal remainder round rsqrt sigmoid sign sin sinh "
        "softmax sqrt square stack std sub sum tan tanh trunc var where zeros"
    ),
    "guardlift.tensor.pointwise": "isfinite isinf isnan masked_fill relu",
    "guardlift.tensor.promotion": "can_cast get_default_dtype promote_types result_type set_default_dtype",
    "guardlift.tensor.random": (
        "get_rng_state initial_seed manual_seed rand rand_like randint randn randn_like randperm seed set_rng_state"
    ),
    "guardlift.tensor.sparse": "sparse_coo_tensor",
    "guardlift.tensor.shaping": (
        "broadcast_to flatten movedim numel permute reshape squeeze t transpose unflatten unsqueeze"
    ),
    "guardlift.tools.predict": "predict",
    "guardlift.tools.warm": "warm",
}
"""The lazy names, by the module that defines them."""
_LAZY = {name: module for module, names in (*_FROM.items(), *MORE_NAMES.items()) for name in names.split()}
_WITHOUT_TENSORS = ("guardlift.frontend.", "guardlift.tools.")
_SUBPACKAGES = frozenset(
    {
        *("amp", "autograd", "backends", "distributed", "distributions", "fft", "func", "linalg", "nn", "optim"),
        *("special", "utils"),
    }
)
_MODULES_TOO = frozenset({"tensor", "warm"})
"""Names of functions that are names of modules of ours as well."""


class _Face(ModuleType):
    """The type of this module: modules that the import system would set as `tensor` or `warm` leave the name alone."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _MODULES_TOO or not isinstance(value, ModuleType):
            super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """By name, as picklers that write modules write those of the plain type."""
        return import_module, (self.__name__,)


sys.modules[__name__].__class__ = _Face


class _PathFinder:
    """Finds PyTorch's import paths, where no file has them: see Note [Import paths] in core/names/import_paths.py."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> Any:
        """The spec of such a path. The table is loaded for a name of ours that nobody else has found."""
        return import_module("guardlift.core.names.import_paths").spec_of(name) if name[:10] == "guardlift." else None


sys.meta_path[:] = [*(each for each in sys.meta_path if getattr(each, "__name__", "") != "_PathFinder"), _PathFinder]


def __getattr__(name: str) -> Any:
    """A lazy name. Errors: AttributeError for one that does not exist."""
    if name in _SUBPACKAGES:
        return import_module(f"guardlift.{name}")
    with RareCollections(is_import=True):
        value = _lazy_value(name)
    globals()[name] = value
    return value


def _lazy_value(name: str) -> Any:
    if name == "bool":
        value: Any = import_module("guardlift.core.dtypes").bool_
    elif name == "testing":
        value = import_module("guardlift.tools.testing")
    elif name == "xp":
        import_module("guardlift.autograd")
        value = import_module("guardlift.array_api")
    elif name in _LAZY:
        if not _LAZY[name].startswith(_WITHOUT_TENSORS):
            import_module("guardlift.autograd")  # the tape is there before the first tensor
        value = getattr(import_module(_LAZY[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "AssumptionError",
    "BackendError",
    "Generator",
    "GraphBreakWarning",
    "GuardliftError",
    "NotAFunctionError",
    "RecompileError",
    "SettingValueError",
    "ShapeDtypeStruct",
    "SpecError",
    "Tensor",
    "UnknownSettingError",
    "Unsupported",
    "UnsupportedPlatformWarning",
    "UnsupportedPythonError",
    "__version__",
    "abs",
    "acos",
    "add",
    "addcdiv",
    "addcmul",
    "addmm",
    "all",
    "amax",
    "amin",
    "amp",
    "any",
    "arange",
    "argmax",
    "argmin",
    "artifact_counters",
    "artifact_misses",
    "as_tensor",
    "asin",
    "atan",
    "autograd",
    "bfloat16",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "bmm",
    "bool",
    "broadcast_to",
    "can_cast",
    "cat",
    "ceil",
    "chunk",
    "clamp",
    "clone",
    "compiled_memory",
    "config",
    "cos",
    "cosh",
    "disable",
    "distributed",
    "distributions",
    "div",
    "dot",
    "empty",
    "empty_like",
    "enable_grad",
    "eq",
    "erf",
    "exp",
    "exp2",
    "explain",
    "expm1",
    "eye",
    "fft",
    "flatten",
    "float8_e4m3fn",
    "float8_e5m2",
    "float16",
    "float32",
    "float64",
    "floor",
    "floor_divide",
    "from_dlpack",
    "from_numpy",
    "full",
    "full_like",
    "func",
    "gather",
    "ge",
    "get_default_dtype",
    "get_rng_state",
    "graph_break",
    "gt",
    "index_add",
    "index_select",
    "inference_mode",
    "initial_seed",
    "int8",
    "int16",
    "int32",
    "int64",
    "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled",
    "is_compiling",
    "is_floating_point",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "isfinite",
    "isinf",
    "isnan",
    "jit",
    "le",
    "lerp",
    "linalg",
    "linear",
    "linspace",
    "list_backends",
    "log",
    "log1p",
    "log2",
    "log10",
    "log_softmax",
    "logical_and",
    "logical_not",
    "logical_or",
    "logsumexp",
    "lt",
    "manual_seed",
    "mark_dynamic",
    "masked_fill",
    "masked_select",
    "matmul",
    "max",
    "maximum",
    "mean",
    "memory_summary",
    "min",
    "minimum",
    "mm",
    "movedim",
    "mul",
    "mv",
    "nan_to_num",
    "narrow",
    "ne",
    "neg",
    "nn",
    "no_grad",
    "nonzero",
    "norm",
    "numel",
    "ones",
    "ones_like",
    "optim",
    "outer",
    "permute",
    "positive",
    "pow",
    "predict",
    "prod",
    "promote_types",
    "rand",
    "rand_like",
    "randint",
    "randn",
    "randn_like",
    "random",
    "randperm",
    "reciprocal",
    "register_backend",
    "relu",
    "remainder",
    "reset",
    "reshape",
    "result_type",
    "round",
    "rsqrt",
    "seed",
    "set_default_dtype",
    "set_grad_enabled",
    "set_rng_state",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "softmax",
    "sparse",
    "sparse_coo",
    "sparse_coo_tensor",
    "special",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "strided",
    "sub",
    "sum",
    "t",
    "tan",
    "tanh",
    "tensor",
    "testing",
    "transpose",
    "trunc",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unbind",
    "unflatten",
    "unsqueeze",
    "utils",
    "var",
    "warm",
    "where",
    "wrap",
    "xp",
    "zeros",
    "zeros_like",
]
__all__ = in_order([*__all__, *_LAZY])

if _environment.get("GUARDLIFT_RECORD"):
    import_module("guardlift.tools.record.writer").start(_environment["GUARDLIFT_RECORD"])
