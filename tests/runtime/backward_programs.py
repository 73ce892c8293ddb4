"""Eager programs, each of which ends in one or more backward passes; and what of it somebody can see afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import guardlift as gl
from guardlift import nn

functional = nn.functional


@dataclass
class Seen:
    """The state that a program leaves behind.

    leaves: the tensors whose `.grad` is looked at.   log: what hooks were called with, in order.
    found:  results of `autograd.grad`.
    """

    leaves: list[gl.Tensor] = field(default_factory=list)
    log: list[Any] = field(default_factory=list)
    found: list[Any] = field(default_factory=list)

    def leaf(self, rng: np.random.Generator, *shape: int, dtype: Any = np.float64) -> gl.Tensor:
        """A leaf that is looked at."""
        tensor = gl.from_numpy(rng.uniform(0.5, 1.5, shape).astype(dtype)).requires_grad_()
        self.leaves.append(tensor)
        return tensor

    def note(self, name: str) -> Callable[..., None]:
        """A hook that notes what it is called with, and the gradients that are there already."""

        def hook(*given: Any) -> None:
            self.log.append((name, [_plain(each) for each in given], [_plain(each.grad) for each in self.leaves]))

        return hook


def _plain(value: Any) -> Any:
    if isinstance(value, gl.Tensor):
        return (value.to_dense() if value.is_sparse else value).detach().numpy().copy()
    return [_plain(each) for each in value] if isinstance(value, (tuple, list)) else value


Program = Callable[[Seen, np.random.Generator], None]
PROGRAMS: list[tuple[Program, int, frozenset[str]]] = []
"""Each with the number of segments that one run compiles, and why the engine takes over, if it does."""


def program(segments: int, *eager: str) -> Callable[[Program], Program]:
    def enter(function: Program) -> Program:
        PROGRAMS.append((function, segments, frozenset(eager)))
        return function

    return enter


def some(rng: np.random.Generator, *shape: int) -> gl.Tensor:
    return gl.from_numpy(rng.uniform(0.5, 1.5, shape))


# -- plain graphs: one segment -----------------------------------------------------------------------------------------
@program(1)
def perceptron(seen: Seen, rng: np.random.Generator) -> None:
    w, b, v = seen.leaf(rng, 8, 6), seen.leaf(rng, 8), seen.leaf(rng, 3, 8)
    hidden = gl.tanh(functional.linear(some(rng, 5, 6), w, b))
    functional.cross_entropy(functional.linear(hidden, v), gl.tensor([0, 1, 2, 1, 0])).backward()


@program(1)
def convolution_by_columns(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 2, 7), seen.leaf(rng, 4, 3)
    columns = gl.stack([x[:, k : k + 5] for k in range(3)], 1)
    (gl.einsum("ok,bkl->bol", w, columns).relu() * some(rng, 2, 4, 5)).sum().backward()


@program(1)
def attention(seen: Seen, rng: np.random.Generator) -> None:
    x, q, k, v = seen.leaf(rng, 2, 4, 6), seen.leaf(rng, 6, 6), seen.leaf(rng, 6, 6), seen.leaf(rng, 6, 6)
    scores = ((x @ q) @ (x @ k).transpose(1, 2) / 6**0.5).softmax(-1)
    ((scores @ (x @ v)) * some(rng, 2, 4, 6)).sum().backward()


@program(1)
def layer_norm(seen: Seen, rng: np.random.Generator) -> None:
    x, w, b = seen.leaf(rng, 4, 6), seen.leaf(rng, 6), seen.leaf(rng, 6)
    (functional.layer_norm(x, (6,), w, b) * some(rng, 4, 6)).sum().backward()


@program(1)
def a_leaf_used_often(seen: Seen, rng: np.random.Generator) -> None:
    w = seen.leaf(rng, 4, 4)
    x = some(rng, 4)
    for _ in range(5):
        x = (w @ x).sin()
    x.sum().backward()


@program(1)
def a_write_in_place(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 4), seen.leaf(rng, 4)
    y = x * 2
    y.mul_(w)
    y.add_(w)
    y.exp_()
    y.sum().backward()


@program(1)
def writes_through_views(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 4, 3), seen.leaf(rng, 3)
    y = x * 2
    y[1].mul_(w)
    y.t()[0].sin_()
    y[:, 2] = w[0]
    y.reshape(-1)[3:5].copy_(w[1:])
    (y * y).sum().backward()


@program(1)
def views(seen: Seen, rng: np.random.Generator) -> None:
    x = seen.leaf(rng, 3, 4)
    a, b = x.t()[1:].chunk(2)[0], x.unsqueeze(0).expand(2, 3, 4).permute(2, 0, 1)
    ((a * a).sum() + (b.reshape(-1)[::3] ** 3).sum() + x.flip(0)[0].sum()).backward()


@program(1)
def leaves_in_other_orders(seen: Seen, rng: np.random.Generator) -> None:
    columns = gl.from_numpy(rng.uniform(0.5, 1.5, (3, 4))).t().requires_grad_()
    strided = gl.from_numpy(rng.uniform(0.5, 1.5, (4, 6)))[:, ::2].requires_grad_()
    seen.leaves += [columns, strided]
    ((columns @ some(rng, 3, 3)) * strided).sum().backward()


@program(1)
def other_dtypes_on_the_way(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 4, dtype=np.float32), seen.leaf(rng, 4)
    (x.to(gl.float64) * w).to(gl.float32).sum().backward()


@program(1)
def indices(seen: Seen, rng: np.random.Generator) -> None:
    table, x = seen.leaf(rng, 6, 3), seen.leaf(rng, 4, 5)
    rows = functional.embedding(gl.tensor([1, 1, 4, 0]), table)
    (rows.sum(1) @ x.gather(1, gl.tensor([[0, 2], [1, 1], [4, 3], [0, 0]]))).sum().backward()


@program(1)
def ties_and_choices(seen: Seen, rng: np.random.Generator) -> None:
    x, y = seen.leaf(rng, 3, 4), seen.leaf(rng, 4)
    (
        gl.where(x > y, x * x, y).max(1).values + gl.maximum(x, x).amin(1) + gl.clamp(x, 0.7, 1.2).prod(1)
    ).sum().backward()


@program(1)
def several_roots(seen: Seen, rng: np.random.Generator) -> None:
    x = seen.leaf(rng, 4)
    y, z = x * x, x.sin()
    given = some(rng, 4)
    gl.autograd.backward([y, z.sum(), y], [given, None, given])
    seen.log.append(given.numpy().copy())


@program(2)
def two_passes_over_one_graph(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 4), seen.leaf(rng, 4)
    y = (x * w).exp()
    y.sum().backward(retain_graph=True)
    first = x.grad
    y.backward(some(rng, 4))
    seen.log += [x.grad is first, x._version, x.grad._version]


@program(1)
def gradients_on_top(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 3, 4), seen.leaf(rng, 4)
    x.grad = gl.ones_like(x)
    w.grad = some(rng, 4).to_sparse()
    before = x.grad
    (x * w).sum().backward()
    seen.log += [x.grad is before, x.grad._version, w.grad.is_sparse]


@program(1)
def some_inputs_alone(seen: Seen, rng: np.random.Generator) -> None:
    x, w, v = seen.leaf(rng, 4), seen.leaf(rng, 4), seen.leaf(rng, 4)
    gl.autograd.backward(((x * w).sin() * v).sum(), inputs=[x, v])


@program(1)
def numbers_among_operands(seen: Seen, rng: np.random.Generator) -> None:
    x = seen.leaf(rng, 4)
    (2.5 / (x * 3 - 0.5) + x**3 + x**0.5 + 2**x).sum().backward()


# -- graphs that fall into segments ------------------------------------------------------------------------------------
class Cube(gl.autograd.Function):
    """A custom function with a saved tensor."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 3 * x * x * g


