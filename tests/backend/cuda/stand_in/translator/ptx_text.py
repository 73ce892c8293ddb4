"""PTX text as functions, data and instructions, each operand still a word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod

SIZES = {f"{kind}{bits}": bits // 8 for kind in "bus" for bits in (8, 16, 32, 64)}
SIZES |= {"f16": 2, "bf16": 2, "f16x2": 4, "bf16x2": 4, "f32": 4, "f64": 8, "pred": 1}
"""Units: bytes of a value of each type."""
_HEAD = re.compile(
    r"\.(?:entry|func)\b"
    r"|\.(?P<space>global|const|shared)\s+(?:\.align\s+(?P<align>\d+)\s+)?\.(?P<type>\w+)\s+(?P<name>[\w$]+)"
    r"(?P<dims>\[(?P<count>\d*)\])?\s*(?:=\s*\{(?P<values>[^}]*)\}|=\s*(?P<value>[^;]*))?\s*;"
)
_SIGNATURE = re.compile(
    r"\s*(?:\(\s*\.param\s+(?:\.align\s+\d+\s+)?\.\w+\s+(?P<result>[\w$]+)(?:\[\d+\])?\s*\))?"
    r"\s*(?P<name>[\w$]+)\s*(?:\((?P<parameters>.*?)\))?\s*",
    re.DOTALL,
)
_PARAMETER = re.compile(
    r"\.param\s+(?:\.align\s+(?P<align>\d+)\s+)?\.(?P<type>\w+)(?:\s+\.ptr[^,]*?)?\s+(?P<name>[\w$]+)"
    r"(?P<dims>\[(?P<count>\d*)\])?\s*(?=,|\)|$)"
)
_BOUND = re.compile(r"\.maxntid\s+([\d, ]+)")
_LABEL = re.compile(r"([\w$]+):\s*(.*)$", re.DOTALL)
_DECLARED = re.compile(r"\.(\w+)\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+([\w$]+)(?:\[(\d+)\])?")
_OPERAND = re.compile(r"%?[\w$]+")
_GUARD = re.compile(r"@(!?)(%[\w$]+)\s+(.*)$", re.DOTALL)


class UntranslatableError(Exception):
    """PTX that has no translation here; the message is the instruction."""


@dataclass(frozen=True)
class Label:
    """A place that branches name."""

    name: str


@dataclass(frozen=True)
class Instruction:
    """One instruction: `name` is the mnemonic's parts between dots; `guard` a predicate and whether it is negated."""

    name: tuple[str, ...]
    operands: tuple[str, ...]
    guard: tuple[str, bool] | None = None

    def __str__(self) -> str:
        return f"{'.'.join(self.name)} {', '.join(self.operands)}"


@dataclass(frozen=True)
class Array:
    """Memory with a name. Units: `align` is bytes, `count` elements."""

    name: str
    type: str
    count: int
    align: int = 1
    values: tuple[str, ...] = ()

    @property
    def nbytes(self) -> int:
        return self.count * SIZES[self.type]


@dataclass
class Function:
    """An entry or a function it calls. `registers` has the type by name, or by stem for numbered ones."""

    name: str
    is_entry: bool
    result: str | None
    parameters: list[Array]
    body: list[Label | Instruction] = field(default_factory=list)
    registers: dict[str, str] = field(default_factory=dict)
    local: list[Array] = field(default_factory=list)
    buffers: dict[str, int] = field(default_factory=dict)
    """Parameters of the calls that it makes. Units: bytes."""
    most_threads: int = 0
    """Threads of a block, as an entry says; 0 if it does not."""


@dataclass
class Module:
    """The definitions of one PTX text."""

    functions: list[Function] = field(default_factory=list)
    data: list[Array] = field(default_factory=list)
    shared: list[Array] = field(default_factory=list)


def read(text: str) -> Module:
    """The module that PTX defines. Errors: UntranslatableError for what is not understood."""
    text = re.sub(r"/\*.*?\*/", "", text.replace("\0", ""), flags=re.DOTALL)
    text = re.sub(r"//[^\n]*", "", text)
    module, place = Module(), 0
    while found := _HEAD.search(text, place):
        if found["name"]:
            place = found.end()
            (module.shared if found["space"] == "shared" else module.data).append(_array(found))
            continue
        brace, end = text.find("{", found.end()), text.find(";", found.end())
        if brace < 0 or 0 <= end < brace:  # a declaration only
            place = end + 1
            continue
        signature = _SIGNATURE.match(text[found.end() : brace])
        if signature is None:
            raise UntranslatableError(text[found.start() : brace])
        parameters = [_array(each) for each in _PARAMETER.finditer(signature["parameters"] or "")]
        function = Function(signature["name"], found[0] == ".entry", signature["result"], parameters)
        bound = _BOUND.search(text, found.end(), brace)
        function.most_threads = prod(map(int, bound[1].split(","))) if bound else 0
        place = _matching_brace(text, brace) + 1
        _read_body(function, module, text[brace + 1 : place - 1])
        module.functions.append(function)
    return module


