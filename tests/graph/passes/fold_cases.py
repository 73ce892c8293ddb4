"""Graphs before and after each rule of `fold`, and graphs that no rule may touch."""

N = 17
"""Elements of the vectors below: the special floats, NaNs of both signs and of another payload."""


VECTORS = {"x": "f64", "y": "f32", "i": "i8", "u": "u8", "b": "b1"}


def full(dtype: str, value: str, shape: str = f"({N},)") -> str:
    sizes = shape.strip("()").rstrip(",")
    return f"full(dtype={dtype}, shape={shape}, value={value}) : {dtype}[{sizes}]"


def body(*lines: str) -> str:
    """A graph of these lines, over vectors and matrices of several dtypes."""
    vectors = ", ".join(f"%{name}: {dtype}[{N}]" for name, dtype in VECTORS.items())
    inputs = f"{vectors}, %m: f64[4, 5], %r: f64[1, 5]"
    return "\n".join([f"graph({inputs}) {{", *lines, "}"])


def to(text: str, *lines: str) -> tuple[str, str]:
    """A case: the graph before, the graph after."""
    return body(*lines), body(*text.splitlines())


V = f"f64[{N}]"
RETURN_X = "return %x"
PART = "starts=(1, 2), sizes=(2, 3), steps=(1, 1)"
ALL_OF_M = "starts=(0, 0), sizes=(4, 5), steps=(1, 1)"

