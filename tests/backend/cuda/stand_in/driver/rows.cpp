// Copies of rows that lie apart: CUDA_MEMCPY2D of cuda.h, between the host and the device.
#include "driver.h"

struct Place2D { size_t x, y; unsigned kind; uint64_t host, device; void *array; size_t pitch; };
struct Copy2D { Place2D source, target; size_t width, height; };

static bool of_rows(const Place2D &place, size_t width, size_t height, uint64_t &first) {
    if (place.x || place.y || place.kind < 1 || place.kind > 2 || (height > 1 && place.pitch < width)) return false;
    first = place.kind == 2 ? place.device : place.host;
    return place.kind == 1 || (is_on_device(first) && block_of(first, (height - 1) * place.pitch + width));
}

extern "C" int cuMemcpy2DUnaligned_v2(const Copy2D *given) {
    ENTER;
    Copy2D copy = *given;
    uint64_t from, to;
    if (!copy.width || !copy.height) return OK;
    if (!of_rows(copy.source, copy.width, copy.height, from) || !of_rows(copy.target, copy.width, copy.height, to))
        return INVALID_VALUE;
    return issue_and_wait(nullptr, [=] {
        for (size_t row = 0; row < copy.height; row++) {
            Status status = copy_now(to + row * copy.target.pitch, from + row * copy.source.pitch, copy.width);
            if (status) return status;
        }
        return OK;
    });
}
