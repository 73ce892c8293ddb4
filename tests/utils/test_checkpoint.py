"""Checkpoints and parameters are found under the names that PyTorch's programs import them by."""

from __future__ import annotations

import guardlift as gl
from guardlift.autograd import checkpoint
from guardlift.nn.parameter import Parameter, UninitializedParameter
from guardlift.utils.checkpoint import checkpoint as imported
from guardlift.utils.checkpoint import checkpoint_sequential


def test_the_names_of_pytorchs_modules_lead_to_what_they_are_elsewhere() -> None:
    assert imported is checkpoint is gl.utils.checkpoint.checkpoint
    assert checkpoint_sequential is gl.autograd.checkpoint_sequential
    assert (Parameter, UninitializedParameter) == (gl.nn.Parameter, gl.nn.UninitializedParameter)
