"""Computes once what a region's program computes again: a let of what an earlier one holds takes its name instead.

The tracer writes what the user wrote, so an element that is named three times is loaded three times, and its index is
checked for its sign as often. LLVM would find most of it, after Numba has typed and lowered each of the statements.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...core.records import replace
from ..ir import (
    Access,
    Accumulate,
    Address,
    Amount,
    Apply,
    Argument,
    Assign,
    CheckedIndex,
    Count,
    Fail,
    If,
    InnerLoop,
    Invoke,
    Leave,
    Let,
    Literal,
    Load,
    LoopReduction,
    Repeat,
    Statement,
    Store,
    Variable,
    walk,
)
from .dce import names_read
from .rename import renamed, renamed_access, renamed_amount

Body = tuple[Statement, ...]
Key = tuple[object, ...]
Changed = set[int | str]
"""Pointers and variables; `_ANY` stands for all pointers."""
_ANY = -1


def without_repeated(body: Body) -> Body:
    """The statements without lets of what is known there under another name."""
    return _Numbering().block(body)


class _Numbering:
    """The names of expressions known at the statement at hand, and how often memory and variables have changed."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        """The name that stands for that of a dropped let. Names are used once, so it holds everywhere."""
        self._scopes: list[dict[Key, str]] = [{}]
        self._versions: dict[int | str, int] = {}
        self._variables: set[str] = set()

    def block(self, body: Body) -> Body:
        """The statements of a block; what they make known is forgotten behind it."""
        self._scopes.append({})
        kept = [made for each in body if (made := self._statement(each)) is not None]
        self._scopes.pop()
        return tuple(kept)

    def _statement(self, each: Statement) -> Statement | None:
        match each:
            case Let():
                return self._let(each)
            case Variable(name, dtype, value):
                self._variables.add(name)
                return Variable(name, dtype, self._name(value))
            case Assign(name, dtype, value):
                value = self._name(value)
                self._change({name})
                return Assign(name, dtype, value)
            case Store(access, value, dtype):
                self._change({access.pointer})
                return Store(self._access(access), self._name(value), dtype)
            case Accumulate(access, combine, value, dtype):
                self._change({access.pointer})
                return Accumulate(self._access(access), combine, self._name(value), dtype)
            case CheckedIndex(name, value, size):
                return CheckedIndex(name, self._name(value), size)
            case Fail(condition):
                return Fail(self._name(condition))
            case Invoke(_, _, _, arguments):
                self._change(_changed_by((each,)))
                return replace(each, arguments=tuple(map(self._argument, arguments)))
            case If(condition, (Leave(),), ()):
                return self._leaving(replace(each, condition=self._name(condition), outside=self._name(each.outside)))
            case If(condition, then, otherwise):
                branches = self.block(then), self.block(otherwise)
                self._change(_changed_by((each,)))
                return If(self._name(condition), *branches)
            case Count() | Repeat() | InnerLoop():
                return self._loop(each)
        return each

    def _let(self, let: Let) -> Let | None:
        let = replace(let, expression=renamed(let.expression, self._names))
        expression = let.expression
        if isinstance(expression, Apply) and expression.text == "{0}" and not expression.widens:
            (held,) = expression.operands
            if held not in self._variables:
                self._names[let.name] = held
                return None
        key = self._key(let)
        for scope in self._scopes:
            if key in scope:
                self._names[let.name] = scope[key]
                return None
        self._scopes[-1][key] = let.name
        return let

    def _leaving(self, check: If) -> If | None:
        """Nobody comes to where a condition is asked again by which they have left."""
        key = "left", check.condition
        if check.condition not in self._variables:
            if any(key in scope for scope in self._scopes):
                return None
            self._scopes[-1][key] = check.condition
        return check

    def _loop(self, loop: Count | Repeat | InnerLoop) -> Statement:
        """A loop's round finds what those before it have left, and so does what stands behind the loop."""
        changed = _changed_by(loop.body)
        if isinstance(loop, Count):
            loop = replace(
                loop, start=self._amount(loop.start), stop=self._amount(loop.stop), step=self._amount(loop.step)
            )
        elif isinstance(loop, InnerLoop):
            loop = replace(loop, loops=tuple((var, self._amount(extent)) for var, extent in loop.loops))
        self._change(changed)
        made = replace(loop, body=self.block(loop.body))
        if isinstance(made, InnerLoop):
            made = replace(made, reductions=tuple(map(self._reduction, made.reductions)))
        self._change(changed)
        return made

    def _reduction(self, reduction: LoopReduction) -> LoopReduction:
        return replace(reduction, value=self._name(reduction.value), position=self._name(reduction.position))

    # What changes.
    def _change(self, changed: Iterable[int | str]) -> None:
        for each in changed:
            self._versions[each] = self._versions.get(each, 0) + 1

    def _key(self, let: Let) -> Key:
        """Equal for expressions of one value, at two places between which nothing changes that they read."""
        made = let.expression
        named = tuple(self._versions.get(name, 0) for name in names_read(let))
        memory = (
            tuple(self._versions.get(each, 0) for each in (made.access.pointer, _ANY)) if isinstance(made, Load) else ()
        )
        # Equal numbers may be two constants: 0.0 and -0.0, 1 and True.
        return let.dtype.code, repr(made) if isinstance(made, Literal) else made, named, memory

    # The same with the names that stand for others.
    def _name(self, name: str) -> str:
        return self._names.get(name, name)

    def _amount(self, amount: Amount) -> Amount:
        return renamed_amount(amount, self._names)

    def _access(self, access: Access) -> Access:
        return renamed_access(access, self._names)

    def _argument(self, argument: Address | Argument) -> Address | Argument:
        if isinstance(argument, Address):
            return Address(self._access(argument.access), argument.dtype)
        return Argument(self._name(argument.name), argument.dtype)


def _changed_by(body: Body) -> Changed:
    """The pointers written and the variables assigned in the statements."""
    found: Changed = set()
    for each in walk(body):
        if isinstance(each, (Store, Accumulate)):
            found.add(each.access.pointer)
        elif isinstance(each, Assign):
            found.add(each.name)
        elif isinstance(each, Invoke):
            found.add(_ANY)
    return found
