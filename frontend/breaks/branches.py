"""Breaks at branches on the data of tensors; why such a branch, or a loop over tensors, is not one operation."""

from __future__ import annotations

from .graph_break import BreakKind

TENSOR_BRANCH = BreakKind(
    "B104",
    "a branch on the data of a tensor, because of {reason}",
    "Both arms of such a branch become one operation, and must leave the same things behind",
    "let both arms give tensors of one form and do nothing else, use where(condition, a, b), or move the branch "
    "outside the jitted function",
)
PART_WRITE = BreakKind(
    "B350",
    "a write into {memory}",
    "A branch or a loop that is one operation gives new tensors, and writes into none",
    "compute a new tensor instead of writing in place: `y = y + 1`, not `y += 1`",
    in_part=True,
)
PART_CHANGE = BreakKind(
    "B351",
    "a change of an object that is no tensor ({name})",
    "A branch or a loop that is one operation gives tensors, and changes no objects",
    "change the object behind the branch or the loop, by tensors or numbers that it gives",
    in_part=True,
)
PART_BINDING = BreakKind(
    "B352",
    "{name}, which {binds}",
    "What a variable holds behind the branch or the loop must not depend on the data",
    "bind the variable before the branch or the loop, to a tensor like the later one",
    in_part=True,
)
ARM_FORM = BreakKind(
    "B353",
    "{name}, of another {form} in one arm",
    "Both arms must give tensors of one shape, dtype and layout, either of which requires grad or neither",
    "bring both to one form: `y.to(t.dtype)`, `y.expand(t.shape)`, `y.contiguous()`, `y.detach()`",
    in_part=True,
)
ARM_VALUE = BreakKind(
    "B354",
    "{name}, which {what}",
    "What depends on the data is known at run time only, and the graph holds tensors and floats",
    "make it a tensor in both arms, and before the branch: `k = gl.tensor(0.0)`",
    in_part=True,
)
PART_ALIAS = BreakKind(
    "B355",
    "{what}",
    "A branch or a loop that is one operation gives new tensors, each with memory of its own",
    "make it a tensor of its own: `y = t.clone()`",
    in_part=True,
)
ARM_GRADIENTS = BreakKind(
    "B356",
    "gradients that go to other tensors in one arm than in the other",
    "Eager mode gives no gradient to a tensor that the taken arm does not use, and the operation gives one to both",
    "use where(condition, a, b), which computes both arms and gives zeros as the gradient of the other one",
    in_part=True,
)
PART_RAISES = BreakKind(
    "B357",
    "an operation that may end the call",
    "An index that is a tensor may be out of range, and then Python has to raise the error at its place",
    "take this operation before the branch or the loop: `picked = t[index]`",
    in_part=True,
)
PART_DRAW = BreakKind(
    "B358",
    "{what} in a loop that is compiled as one, or in one of two arms",
    "How many numbers a generator has given behind it must not depend on the data; rounds draw from one, of tensors",
    "draw them before: `noise = gl.rand(2)` for a branch, `noise = gl.rand(n, 2)` and `noise[k]` for a loop",
    in_part=True,
)
PART_GRADIENT = BreakKind(
    "B359",
    "a gradient taken in a loop or a branch that is compiled as one",
    "Gradients are the business of the whole call",
    "let the branch choose the loss, and take the gradient behind it: `loss = loss * (loss.detach() < limit)`",
    in_part=True,
)
PART_MODE = BreakKind(
    "B360",
    "{mode}",
    "A part that is one operation is recorded as a whole, or not at all",
    "put the whole loop or branch below `with gl.no_grad():`, or detach() its results",
    in_part=True,
)
LOOP_EXIT = BreakKind(
    "B361",
    "a loop that is left early, or goes on early with the next round",
    "How many iterations there are must be known before the first one, and each does all of the body",
    "compute all iterations, and keep the results of those that count: `h = gl.where(done, h, new)`",
    in_part=True,
)
LOOP_PARTS = BreakKind(
    "B362",
    "{what}",
    "Each iteration may write the part that bears its number, once, and read none of them",
    "append the tensor to a list in each iteration, and gl.stack() the list behind the loop",
    in_part=True,
)
LOOP_LIST = BreakKind(
    "B363",
    "{what}",
    "A list to which iterations append is stacked behind the loop, and is not there before",
    "keep what the next iteration reads in a variable, and append it to a list that is only read behind the loop",
    in_part=True,
)
LOOP_VARIABLE = BreakKind(
    "B364",
    "{name}, which {what}",
    "What a variable holds from iteration to iteration must be a tensor of one form, or a float",
    "make it a tensor of one shape and dtype, before the loop too: `n = gl.tensor(0)`",
    in_part=True,
)
LOOP_NUMBER = BreakKind(
    "B365",
    "{operation} on a number of which only the run knows the value",
    "One operation stands for all iterations, so the number of the iteration is known to none",
    "let tensors hold what depends on it: `ks = gl.arange(n)` before the loop and "
    "`gl.where(ks[k] % 5 == 0, a, b)` in it",
    in_part=True,
)
