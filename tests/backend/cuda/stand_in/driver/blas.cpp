// A stand-in for cuBLASLt: the few calls that are made of it, computing on the device memory of this driver.
//
// Matrices lie by columns. A product is work of its stream, done as late as any. Its result is that of float64 sums,
// rounded once; the workspace is filled with noise, and what an algorithm was asked for is held to when it is used.
#include "driver.h"
#include <algorithm>
#include <cmath>

namespace {
enum { SUCCESS = 0, BLAS_INVALID_VALUE = 7, BLAS_NOT_SUPPORTED = 15, EXECUTION_FAILED = 13 };
enum { TF32 = 77 };     // operands are rounded to 11 bits
enum { ADD_ROW = 4 };   // to each column of a result by columns: one element of the row for each of its rows
enum { R_32F = 0, R_64F = 1, R_16F = 2, R_16BF = 14 };

struct Descriptor { int compute, scale, turned[2] = {0, 0}, epilogue = 1; uint64_t row = 0; };
struct Layout { int type; uint64_t rows, columns; int64_t line; int32_t count = 1; int64_t step = 0; };
struct Preference { uint64_t workspace = 0; uint32_t schemes = 7, alignment[4] = {256, 256, 256, 256}; };
struct Algorithm { uint64_t magic, workspace, alignment[3], unused[3]; };
struct Heuristic { Algorithm algorithm; uint64_t workspace; int state; float waves; int reserved[4]; };
constexpr uint64_t MAGIC = 0x5354414e44494e21;
static_assert(sizeof(Algorithm) == 64 && sizeof(Heuristic) == 96, "the sizes of the library");

int size_of(int type) { return type == R_64F ? 8 : type == R_32F ? 4 : 2; }

// Narrow floats as numbers, and rounded to even: `mantissa` bits, exponents around `bias`.
double narrow_value(uint16_t bits, int mantissa, int bias) {
    int exponent = (bits & 0x7fff) >> mantissa, rest = bits & ((1 << mantissa) - 1);
    double x = exponent ? ldexp(1 + ldexp(rest, -mantissa), exponent - bias) : ldexp(rest, 1 - bias - mantissa);
    if (exponent == 2 * bias + 1) x = rest ? NAN : INFINITY;
    return bits & 0x8000 ? -x : x;
}
uint16_t narrow_bits(double x, int mantissa, int bias) {
    uint16_t sign = std::signbit(x) ? 0x8000 : 0, top = uint16_t((2 * bias + 1) << mantissa);
    if (std::isnan(x)) return 0x7fff;
    int exponent;
    frexp(fabs(x), &exponent);
    exponent = std::max(exponent - 1, 1 - bias);
    double steps = std::isinf(x) ? INFINITY : rint(ldexp(fabs(x), mantissa - exponent)), one = ldexp(1, mantissa);
    if (exponent > bias || ldexp(steps, exponent - mantissa) >= ldexp(1, bias + 1)) return sign | top;
    if (steps < one) return sign | uint16_t(steps);
    return sign | uint16_t(((exponent + bias) << mantissa) + int(steps - one));
}

double load(int type, const uint8_t *at) {
    if (type == R_64F) { double x; memcpy(&x, at, 8); return x; }
    if (type == R_32F) { float x; memcpy(&x, at, 4); return x; }
    uint16_t bits; memcpy(&bits, at, 2);
    return type == R_16F ? narrow_value(bits, 10, 15) : narrow_value(bits, 7, 127);
}

double rounded_to_tf32(double x) {
    int exponent;
    if (!std::isfinite(x)) return x;
    double part = frexp(x, &exponent);
    return ldexp(round(ldexp(part, 11)), exponent - 11);
}

void store(int type, uint8_t *at, double x) {
    if (type == R_64F) { memcpy(at, &x, 8); return; }
    if (type == R_32F) { float y = (float)x; memcpy(at, &y, 4); return; }
    uint16_t bits = type == R_16F ? narrow_bits(x, 10, 15) : narrow_bits(x, 7, 127);
    memcpy(at, &bits, 2);
}

// The bytes from the first element of the matrices to the last.
uint64_t reach(const Layout &of) {
    uint64_t last = (of.count - 1) * of.step + (of.columns - 1) * of.line + of.rows;
    return last * size_of(of.type);
}

bool fits(const Descriptor &of, const Layout &a, const Layout &b, const Layout &c) {
    uint64_t m = of.turned[0] ? a.columns : a.rows, k = of.turned[0] ? a.rows : a.columns;
    uint64_t inner = of.turned[1] ? b.columns : b.rows, n = of.turned[1] ? b.rows : b.columns;
    bool wide = c.type == R_64F;
    bool types = a.type == b.type && (c.type == a.type || (c.type == R_32F && size_of(a.type) == 2));
    bool lines = a.line >= int64_t(a.rows) && b.line >= int64_t(b.rows) && c.line >= int64_t(c.rows);
    return types && lines && m == c.rows && n == c.columns && k == inner && a.count == b.count && a.count == c.count &&
           (of.epilogue == 1 || (of.epilogue == ADD_ROW && c.type == R_32F)) &&
           (of.compute == (wide ? 70 : 68) || (of.compute == TF32 && a.type == R_32F)) && of.scale == (wide ? R_64F : R_32F);
}

Status multiply(Descriptor of, Layout a, Layout b, Layout c, uint64_t pa, uint64_t pb, uint64_t pc, uint64_t space,
                uint64_t space_size) {
    uint8_t *left = bytes_at(pa, reach(a)), *right = bytes_at(pb, reach(b)), *result = bytes_at(pc, reach(c));
    bool adds = of.epilogue == ADD_ROW;
    uint8_t *row = adds ? bytes_at(of.row, c.rows * size_of(c.type)) : nullptr;
    if (adds && !row) return ILLEGAL_ADDRESS;
    uint8_t *noise = space_size ? bytes_at(space, space_size) : nullptr;
    if (!left || !right || !result || (space_size && !noise)) return ILLEGAL_ADDRESS;
    for (uint64_t k = 0; k < std::min<uint64_t>(space_size, 4096); k++) noise[k] = uint8_t(dice()());
    uint64_t inner = of.turned[0] ? a.rows : a.columns;
    for (int32_t batch = 0; batch < c.count; batch++)
        for (uint64_t j = 0; j < c.columns; j++)
            for (uint64_t i = 0; i < c.rows; i++) {
                double sum = 0;
                for (uint64_t k = 0; k < inner; k++) {
                    uint64_t at = batch * a.step + (of.turned[0] ? i * a.line + k : k * a.line + i);
                    uint64_t bt = batch * b.step + (of.turned[1] ? k * b.line + j : j * b.line + k);
                    double x = load(a.type, left + at * size_of(a.type)), y = load(b.type, right + bt * size_of(b.type));
                    sum += of.compute == TF32 ? rounded_to_tf32(x) * rounded_to_tf32(y) : x * y;
                }
                if (adds) sum = float(sum) + float(load(c.type, row + i * size_of(c.type)));
                store(c.type, result + (batch * c.step + j * c.line + i) * size_of(c.type), sum);
            }
    return OK;
}

template <class Kind> int set(void *to, const void *value, size_t size) {
    if (size != sizeof(Kind)) return BLAS_INVALID_VALUE;
    memcpy(to, value, size);
    return SUCCESS;
}
}  // namespace

