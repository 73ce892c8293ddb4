"""The oracle for functions of tensors: the same steps, plain and jitted, on models made alike; all is compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import guardlift as gl
from guardlift.frontend import state_of

RELATIVE = 1e-5


@dataclass
class World:
    """A model, an optimizer, and whatever else a step reads or writes."""

    model: Any = None
    optimizer: Any = None
    extras: dict[str, Any] = field(default_factory=dict)

    def tensors(self) -> dict[str, Any]:
        """Every tensor that can be reached, by name: parameters, their gradients, optimizer state, extras."""
        found: dict[str, Any] = {}
        named = list(self.model.named_parameters()) if self.model is not None else []
        named += [(name, each) for name, each in self.extras.items() if isinstance(each, gl.Tensor)]
        for name, parameter in named:
            found[name] = parameter
            found[f"{name}.grad"] = parameter.grad
        if self.optimizer is not None:
            for number, entry in enumerate(self.optimizer.state.values()):
                found.update({f"state[{number}].{key}": value for key, value in entry.items()})
        return found


def same_tensor(name: str, plain: Any, jitted: Any, relative: float = RELATIVE, *, of_largest: bool = False) -> None:
    """Asserts that two tensors agree in what a user can see of them.

    of_largest: numbers may differ by that share of the largest one as well, as sums do that cancel.
    """
    if not isinstance(plain, gl.Tensor):
        assert plain == jitted, name
        return
    assert isinstance(jitted, gl.Tensor), (name, jitted)
    for attribute in ("shape", "dtype", "requires_grad", "is_leaf"):
        assert getattr(jitted, attribute) == getattr(plain, attribute), (name, attribute)
    assert jitted.stride() == plain.stride(), name
    assert jitted._version == plain._version, (name, "version")
    one, other = plain.detach().numpy(), jitted.detach().numpy()
    scale = np.abs(one[np.isfinite(one)]).max(initial=1e-2) if of_largest else 1e-2
    np.testing.assert_allclose(other, one, rtol=relative, atol=relative * scale, err_msg=name)


def same_world(plain: World, jitted: World, relative: float = RELATIVE) -> None:
    """Asserts that every tensor of two worlds agrees."""
    ours, theirs = plain.tensors(), jitted.tensors()
    assert ours.keys() == theirs.keys()
    for name, tensor in ours.items():
        same_tensor(name, tensor, theirs[name], relative)


def same_steps(
    make: Callable[[], World],
    bind: Callable[[World], Callable[..., Any]],
    calls: Sequence[tuple[Any, ...]],
    *,
    between: Callable[[World, int], None] | None = None,
    compiles: int | None = 1,
    breaks: int = 0,
    relative: float = RELATIVE,
) -> Any:
    """The jitted function, after it did the same as the plain one over all `calls`.

    bind: the step as a function of a call's arguments, for a world.   between: what happens to a world before call k.
    """
    plain, world = make(), make()
    step, fast = bind(plain), gl.jit(bind(world))
    for number, arguments in enumerate(calls):
        if between is not None:
            between(plain, number)
            between(world, number)
        expected, result = step(*arguments), fast(*arguments)
        same_result(f"result {number}", expected, result, relative)
        same_world(plain, world, relative)
    history = state_of(fast).history
    found_breaks = [event for event in history if event.kind == "break"]
    # The parts behind a break may break in their turn.
    assert len(found_breaks) >= breaks and bool(found_breaks) == bool(breaks), [event.text for event in found_breaks]
    if compiles is not None:
        compiled = [event for event in history if event.kind in ("compile", "recompile")]
        assert len(compiled) == compiles, [[reason.text for reason in event.reasons] for event in compiled]
    return fast


def same_result(name: str, plain: Any, jitted: Any, relative: float = RELATIVE) -> None:
    """Asserts that two results agree, container by container."""
    if isinstance(plain, (tuple, list)):
        assert type(plain) is type(jitted) and len(plain) == len(jitted), name
        for number, (one, other) in enumerate(zip(plain, jitted, strict=True)):
            same_result(f"{name}[{number}]", one, other, relative)
    elif isinstance(plain, float):
        assert isinstance(jitted, float), (name, jitted)
        assert abs(plain - jitted) <= relative * max(abs(plain), 1e-30), (name, plain, jitted)
    else:
        same_tensor(name, plain, jitted, relative)
