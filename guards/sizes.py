"""Guards on arrays whose sizes are free: the pattern of the layout, and what the trace relied on of the sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..core.asynchronous import lookup_failed
from ..core.devices.host_or_device import kind_of
from ..core.records import dataclass
from ..core.sizes import Facts, Size
from ..core.types import TensorType
from .advice.remedies import BOTH_CASES, no_edit
from .arrays import ArrayLayout, is_of_dtype, is_writeable, stride_change
from .guard import CheckedBy, Guard
from .pool import Pool
from .reasons import ReasonChange
from .sources import LOOKUP, Source, evaluate


def symbols_of(type: TensorType, strides: Sequence[Any]) -> dict[int, tuple[int, int]]:
    """The symbols that an array with such a layout gives values to, by atom: an axis, and what is read there.

    That is 0 for the size, else a number of bytes, of which the stride counts so many."""
    sizes: tuple[Any, ...] = type.shape
    found = {each.terms[0][0][0]: (axis, 0) for axis, each in enumerate(sizes) if isinstance(each, Size)}
    for axis, each in enumerate(strides):
        if isinstance(each, Size) and len(each.terms) == 1:
            ((atoms, factor),) = each.terms
            if len(atoms) == 1 and atoms[0] not in found:  # else it follows from sizes
                found[atoms[0]] = axis, factor * type.dtype.itemsize
    return found


@dataclass(frozen=True, eq=False)
class SizedLayout(Guard):
    """An ndarray of this dtype and rank, of sizes that are free where they are symbolic, and strides that follow.

    Checked by the plan, which is bound to sizes; see `compile.size_binding`."""

    type: TensorType = field(default_factory=lambda: TensorType((), None))  # type: ignore[arg-type]
    strides: tuple[Any, ...] = ()
    writeable: bool = False
    checked_by: CheckedBy = field(default="plan", kw_only=True)
    kind: ClassVar[str] = ArrayLayout.kind

    def text(self, pool: Pool) -> str:
        return f"{pool.add(self)}.accepts({self.source.text(pool)})"

    @cached_property
    def symbols(self) -> dict[int, tuple[int, int]]:
        """Its symbols; see `symbols_of`."""
        return symbols_of(self.type, self.strides)

    def accepts(self, value: Any) -> bool:
        """Whether an array has such a layout, whatever the facts."""
        if not self._is_alike(value):
            return False
        if not value.flags.aligned or (self.writeable and not is_writeable(value)):
            return False
        return all(
            have == want if type(want) is int else have > 1
            for have, want in zip(value.shape, self.type.shape, strict=True)
        ) and all(value.strides[axis] // unit >= 2 for axis, unit in self.symbols.values() if unit)

    def _is_alike(self, value: Any) -> bool:
        """Whether it is an array of this device, dtype and rank."""
        wanted = self.type
        of_its_kind = type(value) is kind_of(wanted.device)
        return of_its_kind and is_of_dtype(value, wanted) and value.ndim == wanted.rank

    def sizes(self, value: np.ndarray[Any, Any]) -> dict[int, int]:
        """The values of its symbols, in an array with such a layout."""
        return {
            symbol: value.strides[axis] // unit if unit else value.shape[axis]
            for symbol, (axis, unit) in self.symbols.items()
        }

    def has_strides(self, value: np.ndarray[Any, Any], facts: Facts, atoms: list[int]) -> bool:
        """Whether the strides follow from the sizes."""
        steps = [facts.value_of(each.terms, atoms) if isinstance(each, Size) else each for each in self.strides]
        return (
            all(
                size == 1 or have == want * value.itemsize
                for size, have, want in zip(value.shape, value.strides, steps, strict=True)
            )
            or not value.size
        )

    def fact(self) -> str:
        sizes = [each.text if isinstance(each, Size) else str(each) for each in self.type.shape]
        least = [name for name, each in zip(sizes, self.type.shape, strict=True) if isinstance(each, Size)]
        own = [self.strides[axis] for axis, unit in self.symbols.values() if unit]
        least += [(each if each.terms[0][1] > 0 else -each).text for each in own]
        written = ", writeable" if self.writeable else ""
        return f"{self.source}: {self.type.dtype}[{', '.join(sizes)}]{written}, {', '.join(least)} >= 2"

    def change(self, found: Any) -> ReasonChange:
        if not self._is_alike(found):
            return ArrayLayout(self.source, self.where, _shown(self.type), (), self.writeable).change(found)
        if any(
            have != want if type(want) is int else have < 2
            for have, want in zip(found.shape, self.type.shape, strict=True)
        ):
            sizes = ", ".join("2 or more" if isinstance(each, Size) else str(each) for each in self.type.shape)
            remedy = no_edit(
                "sizes 0 and 1 are compiled apart, since NumPy broadcasts them or has nothing to do", aside=True
            )
            differing = [a != b if type(b) is int else a < 2 for a, b in zip(found.shape, self.type.shape, strict=True)]
            return ReasonChange(f"{self.source}.shape", f"({sizes})", str(found.shape), remedy, sum(differing))
        free = {axis: _Word("2 or more" if unit > 0 else "-2 or less") for axis, unit in self.symbols.values() if unit}
        strides: Any = tuple(free.get(axis, step) for axis, step in enumerate(self.strides))
        return ArrayLayout(self.source, self.where, _shown(self.type, found.shape), strides, self.writeable).change(
            found
        )


def _shown(type: TensorType, shape: tuple[int, ...] | None = None) -> TensorType:
    words: Any = tuple(_Word(each) for each in type.shape)
    return type.with_shape(words if shape is None else shape)


class _Word:
    """A size in an explanation. A free one is equal to each number that it may be."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, size: Any) -> None:
        self._text = size.text if isinstance(size, Size) else str(size)
        self._size = size

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int):
            return other >= 2 if isinstance(self._size, Size) else other == self._size
        return isinstance(other, _Word) and other._text == self._text

    def __repr__(self) -> str:
        return self._text


