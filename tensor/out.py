"""The functions that also write where `out` says: ``gl.add(a, b, out=c)``. As methods they take no `out`."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any

from ..ops.movement import RESHAPE
from . import (
    arithmetic,
    contraction,
    creation,
    diagonals,
    elementary,
    floating_parts,
    folding,
    histograms,
    index_reductions,
    indexing,
    joining,
    ordering,
    piecewise,
    pointwise,
    products,
    reductions,
    scattering,
)
from .arithmetic import _write_result, check_cast
from .autocast import AUTOCAST, without_autocast
from .dispatch import apply, is_tensor_like, not_a_tensor, number_kind
from .surface import surface

Value = Any


def takes_out(function: Callable[..., Value]) -> Callable[..., Value]:
    """`function`, which with an `out` gives that tensor (or tuple of tensors), filled with its result.

    Its parameters have the names that NumPy gives them too (see `SECOND_NAMES`).
    """
    name = function.__name__
    signature = inspect.signature(function)
    names = frozenset(signature.parameters)
    first = tuple(signature.parameters)[:1]
    of_a_tensor = first in (("input",), ("A",), ("x",))

    @wraps(function)
    def call(*args: Any, out: Any = None, **keywords: Any) -> Value:
        if keywords and not names.issuperset(keywords):
            keywords = {_first_name(each, names): value for each, value in keywords.items()}
        try:
            if out is None or AUTOCAST.state is None:
                result = function(*args, **keywords)
            else:
                result = without_autocast(function, args, keywords)
        except (AttributeError, TypeError):
            if of_a_tensor and args and not is_tensor_like(args[0]) and number_kind(args[0]) is None:
                raise not_a_tensor(name, first[0], 1, args[0]) from None
            raise
        if out is None:
            return result
        pairs = list(zip(out, result)) if isinstance(out, (tuple, list)) else [(out, result)]
        for target, found in pairs:
            _check(name, target, found)
        for target, found in pairs:
            _write(target, found)
        return type(result)(*out) if isinstance(result, tuple) else out

    taken = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None)
    call.__signature__ = signature.replace(parameters=[*signature.parameters.values(), taken])  # type: ignore[attr-defined]
    return surface(call)


SECOND_NAMES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}
"""NumPy's names of parameters, which functions of PyTorch take in place of their own."""


def _first_name(given: str, names: frozenset[str]) -> str:
    """The parameter that is meant by a keyword which is none; itself, if there is no such parameter."""
    meant = SECOND_NAMES.get(given, given)
    return meant if given not in names and meant in names else given


def _check(name: str, out: Value, result: Value) -> None:
    """Errors: TypeError for an `out` that is no tensor, RuntimeError where one is recorded or dtypes do not fit."""
    if not is_tensor_like(out):
        raise TypeError(f"{name}(): argument 'out' must be Tensor, not {type(out).__name__}")
    if result.requires_grad or (out.requires_grad and apply(RESHAPE, out, shape=out.shape).requires_grad):
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the "
            "arguments requires grad."
        )
    check_cast(out, result)


def _write(out: Value, result: Value) -> None:
    if out.shape != result.shape:
        if out.numel():
            warnings.warn(
                f"An output of shape {list(out.shape)} was resized to that of the result, {list(result.shape)}. Give "
                "one of that shape, or resize it to 0 elements with out.resize_(0)",
                stacklevel=4,
            )
        out.resize_(result.shape)
    _write_result(out, result)


