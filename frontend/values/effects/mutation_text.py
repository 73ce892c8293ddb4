"""The statements that change an object from outside: as a program writes them, or by the methods of its own type."""

from __future__ import annotations

from ....core.records import dataclass
from ....guards.pool import Pool


@dataclass(frozen=True)
class Changing:
    """The text that changes the object in the variable `owner`.

    kind: of an object of a subclass, the built-in type whose own methods change it, whatever the subclass says.
    """

    pool: Pool
    owner: str
    kind: type | None = None

    def put(self, key: str, text: str) -> str:
        """`owner[key] = text`."""
        return self.call("__setitem__", key, text) if self.kind else f"{self.owner}[{key}] = {text}"

    def delete(self, key: str) -> str:
        """`del owner[key]`."""
        return self.call("__delitem__", key) if self.kind else f"del {self.owner}[{key}]"

    def call(self, name: str, *texts: str) -> str:
        """`owner.name(*texts)`."""
        if self.kind is None:
            return f"{self.owner}.{name}({', '.join(texts)})"
        return f"{self.pool.add(getattr(self.kind, name))}({', '.join([self.owner, *texts])})"
