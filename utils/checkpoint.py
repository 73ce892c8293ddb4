"""Checkpoints, as PyTorch's programs import them: ``from guardlift.utils.checkpoint import checkpoint``.

They are those of `guardlift.autograd`.
"""

from ..autograd import CheckpointError, checkpoint, checkpoint_sequential

__all__ = ["CheckpointError", "checkpoint", "checkpoint_sequential"]
