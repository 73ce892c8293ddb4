"""Where functions on tensors answer otherwise than PyTorch's of the same name, and why; one list for page and test.

`tests/tensor/test_answers.py` asks every function what PyTorch was asked, and each difference it finds must be one of
these; `docs/tables.py` writes them into guides/from_pytorch.md.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """One kind of difference.

    functions:  the names of those it concerns.
    words:      what differs, in the words of tests/tensor/answers/comparing.py, separated by commas.
    here, there: what guardlift does, and what PyTorch does.
    operands:   names of operands (tests/tensor/answers/operands.py), of which a case has one, or "number" for a Python
        number; none for all cases.
    part:       what the expression of a case contains.
    """

    functions: str
    words: str
    here: str
    there: str
    why: str
    operands: str = ""
    part: str = ""

    def covers(self, function: str, word: str, expression: str, operands: tuple[str, ...]) -> bool:
        """Whether a difference found in a case is of this kind."""
        asked = self.operands.split()
        named = not asked or any(
            each in asked or ("number" in asked and not each.isidentifier()) or ("nan" == each and "number" in asked)
            for each in operands
        )
        return (
            function in self.functions.split() and word in self.words.split(", ") and self.part in expression and named
        )


_COMPARISONS = "eq ne not_equal lt less le less_equal gt greater ge greater_equal"
_REDUCTIONS = "sum prod mean amax amin any all nansum nanmean logsumexp cumsum cumprod softmax log_softmax sort argsort"
_CASTS = "double half bfloat16 long int short char byte bool to"

_ARITHMETIC = (
    "add sub subtract mul multiply div divide true_divide floor_divide remainder fmod pow maximum minimum fmax fmin "
    "atan2 arctan2 hypot logaddexp logaddexp2 copysign xlogy logical_and logical_or logical_xor heaviside "
    "ldexp gcd lcm lerp"
)

DIFFERENCES = (
    # Numbers and dtypes that are taken.
    Difference(
        f"{_COMPARISONS} maximum minimum fmax fmin atan2 arctan2 atan2_ hypot hypot_ logaddexp copysign fmod rsub "
        "ldexp",
        "error",
        "takes a Python number for either operand",
        "TypeError where it is the first one, or where the function takes tensors alone",
        "There is one meaning that it can have.",
        operands="number",
    ),
    Difference(
        "gcd lcm nextafter logaddexp2",
        "error",
        "NotImplementedError for a Python number of the wrong kind",
        "TypeError for every Python number",
        "A number of the right kind is taken.",
        operands="number",
    ),
    Difference(
        "hypot_ atan2_ fmod",
        "error",
        "RuntimeError: the result cannot be cast to integers, or integers are divided by zero",
        "TypeError for the number",
        "The number is taken; what then fails is something else.",
        operands="number",
    ),
    Difference(
        _COMPARISONS,
        "value elements",
        "compares a Python number that the dtype cannot hold as the number it is: no uint8 is -1",
        "wraps the number around first: 255 == -1",
        "A comparison that is wrong helps nobody.",
        operands="u",
    ),
    Difference(
        "sum prod cumsum",
        "error",
        "adds up floats that require grad as integers; the result has no history",
        "RuntimeError",
        "The result is that of the same call on what does not require grad.",
        part="dtype=gl.int32",
    ),
    Difference(
        "mT mH", "error", "RuntimeError for a tensor without axes", "the tensor, and a warning", "It has no matrix."
    ),
    Difference("square", "value dtype", "int64 for bools", "int64 only from `**`", "Both are one operation.", "b"),
    Difference(
        "addcmul",
        "value dtype",
        "floats, for integers and a `value` with a fraction",
        "cuts the fraction of `value` off",
        "Promotion is that of the expression it stands for.",
        operands="i",
    ),
    Difference(
        "index_add",
        "error",
        "IndexError for an index out of range, whatever the rank",
        "RuntimeError for tensors of several axes",
        "One mistake, one class.",
        operands="cls",
    ),
    # Derivatives that are there, or are not.
    Difference(
        "floor_divide floor_divide_ floordiv heaviside remainder mod vander atan2 arctan2 logaddexp logaddexp2",
        "first error",
        "has a derivative for every float operand: zeros where the function is a step",
        "RuntimeError from backward(), for `//`, for heaviside, for the divisor of a number, and beside bools",
        "`div(rounding_mode='floor')` has the same steps, and zeros there too.",
    ),
    Difference(
        "nextafter unique unique_consecutive bincount histogram histogramdd",
        "value tracked",
        "the result does not require grad",
        "the result requires grad, and backward() raises",
        "There is nothing to go back to.",
    ),
    Difference(
        "scatter scatter_ scatter_add scatter_add_ scatter_reduce",
        "first error",
        "the gradient of `src`, with zeros where the index does not reach",
        "RuntimeError from backward() unless the index has the shape of `src`",
        "The gradient exists.",
    ),
    Difference(
        "scatter_reduce",
        "first elements",
        "with `include_self=False` elements that are not included get no gradient",
        "they take a share of it where they tie with the result",
        "What does not count cannot tie.",
        part="include_self=False",
    ),
    Difference(
        "binary_cross_entropy_with_logits",
        "error",
        "`pos_weight` may require grad",
        "RuntimeError",
        "Its gradient is that of a product.",
        part="pos_weight",
    ),
    Difference(
        "cdist",
        "second error",
        "can be differentiated twice",
        "NotImplementedError",
        "It is made of operations that can.",
    ),
    Difference(
        "index_copy index_put index_put_ put put_ setitem scatter_",
        "first elements",
        "of values for one place only the last, which stays, gets the gradient",
        "every one of them gets it",
        "The others have no influence on the result.",
    ),
    Difference(
        "as_strided_scatter",
        "first elements",
        "the gradient of the tensor is that of the elements that stay",
        "it is that of others, where strides leave elements out",
        "The elements that are written over have no influence on the result.",
    ),
    Difference(
        "i0",
        "second error",
        "has a second derivative for halves",
        "RuntimeError",
        "It is computed in float32, like the function.",
    ),
    # Numbers in derivatives where PyTorch has NaN, or the other way round.
    Difference(
        "norm dist",
        "second elements",
        "second derivatives of a norm are zeros where the norm is 0",
        "NaN",
        "The first derivative counts as 0 there in both.",
    ),
    Difference(
        "norm",
        "first result",
        "the gradient of the number of elements that are not 0 is zeros",
        "None",
        "An optimizer treats both alike, but for decay and momentum.",
        part="(x, 0)",
    ),
    Difference(
        "pow float_power ldexp",
        "second elements",
        "second derivatives of powers of 0 are 0 where the first derivative counts as 0",
        "NaN",
        "So is the derivative of a constant.",
    ),
    Difference(
        "logit",
        "second elements",
        "beyond `eps` the second derivative is 0",
        "NaN where the element itself is outside of [0, 1]",
        "The function is constant there.",
        part="0.25",
    ),
    Difference(
        "logaddexp logaddexp2",
        "first elements",
        "the gradient where both operands are one infinity is NaN",
        "it is shared, or all goes to one",
        "It has no limit.",
        operands="sx",
    ),
    Difference(
        "cumprod logcumsumexp prod",
        "first elements, second elements",
        "beside NaN and infinities each gradient is computed from those elements that it depends on",
        "by a division, which spreads NaN to more places",
        "Where one formula serves zeros and all else, nothing has to be looked at first.",
    ),
    Difference(
        "nanmean",
        "first elements",
        "the gradient of NaNs that were passed over is 0, also where there was nothing else",
        "NaN where there was nothing else",
        "They do not count.",
    ),
    Difference("sinc", "first elements", "NaN at infinity", "0", "sin has no limit.", operands="s"),
    Difference(
        "fmod",
        "second elements",
        "second derivatives beside infinities are NaN where 0 times infinity stands in the formula",
        "0",
        "The formula is the derivative of the first one.",
        operands="sx",
    ),
    Difference(
        "gelu", "value elements", "gelu of infinity is infinity", "NaN, in vectors of eight", "It is.", operands="s"
    ),
    Difference(
        "i0", "value elements", "the Bessel function of infinity is infinity", "NaN", "It grows without end.", "s"
    ),
    Difference(
        "i0",
        "second elements",
        "the second derivative beside a NaN is NaN",
        "a number",
        "What comes of a NaN stays one.",
        "zn nan",
    ),
    Difference(
        "prelu",
        "second elements",
        "second derivatives at 0 are those of the side of negative elements, as the first one is",
        "0",
        "They are those of one formula.",
        operands="s",
    ),
    Difference(
        "truediv",
        "value elements",
        "0 over a tiny number is 0",
        "NaN: it multiplies by the reciprocal, which is infinite",
        "One operation instead of two.",
        operands="s",
    ),
    # History.
    Difference(
        "var var_mean cummax cummin cumprod logcumsumexp layer_norm scatter_reduce",
        "first tracked",
        "of gradients that are constant in theory some require grad, and others do not",
        "others do: those of tensors without elements or axes, and of the bias of a layer_norm",
        "Either way a second derivative is zeros, or there is none.",
    ),
    Difference(
        "matrix_power", "value tracked", "the 0th power has no history", "it has", "It is the identity.", part="0)"
    ),
    Difference("fill_", "value tracked", "integers never require grad", "they do after fill_(a float)", "A slip.", "i"),
    # Which of several.
    Difference(
        "median nanmedian", "value elements", "medians of expanded tensors", "wrong ones", "It sorts in place.", "x"
    ),
    Difference(
        "kthvalue", "value elements", "the first of several equal elements", "any of them", "It is stable.", "tie"
    ),
    Difference(
        "remainder remainder_ mod",
        "value zeros",
        "a remainder of 0 has the sign of the divisor",
        "that of the dividend",
        "So it is in Python and in NumPy.",
    ),
    Difference(
        "relu relu_ clamp fmax fmin elu logsigmoid relu6",
        "value zeros",
        "which of two zeros of unlike sign is larger is left open",
        "it depends on the length of the tensor",
        "They are equal.",
        operands="s sx",
    ),
    # Copies and views.
    Difference(
        "index",
        "memory",
        "`x[i]` is a copy where `i` is a tensor without axes",
        "a view, as for an int",
        "A graph cannot know the place while it is made; `x[int(i)]` is a view.",
        operands="zi",
    ),
    # The order of elements in memory.
    Difference(
        f"{_REDUCTIONS} sigmoid elu gelu silu softplus mish erf clone where float_power take_along_dim ravel cat "
        "concat concatenate rot90 fliplr flipud flip nonzero argwhere msort index_fill select_scatter slice_scatter "
        f"layer_norm i0 renorm fill unravel_index grid_sample {_CASTS}",
        "value strides",
        "results that are no views lie in memory row by row, but for those of arithmetic",
        "some keep the order of axes of a permuted or an expanded operand",
        "It changes no element; ask for an order with `contiguous()` or `permute`.",
    ),
    Difference(
        "zeros_like ones_like empty_like full_like",
        "value result, value strides",
        "lie in memory row by row",
        "lie as the operand does",
        "It changes no element.",
        operands="q t",
    ),
    Difference(
        f"{_ARITHMETIC} {_COMPARISONS}",
        "value strides",
        "where two operands lie in memory differently, the result lies row by row",
        "it lies as the first operand does",
        "So NumPy decides it.",
        operands="t it",
    ),
    # Layers.
    Difference(
        "softplus mish",
        "second elements",
        "second derivatives are those of the formula, which are finite",
        "there is none at the threshold of `softplus`, and NaN at infinities for `mish`",
        "They are made of the first derivative, like all others.",
    ),
    Difference(
        "smooth_l1_loss huber_loss",
        "second elements",
        "the second derivative beside a NaN is NaN",
        "it is 0",
        "What comes of a NaN stays one.",
        operands="nan",
    ),
    Difference(
        "normalize cosine_similarity renorm",
        "second elements",
        "second derivatives of a norm are zeros where the norm is 0",
        "they are NaN",
        "So it is for `norm`.",
        operands="all0",
    ),
    Difference(
        "grid_sample",
        "second elements",
        "no element has part in what is seen at a place that is no number, in second derivatives either",
        "some element gets NaN there",
        "So it is for the first derivative.",
        operands="nan",
    ),
    Difference(
        "grid_sample",
        "second result",
        "second derivatives of the nearest elements are zeros",
        "None, for the picture",
        "An optimizer treats both alike, but for decay and momentum.",
        part="nearest",
    ),
    Difference(
        "renorm",
        "second elements",
        "second derivatives of slices that are kept, or are no numbers, are zeros",
        "they are NaN where the norm is",
        "Their norm has no part in the result.",
        operands="nan",
    ),
    Difference(
        "cosine_similarity",
        "error",
        "takes operands that broadcast, whatever their number of axes",
        "the axis has to be one of both",
        "The axis is one of the result.",
        operands="row",
    ),
    Difference("unfold", "value strides", "a copy", "a view whose elements overlap", "A copy can be written."),
)
