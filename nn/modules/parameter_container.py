"""Lists and dicts of parameters, which count as those of the module that holds them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from operator import index
from typing import Any

from ...tensor import Tensor
from ...tensor.parameter import Parameter
from ..errors import LayerArgumentError, LayerShapeError, ModuleAssignmentError
from ..module import Module


def _kept(value: Any) -> Any:
    """The value as a container keeps it: a tensor becomes a parameter, anything else stays what it is."""
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def _described(value: Any, by_dtype: bool) -> str:
    if not isinstance(value, Tensor):
        return f"Object of type: {type(value).__name__}"
    sizes = "x".join(str(size) for size in value.shape)
    kind = f"gl.{value.dtype}" if by_dtype else value.type()
    device = f" ({value.device})" if value.is_cuda else ""
    return f"{'Parameter' if isinstance(value, Parameter) else 'Tensor'} containing: [{kind} of size {sizes}{device}]"


class ParameterList(Module):
    """A list of parameters; tensors become parameters, and other values stay what they are, and are no state.

    Errors: TypeError for what is not iterable, IndexError for a place that is not there.
    """

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def _place(self, place: Any) -> str:
        number = index(place)
        if not -self._size <= number < self._size:
            raise IndexError(f"index {number} is out of range: there are {self._size} values")
        return str(number + self._size if number < 0 else number)

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return ParameterList([getattr(self, str(place)) for place in range(*idx.indices(self._size))])
        return getattr(self, self._place(idx))

    def __setitem__(self, idx: int, param: Any) -> None:
        setattr(self, self._place(idx), _kept(param))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter([getattr(self, str(place)) for place in range(self._size)])

    def __iadd__(self, parameters: Iterable[Any]) -> ParameterList:
        return self.extend(parameters)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, value: Any) -> ParameterList:
        """Itself, with `value` at the end."""
        place = self._size
        self._size = place + 1
        setattr(self, str(place), _kept(value))
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Itself, with `values` at the end."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise ModuleAssignmentError(
                f"ParameterList.extend should be called with an iterable, but got {type(values).__name__}"
            )
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        """A line for each value."""
        return "\n".join(f"  ({place}): {_described(value, True)}" for place, value in enumerate(self))

    def __call__(self, *_args: Any, **_kwargs: Any) -> Any:
        raise LayerShapeError("ParameterList should not be called.")


class ParameterDict(Module):
    """A dict of parameters by name; tensors become parameters, and other values stay what they are, and are no state.

    It keeps the order in which names came; those of a plain dict come sorted, as in PyTorch.
    Errors: TypeError for a name that is no string, KeyError for one that cannot be used.
    """

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def _name(self, key: Any) -> str:
        if not isinstance(key, str):
            raise ModuleAssignmentError(
                "Index given to ParameterDict cannot be used as a key as it is not a string (type is "
                f"{type(key).__name__!r})."
            )
        return key

    def __getitem__(self, key: str) -> Any:
        return getattr(self, self._name(key))

    def __setitem__(self, key: str, value: Any) -> None:
        setattr(self, self._name(key), _kept(value))
        self._keys = {**self._keys, key: None}

    def __delitem__(self, key: str) -> None:
        if self._name(key) not in self._keys:
            raise KeyError(key)
        self._keys = {name: None for name in self._keys if name != key}
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self._keys))

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __or__(self, other: Any) -> ParameterDict:
        joined = self.copy()
        joined.update(other)
        return joined

    def __ror__(self, other: Any) -> ParameterDict:
        joined = ParameterDict(other)
        joined.update(self)
        return joined

    def __ior__(self, other: Any) -> ParameterDict:
        self.update(other)
        return self

    def copy(self) -> ParameterDict:
        """Another dict of the same values."""
        return ParameterDict(OrderedDict(self.items()))

    def get(self, key: str, default: Any = None) -> Any:
        """The value of that name, or the default."""
        return self[key] if key in self else default

    def setdefault(self, key: str, default: Any = None) -> Any:
        """The value of that name, which is the default from now on if there was none."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        """Takes all values out."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key: str) -> Any:
        """The value of that name, which is taken out. Errors: AttributeError for a name that is not there."""
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        """The last name and its value, which are taken out. Errors: KeyError where there is none."""
        if not self._keys:
            raise KeyError("popitem(): the ParameterDict is empty")
        key = list(self._keys)[-1]
        return key, self.pop(key)

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """A dict of these names, each with the default."""
        return ParameterDict((key, default) for key in keys)

    def keys(self) -> Any:
        """The names."""
        return self._keys.keys()

    def values(self) -> Iterable[Any]:
        """The values."""
        return [self[key] for key in self._keys]

    def items(self) -> Iterable[tuple[str, Any]]:
        """The values with their names."""
        return [(key, self[key]) for key in self._keys]

    def update(self, parameters: Any) -> None:
        """Takes in values by name, from a mapping or from pairs; those of the same name give way.

        Errors: TypeError for what is neither, ValueError for an item that is no pair.
        """
        if not isinstance(parameters, Iterable):
            raise ModuleAssignmentError(
                "ParameterDict.update should be called with an iterable of key/value pairs, but got "
                f"{type(parameters).__name__}"
            )
        if isinstance(parameters, (OrderedDict, ParameterDict)):
            parameters = list(parameters.items())
        elif isinstance(parameters, Mapping):
            parameters = sorted(parameters.items())
        for place, pair in enumerate(parameters):
            if not isinstance(pair, Iterable):
                raise ModuleAssignmentError(
                    f"ParameterDict update sequence element #{place} should be Iterable; is {type(pair).__name__}"
                )
            found = tuple(pair)
            if len(found) != 2:
                raise LayerArgumentError(
                    f"ParameterDict update sequence element #{place} has length {len(found)}; 2 is required"
                )
            self[found[0]] = found[1]

    def extra_repr(self) -> str:
        """A line for each value."""
        return "\n".join(f"  ({key}): {_described(value, False)}" for key, value in self.items())

    def __call__(self, *_args: Any, **_kwargs: Any) -> Any:
        raise LayerShapeError("ParameterDict should not be called.")
