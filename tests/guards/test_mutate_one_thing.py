"""Change one thing that a trace has read: the next call gives what plain Python gives."""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from oracle import run, under

import guardlift as gl
from guardlift.frontend import state_of

X = np.array([1.0, 2.0, 3.0])
Y = np.array([4.0, 5.0, 6.0])

Case = tuple[Callable[..., Any], Callable[[], tuple[Any, ...]], Callable[[], Any]]
CASES: dict[str, Callable[[], Case]] = {}


def case(make: Callable[[], Case]) -> Callable[[], Case]:
    """Registers a maker of: the function, its arguments (made anew for each call), the change."""
    CASES[make.__name__] = make
    return make


def module(**names: Any) -> types.ModuleType:
    made = types.ModuleType("changing")
    vars(made).update(np=np, **names)
    return made


def defined(text: str, **names: Any) -> tuple[types.FunctionType, dict[str, Any]]:
    """A function `f` written as text, with globals of its own."""
    scope: dict[str, Any] = {"__name__": "cases", "np": np, **names}
    exec(text, scope)
    return scope["f"], scope


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    with under("reference"):
        yield


NAMES: list[str] = []


@pytest.mark.spec("S7.02")
@pytest.mark.parametrize("name", NAMES)
def test_after_one_change_the_next_call_is_right(name: str) -> None:
    function, arguments, change = CASES[name]()
    jitted: Any = gl.jit(function)
    for _ in range(2):
        same(function, jitted, arguments)
    entries = state_of(jitted).entries  # type: ignore[union-attr]
    assert [entry.plain for entry in entries] == [False], "it must have compiled, or nothing is tested"
    change()
    for _ in range(2):
        same(function, jitted, arguments)


def same(function: Any, jitted: Any, arguments: Callable[[], tuple[Any, ...]]) -> None:
    one = arguments()
    plain = run(function, one, {})
    two = arguments()
    fast = run(jitted, two, {})
    assert repr(fast.error) == repr(plain.error)
    assert shown(fast.value) == shown(plain.value)
    assert shown(two) == shown(one)


def shown(value: Any) -> Any:
    """A value that is equal for results that are the same in type, dtype, shape and bits (up to the last ones)."""
    if isinstance(value, (tuple, list)):
        return type(value), [shown(each) for each in value]
    if isinstance(value, np.ndarray):
        # tanh and exp are not NumPy's to the last bit; nothing here hangs on that.
        return type(value), value.dtype, value.shape, shown(value.tolist())
    if isinstance(value, (float, np.floating)):
        return type(value), f"{value:.12g}"
    if type(value).__module__ == "cases" and hasattr(value, "w"):
        return type(value).__name__, shown(value.w)
    return type(value), repr(value)


class Sub(np.ndarray): ...


class Box:
    """Holds what a case's arguments are made of, so that the change can replace it."""

    def __init__(self, value: Any) -> None:
        self.value = value


def argument_case(function: Callable[..., Any], before: Any, after: Any) -> Case:
    """The argument besides X is `before`, then `after` (made by calling them where they are functions)."""
    box = Box(before)

    def arguments() -> tuple[Any, ...]:
        value = box.value
        return X.copy(), value() if isinstance(value, types.FunctionType) else value

    return function, arguments, lambda: setattr(box, "value", after)


