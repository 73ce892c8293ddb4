"""Random straight-line programs over tensors: operations, views, writes, grad modes, backward passes, as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

import guardlift as gl
from guardlift import nn

# Values are small and dyadic and the operations exact, so that whatever differs from eager mode is a mistake.
EXPRESSIONS = [
    "{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} * {k}", "{a} + {n}", "{k} - {a}", "{a} * {a}", "-{a}", "{a} / 2",
    "{a}.relu()", "{a}.abs()", "gl.maximum({a}, {b})", "gl.where({a} > {b}, {a}, {b})", "gl.where({a} > 0, {a}, {k})",
    "{a}.clamp(-1, {n})", "{a}.sum()", "{a}.sum(0)", "{a}.sum(-1, keepdim=True)", "{a}.amax(0)", "{a}.max(0).values",
    "{a} @ {b}", "{a}.t()", "{a} @ {a}.t()", "{a}[0]", "{a}[1:]", "{a}[:, 1]", "{a}[..., ::2]", "{a}[None]",
    "{a}.reshape(-1)", "{a}.view(-1)", "{a}.unsqueeze(0)", "{a}.expand(3, 4)", "{a}.clone()", "{a}.contiguous()",
    "{a}.detach()", "{a}.data", "{a}.detach().requires_grad_()", "{a}.double()", "{a}.float()", "{a}.long()",
    "{a} > {b}", "gl.cat([{a}, {b}])", "gl.stack([{a}, {a}])", "{a}.flatten()", "{a}.grad", "p.grad", "{a}.unbind()[0]",
    "{a}.chunk(2)[1]", "gl.zeros(3, 4)", "gl.ones_like({a})", "gl.full((4,), {k}, requires_grad=True)", "{a}",
    "nn.functional.linear({a}, m.weight, m.bias)", "m({a})", "m.weight", "m.weight * {k}", "m.scale * {a}",
    "{a}[i]", "{a}.softmax(-1).round()", "m.weight.t()[0]", "{a}.transpose(0, -1)",
    "gl.autograd.grad({a}.sum(), {b}, allow_unused=True)[0].reshape(-1) * 1",
    "gl.autograd.grad(({a} * {b}).sum(), [p, {a}])[1].reshape(-1) * 1",
    "gl.autograd.grad({a}, p, {b}, retain_graph=True)[0].reshape(-1) * 1", "{a}.squeeze()",
    "gl.autograd.grad({a}, p, {b}, retain_graph=True)[0]", "gl.autograd.grad(({a} * {b}).sum(), [{a}, p, q])[1]",
    "gl.autograd.grad({a} + {b}, [{a}, {b}], {c}, retain_graph=True)[n - 1]",
    # draws, of numbers that are exact: what is computed of them is, too
    "(gl.rand_like({a}) < 0.5) * {a}", "gl.rand(3, 4).round() * {a}", "gl.randint(-2, 3, (4,)) * {a}",
    "nn.functional.dropout({a}, 0.5)", "{a}[gl.randperm(3)]", "{a}.bernoulli(0.5)", "gl.randn(4).round() + {a}",
    "gl.rand(3, generator=g).round().sum() * {a}", "{a}[gl.randperm(2, generator=g)]",
    # orders, with many ties
    "{a}.sort(-1).values", "{a}.sort(0, descending=True)[0]", "{a}.topk(2).values", "{a}.argsort(-1) * {a}",
    "{a}.topk(1, dim=0, largest=False).indices", "{a}.median()", "{a}.median(0).values", "{a}.kthvalue(2).values",
    "{a}.cummax(-1).values", "{a}.gather(-1, {a}.argsort())", "{a}[{a}.sum(-1).argsort()]",
    # halves
    "{a}.bfloat16()", "{a}.half().float()", "({a}.bfloat16() * {b}).float()", "{a}.half() @ {b}.half().t()",
]  # fmt: skip
STATEMENTS = [
    "{a}.add_({b})", "{a}.mul_({k})", "{a} += {b}", "{a} -= {n}", "{a} *= {a}", "{a}[0] = {b}", "{a}[0] = {k}",
    "{a}[1:] += 1", "{a}[:, 1] = {n}", "{a}.zero_()", "{a}.fill_({k})", "{a}.copy_({b})", "{a}.relu_()",
    "{a}.clamp_(0)",
    "{a}.data.add_(1)", "{a}.detach().mul_(2)", "{a}.t()[0] = {n}", "{a}.view(-1)[1] = {k}",
    "with gl.no_grad():\n        {a}.add_({b})", "with gl.no_grad():\n        {c} = {a} * {k}",
    "with gl.no_grad():\n        {c} = {a}[0]", "with gl.no_grad():\n        {a}[0] = {k}",
    "with gl.enable_grad():\n        {c} = {a} * {b}",
    "{a}.sum().backward()", "{a}.sum().backward(retain_graph=True)", "{a}.backward()", "({a} * {b}).sum().backward()",
    "{a}.backward({b})",
    "gl.autograd.backward({a}.sum())", "gl.autograd.backward([{a}], [{b}], retain_graph=True)",
    "{a}.grad = None", "p.grad = None", "{a}.grad = {b}", "p.grad.mul_({k})",
    "with gl.no_grad():\n        p -= p.grad", "{a}.requires_grad_()",
    "m.weight.grad = None", "with gl.no_grad():\n        m.weight.mul_({k})", "m.zero_grad()",
    "{a}, {b} = {b}, {a}", "if {a}.requires_grad:\n        {c} = {a} * 2", "{c} = {a} if {a} is {b} else {b}",
    "{a}.bernoulli_(0.5)", "{a}.uniform_().round_()", "{a}[0].random_(3)",
    "with gl.no_grad():\n        {a}.bernoulli_(0.5)",
    "if p.grad is None:\n        (p * {k}).sum().backward()", "for _ in range(2):\n        {c} = {c} + {a}",
]  # fmt: skip
NAMES = ["x", "y", "p", "q", "h"]


class Scaled(nn.Module):
    """A linear layer with a hyper-parameter."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(dyadic(1, (4, 4)))
        self.bias = nn.Parameter(dyadic(2, (4,)))
        self.scale = 0.5

    def forward(self, x: Any) -> Any:
        """Its input, multiplied and scaled."""
        return nn.functional.linear(x, self.weight, self.bias) * self.scale


