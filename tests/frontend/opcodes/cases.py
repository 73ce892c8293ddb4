"""For every instruction the body of a function that has it: `def f(x, pair=(1, 2), table={"a": 1}, n=2, t="ab")`.

`x` is an array of four floats. The function, or one inside it, has the instruction on every version that knows it.
"""

CASES: dict[str, str] = {
    # Names, constants, the stack.
    "COPY": "return (y := x + 1), y",
    "COPY_FREE_VARS": "return (lambda: x + n)()",
    "DELETE_DEREF": "y = x + 1; g = lambda: y; z = g(); del y; return z",
    "DELETE_FAST": "y = x + 1; z = y * 2; del y; return z",
    "LOAD_CLOSURE": "return (lambda: x + n)()",
    "LOAD_CONST": "return x + 1.5",
    "LOAD_DEREF": "return (lambda: x + n)()",
    "LOAD_FAST": "y = x; return y + 1",
    "LOAD_FAST_AND_CLEAR": "return [x + k for k in pair]",
    "LOAD_FAST_BORROW": "return x + 1",
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW": "return x + n",
    "LOAD_FAST_CHECK": "for y in pair: pass\nreturn x + y",
    "LOAD_FAST_LOAD_FAST": "a, b = x, n; return a + b",
    "LOAD_SMALL_INT": "return x + 1",
    "LOAD_GLOBAL": "return np.sin(x)",
    "MAKE_CELL": "return (lambda: x + n)()",
    "NOP": "while True:\n    return x + 1",
    "POP_TOP": "x + 2; return x + 1",
    "PUSH_NULL": "return (lambda y: y + 1)(x)",
    "RESUME": "return x + 1",
    "STORE_DEREF": "y = 1; g = lambda: x + y; y = 2; return g()",
    "STORE_FAST": "y = x + 1\nif n: y = y * n\nreturn y",
    "STORE_FAST_LOAD_FAST": "return [x + k for k in pair]",
    "STORE_FAST_STORE_FAST": "a, b = pair; return x + a * b",
    "STORE_GLOBAL": "global GLOBAL; GLOBAL = GLOBAL; return x + GLOBAL",
    "SWAP": "pair = [x, n]; pair[0] += 1; return pair[0]",
    # Attributes, items, operators.
    "BINARY_OP": "return x * 2 + n",
    "BINARY_SLICE": "return x[1:n] + pair[0:1][0]",
    "BINARY_SUBSCR": "return x[0] + pair[1]",
    "BUILD_SLICE": "return x[::n]",
    "COMPARE_OP": "return x > n",
    "CONTAINS_OP": "return x + (n in pair)",
    "DELETE_SUBSCR": "parts = [x, n]; del parts[1]; return parts[0] + 1",
    "IS_OP": "return x + (n is None)",
    "LOAD_ATTR": "return x.T + x.shape[0]",
    "LOAD_METHOD": "return x.sum() + x",
    "STORE_ATTR": "HOLDER.w += x; return x + 1",
    "STORE_SLICE": "parts = [x, 2, 3]; parts[1:n] = pair; return x + parts[1]",
    "STORE_SUBSCR": "y = x + 0; y[0] = 5; return y",
    "TO_BOOL": "return x + 1 if pair else x",
    "UNARY_INVERT": "return x + ~n",
    "UNARY_NEGATIVE": "return -x",
    "UNARY_NOT": "return x + (not n)",
    "UNARY_POSITIVE": "return +x",
    # Containers.
    "BUILD_CONST_KEY_MAP": 'return {"a": x + 1, "b": n}',
    "BUILD_LIST": "return [x + 1, n]",
    "BUILD_MAP": "return {t: x + 1}",
    "BUILD_SET": "return x + 1, {n, t}",
    "BUILD_TUPLE": "return x + 1, n",
    "DICT_MERGE": "return (lambda **k: k['y'] + n)(**{'y': x})",
    "DICT_UPDATE": "return {**table, 'b': x + 1}",
    "LIST_APPEND": "return [x + k for k in pair]",
    "LIST_EXTEND": "return [x + 1, *pair]",
    "LIST_TO_TUPLE": "return (x + 1, *pair)",
    "MAP_ADD": "return {k: x + k for k in pair}",
    "SET_ADD": "return x + 1, {k * 2 for k in pair}",
    "SET_UPDATE": "return x + 1, {n, *pair}",
    "UNPACK_EX": "a, *b = pair; return x + a, b",
    "UNPACK_SEQUENCE": "a, b = pair; return x + a * b",
    # Texts.
    "BUILD_STRING": 'return x + len(f"{n} of {t}")',
    "CONVERT_VALUE": 'return x + len(f"{t!r}")',
    "BUILD_INTERPOLATION": 'return x + 1, t"{n!r:>{n}}{t}".values, t"{x}".interpolations[0].expression',
    "BUILD_TEMPLATE": 'return x + 1, t"a{n}b{t!s}".strings, [type(each) for each in t"{n:d} {t!a}"]',
    "FORMAT_SIMPLE": 'return x + len(f"{n}{t}")',
    "FORMAT_VALUE": 'return x + len(f"{n}{t!r:>5}")',
    "FORMAT_WITH_SPEC": 'return x + len(f"{n:>{n}}")',
    # Calls and functions.
    "CALL": "return np.sin(x)",
    "CALL_FUNCTION_EX": "return np.add(*(x, n))",
    "CALL_INTRINSIC_1": "return (x + 1, *pair)",
    "CALL_INTRINSIC_2": "def same[T: int](value): return value\nreturn same(x) + 1",
    "CALL_KW": "return x.sum(axis=0) + x",
    "KW_NAMES": "return x.sum(axis=0) + x",
    "LOAD_SUPER_ATTR": "return Child().double(x)",
    "MAKE_FUNCTION": "return (lambda y: y + 1)(x)",
    "PRECALL": "return np.sin(x)",
    "RETURN_CONST": "x += 1",
    "RETURN_VALUE": "return x + 1",
    "SET_FUNCTION_ATTRIBUTE": "return (lambda y, m=n: y + m)(x)",
    "IMPORT_FROM": "from math import pi; return x * pi",
    "IMPORT_NAME": "import math; return x * math.pi",
    # Jumps and loops.
    "END_FOR": "for k in pair: x = x + k\nreturn x",
    "FOR_ITER": "for k in pair: x = x + k\nreturn x",
    "POP_ITER": "for k in pair: x = x + k\nreturn x",
    "GET_ITER": "for k in pair: x = x + k\nreturn x",
    "JUMP_BACKWARD": "for k in pair: x = x + k\nreturn x",
    "JUMP_FORWARD": "if n:\n    y = x + 1\nelse:\n    y = x * 2\nz = y + 1\nreturn z * y",
    "JUMP_IF_FALSE_OR_POP": "return x + (n and 3)",
    "JUMP_IF_TRUE_OR_POP": "return x + (n or 3)",
    "POP_JUMP_BACKWARD_IF_FALSE": "k = 3\nwhile not k < 1:\n    k = k - 1\nreturn x + k",
    "POP_JUMP_BACKWARD_IF_NONE": "y = None\nwhile y is None:\n    y = x + 1\nreturn y",
    "POP_JUMP_BACKWARD_IF_NOT_NONE": "y = n\nwhile y is not None:\n    y = None\nreturn x + 1",
    "POP_JUMP_BACKWARD_IF_TRUE": "k = 3\nwhile k > 0:\n    k = k - 1\nreturn x + k",
    "POP_JUMP_FORWARD_IF_FALSE": "return x + 1 if n else x",
    "POP_JUMP_FORWARD_IF_NONE": "return x + 1 if n is not None else x",
    "POP_JUMP_FORWARD_IF_NOT_NONE": "return x + 1 if n is None else x",
    "POP_JUMP_FORWARD_IF_TRUE": "return x + 1 if not n else x",
    "POP_JUMP_IF_FALSE": "return x + 1 if n else x",
    "NOT_TAKEN": "return x + 1 if n else x",
    "POP_JUMP_IF_NONE": "return x + 1 if n is not None else x",
    "POP_JUMP_IF_NOT_NONE": "return x + 1 if n is None else x",
    "POP_JUMP_IF_TRUE": "return x + 1 if not n else x",
    # Matching.
    "GET_LEN": "match pair:\n    case [a, b]:\n        return x + a * b",
    "MATCH_CLASS": "match n:\n    case int(k):\n        return x + k",
    "MATCH_KEYS": "match table:\n    case {'a': a}:\n        return x + a",
    "MATCH_MAPPING": "match table:\n    case {'a': a}:\n        return x + a",
    "MATCH_SEQUENCE": "match pair:\n    case [a, b]:\n        return x + a * b",
    # Generators.
    "CLEANUP_THROW": "g = delegate(pair); next(g)\ntry:\n    g.throw(OSError)\nexcept OSError:\n    return x + n",
    "END_SEND": "return [x + k for k in delegate(pair)]",
    "GET_YIELD_FROM_ITER": "return [x + k for k in delegate(pair)]",
    "JUMP_BACKWARD_NO_INTERRUPT": "return [x + k for k in delegate(pair)]",
    "RETURN_GENERATOR": "return sum(x + k for k in pair)",
    "SEND": "return [x + k for k in delegate(pair)]",
    "YIELD_VALUE": "return sum(x + k for k in pair)",
    # Errors and contexts.
    "BEFORE_WITH": "with gl.no_grad():\n    return x + 1",
    "LOAD_SPECIAL": "with gl.no_grad():\n    return x + 1",
    "CHECK_EG_MATCH": "try:\n    y = x + table['b']\nexcept* KeyError:\n    y = x\nreturn y",
    "CHECK_EXC_MATCH": "try:\n    return x + table['b']\nexcept KeyError:\n    return x",
    "LOAD_COMMON_CONSTANT": "y = any(k > 0 for k in pair)\nassert n > 5, y\nreturn x + 1",
    "LOAD_ASSERTION_ERROR": "assert n > 5, n\nreturn x + 1",
    "POP_EXCEPT": "try:\n    return x + table['b']\nexcept KeyError:\n    return x",
    "PREP_RERAISE_STAR": "try:\n    y = x + table['b']\nexcept* KeyError:\n    y = x\nreturn y",
    "PUSH_EXC_INFO": "try:\n    return x + table['b']\nexcept KeyError:\n    return x",
    "RAISE_VARARGS": "if n: raise ValueError(t)\nreturn x + 1",
    "RERAISE": "try:\n    return x + table['b']\nfinally:\n    n = 3",
    "WITH_EXCEPT_START": "with gl.no_grad():\n    return x + table['b']",
    # Coroutines.
    "ASYNC_GEN_WRAP": "async def g(): yield n\ng().aclose().close(); return x + 1",
    "BEFORE_ASYNC_WITH": "async def g():\n    async with n: pass\ng().close(); return x + 1",
    "END_ASYNC_FOR": "async def g():\n    async for k in n: pass\ng().close(); return x + 1",
    "GET_AITER": "async def g():\n    async for k in n: pass\ng().close(); return x + 1",
    "GET_ANEXT": "async def g():\n    async for k in n: pass\ng().close(); return x + 1",
    "GET_AWAITABLE": "async def g(): await n\ng().close(); return x + 1",
    # Writes outside, and what the bodies of classes have.
    "DELETE_ATTR": "OWNER.y = 1; del OWNER.y; return x + 1",
    "DELETE_GLOBAL": "global SPARE; SPARE = 1; del SPARE; return x + 1",
    "DELETE_NAME": "class A:\n    y = 1; del y\nreturn x + 1",
    "LOAD_BUILD_CLASS": "class A: pass\nreturn x + 1",
    "LOAD_CLASSDEREF": "class A: y = n\nreturn x + 1",
    "LOAD_FROM_DICT_OR_DEREF": "class A: y = n\nreturn x + 1",
    "LOAD_FROM_DICT_OR_GLOBALS": "class A:\n    type y = np\nreturn x + 1",
    "LOAD_LOCALS": "class A: y = n\nreturn x + 1",
    "LOAD_NAME": "class A: y = np\nreturn x + 1",
    "SETUP_ANNOTATIONS": "class A: y: int = 1\nreturn x + 1",
    "STORE_NAME": "class A: y = 1\nreturn x + 1",
}

PRELUDE = """
GLOBAL = np.array([1.0])

def delegate(parts):
    yield from parts

class Parent:
    def double(self, x):
        return x * 2

class Child(Parent):
    def double(self, x):
        return super().double(x)

OWNER, HOLDER = Child(), Child()
HOLDER.w = np.ones(4)
"""
"""The globals of the functions."""