# Arguments.
PAIRS: dict[str, tuple[Any, Any]] = {
    "int_to_float": (2, 2.0),
    "float_to_int": (2.0, 2),
    "int_to_bool": (1, True),
    "bool_to_int": (True, 1),
    "true_to_false": (True, False),
    "float_to_numpy_float": (2.0, np.float64(2.0)),
    "numpy_float_to_float32": (np.float64(2.0), np.float32(2.0)),
    "none_to_float": (None, 3.0),
    "float_to_none": (3.0, None),
    "int_to_none": (3, None),
    "array_to_none": (lambda: Y.copy(), None),
    "array_to_float": (lambda: Y.copy(), 3.0),
    "array_to_list": (lambda: Y.copy(), lambda: [4.0, 5.0, 6.0]),
    "value": (2.0, 5.0),
    "int_value": (2, 5),
    "huge_int": (2, 2**70),
    "negative_int": (2, -3),
    "zero_to_minus_zero": (0.0, -0.0),
    "to_nan": (2.0, float("nan")),
    "complex": (2.0, 1j),
    "text": (2, "ab"),
    "int_subclass": (2, type("N", (int,), {})(5)),
    "dtype": (lambda: Y.copy(), lambda: Y.astype(np.float32)),
    "to_int_dtype": (lambda: Y.copy(), lambda: Y.astype(int)),
    "to_complex_dtype": (lambda: Y.copy(), lambda: Y.astype(complex)),
    "shape": (lambda: Y.copy(), lambda: np.ones((2, 3))),
    "shape_of_one": (lambda: Y.copy(), lambda: np.ones(1)),
    "rank": (lambda: Y.copy(), lambda: np.array(3.0)),
    "stride": (lambda: Y.copy(), lambda: np.arange(6.0)[::2]),
    "negative_stride": (lambda: Y.copy(), lambda: np.arange(3.0)[::-1]),
    "byte_order": (lambda: Y.copy(), lambda: Y.astype(">f8")),
    "misaligned": (lambda: Y.copy(), lambda: np.frombuffer(b"\0" + Y.tobytes(), np.uint8)[1:].view(float)),
    "subclass": (lambda: Y.copy(), lambda: Y.copy().view(Sub)),
    "masked": (lambda: Y.copy(), lambda: np.ma.array(Y, mask=[0, 1, 0])),
    "broadcast": (lambda: Y.copy(), lambda: np.broadcast_to(np.array([7.0]), (3,))),
}


def uses(x: Any, v: Any) -> Any:
    if v is None:
        return x * 10
    return x + v, v * 2, x * (v + v)


def branches(x: Any, v: Any) -> Any:
    if v is None or v is True or isinstance(v, (list, str)):
        return x * 10
    return x + 1 if isinstance(v, (bool, float)) else x - 1


for _name, (_before, _after) in PAIRS.items():
    CASES[f"argument_{_name}"] = lambda b=_before, a=_after: argument_case(uses, b, a)
    if _name != "text":
        CASES[f"branch_{_name}"] = lambda b=_before, a=_after: argument_case(branches, b, a)


@case
def order() -> Case:
    return argument_case(
        lambda x, m: (m + 1, m * x), lambda: np.ones((3, 3)), lambda: np.asfortranarray(np.arange(9.0).reshape(3, 3))
    )


@case
def writeable_flag() -> Case:
    def locked() -> Any:
        made = Y.copy()
        made.flags.writeable = False
        return made

    def function(x: Any, y: Any) -> Any:
        y += x
        return y * 2

    return argument_case(function, lambda: Y.copy(), locked)


def writes_first(a: Any, b: Any) -> Any:
    a += 1
    return a * b


def two_arrays(before: Callable[[], Any], after: Callable[[], Any], function: Any = writes_first) -> Case:
    box = Box(before)
    return function, lambda: box.value(), lambda: setattr(box, "value", after)


@case
def alias() -> Case:
    def twice() -> Any:
        made = X.copy()
        return made, made

    return two_arrays(lambda: (X.copy(), Y.copy()), twice)


@case
def alias_undone() -> Case:
    def twice() -> Any:
        made = X.copy()
        return made, made

    return two_arrays(twice, lambda: (X.copy(), Y.copy()))


@case
def overlap() -> Case:
    def shifted() -> Any:
        made = np.arange(4.0)
        return made[:-1], made[1:]

    return two_arrays(lambda: (X.copy(), Y.copy()), shifted)


@case
def identity_of_arrays() -> Case:
    def twice() -> Any:
        made = X.copy()
        return made, made

    return two_arrays(lambda: (X.copy(), Y.copy()), twice, lambda a, b: (a + 1, a is b))