class Nothing(gl.autograd.Function):
    """A custom function whose second input has no gradient, and whose third one has two paths."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any, z: Any) -> Any:
        return x + y + z, z * 2

    @staticmethod
    def backward(ctx: Any, g: Any, h: Any) -> Any:
        return g, None, g + 2 * h


@program(2)
def a_custom_function(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 4), seen.leaf(rng, 4)
    (Cube.apply(x * w) * w).sum().backward()


@program(2)
def a_custom_function_without_gradients(seen: Seen, rng: np.random.Generator) -> None:
    x, y, z = seen.leaf(rng, 4), seen.leaf(rng, 4), seen.leaf(rng, 4)
    a, b = Nothing.apply(x.sin(), y.cos(), z.exp())
    (a * b + z).sum().backward()


@program(2)
def a_jitted_function_between(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 4), seen.leaf(rng, 4)
    (jitted(x.sin(), w) * w).sum().backward()


@gl.jit
def jitted(x: Any, w: Any) -> Any:
    return (x * w).tanh() + w


@program(1)
def a_sparse_embedding(seen: Seen, rng: np.random.Generator) -> None:
    table, w = seen.leaf(rng, 6, 3), seen.leaf(rng, 3)
    rows = functional.embedding(gl.tensor([1, 1, 4]), table, sparse=True)
    (rows * w.sin()).sum().backward()
    seen.log.append(table.grad.is_sparse)


@program(1)
def hooks_on_tensors(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 4), seen.leaf(rng, 4)
    y = x * w
    y.register_hook(seen.note("y"))
    y.register_hook(lambda g: g * 2)
    x.register_hook(seen.note("x"))
    w.register_hook(lambda g: g + 1)
    (y.sin() * w).sum().backward()


@program(2)
def hooks_on_nodes(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 4), seen.leaf(rng, 4)
    y = (x * w).sin()
    z = y.exp() * w
    y.grad_fn.register_prehook(seen.note("before"))
    y.grad_fn.register_hook(seen.note("after"))
    y.grad_fn.register_hook(lambda answers, given: (answers[0] * 3,))
    z.sum().backward()


@program(3)
def hooks_after_accumulating(seen: Seen, rng: np.random.Generator) -> None:
    x, w, v = seen.leaf(rng, 4), seen.leaf(rng, 4), seen.leaf(rng, 4)
    for leaf, name in ((x, "x"), (w, "w")):
        leaf.register_post_accumulate_grad_hook(seen.note(name))
    accumulator = gl.autograd.graph.get_gradient_edge(v).node
    accumulator.register_hook(seen.note("v"))
    ((x.sin() * v).exp() * w).sum().backward()


@program(2)
def a_hook_that_steps(seen: Seen, rng: np.random.Generator) -> None:
    w, v = seen.leaf(rng, 4), seen.leaf(rng, 4)

    def step(leaf: gl.Tensor) -> None:
        leaf.data.sub_(leaf.grad)  # unseen by version counters: what runs later reads the new values
        leaf.grad = None

    w.register_post_accumulate_grad_hook(step)
    x = (v * 2).sin()
    ((x * w).exp() + w).sum().backward()
    seen.log.append(w.detach().numpy().copy())


@program(1)
def a_hook_on_several_tensors(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 4), seen.leaf(rng, 4)
    y = x * w
    gl.autograd.graph.register_multi_grad_hook((x, y), seen.note("all"))
    gl.autograd.graph.register_multi_grad_hook((x, w), seen.note("any"), mode="any")
    y.sin().sum().backward()


@program(1)
def a_gradient_that_is_kept(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 4), seen.leaf(rng, 4)
    y = x * w
    y.retain_grad()
    (y.sin() + y.cos()).sum().backward()
    seen.log.append(y.grad.numpy().copy())


@program(2)
def hooks_on_saved_tensors(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 4), seen.leaf(rng, 4)
    unpack = seen.note("unpack")

    def unpacked(value: gl.Tensor) -> gl.Tensor:
        unpack(value)
        return value * 2

    y = x * w
    with gl.autograd.graph.saved_tensors_hooks(lambda value: value / 2, unpacked):
        z = y.exp()
    (z * w.sin()).sum().backward()


@program(2)
def checkpointed(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 4), seen.leaf(rng, 4)
    y = gl.autograd.checkpoint(lambda a, b: (a * b).sin(), x * 2, w)
    (y * w).sum().backward()


@program(1)
def gradients_handed_out(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 4, 3), seen.leaf(rng, 4, 3)
    seen.found += gl.autograd.grad((x * w).sin().sum(), [w, x])


@program(1)
def gradients_of_inner_tensors(seen: Seen, rng: np.random.Generator) -> None:
    x, w = seen.leaf(rng, 4), seen.leaf(rng, 4)
    y = x * w
    seen.found += gl.autograd.grad(y.sin(), [y, w], some(rng, 4), allow_unused=True)


# -- what the engine runs ----------------------------------------------------------------------------------------------
@program(0, "create_graph=True")
def gradients_of_gradients(seen: Seen, rng: np.random.Generator) -> None:
    x = seen.leaf(rng, 4)
    (g,) = gl.autograd.grad((x**3).sum(), x, create_graph=True)
    seen.found.append(g)


@program(1, "a sparse gradient")
def a_sparse_gradient_further_on(seen: Seen, rng: np.random.Generator) -> None:
    table = seen.leaf(rng, 6, 3)
    functional.embedding(gl.tensor([1, 1, 4]), table * 1.0, sparse=True).sin().sum().backward()


@program(0, "a gradient in the memory of a saved tensor")
def a_gradient_that_is_read(seen: Seen, rng: np.random.Generator) -> None:
    x = seen.leaf(rng, 4)
    x.grad = some(rng, 4)
    (x * x.grad.data).sum().backward()


@program(0, "a root that is a leaf")
def a_leaf_as_root(seen: Seen, rng: np.random.Generator) -> None:
    x = seen.leaf(rng, 4)
    gl.autograd.backward([x, (x * 2).sum()], [some(rng, 4), None])
