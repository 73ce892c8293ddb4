"""Programs for the kinds of frontend/breaks/calls.py."""

EXAMPLES = {
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
    "B207": """
@gl.disable(reason="it writes a file")
def log(x):
    print(x.shape)

@gl.jit
def f(x):
    y = x * 2
    log(y)
    return y + 1

f(x)
""",
    "B208": """
@gl.jit
def f(x):
    y = x * 2
    gl.graph_break()
    return y + 1

f(x)
""",
    "B209": """
t = gl.ones(3)

@gl.jit
def f(t):
    with gl.autograd.detect_anomaly(check_nan=False):
        return t * 2

f(t)

# Instead:
@gl.jit
def g(t):
    return t * 2

t = gl.ones(3)
with gl.autograd.detect_anomaly(check_nan=False):
    g(t)
""",
}
