"""Breaks at loops that are not compiled as one, and the reasons why a loop over elements is no native loop."""

from __future__ import annotations

from .graph_break import BreakKind

ARRAY_LOOP = BreakKind(
    "B107",
    "a loop on the value of an array ({name}) that is no native loop, because of {reason}",
    "The value is unknown while tracing, so any number of iterations is possible",
    "write the loop with what native loops know (see the documentation), or move it outside the jitted function",
)
LEFT_LOOP = BreakKind(
    "B313",
    "a loop over elements that is left to Python, because of {reason}",
    "A native loop has no form for that or gains nothing, and round by round such a loop is slower compiled than not",
    "take this statement out of the loop, or write it with what native loops know (see the documentation)",
)
LONG_TENSOR_LOOP = BreakKind(
    "B314",
    "a loop over tensors of more than {limit} iterations that is no single operation, because of {reason}",
    "Such a loop is unrolled, and loops are unrolled so far",
    "take this statement out of the loop, put the body in a jitted function and loop outside it, or raise "
    "gl.config.unroll_limit",
)
NO_FORM = BreakKind(
    "B330",
    "{what}",
    "Neither a native loop nor a loop or a branch over tensors has a form for it",
    "take this statement out of the loop or the branch, or write it with what these know (see the documentation)",
    in_part=True,
)
CHANGE_IN_LOOP = BreakKind(
    "B331",
    "a change of an object that is no array ({name})",
    "A native loop knows numbers and arrays alone",
    "store into an array that is made before the loop (`found[n] = value; n += 1`, or `counts[key] += 1`), and make "
    "lists, dicts and objects of it behind the loop",
    in_part=True,
)
LOOP_KIND = BreakKind(
    "B332",
    "{name}, which {what}",
    "A native loop gives each variable one type, that of a number or an array",
    "let the variable hold numbers of one type throughout: True and False or an int in place of a text or an object, "
    "0.0 in place of 0 where floats follow, x.dtype.type(0) where NumPy's numbers of another dtype follow",
    in_part=True,
)
LOOP_ARRAY = BreakKind(
    "B333",
    "{what}",
    "A variable of a native loop holds one array, of which each iteration has the elements",
    "write into the array that the variable holds (`y[:] = ...`, `y /= ...`) instead of binding it to another array",
    in_part=True,
)
LOOP_CALL = BreakKind(
    "B334",
    "{what}",
    "Native loops know arithmetic, the functions of math and those of NumPy that have a rule for elements or rows",
    "take the call out of the loop: before it for the whole array, with its results picked in the loop, or behind it",
    in_part=True,
)
LOOP_INSTRUCTION = BreakKind(
    "B335",
    "the instruction {name}",
    "A native loop computes with numbers and arrays, and makes no texts, objects or functions",
    "take this statement out of the loop: keep an attribute in a variable until the loop has ended, make texts and "
    "functions before it",
    in_part=True,
)
LOOP_SIZE = BreakKind(
    "B336",
    "{what}",
    "The memory of a native loop is laid out before the loop begins",
    "make an array of the largest size before the loop, and write into a slice of it (`y = room[:n]; y[:] = 0`)",
    in_part=True,
)
LOOP_INDEX = BreakKind(
    "B337",
    "{what}",
    "A native loop knows ints and slices as indices, and one mask or array of ints that stands alone",
    "take the slice or the element first, in a statement of its own, and apply one mask or array of ints to it "
    "(`column = a[:, k]; column[mask]`); make a number an int with int(k)",
    in_part=True,
)
LOOP_STORE = BreakKind(
    "B338",
    "storing {what}",
    "A store of a native loop writes numbers or an array of the shape that is written to, and of its kind",
    "store numbers, or an array of the same shape",
    in_part=True,
)
LOOP_OPTIONAL = BreakKind(
    "B339",
    "{what}",
    "Only the run knows whether there is a number",
    "mark what is missing by a number (`best = -1.0`) in place of None",
    in_part=True,
)
LOOP_TWO_KINDS = BreakKind(
    "B340",
    "{what}",
    "Only the run knows which of the two it is, and results differ in type",
    "make it one of them where it is bound: `best = float(x[k])`",
    in_part=True,
)
LOOP_ARITHMETIC = BreakKind(
    "B341",
    "{what}",
    "Python's ints have any size, and what such an operation gives may be of another type from value to value",
    "multiply by a power for a shift (`k * 2**n` for `k << n`), or compute with floats",
    in_part=True,
)
LOOP_COST = BreakKind(
    "B342",
    "a call of NumPy in rounds that do little else",
    "From a native loop, a call of NumPy costs more than from Python, and nothing else is gained",
    "nothing to do: Python runs the loop, which is the quickest; or call NumPy for the whole array, outside the loop",
    in_part=True,
)
LOOP_PICKS = BreakKind(
    "B343",
    "single elements that each round picks, between graph breaks",
    "To ask whether compiled code fits takes longer than Python takes to pick a few elements",
    "nothing to do: Python runs this part; or take what breaks the graph, which is told besides, out of the loop",
    in_part=True,
)
TENSOR_ELEMENT = BreakKind(
    "B344",
    "a tensor",
    "Native loops are for arrays of NumPy",
    "read what the loop needs of the tensor before it (`scale = t.sum().item()`), or hand `t.numpy()` to a jitted "
    "function that holds the loop",
    in_part=True,
)
