"""Arguments that are views of tensors which require grad: their history, their flags and their errors are eager's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from frontend.tensors.eagerly import agree, breaks_of

import guardlift as gl


def worlds() -> dict[str, Any]:
    """A leaf, a result and a plain tensor, with views of each, some of which were taken without grad mode."""
    w = gl.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    h, p, late = w * 2, gl.ones(2, 2), gl.zeros(2, 2)
    with gl.no_grad():
        blind, blind_result = w[0], h[0]
    found = {"of a leaf": w[0], "of a result": h[0], "of a view": h.t()[1], "of a plain tensor": p[0]}
    found |= {"of a detached leaf": w.detach()[0], "taken blindly": blind, "of a result, blindly": blind_result}
    found["of what came to require grad"] = late[0]
    late.add_(w)
    return {"w": w, "h": h, "p": p, "late": late, **found}


def doubled(v: Any, w: Any) -> Any:
    return (v * 2).sum()


def with_its_base(v: Any, w: Any) -> Any:
    return (v * w).sum()


def views(v: Any, w: Any) -> Any:
    return v[0] * 2, v[:1]


def itself(v: Any, w: Any) -> Any:
    return v, v.requires_grad, v.is_leaf


def written(v: Any, w: Any) -> Any:
    v.add_(1)
    return v


def written_silently(v: Any, w: Any) -> Any:
    with gl.no_grad():
        v.add_(1)
    return v * 1


def base_written(v: Any, w: Any) -> Any:
    with gl.no_grad():
        w.add_(1)
    return v * 1


def walked(v: Any, w: Any) -> Any:
    (v * v).sum().backward()
    return w.grad


def differentiated(v: Any, w: Any) -> Any:
    return gl.autograd.grad((v * v).sum(), [v])


def hooked(v: Any, w: Any) -> Any:
    if v.requires_grad:
        v.register_hook(lambda g: g * 2)
    return (v * 3).sum()


KINDS = [each for each in worlds() if " " in each]
PROGRAMS = (
    doubled,
    with_its_base,
    views,
    itself,
    written,
    written_silently,
    base_written,
    walked,
    differentiated,
    hooked,
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_views_of_every_kind_are_arguments_as_in_eager_mode(program: Callable[..., Any]) -> None:
    def walked_back(v: Any, w: Any) -> Any:
        found = program(v, w)
        for each in found if isinstance(found, tuple) else (found,):
            if isinstance(each, gl.Tensor) and each.requires_grad:
                each.sum().backward(retain_graph=True)
        return found

    jitted = gl.jit(program)
    for kind in [*KINDS, *reversed(KINDS)]:

        def make(kind: str = kind) -> Sequence[Any]:
            known = worlds()
            return known[kind], known["w"]

        agree(walked_back, make, calls=1)
        for function in (program, jitted):
            try:
                function(*make())
            except RuntimeError:
                continue
    if program in (doubled, with_its_base, views, itself, hooked):
        assert not breaks_of(jitted)


def test_a_view_whose_base_comes_to_require_grad_is_another_case() -> None:
    @gl.jit
    def doubled(v: Any) -> Any:
        return v * 2

    base, w = gl.zeros(3), gl.ones(3, requires_grad=True)
    view = base[1:]
    assert not doubled(view).requires_grad
    base.mul_(w)
    result = doubled(view)
    assert result.requires_grad
    result.sum().backward()
    assert w.grad.tolist() == [0.0, 0.0, 0.0]
