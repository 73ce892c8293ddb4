"""Objects that every process has one of, by where they are found: what is built in, NumPy's, and our own."""

# Note [Objects by name]
# Guards compare by identity, and an object of this process means nothing to another one. What can be named is what the
# interpreter, the standard library, NumPy and guardlift bring with them, whose versions stand in the key of an entry:
# built-in functions, ufuncs, classes that are not the program's. A name alone proves nothing, since a program may have
# put something else there. So the object has to say of itself that it is what the name says: a built-in has its own
# name and module in it, which cannot be written; a ufunc has to be the one in NumPy's own extension module; a class
# says its module, and a function of Python's is compared by its code.

from __future__ import annotations

import os
import sys
import types
from importlib import import_module
from typing import Any, TypeGuard

import numpy as np

from ...core.errors import Differs, NotWritable
from ...core.package import PACKAGE
from .code_digest import code_digest

_BUILTIN = (
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
)

_DISPATCHER: Any = type(np.concatenate)
"""The class of NumPy's functions that arrays of other libraries may answer."""


def written_object(value: Any) -> list[Any]:
    """The way to an object that every process has, as data. Errors: NotWritable."""
    if isinstance(value, np.dtype):
        if np.dtype(value.str) is not value:
            raise NotWritable(f"a dtype of the program's, {value}")
        return ["dtype", value.str]
    if is_module(value):
        if sys.modules.get(value.__name__) is not value:
            raise NotWritable(f"a module that cannot be imported, {value.__name__}")
        return ["module", value.__name__]
    for module, name in _places(value):
        found = _look_up(module, name)
        if found is value:
            return ["named", module, name, _claim(value)]
    ours = _place_of_ours(value)
    if ours is not None:
        return ["ours", *ours]
    raise NotWritable(f"an object that only this process has, of type {type(value).__qualname__}")


def read_object(data: list[Any]) -> Any:
    """The object at the end of a way that `written_object` gave. Errors: Differs where it is not that object."""
    kind, *rest = data
    if kind == "dtype":
        return np.dtype(rest[0])
    if kind == "module":
        found = sys.modules.get(rest[0])
        if not is_module(found) or vars(found).get("__name__") != rest[0]:
            raise Differs(f"the module {rest[0]} is not loaded, or another one stands for it")
        return found
    module, name, *claim = rest
    if kind == "ours":
        if module.partition(".")[0] != PACKAGE:
            raise ValueError(f"{module} is no module of guardlift")
        import_module(module)
    found = _look_up(module, name)
    if kind == "ours" and found is not _NOTHING:
        return found
    if found is _NOTHING or _claim(found) != claim[0] or (module, name) not in _places(found):
        raise Differs(f"{module}.{name} is another object than it was")
    return found


_NOTHING = object()
"""Stands for what is not there."""


def is_module(value: object) -> TypeGuard[types.ModuleType]:
    """Whether a value is a module whose attributes are what its dict holds; guardlift's own may load some late."""
    return type(value) is types.ModuleType or isinstance(value, types.ModuleType) and _is_ours(value)


def _look_up(module: str, name: str) -> Any:
    """The object that a module of this process has under a dotted name; no code of the program's runs."""
    found: Any = sys.modules.get(module)
    if not isinstance(found, types.ModuleType):
        return _NOTHING
    for part in name.split("."):
        table = types.ModuleType.__getattribute__(found, "__dict__") if isinstance(found, types.ModuleType) else None
        if table is None:
            if not isinstance(found, type):
                return _NOTHING
            table = type.__getattribute__(found, "__dict__")
        if part not in table:
            return _NOTHING
        found = table[part]
    return found.__func__ if isinstance(found, staticmethod) else found


def _places(value: Any) -> list[tuple[str, str]]:
    """The places at which an object says that it is; none for one of the program's."""
    if type(value) is np.ufunc:
        return [("numpy._core._multiarray_umath", value.__name__)]
    if type(value) is _DISPATCHER:
        module, name = value.__module__, value.__qualname__
    elif isinstance(value, type):
        module, name = type.__getattribute__(value, "__module__"), type.__getattribute__(value, "__qualname__")
    elif type(value) is types.BuiltinFunctionType:
        owner = value.__self__
        if not isinstance(owner, types.ModuleType):
            return []  # bound to an object
        module, name = owner.__name__, value.__name__
    elif isinstance(value, _BUILTIN):
        cls: Any = value.__objclass__  # type: ignore[union-attr]
        module, name = cls.__module__, f"{cls.__qualname__}.{value.__name__}"
    else:
        return []
    if type(module) is not str or type(name) is not str or not is_versioned(module):
        return []
    return [(module, name), (f"_{module}", name), ("numpy", name)] if module != "builtins" else [(module, name)]


def is_versioned(module: Any) -> TypeGuard[str]:
    """Whether the version of a module stands in the key of an entry. A program's own may bear any name."""
    if type(module) is not str:
        return False
    top, found = module.partition(".")[0], sys.modules.get(module)
    file = vars(found).get("__file__") if isinstance(found, types.ModuleType) else None
    if not isinstance(file, str):
        return top in sys.builtin_module_names
    if top in _FOLDERS:
        return file.startswith(_FOLDERS[top])
    return top in sys.stdlib_module_names and file.startswith(_LIBRARY) and "-packages" not in file


_FOLDERS = {"numpy": os.path.dirname(np.__file__), PACKAGE: os.path.dirname(os.path.dirname(os.path.dirname(__file__)))}
_LIBRARY = os.path.dirname(os.__file__)
"""The folder of the standard library; what was installed besides lies in a folder of it, too."""


def _claim(value: Any) -> str:
    """The words of an object about itself, for a comparison; for one with code in Python, a digest of that."""
    said = f"{type(value).__module__}.{type(value).__qualname__}"
    implementation = getattr(value, "_implementation", None) if type(value) is _DISPATCHER else None
    if isinstance(implementation, types.FunctionType):
        return f"{said} {code_digest(implementation.__code__)}"
    if isinstance(value, type):
        bases = (f"{base.__module__}.{base.__qualname__}" for base in type.__getattribute__(value, "__mro__"))
        return f"{said} {' '.join(bases)}"
    return said


def _place_of_ours(value: Any) -> tuple[str, str] | None:
    """The module and the name of an object that a module of guardlift holds."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if type(module) is str and type(name) is str and module.partition(".")[0] == PACKAGE:
        if _look_up(module, name) is value:
            return module, name
    if type(value) in (int, float, str, bytes, tuple, bool, type(None), dict, list, types.ModuleType):
        return None
    for module, found in sorted(sys.modules.items()):
        if module.partition(".")[0] == PACKAGE and isinstance(found, types.ModuleType):
            for name, held in vars(found).items():
                if held is value and _is_ours(value):
                    return module, name
    return None


def is_op(value: object) -> bool:
    """Whether a value is an op, which the floor of ops need not be loaded to answer."""
    return type(value).__qualname__ == "OpDef" and _is_ours(value)


def _is_ours(value: Any) -> bool:
    """Whether an object is made by our own class, or only stands for something (`MISSING`)."""
    return type(value) is object or type(value).__module__.partition(".")[0] == PACKAGE