@dataclass(frozen=True, eq=False)
class SizesFit(Guard):
    """The relations between symbolic sizes that the trace relied on hold, and strides follow from sizes.

    layouts: those of all arrays with symbolic sizes. numbers: where ints are read that are sizes, and their symbols.
    """

    layouts: tuple[SizedLayout, ...] = ()
    numbers: tuple[tuple[Source, int], ...] = ()
    facts: Facts = field(default_factory=Facts, repr=False)
    checked_by: CheckedBy = field(default="plan", kw_only=True)
    kind: ClassVar[str] = "sizes"

    @property
    def sources(self) -> tuple[Source, ...]:
        return (*(each.source for each in self.layouts), *(source for source, _ in self.numbers))

    def text(self, pool: Pool) -> str:
        arrays = ", ".join(source.text(pool) for source in self.sources)
        return f"{pool.add(self)}.bind({arrays}) is not None"

    def bind(self, *found: Any) -> tuple[int, ...] | None:
        """The values of the symbols for these arrays, then ints; None where they do not fit."""
        if not self.accepts(found):
            return None
        values = self.values_of(found)
        if self.facts.broken(values):
            return None
        atoms = self.facts.atom_values(values)
        fits = all(
            layout.has_strides(array, self.facts, atoms) for layout, array in zip(self.layouts, found, strict=False)
        )
        return values if fits else None

    def accepts(self, found: tuple[Any, ...]) -> bool:
        """Whether these are arrays with such layouts, then ints, whatever the facts.

        The rest of `bind` is a question of sizes, strides and ints alone.
        """
        return (
            len(found) == len(self.layouts) + len(self.numbers)
            and all(map(SizedLayout.accepts, self.layouts, found))
            and all(type(number) is int for number in found[len(self.layouts) :])
        )

    def values_of(self, found: tuple[Any, ...]) -> tuple[int, ...]:
        """The values of the symbols, in arrays with such layouts and ints."""
        values: dict[int, int] = {}
        for layout, array in zip(self.layouts, found, strict=False):
            values |= layout.sizes(array)
        for (_, symbol), number in zip(self.numbers, found[len(self.layouts) :], strict=True):
            values[symbol] = number
        return tuple(values[symbol] for symbol in self.facts.symbols)

    def laid_out_otherwise(self, found: object) -> list[Source]:
        """The arrays whose strides do not follow from their sizes as wanted, where all else is as it is to be."""
        if not isinstance(found, tuple) or not self.accepts(found):
            return []
        atoms = self.facts.atom_values(self.values_of(found))
        pairs = zip(self.layouts, found, strict=False)
        return [layout.source for layout, array in pairs if not layout.has_strides(array, self.facts, atoms)]

    def found(self, namespace: Mapping[str, object], pool: Pool) -> object:
        try:
            return tuple(evaluate(source.text(pool), namespace, pool) for source in self.sources)
        except LOOKUP:
            lookup_failed()
            return ()

    def relations(self) -> list[str]:
        """The facts, in words."""
        return list(filter(None, map(self.facts.words, self.facts.relied)))

    def fact(self) -> str:
        return ", ".join(self.relations()) or "nothing else of the sizes"

    def change(self, found: object) -> ReasonChange:
        assert isinstance(found, tuple)
        if self.accepts(found):
            broken = self.facts.broken(self.values_of(found))
            now = [f"{each.source}.shape is {array.shape}" for each, array in zip(self.layouts, found, strict=False)]
            now += [
                f"{source} is {number}"
                for (source, _), number in zip(self.numbers, found[len(self.layouts) :], strict=True)
            ]
            if broken:
                place = self.facts.place_of(broken)
                relied = f"; it was relied on at {place}" if place else ""
                return ReasonChange(f"`{broken}`", "true", f"false: {', '.join(now)}", no_edit(BOTH_CASES + relied))
            for layout, array in zip(self.layouts, found, strict=False):
                atoms = self.facts.atom_values(self.values_of(found))
                if not layout.has_strides(array, self.facts, atoms):
                    steps = [self.facts.value_of(s.terms, atoms) if isinstance(s, Size) else s for s in layout.strides]
                    return stride_change(layout.source, tuple(steps), array, 1, written=layout.writeable)
        return ReasonChange("the sizes", "such that they fit each other", "others", no_edit(BOTH_CASES))
