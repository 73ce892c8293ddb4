"""The native functions of kernel text as intrinsics of Numba or of Numba CUDA: what both have in common.

How a signature is found differs between the two; the modules `numba_functions.py` of the targets' compilers say it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def intrinsics_named_in(text: str, intrinsic_of: Callable[[str], object | None]) -> dict[str, object]:
    """The intrinsics that occur by name in `text`, to be put among the globals of kernel text."""
    found = {name: intrinsic_of(name) for name in sorted(set(_IDENTIFIER.findall(text)))}
    return {name: intrinsic for name, intrinsic in found.items() if intrinsic is not None}


def typing_function(name: str, operands: Sequence[str], resolve: Callable[[tuple[Any, ...]], Any]) -> Any:
    """The typing function of an intrinsic: `resolve` is given the operands' types as a tuple.

    Numba reads the number of operands off the function's signature, so it is written out.
    """
    namespace = {"resolve": lambda *given: resolve(given)}
    exec(f"def {name}({', '.join(['typingctx', *operands])}):\n    return resolve({', '.join(operands)})", namespace)
    return namespace[name]
