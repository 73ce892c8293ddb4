"""The errors of modules, each also the built-in error that a caller would catch."""

from __future__ import annotations

from ..core.errors import GuardliftError


class ModuleAttributeError(GuardliftError, AttributeError):
    """A module has no attribute of that name, or its `__init__` has not run yet."""


class ModuleAssignmentError(GuardliftError, TypeError):
    """An attribute that holds a parameter, buffer or module was given something of another kind."""


class ModuleNameError(GuardliftError, KeyError):
    """A parameter, buffer or module was registered under a name that cannot be used."""

    def __str__(self) -> str:
        return str(self.args[0])


class ModuleConversionError(GuardliftError, TypeError):
    """`Module.to` was asked for something that parameters cannot become."""


class StateDictError(GuardliftError, RuntimeError):
    """A state dict does not fit the module it is loaded into; the text lists every key that is wrong."""


class BackwardHookError(GuardliftError, RuntimeError):
    """A backward hook of a module gave something that cannot take the place of the gradients."""


class LayerArgumentError(GuardliftError, ValueError):
    """A layer, loss or functional was given an argument that it does not take."""


class LayerShapeError(GuardliftError, RuntimeError):
    """The shapes of what a layer or a loss was given do not fit together."""


class LayerShapeArgumentError(LayerShapeError, ValueError):
    """An input of a layer has the wrong number of axes."""


class TargetShapeError(LayerShapeError, ValueError):
    """The target of a loss does not have the shape that its input asks for."""


class LayerDtypeError(GuardliftError, RuntimeError):
    """A layer or a loss was given tensors of several dtypes."""


class PackedLengthError(GuardliftError, RuntimeError):
    """The lengths of sequences do not fit the batch that holds them."""


class AttentionShapeError(GuardliftError, AssertionError):
    """The shapes that attention of several heads was given do not fit together."""


class EmbeddingTypeError(GuardliftError, TypeError):
    """An embedding was given something else than tensors."""


class PaddingIndexError(GuardliftError, AssertionError):
    """The row that an embedding is to leave alone is not there."""


class NonFiniteError(GuardliftError, RuntimeError):
    """Gradients cannot be clipped: their norm is infinite or no number at all."""


class UnflattenSizeError(GuardliftError, TypeError):
    """The sizes that an axis is to be split into are no tuple of ints."""


class LazyModuleError(GuardliftError, RuntimeError):
    """A lazy module has parameters or buffers that its first input does not give sizes."""


class GradientRoundError(GuardliftError, RuntimeError):
    """Processes cannot average gradients: a parameter got none, or got one when it was not expected."""


class ParametersDifferError(GuardliftError, RuntimeError):
    """The modules that processes want to train together have other parameters or buffers."""


class WrappedModuleError(GuardliftError, RuntimeError):
    """A module, or the way it is to be trained by several processes, is not one that can be."""


class EarlyEndError(GuardliftError, RuntimeError):
    """A process had no more batches while others had, which was asked to be an error."""
