"""A small program for every kind of graph break, by its code: `graph_breaks.md` shows it, and a test runs it.

`np`, `gl` and `x` (four floats) are there already. Below a line `# Instead:` stands the program with the remedy, in
which no graph breaks; classes and plain functions of the first one are still there. Empty: no program of a user's is
known to do it.
"""

from . import branches, calls, data, environment, loops, program, tensors, values

EXAMPLES: dict[str, str] = {
    **branches.EXAMPLES,
    **calls.EXAMPLES,
    **data.EXAMPLES,
    **environment.EXAMPLES,
    **loops.EXAMPLES,
    **program.EXAMPLES,
    **tensors.EXAMPLES,
    **values.EXAMPLES,
}


def parts(code: str) -> tuple[str, str]:
    """The program that breaks, and the one with the remedy; empty where there is none."""
    breaking, _, instead = EXAMPLES[code].partition("\n# Instead:\n")
    return breaking.strip(), instead.strip()
