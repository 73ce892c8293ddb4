"""Steps of the tape that are no op: how a backward pass passes them is said by whoever put them there.

A custom function is one: of its results, whose nodes come from a forward that nobody recorded, the backward pass goes
on at its arguments, with what the user's own `backward` makes of the cotangents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...core.records import dataclass
from ..node import Node
from .emitter import GraphEmitter

Pull = Callable[[GraphEmitter, Sequence[Node | None]], Sequence[Node | None]]


@dataclass(frozen=True, slots=True, eq=False)
class TapeStep:
    """A step of the tape that leads from `inputs` to `outputs`, as a backward pass sees it.

    outputs: nodes that stand next to each other in the builder: what is recorded after the first one was recorded after
        the step.
    inputs:  in the order in which they get their cotangents; a node may stand there several times.
    pull:    turns one cotangent, or None, for each output into one, or None, for each input. It is called once in each
        walk that comes to the step and gets from it to a leaf, also where no cotangent has arrived: it may do more.
    owner:   whoever knows more of it.
    """

    outputs: tuple[Node, ...]
    inputs: tuple[Node, ...]
    pull: Pull
    owner: Any = None

    def pulled(
        self, f: GraphEmitter, cotangents: Sequence[Node | None], wanted: Sequence[bool]
    ) -> Sequence[Node | None]:
        """The cotangents of the inputs. wanted: whether that of each input leads anywhere; it is not asked here."""
        return self.pull(f, cotangents)


Steps = Mapping[Node, TapeStep]
"""By each of its outputs."""


def operands(node: Node, steps: Mapping[Node, Any]) -> tuple[Node, ...]:
    """The operands that a recorded node was made of, as a backward pass sees them."""
    step = steps.get(node)
    return node.inputs if step is None else step.inputs
