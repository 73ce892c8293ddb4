"""What a built-in type's own method says of an object: a source that no code of the object's class is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .sources import Pool, Source


@dataclass(frozen=True)
class Asked(Source):
    """What the method says, with these constants as further arguments, whatever the object's class has come to say."""

    base: Source
    method: Any
    args: tuple[Any, ...]
    shown: str

    def text(self, pool: Pool) -> str:
        given = [repr(each) if type(each) in (int, str) else pool.add(each) for each in self.args]
        return f"{pool.add(self.method)}({', '.join([self.base.text(pool), *given])})"

    def __str__(self) -> str:
        return self.shown

    def parts(self) -> tuple[Source, ...]:
        return (self.base,)
