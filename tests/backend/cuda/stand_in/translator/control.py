"""Rules of PTX control flow, barriers, and what lanes of a warp do together."""

from __future__ import annotations

import re

from operands import Body
from ptx_text import Instruction, UntranslatableError
from rules import rule


def label(name: str) -> str:
    return "at_" + re.sub(r"\W", "_", name.replace("$", "_S_"))


@rule("bra")
def branch(body: Body, instruction: Instruction) -> None:
    body.put(f"goto {label(instruction.operands[0])};")


@rule("ret", "exit")
def leave(body: Body, instruction: Instruction) -> None:
    if instruction.name[0] == "exit" and not body.function.is_entry:
        raise UntranslatableError("exit in a function that is called")
    body.put("return DONE;")


@rule("trap")
def trap(body: Body, _: Instruction) -> None:
    body.put("return TRAP;")


@rule("call")
def call(body: Body, instruction: Instruction) -> None:
    operands = list(instruction.operands)
    result = operands.pop(0)[1:-1].strip() if operands[0].startswith("(") else None
    name, arguments = operands[0], operands[1][1:-1].split(",") if len(operands) > 1 else []
    if name not in {function.name for function in body.module.functions}:
        raise UntranslatableError(f"call of {name}, which is not defined")
    buffers = [f"buffer_{each.strip()}" for each in arguments if each.strip()]
    given = ", ".join(["t", "below", f"buffer_{result}" if result else "0", *buffers])
    body.put(f"{{ int status = function_{name}({given}); if (status) return status; }}")


@rule("membar", "fence")
def fence(body: Body, _: Instruction) -> None:
    body.put("machine->fence(t);")


@rule("nanosleep")
def sleep(body: Body, _: Instruction) -> None:
    body.stop("YIELD")


@rule("bar", "barrier")
def barrier(body: Body, instruction: Instruction) -> None:
    what = [part for part in instruction.name[1:] if part not in ("cta", "aligned")]
    operands = instruction.operands
    if what == ["warp", "sync"]:
        body.put(f"t->mask = {body.value(operands[0], 'u32')};")
        return body.stop("WARP_BARRIER")
    if what == ["sync"] and operands == ("0",):
        return body.stop("BARRIER")
    if what[:1] == ["red"] and len(operands) == 3 and operands[1] == "0":
        body.put(f"t->vote = {body.predicate(operands[2])};")
        body.stop("BARRIER_VOTE")
        found = {"or": "t->votes > 0", "and": "t->votes == t->voters", "popc": "t->votes"}[what[1]]
        return body.assign(operands[0], f"({found})", "pred" if what[2] == "pred" else "u32")
    raise UntranslatableError("a barrier with a name or a count")


COLLECTIVES = ["SHUFFLE_BFLY", "SHUFFLE_IDX", "SHUFFLE_UP", "SHUFFLE_DOWN", "VOTE_ALL", "VOTE_ANY", "VOTE_UNI"]
COLLECTIVES += ["VOTE_BALLOT", "REDUX_ADD", "REDUX_MIN", "REDUX_MAX", "REDUX_SMIN", "REDUX_SMAX", "REDUX_AND"]
COLLECTIVES += ["REDUX_OR", "REDUX_XOR", "MATCH_ANY", "MATCH_ALL"]
COLLECTIVES += ["MATRICES", "TURNED_MATRICES", "MULTIPLY_F16", "MULTIPLY_BF16", "MULTIPLY_TF32"]
"""The values of `machine.h` for what the lanes named in a mask do together."""


def together(body: Body, what: str, value: str, mask: str) -> None:
    """Appends a wait for the lanes of `mask`; then `t->given` and `t->agreed` hold what they made of the values."""
    if what not in COLLECTIVES:
        raise UntranslatableError(what)
    body.put(f"t->value = {value}; t->mask = {body.value(mask, 'u32')}; t->collective = {what};")
    body.stop("COLLECTIVE")


@rule("shfl")
def shuffle(body: Body, instruction: Instruction) -> None:
    targets = instruction.operands[0].split("|")
    value, lane, clamp, mask = instruction.operands[1:]
    body.put(f"t->source_lane = {body.value(lane, 'u32')}; t->clamp = {body.value(clamp, 'u32')};")
    together(body, f"SHUFFLE_{instruction.name[2].upper()}", body.value(value, "b32"), mask)
    body.assign(targets[0], "t->given", "b32")
    if len(targets) > 1:
        body.assign(targets[1], "t->agreed", "pred")


