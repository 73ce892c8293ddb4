"""Kernel text to LLVM IR: its syntax tree, walked once, statement by statement.

Kernel text is a small language with the grammar of Python: numbers and pointers, loops over ranges, branches, calls of
native functions. A name's value lies on the stack until LLVM puts it into a register.
"""

# Note [Names of kernel text]
# A name has the kind of what it is given. Given something of another kind it begins anew, with memory of its own, and
# what it was is out of reach. So nothing may read what the old memory held on a way that leads through the new
# beginning. Behind it, the statements of the same block read the new memory, and every other statement is told that the
# name has no value. Before it, a statement is reached again only by a loop around both; there the name must have been
# without a value when the loop was entered. Since no text reads a name that has no value yet, every way from the
# beginning of that loop to such a statement gives the name a value of the old kind first, in each round.

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from llvmlite import ir

from ...core.records import dataclass
from ...core.threads import parsed
from .counted_loops import close_loop, open_loop
from .loop_facts import TextLoops
from .native_functions import VOID, FindFunction
from .rows import LoopRows
from .text_expressions import ExpressionEmitter
from .text_target import PROCESSOR, TextTarget
from .values import Kind, TextValue, constant, converted, llvm_type, mark_memory, shown, truth

RAISED = 1
"""Status of a kernel that raised: to the caller an ordinary side exit."""


def emit_function(
    text: str,
    operands: Sequence[Kind],
    symbol: str,
    filename: str,
    find: FindFunction,
    target: TextTarget = PROCESSOR,
) -> ir.Module:
    """A module with the one function that `text` defines, behind C symbol `symbol`; on the CPU it gives an int64.

    operands: their kinds.   find: gives the native functions that the text calls.
    Errors: SyntaxError for text that is not Python's; TypeError, with the line, for what kernel text does not have.
    """
    match parsed(text, filename):
        case ast.Module([ast.FunctionDef() as definition]) if len(definition.args.args) == len(operands):
            pass
        case _:
            raise TypeError(f"{filename} does not define one function of {len(operands)} operands")
    module = ir.Module(symbol)
    result = ir.VoidType() if target.result == VOID else llvm_type(target.result)
    function = ir.Function(module, ir.FunctionType(result, [llvm_type(each) for each in operands]), symbol)
    function.attributes.add("nounwind")
    builder = target.builder(function.append_basic_block("entry"))
    emitter = _TextEmitter(builder, find, target, filename, TextLoops(definition))
    for name, kind, argument in zip(definition.args.args, operands, function.args, strict=True):
        emitter.assign(name.arg, TextValue(argument, kind))
    emitter.body(definition.body)
    if not builder.block.is_terminated:
        (builder.ret_void if target.result == VOID else builder.unreachable)()
    return module


class _AtLine(TypeError):
    """Something that kernel text does not have, with the line where it stands."""