@case
def argument_becomes_the_global_array() -> Case:
    function, scope = defined("def f(x):\n    x += 1\n    return K * 2 + x", K=Y.copy())
    box = Box(False)

    def arguments() -> tuple[Any, ...]:
        scope["K"] = Y.copy()
        return (scope["K"] if box.value else X.copy(),)

    return function, arguments, lambda: setattr(box, "value", True)


@case
def argument_comes_to_overlap_a_global_that_is_read_later() -> Case:
    function, scope = defined("def f(x):\n    x += 1\n    return K * 2", K=np.arange(4.0))
    box = Box(False)

    def arguments() -> tuple[Any, ...]:
        scope["K"] = np.arange(4.0)
        return (scope["K"][1:] if box.value else X.copy(),)

    return function, arguments, lambda: setattr(box, "value", True)


@case
def argument_becomes_the_attribute_of_another() -> Case:
    scope: dict[str, Any] = {"__name__": "cases", "box": False}
    exec("class C: pass\ndef f(x, o):\n    o.w += 1\n    o.w -= x\n    return o.w * x", scope)

    def arguments() -> tuple[Any, ...]:
        made = scope["C"]()
        made.w = Y.copy()
        return (made.w if scope["box"] else X.copy()), made

    return scope["f"], arguments, lambda: scope.update(box=True)


@case
def list_whose_two_arrays_become_one() -> Case:
    box = Box(False)

    def function(parts: Any) -> Any:
        parts[0] += 1
        return parts[0] * parts[1]

    def arguments() -> tuple[Any, ...]:
        one = X.copy()
        return ([one, one] if box.value else [one, Y.copy()],)

    return function, arguments, lambda: setattr(box, "value", True)


# Outcomes of conditions.
@case
def outcome() -> Case:
    return argument_case(lambda x, n: x + 1 if n * 2 > 5 else x - 1, 3, 2)


@case
def outcome_of_equality() -> Case:
    return argument_case(lambda x, n: x + 1 if n == 3 else x - 1, 3, 3.5)


@case
def loop_bound() -> Case:
    def function(x: Any, n: int) -> Any:
        for k in range(n):
            x = x + k
        return x * 2

    return argument_case(function, 3, 4)


@case
def index() -> Case:
    return argument_case(lambda x, n: x[n] + x[n:], 1, 2)


@case
def text_mode() -> Case:
    return argument_case(lambda x, mode: x + 1 if mode == "add" else x - 1, "add", "sub")


@case
def axis() -> Case:
    return argument_case(lambda m, axis: np.ones((2, 3)).sum(axis=axis) + m.sum(), 0, 1)


# Containers.
def container(function: Callable[..., Any], value: Any, change: Callable[[Any], Any]) -> Case:
    return function, lambda: (X.copy(), value), lambda: change(value)


def set_at(value: Any, key: Any, new: Any) -> None:
    value[key] = new


@case
def list_element() -> Case:
    return container(lambda x, parts: x + parts[0] * len(parts), [2.0, 3], lambda parts: set_at(parts, 0, 7.0))


@case
def list_element_that_decides() -> Case:
    return container(lambda x, parts: x + 1 if parts[0] else x - 1, [True, 3], lambda parts: set_at(parts, 0, False))


@case
def list_length() -> Case:
    return container(lambda x, parts: x + len(parts), [1, 2], lambda parts: parts.append(3))


@case
def list_sum() -> Case:
    return container(lambda x, parts: x + sum(parts), [1.0, 2.0], lambda parts: parts.pop())


@case
def nested_list() -> Case:
    return container(lambda x, parts: x + parts[0][1], [[1, 2]], lambda parts: set_at(parts[0], 1, 8))


@case
def list_array_replaced() -> Case:
    return container(lambda x, parts: x + parts[0], [Y.copy()], lambda parts: set_at(parts, 0, np.ones(3)))


@case
def list_array_written() -> Case:
    return container(lambda x, parts: x + parts[0], [Y.copy()], lambda parts: set_at(parts[0], 0, 100.0))


@case
def tuple_element() -> Case:
    return argument_case(lambda x, pair: x * pair[0] if pair[1] else x, (2.0, True), (3.0, False))


