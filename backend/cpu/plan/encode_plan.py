"""A launch plan as the table of words that the native runner reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ....core.dtypes import held
from ....core.sizes import Size, is_symbolic
from . import errstate
from . import table_layout as at
from .encode_steps import operand_count, write_steps
from .encoder import EncodedPlace, Encoding, record, refuse
from .extents import extent, is_dense
from .lifted_inputs import Lifted, lift
from .plan import (
    ArrayInput,
    BoolInput,
    FloatInput,
    FreshOutput,
    Input,
    InputOutput,
    IntInput,
    LaunchPlan,
    LiftedInput,
    NumpyScalarInput,
    ObjectInput,
    Output,
    ScalarOutput,
    SizeInput,
    ViewOutput,
)
from .result_memory import LARGE, words_address
from .slot_paths import access_path_of_argument, access_path_words, check_access_paths, is_owned
from .watched_slots import WatchedSlots

MANY_PAIRS = 4
"""Disjoint pairs for each array in them from which calls remember where they found all arrays apart."""


def encode(
    plan: LaunchPlan,
    lifted: Sequence[np.ndarray[Any, Any]] = (),
    owners: Sequence[object] = (),
    watched: WatchedSlots | None = None,
    static: Sequence[np.ndarray[Any, Any]] = (),
) -> tuple[list[int], list[Any]]:
    """The table of `plan` and the objects whose addresses it holds, besides those the plan itself and `lifted` hold.

    It refers to `owners` weakly. `static`: the arrays of inputs at a static address. `watched`: the table of what is
    subscribed, which this fills; None where nothing is.
    Errors: KernelError when the plan contradicts itself, or a lifted array or an owner does not fit its input.
    """
    check_access_paths(plan, owners)
    fixed: list[ArrayInput | LiftedInput] = [each for each in plan.inputs if isinstance(each, LiftedInput)]
    fixed += [each for each in plan.inputs if isinstance(each, ArrayInput) and each.static_address]
    encoding = Encoding(plan, lift(fixed, [*lifted, *static]))
    encoding.words += [0] * sum(isinstance(each, SizeInput) for each in plan.inputs)
    _place_inputs(encoding)
    _place_outputs(encoding)
    _place_views(encoding)
    _place_memory(encoding)
    words = encoding.words
    words[at.INPUT_RECORDS] = len(words)
    for index, given in enumerate(plan.inputs):
        if encoding.arguments[index] >= 0:
            words.extend(record(_input_record(encoding, given, index)))
    _owned(encoding, owners, watched)
    _intervals(words, encoding.lifted)
    _disjoint(encoding)
    words[at.OUTPUT_RECORDS] = len(words)
    if any(isinstance(made, FreshOutput) and _hinted_nbytes(made) >= LARGE for made in plan.outputs):
        words[at.RESULT_MEMORY] = words_address()
    for index, made in enumerate(plan.outputs):
        words.extend(record(_output_record(encoding, made, index)))
    words[at.STEP_RECORDS] = len(words)
    write_steps(encoding)
    _header(encoding)
    return words, encoding.pins


def _header(encoding: Encoding) -> None:
    plan, words = encoding.plan, encoding.words
    words[at.ARGUMENT_COUNT] = sum(argument >= 0 for argument in encoding.arguments)
    if plan.check_errstate:
        words[at.ERRSTATE_ACCEPTED] = errstate.accepted_words()
        words[at.ERRSTATE_VARIABLE] = encoding.named(errstate.variable)
    words[at.GUARD_FAILED] = encoding.named(NotImplemented)
    words[at.SIDE_EXIT] = encoding.named(Ellipsis)
    words[at.NOTHING] = encoding.named(None)
    words[at.ARRAY_TYPE] = encoding.named(np.ndarray)
    words[at.FRAME_BYTES] = encoding.frame_bytes
    words[at.RELEASE_GIL] = int(plan.release_gil)
    if not plan.outputs:
        words[at.RESULT] = at.RESULT_NONE
    else:
        words[at.RESULT] = at.RESULT_BARE if plan.unwrap and len(plan.outputs) == 1 else at.RESULT_TUPLE
    words[at.OUTPUT_COUNT] = len(plan.outputs)
    words[at.STEP_COUNT] = len(plan.steps)


# -- the frame ---------------------------------------------------------------------------------------------------------
def _place_inputs(encoding: Encoding) -> None:
    lifted = iter(encoding.lifted.places)
    count = 0
    _place_reached(encoding)
    for given in encoding.plan.inputs:
        is_argument = not (isinstance(given, LiftedInput | SizeInput) or is_owned(given))
        encoding.arguments.append(count if is_argument else -1)
        if isinstance(given, LiftedInput):
            word, (address, low, high) = at.FRAME_ZERO, next(lifted)
            place = EncodedPlace(word, address, low, high)
        elif isinstance(given, SizeInput):
            word = at.FRAME_ZERO
            place = EncodedPlace(word, given.address + 8 * (at.HEADER_WORDS + given.cell), 0, 8)
        elif isinstance(given, ArrayInput):
            _check_layout(given)
            word = encoding.take_words() if not given.subscribed else encoding.take_watched_slot()
            place = EncodedPlace(word, 0, *extent(given.shape, given.strides, given.dtype.itemsize))
        else:
            nbytes = _cell_nbytes(given)
            word = encoding.take_words(nbytes // 8)
            place = EncodedPlace(at.FRAME_SELF, 8 * word, 0, nbytes)
        count += is_argument
        encoding.input_words.append(word)
        encoding.places.append(place)


def _place_reached(encoding: Encoding) -> None:
    inputs = enumerate(encoding.plan.inputs)
    numbers = [k for k, each in inputs if isinstance(each, ArrayInput) and each.access_path and not each.subscribed]
    first = encoding.take_words(len(numbers)) if numbers else 0
    encoding.reached = {number: first + k for k, number in enumerate(numbers)}
    encoding.words[at.REACHED_WORD], encoding.words[at.REACHED_COUNT] = first, len(numbers)


def _cell_nbytes(given: Input) -> int:
    if isinstance(given, NumpyScalarInput):
        _check_dtype(given.dtype)
        return max(8, -(-given.dtype.itemsize // 8) * 8)
    return 8


def _place_outputs(encoding: Encoding) -> None:
    for made in encoding.plan.outputs:
        encoding.output_objects.append(encoding.take_words())
        word, place = 0, None
        if isinstance(made, FreshOutput):
            _check_layout(made)
            word = encoding.take_words()
            place = EncodedPlace(word, 0, 0, prod(made.shape) * made.dtype.itemsize)
        elif isinstance(made, ScalarOutput):
            _check_dtype(made.dtype)
            word = encoding.take_words(max(2, -(-made.dtype.itemsize // 8)))
            place = EncodedPlace(at.FRAME_SELF, 8 * word, 0, max(8, made.dtype.itemsize))
        elif isinstance(made, InputOutput):
            if not 0 <= made.input < len(encoding.plan.inputs):
                refuse(f"an output gives back input {made.input}; there are {len(encoding.plan.inputs)}")
            if encoding.arguments[made.input] < 0:
                refuse(f"an output gives back input {made.input}, which is lifted or owned: no argument of the call")
            place = encoding.places[made.input]
        encoding.output_words.append(word)
        encoding.places.append(place)


def _place_views(encoding: Encoding) -> None:
    """Views come last of the outputs: the base may stand after the view."""
    first = len(encoding.plan.inputs)
    for index, made in enumerate(encoding.plan.outputs):
        if not isinstance(made, ViewOutput):
            continue
        _check_layout(made)
        if not isinstance(_at_slot(encoding.plan, made.base), ArrayInput | FreshOutput):
            refuse(f"a view has base slot {made.base}, which is neither an array argument nor a fresh output")
        base = encoding.place(made.base)
        if base.word < 0:
            refuse(f"a view has base slot {made.base}, which is subscribed")
        low, high = extent(made.shape, made.strides, made.dtype.itemsize)
        if prod(made.shape) and not base.low <= made.offset + low <= made.offset + high <= base.high:
            refuse(
                f"a view spans bytes {made.offset + low} to {made.offset + high} of slot {made.base}, "
                f"which has {base.low} to {base.high}"
            )
        encoding.places[first + index] = EncodedPlace(base.word, base.offset + made.offset, low, high)


def _place_memory(encoding: Encoding) -> None:
    """Operand addresses, arena and constants: all that the outputs' numbers do not depend on."""
    plan = encoding.plan
    widest = max((operand_count(step) for step in plan.steps), default=0)
    encoding.words[at.OPERANDS] = encoding.take_words(widest + 1)  # the last one leads to where kernels ask
    moving = [encoding.take_words() for _ in range(plan.moving)]
    arena = -(-8 * encoding.frame_words // at.FRAME_ALIGNMENT) * at.FRAME_ALIGNMENT
    encoding.frame_bytes = arena + plan.arena_nbytes
    for offset, nbytes in plan.temporaries:
        if not 0 <= offset <= offset + nbytes <= plan.arena_nbytes:
            refuse(f"a temporary has bytes {offset} to {offset + nbytes} of an arena of {plan.arena_nbytes}")
        encoding.places.append(EncodedPlace(at.FRAME_SELF, arena + offset, 0, nbytes))
    for constant in plan.constants:
        address = int(constant.__array_interface__["data"][0])
        span = extent(constant.shape, constant.strides, constant.itemsize)
        encoding.places.append(EncodedPlace(at.FRAME_ZERO, address, *span))
    for word in moving:
        encoding.places.append(EncodedPlace(word, 0, -at.ADDRESSES, at.ADDRESSES))


# -- records -----------------------------------------------------------------------------------------------------------
def _input_record(encoding: Encoding, given: Input, index: int) -> list[int]:
    word = encoding.input_words[index]
    match given:
        case LiftedInput() | SizeInput():
            raise AssertionError("what is no argument has no record")
        case ArrayInput():
            array = record(_array_input(encoding, given, word))
            if given.access_path is None:
                return array
            return access_path_of_argument(given.access_path, encoding.reached[index], array, encoding.named)
        case FloatInput():
            return [at.INPUT_FLOAT, 0, encoding.named(float), word]
        case IntInput():
            return [at.INPUT_INT, 0, encoding.named(int), word]
        case BoolInput():
            return [at.INPUT_BOOL, 0, encoding.named(bool), word, encoding.named(True)]
        case ObjectInput():
            return [at.INPUT_IDENTITY, 0, encoding.named(type(given.value)), word, encoding.named(given.value)]
        case NumpyScalarInput():
            return [at.INPUT_NUMPY_SCALAR, 0, encoding.named(given.dtype.type), word]


def _array_input(
    encoding: Encoding, given: ArrayInput, word: int, named: Callable[[Any], int] | None = None
) -> list[int]:
    dtype, named = given.dtype, named or encoding.named
    required = at.FLAG_ALIGNED | (at.FLAG_WRITEABLE if given.writeable else 0)
    # A write to such an array must warn first, which plain NumPy does.
    forbidden = at.FLAG_WARN_ON_WRITE if given.writeable else 0
    fields = [at.INPUT_ARRAY, 0, named(np.ndarray), word, named(dtype), dtype.num]
    fields += [ord(dtype.byteorder), required, forbidden, len(given.shape)]
    empty = prod(given.shape) == 0
    against = encoding.lifted.memory if given.written else encoding.lifted.written
    apart = at.APART_ALL if given.written else at.APART_WRITTEN
    fields.append(apart if len(against) and not empty and not given.static_address else at.APART_NONE)
    fields += extent(given.shape, given.strides, dtype.itemsize)
    fields += [0, 0]  # no gap is known yet
    for size, stride in zip(given.shape, given.strides, strict=True):
        fields += [size, at.ANY_STRIDE if empty or size <= 1 else stride]
    return fields


def _owned(encoding: Encoding, owners: Sequence[object], watched: WatchedSlots | None) -> None:
    """Writes the words of what is reached from owners: arrays, then checks. Subscribed ones go to `watched`."""
    plan, words, start = encoding.plan, encoding.words, iter(owners)
    words[at.OWNER_RECORDS] = len(words)
    for index, given in enumerate(plan.inputs):
        if isinstance(given, ArrayInput) and given.access_path is not None and given.access_path.owner:
            owner = next(start)
            if given.subscribed:
                assert watched is not None
                array = record(_array_input(encoding, given, at.PLACE_ADDRESS, watched.named))
                watched.add(owner, given.access_path, array)
                continue
            words += access_path_words(given.access_path, owner, encoding.reached[index], encoding.named)
            words += record(_array_input(encoding, given, encoding.input_words[index]))
            words[at.OWNER_COUNT] += 1
    for number, access_path in enumerate(plan.checks):
        if number < plan.subscribed_checks:
            assert watched is not None
            watched.add(next(start), access_path)
            continue
        words += access_path_words(access_path, next(start), 0, encoding.named)
        words[at.CHECK_COUNT] += 1
    if watched is not None:
        _intervals(watched.words, encoding.lifted)


def _intervals(words: list[int], lifted: Lifted) -> None:
    """The memory of lifted inputs, all and those that are written."""
    for intervals, records, count in (
        (lifted.memory, at.LIFTED_RECORDS, at.LIFTED_COUNT),
        (lifted.written, at.WRITTEN_RECORDS, at.WRITTEN_COUNT),
    ):
        words[records], words[count] = len(words), len(intervals)
        words.extend(intervals.ravel().tolist())


def _disjoint(encoding: Encoding) -> None:
    """The pairs of arrays that must not overlap; of many, each array's place as well."""
    words, pairs = encoding.words, np.array(encoding.plan.disjoint, np.int64).reshape(-1, 2)
    if not len(pairs):
        for place in (at.PLACED_RECORDS, at.DISJOINT_RECORDS):
            words[place] = len(words)
        for count in (at.PLACED_KEPT, at.PLACED_COUNT, at.DISJOINT_COUNT):
            words[count] = 0
        return
    for slot in sorted(set(pairs.ravel().tolist())):
        if not isinstance(_at_slot(encoding.plan, slot), ArrayInput):
            refuse(f"slot {slot} of a disjoint pair is not an array input")
    sizes = [size for given in encoding.plan.inputs if isinstance(given, ArrayInput) for size in given.shape]
    if is_symbolic(sizes):
        _disjoint_sized(encoding)
        return
    places = encoding.places_of_slots()
    some = places[:, 2] < places[:, 3]  # an empty array overlaps nothing
    pairs = pairs[some[pairs].all(axis=1)]
    placed = np.array(sorted(set(places[pairs, 0].ravel().tolist())), np.int64)  # np.unique would import np.ma
    if len(pairs) < MANY_PAIRS * len(placed):
        placed = placed[:0]
    words[at.PLACED_KEPT] = int(len(placed) > 0)
    placed = placed[placed >= 0]  # watched slots say by themselves when one of them is elsewhere
    words[at.PLACED_RECORDS], words[at.PLACED_COUNT] = len(words), len(placed)
    words += np.stack([placed, 0 * placed], axis=1).ravel().tolist()
    words[at.DISJOINT_RECORDS], words[at.DISJOINT_COUNT] = len(words), len(pairs)
    words += places[pairs][..., [0, 2, 3]].ravel().tolist()


def _disjoint_sized(encoding: Encoding) -> None:
    """Writes the pairs of arrays that must not overlap, where sizes are free.

    No call can then remember for the next one where it found arrays.
    """
    words, pairs = encoding.words, []
    for one, other in encoding.plan.disjoint:
        first, second = encoding.place(one), encoding.place(other)
        if first.low < first.high and second.low < second.high:
            pairs.append([first.word, first.low, first.high, second.word, second.low, second.high])
    words[at.PLACED_RECORDS], words[at.PLACED_COUNT] = len(words), 0
    words[at.DISJOINT_RECORDS], words[at.DISJOINT_COUNT] = len(words), len(pairs)
    words += [word for pair in pairs for word in pair]


def _output_record(encoding: Encoding, made: Output, index: int) -> list[int]:
    held, word = encoding.output_objects[index], encoding.output_words[index]
    match made:
        case FreshOutput():
            if not is_dense(made.shape, made.strides, made.dtype.itemsize):
                refuse(f"a fresh output of shape {made.shape} has strides {made.strides}, which is no dense layout")
            strided = int(made.strides != _c_strides(made.shape, made.dtype.itemsize))
            kept = made.dtype.itemsize if encoding.words[at.RESULT_MEMORY] else 0
            fields = [at.OUTPUT_FRESH, 0, held, word, encoding.named(made.dtype), len(made.shape), strided, kept, 0]
            return fields + [*made.shape, *made.strides]
        case ScalarOutput():
            return [at.OUTPUT_SCALAR, 0, held, 0, encoding.named(made.dtype), 0, 0, 0, 8 * word]
        case InputOutput():
            return [at.OUTPUT_INPUT, 0, held, encoding.arguments[made.input]]
        case ViewOutput():
            return _view_output(encoding, made, held)


def _view_output(encoding: Encoding, made: ViewOutput, held: int) -> list[int]:
    plan = encoding.plan
    base = _at_slot(plan, made.base)
    assert isinstance(base, ArrayInput | FreshOutput)  # _place_views refused all else
    # NumPy's slices share the base's very descriptor, metadata included.
    descriptor = 0 if base.dtype.num == made.dtype.num else encoding.named(made.dtype)
    argument, base_object = -1, encoding.reached.get(made.base, 0)
    if made.base >= len(plan.inputs):
        base_object = encoding.output_objects[made.base - len(plan.inputs)]
    elif not base_object:
        argument = encoding.arguments[made.base]
    word = encoding.place(made.base).word
    fields = [at.OUTPUT_VIEW, 0, held, word, descriptor, len(made.shape), argument, base_object, made.offset]
    return fields + [*made.shape, *made.strides]


# -- facts -------------------------------------------------------------------------------------------------------------
def _at_slot(plan: LaunchPlan, slot: int) -> Input | Output | None:
    """The input or output of that number; None for other slots."""
    if 0 <= slot < len(plan.inputs):
        return plan.inputs[slot]
    slot -= len(plan.inputs)
    return plan.outputs[slot] if 0 <= slot < len(plan.outputs) else None


def _hinted_nbytes(made: FreshOutput) -> int:
    """The bytes of an array, symbols at their hints: so nothing comes to rely on them."""
    return prod(size.hint if isinstance(size, Size) else size for size in made.shape) * made.dtype.itemsize


def _check_layout(array: ArrayInput | FreshOutput | ViewOutput) -> None:
    _check_dtype(array.dtype)
    if len(array.shape) != len(array.strides) or min(array.shape, default=0) < 0:
        refuse(f"an array has shape {array.shape} and strides {array.strides}")


def _check_dtype(dtype: np.dtype[Any]) -> None:
    # The type number must say everything about the element: true of numbers, not of strings, dates and records.
    if (dtype.kind not in "biufc" and held(dtype) is None) or not dtype.isnative:
        refuse(f"dtype {dtype!r} is not a number in native byte order")


def _c_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """The strides that NumPy gives a new C-ordered array. Source: numpy/_core/src/multiarray/ctors.c."""
    strides, step = [], itemsize
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))
