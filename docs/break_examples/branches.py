"""Programs for the kinds of frontend/breaks/branches.py."""

EXAMPLES = {
    "B104": """
@gl.jit
def f(t):
    if t.sum() > 0:
        t = t + 1
    return t  # the argument itself, or a new tensor

f(gl.tensor([1.0, 2.0]))
""",
    "B350": """
@gl.jit
def f(t):
    y = t * 2
    if t.sum() > 0:
        y += 1
    return y

f(gl.ones(2))

# Instead:
@gl.jit
def f(t):
    y = t * 2
    if t.sum() > 0:
        y = y + 1
    return y

f(gl.ones(2))
""",
    "B351": """
@gl.jit
def f(t, log):
    if t.sum() > 0:
        log.append("positive")
    return t * 2

f(gl.ones(2), [])

# Instead:
@gl.jit
def f(t, log):
    log.append(t.sum() > 0)
    return t * 2

f(gl.ones(2), [])
""",
    "B352": """
@gl.jit
def f(t):
    if t.sum() > 0:
        scale = t.max()
    t = t * 2
    if t.sum() > 0:
        t = t / scale
    return t

f(gl.ones(2))

# Instead:
@gl.jit
def f(t):
    scale = gl.tensor(1.0)
    if t.sum() > 0:
        scale = t.max()
    t = t * 2
    if t.sum() > 0:
        t = t / scale
    return t

f(gl.ones(2))
""",
    "B353": """
@gl.jit
def f(t):
    if t.sum() > 0:
        y = t > 1
    else:
        y = t * 2
    return y

f(gl.ones(2))

# Instead:
@gl.jit
def f(t):
    if t.sum() > 0:
        y = (t > 1).to(t.dtype)
    else:
        y = t * 2
    return y

f(gl.ones(2))
""",
    "B354": """
@gl.jit
def f(t):
    k = 1
    if t.sum() > 0:
        k = 2
    return t * k

f(gl.ones(2))

# Instead:
@gl.jit
def f(t):
    k = gl.tensor(1)
    if t.sum() > 0:
        k = gl.tensor(2)
    return t * k

f(gl.ones(2))
""",
    "B355": """
@gl.jit
def f(t):
    y = t
    if t.sum() > 0:
        y = t + 1
    return y

f(gl.ones(2))

# Instead:
@gl.jit
def f(t):
    y = t.clone()
    if t.sum() > 0:
        y = t + 1
    return y

f(gl.ones(2))
""",
    "B356": """
@gl.jit
def f(x, w, b):
    y = x * w
    if y.sum() > 0:
        y = y * 2
    else:
        y = b * 2
    return y

f(gl.ones(2), gl.ones(2, requires_grad=True), gl.ones(2, requires_grad=True))

# Instead:
@gl.jit
def f(x, w, b):
    y = x * w
    return gl.where(y.sum() > 0, y * 2, b * 2)

f(gl.ones(2), gl.ones(2, requires_grad=True), gl.ones(2, requires_grad=True))
""",
    "B357": """
@gl.jit
def f(t, index):
    if t.sum() > 0:
        y = t[index]
    else:
        y = t[0] * 2
    return y

f(gl.ones(2), gl.tensor(1))

# Instead:
@gl.jit
def f(t, index):
    picked = t[index]
    if t.sum() > 0:
        y = picked
    else:
        y = t[0] * 2
    return y

f(gl.ones(2), gl.tensor(1))
""",
    "B358": """
@gl.jit
def f(t):
    if t.sum() > 0:
        t = t + gl.rand(2)
    else:
        t = t + 1
    return t

f(gl.ones(2))

# Instead:
@gl.jit
def f(t):
    noise = gl.rand(2)
    if t.sum() > 0:
        t = t + noise
    else:
        t = t + 1
    return t

f(gl.ones(2))
""",
    "B359": """
@gl.jit
def f(w):
    loss = (w * w).sum()
    if loss < 100:
        loss.backward()
    return loss.detach()

f(gl.ones(2, requires_grad=True))

# Instead:
@gl.jit
def f(w):
    loss = (w * w).sum()
    loss = loss * (loss.detach() < 100)
    loss.backward()
    return loss.detach()

f(gl.ones(2, requires_grad=True))
""",
    "B360": """
@gl.jit
def f(w):
    h = w
    for _ in range(100):
        with gl.no_grad():
            h = (h + w).tanh()
    return h

f(gl.ones(2, requires_grad=True))

# Instead:
@gl.jit
def f(w):
    h = w
    with gl.no_grad():
        for _ in range(100):
            h = (h + w).tanh()
    return h

f(gl.ones(2, requires_grad=True))
""",
    "B361": """
@gl.jit
def f(t):
    h = t * 0
    for _ in range(100):
        h = (h + t).tanh()
        if h.sum() > 2:
            break
    return h

f(gl.ones(2))

# Instead:
@gl.jit
def f(t):
    h, done = t * 0, gl.tensor(False)
    for _ in range(100):
        h = gl.where(done, h, (h + t).tanh())
        done = done | (h.sum() > 2)
    return h

f(gl.ones(2))
""",
    "B362": """
@gl.jit
def f(t):
    out = gl.zeros(101, 2)
    for k in range(100):
        out[k + 1] = (out[k] + t).tanh()
    return out

f(gl.ones(2))

# Instead:
@gl.jit
def f(t):
    h = gl.zeros(2)
    out = [h]
    for _ in range(100):
        h = (h + t).tanh()
        out.append(h)
    return gl.stack(out)

f(gl.ones(2))
""",
    "B363": """
@gl.jit
def f(t):
    states = [t]
    for _ in range(100):
        states.append((states[-1] + t).tanh())
    return gl.stack(states)

f(gl.ones(2))

# Instead:
@gl.jit
def f(t):
    h, states = t, []
    for _ in range(100):
        h = (h + t).tanh()
        states.append(h)
    return gl.stack(states)

f(gl.ones(2))
""",
    "B364": """
@gl.jit
def f(t):
    h, sign = t, "plus"
    for _ in range(100):
        h = (h + t if sign == "plus" else h - t).tanh()
        sign = "minus" if sign == "plus" else "plus"
    return h

f(gl.ones(2))

# Instead:
@gl.jit
def f(t):
    h, sign = t, gl.tensor(1.0)
    for _ in range(100):
        h = (h + sign * t).tanh()
        sign = -sign
    return h

f(gl.ones(2))
""",
    "B365": """
@gl.jit
def f(t):
    h = middle = t
    for k in range(100):
        h = (h + t).tanh()
        if k % 50 == 49:
            middle = h
    return h + middle

f(gl.ones(2))

# Instead:
@gl.jit
def f(t):
    h = middle = t
    ks = gl.arange(100)
    for k in range(100):
        h = (h + t).tanh()
        middle = gl.where(ks[k] % 50 == 49, h, middle)
    return h + middle

f(gl.ones(2))
""",
}