@case
def dict_value() -> Case:
    return container(lambda x, table: x + table["a"], {"a": 1.0}, lambda table: table.update(a=9.0))


@case
def dict_value_to_array() -> Case:
    return container(lambda x, table: x + table["a"], {"a": 1.0}, lambda table: table.update(a=Y.copy()))


@case
def dict_key_order() -> Case:
    def change(table: Any) -> None:
        table["a"] = table.pop("a")

    return container(lambda x, table: [x * k + v for k, v in enumerate(table.values())], {"a": 1.0, "b": 2.0}, change)


@case
def dict_new_key() -> Case:
    return container(lambda x, table: x + len(table), {"a": 1.0}, lambda table: table.update(b=9.0))


@case
def dict_key_to_an_equal_one() -> Case:
    def change(table: Any) -> None:
        table[True] = table.pop(1)

    return container(
        lambda x, table: [x * key if isinstance(key, bool) else x + key for key in table], {1: 2.0}, change
    )


@case
def dict_key_deleted() -> Case:
    return container(lambda x, table: x + table["a"], {"a": 1.0, "b": 2}, lambda table: table.pop("a"))


# Globals.
def global_case(text: str, change: Callable[[dict[str, Any]], Any], **names: Any) -> Case:
    function, scope = defined(text, **names)
    return function, lambda: (X.copy(),), lambda: change(scope)


@case
def global_number() -> Case:
    return global_case("def f(x): return x * K", lambda scope: scope.update(K=5.0), K=2.0)


@case
def global_number_that_decides() -> Case:
    return global_case("def f(x): return x * 2 if K > 1 else x + 3", lambda scope: scope.update(K=0.0), K=2.0)


@case
def global_array() -> Case:
    return global_case("def f(x): return x * K", lambda scope: scope.update(K=np.ones(3)), K=Y.copy())


@case
def global_array_resized() -> Case:
    return global_case("def f(x): return x * K", lambda scope: scope["K"].resize((1,), refcheck=False), K=Y.copy())


@case
def global_array_of_another_dtype() -> Case:
    return global_case("def f(x): return x * K", lambda scope: scope.update(K=np.ones(3, np.int8)), K=Y.copy())


@case
def global_deleted() -> Case:
    return global_case("def f(x): return x * K", lambda scope: scope.pop("K"), K=2.0)


@case
def global_function_redefined() -> Case:
    return global_case(
        "def g(x): return x + 1\ndef f(x): return g(x)", lambda scope: exec("def g(x): return x - 1", scope)
    )


@case
def global_function_code() -> Case:
    def change(scope: dict[str, Any]) -> None:
        scope["g"].__code__ = (lambda x: x * 7).__code__

    return global_case("def g(x): return x + 1\ndef f(x): return g(x)", change)


@case
def global_function_defaults() -> Case:
    def change(scope: dict[str, Any]) -> None:
        scope["g"].__defaults__ = (9.0,)

    return global_case("def g(x, k=1.0): return x + k\ndef f(x): return g(x)", change)


@case
def global_function_defaults_removed() -> Case:
    def change(scope: dict[str, Any]) -> None:
        scope["g"].__defaults__ = None

    return global_case("def g(x, k=1.0): return x + k\ndef f(x): return g(x)", change)


@case
def global_function_keyword_defaults() -> Case:
    def change(scope: dict[str, Any]) -> None:
        scope["g"].__kwdefaults__ = {"k": 9.0}

    return global_case("def g(x, *, k=1.0): return x + k\ndef f(x): return g(x)", change)


@case
def global_function_keyword_default_changed_in_place() -> Case:
    return global_case(
        "def g(x, *, k=1.0): return x + k\ndef f(x): return g(x)", lambda s: s["g"].__kwdefaults__.update(k=9.0)
    )


@case
def global_of_an_inlined_function() -> Case:
    inner, scope = defined("def f(x): return x * K + len(x)", K=2.0)

    def function(x: Any) -> Any:
        return inner(x)

    return function, lambda: (X.copy(),), lambda: scope.update(K=7.0)


