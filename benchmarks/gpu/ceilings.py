"""The most that the card can do: bytes copied in a second, and products of matrices where a library has cuBLAS."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from card import MOST_OF_FREE, Card, Times, options_of  # noqa: E402
from report import row, say  # noqa: E402

COPIED = 1 << 30
"""Bytes of a block that is copied."""
SIDE = 8192
"""Rows and columns of the matrices."""


def main() -> None:
    """Tells the ceilings."""
    options = options_of(__doc__)
    card = Card()
    bandwidth(card, 1 << 16 if options.tiny else COPIED, options.tiny)
    done = products_by_torch(64 if options.tiny else SIDE) or products_by_cupy(64 if options.tiny else SIDE)
    if not done:
        say("neither PyTorch nor CuPy with a GPU is here: no ceiling of products")


def bandwidth(card: Card, nbytes: int, tiny: bool) -> None:
    """Copies between blocks that no cache holds, and fills."""
    room = int(card.memory()[0] * MOST_OF_FREE) // 4
    if nbytes > room:
        say(f"blocks of {room >> 20} MiB instead of {nbytes >> 20}: no more memory is free")
        nbytes = room
    blocks = [card.allocate(nbytes) for _ in range(4)]
    try:
        for each in blocks:
            card.fill(each, nbytes)
        pairs = [(blocks[0], blocks[1]), (blocks[2], blocks[3])]
        calls = [lambda a=a, b=b: card.copy(a, b, nbytes) for a, b in pairs]
        tell("copy of blocks", card.times(calls, tiny=tiny), 2 * nbytes, "GB/s read and written")
        calls = [lambda a=a: card.fill(a, nbytes) for a in blocks]
        tell("fill of blocks", card.times(calls, tiny=tiny), nbytes, "GB/s written")
    finally:
        for each in blocks:
            card.free(each)


def tell(name: str, times: Times, amount: float, unit: str) -> None:
    """A row of the table. amount: what one call does."""
    rate = amount / (times.median * 1e-3) / 1e9 if times.median else float("nan")
    row("ceilings", what=name, ms=times.median, low=times.low, high=times.high, rate=rate, unit=unit)


def products_by_torch(side: int) -> bool:
    """Products in bfloat16, float16, TF32 and float32 by PyTorch; whether there is one with a GPU."""
    try:
        import torch
    except ImportError:
        return False
    if not torch.cuda.is_available():
        return False
    card = Card()
    for name, dtype, tf32 in (
        ("bfloat16", torch.bfloat16, False),
        ("float16", torch.float16, False),
        ("TF32", torch.float32, True),
        ("float32", torch.float32, False),
    ):
        before, torch.backends.cuda.matmul.allow_tf32 = torch.backends.cuda.matmul.allow_tf32, tf32
        x, y = (torch.randn(side, side, device="cuda", dtype=dtype) for _ in range(2))
        tell(f"product {side}, {name}, PyTorch", card.times([lambda x=x, y=y: x @ y]), 2.0 * side**3, "GFLOP/s")
        torch.backends.cuda.matmul.allow_tf32 = before
    return True


def products_by_cupy(side: int) -> bool:
    """Products in float16 and float32 by CuPy; whether there is one with a GPU."""
    try:
        import cupy

        cupy.zeros(1)
    except Exception as error:  # what a CuPy raises that finds no GPU, or not its libraries, is its own
        say(f"no CuPy: {type(error).__name__}")
        return False
    card = Card()
    for dtype in (cupy.float16, cupy.float32):
        x, y = (cupy.random.rand(side, side).astype(dtype) for _ in range(2))
        name = f"product {side}, {dtype.__name__}, CuPy"
        tell(name, card.times([lambda x=x, y=y: x @ y]), 2.0 * side**3, "GFLOP/s")
    return True


if __name__ == "__main__":
    main()
