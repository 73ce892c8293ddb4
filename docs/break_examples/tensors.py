"""Programs for the kinds of frontend/breaks/tensors.py."""

EXAMPLES = {
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
}
