"""Drops what a region's program computes and nobody uses."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.records import replace
from ..ir import (
    Access,
    Accumulate,
    Address,
    Amount,
    Apply,
    Assign,
    CheckedIndex,
    Count,
    Fail,
    If,
    IndexValue,
    InnerLoop,
    Invoke,
    Let,
    Load,
    LoopReduction,
    Repeat,
    Statement,
    Store,
    Variable,
    walk,
)

Body = tuple[Statement, ...]


def without_dead(body: Body) -> Body:
    """The statements without lets and variables that none of the others reads."""
    while True:
        used = {name for each in walk(body) for name in names_read(each)}
        kept = _kept(body, used)
        if kept == body:
            return body
        body = kept


def _kept(body: Body, used: set[str]) -> Body:
    found: list[Statement] = []
    for each in body:
        if isinstance(each, (Let, Variable, Assign)) and each.name not in used:
            continue
        if isinstance(each, (Count, Repeat, InnerLoop)):
            each = replace(each, body=_kept(each.body, used))
        elif isinstance(each, If):
            each = replace(each, then=_kept(each.then, used), otherwise=_kept(each.otherwise, used))
            if not each.then and not each.otherwise:
                continue
        found.append(each)
    return tuple(found)


def names_read(each: Statement) -> Iterator[str]:
    """The names that a statement itself reads; those inside a loop or a branch read for themselves."""
    match each:
        case Let(_, _, Load(access)):
            yield from _of_access(access)
        case Let(_, _, Apply(_, operands, _)):
            yield from operands
        case Let(_, _, IndexValue(terms, constant)):
            yield from _of_access(Access(0, terms))
            yield from _amounts(constant)
        case Variable(_, _, value) | Assign(_, _, value) | CheckedIndex(_, value, _):
            yield value
        case Store(access, value, _) | Accumulate(access, _, value, _):
            yield from _of_access(access)
            yield value
        case Fail(condition) | If(condition, _, _):
            yield condition
        case Count(_, start, stop, step, _):
            yield from _amounts(start, stop, step)
        case Invoke(_, _, _, arguments):
            for argument in arguments:
                if isinstance(argument, Address):
                    yield from _of_access(argument.access)
                else:
                    yield argument.name
        case InnerLoop(loops, _, reductions):
            yield from _amounts(*(extent for _, extent in loops))
            yield from (name for reduction in reductions for name in _of_reduction(reduction))


def _of_reduction(reduction: LoopReduction) -> tuple[str, ...]:
    return reduction.value, reduction.position


def _of_access(access: Access) -> Iterator[str]:
    for name, stride in access.terms:
        yield name
        yield from _amounts(stride)


def _amounts(*amounts: Amount) -> Iterator[str]:
    return (each for each in amounts if isinstance(each, str))
