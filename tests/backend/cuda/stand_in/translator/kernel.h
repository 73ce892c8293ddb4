/* What translated kernels call: PTX arithmetic that C has no operator for. */
#include "machine.h"
#include <math.h>
#include <string.h>

const struct Machine *machine;

#define WITHIN(data)                                                                                                   \
    if (address >= (uint64_t)(uintptr_t)data && address + size <= (uint64_t)(uintptr_t)data + sizeof data)             \
        return (uint8_t *)(uintptr_t)address;

static inline uint8_t *local_at(struct Thread *t, uint64_t address, uint32_t size) {
    uint64_t offset = address - LOCAL_BASE;
    int is_inside = size <= t->local_bytes && offset <= t->local_bytes - size; /* of an offset below zero, too */
    return is_inside && offset % size == 0 ? t->local + offset : 0;
}

static inline float f32_of(uint64_t bits) { uint32_t low = (uint32_t)bits; float x; memcpy(&x, &low, 4); return x; }
static inline double f64_of(uint64_t bits) { double x; memcpy(&x, &bits, 8); return x; }
static inline uint32_t bits_of_f32(float x) { uint32_t bits; memcpy(&bits, &x, 4); return bits; }
static inline uint32_t tf32_bits(float x) { /* to nearest, ties away from zero */
    uint32_t bits = bits_of_f32(x);
    return (isfinite(x) ? bits + 0x1000 : bits) & 0xFFFFE000;
}
static inline uint64_t bits_of_f64(double x) { uint64_t bits; memcpy(&bits, &x, 8); return bits; }
static inline float flushed_f32(float x) { return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x; }
static inline double flushed_f64(double x) { return x; }

/* Narrow floats are bits, computed in float64 and rounded once. */
static inline double f16_value(uint16_t bits) { _Float16 x; memcpy(&x, &bits, 2); return (double)x; }
static inline uint16_t f16_bits(double x) {
    if (isnan(x)) return 0x7fff;
    _Float16 rounded = (_Float16)x; uint16_t bits; memcpy(&bits, &rounded, 2); return bits;
}
static inline double bf16_value(uint16_t bits) { return (double)f32_of((uint32_t)bits << 16); }
static inline uint16_t bf16_bits(double x) {
    if (isnan(x)) return 0x7fff;
    uint32_t bits = bits_of_f32((float)x);
    if (isfinite(x) && (double)f32_of(bits) != x) { /* the last bit says that there was more: no rounding twice */
        if (fabs((double)f32_of(bits)) > fabs(x)) bits--;
        bits |= 1;
    }
    return (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

/* Floats of a byte; `top` is the largest finite one, which larger numbers become. */
static inline double small_value(uint8_t bits, int mantissa, int bias) {
    int exponent = (bits & 0x7f) >> mantissa, rest = bits & ((1 << mantissa) - 1);
    double x = exponent ? ldexp(1 + ldexp(rest, -mantissa), exponent - bias) : ldexp(rest, 1 - bias - mantissa);
    return bits & 0x80 ? -x : x;
}
static inline uint8_t small_bits(double x, int mantissa, int bias, double top, uint8_t top_bits) {
    uint8_t sign = signbit(x) ? 0x80 : 0;
    double size = fabs(x);
    if (isnan(x)) return 0x7f;
    if (size >= top) return sign | top_bits;
    int exponent; frexp(size, &exponent);
    int step = (exponent - 1 < 1 - bias ? 1 - bias : exponent - 1) - mantissa;
    double rounded = ldexp(rint(ldexp(size, -step)), step);
    if (rounded == 0) return sign;
    frexp(rounded, &exponent);
    if (exponent - 1 < 1 - bias) return sign | (uint8_t)ldexp(rounded, bias - 1 + mantissa);
    uint8_t rest = (uint8_t)((ldexp(rounded, 1 - exponent) - 1) * (1 << mantissa));
    return sign | (uint8_t)((exponent - 1 + bias) << mantissa) | rest;
}
static inline double e4m3_value(uint8_t bits) { return (bits & 0x7f) == 0x7f ? NAN : small_value(bits, 3, 7); }
static inline uint8_t e4m3_bits(double x) { return small_bits(x, 3, 7, 448, 0x7e); }
static inline double e5m2_value(uint8_t bits) {
    int top = bits & 0x7f;
    return top > 0x7c ? NAN : top == 0x7c ? (bits & 0x80 ? -INFINITY : INFINITY) : small_value(bits, 2, 15);
}
static inline uint8_t e5m2_bits(double x) { return small_bits(x, 2, 15, 57344, 0x7b); }

/* The one that is no NaN; plus zero is above minus zero. */
#define EXTREMA(kind, type, canonical)                                                                                 \
    static inline type max_##kind(type a, type b) {                                                                    \
        if (isnan(a)) return isnan(b) ? canonical : b;                                                                 \
        return isnan(b) ? a : a == b ? (signbit(a) ? b : a) : a > b ? a : b;                                           \
    }                                                                                                                  \
    static inline type min_##kind(type a, type b) {                                                                    \
        if (isnan(a)) return isnan(b) ? canonical : b;                                                                 \
        return isnan(b) ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b;                                           \
    }                                                                                                                  \
    static inline type max_nan_##kind(type a, type b) { return isnan(a) || isnan(b) ? canonical : max_##kind(a, b); }  \
    static inline type min_nan_##kind(type a, type b) { return isnan(a) || isnan(b) ? canonical : min_##kind(a, b); }
EXTREMA(f32, float, f32_of(0x7fffffff))
EXTREMA(f64, double, f64_of(0x7fffffffffffffffull))

