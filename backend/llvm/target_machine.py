"""LLVM's machine for this host, which emits position-independent code. Imports llvmlite, and no numba."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any


@cache
def host_machine() -> Any:
    """The machine that threads share which hold llvmlite's lock while they use it."""
    return new_machine()


_idle: list[Any] = []


@contextmanager
def machine() -> Iterator[Any]:
    """A context that gives a machine which no other thread uses meanwhile. What it has found out about the processor is
    kept with it: of a small kernel that takes a tenth."""
    try:
        found = _idle.pop()
    except IndexError:
        found = new_machine()
    yield found
    _idle.append(found)  # after an error it is not used again


def new_machine() -> Any:
    """A machine of the caller's own. Numba's emits code in the large model, where constants have absolute addresses."""
    target, name, features = _host()
    return target.create_target_machine(cpu=name, features=features, opt=3, reloc="pic", codemodel="small")


@cache
def _host() -> tuple[Any, str, str]:
    """LLVM's target, and the name and the features of this processor."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
