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
    folding,
    indexing,
    joining,
    ordering,
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


def _takes_out(function: Callable[..., Value]) -> Callable[..., Value]:
    """`function`, which with an `out` gives that tensor (or tuple of tensors), filled with its result.

    Its parameters have the names that NumPy gives them too (see `SECOND_NAMES`).
    """
    name = function.__name__
    names = frozenset(inspect.signature(function).parameters)
    of_a_tensor = function.__code__.co_varnames[:1] == ("input",)

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
                raise not_a_tensor(name, "input", 1, args[0]) from None
            raise
        if out is None:
            return result
        pairs = list(zip(out, result)) if isinstance(out, (tuple, list)) else [(out, result)]
        for target, found in pairs:
            _check(name, target, found)
        for target, found in pairs:
            _write(target, found)
        return type(result)(*out) if isinstance(result, tuple) else out

    signature = inspect.signature(function)
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


abs = _takes_out(arithmetic.abs)
acos = _takes_out(pointwise.acos)
acosh = _takes_out(elementary.acosh)
add = _takes_out(arithmetic.add)
addcdiv = _takes_out(arithmetic.addcdiv)
addcmul = _takes_out(arithmetic.addcmul)
addmm = _takes_out(contraction.addmm)
addmv = _takes_out(products.addmv)
addr = _takes_out(products.addr)
all = _takes_out(reductions.all)
amax = _takes_out(reductions.amax)
amin = _takes_out(reductions.amin)
any = _takes_out(reductions.any)
arange = _takes_out(creation.arange)
argmax = _takes_out(reductions.argmax)
argmin = _takes_out(reductions.argmin)
argsort = _takes_out(ordering.argsort)
asin = _takes_out(pointwise.asin)
asinh = _takes_out(elementary.asinh)
atan = _takes_out(pointwise.atan)
atan2 = _takes_out(elementary.atan2)
atanh = _takes_out(elementary.atanh)
baddbmm = _takes_out(products.baddbmm)
bitwise_and = _takes_out(pointwise.bitwise_and)
bitwise_not = _takes_out(pointwise.bitwise_not)
bitwise_or = _takes_out(pointwise.bitwise_or)
bitwise_xor = _takes_out(pointwise.bitwise_xor)
bmm = _takes_out(contraction.bmm)
cat = _takes_out(joining.cat)
ceil = _takes_out(pointwise.ceil)
clamp = _takes_out(pointwise.clamp)
clamp_max = _takes_out(elementary.clamp_max)
clamp_min = _takes_out(elementary.clamp_min)
copysign = _takes_out(elementary.copysign)
cos = _takes_out(pointwise.cos)
cosh = _takes_out(pointwise.cosh)
cumprod = _takes_out(ordering.cumprod)
cumsum = _takes_out(ordering.cumsum)
diag = _takes_out(diagonals.diag)
diff = _takes_out(ordering.diff)
div = _takes_out(arithmetic.div)
dot = _takes_out(contraction.dot)
eq = _takes_out(pointwise.eq)
erf = _takes_out(pointwise.erf)
exp = _takes_out(pointwise.exp)
exp2 = _takes_out(pointwise.exp2)
expm1 = _takes_out(pointwise.expm1)
eye = _takes_out(creation.eye)
floor = _takes_out(pointwise.floor)
floor_divide = _takes_out(arithmetic.floor_divide)
fmax = _takes_out(elementary.fmax)
fmin = _takes_out(elementary.fmin)
fmod = _takes_out(arithmetic.fmod)
full = _takes_out(creation.full)
gather = _takes_out(indexing.gather)
ge = _takes_out(pointwise.ge)
gt = _takes_out(pointwise.gt)
hypot = _takes_out(elementary.hypot)
index_add = _takes_out(indexing.index_add)
index_select = _takes_out(indexing.index_select)
inner = _takes_out(products.inner)
kron = _takes_out(products.kron)
kthvalue = _takes_out(ordering.kthvalue)
le = _takes_out(pointwise.le)
lerp = _takes_out(arithmetic.lerp)
linspace = _takes_out(creation.linspace)
log = _takes_out(pointwise.log)
log10 = _takes_out(pointwise.log10)
log1p = _takes_out(pointwise.log1p)
log2 = _takes_out(pointwise.log2)
log_softmax = _takes_out(reductions.log_softmax)
logaddexp = _takes_out(elementary.logaddexp)
logaddexp2 = _takes_out(elementary.logaddexp2)
logcumsumexp = _takes_out(ordering.logcumsumexp)
logical_and = _takes_out(pointwise.logical_and)
logical_not = _takes_out(pointwise.logical_not)
logical_or = _takes_out(pointwise.logical_or)
logical_xor = _takes_out(elementary.logical_xor)
logsumexp = _takes_out(reductions.logsumexp)
lt = _takes_out(pointwise.lt)
masked_select = _takes_out(indexing.masked_select)
matmul = _takes_out(contraction.matmul)
max = _takes_out(reductions.max)
maximum = _takes_out(arithmetic.maximum)
mean = _takes_out(reductions.mean)
min = _takes_out(reductions.min)
minimum = _takes_out(arithmetic.minimum)
mm = _takes_out(contraction.mm)
mul = _takes_out(arithmetic.mul)
mv = _takes_out(contraction.mv)
nan_to_num = _takes_out(pointwise.nan_to_num)
nansum = _takes_out(folding.nansum)
ne = _takes_out(pointwise.ne)
neg = _takes_out(arithmetic.neg)
norm = _takes_out(reductions.norm)
ones = _takes_out(creation.ones)
outer = _takes_out(contraction.outer)
pow = _takes_out(arithmetic.pow)
prod = _takes_out(reductions.prod)
reciprocal = _takes_out(pointwise.reciprocal)
remainder = _takes_out(arithmetic.remainder)
round = _takes_out(pointwise.round)
rsqrt = _takes_out(pointwise.rsqrt)
scatter = _takes_out(scattering.scatter)
scatter_add = _takes_out(scattering.scatter_add)
sigmoid = _takes_out(pointwise.sigmoid)
sign = _takes_out(pointwise.sign)
sin = _takes_out(pointwise.sin)
sinh = _takes_out(pointwise.sinh)
softmax = _takes_out(reductions.softmax)
sort = _takes_out(ordering.sort)
sqrt = _takes_out(pointwise.sqrt)
square = _takes_out(pointwise.square)
stack = _takes_out(joining.stack)
std = _takes_out(reductions.std)
sub = _takes_out(arithmetic.sub)
sum = _takes_out(reductions.sum)
take = _takes_out(scattering.take)
take_along_dim = _takes_out(scattering.take_along_dim)
tan = _takes_out(pointwise.tan)
tanh = _takes_out(pointwise.tanh)
topk = _takes_out(ordering.topk)
tril = _takes_out(diagonals.tril)
triu = _takes_out(diagonals.triu)
trunc = _takes_out(pointwise.trunc)
var = _takes_out(reductions.var)
where = _takes_out(pointwise.where)
zeros = _takes_out(creation.zeros)