@dataclass(slots=True)
class _TextEmitter(ExpressionEmitter):
    """The place in a kernel where the next statement goes.

    text_loops: those of the whole text.
    loops:     of each loop around the place, the blocks where `continue` and `break` lead to.
    around:    the numbers of the loops around the place, of `count` so far.
    born:      those that were around the first place where a name has a value.
    anew:      the names that began anew in the block of statements around the place.
    """

    filename: str
    text_loops: TextLoops
    loops: list[tuple[Any, Any]] = field(default_factory=list)
    around: tuple[int, ...] = ()
    born: dict[str, tuple[int, ...]] = field(default_factory=dict)
    anew: set[str] = field(default_factory=set)
    count: int = 0

    def body(self, statements: Sequence[ast.stmt]) -> None:
        """Emits statements, up to the one that leaves them."""
        before, self.anew = self.anew, set()
        for each in statements:
            if self.builder.block.is_terminated:
                break
            try:
                self.statement(each)
            except _AtLine:
                raise
            except TypeError as error:
                raise _AtLine(f"line {each.lineno} of {self.filename}, {ast.unparse(each)!r}: {error}") from error
        for name in self.anew:
            self.variables.pop(name, None)
        self.anew = before

    def statement(self, each: ast.stmt) -> None:
        """Emits one statement."""
        match each:
            case ast.Assign(targets=[target], value=value):
                self.bind(target, value)
            case ast.AugAssign(target=target, op=operator, value=value):
                reads = ast.BinOp(_as_read(target), operator, value)
                self.bind(target, ast.copy_location(reads, each))
            case ast.For(
                target=ast.Name(id=name),
                iter=ast.Call(func=ast.Name(id="range"), args=bounds, keywords=[]),
                orelse=[],
            ):
                self.counted(name, [self.word(bound) for bound in bounds], each)
            case ast.While(test=test, body=body, orelse=[]):
                self.repeated(test, body)
            case ast.If(test=test, body=body, orelse=otherwise):
                self.branch(test, lambda: self.body(body), lambda: self.body(otherwise))
            case ast.Return(value=ast.expr() as value) if self.target.result != VOID:
                self.builder.ret(self.word(value))
            case ast.Return(value=None) if self.target.result == VOID:
                self.builder.ret_void()
            case ast.Raise() if self.target.result != VOID:
                self.builder.ret(constant(RAISED, "i64").value)
            case ast.Continue():
                self.builder.branch(self.loops[-1][0])
            case ast.Break():
                self.builder.branch(self.loops[-1][1])
            case ast.Expr(value=ast.Call() as call):
                self.call(call)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case _:
                raise TypeError(f"kernel text has no {type(each).__name__} of this form")

    def bind(self, target: ast.expr, value: ast.expr) -> None:
        """Emits an assignment."""
        match target, value:
            case ast.Name(id=name), _:
                self.assign(name, self.value(value))
            case ast.Tuple(elts=names), ast.Tuple(elts=values) if len(names) == len(values):
                self.unpack(names, [self.value(each) for each in values])
            case ast.Tuple(elts=names), ast.Call():
                self.unpack(names, self.call(value))
            case ast.Subscript(), _:
                place, pointer = self.place(target)
                given = converted(self.builder, self.value(value), pointer.element)
                mark_memory(self.builder.store(given.value, place), pointer)
            case _:
                raise TypeError("kernel text assigns to names and elements")

    def unpack(self, names: Sequence[ast.expr], given: Sequence[TextValue]) -> None:
        """Emits that each name has its value from here on."""
        if len(names) != len(given):
            raise TypeError(f"{len(names)} names are given {len(given)} values")
        for each, one in zip(names, given, strict=True):
            if not isinstance(each, ast.Name):
                raise TypeError("kernel text unpacks into names")
            self.assign(each.id, one)

    def assign(self, name: str, given: TextValue) -> None:
        """Emits that a name has this value from here on. See Note [Names of kernel text].

        Errors: TypeError if it is of another kind than the name, which cannot begin anew here.
        """
        known = self.variables.get(name)
        if known is None or known[1] != given.kind:
            if name in self.born:
                if self.around and self.around[-1] not in self.born[name]:
                    was = shown(known[1]) if known is not None else "of another kind"
                    raise TypeError(f"{name} is {was} and is given {shown(given.kind)}: one kind for each name")
                self.anew.add(name)
            self.born.setdefault(name, self.around)
            with self.builder.goto_entry_block():
                known = self.builder.alloca(llvm_type(given.kind), name=name), given.kind
            self.variables[name] = known
        self.builder.store(given.value, known[0])

    def counted(self, name: str, bounds: Sequence[Any], each: ast.For) -> None:
        """Emits a loop over a range. What the body does to the variable does not change the loop."""
        rows, known, facts = self.rows, self.variables.get(name), self.text_loops.facts(each)
        self.rows = LoopRows(name, facts, self.builder.block) if self.target.hides_rows else None
        loop = open_loop(self.builder, name, bounds, facts, self.target)
        self.assign(name, TextValue(loop.now, "i64"))
        self._inside(each.body, loop.following, loop.after)
        if known is not None and known[1] != "i64":  # where there was no round, it would still be of the other kind
            self.variables.pop(name, None)
        self.rows = rows
        close_loop(self.builder, loop, facts, self.target, self.text_loops.has_many)

    def repeated(self, test: ast.expr, body: Sequence[ast.stmt]) -> None:
        """Emits a `while`."""
        make = self.builder
        head, inside, after = (make.append_basic_block(f"while.{each}") for each in ("head", "body", "after"))
        make.branch(head)
        make.position_at_end(head)
        make.cbranch(truth(make, self.value(test)).value, inside, after)
        make.position_at_end(inside)
        self._inside(body, head, after)
        make.position_at_end(after)

    def _inside(self, body: Sequence[ast.stmt], following: Any, after: Any) -> None:
        """Emits the body of a loop, which goes on at `following`."""
        self.loops.append((following, after))
        self.count += 1
        around, self.around = self.around, (*self.around, self.count)
        self.body(body)
        self.around = around
        self.loops.pop()
        if not self.builder.block.is_terminated:
            self.builder.branch(following)


def _as_read(target: ast.expr) -> ast.expr:
    """An expression that is assigned to, as one that is read."""
    match target:
        case ast.Name(id=name):
            return ast.copy_location(ast.Name(name, ast.Load()), target)
        case ast.Subscript(value=value, slice=index):
            return ast.copy_location(ast.Subscript(value, index, ast.Load()), target)
    raise TypeError("kernel text assigns to names and elements")
