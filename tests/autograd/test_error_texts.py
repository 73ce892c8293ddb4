"""The errors of autograd by type, and by the words that tools and tests written for PyTorch look for in them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import guardlift as gl
from guardlift.autograd import accumulate, differentiate, graph

spec = pytest.mark.spec


def leaf() -> gl.Tensor:
    return gl.tensor([1.0, 2.0], requires_grad=True)


def same(value: Any) -> Any:
    return value


def inference_tensor() -> gl.Tensor:
    with gl.inference_mode():
        return gl.ones(2)


def on_a_record_of_none() -> None:
    x = leaf()
    (x * gl.ones(2)).grad_fn._raw_saved_self.register_hooks(same, same)


def twice() -> None:
    loss = (leaf() ** 2).sum()
    loss.backward()
    loss.backward()


def detached_since() -> None:
    a = leaf() * 1
    b = a.sin()
    a.detach_()
    b.sum().backward()


def written_since() -> None:
    x = leaf() * 1
    y = (x * x).sum()
    x.add_(1)
    y.backward()


def second_pair() -> None:
    x = leaf()
    raw = (x * x).grad_fn._raw_saved_self
    raw.register_hooks(same, same)
    raw.register_hooks(same, same)


def on_a_freed_record() -> None:
    x = leaf()
    y = (x * x).sum()
    raw = y.grad_fn.next_functions[0][0]._raw_saved_self
    y.backward()
    raw.register_hooks(same, same)


def writing_pack() -> None:
    with graph.saved_tensors_hooks(lambda t: t.add_(1), same):
        x = leaf() * 1
        x * x  # noqa: B018


def pack_without_arguments() -> None:
    x = leaf()
    (x * x).grad_fn._raw_saved_self.register_hooks(lambda a, b, c: a, same)


def unpack_of_a_number() -> None:
    with graph.saved_tensors_hooks(same, lambda _: 1):
        y = (leaf() ** 2).sum()
    y.backward()


def hook_after_on_a_result() -> None:
    (leaf() * 1).register_post_accumulate_grad_hook(lambda p: None)


def hook_after_that_answers() -> None:
    x = leaf()
    x.register_post_accumulate_grad_hook(lambda p: 1)
    x.sum().backward()


def nested() -> None:
    with graph.allow_mutation_on_saved_tensors(), graph.allow_mutation_on_saved_tensors():
        pass


def backward_after_the_context() -> None:
    with graph.allow_mutation_on_saved_tensors():
        y = (leaf() ** 2).sum()
    y.backward()


ERRORS: list[Any] = [
    ("S1.01", on_a_record_of_none, RuntimeError, "None is forbidden"),
    ("S1.02", lambda: leaf() * inference_tensor(), RuntimeError, "Inference tensors cannot be saved for backward"),
    ("S1.02", lambda: inference_tensor()._version, RuntimeError, "version counter"),
    ("S1.15", twice, RuntimeError, "after they have already been freed"),
    ("S1.15", twice, RuntimeError, "Specify retain_graph=True"),
    ("S1.16", detached_since, RuntimeError, "detached"),
    ("S1.20", written_since, RuntimeError, "modified by an inplace operation"),
    ("S1.20", written_since, RuntimeError, "is at version 1"),
    ("S1.20", written_since, RuntimeError, "expected version 0"),
    ("S1.22", lambda: leaf().add_(1), RuntimeError, "a leaf Variable that requires grad"),
    ("S1.22", lambda: leaf()[0].add_(1), RuntimeError, "a view of a leaf Variable"),
    ("S1.31", second_pair, RuntimeError, "only one pair of hooks"),
    ("S1.31", on_a_freed_record, RuntimeError, "after it has been freed"),
    ("S1.33", writing_pack, RuntimeError, "pack hook is modifying its input in place"),
    ("S1.34", pack_without_arguments, TypeError, "missing 1 required positional argument"),
    ("S1.34", unpack_of_a_number, TypeError, "unpack_hook expected to be a Tensor"),
    ("S4.06", hook_after_on_a_result, RuntimeError, "non-leaf"),
    ("S4.06", hook_after_that_answers, RuntimeError, "should return None"),
    ("S4.20", lambda: graph.get_gradient_edge(gl.ones(1)), RuntimeError, "does not require grad"),
    ("S4.40", lambda: graph.register_multi_grad_hook([leaf()], print, mode="foo"), ValueError, "foo"),
    ("S4.50", nested, RuntimeError, "cannot be nested"),
    ("S4.53", backward_after_the_context, AssertionError, "outside of the"),
]


@spec("S1.01", "S1.02", "S1.15", "S1.16", "S1.20", "S1.22", "S1.31", "S1.33", "S1.34")
@spec("S4.06", "S4.20", "S4.40", "S4.50", "S4.53")
@pytest.mark.parametrize(("row", "call", "kind", "words"), ERRORS, ids=lambda each: each if type(each) is str else "")
def test_an_error_has_its_type_and_its_words(
    row: str, call: Callable[[], Any], kind: type[Exception], words: str
) -> None:
    with pytest.raises(Exception) as caught:
        call()
    assert caught.type is kind and words in str(caught.value), row


def layout_that_differs() -> None:
    p = gl.ones(2, 3).requires_grad_()
    p.grad = gl.ones(3, 2).t()
    (p * 2).sum().backward()


WARNINGS = [
    ("S6.02", layout_that_differs, accumulate, "layout contract"),
    ("S6.43", lambda: (leaf() ** 2).sum().backward(create_graph=True), differentiate, "create_graph=True"),
]


@spec("S6.02", "S6.43")
@pytest.mark.parametrize(("row", "call", "module", "words"), WARNINGS, ids=["S6.02", "S6.43"])
def test_a_warning_comes_once_with_its_words(
    row: str, call: Callable[[], Any], module: Any, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_warned", False)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
        call()
    assert [each.category for each in found if words in str(each.message)] == [UserWarning], row