abs = takes_out(arithmetic.abs)
acos = takes_out(pointwise.acos)
acosh = takes_out(elementary.acosh)
add = takes_out(arithmetic.add)
addcdiv = takes_out(arithmetic.addcdiv)
addcmul = takes_out(arithmetic.addcmul)
addmm = takes_out(contraction.addmm)
addmv = takes_out(products.addmv)
addr = takes_out(products.addr)
all = takes_out(reductions.all)
amax = takes_out(reductions.amax)
amin = takes_out(reductions.amin)
any = takes_out(reductions.any)
arange = takes_out(creation.arange)
argmax = takes_out(reductions.argmax)
argmin = takes_out(reductions.argmin)
argsort = takes_out(ordering.argsort)
asin = takes_out(pointwise.asin)
asinh = takes_out(elementary.asinh)
atan = takes_out(pointwise.atan)
atan2 = takes_out(elementary.atan2)
atanh = takes_out(elementary.atanh)
baddbmm = takes_out(products.baddbmm)
bitwise_and = takes_out(pointwise.bitwise_and)
bitwise_not = takes_out(pointwise.bitwise_not)
bitwise_or = takes_out(pointwise.bitwise_or)
bitwise_xor = takes_out(pointwise.bitwise_xor)
bmm = takes_out(contraction.bmm)
cat = takes_out(joining.cat)
ceil = takes_out(pointwise.ceil)
clamp = takes_out(pointwise.clamp)
clamp_max = takes_out(elementary.clamp_max)
clamp_min = takes_out(elementary.clamp_min)
copysign = takes_out(elementary.copysign)
cos = takes_out(pointwise.cos)
cosh = takes_out(pointwise.cosh)
cumprod = takes_out(ordering.cumprod)
cumsum = takes_out(ordering.cumsum)
diag = takes_out(diagonals.diag)
diff = takes_out(ordering.diff)
div = takes_out(arithmetic.div)
dot = takes_out(contraction.dot)
eq = takes_out(pointwise.eq)
erf = takes_out(pointwise.erf)
exp = takes_out(pointwise.exp)
exp2 = takes_out(pointwise.exp2)
expm1 = takes_out(pointwise.expm1)
eye = takes_out(creation.eye)
floor = takes_out(pointwise.floor)
floor_divide = takes_out(arithmetic.floor_divide)
fmax = takes_out(elementary.fmax)
fmin = takes_out(elementary.fmin)
fmod = takes_out(arithmetic.fmod)
frexp = takes_out(floating_parts.frexp)
full = takes_out(creation.full)
gather = takes_out(indexing.gather)
ge = takes_out(pointwise.ge)
gt = takes_out(pointwise.gt)
hardshrink = takes_out(piecewise.hardshrink)
histogram = takes_out(histograms.histogram)
hypot = takes_out(elementary.hypot)
index_add = takes_out(indexing.index_add)
index_reduce = takes_out(index_reductions.index_reduce)
index_select = takes_out(indexing.index_select)
inner = takes_out(products.inner)
kron = takes_out(products.kron)
kthvalue = takes_out(ordering.kthvalue)
le = takes_out(pointwise.le)
lerp = takes_out(arithmetic.lerp)
linspace = takes_out(creation.linspace)
log = takes_out(pointwise.log)
log10 = takes_out(pointwise.log10)
log1p = takes_out(pointwise.log1p)
log2 = takes_out(pointwise.log2)
log_softmax = takes_out(reductions.log_softmax)
logaddexp = takes_out(elementary.logaddexp)
logaddexp2 = takes_out(elementary.logaddexp2)
logcumsumexp = takes_out(ordering.logcumsumexp)
logical_and = takes_out(pointwise.logical_and)
logical_not = takes_out(pointwise.logical_not)
logical_or = takes_out(pointwise.logical_or)
logical_xor = takes_out(elementary.logical_xor)
logsumexp = takes_out(reductions.logsumexp)
lt = takes_out(pointwise.lt)
masked_select = takes_out(indexing.masked_select)
matmul = takes_out(contraction.matmul)
max = takes_out(reductions.max)
maximum = takes_out(arithmetic.maximum)
mean = takes_out(reductions.mean)
min = takes_out(reductions.min)
minimum = takes_out(arithmetic.minimum)
mm = takes_out(contraction.mm)
mode = takes_out(ordering.mode)
mul = takes_out(arithmetic.mul)
mv = takes_out(contraction.mv)
nan_to_num = takes_out(pointwise.nan_to_num)
nansum = takes_out(folding.nansum)
ne = takes_out(pointwise.ne)
neg = takes_out(arithmetic.neg)
norm = takes_out(reductions.norm)
ones = takes_out(creation.ones)
outer = takes_out(contraction.outer)
pow = takes_out(arithmetic.pow)
prod = takes_out(reductions.prod)
reciprocal = takes_out(pointwise.reciprocal)
remainder = takes_out(arithmetic.remainder)
renorm = takes_out(index_reductions.renorm)
round = takes_out(pointwise.round)
rsqrt = takes_out(pointwise.rsqrt)
scatter = takes_out(scattering.scatter)
scatter_add = takes_out(scattering.scatter_add)
sigmoid = takes_out(pointwise.sigmoid)
sign = takes_out(pointwise.sign)
sin = takes_out(pointwise.sin)
sinh = takes_out(pointwise.sinh)
softmax = takes_out(reductions.softmax)
sort = takes_out(ordering.sort)
sqrt = takes_out(pointwise.sqrt)
square = takes_out(pointwise.square)
stack = takes_out(joining.stack)
std = takes_out(reductions.std)
sub = takes_out(arithmetic.sub)
sum = takes_out(reductions.sum)
take = takes_out(scattering.take)
take_along_dim = takes_out(scattering.take_along_dim)
tan = takes_out(pointwise.tan)
tanh = takes_out(pointwise.tanh)
topk = takes_out(ordering.topk)
tril = takes_out(diagonals.tril)
triu = takes_out(diagonals.triu)
trunc = takes_out(pointwise.trunc)
var = takes_out(reductions.var)
where = takes_out(pointwise.where)
zeros = takes_out(creation.zeros)
