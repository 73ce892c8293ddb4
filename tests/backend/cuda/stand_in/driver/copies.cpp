// Copies and fills. Pageable memory of the host is read at once; pinned memory when the stream comes to it.
#include "driver.h"

static bool is_on_device(uint64_t address) {
    Block *block = block_of(address, 1);
    return block && block->kind != Kind::PINNED;
}

static Status copy_now(uint64_t to, uint64_t of, uint64_t size) {
    if (!size) return OK;
    uint8_t *target = block_of(to, 1) ? bytes_at(to, size) : (uint8_t *)to;
    const uint8_t *source = block_of(of, 1) ? bytes_at(of, size) : (const uint8_t *)of;
    if (!target || !source) return INVALID_VALUE;
    memmove(target, source, size);
    return OK;
}

static Status copy_later(uint64_t to, uint64_t of, uint64_t size, void *stream) {
    bool to_host = !block_of(to, 1), of_host = !block_of(of, 1);
    if (of_host && !is_capturing(stream)) {
        std::vector<uint8_t> staged((const uint8_t *)of, (const uint8_t *)of + size);
        return issue(stream, [=] { return copy_now(to, (uint64_t)staged.data(), size); });
    }
    if (to_host && !is_capturing(stream)) return issue_and_wait(stream, [=] { return copy_now(to, of, size); });
    return issue(stream, [=] {
        Status status = copy_now(to, of, size);
        if (status) fail_for_ever(ILLEGAL_ADDRESS, "a copy of memory that is not there any more");
        return status;
    });
}

static Status fill(uint64_t place, uint64_t value, uint64_t width, uint64_t count) {
    if (!count) return OK;
    uint8_t *target = bytes_at(place, width * count);
    if (!target) return INVALID_VALUE;
    for (uint64_t k = 0; k < count; k++) memcpy(target + k * width, &value, width);
    return OK;
}

#define DEVICE_RANGE(address, size)                                                                                    \
    if ((size) > 0 && (!is_on_device(address) || !block_of(address, size))) return INVALID_VALUE
#define ANY_RANGE(address, size) if (block_of(address, 1) && !block_of(address, size)) return INVALID_VALUE

// Rows of bytes: CUDA_MEMCPY2D of cuda.h.
struct End {
    size_t x, y;
    unsigned kind;  // 1: of the host, 2: of the device
    void *host;
    uint64_t device;
    void *array;
    size_t pitch;
    uint64_t row(size_t k) const { return (kind == 1 ? (uint64_t)host : device) + (y + k) * pitch + x; }
    bool holds(size_t width, size_t height) const {
        if (pitch < x + width || (kind != 1 && kind != 2)) return false;
        return kind == 1 || !width || !height || block_of(row(0), row(height - 1) + width - row(0));
    }
};
struct Rows { End source, target; size_t width, height; };

static Status copy_rows(const Rows *rows, void *stream, bool waits) {
    if (!rows->source.holds(rows->width, rows->height) || !rows->target.holds(rows->width, rows->height))
        return INVALID_VALUE;
    Task task = [given = *rows] {
        for (size_t k = 0; k < given.height; k++)
            if (Status failed = copy_now(given.target.row(k), given.source.row(k), given.width)) return failed;
        return OK;
    };
    return waits ? issue_and_wait(stream, task) : issue(stream, task);
}

extern "C" {
int cuMemcpy2D_v2(const Rows *rows) { ENTER; return copy_rows(rows, nullptr, true); }
int cuMemcpy2DUnaligned_v2(const Rows *rows) { ENTER; return copy_rows(rows, nullptr, true); }
int cuMemcpy2DAsync_v2(const Rows *rows, void *stream) { ENTER; return copy_rows(rows, stream, false); }

int cuMemcpyHtoD_v2(uint64_t to, const void *of, size_t size) {
    ENTER;
    DEVICE_RANGE(to, size);
    return issue_and_wait(nullptr, [=] { return copy_now(to, (uint64_t)of, size); });
}

int cuMemcpyDtoH_v2(void *to, uint64_t of, size_t size) {
    ENTER;
    DEVICE_RANGE(of, size);
    return issue_and_wait(nullptr, [=] { return copy_now((uint64_t)to, of, size); });
}

int cuMemcpyDtoD_v2(uint64_t to, uint64_t of, size_t size) {
    ENTER;
    DEVICE_RANGE(to, size);
    DEVICE_RANGE(of, size);
    return issue(nullptr, [=] { return copy_now(to, of, size); });
}

int cuMemcpy(uint64_t to, uint64_t of, size_t size) {
    ENTER;
    ANY_RANGE(to, size);
    ANY_RANGE(of, size);
    return issue_and_wait(nullptr, [=] { return copy_now(to, of, size); });
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *of, size_t size, void *stream) {
    ENTER;
    DEVICE_RANGE(to, size);
    return copy_later(to, (uint64_t)of, size, stream);
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t of, size_t size, void *stream) {
    ENTER;
    DEVICE_RANGE(of, size);
    return copy_later((uint64_t)to, of, size, stream);
}

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t of, size_t size, void *stream) {
    ENTER;
    DEVICE_RANGE(to, size);
    DEVICE_RANGE(of, size);
    return copy_later(to, of, size, stream);
}

int cuMemcpyAsync(uint64_t to, uint64_t of, size_t size, void *stream) {
    ENTER;
    ANY_RANGE(to, size);
    ANY_RANGE(of, size);
    return copy_later(to, of, size, stream);
}

#define FILL(bits, type)                                                                                               \
    int cuMemsetD##bits##_v2(uint64_t place, type value, size_t count) {                                               \
        ENTER;                                                                                                         \
        DEVICE_RANGE(place, count * sizeof value);                                                                     \
        return issue(nullptr, [=] { return fill(place, value, sizeof value, count); });                                \
    }                                                                                                                  \
    int cuMemsetD##bits##Async(uint64_t place, type value, size_t count, void *stream) {                               \
        ENTER;                                                                                                         \
        DEVICE_RANGE(place, count * sizeof value);                                                                     \
        return issue(stream, [=] { return fill(place, value, sizeof value, count); });                                 \
    }
FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned)
}
