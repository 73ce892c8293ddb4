"""Programs that have to give under any backend what they give plainly: values, aliasing, writes, errors."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..core.package import PACKAGE
from ..core.records import dataclass
from ..frontend.jit import jit
from .backend_differences import differences, largest
from .backend_operands import (
    Array,
    array_in_a_record,
    column_major_array,
    leaf_tensors,
    linear_system,
    one_array,
    places_too_far,
    single_precision_array,
    small_array,
    some_integers,
    some_numbers,
    some_places,
    some_tensors,
    special_floats,
    strided_array,
    two_arrays,
    two_matrices,
)

UNITS = 256.0
"""The difference that floats may have, in units in the last place of the largest number about."""
CALLS = 3


@dataclass(frozen=True, slots=True)
class BackendProgram:
    """A function for `jit`, and what makes its arguments, alike for one seed.

    `setup`, if given, makes the function, so that the plain run and the jitted one have a model each.
    """

    name: str
    make: Callable[[np.random.Generator], tuple[Any, ...]]
    function: Callable[..., Any] | None = None
    setup: Callable[[], Callable[..., Any]] | None = None

    def fresh(self) -> Callable[..., Any]:
        """The function."""
        return self.function if self.setup is None else self.setup()  # type: ignore[return-value]


PROGRAMS: list[BackendProgram] = []


def program(make: Callable[[np.random.Generator], tuple[Any, ...]]) -> Callable[[Any], Any]:
    """A decorator that lists a function as a program."""

    def listed(function: Any) -> Any:
        PROGRAMS.append(BackendProgram(function.__name__, make, function))
        return function

    return listed


def trained(make: Callable[[np.random.Generator], tuple[Any, ...]]) -> Callable[[Any], Any]:
    """A decorator that lists, as a program, a function that makes one."""

    def listed(setup: Any) -> Any:
        PROGRAMS.append(BackendProgram(setup.__name__, make, None, setup))
        return setup

    return listed


def check_program(tested: BackendProgram, backend: Any, rtol: float = 0.0) -> None:
    """Nothing, if the program does under the backend what it does plainly, in calls with other values each.

    Errors: AssertionError.
    """
    plain, jitted = tested.fresh(), jit(backend=backend)(tested.fresh())
    kept: list[tuple[str, Any, Any]] = []
    for number in range(CALLS):
        ours, theirs = (tested.make(np.random.default_rng(number)) for _ in range(2))
        found, expected = _outcome(jitted, ours), _outcome(plain, theirs)
        kept.append((f"call {number + 1}", (found, ours), (expected, theirs)))
        _compare(tested, kept[-1:], rtol, "")
    _compare(tested, kept, rtol, ", seen after the last call")


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return function(*arguments)
    except (ArithmeticError, LookupError, ValueError) as error:
        return [type(error).__name__, str(error)]


def _compare(tested: BackendProgram, runs: list[tuple[str, Any, Any]], rtol: float, when: str) -> None:
    for label, found, expected in runs:
        for problem in _problems(found, expected, rtol):
            raise AssertionError(f"program {tested.name}, {label}{when}: {problem}")


def _problems(found: Any, expected: Any, rtol: float) -> Iterator[str]:
    ours, theirs = list(_leaves(found, "result")), list(_leaves(expected, "result"))
    if [place for place, _ in ours] != [place for place, _ in theirs]:
        yield f"expected results at {[place for place, _ in theirs]}, got {[place for place, _ in ours]}"
        return
    arrays = [(place, one, other) for (place, one), (_, other) in zip(ours, theirs) if type(other) is np.ndarray]
    scale = max(largest([other for _, _, other in arrays]), 1.0)
    for (place, one), (_, other) in zip(ours, theirs, strict=True):
        if type(one) is not type(other):
            yield f"{place} is a {type(one).__name__}, expected a {type(other).__name__}"
        elif type(other) is np.ndarray:
            layout, wanted = (_layout(each) for each in (one, other))
            if layout != wanted:
                yield f"{place} has {layout}, expected {wanted}"
            yield from (f"{place}: {text}" for text in differences(one, other, rtol, UNITS, scale))
        elif isinstance(other, float | np.generic):
            pair = np.asarray(one), np.asarray(other)
            yield from (f"{place}: {text}" for text in differences(*pair, rtol, UNITS, scale))
        elif one != other:
            yield f"{place} is {one!r}, expected {other!r}"
    for first, (place, one, other) in enumerate(arrays):
        for second, own, theirs_too in arrays[:first]:
            if (one is own, np.shares_memory(one, own)) != (other is theirs_too, np.shares_memory(other, theirs_too)):
                yield f"whether {place} and {second} are one array, or share memory, is not as expected"


@program(one_array)
def standardised(x: Any) -> Any:
    """Reductions along an axis, broadcast back."""
    return (x - x.mean(axis=0)) / x.std(axis=0)


@program(two_arrays)
def softmax(x: Any, y: Any) -> Any:
    """Reductions and functions within two ulp."""
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) + np.tanh(y) * np.log1p(np.abs(y))


@program(special_floats)
def special_values(x: Any) -> Any:
    """Infinities, NaNs, zeros of both signs and subnormal numbers."""
    return x + x, x * -1, np.sqrt(x), np.maximum(x, 0), np.where(x > 0, x, -x), x == x, np.sign(x)


@program(some_integers)
def whole_numbers(x: Any, y: Any) -> Any:
    """Integers of two dtypes: promotion, division towards minus infinity, wrapping."""
    return x // y, x % y, x + y, x / y, y * np.int32(2**30), (x > y) & (x < 50), ~x, x.sum(), y.max(axis=0)


@program(single_precision_array)
def single_precision(x: Any, y: Any) -> Any:
    """float32 stays float32."""
    return x * 2.5 + y, x @ y, x.sum(), x.astype(np.float64) + 1


@program(some_numbers)
def numbers(x: Any, real: Any, single: Any, flag: Any) -> Any:
    """Python's and NumPy's numbers as arguments and results."""
    return x * real, x + single, real * 2, np.where(flag, x, -x), x.sum(), x[0], real > 0


@program(two_matrices)
def products(a: Any, b: Any, c: Any) -> Any:
    """Matrix products, in batches and with vectors."""
    return a @ b, (a @ b) @ c, b @ c, a.transpose(0, 2, 1), np.einsum("ij,j->i", b, c)


@program(linear_system)
def called_out(a: Any, b: Any) -> Any:
    """Functions that NumPy itself computes."""
    return np.linalg.solve(a, b), np.median(a, axis=0), np.interp(b, np.array([0.0, 1.0]), np.array([0.0, 2.0]))


@program(linear_system)
def called_out_in_vain(a: Any, b: Any) -> Any:
    """A function that NumPy itself computes, where nobody needs what it gives: it may raise all the same."""
    np.linalg.inv(a * (b[0] > 0))
    return a * 2, b


@program(some_places)
def gathered(x: Any, places: Any) -> Any:
    """Indexing by arrays."""
    return x[places], x[places, 1], x[:, ::-1][1:]


@program(places_too_far)
def gathered_too_far(x: Any, places: Any) -> Any:
    """An index out of bounds, which is Python's own error."""
    y = x * 2
    return y[places]