@case
def builtin_shadowed() -> Case:
    return global_case("def f(x): return x + len(x)", lambda scope: scope.update(len=lambda x: 100))


@case
def builtin_shadowed_in_an_inlined_function() -> Case:
    inner, scope = defined("def f(x): return x + len(x)")

    def function(x: Any) -> Any:
        return inner(x)

    return function, lambda: (X.copy(),), lambda: scope.update(len=lambda x: 100)


@case
def module_attribute() -> Case:
    holder = module(act=np.tanh)
    return global_case("def f(x): return M.act(x)", lambda scope: setattr(holder, "act", np.exp), M=holder)


@case
def module_number() -> Case:
    holder = module(rate=2.0)
    return global_case("def f(x): return x * M.rate", lambda scope: setattr(holder, "rate", 5.0), M=holder)


@case
def module_attribute_deleted() -> Case:
    holder = module(rate=2.0)
    return global_case("def f(x): return x * M.rate", lambda scope: delattr(holder, "rate"), M=holder)


@case
def module_replaced() -> Case:
    return global_case(
        "def f(x): return M.act(x)", lambda scope: scope.update(M=module(act=np.exp)), M=module(act=np.tanh)
    )


@case
def global_ufunc_replaced() -> Case:
    return global_case("def f(x): return act(x)", lambda scope: scope.update(act=np.exp), act=np.tanh)


@case
def global_ufunc_to_python_function() -> Case:
    return global_case("def f(x): return act(x)", lambda scope: scope.update(act=lambda x: x - 1), act=np.tanh)


@case
def global_class_replaced() -> Case:
    return global_case(
        "def f(x): return x + 1 if isinstance(x, C) else x - 1", lambda scope: scope.update(C=list), C=np.ndarray
    )


# Cells.
@case
def closure_cell() -> Case:
    scale = 2.0

    def rebind() -> None:
        nonlocal scale
        scale = 7.0

    return (lambda x: x * scale), lambda: (X.copy(),), rebind


@case
def closure_cell_of_an_inlined_function() -> Case:
    scale: Any = 2.0

    def inner(x: Any) -> Any:
        return x * scale

    def rebind() -> None:
        nonlocal scale
        scale = None

    return (lambda x: inner(x) if True else x), lambda: (X.copy(),), rebind


@case
def closure_cell_emptied() -> Case:
    scale = 2.0

    def empty() -> None:
        nonlocal scale
        del scale

    return (lambda x: x * scale), lambda: (X.copy(),), empty


@case
def closure_cell_to_another_function() -> Case:
    act: Any = np.tanh

    def rebind() -> None:
        nonlocal act
        act = lambda v: v * 3  # noqa: E731

    return (lambda x: act(x)), lambda: (X.copy(),), rebind


# Objects.
def object_case(text: str, change: Callable[[Any], Any], expression: str) -> Case:
    """`o` is an instance of `C`, both defined by `text`; the function computes `expression` from them and x."""
    scope: dict[str, Any] = {"__name__": "cases", "np": np, "X": X, "Y": Y}
    exec(text + f"\ndef f(x, o): return {expression}", scope)
    made = scope["o"]
    return scope["f"], lambda: (X.copy(), made), lambda: change(made)


PLAIN = "class B: pass\nclass C(B):\n    k = 2.0\n    def m(self, x): return x + self.w\no = C(); o.w = 3.0"


@case
def instance_attribute() -> Case:
    return object_case(PLAIN, lambda o: setattr(o, "w", 7.0), "x * o.w")


@case
def instance_attribute_to_array() -> Case:
    return object_case(PLAIN, lambda o: setattr(o, "w", Y.copy()), "x * o.w")


@case
def instance_attribute_deleted() -> Case:
    return object_case(PLAIN, lambda o: delattr(o, "w"), "x * o.w")


@case
def class_attribute() -> Case:
    return object_case(PLAIN, lambda o: setattr(type(o), "k", 7.0), "x * o.k")


@case
def class_attribute_hidden_by_the_instance() -> Case:
    return object_case(PLAIN, lambda o: setattr(o, "k", 7.0), "x * o.k")