CASES: dict[str, list[tuple[str, str]]] = {
    "evaluate_uniform": [
        to(
            f"%0 = {full('f64', '0.30000000000000004')}\nreturn %0",
            f"%a = {full('f64', '0.1')}",
            f"%b2 = {full('f64', '0.2')}",
            f"%0 = add(%a, %b2) : {V}",
            "return %0",
        ),
        to(
            f"%0 = {full('f32', '0.10000000149011612')}\nreturn %0",
            f"%a = {full('f64', '0.1')}",
            f"%0 = cast(%a, dtype=f32) : f32[{N}]",
            "return %0",
        ),
        to(
            f"%0 = {full('i8', '-128')}\nreturn %0",
            f"%a = {full('i8', '127')}",
            f"%b2 = {full('i8', '1')}",
            f"%0 = add(%a, %b2) : i8[{N}]",
            "return %0",
        ),
        to(
            f"%0 = {full('i8', '-3')}\nreturn %0",
            f"%a = {full('f32', '-3.9')}",
            f"%0 = cast(%a, dtype=i8) : i8[{N}]",
            "return %0",
        ),
        to(
            f"%0 = {full('b1', 'False')}\nreturn %0",
            f"%a = {full('f64', 'nan')}",
            f"%0 = equal(%a, %a) : b1[{N}]",
            "return %0",
        ),
        to(
            f"%0 = {full('f64', '-0.0')}\nreturn %0",
            f"%a = {full('f64', '0.0')}",
            f"%0 = negative(%a) : {V}",
            "return %0",
        ),
        to(
            f"%0 = {full('u64', '18446744073709551615')}\nreturn %0",
            f"%a = {full('u64', '0')}",
            f"%0 = invert(%a) : u64[{N}]",
            "return %0",
        ),
    ],
    "move_full": [
        to(
            "%0 = full(dtype=f64, shape=(2, 3), value=-0.0) : f64[2, 3]\nreturn %0",
            "%a = full(dtype=f64, shape=(3,), value=-0.0) : f64[3]",
            "%0 = expand(%a, shape=(2, 3)) : f64[2, 3]",
            "return %0",
        ),
        to(
            "%0 = full(dtype=i8, shape=(3, 2), value=7) : i8[3, 2]\nreturn %0",
            "%a = full(dtype=i8, shape=(2, 3), value=7) : i8[2, 3]",
            "%0 = permute(%a, axes=(1, 0)) : i8[3, 2]",
            "return %0",
        ),
        to(
            "%0 = full(dtype=f32, shape=(6,), value=nan) : f32[6]\nreturn %0",
            "%a = full(dtype=f32, shape=(2, 3), value=nan) : f32[2, 3]",
            "%0 = reshape(%a, shape=(6,)) : f32[6]",
            "return %0",
        ),
        to(
            "%0 = full(dtype=b1, shape=(1, 2), value=True) : b1[1, 2]\nreturn %0",
            "%a = full(dtype=b1, shape=(2, 3), value=True) : b1[2, 3]",
            "%0 = slice(%a, starts=(1, 0), sizes=(1, 2), steps=(1, 2)) : b1[1, 2]",
            "return %0",
        ),
    ],
    "evaluate_small": [
        to(
            "%0 = full(dtype=f64, shape=(), value=-0.0) : f64[]\nreturn %0",
            "%a = full(dtype=f64, shape=(3,), value=-0.0) : f64[3]",
            "%0 = max(%a, axes=(0,)) : f64[]",
            "return %0",
        ),
        to(
            "%0 = full(dtype=f64, shape=(4,), value=2.0) : f64[4]\nreturn %0",
            "%a = full(dtype=f64, shape=(2,), value=2.0) : f64[2]",
            "%0 = cat(%a, %a, axis=0) : f64[4]",
            "return %0",
        ),
        to(
            "%0 = full(dtype=f64, shape=(3,), value=2.0) : f64[3]\nreturn %0",
            "%a = full(dtype=f64, shape=(2,), value=2.0) : f64[2]",
            "%0 = pad(%a, after=(1,), before=(0,), value=2) : f64[3]",
            "return %0",
        ),
    ],
    "where_known": [
        to(
            RETURN_X,
            f"%a = {full('b1', 'True')}",
            f"%n = negative(%x) : {V}",
            f"%0 = where(%a, %x, %n) : {V}",
            "return %0",
        ),
        to(
            RETURN_X,
            f"%a = {full('b1', 'False')}",
            f"%n = negative(%x) : {V}",
            f"%0 = where(%a, %n, %x) : {V}",
            "return %0",
        ),
    ],
    "multiply_one": [
        to(RETURN_X, f"%a = {full('f64', '1.0')}", f"%0 = multiply(%x, %a) : {V}", "return %0"),
        to("return %y", f"%a = {full('f32', '1.00000000001')}", f"%0 = multiply(%a, %y) : f32[{N}]", "return %0"),
        to("return %i", f"%a = {full('i8', '1')}", f"%0 = multiply(%i, %a) : i8[{N}]", "return %0"),
    ],
    "divide_one": [
        to(RETURN_X, f"%a = {full('f64', '1.0')}", f"%0 = divide(%x, %a) : {V}", "return %0"),
        to("return %y", f"%a = {full('f32', '1')}", f"%0 = divide(%y, %a) : f32[{N}]", "return %0"),
    ],
    "divide_power_of_two": [
        to(
            f"%a = {full('f64', '0.25')}\n%0 = multiply(%x, %a) : {V}\nreturn %0",
            f"%a = {full('f64', '4.0')}",
            f"%0 = divide(%x, %a) : {V}",
            "return %0",
        ),
        to(
            f"%a = {full('f64', '-2.0')}\n%0 = multiply(%x, %a) : {V}\nreturn %0",
            f"%a = {full('f64', '-0.5')}",
            f"%0 = divide(%x, %a) : {V}",
            "return %0",
        ),
        to(
            f"%a = {full('f32', '8.507059173023462e+37')}\n%0 = multiply(%y, %a) : f32[{N}]\nreturn %0",
            f"%a = {full('f32', '1.1754943508222875e-38')}",
            f"%0 = divide(%y, %a) : f32[{N}]",
            "return %0",
        ),
    ],
    "add_zero": [
        to(RETURN_X, f"%a = {full('f64', '-0.0')}", f"%0 = add(%x, %a) : {V}", "return %0"),
        to("return %y", f"%a = {full('f32', '-0.0')}", f"%0 = add(%a, %y) : f32[{N}]", "return %0"),
        to("return %i", f"%a = {full('i8', '0')}", f"%0 = add(%i, %a) : i8[{N}]", "return %0"),
    ],
    "subtract_zero": [
        to(RETURN_X, f"%a = {full('f64', '0.0')}", f"%0 = subtract(%x, %a) : {V}", "return %0"),
        to("return %u", f"%a = {full('u8', '0')}", f"%0 = subtract(%u, %a) : u8[{N}]", "return %0"),
    ],
    "involution": [
        to(RETURN_X, f"%a = negative(%x) : {V}", f"%0 = negative(%a) : {V}", "return %0"),
        to("return %i", f"%a = negative(%i) : i8[{N}]", f"%0 = negative(%a) : i8[{N}]", "return %0"),
        to("return %u", f"%a = invert(%u) : u8[{N}]", f"%0 = invert(%a) : u8[{N}]", "return %0"),
        to("return %b", f"%a = invert(%b) : b1[{N}]", f"%0 = invert(%a) : b1[{N}]", "return %0"),
    ],
    "idempotent": [
        *(
            to(f"%a = {op}(%x) : {V}\nreturn %a", f"%a = {op}(%x) : {V}", f"%0 = {op}(%a) : {V}", "return %0")
            for op in ("absolute", "floor", "ceil", "trunc", "rint", "sign")
        ),
        *(
            to(
                f"%a = {op}(%i) : i8[{N}]\nreturn %a",
                f"%a = {op}(%i) : i8[{N}]",
                f"%0 = {op}(%a) : i8[{N}]",
                "return %0",
            )
            for op in ("absolute", "sign")
        ),
    ],
    "part_of_pair": [
        to(
            f"%a = negative(%y) : f32[{N}]\nreturn %a",
            f"%a = negative(%y) : f32[{N}]",
            f"%c = complex(%y, %a) : c64[{N}]",
            f"%0 = imag(%c) : f32[{N}]",
            "return %0",
        ),
        to(RETURN_X, f"%c = complex(%x, %x) : c128[{N}]", f"%0 = real(%c) : {V}", "return %0"),
    ],
    "cast_to_same": [to(RETURN_X, f"%0 = cast(%x, dtype=f64) : {V}", "return %0")],
    "cast_of_cast": [
        to(
            f"%0 = cast(%{x}, dtype={b}) : {b}[{N}]\nreturn %0",
            f"%a = cast(%{x}, dtype={a}) : {a}[{N}]",
            f"%0 = cast(%a, dtype={b}) : {b}[{N}]",
            "return %0",
        )
        for x, a, b in (
            ("y", "f64", "f32"),
            ("y", "f64", "b1"),
            ("i", "i32", "u8"),
            ("i", "f32", "f64"),
            ("u", "i16", "i8"),
            ("b", "i8", "f32"),
            ("i", "f32", "b1"),
            ("u", "f64", "f32"),
        )
    ],
    "same_shape": [
        to("return %m", "%0 = reshape(%m, shape=(4, 5)) : f64[4, 5]", "return %0"),
        to("return %m", "%0 = expand(%m, shape=(4, 5)) : f64[4, 5]", "return %0"),
        to("return %m", "%0 = pad(%m, after=(0, 0), before=(0, 0), value=1.0) : f64[4, 5]", "return %0"),
    ],
    "permute_identity": [to("return %m", "%0 = permute(%m, axes=(0, 1)) : f64[4, 5]", "return %0")],
    "slice_all": [
        to("return %m", f"%0 = slice(%m, {ALL_OF_M}) : f64[4, 5]", "return %0"),
        to("return %r", "%0 = slice(%r, sizes=(1, 5), starts=(0, 0), steps=(-3, 1)) : f64[1, 5]", "return %0"),
    ],
    "reshape_of_reshape": [
        to(
            "%0 = reshape(%m, shape=(2, 10)) : f64[2, 10]\nreturn %0",
            "%a = reshape(%m, shape=(20,)) : f64[20]",
            "%0 = reshape(%a, shape=(2, 10)) : f64[2, 10]",
            "return %0",
        ),
    ],
    "permute_of_permute": [
        to(
            "%t = reshape(%m, shape=(2, 2, 5)) : f64[2, 2, 5]\n"
            "%0 = permute(%t, axes=(1, 2, 0)) : f64[2, 5, 2]\nreturn %0",
            "%t = reshape(%m, shape=(2, 2, 5)) : f64[2, 2, 5]",
            "%a = permute(%t, axes=(1, 0, 2)) : f64[2, 2, 5]",
            "%0 = permute(%a, axes=(0, 2, 1)) : f64[2, 5, 2]",
            "return %0",
        ),
    ],
    "expand_of_expand": [
        to(
            "%0 = expand(%r, shape=(2, 3, 5)) : f64[2, 3, 5]\nreturn %0",
            "%a = expand(%r, shape=(3, 5)) : f64[3, 5]",
            "%0 = expand(%a, shape=(2, 3, 5)) : f64[2, 3, 5]",
            "return %0",
        ),
    ],
    "slice_of_slice": [
        to(
            "%0 = slice(%m, sizes=(2, 2), starts=(1, 3), steps=(2, -2)) : f64[2, 2]\nreturn %0",
            "%a = slice(%m, sizes=(4, 4), starts=(3, 1), steps=(-1, 1)) : f64[4, 4]",
            "%0 = slice(%a, sizes=(2, 2), starts=(2, 2), steps=(-2, -2)) : f64[2, 2]",
            "return %0",
        ),
        to(
            "%0 = slice(%m, sizes=(0, 1), starts=(3, 4), steps=(-1, 3)) : f64[0, 1]\nreturn %0",
            "%a = slice(%m, sizes=(0, 2), starts=(3, 1), steps=(-1, 3)) : f64[0, 2]",
            "%0 = slice(%a, sizes=(0, 1), starts=(0, 1), steps=(1, 1)) : f64[0, 1]",
            "return %0",
        ),
    ],
    "slice_of_store": [
        to(
            f"%v = slice(%m, {PART}) : f64[2, 3]\n%w = negative(%v) : f64[2, 3]\nreturn %w",
            f"%v = slice(%m, {PART}) : f64[2, 3]",
            "%w = negative(%v) : f64[2, 3]",
            f"%s = slice_store(%m, %w, {PART}) : f64[4, 5]",
            f"%0 = slice(%s, {PART}) : f64[2, 3]",
            "return %0",
        ),
    ],
    "store_all": [
        to(
            "%v = negative(%m) : f64[4, 5]\nreturn %v",
            "%v = negative(%m) : f64[4, 5]",
            f"%0 = slice_store(%m, %v, {ALL_OF_M}) : f64[4, 5]",
            "return %0",
        ),
    ],
    "store_nothing": [
        to(
            "return %m",
            "%v = full(dtype=f64, shape=(0, 5), value=1.0) : f64[0, 5]",
            "%0 = slice_store(%m, %v, sizes=(0, 5), starts=(0, 0), steps=(1, 1)) : f64[4, 5]",
            "return %0",
        ),
    ],
    "cat_of_one": [to("return %m", "%0 = cat(%m, axis=1) : f64[4, 5]", "return %0")],
}