@program(small_array)
def small(x: Any, y: Any) -> Any:
    """Arrays without elements, and axes of size 1."""
    return x.sum(axis=0), x * 2, y + x, y.T, y.squeeze(), np.concatenate([x, y])


@program(one_array)
def views(x: Any) -> Any:
    """Results that are views of results, of arguments, or arguments themselves."""
    y = np.sin(x)
    return y, y[1:], y.T, x[::-1], x, y[0, 1:3], x.T[1]


@program(column_major_array)
def column_major(x: Any) -> Any:
    """Results lie in memory as NumPy's would."""
    return x + 1, x.T * 2, np.sin(x)[1:], x.sum(axis=0, keepdims=True)


@program(strided_array)
def strided(x: Any) -> Any:
    """An argument that is a view with steps, one of them backwards."""
    return x + 1, x[1:], x.reshape(-1), x.sum(axis=1)


@program(one_array)
def the_same_twice(x: Any) -> Any:
    """One object, returned twice, and another one that is equal."""
    y = x + 1
    return y, y, x + 1


@program(two_arrays)
def swapped(x: Any, y: Any) -> Any:
    """Two arguments that are written with each other's values."""
    x[:], y[:] = y.copy(), x.copy()
    return x


@program(two_arrays)
def written(x: Any, y: Any) -> Any:
    """Parts of arguments that are written, and read again."""
    x[1:] += y[:-1]
    y *= 2
    x[0, 0] = 7.0
    return x[1:], (x + y).T


