"""PTX to C: reads the names of PTX files from standard input, and writes C beside each.

After each it prints an empty line, or what has no translation.

A kernel becomes a function that runs one thread until it ends or has to wait for others. The thread's registers lie in
a struct, so that it goes on where it stopped. `kernel.h` has what the C calls, `machine.h` what the driver knows of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import accesses  # noqa: F401  # enters its rules
import arithmetic  # noqa: F401  # enters its rules
from control import label
from operands import C_TYPES, Body, offsets
from ptx_text import Array, Function, Instruction, Label, Module, UntranslatableError, read
from rules import append

SHARED_FROM = 16
"""Units: bytes. No array in shared memory lies at zero, so that a null address is found."""
ENDS = {"bra", "ret", "exit", "trap"}


def translate(text: str) -> str:
    """The C of a PTX text with one kernel. Errors: UntranslatableError."""
    module = read(text)
    entries = [function for function in module.functions if function.is_entry]
    if len(entries) != 1:
        raise UntranslatableError(f"{len(entries)} kernels in one module")
    shared, shared_bytes = offsets([Array("", "b8", SHARED_FROM), *module.shared])
    bodies = {function.name: body_of(function, module, shared) for function in module.functions}
    entry = entries[0]
    places, parameter_bytes = offsets(entry.parameters)
    lines = ['#include "kernel.h"', *data_lines(module)]
    lines.append(f"static const uint32_t parameter_offsets[] = {{ {numbers(places.values())} }};")
    lines += [signature(function) + ";" for function in module.functions if not function.is_entry]
    local_bytes = 16
    for function in module.functions:
        body = bodies[function.name]
        local_bytes += -(-body.local_bytes // 16) * 16
        lines += entry_lines(body) if function.is_entry else function_lines(body)
    lines += [
        f"const uint32_t parameter_sizes[] = {{ {numbers(each.nbytes for each in entry.parameters)} }};",
        f'const struct Kernel kernel = {{ "{entry.name}", run, sizeof(struct State), {shared_bytes}, {local_bytes},',
        f"    {len(places)}, {parameter_bytes}, parameter_offsets, parameter_sizes, {entry.most_threads} }};",
    ]
    return "\n".join(lines) + "\n"


def numbers(values: Iterable[int]) -> str:
    """The elements of a C array, with one more, since none may be empty."""
    return ", ".join(map(str, [*values, 0]))


def data_lines(module: Module) -> list[str]:
    """The data of a module, which lie in the host's memory, and the question whether an address is of them."""
    lines = []
    for array in module.data:
        values = f" = {{ {', '.join(array.values)} }}" if array.values else ""
        lines.append(f"static {C_TYPES[array.type]} data_{array.name}[{max(array.count, 1)}]{values};")
    tests = "".join(f" WITHIN(data_{array.name})" for array in module.data)
    return [*lines, f"static uint8_t *in_data(uint64_t address, uint32_t size) {{{tests} return 0; }}", AT]


AT = """static inline uint8_t *at(struct Thread *t, uint64_t address, uint32_t size, int access) {
    uint8_t *found = in_data(address, size);
    return found ? found : machine->global_at(t, address, size, access);
}"""


def body_of(function: Function, module: Module, shared: dict[str, int]) -> Body:
    """The statements of a function, with the count of instructions before each run of them."""
    body = Body(function, module, shared)
    counted_at, count = 0, 0

    def close() -> None:
        nonlocal count
        if count:
            body.lines.insert(counted_at, f"t->instructions += {count};")
        count = 0

    for one in function.body:
        if isinstance(one, Label):
            close()
            body.put(f"{label(one.name)}: ;")
            counted_at = len(body.lines)
        else:
            count += 1
            append(body, one)
            if ends_a_run(one):
                close()
                counted_at = len(body.lines)
    close()
    return body


def ends_a_run(instruction: Instruction) -> bool:
    return instruction.name[0] in ENDS


def signature(function: Function) -> str:
    parameters = "".join(f", uint8_t *parameter_{k}" for k in range(len(function.parameters)))
    return f"static int function_{function.name}(struct Thread *t, uint64_t frame, uint8_t *result{parameters})"


def declarations(body: Body) -> list[str]:
    return [f"{C_TYPES[kind]} {name};" for name, kind in sorted(body.used.items())]


def prologue(body: Body) -> list[str]:
    """Locals of a function's C: buffers of calls, the carry, and where the frames of functions that it calls begin."""
    lines = [
        f"uint8_t buffer_{name}[{size}] __attribute__((aligned(16)));" for name, size in body.function.buffers.items()
    ]
    below = -(-body.local_bytes // 16) * 16
    return [*lines, "uint32_t carry = 0; (void)carry;", f"uint64_t below = frame + {below}; (void)below;"]


def entry_lines(body: Body) -> list[str]:
    jumps = "".join(f" case {k}: goto stop_{k};" for k in range(1, body.stops + 1))
    return [
        "struct State { struct Thread thread;",
        *declarations(body),
        "};",
        "static int run(struct Thread *t) {",
        "struct State *s = (struct State *)t; (void)s;",
        "const uint64_t frame = LOCAL_BASE; (void)frame;",
        *prologue(body),
        f"switch (t->place) {{{jumps} }}",
        *body.lines,
        "return DONE; }",
    ]


def function_lines(body: Body) -> list[str]:
    return [signature(body.function) + " {", *declarations(body), *prologue(body), *body.lines, "return DONE; }"]


if __name__ == "__main__":
    for line in sys.stdin:
        source, answer = Path(line.rstrip("\n")), ""
        try:
            source.with_suffix(".c").write_text(translate(source.read_text()))
        except UntranslatableError as error:
            answer = " ".join(f"no translation of: {error}".split())
        except Exception as error:  # whoever waits for an answer gets one
            answer = f"the translator failed: {error!r}"
        print(answer, flush=True)
