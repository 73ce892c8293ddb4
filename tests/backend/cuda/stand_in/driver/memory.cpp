// Memory of the device: blocks at addresses that the host cannot reach, filled with noise, never at one place twice.
#include "driver.h"
#include <cstdlib>
#include <sys/mman.h>

static std::map<uint64_t, Block> blocks;
static uint64_t epoch = 0, in_use = 0;
static constexpr uint64_t RESERVED = 1ull << 40, ALIGNMENT = 512, GAP = 4096;

struct Pool {
    uint64_t threshold = 0, used = 0, used_high = 0, reserved = 0, reserved_high = 0;
    std::map<int, uint64_t> reuse = {{1, 1}, {2, 1}, {3, 1}};
};
static Pool default_pool, *current_pool = &default_pool;
static constexpr uint64_t POOL_STEP = 2 << 20;

uint64_t memory_epoch() { return epoch; }
static uint64_t memory_of_device() { return option("memory", 4ull << 30); }

// Addresses that nobody may read: the pages are reserved and closed.
static uint64_t fresh_address(uint64_t size) {
    static uint64_t next = 0, end = 0;
    if (!next) {
        void *found = mmap(nullptr, RESERVED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (found == MAP_FAILED) { say("no addresses left for the device"); abort(); }
        next = (uint64_t)found;
        end = next + RESERVED;
    }
    uint64_t address = next;
    next += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + GAP;
    return next < end ? address : 0;
}

static void fill_with_noise(uint8_t *place, uint64_t size) {
    static uint64_t state = 0x9e3779b97f4a7c15ull;
    for (uint64_t k = 0; k < size; k += 8) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        memcpy(place + k, &state, std::min<uint64_t>(8, size - k));
    }
}

Block *new_block(uint64_t size, Kind kind, Pool *pool) {
    if (in_use + size > memory_of_device()) return nullptr;
    auto *host = (uint8_t *)aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    if (!host) return nullptr;
    if (!launches_are_empty()) fill_with_noise(host, size);  // else nobody reads it, and it costs no memory
    uint64_t base = kind == Kind::DEVICE ? fresh_address(size) : (uint64_t)host;
    if (!base) return nullptr;
    if (kind != Kind::PINNED) in_use += size;
    epoch++;
    return &(blocks[base] = Block{base, size, host, kind, true, pool, true, {}});
}

Block *register_block(void *host, uint64_t size) {
    epoch++;
    auto base = (uint64_t)host;
    return &(blocks[base] = Block{base, size, (uint8_t *)host, Kind::PINNED, false, nullptr, true, {}});
}

Block *block_of(uint64_t address, uint64_t size) {
    auto found = blocks.upper_bound(address);
    if (found == blocks.begin()) return nullptr;
    Block &block = (--found)->second;
    return address - block.base <= block.size && size <= block.size - (address - block.base) ? &block : nullptr;
}

Status drop_block(uint64_t base) {
    auto found = blocks.find(base);
    if (found == blocks.end()) return INVALID_VALUE;
    Block &block = found->second;
    if (block.kind != Kind::PINNED) in_use -= block.size;
    if (block.pool) block.pool->used -= block.size;
    if (block.owned) {
        fill_with_noise(block.host, block.size);
        free(block.host);
    }
    blocks.erase(found);
    epoch++;
    return OK;
}

// A range of memory that a copy may touch: the device's, or the host's as it is.
uint8_t *bytes_at(uint64_t address, uint64_t size) {
    Block *block = block_of(address, size);
    return block && block->ready ? block->host + (address - block->base) : nullptr;
}

static Status allocate(uint64_t *address, uint64_t size, Kind kind) {
    if (!address || !size) return INVALID_VALUE;
    Block *block = new_block(size, kind);
    if (!block) return OUT_OF_MEMORY;
    *address = block->base;
    return OK;
}

static Status free_now(uint64_t address) {
    if (!address) return OK;
    Status done = finish_all();
    return done ? done : drop_block(address);
}

static Status allocate_in_order(uint64_t *address, uint64_t size, Pool *pool, void *stream) {
    if (!address || !size) return INVALID_VALUE;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    Block *block = new_block(size, Kind::DEVICE, pool);
    if (!block) return OUT_OF_MEMORY;
    pool->used += size;
    pool->used_high = std::max(pool->used_high, pool->used);
    pool->reserved = std::max(pool->reserved, (pool->used + POOL_STEP - 1) / POOL_STEP * POOL_STEP);
    pool->reserved_high = std::max(pool->reserved_high, pool->reserved);
    block->ready = false;
    uint64_t base = *address = block->base;
    return issue(stream, [base] {
        if (Block *block = block_of(base, 1)) block->ready = true;
        return OK;
    });
}

static void shrink(Pool *pool, uint64_t keep) {
    pool->reserved = std::max((pool->used + POOL_STEP - 1) / POOL_STEP * POOL_STEP, std::min(pool->reserved, keep));
}

void shrink_pools() { shrink(&default_pool, default_pool.threshold); }

