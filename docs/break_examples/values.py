"""Programs for the kinds of frontend/breaks/values.py."""

EXAMPLES = {
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
    "B429": """
@gl.jit
def f(x):
    return x + 1

f(np.zeros(33, np.uint8)[1:].view(np.float64))
""",
}
