"""Parameters and buffers whose sizes are not known yet."""

from __future__ import annotations

from typing import Any

from ..core.dtypes import DType
from .creation import empty
from .parameter import Parameter
from .promotion import get_default_dtype
from .tensor import Tensor, _become

# Note [Tensors without memory]
# A tensor that is not initialized has all that a tensor has, but for its array: whatever asks for that is told so.


class UninitializedError(ValueError):
    """A parameter or a buffer was used before its sizes were known."""


class Uninitialized(Tensor):
    """The base of parameters and buffers without sizes; they have a dtype, a device, and nothing else."""

    _like: dict[str, Any]

    def _empty(self, device: Any, dtype: DType | None) -> None:
        fresh = empty(0, device=device, dtype=dtype or get_default_dtype())
        _become(self, fresh)
        self._like = {"device": fresh.device, "dtype": fresh.dtype}
        del self._array

    def __getattr__(self, name: str) -> Any:
        if name == "_array":
            raise UninitializedError(
                f"Attempted to use an uninitialized {self._kind}: its sizes are not known yet. Call the lazy module "
                "with a batch first, which initializes it"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    _kind = "buffer"

    @property
    def shape(self) -> Any:
        """Errors: RuntimeError, since there is none yet."""
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
            "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` "
            "to initialize the parameters before accessing their attributes."
        )

    ndim = shape  # type: ignore[assignment]

    @property
    def dtype(self) -> DType:
        """The element type that it will have."""
        return self._like["dtype"]  # type: ignore[no-any-return]

    @property
    def device(self) -> Any:
        """The device on which its elements will lie."""
        return self._like["device"]

    def converted(self, device: Any = None, dtype: DType | None = None) -> Uninitialized:
        """Itself, whose elements will lie on another device, or have another dtype if floats were to come."""
        self._like["device"] = empty(0, device=device).device if device is not None else self.device
        self._like["dtype"] = dtype if dtype is not None and self.dtype.is_float else self.dtype
        return self

    def detach(self) -> Any:
        """Itself."""
        return self

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def _repr_html_(self) -> None:
        """None, so that a notebook shows the text."""

    def __reduce_ex__(self, protocol: Any = None) -> tuple[Any, ...]:
        return _made, (type(self), self.requires_grad, self._like["device"], self._like["dtype"])

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            memo[id(self)] = _made(type(self), self.requires_grad, self._like["device"], self._like["dtype"])
        return memo[id(self)]


def _made(kind: type[Any], requires_grad: bool, device: Any, dtype: DType) -> Any:
    return kind(requires_grad=requires_grad, device=device, dtype=dtype)


class UninitializedParameter(Uninitialized, Parameter):
    """A parameter whose sizes are not known yet. `materialize` makes it a parameter, and the same object stays."""

    _kind = "parameter"

    def __init__(self, requires_grad: bool = True, device: Any = None, dtype: DType | None = None) -> None:
        self._empty(device, dtype)
        self._requires_grad = requires_grad

    def materialize(self, shape: Any, device: Any = None, dtype: DType | None = None) -> None:
        """Makes it a parameter of this shape, whose elements are anything."""
        made = empty(tuple(shape), device=device or self.device, dtype=dtype or self.dtype)
        requires_grad = self._requires_grad
        self.__class__ = Parameter  # type: ignore[assignment]
        vars(self).pop("_like")
        _become(self, made)
        self.requires_grad_(requires_grad)


class UninitializedBuffer(Uninitialized):
    """A buffer whose sizes are not known yet. A lazy module puts a tensor in its place."""

    def __init__(
        self, requires_grad: bool = False, device: Any = None, dtype: DType | None = None, persistent: bool = True
    ) -> None:
        self._empty(device, dtype)
        self._requires_grad = requires_grad
        self.persistent = persistent


def is_lazy(value: Any) -> bool:
    """Whether a value is a parameter or a buffer whose sizes are not known yet."""
    return isinstance(value, Uninitialized)
