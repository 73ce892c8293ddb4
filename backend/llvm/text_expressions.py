"""The expressions of kernel text in LLVM IR, and the calls in them."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Any

from llvmlite import ir

from ...core.dtypes import ALL, COMPLEX
from ...core.records import dataclass
from . import arithmetic
from .native_functions import VOID, FindFunction, NativeFunction, fenced
from .rows import LoopRows
from .text_target import TextTarget, array_memory
from .values import (
    HeldKind,
    Kind,
    PointerKind,
    TextValue,
    constant,
    converted,
    is_float,
    is_integer,
    llvm_type,
    made_complex,
    mark_memory,
    part,
    shown,
    truth,
)

_CASTS = {"boolean" if dtype.is_bool else dtype.name: dtype.code for dtype in (*ALL, *COMPLEX)}
_LARGEST = 2**63


@dataclass(slots=True)
class ExpressionEmitter:
    """The place in a kernel where the next instruction goes, and what is known of the text's names there.

    find:      gives the native functions that the text calls.
    target:    the machine.
    variables: by name, the memory on the stack and the kind.
    subscript: whether the place is inside of a subscript.
    rows:      those that the innermost loop around the place goes along.
    """

    builder: ir.IRBuilder
    find: FindFunction
    target: TextTarget
    variables: dict[str, tuple[Any, Kind]] = field(default_factory=dict, kw_only=True)
    subscript: bool = field(default=False, kw_only=True)
    rows: LoopRows | None = field(default=None, kw_only=True)

    def value(self, node: ast.expr) -> TextValue:
        """Emits an expression. Errors: TypeError for one that kernel text does not have."""
        make = self.builder
        match node:
            case ast.Name(id=name):
                if name not in self.variables:
                    raise TypeError(f"{name} has no value")
                memory, kind = self.variables[name]
                return TextValue(make.load(memory), kind)
            case ast.Constant(value=bool() as number):
                return constant(number, "b1")
            case ast.Constant(value=int() as number):
                return constant(number, "i64" if -_LARGEST <= number < _LARGEST else "u64")
            case ast.Constant(value=float() as number):
                return constant(number, "f64")
            case ast.BinOp(left=left, op=operator, right=right):
                return arithmetic.binary(make, operator, self.value(left), self.value(right), self.subscript)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return self.value(ast.Constant(-number))
            case ast.UnaryOp(op=operator, operand=operand):
                return arithmetic.unary(make, operator, self.value(operand))
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return arithmetic.compare(make, operator, self.value(left), self.value(right))
            case ast.BoolOp(op=operator, values=[first, *others]):
                return self.either_or_both(operator, first, others)
            case ast.IfExp(test=test, body=chosen, orelse=other):
                return self.choice(test, chosen, other)
            case ast.Tuple(elts=[number]):
                held = self.value(number)
                return TextValue(held.value, HeldKind(str(held.kind)))
            case ast.Subscript(value=ast.Name(id=name)) if isinstance(self.variables.get(name, (0, 0))[1], HeldKind):
                return self.held(name, node.slice)
            case ast.Subscript():
                place, pointer = self.place(node)
                return TextValue(mark_memory(make.load(place), pointer), pointer.element)
            case ast.Attribute(value=number, attr="real" | "imag" as name):
                return part(make, self.value(number), name)
            case ast.Attribute() if (function := self.find(ast.unparse(node))) is not None and not function.operands:
                return self._native(function, ())[0]
            case ast.Call():
                found = self.call(node)
                if len(found) == 1:
                    return found[0]
        raise TypeError(f"kernel text has no {type(node).__name__} of this form as a value")

    def held(self, name: str, index: ast.expr) -> TextValue:
        """Emits the number of a tuple of one. Errors: TypeError for another index than 0."""
        memory, kind = self.variables[name]
        if not isinstance(kind, HeldKind) or not isinstance(index, ast.Constant) or index.value != 0:
            raise TypeError(f"{name} holds one number: it has the element 0 alone")
        return TextValue(self.builder.load(memory), kind.element)

    def word(self, node: ast.expr) -> Any:
        """Emits an expression that has to be an integer, as an int64. Gives the LLVM value."""
        found = self.value(node)
        if found.kind != "b1" and not is_integer(found.kind):
            raise TypeError(f"{ast.unparse(node)} is {shown(found.kind)} where an integer is due")
        return converted(self.builder, found, "i64").value

    def either_or_both(self, operator: ast.boolop, first: ast.expr, others: Sequence[ast.expr]) -> TextValue:
        """Emits `and` or `or` of bools; what stands behind one that decides is not looked at."""
        make = self.builder
        with make.goto_entry_block():
            answer = make.alloca(llvm_type("b1"))
        after = make.append_basic_block("bool.after")
        for each in (first, *others):
            found = self.value(each)
            if found.kind != "b1":
                raise TypeError(f"{ast.unparse(each)} is {shown(found.kind)} where a bool is due")
            make.store(found.value, answer)
            if each is (first, *others)[-1]:
                make.branch(after)
            else:
                following = make.append_basic_block("bool.next")
                arms = (following, after) if isinstance(operator, ast.And) else (after, following)
                make.cbranch(found.value, *arms)
                make.position_at_end(following)
        make.position_at_end(after)
        return TextValue(make.load(answer), "b1")

    def branch(self, test: ast.expr, then: Callable[[], Any], otherwise: Callable[[], Any]) -> None:
        """Emits both arms of a branch. Where both leave the place, nothing follows."""
        make = self.builder
        arms = [make.append_basic_block(f"if.{each}") for each in ("then", "else")]
        make.cbranch(truth(make, self.value(test)).value, *arms)
        after = None
        for arm, emit_arm in zip(arms, (then, otherwise), strict=True):
            make.position_at_end(arm)
            emit_arm()
            if not make.block.is_terminated:
                after = after or make.append_basic_block("if.after")
                make.branch(after)
        if after is not None:
            make.position_at_end(after)

    def choice(self, test: ast.expr, chosen: ast.expr, other: ast.expr) -> TextValue:
        """Emits `chosen if test else other`: only the one that is chosen is computed."""
        make = self.builder
        if all(isinstance(each, (ast.Name, ast.Constant)) for each in (chosen, other)):
            condition = truth(make, self.value(test))
            first, second = self._alike(self.value(chosen), self.value(other))
            return TextValue(make.select(condition.value, first.value, second.value), first.kind)
        found: list[tuple[TextValue, Any]] = []

        def arm(node: ast.expr) -> None:
            value = self.value(node)
            found.append((value, make.block))

        self.branch(test, lambda: arm(chosen), lambda: arm(other))
        (first, first_end), (second, second_end) = found
        self._alike(first, second)
        result = make.phi(first.value.type)
        result.add_incoming(first.value, first_end)
        result.add_incoming(second.value, second_end)
        return TextValue(result, first.kind)

    def _alike(self, first: TextValue, second: TextValue) -> tuple[TextValue, TextValue]:
        if first.kind != second.kind:
            raise TypeError(f"the arms are {shown(first.kind)} and {shown(second.kind)}")
        return first, second

    def place(self, node: ast.expr) -> tuple[Any, PointerKind]:
        """Emits the address of an element. Gives the LLVM value, and the pointer's kind."""
        assert isinstance(node, ast.Subscript)
        row = self.rows.address(self.builder, node, self._element) if self.rows is not None else None
        if row is None:
            return self._element(node.value, node.slice)
        assert isinstance(node.slice, ast.BinOp)
        with self._in_subscript():
            return self.builder.gep(row[0], [self.word(node.slice.right)]), row[1]

    def _element(self, memory: ast.expr, index: ast.expr) -> tuple[Any, PointerKind]:
        pointer = self.value(memory)
        if not isinstance(pointer.kind, PointerKind):
            raise TypeError(f"{ast.unparse(memory)} is {shown(pointer.kind)}, which has no elements")
        with self._in_subscript():
            return self.builder.gep(pointer.value, [self._offset(pointer.kind, index)]), pointer.kind

    def _offset(self, kind: PointerKind, index: ast.expr) -> Any:
        """Emits the number of elements before the one at an index, of rows one after the other."""
        indices = _items(index)
        if len(indices) != max(len(kind.shape), 1):
            raise TypeError(f"{shown(kind)} of shape {kind.shape} is indexed by {len(indices)} numbers")
        offset = self.word(indices[0])
        for extent, each in zip(kind.shape[1:], indices[1:], strict=True):
            above = self.builder.mul(offset, constant(extent, "i64").value, flags=("nsw",))
            offset = self.builder.add(above, self.word(each), flags=("nsw",))
        return offset

    @contextmanager
    def _in_subscript(self) -> Any:
        before, self.subscript = self.subscript, True
        yield
        self.subscript = before

    # -- calls --------------------------------------------------------------------------------------------------------
    def call(self, node: ast.Call) -> list[TextValue]:
        """Emits a call; an empty list is what a function without a result gives."""
        make = self.builder
        match node:
            case ast.Call(func=ast.Name(id=name), args=[operand]) if name in _CASTS:
                found = converted(make, self.value(operand), _CASTS[name])
                if self.target.hides_infinity and is_float(found.kind) and _is_infinite(operand):
                    found = TextValue(fenced(make, found.value), found.kind)
                return [found]
            case ast.Call(func=ast.Name(id="complex"), args=[real, imag]):
                return [made_complex(make, *self._alike(self.value(real), self.value(imag)))]
            case ast.Call(func=ast.Name(id="min" | "max" as name), args=[first, *others]) if others:
                chosen, operator = self.value(first), ast.Lt() if name == "min" else ast.Gt()
                for each in others:
                    chosen = arithmetic.lesser(make, chosen, self.value(each), operator)
                return [chosen]
            case ast.Call(func=ast.Attribute() as called, args=[shape, ast.Name(id=name)], keywords=[]) if (
                ast.unparse(called) in self.target.arrays and name in _CASTS
            ):
                extents = tuple(_whole_number(each) for each in _items(shape))
                kind = PointerKind(_CASTS[name], space=self.target.arrays[ast.unparse(called)], shape=extents)
                return [TextValue(array_memory(make, self.target, kind), kind)]
            case ast.Call(func=ast.Name() | ast.Attribute() as called, args=operands, keywords=[]):
                name = ast.unparse(called)
                function = self.find(name)
                if function is None:
                    raise TypeError(f"kernel text knows no function {name}")
                return self._native(function, operands)
        raise TypeError(f"kernel text does not call {ast.unparse(node.func)}")

    def _native(self, function: NativeFunction, nodes: Sequence[ast.expr]) -> list[TextValue]:
        """Emits the call of a native function."""
        name = function.name
        if function.packed:
            match nodes:
                case [first, ast.Tuple(elts=rest)]:
                    nodes = [first, *rest]
                case _:
                    raise TypeError(f"{name} takes an address and a tuple")
        if len(nodes) != len(function.operands):
            raise TypeError(f"{name} takes {len(function.operands)} operands, got {len(nodes)}")
        values = [
            self._operands(each, kind) if isinstance(kind, tuple) else self._operand(each, kind, function.packed)
            for each, kind in zip(nodes, function.operands, strict=True)
        ]
        made = function.generate(self.builder, values)
        if isinstance(function.result, tuple):
            return [TextValue(each, kind) for each, kind in zip(made, function.result, strict=True)]
        return [] if function.result == VOID else [TextValue(made, function.result)]

    def _operands(self, node: ast.expr, kinds: Sequence[Kind]) -> list[Any]:
        """The LLVM values of an operand that is a tuple."""
        if not isinstance(node, ast.Tuple) or len(node.elts) != len(kinds):
            raise TypeError(f"{ast.unparse(node)} stands where a tuple of {len(kinds)} is due")
        return [self._operand(each, kind, False) for each, kind in zip(node.elts, kinds, strict=True)]

    def _operand(self, node: ast.expr, kind: Kind, converts: bool) -> Any:
        """The LLVM value of an operand. See `NativeFunction`."""
        given = self.value(node)
        both_integers = is_integer(given.kind) and is_integer(kind)
        numbers = all(each == "b1" or is_integer(each) or is_float(each) for each in (given.kind, kind))
        if isinstance(given.kind, PointerKind) and isinstance(kind, PointerKind):
            if (given.kind.element, given.kind.space) == (kind.element, kind.space):
                return given.value
        if given.kind != kind and not both_integers and not (converts and numbers):
            raise TypeError(f"an operand is {shown(given.kind)} where {shown(kind)} is due")
        return given.value if given.kind == kind else converted(self.builder, given, str(kind)).value


def _items(node: ast.expr) -> Sequence[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _is_infinite(node: ast.expr) -> bool:
    """Whether an expression is an infinite number as it is written in kernel text."""
    number = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(number, ast.Constant) and isinstance(number.value, float) and math.isinf(number.value)


def _whole_number(node: ast.expr) -> int:
    """The one number that stands there. Errors: TypeError for anything but a number in the text."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, int):
        raise TypeError(f"the extent {ast.unparse(node)} of an array is no number")
    return node.value
