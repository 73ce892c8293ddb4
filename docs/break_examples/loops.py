"""Programs for the kinds of frontend/breaks/loops.py."""

EXAMPLES = {
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
    "B107": """
@gl.jit
def root(x):
    y, before = x + 1, x
    while np.abs(y - before).max() > 1e-6:
        y, before = 0.5 * (y + 2 / y), y
    return y

root(x)

# Instead:
@gl.jit
def root(x):
    y, before = x + 1, x.copy()
    while np.abs(y - before).max() > 1e-6:
        before[:] = y
        y[:] = 0.5 * (y + 2 / y)
    return y

root(x)
""",
    "B314": """
@gl.jit
def f(t):
    h, count = t, 0
    for _ in range(100):
        h = (h + t).tanh()
        count += 2
    return h * count

f(gl.ones(3))

# Instead:
@gl.jit
def f(t):
    h, count = t, gl.tensor(0)
    for _ in range(100):
        h = (h + t).tanh()
        count = count + 2
    return h * count

f(gl.ones(3))
""",
    "B330": """
@gl.jit
def f(x):
    total = 0.0
    for k in range(100):
        total += np.array([[1.0, x[k % 4]], [2.0, 3.0]]).sum()
    return total

f(x)

# Instead:
@gl.jit
def f(x):
    total = 0.0
    for k in range(100):
        total += 1.0 + x[k % 4] + 2.0 + 3.0
    return total

f(x)
""",
    "B331": """
@gl.jit
def peaks(x):
    found = []
    for k in range(1, 100):
        if x[k % 4] > x[(k - 1) % 4]:
            found.append(k)
    return found

peaks(x)

# Instead:
@gl.jit
def peaks(x):
    found, n = np.empty(99, int), 0
    for k in range(1, 100):
        if x[k % 4] > x[(k - 1) % 4]:
            found[n] = k
            n += 1
    return found, n

found, n = peaks(x)
found[:n].tolist()
""",
    "B332": """
@gl.jit
def f(x):
    total, state = 0.0, "up"
    for k in range(100):
        if x[k % 4] > 2:
            state = "down"
        total += x[k % 4] if state == "up" else -x[k % 4]
    return total

f(x)

# Instead:
@gl.jit
def f(x):
    total, up = 0.0, True
    for k in range(100):
        if x[k % 4] > 2:
            up = False
        total += x[k % 4] if up else -x[k % 4]
    return total

f(x)
""",
    "B333": """
@gl.jit
def f(x):
    a = np.zeros((4, 4)) + x
    for k in range(100):
        a[k % 4] += x[k % 4]
        a = a / a.max()
    return a

f(x)

# Instead:
@gl.jit
def f(x):
    a = np.zeros((4, 4)) + x
    for k in range(100):
        a[k % 4] += x[k % 4]
        a /= a.max()
    return a

f(x)
""",
    "B334": """
@gl.jit
def f(x):
    total = 0.0
    for k in range(100):
        total += np.median(x[k % 4 :]) * x[k % 4]
    return total

f(x)

# Instead:
@gl.jit
def f(x):
    medians = np.array([np.median(x[k:]) for k in range(4)])
    total = 0.0
    for k in range(100):
        total += medians[k % 4] * x[k % 4]
    return total

f(x)
""",
    "B335": """
class Meter:
    total = 0.0

@gl.jit
def f(x, meter):
    for k in range(100):
        meter.total += x[k % 4]
    return x + 1

f(x, Meter())

# Instead:
@gl.jit
def f(x, meter):
    total = meter.total
    for k in range(100):
        total += x[k % 4]
    meter.total = total
    return x + 1

f(x, Meter())
""",
    "B336": """
@gl.jit
def f(x):
    total = 0.0
    for k in range(100):
        y = np.zeros(k % 4 + 1)
        y[0] = x[k % 4]
        total += y.sum()
    return total

f(x)

# Instead:
@gl.jit
def f(x):
    total, room = 0.0, np.empty(4)
    for k in range(100):
        y = room[: k % 4 + 1]
        y[:] = 0.0
        y[0] = x[k % 4]
        total += y.sum()
    return total

f(x)
""",
    "B337": """
@gl.jit
def f(x, a):
    total = 0.0
    for k in range(100):
        total += a[x > x[k % 4], k % 4].sum()
    return total

f(x, np.ones((4, 4)))

# Instead:
@gl.jit
def f(x, a):
    total = 0.0
    for k in range(100):
        column = a[:, k % 4]
        total += column[x > x[k % 4]].sum()
    return total

f(x, np.ones((4, 4)))
""",
    "B338": """
@gl.jit
def f(x, a):
    for k in range(100):
        a[x > x[k % 4]] = a[0] * 2
    return a

f(x, np.ones((4, 4)))

# Instead:
@gl.jit
def f(x, a):
    for k in range(100):
        for i in range(4):
            if x[i] > x[k % 4]:
                a[i] = a[0] * 2
    return a

f(x, np.ones((4, 4)))
""",
    "B339": """
@gl.jit
def f(x):
    best = None
    for k in range(100):
        if x[k % 4] > 2:
            best = x[k % 4]
    return np.full(3, best)

f(x)

# Instead:
@gl.jit
def f(x):
    best = -1.0
    for k in range(100):
        if x[k % 4] > 2:
            best = float(x[k % 4])
    return np.full(3, best)

f(x)
""",
    "B340": """
@gl.jit
def f(x):
    best = 0.0
    for k in range(100):
        if x[k % 4] > best:
            best = x[k % 4]
    return np.full(3, best)

f(x)

# Instead:
@gl.jit
def f(x):
    best = 0.0
    for k in range(100):
        if x[k % 4] > best:
            best = float(x[k % 4])
    return np.full(3, best)

f(x)
""",
    "B341": """
@gl.jit
def f(x, n):
    total = 0.0
    for k in range(100):
        total += (k << n) * x[k % 4]
    return total

f(x, 3)

# Instead:
@gl.jit
def f(x, n):
    total = 0.0
    for k in range(100):
        total += k * 2**n * x[k % 4]
    return total

f(x, 3)
""",
    "B342": """
@gl.jit
def f(x):
    total = 0.0
    for k in range(100):
        total += np.interp(x[k % 4], x, x)
    return total

f(x)

# Instead:
@gl.jit
def f(x):
    near, total = np.interp(x, x, x), 0.0
    for k in range(100):
        total += near[k % 4]
    return total

f(x)
""",
    "B343": """
@gl.jit
def told(x):
    y, k = x * 2, 0
    print("the first of", len(x))
    while k < 3:
        k += 1
        print(y[k])
    return y, k

told(x)

# Instead:
@gl.jit
def doubled(x):
    return x * 2

print(*doubled(x)[1:4])
""",
    "B344": """
@gl.jit
def f(x, t):
    k = 0
    while x[k % 4] < 9:
        x[k % 4] += t.sum().item()
        k += 1
    return k

f(x, gl.ones(3))

# Instead:
@gl.jit
def f(x, t):
    k, step = 0, t.sum().item()
    while x[k % 4] < 9:
        x[k % 4] += step
        k += 1
    return k

f(x, gl.ones(3))
""",
}
