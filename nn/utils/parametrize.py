"""Parameters that are computed: a module's attribute is what parametrizations make of other tensors."""

# Note [Parametrized classes]
# A tensor that is computed at each look is a property, and properties belong to classes. So a module with parametrized
# tensors has a class of its own, below that of the module, with a property for each. Such a class is never changed: for
# one property more or fewer the module gets another class, and modules that have the same share it.

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from ...autograd.modes import no_grad
from ...tensor import Tensor
from ...tensor.parameter import Parameter
from ..errors import LayerArgumentError, LayerShapeError
from ..module import Module
from ..modules.container import ModuleDict, ModuleList

M = TypeVar("M", bound=Module)

_depth = 0
_cache: dict[tuple[int, str], Any] = {}
_classes: dict[tuple[type, tuple[str, ...]], type] = {}


@contextmanager
def cached() -> Iterator[None]:
    """A context in which every parametrized tensor is computed once, when it is first looked at."""
    global _depth
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1
        if not _depth:
            _cache.clear()


class ParametrizationList(ModuleList):
    """The parametrizations of one tensor, in the order in which they are applied, and what they are applied to.

    That is the parameter or buffer `original`, or `original0`, `original1`, … where the first parametrization takes
    several tensors.
    unsafe: what comes out may have another shape or dtype than the tensor had.
    Errors: ValueError for what does not fit.
    """

    def __init__(self, modules: Sequence[Module], original: Tensor, unsafe: bool = False) -> None:
        if not len(modules):
            raise LayerArgumentError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = tuple(original.shape), original.dtype
        new = self._inverse_of(original)
        self.is_tensor = isinstance(new, Tensor)
        if not self.is_tensor and not isinstance(new, Sequence):
            raise LayerArgumentError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got "
                f"{type(new).__name__}"
            )
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            if new.dtype is not dtype:
                raise LayerArgumentError(
                    "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                    f"original.dtype: {dtype}\nright_inverse(original).dtype: {new.dtype}"
                )
            with no_grad():
                _put(original, new)
            _register(self, "original", original)
        else:
            for place, each in enumerate(new):
                if not isinstance(each, Tensor):
                    raise LayerArgumentError(
                        "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got element "
                        f"{place} of the sequence with type {type(each).__name__}."
                    )
                if isinstance(original, Parameter):
                    each = Parameter(each, original.requires_grad)
                _register(self, f"original{place}", each.requires_grad_(original.requires_grad))
        if not unsafe:
            self._check_result(self(), shape, dtype)

    def _inverse_of(self, original: Tensor) -> Any:
        """The value that the parametrizations are to be applied to, as far as they have a `right_inverse`."""
        new: Any = original
        with no_grad():
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    try:
                        new = module.right_inverse(new)
                    except NotImplementedError:  # it is there, and means nothing
                        continue
        return new

    @staticmethod
    def _check_result(result: Any, shape: tuple[int, ...], dtype: Any) -> None:
        if not isinstance(result, Tensor):
            raise LayerArgumentError(f"A parametrization must return a tensor. Got {type(result).__name__}.")
        if result.dtype is not dtype:
            raise LayerArgumentError(
                "Registering a parametrization may not change the dtype of the tensor, unless `unsafe` flag is "
                f"enabled.\nunparametrized dtype: {dtype}\nparametrized dtype: {result.dtype}"
            )
        if tuple(result.shape) != shape:
            raise LayerArgumentError(
                "Registering a parametrization may not change the shape of the tensor, unless `unsafe` flag is "
                f"enabled.\nunparametrized shape: {list(shape)}\nparametrized shape: {list(result.shape)}"
            )

    def right_inverse(self, value: Any) -> None:
        """Sets what the parametrizations are applied to, so that they give `value`.

        Errors: RuntimeError for one without a `right_inverse`; ValueError for what it gives.
        """
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise LayerShapeError(
                        f"parametrization {type(module).__name__} does not implement right_inverse; define it, or set "
                        "the original"
                    )
                value = module.right_inverse(value)
            if self.is_tensor:
                value = [value]
            if not isinstance(value, Sequence) or len(value) != self.ntensors:
                raise LayerArgumentError(
                    f"'right_inverse' must return a sequence of {self.ntensors} tensors. Got {type(value).__name__}."
                )
            for name, each in zip(self._names(), value):
                held = getattr(self, name)
                if not isinstance(each, Tensor) or each.dtype is not held.dtype:
                    found = each.dtype if isinstance(each, Tensor) else type(each).__name__
                    raise LayerArgumentError(f"`right_inverse` gives {found} for {name}, which is {held.dtype}")
                _put(held, each)

    def _names(self) -> list[str]:
        return ["original"] if self.is_tensor else [f"original{place}" for place in range(self.ntensors)]

    def forward(self) -> Any:
        """The parametrized tensor."""
        if self.is_tensor:
            result = self[0](self.original)
        else:
            result = self[0](*[getattr(self, f"original{place}") for place in range(self.ntensors)])
        for place in range(1, len(self)):
            result = self[place](result)
        return result


