"""Keeping what is saved for backward in the host's memory: `save_on_cpu`."""

from __future__ import annotations

from ..tensor.tensor import Tensor
from .hook_contexts import saved_tensors_hooks

Packed = tuple[str, Tensor]
"""The device a tensor came from, and its elements in the host's memory."""


class save_on_cpu(saved_tensors_hooks):  # noqa: N801
    """A context in which tensors saved for backward lie in the host's memory, and come back to their device for it.

    Dtype, shape and layout stay what they are. A tensor that is on the CPU is not copied: what is kept shares its
    memory, and as under any saved-tensor hooks a later write to it goes unnoticed.
    pin_memory, device_type: taken as PyTorch takes them. Nothing depends on them: what is kept is not page-locked,
    and goes by way of memory that is.
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        self.pin_memory = pin_memory
        self.device_type = device_type
        super().__init__(_pack, _unpack)


def _pack(tensor: Tensor) -> Packed:
    # Without history: a result that its own node saves would otherwise keep that node, and thus itself, alive.
    return tensor.device, tensor.detach().cpu()


def _unpack(packed: Packed) -> Tensor:
    device, kept = packed
    return kept.to(device)
