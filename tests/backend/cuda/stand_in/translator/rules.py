"""The table of PTX instructions that have a translation, and what the rules in it share."""

from __future__ import annotations

from collections.abc import Callable, Collection

from operands import Body
from ptx_text import Instruction, UntranslatableError

Rule = Callable[[Body, Instruction], None]
RULES: dict[str, Rule] = {}


def rule(*mnemonics: str) -> Callable[[Rule], Rule]:
    """Enters a rule, which appends C statements to a body, under mnemonics."""

    def enter(made: Rule) -> Rule:
        RULES.update(dict.fromkeys(mnemonics, made))
        return made

    return enter


def append(body: Body, instruction: Instruction) -> None:
    """Appends the C statements of one instruction. Errors: UntranslatableError when no rule covers it."""
    made = RULES.get(instruction.name[0])
    if made is None:
        raise UntranslatableError(str(instruction))
    start = len(body.lines)
    try:
        made(body, instruction)
    except (KeyError, ValueError, IndexError) as error:
        raise UntranslatableError(f"{instruction}: {error!r}") from error
    except UntranslatableError as error:
        raise UntranslatableError(f"{instruction}: {error}") from error
    if instruction.guard is not None:
        name, negated = instruction.guard
        lines = body.lines[start:]
        body.lines[start:] = [f"if ({'!' * negated}{body.register(name)}) {{", *lines, "}"]


def modifiers(instruction: Instruction, allowed: Collection[str]) -> set[str]:
    """The parts between the mnemonic and the type. Errors: UntranslatableError for one that the rule does not know."""
    found = set(instruction.name[1:-1])
    if unknown := found - set(allowed):
        raise UntranslatableError(f"modifier {', '.join(sorted(unknown))}")
    return found
