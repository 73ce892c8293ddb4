"""Batches made of samples."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.records import is_dataclass_object, part_names
from ...tensor import Tensor
from ...tensor.creation import as_tensor, tensor
from ...tensor.joining import stack
from .errors import CollateTypeError

_FOUND = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"


def default_collate(batch: Sequence[Any]) -> Any:
    """One batch of a list of samples.

    Tensors and arrays are stacked along a new first axis; numbers become a tensor (floats in float64); strings and
    bytes stay a list; mappings, named tuples, dataclasses and sequences are collated part by part, and tuples become
    lists. Fields of a dataclass that its `__init__` does not take, or whose metadata says ``static=True``, are those of
    the first sample.
    Errors: TypeError for samples of other kinds; RuntimeError where sequences differ in length, or tensors in shape.
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(list(batch), 0)
    if isinstance(first, np.ndarray):
        if first.dtype.kind in "SUOV" and first.dtype.names is None and not _is_narrow(first.dtype):
            raise CollateTypeError(_FOUND.format(first.dtype))
        return stack([as_tensor(each) for each in batch], 0)
    if isinstance(first, np.generic) and not isinstance(first, (str, bytes)):
        return as_tensor(np.asarray(batch))
    if isinstance(first, float):
        return tensor(list(batch), dtype=dtypes.float64)
    if isinstance(first, int):
        return tensor(list(batch))
    if isinstance(first, (str, bytes)):
        return list(batch)
    return _collated_parts(first, batch)


def _is_narrow(dtype: np.dtype[Any]) -> bool:
    return dtypes.held(dtype) is not None


def _collated_parts(first: Any, batch: Sequence[Any]) -> Any:
    if isinstance(first, Mapping):
        return _like(first, {key: default_collate([each[key] for each in batch]) for key in first})
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(parts) for parts in zip(*batch)))
    if isinstance(first, Sequence):
        lengths = {len(each) for each in batch}
        if len(lengths) > 1:
            raise RuntimeError(f"each element in list of batch should be of equal size, got sizes {sorted(lengths)}")
        parts = [default_collate(part) for part in zip(*batch)]
        return parts if isinstance(first, (tuple, list)) else _like(first, parts)
    if is_dataclass_object(first):
        return dataclasses.replace(
            first,
            **{name: default_collate([getattr(each, name) for each in batch]) for name in part_names(type(first))},
        )
    raise CollateTypeError(_FOUND.format(type(first)))


def _like(first: Any, parts: Any) -> Any:
    """The parts in a container of the class of `first`, where that can be made of them."""
    if type(first) in (dict, list):
        return parts
    try:
        return type(first)(parts)
    except TypeError:
        return parts


def default_convert(data: Any) -> Any:
    """A sample with tensors in place of NumPy's arrays and numbers; tuples become lists. Other things stay."""
    if isinstance(data, Tensor):
        return data
    if isinstance(data, (np.ndarray, np.generic)):
        return data if data.dtype.kind in "SUO" else as_tensor(np.asarray(data))
    if isinstance(data, Mapping):
        return _like(data, {key: default_convert(each) for key, each in data.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(each) for each in data))
    if isinstance(data, tuple):
        return [default_convert(each) for each in data]
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return _like(data, [default_convert(each) for each in data])
    if is_dataclass_object(data):
        parts = {name: default_convert(getattr(data, name)) for name in part_names(type(data))}
        return dataclasses.replace(data, **parts)
    return data


Collate = Callable[[Any], Any]
