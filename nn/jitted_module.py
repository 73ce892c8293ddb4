"""`jit` of a module: the module itself, but for its call, which is compiled."""

# Note [A module and its compiled form]
# The compiled form is no copy: whatever is set, registered or moved on one of the two is so on the other. Its class is
# made for it, a subclass of the module's class whose slots are properties that lead to the module's own, and its
# `__dict__` is the module's. The call hands over the module, not the form of it: what runs inside `forward`, and what
# hooks are shown, is the object that the user made.

from __future__ import annotations

import types
import weakref
from typing import Any

from ..core.floors import JIT, asked
from .module import Module

_classes: weakref.WeakKeyDictionary[type, weakref.ref[type]] = weakref.WeakKeyDictionary()
"""The classes made for compiled modules, as long as there are such modules, by the class of the module."""


_CALL = Module.__call__


def calls_only_forward(module: Module) -> bool:
    """Whether a call of a module does nothing but call its `forward`."""
    return module._hooks is None and type(module).__call__ is _CALL


class JittedModule:
    """The part of a compiled module's class that is not the module's."""

    __slots__ = ()

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Makes a module of the module's own class, for those who write ``type(self)(...)``."""
        return cls.__bases__[-1](*args, **kwargs)

    def __init_subclass__(cls) -> None:
        """Nothing: what the user's classes do for their subclasses is not for the class of a compiled module."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return type(compiled_call(self).module)

    @property
    def __wrapped__(self) -> Module:
        return compiled_call(self).module

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        compiled = self._compiled_call  # type: ignore[attr-defined]
        return compiled.function()(compiled.module, *args, **kwargs)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Compiles for a call of the module with these arguments that does not take place: see `gl.jit`."""
        compiled = self._compiled_call  # type: ignore[attr-defined]
        compiled.function().compile(compiled.module, *args, **kwargs)

    def __copy__(self) -> Any:
        from copy import copy

        compiled = compiled_call(self)
        return jitted_module(copy(compiled.module), compiled.settings)

    def __reduce_ex__(self, _protocol: Any) -> Any:
        compiled = compiled_call(self)
        return jitted_module, (compiled.module, compiled.settings)


class CompiledCall:
    """The call of one module: its `forward`, or all of it where hooks are called around that or its class says so."""

    __slots__ = ("_definition", "_forward", "_whole", "module", "settings")

    def __init__(self, module: Module, settings: dict[str, Any]) -> None:
        self.module = module
        self.settings = settings
        self._definition: Any = None
        self._forward: Any = None
        self._whole: Any = None

    def function(self) -> Any:
        """The compiled function that a call runs now, whose first argument is the module."""
        module = self.module
        if calls_only_forward(module):
            forward: Any = module.forward
            if type(forward) is types.MethodType and forward.__self__ is module:
                definition = forward.__func__
                if definition is self._definition:
                    return self._forward
                if isinstance(definition, types.FunctionType):
                    self._forward = self._jitted(definition)
                    self._definition = definition
                    return self._forward
        if self._whole is None:
            self._whole = self._jitted(_calling(type(module)))
        return self._whole

    def _jitted(self, function: Any) -> Any:
        return asked(JIT)(**self.settings)(function)


def _calling(cls: type) -> types.FunctionType:
    """A function that calls a module. In reports it stands at the beginning of the module's `forward`."""
    calls = lambda module, /, *args, **kwargs: module(*args, **kwargs)  # noqa: E731  (of one line)
    forward = getattr(cls.forward, "__wrapped__", cls.forward)  # type: ignore[attr-defined]
    code, scope = calls.__code__, calls.__globals__
    if isinstance(forward, types.FunctionType):
        place, scope = forward.__code__, forward.__globals__
        code = code.replace(co_filename=place.co_filename, co_firstlineno=place.co_firstlineno, co_name="__call__")
    function = types.FunctionType(code, scope, "__call__")
    function.__qualname__, function.__module__ = f"{cls.__qualname__}.__call__", cls.__module__
    return function


def compiled_call(form: Any) -> CompiledCall:
    """The call of a compiled module."""
    return form._compiled_call  # type: ignore[no-any-return]


def jitted_module(module: Any, settings: dict[str, Any]) -> Any:
    """A module that is the given one but for its call, which is compiled as ``jit(**settings)`` does it."""
    if isinstance(module, JittedModule):
        module = module.__wrapped__
    form: Any = object.__new__(_class_for(type(module)))
    object.__setattr__(form, "_compiled_call", CompiledCall(module, settings))
    object.__setattr__(form, "__dict__", vars(module))
    return form


def _class_for(cls: type) -> type:
    known = _classes.get(cls)
    made = None if known is None else known()
    if made is None:
        made = _class_of(cls)
        _classes[cls] = weakref.ref(made)
    return made


def _class_of(cls: type) -> type:
    """A subclass of a module's class that keeps nothing but the call; see Note [A module and its compiled form]."""
    names: dict[str, Any] = {"__slots__": ("_compiled_call",), "__module__": cls.__module__, "__doc__": cls.__doc__}
    names["__qualname__"] = cls.__qualname__
    for each in cls.__mro__:
        for name, member in vars(each).items():
            if isinstance(member, types.MemberDescriptorType) and name not in names:
                names[name] = _leading_to(member)
    return types.new_class(cls.__name__, (JittedModule, cls), exec_body=lambda namespace: namespace.update(names))


def _leading_to(member: Any) -> property:
    return property(
        lambda form: member.__get__(compiled_call(form).module),
        lambda form, value: member.__set__(compiled_call(form).module, value),
        lambda form: member.__delete__(compiled_call(form).module),
    )
