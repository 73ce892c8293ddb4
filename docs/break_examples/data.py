"""Programs for the kinds of frontend/breaks/data.py."""

EXAMPLES = {
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
    return x[np.exp(x) > 2] + 1

f(x)
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
}
