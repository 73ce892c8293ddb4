"""A small program for every kind of graph break, by its code: `graph_breaks.md` shows it, and a test runs it.

`np`, `gl` and `x` (four floats) are there already. Empty: no program of a user's is known to do it.
"""

EXAMPLES: dict[str, str] = {
    "B101": """
@gl.jit
def f(x):
    return x + 1 if x.sum() > 0 else x - 1

f(x)
""",
    "B102": """
@gl.jit
def f(x):
    return "abcd"[int(x[1])]

f(x)
""",
    "B103": """
@gl.jit
def f(x):
    return x[x > 1] + 1

f(x)
""",
    "B104": """
@gl.jit
def f(t):
    if t.sum() > 0:
        t = t + 1
    return t  # the argument itself, or a new tensor

f(gl.tensor([1.0, 2.0]))
""",
    "B105": """
@gl.jit
def f(t):
    return t if gl.equal(t, t + 1) else t + 2

f(gl.tensor([1.0, 2.0]))
""",
    "B106": """
@gl.jit
def f(x):
    return x.view(np.uint8).view(bool).copy()

f(x)
""",
    "B201": """
@gl.jit
def f(x):
    print("called")
    return x + 1

f(x)
""",
    "B202": """
@gl.jit
def f(x):
    return np.median(x, overwrite_input=True)

f(x)
""",
    "B203": """
@gl.jit
def f(x, depth):
    return x if depth == 0 else f(x + 1, depth - 1)

f(x, 100)
""",
    "B204": """
async def later(x):
    return x + 1

@gl.jit
def f(x):
    later(x).close()
    return x * 2

f(x)
""",
    "B205": """
def steps():
    try:
        yield 1.0
        yield 2.0
    finally:
        print("done")

@gl.jit
def f(x):
    return x + next(steps())

f(x)
""",
    "B206": """
import textwrap

@gl.jit
def f(x):
    return {textwrap.dedent("  total"): x.sum()}

f(x)
""",
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
    "B313": """
@gl.jit
def f(x):
    seen = []
    for k in range(1, 100):
        if x[k % len(x)] > x[k % len(x) - 1]:
            seen.append(k)
    return seen

f(x)
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
    class Pair(dict):
        pass

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
    "B401": """
@gl.jit
def f(x, name):
    return x + len(name)

f(x, bytearray(b"abc"))
""",
    "B402": """
@gl.jit
def f(x):
    return x + 1

f(x.astype(np.longdouble))
""",
    "B403": """
@gl.jit
def f(x, y):
    x += y
    return x

f(x[1:], x[:-1])
""",
    "B404": """
@gl.jit
def f(x):
    x[None][0:0] = 1
    return x

f(x)
""",
    "B405": """
@gl.jit
def f(w):
    y = w * 2
    with gl.no_grad():
        y += 1
    return y

f(gl.ones(3, requires_grad=True))
""",
    "B406": """
@gl.jit
def f(w, scale):
    loss = (w * scale).sum()
    scale += 1
    loss.backward()

f(gl.ones(3, requires_grad=True), gl.ones(3))
""",
    "B407": """
@gl.jit
def f(w):
    w.data = w.detach() * 2
    return w * 2

f(gl.ones(3, requires_grad=True))
""",
    "B408": """
@gl.jit(backend="reference")
def f(x):
    return x * 2

f(gl.ones(3, device="cuda"))
""",
    "B409": """
@gl.jit
def f(loss):
    loss.backward()
    return loss * 2

f((gl.ones(3, requires_grad=True) * 2).sum())
""",
    "B501": """
@gl.jit
def f(x):
    return 1 / x

with np.errstate(divide="raise"):
    f(x + 1)
""",
    "B900": "",
    "B901": "",
    "B902": "",
}