@rule("vote")
def vote(body: Body, instruction: Instruction) -> None:
    target, predicate, mask = instruction.operands
    mode = instruction.name[2]
    together(body, f"VOTE_{mode.upper()}", body.predicate(predicate), mask)
    body.assign(target, "t->given", "b32" if mode == "ballot" else "pred")


@rule("redux")
def reduce(body: Body, instruction: Instruction) -> None:
    (target, value, mask), (operation, kind) = instruction.operands, instruction.name[2:]
    sign = "S" if kind == "s32" and operation in ("min", "max") else ""
    together(body, f"REDUX_{sign}{operation.upper()}", body.value(value, "b32"), mask)
    body.assign(target, "t->given", "b32")


@rule("match")
def match(body: Body, instruction: Instruction) -> None:
    targets = instruction.operands[0].split("|")
    kind = instruction.name[-1]
    together(
        body, f"MATCH_{instruction.name[1].upper()}", body.value(instruction.operands[1], kind), instruction.operands[2]
    )
    body.assign(targets[0], "t->given", "b32")
    if len(targets) > 1:
        body.assign(targets[1], "t->agreed", "pred")


def of_braces(vector: str, count: int) -> list[str]:
    """The registers in braces. Errors: UntranslatableError where they are not so many."""
    found = [each.strip() for each in vector.strip("{}").split(",")]
    if len(found) != count:
        raise UntranslatableError(f"{len(found)} registers instead of {count}")
    return found


@rule("ldmatrix")
def load_matrices(body: Body, instruction: Instruction) -> None:
    if instruction.name[1:5] != ("sync", "aligned", "m8n8", "x4") or instruction.name[-2:] != ("shared", "b16"):
        raise UntranslatableError(".".join(instruction.name))
    base, offset = body.address(instruction.operands[1])
    what = "TURNED_MATRICES" if "trans" in instruction.name else "MATRICES"
    together(body, what, f"{body.value(base, 'u64')} + {offset}", "0xFFFFFFFF")
    for k, register in enumerate(of_braces(instruction.operands[0], 4)):
        body.assign(register, f"t->made[{k}]", "b32")


@rule("mma")
def multiply_matrices(body: Body, instruction: Instruction) -> None:
    *form, result, left, right, added = instruction.name[1:]
    shape = "m16n8k8" if left == "tf32" else "m16n8k16"
    if form != ["sync", "aligned", shape, "row", "col"] or left != right or {result, added} != {"f32"}:
        raise UntranslatableError(".".join(instruction.name))
    targets, *given = (of_braces(each, n) for each, n in zip(instruction.operands, (4, 4, 2, 4), strict=True))
    words = [body.value(register, "b32") for registers in given for register in registers]
    body.put(*(f"t->words[{k}] = {word};" for k, word in enumerate(words)))
    together(body, f"MULTIPLY_{left.upper()}", "0", "0xFFFFFFFF")
    for k, register in enumerate(targets):
        body.assign(register, f"f32_of(t->made[{k}])", "f32")


@rule("cp")
def copy(body: Body, instruction: Instruction) -> None:
    """Copies that run on their own; the driver makes them when they are waited for."""
    what = instruction.name[1:]
    if what == ("async", "commit_group"):
        return body.put("machine->commit_copies(t);")
    if what == ("async", "wait_group"):
        return body.put(f"if (machine->wait_for_copies(t, {instruction.operands[0]})) return FAULT;")
    if what not in (("async", "cg", "shared", "global"), ("async", "ca", "shared", "global")):
        raise UntranslatableError(".".join(instruction.name))
    to, from_, size, *known = instruction.operands
    places = [f"{body.value(base, 'u64')} + {offset}" for base, offset in (body.address(to), body.address(from_))]
    count = body.value(known[0], "u32") if known else size
    body.put(f"if (machine->copy(t, {places[0]}, {places[1]}, {size}, {count})) return FAULT;")


@rule("activemask")
def active(body: Body, instruction: Instruction) -> None:
    raise UntranslatableError("activemask, whose value no program may rely on")
