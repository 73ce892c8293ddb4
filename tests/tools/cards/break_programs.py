"""Programs whose graphs break, and are whole when they are edited as the card says; see programs.py."""

from __future__ import annotations

BREAKS = {
    # branches
    "branch_on_array": ("B101", """
@gl.jit
def flipped(x):
    y = x * 2.0 if x.sum() > 3.0 else x * 3.0
    return y + 1.0
out(flipped(np.arange(5.0)))
"""),
    "long_loop": ("B303", """
@gl.jit
def repeated(x, names):
    for name in names:
        x = x + len(name)
    return x
out(repeated(np.ones(3), [str(k) for k in range(100)]))
"""),
    "deep_recursion": ("B203", """
def deeper(x, depth):
    return x if depth == 0 else deeper(x, depth - 1) + 1.0
@gl.jit
def nested(x):
    return deeper(x, 80)
out(nested(np.ones(3)))
"""),
    "asked_for": ("B208", """
@gl.jit
def halves(x):
    y = x + 1.0
    gl.graph_break()
    return y * 2.0
out(halves(np.ones(3)))
"""),
    "write_in_a_branch": ("B104", """
@gl.jit
def raised(t):
    y = t * 2
    if t.sum() > 0:
        y += 1
    return y
out(raised(gl.ones(2)))
out(raised(-gl.ones(2)))
"""),
    "many_facts": ("B311", """
@gl.jit
def total(x, numbers):
    for number in numbers:
        if number > 0:
            x = x + 1.0
    return x
with gl.config.patch(unroll_limit=5000):
    out(total(np.ones(3), [float(k) for k in range(1100)]))
"""),
    "tensor_of_tensors": ("B414", """
@gl.jit
def joined(a, b):
    both = gl.tensor([a * 2, b])
    return both * 2
out(joined(gl.ones(3), gl.ones(3)))
"""),
    "data_set": ("B420", """
w = gl.ones(3)
@gl.jit
def update(g):
    w.data = (w.detach() - g)[0]
    return w * 1.0
out(update(gl.ones(2, 3) * 0.25))
"""),
    "branch_statement": ("B101", """
@gl.jit
def grown(x):
    if x.sum() > 3.0:
        y = x * 2.0
    else:
        y = x * 3.0
    return y + 1.0
out(grown(np.arange(5.0)))
out(grown(-np.arange(5.0)))
"""),
    "early_return": ("B101", """
@gl.jit
def normed(x):
    if x.sum() > 3.0:
        return x / x.sum()
    return x
out(normed(np.arange(5.0)))
out(normed(np.arange(5.0) * 0.25))
"""),
    # more than one line
    "branch_over_lines": ("B101", """
@gl.jit
def grown(x):
    y = (
        x * 2.0
        if x.sum() > 3.0
        else np.tanh(x) * 3.0
    )
    return y + 1.0
out(grown(np.arange(5.0)))
out(grown(-np.arange(5.0)))
"""),
    "write_over_lines": ("B104", """
@gl.jit
def raised(t):
    y = t * 2
    if t.sum() > 0:
        y *= (
            t
            + 1
        )
    return y
out(raised(gl.ones(2)))
out(raised(-gl.ones(2)))
"""),
    "tensor_over_lines": ("B414", """
@gl.jit
def joined(a, b):
    both = gl.tensor([
        a * 2,
        b,
    ])
    return both * 2
out(joined(gl.ones(3), gl.ones(3)))
"""),
    "data_over_lines": ("B420", """
w = gl.ones(3)
@gl.jit
def update(g):
    w.data = (
        w.detach()
        - g
    )[0]
    return w * 1.0
out(update(gl.ones(2, 3) * 0.25))
"""),
    "asked_for_over_lines": ("B208", """
@gl.jit
def halves(x):
    y = x + 1.0
    gl.graph_break(
        "to look at y"
    )
    return y * 2.0
out(halves(np.ones(3)))
"""),
}  # fmt: skip