@case
def class_attribute_deleted() -> Case:
    return object_case(PLAIN, lambda o: delattr(type(o), "k"), "x * o.k")


@case
def class_attribute_of_a_base_hidden() -> Case:
    return object_case(
        PLAIN.replace("class B: pass", "class B: j = 4.0"), lambda o: setattr(type(o), "j", 9.0), "x * o.j"
    )


@case
def class_attribute_of_a_base() -> Case:
    return object_case(
        PLAIN.replace("class B: pass", "class B: j = 4.0"), lambda o: setattr(type(o).__base__, "j", 9.0), "x * o.j"
    )


@case
def class_attribute_none_to_value() -> Case:
    return object_case(
        PLAIN.replace("k = 2.0", "k = None"), lambda o: setattr(type(o), "k", 9.0), "x * 2 if o.k is None else x * o.k"
    )


@case
def class_attribute_read_through_the_class() -> Case:
    return object_case(PLAIN, lambda o: setattr(type(o), "k", 9.0), "x * C.k")


@case
def bases_of_the_class() -> Case:
    text = "class A:\n    j = 1.0\nclass B:\n    j = 4.0\nclass C(A): pass\no = C()\nclass D(B): pass\nC.other = D"
    return object_case(text, lambda o: setattr(type(o), "__bases__", (type(o).other.__base__,)), "x * o.j")


@case
def class_of_the_instance() -> Case:
    text = PLAIN + "\nclass D(C):\n    k = 11.0\nC.D = D"
    return object_case(text, lambda o: setattr(o, "__class__", type(o).D), "x * o.k")


@case
def method_replaced() -> Case:
    return object_case(PLAIN, lambda o: setattr(type(o), "m", lambda self, x: x * 100), "o.m(x)")


@case
def method_replaced_on_the_base() -> Case:
    text = PLAIN.replace("class B: pass", "class B:\n    def n(self, x): return x + 1")
    return object_case(text, lambda o: setattr(type(o).__base__, "n", lambda self, x: x * 100), "o.n(x)")


@case
def method_overridden_in_the_class() -> Case:
    text = PLAIN.replace("class B: pass", "class B:\n    def n(self, x): return x + 1")
    return object_case(text, lambda o: setattr(type(o), "n", lambda self, x: x * 100), "o.n(x)")


@case
def method_hidden_by_the_instance() -> Case:
    return object_case(PLAIN, lambda o: setattr(o, "m", lambda x: x * 100), "o.m(x)")


@case
def method_made_static() -> Case:
    return object_case(PLAIN, lambda o: setattr(type(o), "m", staticmethod(lambda x: x * 100)), "o.m(x)")


@case
def method_code() -> Case:
    return object_case(PLAIN, lambda o: setattr(type(o).m, "__code__", (lambda self, x: x * 100).__code__), "o.m(x)")


@case
def property_that_hides_the_instance() -> Case:
    return object_case(PLAIN, lambda o: setattr(type(o), "w", property(lambda self: 100.0)), "x * o.w")


@case
def property_replaced() -> Case:
    text = PLAIN + "\nC.p = property(lambda self: self.w + 1)"
    return object_case(text, lambda o: setattr(type(o), "p", property(lambda self: 50.0)), "x * o.p")


@case
def property_removed() -> Case:
    text = PLAIN + "\nC.p = property(lambda self: self.w + 1)\nvars(o)['p'] = 6.0"
    return object_case(text, lambda o: delattr(type(o), "p"), "x * o.p")


@case
def plain_class_attribute_that_hides_nothing() -> Case:
    return object_case(PLAIN, lambda o: setattr(type(o), "w", 100.0), "x * o.w")


@case
def descriptor_that_comes_later() -> Case:
    class Both:
        def __get__(self, owner: Any, kind: Any) -> float:
            return 100.0

        def __set__(self, owner: Any, value: Any) -> None: ...

    return object_case(PLAIN, lambda o: setattr(type(o), "w", Both()), "x * o.w")