def _put(tensor: Tensor, value: Tensor) -> None:
    """Makes the elements, and the shape, of a tensor those of another."""
    if tensor is not value:
        tensor.data = value.detach().clone()


def _register(module: Module, name: str, tensor: Tensor) -> None:
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def _looked_up(name: str) -> property:
    def look(self: Module) -> Any:
        parametrizations = self.parametrizations[name]
        if not _depth:
            return parametrizations()
        key = (id(self), name)
        if key not in _cache:
            _cache[key] = parametrizations()
        return _cache[key]

    def put(self: Module, value: Any) -> None:
        self.parametrizations[name].right_inverse(value)

    return property(look, put)


def _class_with(base: type, names: tuple[str, ...]) -> type:
    """The class below `base` with a property for each name; `base` for none. See Note [Parametrized classes]."""
    if not names:
        return base
    found = _classes.get((base, names))
    if found is None:
        properties: dict[str, Any] = {name: _looked_up(name) for name in names}
        body = {"__slots__": (), "__module__": base.__module__, "_unparametrized": base, "__reduce_ex__": _no_pickle}
        if not hasattr(base, "__deepcopy__"):
            body["__deepcopy__"] = _deep_copy
        found = _classes[base, names] = type(f"Parametrized{base.__name__}", (base,), {**body, **properties})
    return found


def _no_pickle(_module: Module, _protocol: Any) -> Any:
    raise LayerShapeError(
        "Serialization of parametrized modules is only supported through state_dict(): save that, or use "
        "remove_parametrizations first"
    )


def _deep_copy(module: Module, memo: dict[int, Any]) -> Module:
    """Another module of the same class, with copies of what this one holds."""
    other: Module = type(module).__new__(type(module))
    memo[id(module)] = other
    other.__setstate__(copy.deepcopy(module.__getstate__(), memo))
    return other


def register_parametrization(module: M, tensor_name: str, parametrization: Module, *, unsafe: bool = False) -> M:
    """`module`, of which a parameter or buffer is from now on what the parametrization makes of it.

    A further parametrization is applied to what those before give. Where one has a method `right_inverse`, the
    attribute can be assigned, and the tensor keeps its value as far as the parametrization can give it.
    unsafe: the parametrization may change shape and dtype.
    Errors: ValueError for a name that is neither a parameter nor a buffer, or a parametrization that does not fit.
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        held = module.parametrizations[tensor_name]
        if not unsafe:
            before = getattr(module, tensor_name)
            with no_grad():
                ParametrizationList._check_result(parametrization(before), tuple(before.shape), before.dtype)
        held.append(parametrization)
        held.unsafe = held.unsafe or unsafe
        return module
    found = module._parameters.get(tensor_name)
    original = module._buffers.get(tensor_name) if found is None else found
    if original is None:
        raise LayerArgumentError(
            f"Module {type(module).__name__} does not have a parameter, a buffer, or a parametrized element with name "
            f"{tensor_name!r}"
        )
    listed = ParametrizationList([parametrization], original, unsafe)
    listed.training = module.training
    delattr(module, tensor_name)
    if not is_parametrized(module):
        module.parametrizations = ModuleDict()
    module.parametrizations[tensor_name] = listed
    _reclass(module)
    return module


def _reclass(module: Module) -> None:
    """Gives the module the class that its parametrized tensors ask for."""
    base = type_before_parametrizations(module)
    names = tuple(module.parametrizations) if "parametrizations" in module._modules else ()
    module.__class__ = _class_with(base, names)


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether the module has parametrized tensors, or one of that name."""
    held = module._modules.get("parametrizations")
    if not isinstance(held, ModuleDict):
        return False
    return len(held) > 0 if tensor_name is None else tensor_name in held


def remove_parametrizations(module: M, tensor_name: str, leave_parametrized: bool = True) -> M:
    """`module`, of which a tensor is no longer parametrized: it keeps the value that it has, or had at first.

    Errors: ValueError for a tensor that is not parametrized, or that cannot be left as it was since several tensors
    make it.
    """
    if not is_parametrized(module, tensor_name):
        raise LayerArgumentError(f"Module {type(module).__name__} does not have a parametrization on {tensor_name}")
    listed = module.parametrizations[tensor_name]
    if listed.is_tensor:
        original = listed.original
        if leave_parametrized:
            with no_grad():
                _put(original, getattr(module, tensor_name))
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value.detach()) if value.requires_grad else value
    else:
        raise LayerArgumentError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a "
            "sequence of tensors."
        )
    del module.parametrizations[tensor_name]
    if not len(module.parametrizations):
        del module.parametrizations
    _reclass(module)
    _register(module, tensor_name, original)
    return module


def type_before_parametrizations(module: Module) -> type:
    """The class that the module had before any of its tensors was parametrized."""
    return getattr(type(module), "_unparametrized", type(module))
