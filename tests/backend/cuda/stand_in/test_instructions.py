"""Instructions of PTX, translated and run, against NumPy's, ml_dtypes' and Python's arithmetic."""

import numpy as np
import pytest
from backend.cuda.stand_in.stand_in_driver import NO_COMPILER, stand_in
from ml_dtypes import bfloat16, float8_e4m3fn, float8_e5m2

pytestmark = pytest.mark.skipif(bool(NO_COMPILER), reason=f"there is no {NO_COMPILER} here")
BITS = {1: "b8", 2: "b16", 4: "b32", 8: "b64"}
REGISTER = {1: "%h", 2: "%h", 4: "%r", 8: "%d"}


def applied(instruction, result, *operands):
    """`instruction` of each element: X0 is the result's register, X1 ... the operands'."""
    lines, text = [], instruction
    for k, array in enumerate((result, *operands)):
        size = array.dtype.itemsize
        register = f"{REGISTER[size]}{20 + k}"
        text = text.replace(f"X{k}", register)
        lines.append(f"mul.lo.u64 %d{30 + k}, %d60, {size}; add.u64 %d{30 + k}, %d{30 + k}, %d{k};")
        if k:
            lines.append(f"ld.global.{BITS[size]} {register}, [%d{30 + k}];")
    size = result.dtype.itemsize
    lines += [text, f"st.global.{BITS[size]} [%d30], {REGISTER[size]}20;"]
    count = result.size
    block = next(n for n in (256, 128, 64, 32, 16, 8, 4, 2, 1) if count % n == 0)
    return stand_in().over("\n".join(lines), result, *operands, grid=count // block, block=block)


def edges(dtype, count=256):
    """Numbers of a type, those at its ends among them."""
    rng = np.random.default_rng(1)
    info = np.iinfo(dtype)
    few = np.array([0, 1, 2, 31, 32, 33, info.min, info.max, info.max - 1], dtype=dtype)
    return np.concatenate([few, rng.integers(info.min, info.max, count - few.size, dtype=dtype, endpoint=True)])


def float_edges(dtype, count=256):
    few = np.array([0.0, -0.0, 1.0, -1.5, np.nan, np.inf, -np.inf, 3e9, -3e9, 1e19, 0.5, 2.5, 1e-40], dtype)
    return np.concatenate([few, np.random.default_rng(2).standard_normal(count - few.size).astype(dtype) * 100])


def same(found, expected):
    """Equal to the bit, but for the bits of a NaN."""
    nan = np.isnan(expected)
    assert (np.isnan(found) == nan).all()
    np.testing.assert_array_equal(found[~nan].view(f"u{found.itemsize}"), expected[~nan].view(f"u{found.itemsize}"))


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("add.s32 X0, X1, X2;", lambda a, b: a + b),
        ("sub.s32 X0, X1, X2;", lambda a, b: a - b),
        ("mul.lo.s32 X0, X1, X2;", lambda a, b: a * b),
        ("mul.hi.s32 X0, X1, X2;", lambda a, b: (a.astype(object) * b >> 32).astype(np.int32)),
        ("min.s32 X0, X1, X2;", np.minimum),
        ("max.s32 X0, X1, X2;", np.maximum),
        ("xor.b32 X0, X1, X2;", np.bitwise_xor),
        ("shf.l.wrap.b32 X0, X1, X2, 5;", lambda a, b: b << 5 | (a.view(np.uint32) >> 27).view(np.int32)),
        ("lop3.b32 X0, X1, X2, X1, 0x3C;", lambda a, b: a ^ b),
        ("prmt.b32 X0, X1, X2, 0x0123;", lambda a, b: a.byteswap()),
        ("abs.s32 X0, X1;", lambda a, b: np.abs(a)),
        ("not.b32 X0, X1;", lambda a, b: ~a),
        ("bfe.s32 X0, X1, 4, 8;", lambda a, b: a << 20 >> 24),
        ("bfi.b32 X0, X1, X2, 8, 4;", lambda a, b: b & ~0xF00 | (a & 15) << 8),
        ("brev.b32 X0, X1;", lambda a, b: np.array([int(f"{x:032b}"[::-1], 2) for x in a.view("u4")], "u4").view("i4")),
        ("popc.b32 X0, X1;", lambda a, b: np.bitwise_count(a.view("u4")).astype("i4")),
        ("clz.b32 X0, X1;", lambda a, b: np.array([32 - int(x).bit_length() for x in a.view("u4")], "i4")),
    ],
    ids=lambda value: value.partition(" ")[0] if isinstance(value, str) else "",
)
def test_integers(instruction, expected):
    a, b = edges(np.int32), edges(np.int32)[::-1].copy()
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(applied(instruction, np.zeros_like(a), a, b), expected(a, b))


