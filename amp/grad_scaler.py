"""`GradScaler`: losses multiplied so that small gradients do not vanish, and no step along what has overflowed."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

from ..autograd.modes import no_grad
from ..core import dtypes
from ..core.errors import GuardliftError
from ..runtime.cuda import is_available
from ..tensor import Tensor
from ..tensor.creation import full
from ..tensor.pointwise import isfinite, where

READY, UNSCALED, STEPPED = "ready", "unscaled", "stepped"
"""The stages of an optimizer between two updates."""


class ScalerError(GuardliftError, RuntimeError):
    """A method of a GradScaler was called at a time at which it cannot do its work."""


class ScalerUseError(GuardliftError, AssertionError):
    """A GradScaler was used before the loss was scaled, or with settings that make no sense."""


class ScalerArgumentError(GuardliftError, ValueError):
    """A GradScaler was given something other than tensors, or gradients that it cannot unscale."""


class GradScaler:
    """Scales losses, unscales gradients, and leaves out steps whose gradients are not finite.

    Its scale grows by `growth_factor` after `growth_interval` steps in a row, and falls by `backoff_factor` after one
    that was left out. With enabled=False everything passes through; so it is on "cuda" where there is no CUDA.
    Errors: ScalerUseError (an AssertionError) for a growth_factor of at most 1, or a backoff_factor of at least 1.
    """

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device = device
        self._enabled = enabled
        if enabled and device == "cuda" and not is_available():
            warnings.warn("GradScaler is enabled for CUDA, but CUDA is not available. Disabling", stacklevel=2)
            self._enabled = False
        if self._enabled and growth_factor <= 1.0:
            raise ScalerUseError(f"the growth factor is to be above 1, got {growth_factor}")
        if self._enabled and backoff_factor >= 1.0:
            raise ScalerUseError(f"the backoff factor is to be below 1, got {backoff_factor}")
        self._init_scale = init_scale
        self._init_growth_tracker = 0
        self._scale: Tensor | None = None
        self._growth_tracker: Tensor | None = None
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._stages: dict[Any, str] = {}
        self._found_inf: dict[Any, Tensor] = {}

    def scale(self, outputs: Any) -> Any:
        """`outputs`, a tensor or an iterable of such, multiplied by the scale."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            if self._scale is None:
                self._begin(outputs)
            return outputs * self._scale.to(outputs.device)  # type: ignore[union-attr]
        if not isinstance(outputs, Iterable):
            raise ScalerArgumentError(f"scale() takes a tensor or an iterable of them, got {type(outputs).__name__}")
        scaled = [self.scale(each) for each in outputs]
        return scaled if isinstance(outputs, list) else type(outputs)(scaled) if isinstance(outputs, tuple) else scaled

    def unscale_(self, optimizer: Any) -> None:
        """Divides the gradients of an optimizer by the scale, in place; `step` does so if this was not called.

        Errors: ScalerError when it was called already, or the step was made; ScalerArgumentError for gradients in
        float16, which the scale may leave without their smallest elements.
        """
        if not self._enabled:
            return
        scale = self._begun("unscale_")
        stage = self._stages.get(optimizer, READY)
        if stage == UNSCALED:
            raise ScalerError("unscale_() has already been called on this optimizer since the last update().")
        if stage == STEPPED:
            raise ScalerError("unscale_() is being called after step().")
        inverse = scale.double().reciprocal().float()
        self._found_inf[optimizer] = unscaled(optimizer, inverse)
        self._stages[optimizer] = UNSCALED

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """The result of ``optimizer.step(*args, **kwargs)``; None where a gradient is not finite, and no step is made.

        Errors: ScalerError with a closure, and for a second step without an update() between.
        """
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise ScalerError("Closure use is not currently supported if GradScaler is enabled.")
        self._begun("step")
        stage = self._stages.get(optimizer, READY)
        if stage == STEPPED:
            raise ScalerError("step() has already been called since the last update().")
        if stage == READY:
            self.unscale_(optimizer)
        result = step_unless(self._found_inf[optimizer], optimizer, *args, **kwargs)
        self._stages[optimizer] = STEPPED
        return result

    def update(self, new_scale: float | Tensor | None = None) -> None:
        """Makes the scale grow or fall by what the steps since the last update have met, or sets it to `new_scale`."""
        if not self._enabled:
            return
        scale = self._begun("update")
        tracker = self._growth_tracker
        assert tracker is not None
        with no_grad():
            if new_scale is not None:
                self._set(scale, new_scale)
            else:
                if not self._found_inf:
                    raise ScalerUseError("No inf checks were recorded prior to update.")
                found = [each.to(scale.device) for each in self._found_inf.values()]
                total = found[0]
                for each in found[1:]:
                    total = total + each
                self._grow_or_fall(scale, tracker, total > 0)
        self._stages.clear()
        self._found_inf.clear()

    def get_scale(self) -> float:
        """The scale as a float; 1.0 when scaling is off."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else float(self._scale.item())

    def get_growth_factor(self) -> float:
        """The factor by which the scale grows."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Sets the factor by which the scale grows."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """The factor by which the scale falls."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Sets the factor by which the scale falls."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """The number of steps in a row after which the scale grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Sets the number of steps in a row after which the scale grows."""
        self._growth_interval = new_interval

    def is_enabled(self) -> bool:
        """Whether it scales at all."""
        return self._enabled

    def state_dict(self) -> dict[str, Any]:
        """The scale, the settings and the count of steps since the scale changed; empty when scaling is off."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._get_growth_tracker(),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict` gave. Errors: ScalerError for an empty one, of a scaler that was off."""
        if not self._enabled:
            return
        if not state_dict:
            raise ScalerError("The source state dict is empty, possibly because it was saved from a disabled instance")
        scale, tracker = float(state_dict["scale"]), int(state_dict["_growth_tracker"])
        factors = state_dict["growth_factor"], state_dict["backoff_factor"], state_dict["growth_interval"]
        self._init_scale, self._init_growth_tracker = scale, tracker
        self._growth_factor, self._backoff_factor, self._growth_interval = factors
        if self._scale is not None and self._growth_tracker is not None:
            self._scale.fill_(scale)
            self._growth_tracker.fill_(tracker)

    def __getstate__(self) -> dict[str, Any]:
        if self._found_inf:
            raise ScalerUseError("A GradScaler may be pickled before the loss is scaled, or after update().")
        scale, tracker = self.get_scale(), self._get_growth_tracker()
        fresh = {"_init_scale": scale, "_init_growth_tracker": tracker, "_scale": None, "_growth_tracker": None}
        return {**self.__dict__, **fresh}

    def _get_growth_tracker(self) -> int:
        if not self._enabled:
            return 0
        return self._init_growth_tracker if self._growth_tracker is None else int(self._growth_tracker.item())

    def _begin(self, like: Tensor) -> None:
        self._scale = full((), self._init_scale, dtype=dtypes.float32, device=like.device)
        self._growth_tracker = full((), self._init_growth_tracker, dtype=dtypes.int32, device=like.device)

    def _begun(self, name: str) -> Tensor:
        if self._scale is None:
            raise ScalerUseError(
                f"Attempted {name} but _scale is None.  This may indicate your script did not use "
                "scaler.scale(loss or outputs) earlier in the iteration."
            )
        return self._scale

    def _set(self, scale: Tensor, new_scale: float | Tensor) -> None:
        if isinstance(new_scale, Tensor):
            if new_scale.numel() != 1 or new_scale.requires_grad:
                raise ScalerUseError("new_scale is a float, or a tensor of one element that does not require grad")
            scale.copy_(new_scale.reshape(()))
        else:
            scale.fill_(float(new_scale))

    def _grow_or_fall(self, scale: Tensor, tracker: Tensor, found: Tensor) -> None:
        count = tracker + 1
        full_row = count == self._growth_interval
        grown = scale * self._growth_factor
        grown = where(full_row & isfinite(grown), grown, scale)
        scale.copy_(where(found, scale * self._backoff_factor, grown))
        tracker.copy_(where(found | full_row, 0, count))


def unscaled(optimizer: Any, inverse: Tensor) -> Tensor:
    """1.0 where an element of a gradient is not finite, else 0.0, after all were multiplied by `inverse` in place."""
    found = full((), 0.0, dtype=dtypes.float32, device=inverse.device)
    with no_grad():
        for group in optimizer.param_groups:
            for param in group["params"]:
                grad = param.grad
                if grad is None:
                    continue
                if grad.dtype is dtypes.float16:
                    raise ScalerArgumentError("Attempting to unscale FP16 gradients.")
                values = grad._values() if grad.is_sparse else grad
                finite = isfinite(values).all().to(inverse.device)
                found = where(finite, found, 1.0)
                values.mul_(inverse.to(values.device))
    return found


def step_unless(found_inf: Tensor, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
    """The result of the optimizer's step, which is made unless `found_inf` is set; None where it is not."""
    if found_inf.item():
        return None
    return optimizer.step(*args, **kwargs)
