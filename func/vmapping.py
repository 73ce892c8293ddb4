"""`vmap`: a function of one example made one of many, computed for all of them at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tensor.dispatch import is_tensor_like
from ..tensor.generator import default_generator
from ..tensor.joining import cat
from .gradients import named
from .levels import RANDOMNESS, Level, all_calls, enter_level, is_mapped, leave_level, one_call
from .trees import flattened, is_node, parts_of, unflattened

Function = Callable[..., Any]
Dims = Any
"""Axes for the leaves of a tree: an int or None, which is meant for all below it, or a tree of them."""


def vmap(
    func: Function,
    in_dims: Dims = 0,
    out_dims: Dims = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Function:
    """A function that maps `func` over an axis of its arguments, all calls at once.

    in_dims: the axis of each argument that is mapped over, None for an argument that all calls share; an int for all,
        or a tuple of one for each positional argument, which may be trees of the form of theirs. All calls share what
        is given by keyword.
    out_dims: where that axis stands in each result; None for results that are the same in all calls.
    randomness: what drawing random numbers inside of `func` is: an "error", "different" numbers in each call, or the
        "same" in all.
    chunk_size: so many calls at a time are made at once; all of them if None.
    Errors: ValueError where axes, sizes and arguments do not fit each other, and for results that are no tensors;
        RuntimeError where `func` asks a tensor for its values: item(), a branch, a shape that depends on them.
    """
    if randomness not in RANDOMNESS:
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and chunk_size < 1:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    def over_all(*args: Any, **kwargs: Any) -> Any:
        return _mapped(func, in_dims, out_dims, randomness, chunk_size, args, kwargs)

    return named(over_all, func)


def _mapped(
    func: Function,
    in_dims: Dims,
    out_dims: Dims,
    randomness: str,
    chunk_size: int | None,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    name = getattr(func, "__name__", "function")
    dims = _checked_dims(name, in_dims, args)
    leaves = flattened(args)
    size = _size(name, in_dims, leaves, dims)
    if chunk_size is None or chunk_size >= size:
        form, whole, axes = _at_once(func, name, out_dims, randomness, size, (args, kwargs), leaves, dims)
        return unflattened(form, whole)
    return _in_chunks(func, name, out_dims, randomness, (size, chunk_size), (args, kwargs), leaves, dims)


def _at_once(
    func: Function,
    name: str,
    out_dims: Dims,
    randomness: str,
    size: int,
    given: tuple[Any, Any],
    leaves: list[Any],
    dims: list[int | None],
) -> tuple[Any, list[Any], list[int | None]]:
    """The form of the output of `func`, the results of all calls, and their axes."""
    level = enter_level(size, randomness)
    try:
        seen = [each if dim is None else one_call(each, dim, level) for each, dim in zip(leaves, dims)]
        args, kwargs = given
        found = func(*unflattened(args, seen), **kwargs)
        outputs = flattened(found)
        axes = _out_axes(name, out_dims, found)
        whole = [_left(name, each, axis, level) for each, axis in zip(outputs, axes)]
    finally:
        leave_level(level)
    return found, whole, axes


def _in_chunks(
    func: Function,
    name: str,
    out_dims: Dims,
    randomness: str,
    sizes: tuple[int, int],
    given: tuple[Any, Any],
    leaves: list[Any],
    dims: list[int | None],
) -> Any:
    """The results of all calls, so many made at a time."""
    size, chunk = sizes
    form: Any = None
    axes: list[int | None] = []
    parts: list[list[Any]] = []
    state = default_generator.get_state() if randomness == "same" else None
    for start in range(0, size, chunk):
        count = min(chunk, size - start)
        some = [each if dim is None else each.narrow(dim, start, count) for each, dim in zip(leaves, dims)]
        if state is not None:
            default_generator.set_state(state)
        form, whole, axes = _at_once(func, name, out_dims, randomness, count, given, some, dims)
        parts.append(whole)
    joined = [rows[0] if axis is None else cat(list(rows), axis) for rows, axis in zip(zip(*parts), axes)]
    return unflattened(form, joined)


def _checked_dims(name: str, in_dims: Dims, args: tuple[Any, ...]) -> list[int | None]:
    """The axis of each leaf of the arguments."""
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(
            f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): expected `in_dims` to be int or a (potentially nested) "
            f"tuple matching the structure of inputs, got: {type(in_dims)}."
        )
    if isinstance(in_dims, int):
        return [in_dims for _ in flattened(args)]
    found = _spread_over(in_dims, args)
    if found is None:
        raise ValueError(
            f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): in_dims is not compatible with the structure of "
            f"`inputs`: in_dims is to have an entry for each of the {len(args)} positional arguments, or a tree of the "
            "form of it"
        )
    return found


def _spread_over(dims: Dims, tree: Any) -> list[int | None] | None:
    """An axis for each leaf of a tree; None where the two do not fit."""
    if not is_node(dims):
        return [dims for _ in flattened(tree)]
    if isinstance(dims, dict):
        if not isinstance(tree, dict) or list(dims) != list(tree):
            return None
        pairs = [(dims[name], tree[name]) for name in dims]
    elif isinstance(dims, (tuple, list)):
        kind = list if isinstance(dims, list) else tuple
        if not isinstance(tree, kind) or len(dims) != len(tree):
            return None
        pairs = list(zip(dims, tree))
    else:
        if type(dims) is not type(tree):
            return None
        pairs = list(zip(parts_of(dims), parts_of(tree)))
    found: list[int | None] = []
    for dim, part in pairs:
        inner = _spread_over(dim, part)
        if inner is None:
            return None
        found += inner
    return found


def _size(name: str, in_dims: Dims, leaves: list[Any], dims: list[int | None]) -> int:
    """The number of calls. The axes in `dims` are counted from the front from here on."""
    head = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>)"
    if not leaves:
        raise ValueError(
            f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a "
            "function with no inputs. The latter is unsupported."
        )
    sizes = []
    for place, (each, dim) in enumerate(zip(leaves, dims)):
        if dim is None:
            continue
        if not isinstance(dim, int):
            raise ValueError(
                f"{head}: Got in_dim={dim} for an input but in_dim must be either an integer dimension or None."
            )
        if not is_tensor_like(each):
            raise ValueError(
                f"{head}: Got in_dim={dim} for an input but the input is of type {type(each)}. We cannot vmap over "
                "non-Tensor arguments, please use None as the respective in_dim"
            )
        if not -each.ndim <= dim < each.ndim:
            raise ValueError(
                f"{head}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {each.ndim} so "
                f"expected in_dim to satisfy -{each.ndim} <= in_dim < {each.ndim}."
            )
        dims[place] = dim % each.ndim
        sizes.append(each.shape[dim])
    if not sizes:
        raise ValueError(f"{head}: no input is mapped over: at least one in_dim is to be an integer dimension")
    if any(each != sizes[0] for each in sizes):
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    return sizes[0]


def _out_axes(name: str, out_dims: Dims, found: Any) -> list[int | None]:
    axes = _spread_over(out_dims, found)
    if axes is None and isinstance(out_dims, tuple) and len(out_dims) == 1 and not is_node(found):
        axes = _spread_over(out_dims[0], found)
    if axes is None:
        raise ValueError(
            f"vmap({name}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of "
            "`outputs`: it is to be an int or None, or a tree of them of the form of what the function gives"
        )
    return axes


def _left(name: str, value: Any, axis: int | None, level: Level) -> Any:
    """A result of one call, as all calls have it."""
    if axis is None:
        if is_tensor_like(value) and is_mapped(value, level):
            raise ValueError(f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None")
        return value
    if not is_tensor_like(value):
        raise ValueError(
            f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(value)}. Did you mean to set "
            "out_dims= to None for output?"
        )
    rank = value.ndim + 1
    if not -rank <= axis < rank:
        raise IndexError(
            f"vmap({name}, ...): Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got "
            f"{axis}): out_dims counts the axes of a result with the one of the calls"
        )
    return all_calls(value, axis % rank, level)