LEFT_ALONE = {
    "adding 0.0 turns -0.0 into 0.0": (f"%a = {full('f64', '0.0')}", f"%0 = add(%x, %a) : {V}"),
    "taking -0.0 away turns -0.0 into 0.0": (f"%a = {full('f64', '-0.0')}", f"%0 = subtract(%x, %a) : {V}"),
    "0 - x is not x": (f"%a = {full('i8', '0')}", f"%0 = subtract(%a, %i) : i8[{N}]"),
    "1 / x is not x": (f"%a = {full('f64', '1.0')}", f"%0 = divide(%a, %x) : {V}"),
    "x * 0 is NaN for an infinity": (f"%a = {full('f64', '0.0')}", f"%0 = multiply(%x, %a) : {V}"),
    "1/3 is rounded": (f"%a = {full('f64', '3.0')}", f"%0 = divide(%x, %a) : {V}"),
    "1/0 is no number": (f"%a = {full('f64', '0.0')}", f"%0 = divide(%x, %a) : {V}"),
    "1/inf is zero, and inf/inf is not inf * 0": (f"%a = {full('f64', 'inf')}", f"%0 = divide(%x, %a) : {V}"),
    "x / nan": (f"%a = {full('f64', 'nan')}", f"%0 = divide(%x, %a) : {V}"),
    "the reciprocal of the smallest number overflows": (f"%a = {full('f64', '5e-324')}", f"%0 = divide(%x, %a) : {V}"),
    "the reciprocal would be subnormal": (f"%a = {full('f64', '8.98846567431158e+307')}", f"%0 = divide(%x, %a) : {V}"),
    "exp is within 2 ulp, not exact": (f"%a = {full('f64', '2.0')}", f"%0 = exp(%a) : {V}"),
    "NaN is no integer": (f"%a = {full('f64', 'nan')}", f"%0 = cast(%a, dtype=i8) : i8[{N}]"),
    "1e10 is no int8": (f"%a = {full('f64', '1e10')}", f"%0 = cast(%a, dtype=i8) : i8[{N}]"),
    "f32 does not hold every f64": (f"%a = cast(%x, dtype=f32) : f32[{N}]", f"%0 = cast(%a, dtype=f64) : {V}"),
    "u8 does not hold every i8": (f"%a = cast(%i, dtype=u8) : u8[{N}]", f"%0 = cast(%a, dtype=i32) : i32[{N}]"),
    "a float out of range of i8 has no one answer": (
        f"%a = cast(%y, dtype=f64) : {V}",
        f"%0 = cast(%a, dtype=i8) : i8[{N}]",
    ),
    "negative of invert": (f"%a = invert(%i) : i8[{N}]", f"%0 = negative(%a) : i8[{N}]"),
    "floor of ceil": (f"%a = ceil(%x) : {V}", f"%0 = floor(%a) : {V}"),
    "the condition is not known": (f"%0 = where(%b, %x, %x) : {V}",),
    "a slice in reverse": ("%0 = slice(%m, sizes=(4, 5), starts=(3, 0), steps=(-1, 1)) : f64[4, 5]",),
    "a store in reverse": ("%0 = slice_store(%m, %m, sizes=(4, 5), starts=(3, 0), steps=(-1, 1)) : f64[4, 5]",),
    "a read beside the store": (
        f"%a = slice(%m, {PART}) : f64[2, 3]",
        f"%s = slice_store(%m, %a, {PART}) : f64[4, 5]",
        "%0 = slice(%s, sizes=(2, 3), starts=(0, 2), steps=(1, 1)) : f64[2, 3]",
    ),
    "a permutation of axes of one size": (
        "%t = reshape(%m, shape=(2, 2, 5)) : f64[2, 2, 5]",
        "%0 = permute(%t, axes=(1, 0, 2)) : f64[2, 2, 5]",
    ),
    "padding with another value": (
        "%a = full(dtype=f64, shape=(2,), value=0.0) : f64[2]",
        "%0 = pad(%a, after=(1,), before=(0,), value=-0.0) : f64[3]",
    ),
    "an index out of range raises when it runs": (
        "%a = full(dtype=f64, shape=(2,), value=0.0) : f64[2]",
        "%j = full(dtype=i64, shape=(1,), value=2) : i64[1]",
        "%0 = take(%a, %j, axis=0) : f64[1]",
    ),
    "what is large is not run": (
        "%a = full(dtype=f64, shape=(100,), value=0.0) : f64[100]",
        "%0 = max(%a, axes=(0,)) : f64[]",
    ),
}
