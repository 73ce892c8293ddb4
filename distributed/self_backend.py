"""The backend of a program of one process: everything is done when it is asked for."""

from __future__ import annotations

import os

from .backend import Array
from .errors import CollectiveArgumentError


class _Done:
    """A communication that is done."""

    def test(self) -> bool:
        return True


class SelfBackend:
    """A group of this process alone."""

    rank = 0
    size = 1

    def subgroup(self, ranks: tuple[int, ...]) -> SelfBackend:
        """This process, which is the only one."""
        return self

    def all_reduce(self, array: Array, op: str) -> _Done:
        """The array as it is."""
        return _Done()

    def reduce(self, array: Array, root: int, op: str) -> _Done:
        """The array as it is."""
        return _Done()

    def reduce_scatter(self, array: Array, rows: Array, op: str) -> _Done:
        """A copy of the one row."""
        array[...] = rows[0]
        return _Done()

    def broadcast(self, array: Array, root: int) -> _Done:
        """The array as it is."""
        return _Done()

    def all_gather(self, rows: Array, array: Array) -> _Done:
        """One row, a copy."""
        rows[0] = array
        return _Done()

    def gather(self, rows: Array | None, array: Array, root: int) -> _Done:
        """One row, a copy."""
        assert rows is not None
        rows[0] = array
        return _Done()

    def scatter(self, array: Array, rows: Array | None, root: int) -> _Done:
        """A copy of the one row."""
        assert rows is not None
        array[...] = rows[0]
        return _Done()

    def barrier(self) -> _Done:
        """Nobody to wait for."""
        return _Done()

    def send(self, array: Array, to: int, tag: int) -> _Done:
        """Errors: CollectiveArgumentError: there is no other process."""
        raise CollectiveArgumentError("a program of one process has nobody to send to")

    def receive(self, array: Array, source: int, tag: int) -> _Done:
        """Errors: CollectiveArgumentError: there is no other process."""
        raise CollectiveArgumentError("a program of one process has nobody to receive from")

    def abort(self, code: int) -> None:
        """End the process."""
        os._exit(code)

    def close(self) -> None:
        """Nothing is held."""
