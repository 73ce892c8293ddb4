"""NumPy's functions that are called at run time: all those that have no rule of their own, or a rule that covers a
part of their arguments only.

A function is entered here if it has no effects and runs no code of the user, and if the dtypes and shapes of its
results depend on the dtypes and shapes of its array arguments, and on the other arguments, alone.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from ....ops.call_outs import found
from ...breaks import NUMPY_ARGUMENT, UNKNOWN_CALL
from ...tracing.rules import Rule, otherwise
from ...values.base import Value
from ...values.constant import Constant
from ..ufunc_table import WARNS_OF_OUT
from .rule import call_out, write_out

if TYPE_CHECKING:
    from ...tracing.trace import Trace

CREATION = "diag diagflat eye geomspace identity indices linspace logspace tri tril triu vander"
GRIDS = "diag_indices diag_indices_from tril_indices tril_indices_from triu_indices triu_indices_from meshgrid"
JOINING = "append block column_stack concatenate delete dstack hstack insert pad repeat resize roll stack tile vstack"
STATISTICS = """
    average bincount corrcoef cov gradient histogram histogram2d histogramdd histogram_bin_edges mean median
    nanargmax nanargmin nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar
    percentile ptp quantile std trapezoid var count_nonzero argmax argmin
"""
SCANS = "cumprod cumsum cumulative_prod cumulative_sum diff ediff1d nancumprod nancumsum unwrap"
REDUCTIONS = "all amax amin any max min prod sum"
ORDER = "argpartition argsort digitize lexsort partition searchsorted sort sort_complex"
CHOICE = "choose piecewise select where take take_along_axis isin clip copy astype"
SIGNALS = "bartlett blackman convolve correlate hamming hanning i0 interp kaiser sinc"
POLYNOMIALS = "poly polyadd polyder polyfit polyint polysub polyval"
PRODUCTS = "cross dot einsum inner kron matmul matvec outer tensordot trace vdot vecdot vecmat"
NUMBERS = """
    angle around array_equal array_equiv fix imag iscomplex isclose allclose isreal isneginf isposinf nan_to_num
    round
"""
BITS = "packbits unpackbits unravel_index ravel_multi_index"
FOURIER = """
    fft fft2 fftfreq fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft rfft2 rfftfreq rfftn
"""
LINEAR_ALGEBRA = """
    cholesky cond cross det diagonal eigh eigvalsh inv lstsq matmul matrix_norm matrix_power matrix_rank
    matrix_transpose multi_dot norm outer pinv qr slogdet solve svd svdvals tensordot tensorinv tensorsolve trace vecdot
    vector_norm
"""
WRITERS = "copyto fill_diagonal place put put_along_axis putmask"
"""These write into their first argument."""
METHODS = """
    all any argmax argmin argpartition argsort astype choose clip conj conjugate copy cumprod cumsum dot flatten max
    mean min prod ptp repeat round searchsorted std sum take trace var
"""
WRITING_METHODS = "partition put sort"
UFUNC_METHODS = "accumulate outer reduce reduceat"


_WORDS = (
    CREATION, GRIDS, JOINING, STATISTICS, SCANS, REDUCTIONS, ORDER, CHOICE, SIGNALS, POLYNOMIALS, PRODUCTS,
    NUMBERS, BITS,
)  # fmt: skip


def _named(module: ModuleType, words: Iterable[str]) -> dict[Any, str]:
    """The functions of a module, and where plans find them; this release of NumPy may lack some."""
    return {getattr(module, word): f"{module.__name__}.{word}" for word in words if hasattr(module, word)}


CALLED: dict[Any, str] = {
    **_named(np, " ".join(_WORDS).split()),
    **_named(np.fft, FOURIER.split()),
    **_named(np.linalg, LINEAR_ALGEBRA.split()),
    **_named(np, (name for name, each in vars(np).items() if isinstance(each, np.ufunc))),
}
"""Functions that are called for what they give, and the names by which plans find them."""
WRITING: dict[Any, str] = _named(np, WRITERS.split())
"""Functions that are called for what they write."""


@otherwise
def find_called(function: Any) -> Rule | None:
    """The rule that calls a function out, if it is one to be called so."""
    if isinstance(function, tuple):
        return _ufunc_method(*function) if len(function) == 2 else None
    if function in CALLED:
        return functools.partial(_call, function, CALLED[function])
    return functools.partial(_write, WRITING[function]) if function in WRITING else None


def _call(function: Any, name: str, trace: Trace, /, *args: Value, **kwargs: Value) -> Value:
    if isinstance(function, np.ufunc):
        _refuse_where(kwargs)
        if function in WARNS_OF_OUT and len(args) > 2:
            raise NUMPY_ARGUMENT.stop(name=f"np.{name}", argument="an output by position, which NumPy warns of")
    if found(name) != function:
        raise UNKNOWN_CALL.stop(name=f"{name}, under which name there is another function now")
    return call_out(trace, name, args, kwargs, parameters(function))


def _write(name: str, trace: Trace, array: Value, /, *args: Value, **kwargs: Value) -> Value:
    return write_out(trace, name, array, [array, *args], kwargs)


def _ufunc_method(ufunc: Any, name: str) -> Rule | None:
    if ufunc in CALLED and name == "at":
        return functools.partial(_write, f"{CALLED[ufunc]}.at")
    if ufunc not in CALLED or name not in UFUNC_METHODS.split():
        return None
    return functools.partial(_call, getattr(ufunc, name), f"{CALLED[ufunc]}.{name}")


def _refuse_where(kwargs: dict[str, Value]) -> None:
    """Errors: a break where a ufunc is to leave elements of its result unset."""
    where = kwargs.get("where")
    if where is not None and not (isinstance(where, Constant) and where.value is True):
        raise where.unsupported("the argument where of a ufunc")


@functools.cache
def parameters(function: Any) -> tuple[str, ...]:
    """The names of the positional parameters of a function, as far as it tells them."""
    if isinstance(function, np.ufunc):
        return (*(f"x{k}" for k in range(function.nin)), *(["out"] if function.nout == 1 else []))
    try:
        known = inspect.signature(function).parameters.values()
    except ValueError:
        return ()
    named = itertools.takewhile(lambda each: each.kind is not each.VAR_POSITIONAL, known)
    return tuple(each.name for each in named if each.kind is not each.KEYWORD_ONLY)


def method(name: str) -> Rule | None:
    """The rule that calls a method of arrays out, if it is one to be called so."""
    if name in METHODS.split():
        return functools.partial(_call, getattr(np.ndarray, name), f"numpy.ndarray.{name}")
    return functools.partial(_write, f"numpy.ndarray.{name}") if name in WRITING_METHODS.split() else None
