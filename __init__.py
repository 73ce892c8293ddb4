"""guardlift: `@gl.jit` turns Python functions over arrays into guarded graphs and runs them as fused native kernels."""

from guardlift.core.config import config
from guardlift.core.errors import (
    GraphBreakWarning,
    GuardliftError,
    NotAFunctionError,
    RecompileError,
    SettingValueError,
    UnknownSettingError,
    Unsupported,
)
from guardlift.frontend import jit
from guardlift.tools import testing
from guardlift.tools.report import explain

__version__ = "0.1.0"

__all__ = [
    "GraphBreakWarning",
    "GuardliftError",
    "NotAFunctionError",
    "RecompileError",
    "SettingValueError",
    "UnknownSettingError",
    "Unsupported",
    "__version__",
    "config",
    "explain",
    "jit",
    "testing",
]