def test_division_by_zero_and_of_the_lowest_number():
    a = np.array([7, -7, 7, -7, 5, np.iinfo(np.int64).min, 0, 9])
    b = np.array([2, 2, -2, -2, 0, -1, 3, 3])
    found = applied("div.s64 X0, X1, X2;", np.zeros_like(a), a, b)
    np.testing.assert_array_equal(found, [3, -3, -3, 3, -1, np.iinfo(np.int64).min, 0, 3])
    found = applied("rem.s64 X0, X1, X2;", np.zeros_like(a), a, b)
    np.testing.assert_array_equal(found, [1, -1, 1, -1, 5, 0, 0, 0])


def test_shifts_by_more_than_the_width_leave_the_sign():
    a = edges(np.int64)
    by = np.resize(np.array([0, 1, 31, 63, 64, 200], np.int32), a.shape)
    wide, most = np.minimum(by, 63), by > 63
    np.testing.assert_array_equal(applied("shr.s64 X0, X1, X2;", np.zeros_like(a), a, by), a >> wide)
    np.testing.assert_array_equal(applied("shl.b64 X0, X1, X2;", np.zeros_like(a), a, by), np.where(most, 0, a << wide))


def test_sums_with_a_carry():
    a, b = edges(np.uint64), edges(np.uint64)[::-1].copy()
    halves = "mov.b64 {%r1, %r2}, X1; mov.b64 {%r3, %r4}, X2;"
    low = "add.cc.u32 %r5, %r1, %r3; addc.u32 %r6, %r2, %r4; mov.b64 X0, {%r5, %r6};"
    np.testing.assert_array_equal(applied(halves + low, np.zeros_like(a), a, b), a + b)
    low = "sub.cc.u32 %r5, %r1, %r3; subc.u32 %r6, %r2, %r4; mov.b64 X0, {%r5, %r6};"
    np.testing.assert_array_equal(applied(halves + low, np.zeros_like(a), a, b), a - b)


@pytest.mark.parametrize(("dtype", "kind"), [(np.float32, "f32"), (np.float64, "f64")])
def test_floats(dtype, kind):
    a, b = float_edges(dtype), float_edges(dtype)[::-1].copy()
    with np.errstate(all="ignore"):
        same(applied(f"add.rn.{kind} X0, X1, X2;", np.zeros_like(a), a, b), a + b)
        same(applied(f"div.rn.{kind} X0, X1, X2;", np.zeros_like(a), a, b), a / b)
        same(applied(f"sqrt.rn.{kind} X0, X1;", np.zeros_like(a), a), np.sqrt(a))
        same(applied(f"max.{kind} X0, X1, X2;", np.zeros_like(a), a, b), np.fmax(a, b) + dtype(0.0) * 0)
        same(applied(f"neg.{kind} X0, X1;", np.zeros_like(a), a), -a)


def test_the_largest_of_two_zeros_is_plus_zero_and_of_a_nan_the_other():
    a, b = np.array([-0.0, 0.0, np.nan, 1.0], "f4"), np.array([0.0, -0.0, 1.0, np.nan], "f4")
    same(applied("max.f32 X0, X1, X2;", np.zeros_like(a), a, b), np.array([0.0, 0.0, 1.0, 1.0], "f4"))
    same(applied("min.f32 X0, X1, X2;", np.zeros_like(a), a, b), np.array([-0.0, -0.0, 1.0, 1.0], "f4"))
    same(applied("max.NaN.f32 X0, X1, X2;", np.zeros_like(a), a, b), np.array([0.0, 0.0, np.nan, np.nan], "f4"))


def test_a_fused_product_is_rounded_once():
    a = np.full(4, 1 + 2**-12, "f4")
    found = applied("mul.rn.f32 %f1, X1, X1; neg.f32 %f1, %f1; fma.rn.f32 X0, X1, X1, %f1;", np.zeros_like(a), a)
    np.testing.assert_array_equal(found, np.full(4, 2.0**-24, "f4"))