extern "C" {
void stand_in_add(const char *name, uint64_t count);

int cublasLtCreate(void **handle) { *handle = new int(1); return SUCCESS; }

int cublasLtMatmulDescCreate(Descriptor **made, int compute, int scale) {
    *made = new Descriptor{compute, scale};
    return SUCCESS;
}
int cublasLtMatmulDescDestroy(Descriptor *of) { delete of; return SUCCESS; }
int cublasLtMatmulDescSetAttribute(Descriptor *of, int which, const void *value, size_t size) {
    if (which == 7) return set<int32_t>(&of->epilogue, value, size);
    if (which == 8) return set<uint64_t>(&of->row, value, size);
    return which == 3 || which == 4 ? set<int32_t>(&of->turned[which - 3], value, size) : BLAS_INVALID_VALUE;
}

int cublasLtMatrixLayoutCreate(Layout **made, int type, uint64_t rows, uint64_t columns, int64_t line) {
    *made = new Layout{type, rows, columns, line};
    return SUCCESS;
}
int cublasLtMatrixLayoutDestroy(Layout *of) { delete of; return SUCCESS; }
int cublasLtMatrixLayoutSetAttribute(Layout *of, int which, const void *value, size_t size) {
    if (which == 5) return set<int32_t>(&of->count, value, size);
    return which == 6 ? set<int64_t>(&of->step, value, size) : BLAS_INVALID_VALUE;
}

int cublasLtMatmulPreferenceCreate(Preference **made) { *made = new Preference; return SUCCESS; }
int cublasLtMatmulPreferenceDestroy(Preference *of) { delete of; return SUCCESS; }
int cublasLtMatmulPreferenceSetAttribute(Preference *of, int which, const void *value, size_t size) {
    if (which == 1) return set<uint64_t>(&of->workspace, value, size);
    if (which == 3) return set<uint32_t>(&of->schemes, value, size);
    return which >= 5 && which <= 8 ? set<uint32_t>(&of->alignment[which - 5], value, size) : BLAS_INVALID_VALUE;
}

int cublasLtMatmulAlgoGetHeuristic(void *, Descriptor *of, Layout *a, Layout *b, Layout *c, Layout *d, Preference *told,
                                   int wanted, Heuristic *found, int *count) {
    *count = 0;
    if (wanted < 1 || c != d || !fits(*of, *a, *b, *c) || (told->schemes & ~2u)) return BLAS_NOT_SUPPORTED;
    *found = Heuristic{};
    found->algorithm = {MAGIC, told->workspace, {told->alignment[0], told->alignment[1], told->alignment[2]}, {}};
    found->workspace = told->workspace;
    *count = 1;
    stand_in_add("heuristics", 1);
    return SUCCESS;
}

int cublasLtMatmul(void *handle, Descriptor *of, const void *alpha, uint64_t pa, Layout *a, uint64_t pb, Layout *b,
                   const void *beta, uint64_t pc, Layout *c, uint64_t pd, Layout *d, const Algorithm *how,
                   uint64_t space, size_t space_size, void *stream) {
    std::lock_guard<std::recursive_mutex> guard(the_lock());
    if (!handle || !how || how->magic != MAGIC || pc != pd || c != d || space_size < how->workspace) return BLAS_INVALID_VALUE;
    if (pa % how->alignment[0] || pb % how->alignment[1] || pc % how->alignment[2]) return EXECUTION_FAILED;
    if (of->epilogue == ADD_ROW && (!of->row || of->row % how->alignment[2])) return EXECUTION_FAILED;
    if (load(of->scale, (const uint8_t *)alpha) != 1 || load(of->scale, (const uint8_t *)beta) != 0)
        return BLAS_NOT_SUPPORTED;
    if (launches_are_empty()) return SUCCESS;
    Descriptor product = *of;
    Layout left = *a, right = *b, result = *c;
    stand_in_add("products", 1);
    if (of->epilogue == ADD_ROW) stand_in_add("products with a row", 1);
    stand_in_add(how->alignment[0] >= 16 ? "aligned products" : "products of any alignment", 1);
    Status status = issue(stream, [=] { return multiply(product, left, right, result, pa, pb, pc, space, space_size); });
    return status ? EXECUTION_FAILED : SUCCESS;
}
}
