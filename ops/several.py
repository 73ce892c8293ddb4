"""Operations that give several values: a node that is only a token, and one more node for each value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core.dtypes import DType
from ..core.errors import OpError
from ..core.types import TensorType
from .registry import Array, OpDef, Structural, define_op


def _result_meta(token: TensorType, *, index: int, shape: tuple[int, ...], dtype: DType) -> TensorType:
    return TensorType(shape, dtype)


RESULTS_IN_NUMPY: dict[str, Callable[..., Sequence[Array]]] = {}
"""By the name of an op: the function of its operands that gives all results, where it is a function of them alone."""


def define_several(
    name: str,
    *,
    meta: Callable[..., TensorType],
    result_of: str = "",
    exact: bool = False,
    may_raise: bool = False,
    eager: Callable[..., Sequence[Array]] | None = None,
) -> tuple[OpDef, OpDef]:
    """The op of the token, of any number of operands, and that of its results, ``<result_of>_result``.

    Of a result, `index` says which one it is. Neither has a NumPy form; `eager` gives all results.
    """
    if eager is not None:
        RESULTS_IN_NUMPY[name] = eager
    short = result_of or name

    def not_alone(*_arrays: Array, **_attrs: Any) -> Array:
        raise OpError(f"a {name} gives several values, {short}_result nodes, and has no NumPy form")

    token = define_op(
        name,
        meta=meta,
        eager=not_alone,
        lower=Structural(),
        samples=tuple,
        exact=exact,
        may_raise=may_raise,
        operands=("operands",),
        variadic=True,
    )
    result = define_op(
        f"{short}_result",
        meta=_result_meta,
        eager=not_alone,
        lower=Structural(),
        samples=tuple,
        exact=exact,
        operands=(short,),
    )
    return token, result
