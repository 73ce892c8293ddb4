"""The readable form of loop IR, one statement a line."""

from __future__ import annotations

from .ir import (
    Access,
    Accumulate,
    Address,
    Amount,
    Apply,
    Argument,
    Assign,
    Break,
    CheckedIndex,
    ColumnReduction,
    Continue,
    Count,
    Expression,
    Fail,
    If,
    IndexValue,
    InnerLoop,
    Invoke,
    Kernel,
    Leave,
    Let,
    Literal,
    Load,
    Loop,
    Ordered,
    Repeat,
    Statement,
    Store,
    Variable,
)


def print_kernel(kernel: Kernel) -> str:
    """The readable form, one statement a line. An `InnerLoop` prints as a sweep, a `LoopReduction` as a fold."""
    pointers = ", ".join(f"p{k}: {dtype.code}" for k, dtype in enumerate(kernel.pointers))
    lines = [f"kernel({pointers}; {kernel.sizes} sizes{', apart' if kernel.noalias else ''})"]
    lines += _print_body(kernel.body, "  ")
    return "\n".join(lines) + "\n"


def _print_body(body: tuple[Statement, ...], indent: str) -> list[str]:
    lines: list[str] = []
    for each in body:
        lines += [indent + line for line in _print_statement(each)]
    return lines


def _print_statement(each: Statement) -> list[str]:
    match each:
        case Let(name, dtype, expression):
            return [f"{name}: {dtype.code} = {_print_expression(expression)}"]
        case CheckedIndex(name, value, size):
            return [f"{name} = {value} checked below {size}"]
        case Fail(condition):
            return [f"fail if {condition}" if condition else "fail"]
        case Store(access, value, _):
            return [f"{print_access(access)} = {value}"]
        case Accumulate(access, combine, value, _):
            return [f"{print_access(access)} {combine}= {value}"]
        case Loop(var, extent, inner, parallel):
            head = f"{'parallel ' if parallel else ''}for {var}"
            return [head + (":" if parallel else f" < {extent}:"), *_print_body(inner, "  ")]
        case Ordered(var, extent, inner, _):
            return [f"in order for {var} < {extent}:", *_print_body(inner, "  ")]
        case InnerLoop(loops, inner, reductions):
            ranges = ", ".join(f"{var} < {extent}" for var, extent in loops)
            results = [
                f"{reduction.name}: {reduction.dtype.code} = {reduction.combine} {reduction.value}"
                for reduction in reductions
            ]
            return [f"sweep {ranges}:", *_print_body(inner, "  "), *("  fold " + line for line in results)]
        case ColumnReduction(var, extent, rows, before, per_row, inner, after, parallel):
            ranges = ", ".join(f"{row} < {size}" for row, size in rows)
            head = f"parallel columns {var}" if parallel else f"columns {var} < {extent}"
            head += f" over rows {ranges}:"
            parts = (before, "  before "), (per_row, "  row "), (inner, "  "), (after, "  after ")
            return [head, *(line for part, indent in parts for line in _print_body(part, indent))]
    return _print_control(each)


def _print_control(each: Statement) -> list[str]:
    match each:
        case Variable(name, dtype, value):
            return [f"variable {name}: {dtype.code} = {value}"]
        case Assign(name, _, value):
            return [f"{name} = {value}"]
        case Count(var, start, stop, step, inner, parallel):
            head = f"for {var} in {start}, {stop}, {step}{' parallel' if parallel else ''}:"
            return [head, *_print_body(inner, "  ")]
        case Repeat(inner):
            return ["repeat:", *_print_body(inner, "  ")]
        case If(condition, then, otherwise):
            lines = [f"if {condition}:", *_print_body(then, "  ")]
            return [*lines, "else:", *_print_body(otherwise, "  ")] if otherwise else lines
        case Break():
            return ["break"]
        case Continue():
            return ["continue"]
        case Leave():
            return ["leave"]
        case Invoke(name, dtype, function, arguments, in_python):
            made = f"{name}: {dtype.code} = " if dtype else ""
            return [f"{made}{'ask' if in_python else 'call'} {function}({', '.join(map(_print_argument, arguments))})"]
    raise AssertionError(each)


def _print_argument(each: Address | Argument) -> str:
    return f"&{print_access(each.access)}" if isinstance(each, Address) else each.name


def _print_expression(expression: Expression) -> str:
    match expression:
        case Load(access):
            return print_access(access)
        case Literal(value):
            return repr(value)
        case Apply(text, operands, _):
            return text.format(*operands)
        case IndexValue(terms, constant):
            return "index " + (print_terms(terms, constant) or "0")


def print_access(access: Access) -> str:
    """`p0[i0 * s1 + i1]`."""
    return f"p{access.pointer}[{print_terms(access.terms)}]"


def print_terms(terms: tuple[tuple[str, Amount], ...], constant: Amount = 0) -> str:
    """The sum as an expression that is valid in Python and C."""
    parts = [var if stride == 1 else f"-{var}" if stride == -1 else f"{var} * {stride}" for var, stride in terms]
    if constant != 0:
        parts.append(str(constant))
    return " + ".join(parts) or "0"
