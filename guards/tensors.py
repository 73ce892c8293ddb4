"""Guards on tensors, which the plan itself checks on its way to their arrays.

The entry code checks a tensor whose array is another one's too, since the plan does not come by. The owner checks the
gradient of a tensor that is known by identity: it tells when it has another one. Which attributes of a tensor count,
the tracer says; here they are only names and the objects they must hold.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

from ..core.records import dataclass
from .advice.remedies import BOTH_CASES, no_edit
from .describe import article, describe, describe_type
from .guard import CheckedBy, Guard
from .pool import Pool
from .reasons import ReasonChange


@dataclass(frozen=True)
class TensorIs(Guard):
    """An object of exactly this type whose slots hold these very objects, or none of a type.

    facts:  name of the slot, what it must hold, and how the user would call it.
    unlike: name of the slot, the type of which it must hold no object, and what the user would say of the tensor then.
    """

    type: type = object
    facts: tuple[tuple[str, Any, str], ...] = ()
    unlike: tuple[tuple[str, Any, str], ...] = ()
    checked_by: CheckedBy = field(default="plan", kw_only=True)
    kind: ClassVar[str] = "tensor"

    def text(self, pool: Pool) -> str:
        return f"{pool.add(_holds)}({self.source.text(pool)}, {pool.add(self)})"

    def fact(self) -> str:
        facts = "".join(f", {name} {held}" for _, held, name in self.facts)
        return f"{self.source} is a {self.type.__name__}{facts}{''.join(f', not {name}' for *_, name in self.unlike)}"

    def change(self, found: object) -> ReasonChange:
        source = str(self.source)
        if type(found) is not self.type:
            name = self.type.__name__
            remedy = no_edit(f"{article(name)} {name} computes otherwise than what came now: each is compiled once")
            return ReasonChange(f"type({source})", name, describe_type(found), remedy, 2)
        for slot, held, name in self.facts:
            now = getattr(found, slot)
            if now is not held:
                return ReasonChange(f"{source}.{name}", describe(held), describe(now), no_edit(BOTH_CASES))
        for slot, kind, name in self.unlike:
            if type(getattr(found, slot)) is kind:
                return ReasonChange(source, f"not {name}", name, no_edit(BOTH_CASES))
        return ReasonChange(source, "as before", "changed meanwhile", no_edit("another thread changed it"))

    def __hash__(self) -> int:
        return hash((self.source, self.type))


def _holds(value: object, guard: TensorIs) -> bool:
    if type(value) is not guard.type or any(getattr(value, slot) is not held for slot, held, _ in guard.facts):
        return False
    return not any(type(getattr(value, slot)) is kind for slot, kind, _ in guard.unlike)