@program(strided_array)
def written_with_steps(x: Any) -> Any:
    """A view with steps that is written."""
    x *= 2
    x[::2] = x[1] + 1
    return x.sum()


@program(array_in_a_record)
def recorded(data: Any) -> Any:
    """Effects on a dict of the caller's."""
    data["sum"] = data["x"].sum(axis=0)
    data["x"] = data["x"] * data["count"]
    data["count"] += 1
    return [data["sum"], data["x"]]


@program(two_arrays)
def written_by_mask(x: Any, y: Any) -> Any:
    """Elements that a mask chooses."""
    x[x < 0] = 0.0
    return np.where(y > 0, x, y), x.any(), (y > 0).sum()


@program(one_array)
def resumed(x: Any) -> Any:
    """A graph break in the middle: two graphs."""
    y = x * 2
    scale = math.floor(abs(float(y.sum()))) + 1
    return y / scale


@program(one_array)
def looped(x: Any) -> Any:
    """A loop over elements."""
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > 0:
                total += x[i, j]
    return total


@program(one_array)
def branched(x: Any) -> Any:
    """A branch on what the graph computes."""
    return np.sqrt(x * x) if x.sum() > 0 else x - 1


@program(some_tensors)
def tensor_functions(x: Any, y: Any) -> Any:
    """Functions of tensors."""
    return x.t() @ y, x.softmax(1), (y.exp() + 1).log(), x[:, 1].cumsum(0), x.argmax(1), y.sum()


@program(some_tensors)
def tensor_writes(x: Any, y: Any) -> Any:
    """Tensors that are written in place."""
    x.mul_(2)
    y[:, 0] = x[:, 0]
    return x.sum() + y.sum()


@program(leaf_tensors)
def gradients_inside(x: Any, y: Any) -> Any:
    """A backward() within the function: `.grad` of the arguments is set."""
    loss = (x.t() @ y).tanh().pow(2).sum()
    loss.backward()
    return loss.detach()


@trained(leaf_tensors)
def gradients_outside() -> Callable[..., Any]:
    """A backward() outside of the function: forward and backward are a graph each."""

    def forward(x: Any, y: Any) -> Any:
        return (x.t() @ y).sigmoid().sum(0), (x * x).mean()

    return forward


def _training(optimizer: str, **settings: Any) -> Callable[..., Any]:
    from .. import nn, optim
    from ..tensor.random import manual_seed

    manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    stepper = getattr(optim, optimizer)(model.parameters(), **settings)

    def step(x: Any, y: Any) -> Any:
        stepper.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        stepper.step()
        return loss.detach(), list(model.parameters())

    return step


@trained(some_tensors)
def training_with_sgd() -> Callable[..., Any]:
    """Forward, backward and update in one function: parameters are attributes of the graph, and written."""
    return _training("SGD", lr=0.1, momentum=0.9)


@trained(some_tensors)
def training_with_adam() -> Callable[..., Any]:
    """Forward, backward and update in one function, with an optimizer that keeps moments and counts steps."""
    return _training("Adam", lr=0.01)


@trained(some_tensors)
def evaluation() -> Callable[..., Any]:
    """A model that is only called, without gradients."""
    from .. import nn
    from ..autograd import no_grad
    from ..tensor.random import manual_seed

    manual_seed(1)
    model = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.GELU()).eval()

    def predict(x: Any, y: Any) -> Any:
        with no_grad():
            return model(x)

    return predict


def _layout(array: Array) -> str:
    return f"strides {array.strides}, writeable {array.flags.writeable}, owndata {array.flags.owndata}"


def _leaves(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Arrays, numbers and what else there is in nested containers, each with its place; of tensors their arrays."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(each, f"{place}[{key!r}]")
    elif isinstance(value, list | tuple):
        for number, each in enumerate(value):
            yield from _leaves(each, f"{place}[{number}]")
    elif type(value).__module__.startswith(f"{PACKAGE}."):
        yield f"{place}.data", value.detach().numpy()
        yield f"{place}.requires_grad", value.requires_grad
        if value.is_leaf and value.grad is not None:
            yield f"{place}.grad", value.grad.numpy()
    else:
        yield place, value
