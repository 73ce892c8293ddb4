"""Breaks at tensors, their gradients and what has a say in these."""

from __future__ import annotations

from .calls import MANAGER
from .graph_break import BreakKind
from .program import RUNNING_LOOP

INPLACE_HISTORY = BreakKind(
    "B405",
    "an in-place write into {name}, whose memory has a history under another name, or was viewed with grad mode off",
    "Whose gradient the write changes is eager mode's to decide",
    "write into a clone(), or out of place",
)
SAVED_CHANGED = BreakKind(
    "B406",
    "a backward() through {name}, saved for it and modified in place since",
    "Eager mode raises, or goes on with the value that was saved, by the version of each saved tensor",
    "do the in-place operation after backward(), or out of place",
)
TENSOR_FEATURE = BreakKind(
    "B407",
    "{feature}",
    "Guardlift has no compiled form of it yet",
    "do this before or after the jitted function",
)
DEVICE = BreakKind(
    "B408",
    "{why}, and the graph is for a device",
    "Kernels for devices do not cover it yet",
    "keep it, or the tensors on the device, outside the jitted function",
)
OUTSIDE_HISTORY = BreakKind(
    "B409",
    "{name} through the history of a tensor that existed before",
    "The tensor was computed before this part of the function, so its history is the engine's to walk; what was "
    "compiled of it runs compiled there",
    "nothing to do where another graph break stands between forward and backward: that one is the cause; else compute "
    "the loss in the jitted function",
)
HOOKS_NOT_INLINED = BreakKind(
    "B410",
    "{what} that are not marked by autograd.graph.inlineable",
    "Hooks on saved tensors run user code at each saved tensor, in forward and in backward",
    "mark both hooks with @gl.autograd.graph.inlineable where they only compute, or enter the context around the call",
)
ANOMALY_MODE_ON = BreakKind(
    "B411",
    "a gradient in anomaly mode",
    "Anomaly mode keeps the traceback of each operation and asks each gradient for NaN, which eager mode does",
    "leave detect_anomaly() off around jitted calls, and debug with gl.config.disable",
)
WRITE_NEEDED = BreakKind(
    "B412",
    "a write into {name}, which backward() needs{as_it_was}",
    "A backward pass outside the call would not see whether the tensor is written once more",
    "call backward() in the jitted function too; or, where the caller does not look at the tensor, write out of place: "
    "`x = x + 1`",
)
RETURNED_VIEW = BreakKind(
    "B413",
    "returning {what}",
    "Outside the call, what shares memory shares a history too, which eager mode has to build",
    "return a copy: `y[0].clone()`",
)
TENSOR_OF_TENSORS = BreakKind(
    "B414",
    "a tensor made of Python data",
    "Of a list, a graph knows numbers and tensors of one element",
    "join the tensors: `gl.stack([a, b])`, or pass a list of numbers",
)
LATE_HOOK = BreakKind(
    "B415",
    "a hook on {tensor}",
    "What was computed before does not pass by the hook, which eager mode keeps apart",
    "register the hook right behind what makes the tensor, before any use of it",
)
CUSTOM_TWICE = BreakKind(
    "B416",
    "a gradient with create_graph=True through a custom autograd.Function",
    "The function's backward is differentiated as eager mode records it",
    "write what the custom function computes with ordinary operations, whose second derivatives are known",
)
BACKWARD_EFFECT = BreakKind(
    "B417",
    "a custom backward, called from outside, that {does}",
    "It runs after the call has ended, when objects may be others than those of the call",
    "call backward() in the jitted function too, or let the custom backward only compute gradients",
)
BACKWARD_DRAW = BreakKind(
    "B418",
    "random numbers drawn in a backward that is called from outside",
    "The generator stands elsewhere by then",
    "call backward() in the jitted function too, or draw the numbers in forward and save them for backward",
)
HALF_TWICE = BreakKind(
    "B419",
    "a gradient with create_graph=True of operations on float16 or bfloat16",
    "Eager mode rounds after each operation of the backward pass, which is recorded without",
    "take the second derivative in float32: `w = w.float()` before",
)
DATA_SETTER = BreakKind(
    "B420",
    "setting Tensor.data {where}",
    "It gives the tensor other memory than its views have, and the graph would not know whose gradient that is",
    "write into the memory that is there: `with gl.no_grad(): w.copy_(value)`; or, of a part, give a `clone()` of it",
)
WARNING_GIVEN = BreakKind(
    "B421",
    "what gives a warning ({text})",
    "Python gives the warning, at its line, once or at each call, as the filters say",
    "write the call so that nothing is warned of: bring operands to one shape and dtype before",
)
INNER_INPUTS = BreakKind(
    "B422",
    "backward(inputs=...) of a tensor that is no leaf",
    "Its gradient is added to a .grad that no later code is known to read",
    "use `gl.autograd.grad(loss, [y])`, which returns the gradient",
)
RUN_AGAIN = BreakKind(
    "B423",
    "{name}",
    "It runs the function that it is given again, and not a graph of it",
    "call it outside, and give it a jitted function: `checkpoint(jitted, x)`",
)
BACKWARD_OUTSIDE = BreakKind(
    "B427",
    "autograd.checkpoint, with a backward pass outside of the call",
    "The function runs again in that backward pass; it is compiled for itself if all it does is compute",
    "jit the whole step with its backward pass, which is one graph then",
)
CLOSURE_AGAIN = BreakKind(
    "B428",
    "{name}, which calls its closure as often as the losses ask for",
    "How often is known only when they are computed; the closure, given by position, is compiled for itself",
    "call the step outside of jitted functions, with a closure that is jitted once",
)
LEAF_FLAG = BreakKind(
    "B424",
    "requires_grad_() on {name}, of which code outside the call sees more than the flag",
    "Views of one memory have the flag together, and a history that leaves the call would be made before it is set",
    "call requires_grad_() before the jitted function, or on a copy: `x.detach().clone().requires_grad_()`",
)
SHARED_VIEW = BreakKind(
    "B425",
    "a gradient for a view that has views, or of which there is another one",
    "Eager mode gives each view a history of its own, and compiled code one to all views of the same elements",
    "take the gradient for a copy: `a = y[0].clone()`",
)
HOST_DATA = BreakKind(
    "B426",
    "Tensor.{name}",
    "It hands the data to NumPy or Python, and then nothing is known of them",
    "call it on what the jitted function returns, and compute with functions of tensors inside",
)

CONSEQUENCES = (OUTSIDE_HISTORY, MANAGER, RUNNING_LOOP)
"""The kinds of break that occur behind another break only because that one made two parts of one computation."""
