"""Programs for the kinds of frontend/breaks/environment.py."""

EXAMPLES = {
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
