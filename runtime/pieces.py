"""A backward plan in pieces: what was saved is let go of as soon as no piece needs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class RunInPieces:
    """Runs the plans of `graph.aot.pieces.Pieces` one after the other.

    plans:   one for each piece, which gives a tuple.   takes, gives, done: see `graph.aot.pieces.Piece`.
    results: the numbers of what the whole gives.
    layouts: of each input the dtype, shape and strides in bytes that the plans take; None for a number.
    """

    plans: tuple[Callable[..., Any], ...]
    takes: tuple[tuple[int, ...], ...]
    gives: tuple[tuple[int, ...], ...]
    done: tuple[tuple[int, ...], ...]
    results: tuple[int, ...]
    layouts: tuple[tuple[np.dtype[Any], tuple[int, ...], tuple[int, ...]] | None, ...]

    def fits(self, values: Sequence[Any]) -> bool:
        """Whether the plans take these values, so that none of them is needed again once a piece has run."""
        return all(
            layout is None or (type(each) is np.ndarray and _layout(each) == layout and each.flags.aligned)
            for each, layout in zip(values, self.layouts, strict=True)
        )

    def __call__(self, values: list[Any]) -> tuple[Any, ...] | None:
        """The results for these values, of which the list lets go on the way; None if a plan refused them.

        The list must be the last to hold what is to be freed.
        """
        known: dict[int, Any] = dict(enumerate(values))
        values.clear()
        for plan, takes, gives, done in zip(self.plans, self.takes, self.gives, self.done, strict=True):
            found = plan(*[known[number] for number in takes])
            if found is NotImplemented or found is Ellipsis:
                return None
            known.update(zip(gives, found, strict=True))
            del found
            for number in done:
                del known[number]
        return tuple(known[number] for number in self.results)


def _layout(array: np.ndarray[Any, Any]) -> tuple[np.dtype[Any], tuple[int, ...], tuple[int, ...]]:
    return array.dtype, array.shape, array.strides
