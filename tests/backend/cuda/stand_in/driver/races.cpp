// The search for races: two accesses of a byte that nothing orders, one of which stores.
//
// Barriers order the threads of a block, barriers of a warp its lanes. Blocks are ordered by what one of them
// stores after a fence, and the other loads before one, by accesses that are atomic or strong.
#include "driver.h"
#include <algorithm>

static uint32_t launch_number = 0;
static uint64_t excused_word = 0;
static std::unordered_map<uint64_t, std::unordered_map<uint32_t, uint32_t>> published;
static constexpr uint32_t MANY = ~0u;
static constexpr uint32_t LANES = 1u << 31; // and the number of a warp: several of its lanes, between two of its barriers

void begin_search_for_races(uint64_t excused) {
    launch_number++;
    excused_word = excused;
    published.clear();
}

static BlockClock &clock_of(Thread *t) { return ((Resident *)t->resident)->clock; }

static uint32_t warp_of(uint32_t thread) { return thread & LANES ? thread & ~LANES : thread / 32; }

static bool unordered(Thread *t, const Accessor &other, bool strong) {
    if (other.launch != launch_number || (strong && other.strong)) return false;
    if (other.block != t->block) {
        auto &seen = clock_of(t).seen;
        auto found = seen.find(other.block);
        return other.block == MANY || found == seen.end() || other.time >= found->second;
    }
    if (other.thread == t->number || other.barriers != t->barriers) return false;
    if (other.thread == MANY || warp_of(other.thread) != t->number / 32) return true;
    return other.warp_barriers == t->warp_barriers;
}

// Readers of one byte that nothing orders are kept as many.
static Accessor joined(const Accessor &before, const Accessor &now) {
    if (before.launch != now.launch) return now;
    Accessor made = now;
    if (before.block != now.block) made.block = MANY;
    else if (before.thread != now.thread && before.barriers == now.barriers) {
        if (before.thread == MANY || warp_of(before.thread) != now.thread / 32) made.thread = MANY;
        else if (before.warp_barriers == now.warp_barriers) made.thread = LANES | now.thread / 32;
    }
    made.strong = before.strong && now.strong;
    return made;
}

bool races(Thread *t, ByteHistory &byte, int access) {
    bool stores = access != PLAIN_LOAD && access != STRONG_LOAD, strong = access >= STRONG_LOAD;
    Accessor now{launch_number, t->block, t->number, t->barriers, t->warp_barriers, clock_of(t).fences, strong};
    bool found = unordered(t, byte.writer, strong) || (stores && unordered(t, byte.reader, strong));
    if (stores) byte.writer = now;
    else byte.reader = joined(byte.reader, now);
    return found;
}

bool global_race(Thread *t, Block &block, uint64_t address, uint32_t size, int access) {
    if (address >= excused_word && address < excused_word + 8) return false;
    block.history.resize((block.size + PAGE - 1) / PAGE);
    bool found = false;
    for (uint64_t k = address - block.base; k < address - block.base + size; k++) {
        auto &page = block.history[k / PAGE];
        if (!page) page = std::make_unique<HistoryPage>(PAGE);
        found |= races(t, (*page)[k % PAGE], access);
    }
    return found;
}

// What a strong access tells other blocks, and learns from them.
void order_by(Thread *t, uint64_t address, int access) {
    BlockClock &own = clock_of(t);
    auto &there = published[address];
    auto learn = [](auto &to, const auto &of) {
        for (auto &[block, time] : of) to[block] = std::max(to[block], time);
    };
    if (access != STRONG_STORE) learn(own.seen, there);
    if (access != STRONG_LOAD) {
        learn(there, own.seen);
        there[t->block] = own.fences;
    }
}
