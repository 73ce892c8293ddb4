"""The in-place twins: ``x.f_(...)`` makes `x` what ``x.f(...)`` gives, in its own dtype and shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .arithmetic import _kept, _write_result
from .surface import method
from .tensor import Tensor

Value = Any

TWINS = (
    "abs absolute ceil floor round trunc fix frac sign square reciprocal rsqrt nan_to_num logit sinc deg2rad "
    "rad2deg asinh acosh atanh atan2 arcsin arccos arctan arcsinh arccosh arctanh arctan2 hypot fmod xlogy copysign "
    "heaviside float_power ldexp clamp_min clamp_max gcd lcm nextafter negative multiply divide true_divide addmm "
    "addmv addr addbmm baddbmm bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift "
    "bitwise_right_shift logical_and logical_or logical_xor logical_not eq ne lt le gt ge greater greater_equal "
    "less less_equal not_equal index_add index_copy index_fill index_put index_reduce renorm scatter scatter_add "
    "scatter_reduce masked_scatter put cumsum cumprod tril triu lgamma digamma polygamma erfinv erfc mvlgamma igamma "
    "igammac i0"
).split()
"""The names of the functions that have one beside those that `arithmetic`, `pointwise` and `writing` write out."""


def _twin(name: str, function: Callable[..., Value]) -> None:
    def in_place(self: Value, *args: Any, **keywords: Any) -> Value:
        old = _kept(self, (*args, *keywords.values()))
        if name in ("abs", "absolute") and self.dtype.is_complex:
            raise RuntimeError("In-place abs is not supported for complex tensors; abs() gives the lengths")
        return _write_result(self, function(old, *args, **keywords))

    in_place.__name__ = in_place.__qualname__ = name + "_"
    in_place.__doc__ = f"`self`, after it became what `{name}` gives. Errors: RuntimeError if it cannot hold that."
    method(name + "_")(in_place)


for _name in TWINS:
    _twin(_name, getattr(Tensor, _name))


def _operator(symbol: str, name: str) -> None:
    function = getattr(Tensor, name)

    def operator(self: Value, other: Value) -> Value:
        return function(self, other)

    operator.__name__ = operator.__qualname__ = symbol
    operator.__doc__ = f"The operator of `{name}`."
    method(symbol)(operator)


for _symbol, _name in (
    ("__iand__", "bitwise_and_"),
    ("__ior__", "bitwise_or_"),
    ("__ixor__", "bitwise_xor_"),
    ("__ilshift__", "bitwise_left_shift_"),
    ("__irshift__", "bitwise_right_shift_"),
):
    _operator(_symbol, _name)
