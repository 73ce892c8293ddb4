"""The declaration of a scalar function of generated kernels: once, in plain Python arithmetic.

A body is straight-line code over values of fixed dtypes: assignments, arithmetic, comparisons, `a if c else b`, calls
of primitives and of other such functions, and one `return` at its end. Two readers give it the same meaning:

- CPython with NumPy scalars, `function(np.float32(1.0))`: the oracle, and what a simulator without LLVM runs;
- `emit.py`, which writes it as branch-free LLVM IR for the kernels of any back end.

The rules both follow: operands have one dtype, a Python number takes the dtype of its partner (NEP 50), integers wrap.
One body may serve several dtypes; a global that is a `PerDtype` then means the value for the dtype of the instance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import FunctionType
from typing import Any, TypeAlias

import numpy as np

from ...core import dtypes
from ...core.records import dataclass

Value: TypeAlias = Any
"""A NumPy scalar when CPython runs a body; a typed LLVM value when it is emitted."""
Body: TypeAlias = Callable[..., Value]

SCALAR_TYPES: dict[str, type[np.generic]] = {dtype.code: dtype.numpy.type for dtype in dtypes.ALL}
CODES = {scalar_type: code for code, scalar_type in SCALAR_TYPES.items()}
FLOATS = tuple(dtype.code for dtype in dtypes.FLOATS)
INTEGERS = tuple(dtype.code for dtype in dtypes.INTEGERS)
SIGNED = tuple(code for code in INTEGERS if code[0] == "i")
UNSIGNED = tuple(code for code in INTEGERS if code[0] == "u")


@dataclass(frozen=True, slots=True, eq=False)
class PerDtype:
    """A name in bodies that means something else in each instance."""

    values: Mapping[str, Any]


def per_float(single: Any, double: Any) -> Any:
    """A constant of the float32 and of the float64 instance; typed Any, since in bodies it stands for the constant."""
    return PerDtype({"f32": single, "f64": double})


@dataclass(frozen=True, slots=True, eq=False)
class ScalarFunction:
    """One function that kernel text may call. Called from Python, it runs its body on NumPy scalars."""

    name: str
    body: Body
    instance: str  # the dtype for which each `PerDtype` is looked up
    operands: tuple[str, ...]
    result: str
    contract: bool = False  # may a multiply and an add of this body become one fma?
    reassociate: bool = False  # may an operation of this body be reordered with equal ones of the caller?

    def __call__(self, *operands: Value) -> Value:
        with np.errstate(all="ignore"):
            return SCALAR_TYPES[self.result](_bound(self.body, self.instance)(*operands))  # type: ignore[call-arg]


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """The instances of one body; a call goes to the instance for the dtype of the first operand."""

    instances: Mapping[str, ScalarFunction]

    def __call__(self, first: Value, *others: Value) -> Value:
        return self.instances[CODES[type(first)]](first, *others)


TABLE: dict[str, ScalarFunction] = {}
"""Every declared function by name; the modules of this package fill it when they are imported."""


def declare(function: ScalarFunction) -> ScalarFunction:
    """`function`, entered in the table. Errors: ValueError when the name is taken."""
    if function.name in TABLE:
        raise ValueError(f"the scalar function {function.name} is declared twice")
    TABLE[function.name] = function
    return function


def scalar_function(
    codes: tuple[str, ...],
    result: str | None = None,
    *,
    name: str | None = None,
    at: str | None = None,
    contract: bool = False,
    reassociate: bool = False,
) -> Callable[[Body], Family]:
    """A decorator declaring `name_code` for each dtype: operands of that dtype, the result too unless given.

    `at` is the dtype that the body computes in and for which each `PerDtype` is looked up, when it is another one.
    """

    def decorate(body: Body) -> Family:
        stem, arity = name or body.__name__, body.__code__.co_argcount
        return Family(
            {
                code: declare(
                    ScalarFunction(
                        f"{stem}_{code}", body, at or code, (code,) * arity, result or code, contract, reassociate
                    )
                )
                for code in codes
            }
        )

    return decorate


@cache
def _bound(body: Body, instance: str) -> Body:
    """`body` with each global that depends on the dtype replaced by its value for `instance`."""
    assert isinstance(body, FunctionType)
    names = dict(body.__globals__)
    for name in body.__code__.co_names:
        if isinstance(names.get(name), PerDtype):
            names[name] = names[name].values[instance]
        if isinstance(names.get(name), FunctionType):
            names[name] = _bound(names[name], instance)
    return FunctionType(body.__code__, names, body.__name__)


T: Any = PerDtype(SCALAR_TYPES)
"""The scalar type of the instance."""
WIDTH: Any = PerDtype({code: 8 * np.dtype(scalar_type).itemsize for code, scalar_type in SCALAR_TYPES.items()})
"""Its bits."""
LOWEST: Any = PerDtype({code: -(2 ** (int(code[1:]) - 1)) if code[0] == "i" else 0 for code in INTEGERS})
"""The smallest value of an integer type."""
EXACT: Any = PerDtype({code: np.float32 if int(code[1:]) <= 16 else np.float64 for code in INTEGERS})
"""A float type in which the rounded quotient of two integers, of up to 32 bits, never reaches the next whole number.

A quotient a / b that is not whole is at least 1 / |b| away from whole; rounding moves it by |a / b| * 2**-p at most.
"""
