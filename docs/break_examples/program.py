"""Programs for the kinds of frontend/breaks/program.py."""

EXAMPLES = {
    "B301": """
import sys

sys.modules.pop("colorsys", None)  # as if nobody had imported it yet

@gl.jit
def f(x):
    import colorsys

    return x + colorsys.ONE_THIRD

f(x)
""",
    "B302": """
@gl.jit
def f(x):
    f.calls = 1
    return x + 1

f(x)
""",
    "B303": """
@gl.jit
def f(x):
    total = x
    for each in [x] * 1000:
        total = total + each
    return total

f(x)
""",
    "B304": """
@gl.jit
def f(x, n):
    if n < 0:
        raise ValueError("n is negative")
    return x + n

f(x, -1)
""",
    "B305": """
@gl.jit
def f(x):
    k = 0
    while k < 100_000:
        k += 1
    return x + k

f(x)
""",
    "B306": """
@gl.jit
def f(x):
    return x.shape

f(x)
""",
    "B307": """
@gl.jit
def f(x):
    try:
        raise OSError(2, "no such file")
    except OSError:
        y = x * 2
    return y

f(x)
""",
    "B308": """
@gl.jit
def f(x):
    one, other = [], []
    for _ in range(60):
        for _ in range(10):
            one, other = [one], [other]
    return x + (one == other)

f(x)
""",
    "B310": """
@gl.jit
def f(x):
    for name in ["a", "b"]:
        print(name)
        x = x + 1
    return x

f(x)
""",
    "B311": """
@gl.jit
def f(x, numbers):
    return x + sum(numbers)

f(x, list(range(2000)))
""",
    "B312": """
@gl.jit
def f(x, rate):
    for _ in range(10):
        rate = rate * rate * 0.5
    return x * rate

f(x, 0.5)
""",
    "B320": """
@gl.jit
def f(x):
    class Pair:
        pass

    return x + 1

f(x)

# Instead:
class Pair:
    pass

@gl.jit
def f(x):
    return x + 1

f(x)
""",
    "B321": """
@gl.jit
def f(x):
    def same[T](value: T) -> T:
        return value

    return same(x) + 1

f(x)
""",
    "B322": """
table = {"a": 1.0}

@gl.jit
def f(x, name):
    try:
        y = x * table[name]
    except* KeyError:
        y = x
    return y + 1

f(x, "b")
""",
    "B323": """
@gl.jit
def f(x):
    class Pair:
        pass

    return Pair.__name__, x + 1

f(x)

# Instead:
class Pair:
    pass

@gl.jit
def f(x):
    return Pair.__name__, x + 1

f(x)
""",
    "B324": """
@gl.jit
def f(x):
    parts = {"a": x, "b": x + 1}
    keys = iter(parts)
    parts["c"] = parts.pop(next(keys))
    return parts[next(keys)] * 2

f(x)

# Instead:
@gl.jit
def f(x):
    parts = {"a": x, "b": x + 1}
    keys = iter(list(parts))
    parts["c"] = parts.pop(next(keys))
    return parts[next(keys)] * 2

f(x)
""",
}