@case
def getattribute_that_comes_later() -> Case:
    return object_case(PLAIN, lambda o: setattr(type(o), "__getattribute__", lambda self, name: 100.0), "x * o.w")


@case
def getattribute_of_a_base_that_comes_later() -> Case:
    return object_case(
        PLAIN, lambda o: setattr(type(o).__base__, "__getattribute__", lambda self, name: 100.0), "x * o.w"
    )


@case
def getattr_that_answers_for_a_deleted_attribute() -> Case:
    def change(o: Any) -> None:
        type(o).__getattr__ = lambda self, name: 100.0
        del o.w

    return object_case(PLAIN, change, "x * o.w")


@case
def call_replaced() -> Case:
    text = PLAIN.replace("k = 2.0", "k = 2.0\n    def __call__(self, x): return x * self.k")
    return object_case(text, lambda o: setattr(type(o), "__call__", lambda self, x: x * 100), "o(x)")


@case
def classmethod_of_another_function() -> Case:
    text = PLAIN.replace("k = 2.0", "k = 2.0\n    @classmethod\n    def n(cls, x): return x * cls.k")
    return object_case(text, lambda o: setattr(type(o), "n", classmethod(lambda cls, x: x - 100)), "o.n(x) + C.n(x)")


@case
def class_attribute_read_by_a_classmethod() -> Case:
    text = PLAIN.replace("k = 2.0", "k = 2.0\n    @classmethod\n    def n(cls, x): return x * cls.k")
    return object_case(text, lambda o: setattr(type(o), "k", 100.0), "o.n(x)")


@case
def dict_of_the_instance_replaced() -> Case:
    return object_case(PLAIN, lambda o: setattr(o, "__dict__", {"w": 100.0}), "x * o.w")


@case
def array_attribute_reshaped() -> Case:
    text = PLAIN + "\no.w = Y.copy()"
    return object_case(text, lambda o: o.w.resize((3, 1), refcheck=False), "x * o.w")


@case
def array_attribute_retyped() -> Case:
    text = PLAIN + "\no.w = Y.copy()"
    return object_case(text, lambda o: setattr(o, "w", o.w.view(np.int64)), "x * o.w")


NAMES += sorted(CASES)


def test_there_are_enough_cases() -> None:
    assert len(CASES) > 100


# What the process holds.
def test_the_float_error_state() -> None:
    jitted = gl.jit(lambda x: 1.0 / (x - 1.0))
    with np.errstate(all="ignore"):
        assert jitted(X)[0] == np.inf
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        jitted(X)
    with np.errstate(all="ignore"):
        assert jitted(X)[0] == np.inf


def test_a_patched_numpy_function(monkeypatch: pytest.MonkeyPatch) -> None:
    jitted = gl.jit(lambda x: np.tanh(x))
    before = jitted(X)
    monkeypatch.setattr(np, "tanh", lambda x: x + 100)
    assert jitted(X).tolist() == (X + 100).tolist()
    monkeypatch.undo()
    assert jitted(X).tolist() == before.tolist()


def test_a_patched_builtin(monkeypatch: pytest.MonkeyPatch) -> None:
    jitted = gl.jit(lambda x: x + divmod(7, 4)[0])
    found = [jitted(X)[0]]
    monkeypatch.setattr(builtins, "divmod", lambda *values: (50, 0))
    found.append(jitted(X)[0])
    monkeypatch.undo()
    found.append(jitted(X)[0])
    assert found == [2, 51, 2]


def test_a_patched_import(monkeypatch: pytest.MonkeyPatch) -> None:
    def function(x: Any) -> Any:
        import changing_module

        return x * changing_module.rate

    import sys

    monkeypatch.setitem(sys.modules, "changing_module", module(rate=2.0))
    jitted = gl.jit(function)
    assert jitted(X)[0] == 2
    monkeypatch.setitem(sys.modules, "changing_module", module(rate=5.0))
    assert jitted(X)[0] == 5
    monkeypatch.delitem(sys.modules, "changing_module")
    with pytest.raises(ModuleNotFoundError):
        jitted(X)
