"""Programs whose cards are tested: one for each kind of recompile. A new one is one more entry.

Each begins with the imports of NumPy and guardlift, and hands its results to `out`. Those of `MENDED` are edited by
what the card says; to those of `UNMENDED` no edit is known, for the reason that stands with them. Graph breaks are in
break_programs.py.
"""

from __future__ import annotations

MENDED = {
    # numbers
    "int_then_float": ("type(rate)", """
@gl.jit
def decay(x, rate):
    return x * np.exp(-rate) + rate
x = np.ones(3)
out(decay(x, 1))
out(decay(x, 0.5))
"""),
    "numbers_of_five_types": ("type(rate)", """
@gl.jit
def decay(x, rate):
    return x * np.exp(-rate) + rate
x = np.linspace(0.0, 1.0, 5)
for rate in (1, 0.5, True, np.float32(0.25), np.int64(2)):
    out(decay(x, rate))
"""),
    "numpy_float_beside_float32": ("type(rate)", """
@gl.jit
def scaled(x, rate):
    return x * rate
x = np.ones(3, np.float32)
out(scaled(x, 0.1))
out(scaled(x, rate=np.float32(0.3)))
"""),
    "flag_of_numpy": ("type(flag)", """
@gl.jit
def shift(x, amount, flag):
    y = np.roll(x, amount)
    return y + amount if flag else y
x = np.arange(6.0)
out(shift(x, 1, True))
out(shift(x, 1, x.sum() > 3))
out(shift(x, 1, True))
"""),
    "numpy_int": ("type(n)", """
@gl.jit
def shifted(x, n):
    return x + n
x = np.arange(6)
out(shifted(x, 2))
out(shifted(x, np.int64(3)))
"""),
    "default_value": ("type(rate)", """
@gl.jit
def scaled(x, rate=1):
    return x * rate
x = np.ones(4)
out(scaled(x))
out(scaled(x, 2.5))
"""),
    "global_number": ("type(SCALE)", """
SCALE = 2.0
@gl.jit
def scaled(x):
    return x * SCALE
out(scaled(np.ones(3)))
SCALE = 3
out(scaled(np.ones(3)))
"""),
    "method": ("type(rate)", """
class Model:
    @gl.jit
    def step(self, x, rate):
        return x - rate * x
model = Model()
out(model.step(np.ones(3), 1))
out(model.step(np.ones(3), 0.25))
"""),
    "jitted_under_another_name": ("type(rate)", """
def plain_step(x, rate):
    return x - rate * x
step = gl.jit(plain_step)
out(step(np.ones(3), 1))
out(step(np.ones(3), 0.25))
"""),
    # dtypes
    "float64_then_float32": ("x.dtype", """
@gl.jit
def norm(x):
    return np.sqrt((x * x).sum())
out(norm(np.ones(5)))
out(norm(np.ones(5, np.float32)))
"""),
    "int32_then_float64": ("x.dtype", """
@gl.jit
def mean(x):
    return (x / 2).sum()
for dtype in (np.int32, np.float64):
    out(mean(np.ones(5, dtype)))
"""),
    "int32_then_int64": ("x.dtype", """
@gl.jit
def double(x):
    return x + x
out(double(np.arange(5, dtype=np.int32)))
out(double(np.arange(5)))
"""),
    "three_dtypes": ("x.dtype", """
@gl.jit
def double(x):
    return x + x
for dtype in (np.float32, np.int32, np.float64):
    out(double(np.arange(7).astype(dtype)))
"""),
    "float16": ("x.dtype", """
@gl.jit
def double(x):
    return x + x
out(double(np.ones(4, np.float16)))
out(double(np.ones(4, np.float32)))
"""),
    "two_arguments_at_once": ("x.dtype", """
@gl.jit
def added(x, y):
    return x + y
a, b = np.ones(3), np.arange(3.0)
out(added(a, b))
out(added(a.astype(np.float32), b.astype(np.float32)))
"""),
    "tensor_dtype": ("x.dtype", """
@gl.jit
def total(x):
    return (x * 2).sum()
out(total(gl.ones(3)))
out(total(gl.ones(3, dtype=gl.float64)))
"""),
    # layouts
    "transposed": ("the strides of x", """
@gl.jit
def double(x):
    return x * 2
out(double(np.ones((3, 4))))
out(double(np.arange(12.0).reshape(4, 3).T))
"""),
    "every_other_column": ("the strides of x", """
@gl.jit
def total(x):
    return x.sum(axis=0)
out(total(np.ones((5, 4))))
out(total(np.arange(40.0).reshape(5, 8)[:, ::2]))
"""),
    "backwards": ("the strides of x", """
@gl.jit
def double(x):
    return x * 2
x = np.arange(5.0)
out(double(x))
out(double(x[::-1]))
"""),
    "tensor_transposed": ("the strides of x", """
@gl.jit
def double(x):
    return x * 2
out(double(gl.ones(3, 4)))
out(double(gl.from_numpy(np.arange(12.0, dtype=np.float32).reshape(4, 3).T)))
"""),
    # sizes
    "two_sizes": ("x.shape", """
@gl.jit
def norm(x):
    return np.sqrt((x * x).sum())
out(norm(np.ones(1000)))
out(norm(np.ones(1013)))
"""),
    "two_sizes_with_options": ("x.shape", """
@gl.jit(fullgraph=True)
def norm(x):
    return np.sqrt((x * x).sum())
out(norm(np.ones(10)))
out(norm(np.ones(13)))
"""),
    "size_and_dtype": ("x.dtype", """
@gl.jit
def norm(x):
    return np.sqrt((x * x).sum())
out(norm(np.ones(10)))
out(norm(np.ones(13, np.float32)))
"""),
    # sequences
    "history_that_grows": ("len(history)", """
@gl.jit
def latest(history, rate):
    total = history[0] * 0.0
    for each in history:
        total = total * rate + each
    return total
history = []
for k in range(8):
    history.append(np.full(3, float(k)))
    out(latest(history, 0.9))
"""),
    "list_then_tuple": ("type(xs)", """
@gl.jit
def total(x, xs):
    for each in xs:
        x = x + each
    return x
out(total(np.ones(3), [1.0, 2.0]))
out(total(np.ones(3), (1.0, 2.0)))
"""),
    "array_then_list": ("type(x)", """
@gl.jit
def total(x):
    return np.sum(x)
out(total(np.ones(3)))
out(total([1.0, 1.0, 2.0]))
"""),
    # attributes
    "attribute": ("type(self.rate)", """
class Model:
    def __init__(self, rate):
        self.rate = rate
    @gl.jit
    def step(self, x):
        return x - self.rate * x
model = Model(1)
out(model.step(np.ones(3)))
model.rate = 0.25
out(model.step(np.ones(3)))
"""),
    "attribute_of_a_class": ("type(Settings.rate)", """
class Settings:
    rate: float = 1
@gl.jit
def step(x):
    return x - Settings.rate * x
out(step(np.ones(3)))
Settings.rate = 0.25
out(step(np.ones(3)))
"""),
    # items
    "value_of_a_dict": ("type(config['lr'])", """
config = {"lr": 1, "steps": 3}
@gl.jit
def step(x):
    return x - config["lr"] * x
for k in range(config["steps"]):
    out(step(np.ones(3)))
    config["lr"] = 0.5 / (k + 1)
"""),
    "value_of_a_dict_that_is_passed": ("type(options['lr'])", """
@gl.jit
def step(x, options):
    return x - options["lr"] * x
out(step(np.ones(3), {"lr": 1}))
out(step(np.ones(3), {"lr": 0.5}))
"""),
    "value_of_a_dict_of_a_model": ("type(self.options['lr'])", """
class Model:
    def __init__(self):
        self.options = dict(lr=1)
    @gl.jit
    def step(self, x):
        return x - self.options["lr"] * x
model = Model()
out(model.step(np.ones(3)))
model.options["lr"] = 0.25
out(model.step(np.ones(3)))
"""),
    "element_of_a_list": ("type(rates[1])", """
rates = [0.5, 1]
@gl.jit
def step(x):
    return x - rates[1] * x
out(step(np.ones(3)))
rates[1] = 0.25
out(step(np.ones(3)))
"""),
}  # fmt: skip