/* Division by zero gives all ones, and the remainder the dividend; the lowest number by -1 is itself. */
#define DIVISION(kind, type, is_signed)                                                                                \
    static inline type div_##kind(type a, type b) {                                                                    \
        return b == 0 ? (type)-1 : is_signed && b == (type)-1 ? (type)(0 - (uint64_t)a) : (type)(a / b);               \
    }                                                                                                                  \
    static inline type rem_##kind(type a, type b) {                                                                    \
        return b == 0 ? a : is_signed && b == (type)-1 ? 0 : (type)(a % b);                                            \
    }
DIVISION(s64, int64_t, 1) DIVISION(u64, uint64_t, 0) DIVISION(s32, int32_t, 1)
DIVISION(u32, uint32_t, 0) DIVISION(s16, int16_t, 1) DIVISION(u16, uint16_t, 0)

/* Floats to integers stop at the ends of the range; NaN is zero or the highest bit. */
#define TO_INTEGER(kind, type, lowest, highest, high)                                                                  \
    static inline type kind##_of_float(double x, int nan_is_high) {                                                    \
        if (isnan(x)) return nan_is_high ? (type)(high) : 0;                                                           \
        return x <= (double)(lowest) ? (type)(lowest) : x >= (double)(highest) ? (type)(highest) : (type)x;            \
    }                                                                                                                  \
    static inline type clamped_##kind(__int128 x) {                                                                    \
        return x < (__int128)(lowest) ? (type)(lowest) : x > (__int128)(highest) ? (type)(highest) : (type)x;          \
    }
TO_INTEGER(s8, int8_t, INT8_MIN, INT8_MAX, INT8_MIN) TO_INTEGER(u8, uint8_t, 0, UINT8_MAX, 0x80)
TO_INTEGER(s16, int16_t, INT16_MIN, INT16_MAX, INT16_MIN) TO_INTEGER(u16, uint16_t, 0, UINT16_MAX, 0x8000)
TO_INTEGER(s32, int32_t, INT32_MIN, INT32_MAX, INT32_MIN) TO_INTEGER(u32, uint32_t, 0, UINT32_MAX, 0x80000000u)
TO_INTEGER(s64, int64_t, INT64_MIN, INT64_MAX, INT64_MIN) TO_INTEGER(u64, uint64_t, 0, UINT64_MAX, 1ull << 63)

static inline uint32_t clz_b32(uint32_t a) { return a ? (uint32_t)__builtin_clz(a) : 32; }
static inline uint32_t clz_b64(uint64_t a) { return a ? (uint32_t)__builtin_clzll(a) : 64; }
static inline uint32_t bfind_u32(uint32_t a) { return a ? 31 - clz_b32(a) : ~0u; }
static inline uint32_t bfind_u64(uint64_t a) { return a ? 63 - clz_b64(a) : ~0u; }
static inline uint32_t bfind_s32(int32_t a) { return bfind_u32((uint32_t)(a < 0 ? ~a : a)); }
static inline uint32_t bfind_s64(int64_t a) { return bfind_u64((uint64_t)(a < 0 ? ~a : a)); }

static inline uint64_t field_mask(uint32_t length) { return length >= 64 ? ~0ull : (1ull << length) - 1; }
static inline uint64_t bfe_u64(uint64_t a, uint32_t from, uint32_t length) {
    from &= 255; length &= 255;
    return from > 63 ? 0 : (a >> from) & field_mask(length);
}
static inline uint32_t bfe_u32(uint32_t a, uint32_t from, uint32_t length) {
    return (uint32_t)bfe_u64(a, from, length);
}
static inline int64_t bfe_s64(int64_t a, uint32_t from, uint32_t length) {
    from &= 255; length &= 255;
    if (length == 0) return 0;
    int64_t moved = a >> (from > 63 ? 63 : from);
    return length >= 64 ? moved : (int64_t)((uint64_t)moved << (64 - length)) >> (64 - length);
}
static inline int32_t bfe_s32(int32_t a, uint32_t from, uint32_t length) { return (int32_t)bfe_s64(a, from, length); }
static inline uint64_t bfi_b64(uint64_t a, uint64_t b, uint32_t from, uint32_t length) {
    from &= 255; length &= 255;
    uint64_t mask = from > 63 ? 0 : field_mask(length) << from;
    return (b & ~mask) | (from > 63 ? 0 : (a << from) & mask);
}
static inline uint32_t bfi_b32(uint32_t a, uint32_t b, uint32_t from, uint32_t length) {
    return (uint32_t)bfi_b64(a, b, from & 255, length & 255);
}
static inline uint64_t brev_b64(uint64_t a) {
    uint64_t found = 0;
    for (int k = 0; k < 64; k++) found |= ((a >> k) & 1) << (63 - k);
    return found;
}
static inline uint32_t brev_b32(uint32_t a) { return (uint32_t)(brev_b64(a) >> 32); }
static inline uint32_t lop3_b32(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
    uint32_t found = 0;
    for (int k = 0; k < 8; k++)
        if (table >> k & 1) found |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return found;
}
static inline uint32_t prmt_b32(uint32_t a, uint32_t b, uint32_t choice) {
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t found = 0;
    for (int k = 0; k < 4; k++) {
        uint32_t which = choice >> (4 * k) & 15;
        uint8_t byte = (uint8_t)(bytes >> (8 * (which & 7)));
        found |= (uint32_t)(which & 8 ? (byte & 0x80 ? 0xff : 0) : byte) << (8 * k);
    }
    return found;
}
