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
    return gl.autograd.functional.jacobian(lambda t: t * t, w)

f(gl.ones(600))
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
    "B410": """
def pack(t):
    return t

def unpack(t):
    return t

@gl.jit
def f(w):
    with gl.autograd.graph.saved_tensors_hooks(pack, unpack):
        return (w * w).sum()

f(gl.ones(3, requires_grad=True))

# Instead:
@gl.autograd.graph.inlineable
def pack(t):
    return t

@gl.autograd.graph.inlineable
def unpack(t):
    return t

@gl.jit
def f(w):
    with gl.autograd.graph.saved_tensors_hooks(pack, unpack):
        return (w * w).sum()

f(gl.ones(3, requires_grad=True))
""",
    "B411": """
@gl.jit
def f(w):
    loss = (w * w).sum()
    loss.backward()
    return loss.detach()

with gl.autograd.detect_anomaly():
    f(gl.ones(3, requires_grad=True))

# Instead:
@gl.jit
def f(w):
    loss = (w * w).sum()
    loss.backward()
    return loss.detach()

f(gl.ones(3, requires_grad=True))
""",
    "B412": """
@gl.jit
def f(w, x):
    x += 1
    return w * x

f(gl.ones(3, requires_grad=True), gl.ones(3))

# Instead:
@gl.jit
def f(w, x):
    x = x + 1
    return w * x

f(gl.ones(3, requires_grad=True), gl.ones(3))
""",
    "B413": """
@gl.jit
def f(w):
    y = w * 2
    return y[0], y.reshape(3, 1), y[1:].sum()

f(gl.ones(3, requires_grad=True))

# Instead:
@gl.jit
def f(w):
    y = w * 2
    return y[0].clone(), y.reshape(3, 1).clone(), y[1:].sum()

f(gl.ones(3, requires_grad=True))
""",
    "B414": """
@gl.jit
def f(t):
    return gl.tensor([t, t * 2])

f(gl.ones(3))

# Instead:
@gl.jit
def f(t):
    return gl.stack([t, t * 2])

f(gl.ones(3))
""",
    "B415": """
@gl.jit
def f(w):
    first = (w * 2)[:2]
    y = first + 1
    first.register_hook(lambda g: g * 2)
    return first.sum() + y.sum()

f(gl.ones(3, requires_grad=True))

# Instead:
@gl.jit
def f(w):
    first = (w * 2)[:2]
    first.register_hook(lambda g: g * 2)
    y = first + 1
    return first.sum() + y.sum()

f(gl.ones(3, requires_grad=True))
""",
    "B416": """
class Square(gl.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 2 * x

@gl.jit
def f(w):
    (g,) = gl.autograd.grad(Square.apply(w).sum(), [w], create_graph=True)
    return (g * g).sum()

f(gl.ones(3, requires_grad=True))

# Instead:
@gl.jit
def f(w):
    (g,) = gl.autograd.grad((w * w).sum(), [w], create_graph=True)
    return (g * g).sum()

f(gl.ones(3, requires_grad=True))
""",
    "B417": """
class Square(gl.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        seen.append(1)
        return g * 2 * x

seen = []

@gl.jit
def f(w):
    return Square.apply(w).sum()

f(gl.ones(3, requires_grad=True)).backward()

# Instead:
seen = []

@gl.jit
def f(w):
    loss = Square.apply(w).sum()
    loss.backward()
    return loss.detach()

f(gl.ones(3, requires_grad=True))
""",
    "B418": """
class Square(gl.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 2 * x + gl.rand(3)

@gl.jit
def f(w):
    return Square.apply(w).sum()

f(gl.ones(3, requires_grad=True)).backward()

# Instead:
@gl.jit
def f(w):
    loss = Square.apply(w).sum()
    loss.backward()
    return loss.detach()

f(gl.ones(3, requires_grad=True))
""",
    "B419": """
@gl.jit
def f(w):
    (g,) = gl.autograd.grad((w * w * w).sum(), [w], create_graph=True)
    return (g * g).sum()

f(gl.ones(3, requires_grad=True, dtype=gl.float16))

# Instead:
@gl.jit
def f(w):
    w = w.float()
    (g,) = gl.autograd.grad((w * w * w).sum(), [w], create_graph=True)
    return (g * g).sum()

f(gl.ones(3, requires_grad=True, dtype=gl.float16))
""",
    "B420": """
@gl.jit
def f(w):
    rows = gl.stack([w, w * 2])
    w.data = rows[1]
    return w * 2

f(gl.ones(3, requires_grad=True))

# Instead:
@gl.jit
def f(w):
    rows = gl.stack([w, w * 2])
    w.data = rows[1].clone()
    return w * 2

f(gl.ones(3, requires_grad=True))
""",
    "B421": """
from guardlift import nn

@gl.jit
def f(t):
    return nn.functional.mse_loss(t, t[:1])

f(gl.ones(3))

# Instead:
from guardlift import nn

@gl.jit
def f(t):
    return nn.functional.mse_loss(t, t[:1].expand(3))

f(gl.ones(3))
""",
    "B422": """
@gl.jit
def f(w):
    y = w * 2
    (y * y).sum().backward(inputs=[y])
    return y

f(gl.ones(3, requires_grad=True))

# Instead:
@gl.jit
def f(w):
    y = w * 2
    (g,) = gl.autograd.grad((y * y).sum(), [y])
    return y.detach(), g

f(gl.ones(3, requires_grad=True))
""",
    "B423": """
from guardlift.autograd.checkpointing import checkpoint

@gl.jit
def f(w):
    checkpoint(lambda t: (t * t).sum(), w, preserve_rng_state=False).backward()

f(gl.ones(3, requires_grad=True))

# Instead:
from guardlift.autograd.checkpointing import checkpoint

@gl.jit
def f(w):
    return (w * w).sum()

checkpoint(f, gl.ones(3, requires_grad=True), preserve_rng_state=False).backward()
""",
    "B427": """
from guardlift.autograd.checkpointing import checkpoint

@gl.jit
def f(w):
    return checkpoint(lambda t: (t * t).sum(), w)

f(gl.ones(3, requires_grad=True)).backward()

# Instead:
from guardlift.autograd.checkpointing import checkpoint

@gl.jit
def f(w):
    checkpoint(lambda t: (t * t).sum(), w).backward()

f(gl.ones(3, requires_grad=True))
""",
    "B424": """
@gl.jit
def f(t):
    t.requires_grad_()
    return (t * t).sum()

f(gl.ones(3))

# Instead:
@gl.jit
def f(t):
    return (t * t).sum()

f(gl.ones(3).requires_grad_())
""",
    "B425": """
@gl.jit
def f(w):
    y = w * 2
    a, b = y[0], y[0]
    (g,) = gl.autograd.grad((a * a).sum(), [a])
    return g, b.detach()

f(gl.ones(3, requires_grad=True))

# Instead:
@gl.jit
def f(w):
    y = w * 2
    a, b = y[0].clone(), y[0]
    (g,) = gl.autograd.grad((a * a).sum(), [a])
    return g, b.detach()

f(gl.ones(3, requires_grad=True))
""",
    "B428": """
@gl.jit
def f(w, optimizer):
    def closure():
        optimizer.zero_grad()
        loss = (w * w).sum()
        loss.backward()
        return loss

    return optimizer.step(closure).detach()

w = gl.nn.Parameter(gl.ones(3))
f(w, gl.optim.LBFGS([w], max_iter=2))

# Instead:
def f(w, optimizer):
    @gl.jit
    def closure():
        optimizer.zero_grad()
        loss = (w * w).sum()
        loss.backward()
        return loss

    return optimizer.step(closure).detach()

w = gl.nn.Parameter(gl.ones(3))
f(w, gl.optim.LBFGS([w], max_iter=2))
""",
    "B426": """
@gl.jit
def f(t):
    return (t * 2).tolist()

f(gl.ones(3))

# Instead:
@gl.jit
def f(t):
    return t * 2

f(gl.ones(3)).tolist()
""",
}