def dyadic(seed: int, shape: tuple[int, ...], dtype: str = "f4") -> Any:
    """A tensor of small multiples of one half."""
    return gl.tensor((np.random.default_rng(seed).integers(-4, 5, shape) / 2).astype(dtype))


@dataclass
class Program:
    """A function as text, and how its arguments relate."""

    lines: list[str] = field(default_factory=list)
    aliasing: str = "none"
    with_grad: bool = False
    double: bool = False

    @property
    def text(self) -> str:
        """The program, with its arguments told in a comment."""
        note = f"    # aliasing: {self.aliasing}; gradients before: {self.with_grad}; double: {self.double}\n"
        return "def program(x, y, p, q, h, m, i, k, n, g):\n" + note + "    " + "\n    ".join(self.lines)

    def function(self) -> Callable[..., Any]:
        """The program as a function."""
        namespace: dict[str, Any] = {"gl": gl, "nn": nn}
        exec(compile(self.text, "<program>", "exec"), namespace)
        return namespace["program"]  # type: ignore[no-any-return]

    def arguments(self, number: int = 0) -> Sequence[Any]:
        """The arguments, made anew; numbers differ from call to call."""
        kind = "f8" if self.double else "f4"
        x, y = dyadic(3, (3, 4), kind), dyadic(4, (3, 4), kind)
        p = nn.Parameter(dyadic(5, (3, 4), kind))
        q, m, i = dyadic(6, (4,), kind).requires_grad_(), Scaled(), gl.tensor(np.array([1, 0]))
        h = p * 1
        if self.with_grad:
            p.grad, m.weight.grad = dyadic(7, (3, 4), kind), dyadic(8, (4, 4))
        if self.aliasing == "same":
            y = x
        elif self.aliasing == "view":
            y = x[1]
        elif self.aliasing == "detached":
            y = p.detach()
        elif self.aliasing == "data":
            y = x.data
        elif self.aliasing == "parameter":
            q = m.weight
        elif self.aliasing == "parameter view":
            y = m.weight.detach()[:3]
        return [x, y, p, q, h, m, i, (0.5, -1.0, 2.0)[number % 3], (1, 3, 2)[number % 3], gl.Generator(number)]


ALIASINGS = ["none", "none", "none", "same", "view", "detached", "data", "parameter", "parameter view"]


@st.composite
def programs(draw: Callable[..., Any], max_lines: int = 7) -> Program:
    """A random program."""
    names = list(NAMES)
    lines: list[str] = []
    made = 0
    for _ in range(draw(st.integers(1, max_lines))):
        a, b, c = (draw(st.sampled_from(names)) for _ in range(3))
        parts = {
            "a": a,
            "b": b,
            "c": c,
            "k": draw(st.sampled_from(["k", "0.5", "2"])),
            "n": draw(st.sampled_from("n1")),
        }
        if draw(st.integers(0, 2)):
            name = f"t{made}"
            made += 1
            lines.append(f"{name} = {draw(st.sampled_from(EXPRESSIONS)).format(**parts)}")
            names += [name, name]  # what was made last is used most
        else:
            lines.append(draw(st.sampled_from(STATEMENTS)).format(**parts))
    kept = draw(st.lists(st.sampled_from(names), max_size=3))
    lines.append(f"return {', '.join(kept)}{',' if kept else 'None'}")
    return Program(lines, draw(st.sampled_from(ALIASINGS)), draw(st.booleans()), draw(st.booleans()))