def _array(found: re.Match[str]) -> Array:
    """The array of a declaration; without an alignment it has that of its elements."""
    parts = found.groupdict()
    values = (parts.get("values") or parts.get("value") or "").split(",")
    count = 1 if parts["dims"] is None else int(parts["count"] or 0)
    align = int(parts["align"] or SIZES[parts["type"]])
    return Array(parts["name"], parts["type"], count, align, tuple(each.strip() for each in values if each.strip()))


def _matching_brace(text: str, start: int) -> int:
    depth = 0
    for brace in re.compile("[{}]").finditer(text, start):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    raise UntranslatableError("a brace that is not closed")


def _statements(body: str) -> Iterator[str]:
    """Labels (with their colon), statements, and braces of a body."""
    rest = ""
    for line in body.splitlines():
        rest = f"{rest} {line.strip()}".strip()
        while True:
            if rest[:1] in ("{", "}"):
                yield rest[0]
                rest = rest[1:].lstrip()
                continue
            label = _LABEL.match(rest)
            if label and not rest.startswith("."):
                yield label[1] + ":"
                rest = label[2].strip()
                continue
            one, end, after = rest.partition(";")
            if not end:
                break
            if one.strip():
                yield " ".join(one.split())
            rest = after.strip()


def _read_body(function: Function, module: Module, text: str) -> None:
    scopes: list[dict[str, str]] = []
    """The names of registers that belong to the blocks that are open, and what they are called here."""
    for statement in _statements(text):
        if statement == "{":
            scopes.append({})
            continue
        if statement == "}":
            scopes.pop()
            continue
        for scope in reversed(scopes):
            statement = _OPERAND.sub(lambda found, scope=scope: scope.get(found[0], found[0]), statement)
        if statement.endswith(":"):
            function.body.append(Label(statement[:-1]))
        elif statement.startswith(".reg"):
            kind, names = re.match(r"\.reg\s+\.(\w+)\s+(.*)$", statement).groups()  # type: ignore[union-attr]
            for name in names.split(","):
                stem = re.match(r"(%[\w$]*?)<(\d+)>", name.strip())
                if scopes:
                    own = [f"{stem[1]}{k}" for k in range(int(stem[2]))] if stem else [name.strip()]
                    for each in own:
                        scopes[-1][each] = f"{each}_of_{len(function.registers)}"
                        function.registers[scopes[-1][each]] = kind
                else:
                    function.registers[stem[1] if stem else name.strip()] = kind
        elif statement.startswith("."):
            _declare(function, module, statement)
        else:
            function.body.append(_instruction(statement))


def _declare(function: Function, module: Module, statement: str) -> None:
    found = _DECLARED.match(statement)
    if found is None or found[1] not in ("local", "shared", "param"):
        if statement.split()[0] in (".loc", ".pragma", ".callprototype"):
            return
        raise UntranslatableError(statement)
    array = Array(found[4], found[3], int(found[5] or 1), int(found[2] or SIZES[found[3]]))
    if found[1] == "param":
        function.buffers[array.name] = max(function.buffers.get(array.name, 16), array.nbytes)
    else:
        (function.local if found[1] == "local" else module.shared).append(array)


def _instruction(statement: str) -> Instruction:
    guard = None
    if found := _GUARD.match(statement):
        guard, statement = (found[2], bool(found[1])), found[3]
    name, _, rest = statement.partition(" ")
    return Instruction(tuple(name.split(".")), tuple(operands_of(rest)), guard)


def operands_of(text: str) -> Iterator[str]:
    """The parts of a text between the commas that stand in no bracket."""
    depth, start = 0, 0
    for k, character in enumerate(text):
        depth += (character in "[{(") - (character in "]})")
        if character == "," and depth == 0:
            yield text[start:k].strip()
            start = k + 1
    if last := text[start:].strip():
        yield last
