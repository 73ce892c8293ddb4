"""Text to graph: reads what `printer` writes, and what a person writes for a test.

One statement a line: nodes, then writes, then ``return``. Blank lines and comments are skipped, except that a comment
``# file.py:12`` after a node is its location. Only form is checked here; `verifier` checks what the graph says.
"""

from __future__ import annotations

import ast
import re
import struct
from dataclasses import field
from typing import NoReturn

from ..core import dtypes
from ..core.errors import GraphError, OpError
from ..core.records import dataclass
from ..core.threads import parsed
from ..core.types import TensorType
from ..ops.registry import PLACEHOLDER, get
from .node import Graph, Location, Node, Write

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<comment>\#.*)
      | (?P<value>%[A-Za-z0-9_]+)
      | (?P<device>@[A-Za-z0-9_:]+)
      | (?P<number>0x[0-9a-f]+ | -?inf\b | -?\d+(?:\.\d+)?(?:e[+-]?\d+)?)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<string>'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*")
      | (?P<mark><-|[()\[\]{},:=])
      | (?P<end>$)
    )""",
    re.VERBOSE,
)
_PLACE = re.compile(r"#\s*(?P<file>.+):(?P<line>\d+)\s*$")
_WORDS: dict[str, object] = {"True": True, "False": False, "None": None, "nan": float("nan")}


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    column: int


@dataclass(slots=True)
class _Line:
    """The tokens of one line, read from left to right."""

    number: int
    text: str
    tokens: list[_Token] = field(default_factory=list)
    comment: str = ""
    position: int = 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.position]

    def fail(self, expected: str, at: _Token | None = None) -> NoReturn:
        token = at or self.next
        found = repr(token.text) if token.text else "the end of the line"
        raise GraphError(
            f"line {self.number}: expected {expected}, found {found}\n    {self.text}\n    {' ' * token.column}^"
        )

    def take(self, kind: str, expected: str) -> _Token:
        """The next token, which must be of that kind."""
        token = self.next
        if token.kind != kind:
            self.fail(expected)
        self.position += 1
        return token

    def skip(self, text: str) -> bool:
        """Whether the next token reads `text`; if so it is passed over."""
        found = self.next.text == text and self.next.kind != "string"
        self.position += found
        return found

    def need(self, text: str, expected: str) -> None:
        if not self.skip(text):
            self.fail(expected)

    def finish(self) -> None:
        if self.next.kind != "end":
            self.fail("the end of the line")


def parse_graph(text: str) -> Graph:
    """The graph that `text` describes.

    Errors: GraphError with the number of the line, the line, and what was expected there.
    """
    lines = [line for line in (_scan(k, each) for k, each in enumerate(text.split("\n"), 1)) if len(line.tokens) > 1]
    if not lines:
        raise GraphError("line 1: expected 'graph(...) {', found no text")
    values: dict[str, Node] = {}
    inputs = _parse_header(lines[0], values)
    position = 1
    nodes: list[Node] = []
    while position < len(lines) and lines[position].next.kind == "value":
        nodes.append(_parse_node(lines[position], values))
        position += 1
    writes: list[Write] = []
    while position < len(lines) and lines[position].skip("write"):
        writes.append(_parse_write(lines[position], values))
        position += 1
    outputs = _parse_return(lines, position, values, "a write or 'return'" if writes else "a node, a write or 'return'")
    return Graph(inputs, tuple(nodes), outputs, tuple(writes))


def parse_attribute(text: str) -> object:
    """The value that `graph.printer.format_attribute` made this text of. Errors: GraphError."""
    line = _scan(1, text)
    value = _parse_value(line)
    line.finish()
    return value


def _scan(number: int, text: str) -> _Line:
    line = _Line(number, text)
    column = 0
    while True:
        match = _TOKEN.match(text, column)
        if match is None:
            rest = text[column:]
            start = column + len(rest) - len(rest.lstrip())
            line.fail("a name, a value, a number or a sign", _Token("bad", text[start:].split()[0], start))
        kind = str(match.lastgroup)
        column = match.end()
        if kind == "comment":
            line.comment = match.group(kind)
        else:
            line.tokens.append(_Token(kind, match.group(kind), match.start(kind)))
        if kind == "end":
            return line


def _parse_header(line: _Line, values: dict[str, Node]) -> tuple[Node, ...]:
    line.need("graph", "'graph(...) {'")
    line.need("(", "'(' and the inputs")
    inputs: list[Node] = []
    while not line.skip(")"):
        if inputs:
            line.need(",", "',' or ')'")
        name = line.take("value", "an input such as '%x: f32[2, 3]'")
        line.need(":", "':' and the input's type")
        inputs.append(_define(line, name, Node(PLACEHOLDER, (), _parse_type(line), (), name.text[1:]), values))
    line.need("{", "'{'")
    line.finish()
    return tuple(inputs)


def _define(line: _Line, name: _Token, node: Node, values: dict[str, Node]) -> Node:
    if name.text in values:
        line.fail("a name that is not taken", name)
    values[name.text] = node
    return node


def _use(line: _Line, values: dict[str, Node], expected: str) -> Node:
    name = line.take("value", expected)
    if name.text not in values:
        line.fail("an input or a value of a line above", name)
    return values[name.text]


def _parse_node(line: _Line, values: dict[str, Node]) -> Node:
    name = line.take("value", "a value")
    line.need("=", "'=' and an operation")
    op_name = line.take("word", "the name of an operation")
    try:
        op = get(op_name.text)
    except OpError as error:
        line.fail(f"the name of an operation ({error})", op_name)
    line.need("(", "'(' and the operands")
    operands: list[Node] = []
    attrs: dict[str, object] = {}
    while not line.skip(")"):
        if operands or attrs:
            line.need(",", "',' or ')'")
        if line.next.kind == "word":
            _parse_attribute(line, attrs)
        elif attrs:
            line.fail("an attribute such as 'axis=0' (operands come before attributes)")
        else:
            operands.append(_use(line, values, "an operand or an attribute such as 'axis=0'"))
    line.need(":", "':' and the type of the value")
    type = _parse_type(line)
    line.finish()
    place = _PLACE.match(line.comment)
    location = Location(place["file"], int(place["line"]), "") if place else None
    return _define(line, name, Node(op, tuple(operands), type, tuple(sorted(attrs.items())), "", location), values)


def _parse_attribute(line: _Line, attrs: dict[str, object]) -> None:
    name = line.take("word", "the name of an attribute")
    if name.text in attrs:
        line.fail("each attribute once", name)
    line.need("=", "'=' and the attribute's value")
    attrs[name.text] = _parse_value(line)


def _parse_value(line: _Line) -> object:
    token = line.next
    line.position += 1
    if token.text == "(":
        return _parse_tuple(line)
    if token.kind == "number" and not token.text.startswith("0x"):
        return int(token.text) if token.text.lstrip("-").isdigit() else float(token.text)
    if token.kind == "string":
        return ast.literal_eval(parsed(token.text, mode="eval"))
    if token.text == "nan" and line.skip("("):
        bits = line.take("number", "the bits of a NaN, such as 0xfff8000000000000")
        line.need(")", "')'")
        return struct.unpack("<d", int(bits.text, 0).to_bytes(8, "little"))[0]
    if token.kind == "word" and token.text in _WORDS:
        return _WORDS[token.text]
    if token.kind == "word":
        return _dtype(line, token, "a value: a number, True, False, None, a text, a tuple or a dtype's code")
    line.fail("a value: a number, True, False, None, a text, a tuple or a dtype's code", token)


def _parse_tuple(line: _Line) -> tuple[object, ...]:
    entries: list[object] = []
    while not line.skip(")"):
        entries.append(_parse_value(line))
        if line.next.text != ")":
            line.need(",", "',' or ')'")
        elif len(entries) == 1 and line.tokens[line.position - 1].text != ",":
            line.fail("',' (a tuple of one is written (1,))")
    return tuple(entries)


def _dtype(line: _Line, token: _Token, expected: str) -> dtypes.DType:
    try:
        return dtypes.from_code(token.text)
    except KeyError:
        line.fail(expected, token)


def _parse_type(line: _Line) -> TensorType:
    code = line.take("word", "a type such as f32[2, 3]")
    dtype = _dtype(line, code, f"a dtype's code ({', '.join(each.code for each in dtypes.ALL)})")
    line.need("[", "'[' and the sizes")
    sizes: list[int] = []
    while not line.skip("]"):
        if sizes:
            line.need(",", "',' or ']'")
        size = line.take("number", "a size")
        if not size.text.isdigit():
            line.fail("a size, a whole number from 0", size)
        sizes.append(int(size.text))
    device = "cpu"
    if line.next.kind == "device":
        device = line.take("device", "a device").text[1:]
    return TensorType(tuple(sizes), dtype, device)


def _parse_write(line: _Line, values: dict[str, Node]) -> Write:
    target = _use(line, values, "the input to write to")
    line.need("<-", "'<-' and the value")
    value = _use(line, values, "the value to write")
    line.finish()
    return Write(target, value)


def _parse_return(lines: list[_Line], position: int, values: dict[str, Node], expected: str) -> tuple[Node, ...]:
    if position == len(lines):
        _end_too_early(lines[-1], expected)
    line = lines[position]
    line.need("return", expected)
    outputs: list[Node] = []
    while line.next.kind != "end":
        if outputs:
            line.need(",", "','")
        outputs.append(_use(line, values, "an output"))
    if position + 1 == len(lines):
        _end_too_early(line, "'}'")
    closing = lines[position + 1]
    closing.need("}", "'}'")
    closing.finish()
    if position + 2 < len(lines):
        lines[position + 2].fail("nothing after the graph")
    return tuple(outputs)


def _end_too_early(last: _Line, expected: str) -> NoReturn:
    raise GraphError(f"line {last.number}: expected {expected} after it, found the end of the text\n    {last.text}")
