"""Second names that PyTorch has for the same functions."""

from __future__ import annotations

from .arithmetic import abs as absolute
from .arithmetic import div as divide
from .arithmetic import div as true_divide
from .arithmetic import mul as multiply
from .arithmetic import neg as negative
from .arithmetic import sub as subtract
from .contraction import outer as ger
from .elementary import acosh as arccosh
from .elementary import asinh as arcsinh
from .elementary import atan2 as arctan2
from .elementary import atanh as arctanh
from .folding import trapezoid as trapz
from .joining import cat as concat
from .joining import cat as concatenate
from .pointwise import acos as arccos
from .pointwise import asin as arcsin
from .pointwise import atan as arctan
from .pointwise import clamp as clip
from .pointwise import ge as greater_equal
from .pointwise import gt as greater
from .pointwise import le as less_equal
from .pointwise import lt as less
from .pointwise import ne as not_equal
from .pointwise import trunc as fix
from .rearranging import vstack as row_stack
from .shaping import movedim as moveaxis
from .shaping import swapaxes
from .shaping import transpose as swapdims
from .tensor import Tensor

for _name, _function in (
    ("absolute", absolute),
    ("arccos", arccos),
    ("arccosh", arccosh),
    ("arcsin", arcsin),
    ("arcsinh", arcsinh),
    ("arctan", arctan),
    ("arctan2", arctan2),
    ("arctanh", arctanh),
    ("fix", fix),
    ("ger", ger),
    ("greater", greater),
    ("greater_equal", greater_equal),
    ("less", less),
    ("less_equal", less_equal),
    ("not_equal", not_equal),
):
    setattr(Tensor, _name, _function)

__all__ = [
    "absolute",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "clip",
    "concat",
    "concatenate",
    "divide",
    "fix",
    "ger",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "moveaxis",
    "multiply",
    "negative",
    "not_equal",
    "row_stack",
    "subtract",
    "swapaxes",
    "swapdims",
    "trapz",
    "true_divide",
]
