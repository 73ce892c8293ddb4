"""The form of an attention kernel: what it is compiled for, and how much of it a block of threads holds at a time."""

# Note [Tiles of attention]
# A block of threads keeps some rows of one matrix (queries, or keys for their own gradients) in shared memory, goes
# through the rows of the other some at a time, and makes the scores of both in registers: thread (x, y) those of rows
# y, y + down, ... with the rows x, x + across, .... Threads that share a row lie beside each other in one warp, and
# find what they have of it in common by exchange. Scores go through shared memory to become an operand of the second
# product, of whose columns thread (x, y) has 4 x, ..., 4 x + 3, and as many 4 * across further.
#
# Rows of shared memory are an odd number of 16 bytes apart, so that neighbouring threads, which read neighbouring rows,
# meet different banks. All of it is float32, whatever lies in memory.

from __future__ import annotations

from ....core.dtypes import DType
from ....core.records import dataclass

QUAD = 4
"""Neighbouring elements that a thread reads and has: 16 bytes of float32."""


@dataclass(frozen=True, slots=True)
class AttentionTiles:
    """The threads of a block, `across` (a power of two, at most 32) times `down`, and the rows that each has: `rows` of
    the matrix that stays, `columns` of the one that the block goes through."""

    across: int
    down: int
    rows: int
    columns: int

    @property
    def kept(self) -> int:
        """Rows of the matrix that stays."""
        return self.down * self.rows

    @property
    def passed(self) -> int:
        """Rows of the other one that are there at a time."""
        return self.across * self.columns

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return self.across * self.down

    @property
    def exchanges(self) -> list[int]:
        """The distances at which the threads of a row exchange, one after the other."""
        return [1 << k for k in reversed(range(self.across.bit_length() - 1))]

    def row(self, i: int) -> str:
        """The text for the place of a thread's row i among those that stay."""
        return f"y + {i * self.down}"

    def column(self, j: int) -> str:
        """The text for the place of its row j among those passed."""
        return f"x + {j * self.across}"

    def parts(self, features: int) -> int:
        """The number of times that a thread has four columns of a result with so many."""
        return -(-features // (QUAD * self.across))

    def results(self, features: int) -> int:
        """The columns of a result with so many that a thread has of each of its rows."""
        return self.parts(features) * QUAD


@dataclass(frozen=True, slots=True)
class WarpTiles:
    """The warps of a block, each with 16 rows of the matrix that stays, and the rows of the other one that are there at
    a time, a multiple of 16; `stages`: how many times that much lies in shared memory, 1 or 2.

    See Note [Attention on tensor cores] in `warp_pieces`."""

    down: int
    passed: int
    stages: int
    across: int = 32

    @property
    def kept(self) -> int:
        """Rows of the matrix that stays."""
        return self.down * 16

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return self.across * self.down

    @property
    def rows(self) -> int:
        """Rows of which a thread has scores."""
        return 2

    @property
    def columns(self) -> int:
        """Scores that a thread has of each of its rows."""
        return self.passed // 4

    @property
    def exchanges(self) -> list[int]:
        """The distances at which the threads of a row exchange, one after the other."""
        return [2, 1]

    def row(self, i: int) -> str:
        """The text for the place of a thread's row i among those that stay."""
        return f"y * 16 + x // 4 + {i * 8}"

    def column(self, j: int) -> str:
        """The text for the place of its row j among those passed."""
        return f"x % 4 * 2 + {j // 2 * 8 + j % 2}"

    def results(self, features: int) -> int:
        """The columns of a result with so many that a thread has of each of its rows."""
        return whole_steps(features) // 4


Tiles = AttentionTiles | WarpTiles


@dataclass(frozen=True, slots=True)
class AttentionForm:
    """The facts that a kernel is compiled for. dtypes: those in memory of all it reads and stores, by parameter."""

    inner: int
    """Columns of query and key."""
    outer: int
    """Columns of value."""
    scale: float
    causal: bool
    mask: DType | None
    dropped: bool
    dtypes: tuple[tuple[str, DType], ...]

    def dtype(self, name: str) -> DType:
        """The dtype of a parameter."""
        return dict(self.dtypes)[name]


def padded(features: int) -> int:
    """Columns in whole quads."""
    return -(-features // QUAD) * QUAD


def pitch(features: int) -> int:
    """Elements of shared memory from one row to the next. See Note [Tiles of attention]."""
    quads = -(-features // QUAD)
    return QUAD * (quads + 1 - quads % 2)


def whole_steps(features: int) -> int:
    """Columns in whole steps of the instruction that multiplies matrices."""
    return -(-features // 16) * 16


def warp_pitch(features: int) -> int:
    """Half floats of shared memory from one row to the next: eight rows that follow each other meet all banks."""
    return whole_steps(features) + 8


def warp_tiles_of(form: AttentionForm, threads: int, *, gradients: bool) -> WarpTiles:
    """The tiles of a kernel that uses tensor cores: what 48 KB of shared memory and 255 registers a thread hold."""
    wide = max(form.inner, form.outer) > 64
    if threads < 256:
        return WarpTiles(1, 16, 1 if gradients and wide else 2)
    if gradients:
        return WarpTiles(4, 16, 1) if wide else WarpTiles(4, 32, 2)
    return WarpTiles(4, 32 if wide else 64, 2)


def tiles_of(form: AttentionForm, threads: int, *, gradients: bool) -> AttentionTiles:
    """The tiles of a kernel for a device whose blocks have at most so many threads."""
    if threads < 256:
        return AttentionTiles(2, 2, 2, 1)
    wide = max(form.inner, form.outer) > 64
    if gradients:
        return AttentionTiles(8, 32, 1 if wide else 2, 2)
    return AttentionTiles(8, 32, 2, 2) if wide else AttentionTiles(8, 16, 4, 4)