UNMENDED = {
    "value_that_decides": ("n", "what runs depends on n", """
@gl.jit
def blocks(x, n):
    return x.reshape(n, -1).sum(axis=0)
out(blocks(np.ones(24), 2))
out(blocks(np.ones(24), 3))
"""),
    "condition": ("the condition `t > 1`", "decides what runs", """
@gl.jit
def kept(x, t):
    y = x + 1.0
    return y * 2.0 if t > 1 else y
out(kept(np.ones(3), 0.5))
out(kept(np.ones(3), 2.5))
"""),
    "written_array": ("the strides of a", "a copy would not show it", """
@gl.jit
def add(a, b):
    a += b
    return a.sum(axis=1)
a, b = np.ones((4, 4)), np.ones((4, 4))
out(add(a, b))
out(add(a.T, b))
out(a)
"""),
    "shared_memory": ("the memory of a and b", "writes into one of them", """
@gl.jit
def add(a, b):
    a += b
    return a.sum()
a, b = np.ones(5), np.ones(5)
out(add(a, b))
out(add(a, a))
"""),
    "small_ints": ("x.dtype", "wraps around", """
@gl.jit
def double(x):
    return x + x
out(double(np.full(3, 200, np.uint8)))
out(double(np.full(3, 200.0)))
"""),
    "optional_argument": ("b", "what runs depends on b", """
@gl.jit
def added(x, b):
    y = x + 1.0
    return y if b is None else y + b
out(added(np.ones(3), None))
out(added(np.ones(3), np.ones(3)))
"""),
    "made_by_the_step": (
        "`optimizer.state[optimizer.param_groups[0]['params'][0]] has the keys ()`", "it does so once", """
w = gl.nn.Parameter(gl.ones(3))
optimizer = gl.optim.SGD([w], lr=0.1, momentum=0.9)
@gl.jit
def step():
    optimizer.zero_grad()
    (w * w).sum().backward()
    optimizer.step()
for k in range(3):
    step()
    out(w.detach().clone())
"""),
    "order_of_keys": ("list(parts)", "their order", """
@gl.jit
def total(parts):
    result = 0.0
    for name in parts:
        result = result + parts[name]
    return result
out(total({"a": np.ones(3), "b": np.arange(3.0)}))
out(total({"b": np.arange(3.0), "a": np.ones(3)}))
"""),
}  # fmt: skip