extern "C" {
int cuMemAlloc_v2(uint64_t *address, size_t size) { ENTER; return allocate(address, size, Kind::DEVICE); }

int cuMemAllocManaged(uint64_t *address, size_t size, unsigned flags) {
    ENTER;
    return flags == 1 || flags == 2 ? allocate(address, size, Kind::MANAGED) : INVALID_VALUE;
}

int cuMemFree_v2(uint64_t address) { ENTER; return free_now(address); }

static Status allocate_pinned(void **place, size_t size) { return allocate((uint64_t *)place, size, Kind::PINNED); }
int cuMemHostAlloc(void **place, size_t size, unsigned) { ENTER; return allocate_pinned(place, size); }
int cuMemAllocHost_v2(void **place, size_t size) { ENTER; return allocate_pinned(place, size); }
int cuMemFreeHost(void *place) { ENTER; return free_now((uint64_t)place); }

int cuMemHostRegister_v2(void *place, size_t size, unsigned) {
    ENTER;
    if (!size || block_of((uint64_t)place, 1)) return size ? 712 : INVALID_VALUE;  // registered already
    register_block(place, size);
    return OK;
}

int cuMemHostUnregister(void *place) {
    ENTER;
    Block *block = block_of((uint64_t)place, 1);
    return block && !block->owned ? free_now((uint64_t)place) : Status(713);  // not registered
}

int cuMemHostGetDevicePointer_v2(uint64_t *address, void *place, unsigned) {
    ENTER;
    *address = (uint64_t)place;
    return block_of(*address, 1) ? OK : INVALID_VALUE;
}

int cuMemGetInfo_v2(size_t *unused, size_t *total) {
    ENTER;
    *total = memory_of_device();
    *unused = *total - in_use;
    return OK;
}

int cuDeviceTotalMem_v2(size_t *total, int) { ENTER_WITHOUT_CONTEXT; *total = memory_of_device(); return OK; }

int cuMemGetAddressRange_v2(uint64_t *base, size_t *size, uint64_t address) {
    ENTER;
    Block *block = block_of(address, 1);
    if (!block) return NOT_FOUND;
    if (base) *base = block->base;
    if (size) *size = block->size;
    return OK;
}

int cuPointerGetAttribute(void *value, int which, uint64_t address) {
    ENTER;
    Block *block = block_of(address, 1);
    if (!block) return INVALID_VALUE;
    switch (which) {
    case 1: *(uint64_t *)value = 5; return OK;                                       // the context
    case 2: *(unsigned *)value = block->kind == Kind::PINNED ? 1 : 2; return OK;     // host or device
    case 3: *(uint64_t *)value = address; return OK;                                 // for the device
    case 4:                                                                          // for the host
        if (block->kind == Kind::DEVICE) return INVALID_VALUE;
        *(uint64_t *)value = address;
        return OK;
    case 8: *(unsigned *)value = block->kind == Kind::MANAGED; return OK;
    case 9: *(int *)value = 0; return OK;                                            // number of the device
    case 11: *(uint64_t *)value = block->base; return OK;
    case 12: *(size_t *)value = block->size; return OK;
    default: return INVALID_VALUE;
    }
}

int cuMemAllocAsync(uint64_t *address, size_t size, void *stream) {
    ENTER;
    return allocate_in_order(address, size, current_pool, stream);
}

int cuMemAllocFromPoolAsync(uint64_t *address, size_t size, Pool *pool, void *stream) {
    ENTER;
    return allocate_in_order(address, size, pool, stream);
}

int cuMemFreeAsync(uint64_t address, void *stream) {
    ENTER;
    if (!block_of(address, 1)) return INVALID_VALUE;
    return issue(stream, [address] { return drop_block(address); });
}

int cuDeviceGetDefaultMemPool(Pool **pool, int) { ENTER_WITHOUT_CONTEXT; *pool = &default_pool; return OK; }
int cuDeviceGetMemPool(Pool **pool, int) { ENTER_WITHOUT_CONTEXT; *pool = current_pool; return OK; }
int cuDeviceSetMemPool(int, Pool *pool) { ENTER_WITHOUT_CONTEXT; current_pool = pool; return OK; }
int cuMemPoolCreate(Pool **pool, const int *properties) {  // which begin with kind, handles, location and device
    ENTER;
    if (properties[0] != 1 || properties[2] != 1 || properties[3] != 0) return INVALID_VALUE;
    *pool = new Pool;
    return OK;
}
int cuMemPoolDestroy(Pool *) { ENTER; return OK; }  // its blocks may live on

int cuMemPoolTrimTo(Pool *pool, size_t keep) {
    ENTER;
    shrink(pool, keep);
    return OK;
}

int cuMemPoolSetAttribute(Pool *pool, int which, void *value) {
    ENTER;
    if (which >= 1 && which <= 3) pool->reuse[which] = *(unsigned *)value;
    else if (which == 4) pool->threshold = *(uint64_t *)value;
    else if (which == 6 && *(uint64_t *)value == 0) pool->reserved_high = pool->reserved;
    else if (which == 8 && *(uint64_t *)value == 0) pool->used_high = pool->used;
    else return INVALID_VALUE;
    return OK;
}

int cuMemPoolGetAttribute(Pool *pool, int which, void *value) {
    ENTER;
    const uint64_t found[] = {pool->threshold, pool->reserved, pool->reserved_high, pool->used, pool->used_high};
    if (which >= 1 && which <= 3) *(unsigned *)value = unsigned(pool->reuse[which]);
    else if (which >= 4 && which <= 8) *(uint64_t *)value = found[which - 4];
    else return INVALID_VALUE;
    return OK;
}
}