def test_floats_to_integers_stop_at_the_ends():
    a = np.array([1.5, 2.5, -1.5, 3e9, -3e9, np.nan, np.inf, -0.5], "f4")
    top, low = np.iinfo(np.int32).max, np.iinfo(np.int32).min
    found = applied("cvt.rzi.s32.f32 X0, X1;", np.zeros(8, np.int32), a)
    np.testing.assert_array_equal(found, [1, 2, -1, top, low, 0, top, 0])
    found = applied("cvt.rni.s32.f32 X0, X1;", np.zeros(8, np.int32), a)
    np.testing.assert_array_equal(found, [2, 2, -2, top, low, 0, top, 0])
    found = applied("cvt.rmi.s64.f64 X0, X1;", np.zeros(8, np.int64), a.astype("f8"))
    np.testing.assert_array_equal(found[[0, 2, 3, 5, 7]], [1, -2, 3000000000, np.iinfo(np.int64).min, -1])
    found = applied("cvt.sat.u8.s32 X0, X1;", np.zeros(4, np.uint8), np.array([-5, 5, 255, 256], np.int32))
    np.testing.assert_array_equal(found, [0, 5, 255, 255])


@pytest.mark.parametrize(("dtype", "kind"), [(np.dtype(np.float16), "f16"), (np.dtype(bfloat16), "bf16")])
def test_narrow_floats_of_all_bits(dtype, kind):
    bits = np.arange(1 << 16).astype(np.uint16)
    wide = applied(f"cvt.f32.{kind} X0, X1;", np.zeros(1 << 16, "f4"), bits)
    same(wide, bits.view(dtype).astype("f4"))
    back = applied(f"cvt.rn.{kind}.f32 X0, X1;", np.zeros_like(bits), wide).view(dtype)
    same(back.astype("f4"), wide)


@pytest.mark.parametrize(("dtype", "kind"), [(np.dtype(np.float16), "f16"), (np.dtype(bfloat16), "bf16")])
def test_narrow_floats_are_rounded_to_even(dtype, kind):
    rng = np.random.default_rng(3)
    a = (rng.standard_normal(1 << 12) * np.exp2(rng.integers(-30, 20, 1 << 12))).astype("f4")
    a[:4] = 1 + 2**-8 + 2**-16, 1 + 2**-11, 1 + 3 * 2**-11, 70000
    with np.errstate(over="ignore"):
        expected = a.astype(dtype)
    found = applied(f"cvt.rn.{kind}.f32 X0, X1;", np.zeros(a.shape, np.uint16), a).view(dtype)
    same(found.astype("f4"), expected.astype("f4"))
    b = expected[::-1].copy()
    found = applied(f"add.rn.{kind} X0, X1, X2;", np.zeros(a.shape, np.uint16), expected.view("u2"), b.view("u2"))
    with np.errstate(all="ignore"):
        same(found.view(dtype).astype("f4"), (expected.astype("f8") + b.astype("f8")).astype(dtype).astype("f4"))


@pytest.mark.parametrize(("dtype", "kind"), [(np.dtype(float8_e4m3fn), "e4m3"), (np.dtype(float8_e5m2), "e5m2")])
def test_floats_of_a_byte(dtype, kind):
    pairs = np.arange(1 << 16).astype(np.uint16)
    unpacked = applied(f"cvt.rn.f16x2.{kind}x2 X0, X1;", np.zeros(1 << 16, np.uint32), pairs).view(np.float16)
    same(unpacked.astype("f4"), pairs.view(dtype).astype("f4"))
    a = (np.random.default_rng(4).standard_normal(1 << 12) * 30).astype("f4")
    a[:4] = 0.0, -0.0, 2.0**-9, 447
    packed = applied(f"cvt.rn.satfinite.{kind}x2.f32 X0, X1, X2;", np.zeros(a.shape, "u2"), -a, a)
    same(packed.view(dtype)[::2].astype("f4"), a.astype(dtype).astype("f4"))
    same(packed.view(dtype)[1::2].astype("f4"), (-a).astype(dtype).astype("f4"))


def test_a_function_is_called_with_its_parameters_and_its_own_local_memory():
    before = """
.func (.param .b64 out) twice(.param .b64 of)
{ .reg .b64 %d<4>; .local .align 8 .b8 own[16];
ld.param.b64 %d1, [of]; mov.u64 %d2, own; st.local.b64 [%d2+8], %d1; ld.local.b64 %d3, [%d2+8];
add.s64 %d3, %d3, %d1; st.param.b64 [out], %d3; ret; }
"""
    kernel = stand_in().kernel(
        """.local .align 8 .b8 mine[8]; mov.u64 %d3, mine; mov.u64 %d4, 21; st.local.b64 [%d3], %d4;
{ .param .b64 given; .param .b64 back; st.param.b64 [given], %d4; call.uni (back), twice, (given);
ld.param.b64 %d5, [back]; }
ld.local.b64 %d6, [%d3]; add.s64 %d5, %d5, %d6; st.global.b64 [%d0], %d5;""",
        before=before,
    )
    place = stand_in().put(np.zeros(1, np.int64))
    stand_in().launch(kernel, place)
    assert stand_in().get(place, np.zeros(1, np.int64))[0] == 63


