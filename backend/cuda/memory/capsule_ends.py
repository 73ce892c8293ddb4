"""The native functions by which a DLPack capsule, or who took what is in it, lets go of the memory.

They may be called in any thread, without Python's lock and in the midst of an exception: no Python function may.
"""

from __future__ import annotations

import ctypes
from functools import cache

from ....core.records import dataclass
from ...cpu.compiler.kernel_object import KernelObject
from ...cpu.compiler.loader import load
from ...llvm.object_code import assembled_object

PLAIN, VERSIONED = b"dltensor", b"dltensor_versioned"
"""The names of capsules of which nobody has taken what is in them, without a version and with one."""

_DECLARED = """
declare i32 @Py_IsInitialized()
declare i32 @PyGILState_Ensure()
declare void @PyGILState_Release(i32)
declare void @PyErr_Fetch(ptr, ptr, ptr)
declare void @PyErr_Restore(ptr, ptr, ptr)
declare void @Py_DecRef(ptr)
declare i32 @PyCapsule_IsValid(ptr, ptr)
declare ptr @PyCapsule_GetPointer(ptr, ptr)
@name = private constant [{size} x i8] c"{name}\\00"
"""
_USED = ("Py_IsInitialized", "PyGILState_Ensure", "PyGILState_Release", "PyErr_Fetch", "PyErr_Restore", "Py_DecRef")
_ENTERED = """
entry:
  %type = alloca ptr
  %value = alloca ptr
  %trace = alloca ptr
  %alive = call i32 @Py_IsInitialized()
  %over = icmp eq i32 %alive, 0
  br i1 %over, label %nothing, label %enter
nothing:
  ret void
enter:
  %lock = call i32 @PyGILState_Ensure()
  call void @PyErr_Fetch(ptr %type, ptr %value, ptr %trace)
"""
_RELEASED = """
  %place = getelementptr i8, ptr %managed, i64 {context}
  %owner = load ptr, ptr %place
  call void @Py_DecRef(ptr %owner)
  br label %leave
leave:
  %type.0 = load ptr, ptr %type
  %value.0 = load ptr, ptr %value
  %trace.0 = load ptr, ptr %trace
  call void @PyErr_Restore(ptr %type.0, ptr %value.0, ptr %trace.0)
  call void @PyGILState_Release(i32 %lock)
  ret void
}}
"""
_DELETER = "define void @guardlift_{name}_deleter(ptr %managed) {{" + _ENTERED + _RELEASED
_DESTRUCTOR = (
    "define void @guardlift_{name}_destructor(ptr %capsule) {{"
    + _ENTERED
    + """
  %valid = call i32 @PyCapsule_IsValid(ptr %capsule, ptr @name)
  %taken = icmp eq i32 %valid, 0
  br i1 %taken, label %leave, label %release
release:
  %managed = call ptr @PyCapsule_GetPointer(ptr %capsule, ptr @name)
"""
    + _RELEASED
)


@dataclass(frozen=True, slots=True)
class CapsuleEnds:
    """The addresses of two functions: the deleter of what is in a capsule, and the destructor of the capsule."""

    deleter: int
    destructor: int


@cache
def end_of(name: bytes, context: int) -> CapsuleEnds:
    """The functions for capsules of a name; each lets go of one reference to the Python object in `manager_ctx`.

    context: the place of `manager_ctx` in the struct. Units: bytes.
    """
    capsules = ("PyCapsule_IsValid", "PyCapsule_GetPointer")
    deleter = _loaded(_DELETER, "deleter", name, context, _USED)
    return CapsuleEnds(deleter, _loaded(_DESTRUCTOR, "destructor", name, context, (*_USED, *capsules)))


def _loaded(text: str, function: str, name: bytes, context: int, used: tuple[str, ...]) -> int:
    word = name.decode()
    code = (_DECLARED + text).format(name=word, size=len(name) + 1, context=context)
    symbol = f"guardlift_{word}_{function}"
    found = load(KernelObject(assembled_object(code), symbol, used, code), {each: _address(each) for each in used})
    return found.address


def _address(name: str) -> int:
    return int(ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0)
