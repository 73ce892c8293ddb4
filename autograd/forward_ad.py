"""Forward mode: tensors that carry a tangent, the derivative along a direction, through what is computed of them."""

# Note [Duals]
# A dual tensor is a leaf, or a clone, of its own on the tape, and its tangent is kept by the level. The tangent
# of what was computed of it is found when it is asked for, by two passes backward over what was recorded (see the note
# in `functional`): so it is exact wherever gradients are, it goes with a tensor through saved-tensor hooks and views,
# and it can be differentiated again. The price is that a dual requires grad, and that nothing may turn recording off.

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any, NamedTuple

from ..core.errors import NoArrayError
from ..tensor.dispatch import named_type
from ..tensor.tensor import Tensor
from .functional_tensors import tangents_between
from .modes import MODES, ModeContext, enable_grad
from .outside import leading_outside, pass_over

__all__ = ["UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual"]


class UnpackedDualTensor(NamedTuple):
    """The parts of a dual tensor; `tangent` is None where nothing is carried."""

    primal: Tensor
    tangent: Tensor | None


class _Duals(threading.local):
    made: list[tuple[Tensor, Tensor]] | None = None
    recorded: bool = True
    """Whether operations were recorded before the level began."""


_DUALS = _Duals()
"""The dual tensors of this thread's level, each with its tangent; None outside of any."""


def enter_dual_level() -> int:
    """Begins a level, in which tensors can be made dual; its number is 0. Operations are recorded within.

    Errors: RuntimeError inside of one, and in inference mode.
    """
    if MODES.inference:
        raise RuntimeError("forward mode goes by what is recorded, and inference mode records nothing: leave it first")
    if _DUALS.made is not None:
        raise RuntimeError(
            "Nested forward mode AD is not supported at the moment: use gl.func.jvp, which can be nested, for the "
            "inner one"
        )
    _DUALS.made, _DUALS.recorded = [], MODES.grad_enabled
    MODES.grad_enabled = True
    MODES.tangents += 1
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    """Ends the level; its dual tensors carry nothing any more. Errors: RuntimeError outside of one."""
    made = _made(level)
    pass_over(dual for dual, _ in made if dual.is_leaf)
    _DUALS.made = None
    MODES.grad_enabled = _DUALS.recorded
    MODES.tangents -= 1


class dual_level(ModeContext):  # noqa: N801
    """A context, or a decorator, under which tensors can be made dual."""

    __slots__ = ()

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        exit_dual_level()

    def clone(self) -> dual_level:  # type: ignore[override]
        """Another one."""
        return dual_level()


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """`tensor` with a tangent, of its shape, that is carried through what is computed of it.

    It requires grad, unlike PyTorch's. Errors: ValueError for elements that are no floats; RuntimeError outside of a
    level, for a tangent of another shape, and for a tensor that has a tangent already.
    """
    made = _made(
        level,
        "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first.",
    )
    for name, each in (("primal", tensor), ("tangent", tangent)):
        if not isinstance(each, Tensor):
            raise TypeError(f"make_dual(): argument {name!r} must be Tensor, not {named_type(each)}")
        if not each.dtype.is_differentiable:
            raise ValueError(f"Expected {name} to be floating point or complex, but got: {each.dtype}")
    if tangent.shape != tensor.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
            f"supported. Tensor is of size {list(tensor.shape)} while the given forward gradient is of size "
            f"{list(tangent.shape)}."
        )
    if unpack_dual(tensor).tangent is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level 0 is not "
            "supported."
        )
    _check_whole(tensor, tangent)
    with enable_grad():
        dual = tensor.clone() if tensor.requires_grad else tensor.detach().requires_grad_()
        made.append((dual, tangent.to(tensor.dtype)))
    return dual


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """A tensor and its tangent, None where it does not depend on a dual tensor, and outside of any level.

    What of the two depends on other leaves than those of dual tensors has its history.
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(f"unpack_dual(): argument 'tensor' must be Tensor, not {named_type(tensor)}")
    if _DUALS.made is None and level is None:
        return UnpackedDualTensor(tensor, None)
    made = _made(level)
    if not tensor.requires_grad or not made:
        return UnpackedDualTensor(tensor, None)
    _check_whole(tensor)
    own = [dual for dual, _ in made]
    with enable_grad():
        record = any((*leading_outside([tensor], own), *(tangent.requires_grad for _, tangent in made)))
        (tangent,) = tangents_between((tensor,), tuple(own), tuple(each for _, each in made), record)
    primal = tensor if leading_outside([tensor], own)[0] else tensor.detach()
    return UnpackedDualTensor(primal, tangent)


def _made(level: int | None, text: str = "") -> list[Any]:
    """The dual tensors of the level. Errors: RuntimeError where there is none, or it has another number."""
    if _DUALS.made is None and text:
        raise RuntimeError(text)
    if _DUALS.made is None or level not in (None, 0):
        raise RuntimeError(
            "Trying to access a forward AD level with an invalid index. This index was either not created or is "
            "already deleted."
        )
    return _DUALS.made


def _check_whole(*tensors: Tensor) -> None:
    """Errors: RuntimeError inside of `vmap`."""
    for each in tensors:
        try:
            each._array  # noqa: B018
        except NoArrayError:
            raise RuntimeError(
                "dual tensors are made of dense tensors, outside of vmap; inside of it use gl.func.jvp"
            ) from None