def test_what_has_no_translation_is_refused(capfd):
    from backend.cuda.stand_in.stand_in_driver import DriverError

    with pytest.raises(DriverError, match="218"):
        stand_in().kernel("frobnicate.f32 %f1, %f2;")
    assert "no translation of: frobnicate.f32 %f1, %f2" in capfd.readouterr().err


def test_registers_of_a_block_are_its_own():
    x = np.arange(64, dtype=np.uint32)
    text = "mov.u32 %r9, 7; { .reg .b32 %r9; .reg .b32 %t<2>; mov.u32 %t1, 5; add.u32 %r9, X1, %t1; mov.u32 X0, %r9; }"
    np.testing.assert_array_equal(applied(text + " add.u32 X0, X0, %r9;", x, x), x + 12)


@pytest.mark.parametrize(("dtype", "kind"), [(np.dtype(np.float16), "f16"), (np.dtype(bfloat16), "bf16")])
def test_a_warp_multiplies_matrices_that_it_reads_from_shared_memory(dtype, kind):
    rng = np.random.default_rng(5)
    a, b = (rng.standard_normal(shape).astype(dtype) for shape in ((16, 16), (8, 16)))  # b by columns
    c = rng.standard_normal((16, 8)).astype(np.float32)
    body = f"""
.shared .align 16 .b8 tiles[1024];
mov.u64 %d10, tiles; cvt.u32.u64 %r1, %d10; mul.lo.u64 %d11, %d60, 16; cvt.u32.u64 %r2, %d11; add.u32 %r3, %r1, %r2;
add.u64 %d12, %d1, %d11; cp.async.cg.shared.global [%r3], [%d12], 16, 16;
add.u64 %d13, %d2, %d11; cp.async.cg.shared.global [%r3+512], [%d13], 16, %r40;
cp.async.commit_group; WAIT bar.sync 0;
and.b32 %r4, %r60, 15; shl.b32 %r4, %r4, 5; shr.u32 %r5, %r60, 4; shl.b32 %r5, %r5, 4; add.u32 %r6, %r1, %r4;
add.u32 %r6, %r6, %r5; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r10, %r11, %r12, %r13}}, [%r6];
and.b32 %r7, %r60, 7; shl.b32 %r7, %r7, 5; shr.u32 %r8, %r60, 3; and.b32 %r8, %r8, 1; shl.b32 %r8, %r8, 4;
add.u32 %r9, %r1, %r7; add.u32 %r9, %r9, %r8;
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r14, %r15, %r16, %r17}}, [%r9+512];
shr.u32 %r20, %r60, 2; shl.b32 %r20, %r20, 5; and.b32 %r21, %r60, 3; shl.b32 %r21, %r21, 3; add.u32 %r20, %r20, %r21;
cvt.u64.u32 %d20, %r20; add.u64 %d21, %d3, %d20; add.u64 %d22, %d0, %d20;
ld.global.f32 %f1, [%d21]; ld.global.f32 %f2, [%d21+4]; ld.global.f32 %f3, [%d21+256]; ld.global.f32 %f4, [%d21+260];
mma.sync.aligned.m16n8k16.row.col.f32.{kind}.{kind}.f32 {{%f5, %f6, %f7, %f8}}, {{%r10, %r11, %r12, %r13}},
    {{%r14, %r15}}, {{%f1, %f2, %f3, %f4}};
st.global.f32 [%d22], %f5; st.global.f32 [%d22+4], %f6; st.global.f32 [%d22+256], %f7; st.global.f32 [%d22+260], %f8;
"""
    known = "setp.lt.u32 %p1, %r60, 16; selp.b32 %r40, 16, 0, %p1;"  # `b` has half as many rows
    wide = np.zeros((16, 16), dtype)
    wide[:8] = b
    operands = [each.view(np.uint16) for each in (a, wide)]
    waiting = known + body.replace("WAIT", "cp.async.wait_group 0;")
    found = stand_in().over(waiting, np.zeros_like(c), *operands, c, block=32)
    np.testing.assert_allclose(found, c + a.astype("f4") @ b.astype("f4").T, rtol=1e-5, atol=1e-5)
    without = stand_in().over(known + body.replace("WAIT", ""), np.zeros_like(c), *operands, c, block=32)
    assert not np.allclose(without, found, atol=1e-3, equal_nan=True)
