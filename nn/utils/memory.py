"""Modules whose parameters are made without being filled, or lie in memory in another order."""

from __future__ import annotations

import inspect
from typing import Any, TypeVar

from ...tensor.conversion import in_format
from ...tensor.layouts import MemoryFormat
from .. import init
from ..errors import LayerShapeError
from ..module import Module
from ..modules.convolution import Conv2d, Conv3d, ConvTranspose2d, ConvTranspose3d

M = TypeVar("M", bound=Module)


def skip_init(module_cls: type[M], *args: Any, **kwargs: Any) -> M:
    """``module_cls(*args, **kwargs)``, whose parameters are not drawn: what they hold is anything.

    The functions of `nn.init` that its `__init__` calls do nothing.
    Errors: RuntimeError for what is no class of modules, or one whose `__init__` takes no `device`.
    """
    if not (isinstance(module_cls, type) and issubclass(module_cls, Module)):
        raise LayerShapeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise LayerShapeError("Module must support a 'device' arg to skip initialization")
    with init.skipped():
        return module_cls(*args, **kwargs)


def convert_conv2d_weight_memory_format(module: M, memory_format: MemoryFormat) -> M:
    """`module`, with the weights of all its convolutions of pictures lying in an order of memory.

    The kernels read any order: what changes is `stride()`, and no element.
    """
    return _converted(module, memory_format, (Conv2d, ConvTranspose2d))


def convert_conv3d_weight_memory_format(module: M, memory_format: MemoryFormat) -> M:
    """`module`, with the weights of all its convolutions of volumes lying in an order of memory."""
    return _converted(module, memory_format, (Conv3d, ConvTranspose3d))


def _converted(module: M, memory_format: MemoryFormat, kinds: tuple[type, ...]) -> M:
    for each in module.modules():
        if isinstance(each, kinds):
            weight: Any = each.weight
            weight.data = in_format(weight.detach(), memory_format)
    return module
