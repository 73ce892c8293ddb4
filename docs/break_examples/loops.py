"""Programs for the kinds of frontend/breaks/loops.py."""

EXAMPLES = {
    "B104": """
@gl.jit
def f(t):
    if t.sum() > 0:
        t = t + 1
    return t  # the argument itself, or a new tensor

f(gl.tensor([1.0, 2.0]))
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
}
