"""Modules as functions of their parameters and buffers, and the parameters of several models as one batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..nn.module import Module
from ..nn.modules.batchnorm import _BatchNorm
from ..tensor.dispatch import is_tensor_like, named_type
from ..tensor.joining import stack

Place = tuple[Module, str, str]
"""The place of a tensor: the module that has it, the name of its table there, and its name in that."""


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: dict[str, Any] | Sequence[dict[str, Any]],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """``module(*args, **kwargs)`` with other tensors in place of parameters and buffers, by their dotted names.

    parameter_and_buffer_dicts: a dict, or several without a name in common; what they leave out stays as it is.
    args: a tuple of the positional arguments, or the only one.
    tie_weights: what shares a parameter or a buffer of the module shares what is given for it.
    strict: names that are missing, and others than the module's, are an error.
    The module itself has its own tensors again afterwards; writes into a buffer go into the tensor that was given.
    Errors: ValueError for a name in two dicts, and for tied tensors that are given two values; TypeError for what is no
        tensor; AttributeError for a module that is not there; RuntimeError by strict.
    """
    given = _merged(parameter_and_buffer_dicts)
    positional = () if args is None else args if isinstance(args, tuple) else (args,)
    return called_with(module, given, positional, {} if kwargs is None else kwargs, tie_weights, strict)


def _merged(dicts: Any) -> dict[str, Any]:
    if isinstance(dicts, dict):
        return dicts
    if not isinstance(dicts, (list, tuple)) or not all(isinstance(each, dict) for each in dicts):
        raise ValueError(
            f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {type(dicts)}"
        )
    merged: dict[str, Any] = {}
    for each in dicts:
        twice = [name for name in each if name in merged]
        if twice:
            raise ValueError(f"{twice} appeared in multiple dictionaries; behavior of functional call is ambiguous")
        merged.update(each)
    return merged


def called_with(
    module: Module,
    given: dict[str, Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    tie_weights: bool,
    strict: bool,
) -> Any:
    """The result of a call of `module`, with the tensors `given` in place of its own.

    The tables of the module are written, so that whoever relies on them is told.
    """
    places = replaced_places(module, given, tie_weights, strict)
    before: list[tuple[Place, Any]] = []
    try:
        for (owner, table, name), value in places:
            held = getattr(owner, table)
            before.append(((owner, table, name), held[name]))
            held[name] = value
        return module(*args, **kwargs)
    finally:
        for (owner, table, name), value in before[::-1]:
            getattr(owner, table)[name] = value


def replaced_places(module: Module, given: dict[str, Any], tie_weights: bool, strict: bool) -> list[tuple[Place, Any]]:
    """The places of tensors in a module and below it, each with what is to stand there; names that mean nothing are
    left out."""
    own = dict(_places(module))
    _check_names(type(module).__name__, given, own, module, strict)
    for value in given.values():
        if value is not None and not is_tensor_like(value):
            raise TypeError(f"{value!r} is not an instance of Tensor, but {named_type(value)}")
    if not tie_weights:
        return [(own[name], value) for name, value in given.items() if name in own]
    new: dict[int, tuple[str, Any]] = {}
    for name, value in given.items():
        if name not in own:
            continue
        held = _held(own[name])
        if held is not None:
            first, known = new.setdefault(id(held), (name, value))
            if known is not value:
                raise ValueError(
                    f"functional_call got multiple values for keys {[first, name]}, which are tied. Consider using "
                    "tie_weights=False"
                )
    found = [(place, new[id(_held(place))][1]) for place in own.values() if id(_held(place)) in new]
    found += [(own[name], value) for name, value in given.items() if name in own and _held(own[name]) is None]
    return found


def _places(module: Module) -> list[tuple[str, Place]]:
    """The dotted names of all parameters and buffers, with their places; shared ones by all of their names."""
    found: list[tuple[str, Place]] = []
    for prefix, owner in module.named_modules(remove_duplicate=False):
        for table in ("_parameters", "_buffers"):
            for name in getattr(owner, table):
                found.append((f"{prefix}.{name}" if prefix else name, (owner, table, name)))
    return found


def _held(place: Place) -> Any:
    owner, table, name = place
    return getattr(owner, table)[name]


def _check_names(kind: str, given: dict[str, Any], own: dict[str, Place], module: Module, strict: bool) -> None:
    strange = [name for name in given if name not in own]
    for name in strange:
        module.get_submodule(name.rpartition(".")[0])  # an error if there is none
    if not strict:
        return
    known = {id(_held(own[name])) for name in given if name in own}
    missing = [name for name, place in own.items() if _held(place) is not None and id(_held(place)) not in known]
    parts = [
        f"{what} key(s): {', '.join(map(repr, names))}."
        for what, names in (("Unexpected", strange), ("Missing", missing))
        if names
    ]
    if parts:
        raise RuntimeError("\n\t".join([f"Error(s) in reparametrizing for {kind}:", *parts]))


def replace_all_batch_norm_modules_(root: Module) -> Module:
    """`root`, whose batch norms, all there are, take the statistics of each batch and keep none of their own.

    So they write no buffers, and can be called inside of `vmap`.
    """
    for module in root.modules():
        if isinstance(module, _BatchNorm) and module.track_running_stats:
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root


def stack_module_state(models: Sequence[Module]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters and the buffers of several models of one class, each stacked along a new first axis, by name.

    The stacked parameters are new leaves, which require grad if those of the models do.
    Errors: RuntimeError for no models, models of several classes or modes, and parameters that differ in whether they
        require grad.
    """
    if not len(models):
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    first = models[0]
    if any(each.training is not first.training for each in models):
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if any(type(each) is not type(first) for each in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    parameters = [dict(each.named_parameters()) for each in models]
    buffers = [dict(each.named_buffers()) for each in models]
    return (
        {name: _stacked(name, [each[name] for each in parameters]) for name in parameters[0]},
        {name: _stacked(name, [each[name] for each in buffers]) for name in buffers[0]},
    )


def _stacked(name: str, tensors: list[Any]) -> Any:
    required = tensors[0].requires_grad
    if any(each.requires_grad is not required for each in tensors):
        raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
    joined = stack([each.detach() for each in tensors])
    return joined.requires_grad_() if required else joined
