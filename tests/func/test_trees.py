"""Dataclasses and nodes of optree as trees: of transforms, eager and jitted, and of batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest

import guardlift as gl
from guardlift import func
from guardlift.autograd import checkpoint
from guardlift.func.trees import flattened, is_node, mapped, same_form, unflattened
from guardlift.utils.data import DataLoader, default_collate, default_convert


@dataclass
class Line:
    slope: Any
    offset: Any


@dataclass(frozen=True, slots=True)
class Model:
    lines: list[Line]
    scale: Any
    name: str = field(default="model", metadata={"static": True})
    uses: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "uses", len(self.lines))


class Pair(NamedTuple):
    left: Any
    right: Any


def model() -> Model:
    gl.manual_seed(3)
    return Model([Line(gl.randn(3), gl.randn(3)), Line(gl.randn(3), gl.randn(3))], gl.randn(3), "named")


def loss(given: Model, x: gl.Tensor) -> gl.Tensor:
    y = x
    for each in given.lines:
        y = y * each.slope + each.offset
    return (y * given.scale).sum()


def numbers(tree: Any) -> list[Any]:
    return [each.tolist() for each in flattened(tree)]


def test_a_tree_of_dataclasses_is_taken_apart_and_put_together() -> None:
    given = model()
    assert is_node(given) and not any(map(is_node, (Model, gl.ones(2), 1.0, "text", None, object())))
    leaves = flattened(given)
    assert len(leaves) == 5 and leaves[0] is given.lines[0].slope and leaves[4] is given.scale
    again = unflattened(given, leaves)
    assert type(again) is Model and (again.scale is given.scale, again.name, again.uses) == (True, "named", 2)
    assert mapped(lambda a, b: a is b, given, again) == Model([Line(True, True)] * 2, True, "named")
    assert same_form(given, again) and not same_form(given, Model([], 1)) and not same_form(Line(1, 2), (1, 2))
    assert not same_form(1, Line(1, 2)) and not same_form(Line(1, 2), 1)


def test_transforms_take_and_give_dataclasses_and_jitted_ones_are_one_graph() -> None:
    given, x = model(), gl.randn(3)
    as_dict = {"lines": [{"slope": e.slope, "offset": e.offset} for e in given.lines], "scale": given.scale}

    def plainly(tree: Any, x: gl.Tensor) -> gl.Tensor:
        return loss(Model([Line(**each) for each in tree["lines"]], tree["scale"]), x)

    slopes = func.grad(loss)(given, x)
    assert type(slopes) is Model and slopes.name == "named" and type(slopes.lines[1]) is Line
    assert numbers(slopes) == numbers(func.grad(plainly)(as_dict, x))
    jacobian = func.jacrev(lambda m: Pair(m.scale * x, Line(m.lines[0].slope, x)))(given)
    assert type(jacobian) is Pair and type(jacobian.right.slope) is Model and jacobian.left.scale.shape == (3, 3)
    value, tangent = func.jvp(lambda m: Line(loss(m, x), m.scale), (given,), (given,))
    assert type(tangent) is Line and tangent.offset.tolist() == given.scale.tolist()
    products = func.vjp(lambda m: Line(m.scale * x, m.lines[0].offset), given)[1](Line(x, x))
    assert products[0].scale.tolist() == (x * x).tolist() and products[0].lines[1].slope.tolist() == [0.0] * 3

    def batched(given: Model, x: gl.Tensor) -> Any:
        return func.vmap(lambda m: Line(m.scale * 2.0, m.lines[1].slope * x.sum()))(given)

    for program in (func.grad(loss), batched):
        jitted: Callable[..., Any] = gl.jit(program)
        expected = program(given, x)
        for _ in range(2):
            found = jitted(given, x)
            assert same_form(found, expected)
            for one, other in zip(flattened(found), flattened(expected)):
                assert gl.allclose(one, other, atol=1e-6)
        assert gl.explain(jitted).breaks == ()
    axes = func.vmap(lambda line, x: line.slope * x, in_dims=(Line(0, None), None))
    assert axes(Line(gl.ones(4, 3), gl.ones(2)), x).shape == (4, 3)
    with pytest.raises(ValueError, match="in_dims is not compatible"):
        func.vmap(lambda line: line.slope, in_dims=(Pair(0, None),))(Line(gl.ones(4, 3), gl.ones(2)))
    with pytest.raises(ValueError, match="must be Tensor, got str"):
        func.grad(lambda line: line.slope.sum())(Line(gl.ones(3), "text"))


def test_batches_and_checkpoints_take_dataclasses() -> None:
    samples = [Model([Line(gl.ones(2) * k, float(k))], k, "s") for k in range(4)]
    batch = default_collate(samples)
    assert type(batch) is Model and batch.name == "s" and batch.uses == 1
    assert batch.lines[0].slope.tolist() == [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]
    assert batch.lines[0].offset.dtype is gl.float64 and batch.scale.tolist() == [0, 1, 2, 3]
    loaded = [each.scale.tolist() for each in DataLoader(samples, batch_size=2)]  # type: ignore[arg-type]
    assert loaded == [[0, 1], [2, 3]]
    converted = default_convert(Line(np.ones(2), [np.zeros(1)]))
    assert isinstance(converted.slope, gl.Tensor) and isinstance(converted.offset[0], gl.Tensor)
    given = mapped(lambda leaf: leaf.requires_grad_(), model())
    x = gl.randn(3)
    checkpoint(loss, given, x, use_reentrant=False).backward()
    assert numbers(mapped(lambda leaf: leaf.grad, given)) == numbers(func.grad(loss)(model(), x))


def test_classes_registered_with_optree_are_nodes() -> None:
    optree = pytest.importorskip("optree")

    class Box:
        def __init__(self, left: Any, right: Any, kind: str) -> None:
            self.left, self.right, self.kind = left, right, kind

    assert not is_node(Box(1, 2, "k"))
    optree.register_pytree_node(
        Box, lambda box: ((box.left, box.right), box.kind), lambda kind, parts: Box(*parts, kind), namespace="guardlift"
    )
    try:
        box = Box({"w": gl.ones(3)}, gl.full((3,), 2.0), "k")
        program = func.grad(lambda box: (box.left["w"] * box.right).sum())
        jitted = gl.jit(program)
        for each in (program, jitted, jitted):
            found = each(box)
            assert type(found) is Box and found.kind == "k"
            assert found.left["w"].tolist() == [2.0] * 3 and found.right.tolist() == [1.0] * 3
        for transform in (func.vmap, func.jacrev):
            whole = gl.jit(lambda box, transform=transform: transform(lambda box: box.left["w"] * box.right)(box))
            found, expected = whole(box), transform(lambda box: box.left["w"] * box.right)(box)
            assert all(a.tolist() == b.tolist() for a, b in zip(flattened(found), flattened(expected)))
            assert gl.explain(whole).breaks == ()
        optree.unregister_pytree_node(Box, namespace="guardlift")
        with pytest.raises(ValueError, match="must be Tensor, got .*Box"):
            jitted(box)
        optree.register_pytree_node(
            Box, lambda box: ((box.right,), box), lambda box, parts: Box(box.left, *parts, "new"), namespace="guardlift"
        )
        found = jitted(box)
        assert found.kind == "new" and found.left is box.left and found.right.tolist() == [1.0] * 3
        assert gl.explain(jitted).breaks == ()
    finally:
        optree.unregister_pytree_node(Box, namespace="guardlift")
