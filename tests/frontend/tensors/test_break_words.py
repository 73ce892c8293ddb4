"""Graph breaks speak of the program in the user's words: no class of the tracer's own is named."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from frontend.tensors.scenario import interpreted

import guardlift as gl
from guardlift.frontend.breaks import KINDS
from guardlift.frontend.tensors.surface.numbers import NumberOperand
from guardlift.frontend.values.base import Value

F = gl.nn.functional
X = gl.arange(12.0).reshape(3, 4)


def subclasses(kind: type) -> Iterator[type]:
    """All classes below one."""
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


NAMES = {
    each.__name__
    for base in (Value, NumberOperand)
    for each in subclasses(base)
    if base is NumberOperand or re.search(r"[a-z](Value|Number|Method)$", each.__name__)
}
OURS = re.compile(rf"\b({'|'.join(sorted(NAMES))})\b")
"""Names that only the tracer uses; a `Function` or a `Module` may be the user's."""

SHAPES = {
    "a boolean index": [
        lambda x: x[x.exp() > 3] + 1,
        lambda x: F.cross_entropy(x[x.softmax(1).argmax(1) > 0], gl.tensor([0, 1])),
        lambda x: x[x.mean(1) > 0, 1:] * 2,
        lambda x: gl.masked_select(x, x.tanh() > 0.5),
    ],
    "nonzero()": [
        lambda x: x.exp().nonzero(),
        lambda x: gl.where(x.exp() > 3)[0],
        lambda x: gl.argwhere(x.tanh()),
    ],
    "unique": [lambda x: x.unique(), lambda x: gl.unique(x, return_counts=True)],
    "unique_consecutive": [lambda x: gl.unique_consecutive(x)],
    "bincount": [lambda x: gl.bincount(x.long().flatten())],
    "repeat_interleave": [lambda x: x.repeat_interleave(gl.arange(3), 0)],
}
OTHERS: list[Callable[..., Any]] = [
    lambda x: gl.gcd(x.long(), 4),
    lambda x: x if gl.equal(x, x + 1) else x + 2,
    lambda x: x.tolist(),
    lambda x: x.numpy(),
    lambda x: [1, 2, 3, 4][x[0, 1]],
    lambda x: "abc"[int(x[0, 1])],
    lambda x: gl.tensor([x[0, 0], 1.0]),
    lambda x: x.no_such_method(),
    lambda x: x.as_strided((2,), (1,)),
    lambda x: x + "a",
    lambda x: range(x[0, 1].long()),
    lambda x: x.stride(0) if x.sum() > 3 else None,
    lambda x: setattr(x, "name", 3),
    lambda x: hash(x),
    lambda x: x in [x],
    lambda x: sorted([x[0, 0], x[0, 1]]),
    lambda x: {x: 1}[x],
]


def breaks_of(program: Callable[..., Any]) -> list[Any]:
    """The breaks of a jitted function, called once."""
    fast = gl.jit(program)
    with interpreted(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fast(X.clone())
        except Exception:  # noqa: S110  (what eager mode raises, too)
            pass
    return list(gl.explain(fast).breaks)


@pytest.mark.parametrize(("words", "program"), [(words, each) for words in SHAPES for each in SHAPES[words]])
def test_what_has_a_shape_that_depends_on_data_says_so_and_what_to_do(words: str, program: Any) -> None:
    first = breaks_of(program)[0]
    assert first.code == "B103" and first.what == f"{words}, whose result's shape depends on the data"
    assert "nonzero() outside" in str(first) and not OURS.search(str(first))


@pytest.mark.parametrize("program", OTHERS)
def test_no_break_names_a_class_of_the_tracer(program: Any) -> None:
    for each in breaks_of(program):
        assert not OURS.search(str(each)), str(each)


PRIVATE = re.compile(
    r"TensorValue|[a-z]Value\b|the value at hand|looks closer|asks more than the tracer|stand-in|LateText|SymInt"
)
"""Words that only the tracer's authors know."""


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_kind_of_break_says_what_why_and_the_remedy_in_the_users_words(kind: Any) -> None:
    for text in (kind.what, kind.why, kind.remedy):
        assert text.strip() and not PRIVATE.search(text), text
    assert not kind.why.endswith(".") and not kind.remedy.endswith(".")


def prints_in_a_hook(x: Any, w: Any) -> Any:
    with gl.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        y = (x * w).sin()
        print(end="")
        return (y * 2).sum()


def raises_and_catches(x: Any, w: Any) -> Any:
    y = x * w + 1
    try:
        (y * 2).no_such_method()
    except AttributeError as error:
        return y * len(str(error))


def makes_a_class(x: Any, w: Any) -> Any:
    y = x * w

    class Local:
        factor = 2.0

    return y * Local.factor


def unrolled(x: Any, w: Any) -> Any:
    y = x * w
    count = 0
    while count < 100:
        count += 1
    return y * count


@pytest.mark.parametrize(
    ("program", "settings", "cost"),
    [
        (prints_in_a_hook, {}, r"\d+ operations? before this line run one by one"),
        (
            unrolled,
            {"trace_limit": 200},
            r"the operations of the call \(\d+ operations before this line\) run one by one",
        ),
    ],
)
def test_a_call_or_a_part_that_is_left_to_python_is_told_once_with_its_cost(
    program: Callable[..., Any], settings: dict[str, Any], cost: str
) -> None:
    texts = told_of(program, settings)
    assert len(texts) == 1
    assert "runs as plain Python" in texts[0] and "Remedy: " in texts[0]
    assert re.search(f"Cost: {cost}, none of them fused into kernels", texts[0]), texts[0]
    assert not PRIVATE.search(texts[0])


@pytest.mark.parametrize("program", [raises_and_catches, makes_a_class])
def test_a_call_that_is_compiled_on_both_sides_of_a_break_warns_of_nothing(program: Callable[..., Any]) -> None:
    assert told_of(program, {}) == []


def told_of(program: Callable[..., Any], settings: dict[str, Any]) -> list[str]:
    """The warnings of graph breaks of three calls, which give what eager mode gives."""
    fast = gl.jit(program)
    with gl.config.patch(**settings), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(3):
            x, w = X.clone(), gl.ones(4, requires_grad=True)
            assert (fast(x, w) - program(x, w)).abs().max().item() < 1e-3
    return [str(each.message) for each in told if issubclass(each.category, gl.GraphBreakWarning)]
