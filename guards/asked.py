"""What a built-in type's own method says of an object: a source that no code of the object's class is asked for."""

from __future__ import annotations

from typing import Any

from .constants import constant_text
from .pool import Pool
from .sources import Source, source_kind


@source_kind
class AskedSource(Source):
    """What the method says, whatever the object's class has come to say. Further arguments are constants or sources."""

    base: Source
    method: Any
    args: tuple[Any, ...]
    shown: str

    def text(self, pool: Pool) -> str:
        given = [self.base.text(pool), *(_argument(each, pool) for each in self.args)]
        return f"{pool.add(self.method)}({', '.join(given)})"

    def __str__(self) -> str:
        return self.shown

    def parts(self) -> tuple[Source, ...]:
        return (self.base, *(each for each in self.args if isinstance(each, Source)))


def _argument(value: Any, pool: Pool) -> str:
    return value.text(pool) if isinstance(value, Source) else constant_text(value, pool, equal=True)
