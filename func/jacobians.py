"""Whole Jacobians and Hessians of functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tensor.creation import eye
from ..tensor.shaping import reshape
from .arguments import Argnums, chosen, with_chosen
from .gradients import named, vjp
from .tangents import linearized
from .trees import flattened, unflattened
from .vmapping import vmap

Function = Callable[..., Any]


def jacrev(func: Function, argnums: Argnums = 0, has_aux: bool = False, *, chunk_size: int | None = None) -> Function:
    """A function that gives the Jacobian of `func`, row by row: for few outputs and many inputs.

    For each output a tree of the form of the arguments that are meant; a block has the shape of the output, followed
    by that of the argument.
    argnums, has_aux, errors: as of `grad`; outputs are trees of tensors.
    chunk_size: so many rows are computed at once; all of them if None.
    """
    if chunk_size is not None and chunk_size < 1:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        wanted = chosen(args, argnums)

        def of_chosen(*given: Any) -> Any:
            new = given[0] if isinstance(argnums, int) else given
            return func(*with_chosen(args, argnums, new), **kwargs)

        primals = (wanted,) if isinstance(argnums, int) else wanted
        output, product, *aux = vjp(of_chosen, *primals, has_aux=has_aux)
        outputs = flattened(output)
        units = _units(outputs)
        rows = vmap(_product_of(product, output), chunk_size=chunk_size)(*units)
        blocks = []
        for number, each in enumerate(outputs):
            parts = [_rows_of(row, outputs, number) for row in flattened(rows)]
            found = [reshape(part, (*each.shape, *like.shape)) for part, like in zip(parts, flattened(primals))]
            trees = unflattened(primals, found)
            blocks.append(trees[0] if isinstance(argnums, int) else trees)
        result = unflattened(output, blocks)
        return (result, aux[0]) if has_aux else result

    return named(jacobian, func)


def _product_of(product: Function, output: Any) -> Function:
    def of_leaves(*cotangents: Any) -> Any:
        return product(unflattened(output, list(cotangents)))

    return of_leaves


def _units(tensors: list[Any]) -> list[Any]:
    """For each tensor one like it for each element of all of them, with 1 in the place of that element, else 0."""
    sizes = [_count(each) for each in tensors]
    total, units, start = sum(sizes), [], 0
    for each, size in zip(tensors, sizes):
        part = eye(total, dtype=each.dtype, device=each.device).narrow(1, start, size)
        units.append(reshape(part, (total, *each.shape)))
        start += size
    return units


def _count(tensor: Any) -> int:
    count = 1
    for size in tensor.shape:
        count *= size
    return count


def _rows_of(rows: Any, tensors: list[Any], number: int) -> Any:
    """The rows of one tensor, of those for each element of all tensors."""
    sizes = [_count(each) for each in tensors]
    return rows.narrow(0, sum(sizes[:number]), sizes[number])


def jacfwd(func: Function, argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error") -> Function:
    """A function that gives the Jacobian of `func`, column by column: for few inputs and many outputs.

    argnums, has_aux, errors, form: as of `jacrev`; and those of `jvp`.
    randomness: as of `vmap`; `func` is computed once, so any draw is one for all columns unless it is an "error".
    """

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        wanted = chosen(args, argnums)
        primals = (wanted,) if isinstance(argnums, int) else wanted

        def of_chosen(*given: Any) -> Any:
            new = given[0] if isinstance(argnums, int) else given
            return func(*with_chosen(args, argnums, new), **kwargs)

        output, derivative, aux = linearized(of_chosen, primals, has_aux, "jacfwd(f)(*args)")
        inputs = flattened(primals)

        def along(*tangents: Any) -> Any:
            return derivative(*unflattened(primals, list(tangents)))

        columns = vmap(along, out_dims=-1, randomness=randomness)(*_units(inputs))
        blocks = []
        for each, column in zip(flattened(output), flattened(columns)):
            sizes, start, found = [_count(like) for like in inputs], 0, []
            for like, size in zip(inputs, sizes):
                found.append(reshape(column.narrow(-1, start, size), (*each.shape, *like.shape)))
                start += size
            trees = unflattened(primals, found)
            blocks.append(trees[0] if isinstance(argnums, int) else trees)
        result = unflattened(output, blocks)
        return (result, aux) if has_aux else result

    return named(jacobian, func)


def hessian(func: Function, argnums: Argnums = 0) -> Function:
    """A function that gives the second derivatives of `func`: the forward Jacobian of its Jacobian by rows.

    argnums, errors: as of `jacfwd`.
    """
    return jacfwd(jacrev(func, argnums), argnums)
