// Launches: blocks and threads in some order, each thread until it ends or waits for others.
#include "driver.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

static bool searching = false;
static const Kernel *running = nullptr;
static std::string fault;

static uint8_t *refuse(Thread *t, const char *why, uint64_t address, uint32_t size, int access) {
    static const char *names[] = {"load", "store", "strong load", "strong store", "atomic"};
    char text[512];
    snprintf(text, sizeof text, "%s: %s of %u bytes at %#lx in %s, block (%u,%u,%u), thread (%u,%u,%u)", why,
             names[access], size, address, running->name, t->ctaid[0], t->ctaid[1], t->ctaid[2], t->tid[0], t->tid[1],
             t->tid[2]);
    fault = text;
    return nullptr;
}

static uint8_t *global_at(Thread *t, uint64_t address, uint32_t size, int access) {
    static Block *last = nullptr;
    static uint64_t epoch = ~0ull;
    bool is_last = last && epoch == memory_epoch() && address - last->base < last->size;
    if (!is_last || size > last->size - (address - last->base)) {
        last = block_of(address, size);
        epoch = memory_epoch();
    }
    if (!last) return refuse(t, "illegal address", address, size, access);
    if (!last->ready) return refuse(t, "memory that is not allocated yet", address, size, access);
    if (address % size) return refuse(t, "misaligned address", address, size, access);
    t->accesses++;
    t->accessed_bytes += size;
    t->wide_accesses += size == 16;
    if (searching) {
        if (access >= STRONG_LOAD) order_by(t, address, access);
        if (global_race(t, *last, address, size, access))
            return refuse(t, "race in global memory", address, size, access);
    }
    return last->host + (address - last->base);
}

static uint8_t *shared_at(Thread *t, uint64_t address, uint32_t size, int access) {
    if (address < 16 || size > t->shared_bytes || address > t->shared_bytes - size)
        return refuse(t, "illegal address in shared memory", address, size, access);
    if (address % size) return refuse(t, "misaligned address in shared memory", address, size, access);
    if (searching) {
        auto &history = ((Resident *)t->resident)->shared_history;
        bool found = false;
        for (uint32_t k = 0; k < size; k++) found |= races(t, history[address + k], access);
        if (found) return refuse(t, "race in shared memory", address, size, access);
    }
    return t->shared + address;
}

static void fence(Thread *t) { ((Resident *)t->resident)->clock.fences++; }

static Copies &copies_of(Thread *t) {
    Copies &found = ((Resident *)t->resident)->copies[t->number];
    if (found.empty()) found.emplace_back();
    return found;
}

// What it reads and writes is looked at now and when it is made: both may be the time of a race.
static int copy(Thread *t, uint64_t to, uint64_t from, uint32_t size, uint32_t known) {
    if (known > size || from % size) return refuse(t, "misaligned copy", from, size, PLAIN_LOAD), 1;
    if (!shared_at(t, to, size, PLAIN_STORE)) return 1;
    copies_of(t).back().push_back({to, from, size, known});
    return 0;
}

static void commit_copies(Thread *t) { copies_of(t).emplace_back(); }

static int wait_for_copies(Thread *t, uint32_t behind) {
    Copies &groups = copies_of(t);
    while (groups.size() > behind + 1) {
        for (const Copy &each : groups.front()) {
            uint8_t *to = shared_at(t, each.to, each.size, PLAIN_STORE);
            if (!to) return 1;
            memset(to, 0, each.size);
            for (uint32_t k = 0; k < each.known; k += 2) {  // as the elements of 16 bits are that may be known
                uint8_t *from = global_at(t, each.from + k, 2, PLAIN_LOAD);
                if (!from) return 1;
                memcpy(to + k, from, 2);
            }
            t->accesses -= each.known / 2;
            t->accesses += each.known > 0;
            t->wide_accesses += each.known == 16;
        }
        groups.erase(groups.begin());
    }
    return 0;
}

static double half_value(uint16_t bits, bool is_bf16) {
    int mantissa = is_bf16 ? 7 : 10, bias = is_bf16 ? 127 : 15;
    int exponent = (bits & 0x7fff) >> mantissa, rest = bits & ((1 << mantissa) - 1);
    double x = exponent ? ldexp(1 + ldexp(rest, -mantissa), exponent - bias) : ldexp(rest, 1 - bias - mantissa);
    if (exponent == 2 * bias + 1) x = rest ? NAN : INFINITY;
    return bits & 0x8000 ? -x : x;
}

const Machine the_machine = {global_at, shared_at, fence, copy, commit_copies, wait_for_copies};

// Units: bytes. What a block has without being asked for more, and what the translator keeps free.
static constexpr uint64_t MOST_SHARED_BYTES = 49152 + 16;

// A block that has begun.
class RunningBlock {
  public:
    RunningBlock(const Launch &launch, uint64_t number)
        : kernel(launch.kernel), count(launch.block[0] * launch.block[1] * launch.block[2]) {
        uint64_t shared_bytes = kernel->shared_bytes + launch.shared_bytes;
        stride = (kernel->thread_bytes + 63) / 64 * 64;
        states.assign(count * stride, 0);
        shared.resize(shared_bytes + 16);
        for (auto &byte : shared) byte = uint8_t(dice()());
        local.assign(kernel->local_bytes * count, 0xA5);
        if (searching) resident.shared_history.assign(shared_bytes, ByteHistory{});
        waits.assign(count, RUNS);
        order.resize(count);
        live = count;
        for (uint32_t k = 0; k < count; k++) {
            order[k] = k;
            Thread &t = thread(k);
            uint32_t place = k;
            uint64_t block = number;
            for (int axis = 0; axis < 3; axis++) {
                t.ntid[axis] = launch.block[axis];
                t.nctaid[axis] = launch.grid[axis];
                t.tid[axis] = place % launch.block[axis];
                t.ctaid[axis] = uint32_t(block % launch.grid[axis]);
                place /= launch.block[axis];
                block /= launch.grid[axis];
            }
            t.number = k;
            t.block = uint32_t(number) + 1;
            t.lane = k % 32;
            t.parameters = launch.arguments.data();
            t.shared = shared.data();
            t.shared_bytes = shared_bytes;
            t.local = local.data() + kernel->local_bytes * k;
            t.local_bytes = kernel->local_bytes;
            t.resident = &resident;
        }
    }

    bool ended() const { return live == 0; }

    // Every thread that can go on does; then those whose wait is over may. A status of the machine when that failed.
    int round() {
        put_in_some_order(order);
        bool any = false;
        for (uint32_t k : order) {
            if (waits[k] != RUNS && waits[k] != YIELD) continue;
            any = true;
            waits[k] = kernel->run(&thread(k));
            if (waits[k] < 0) return waits[k];
            live -= waits[k] == DONE;
        }
        for (uint32_t first = 0; first < count; first += 32) {
            int moved = end_waits_of_warp(first);
            if (moved < 0) return moved;
            any |= moved > 0;
        }
        if (!any && live && !end_barrier()) return stuck("a deadlock: threads wait for others that never come");
        return OK;
    }

    void count_into(uint64_t totals[4]) {
        for (uint32_t k = 0; k < count; k++) {
            Thread &t = thread(k);
            totals[0] += t.instructions;
            totals[1] += t.accesses;
            totals[2] += t.wide_accesses;
            totals[3] += t.accessed_bytes;
        }
    }

  private:
    static constexpr int RUNS = 100;
    const Kernel *kernel;
    uint32_t count, live;
    uint64_t stride;
    std::vector<uint8_t> states, shared, local;
    std::vector<int> waits;
    std::vector<uint32_t> order;
    Resident resident;

    Thread &thread(uint32_t k) { return *(Thread *)(states.data() + k * stride); }

    int stuck(const char *why) {
        fault = std::string(why) + ", in " + kernel->name;
        return TRAP;
    }

    int end_waits_of_warp(uint32_t first) {
        uint32_t lanes = std::min(32u, count - first), present = 0, exited = 0;
        int moved = 0;
        for (uint32_t lane = 0; lane < lanes; lane++) {
            present |= 1u << lane;
            exited |= uint32_t(waits[first + lane] == DONE) << lane;
        }
        for (uint32_t lane = 0; lane < lanes; lane++) {
            int wait = waits[first + lane];
            if (wait != WARP_BARRIER && wait != COLLECTIVE) continue;
            Thread &t = thread(first + lane);
            if (!(t.mask >> lane & 1)) return stuck("a lane waits with a mask that leaves it out");
            uint32_t group = t.mask & present & ~exited;
            bool all = true;
            for (uint32_t other = 0; other < lanes; other++) {
                if (!(group >> other & 1)) continue;
                Thread &o = thread(first + other);
                if (waits[first + other] != wait) { all = false; continue; }
                if (o.mask != t.mask || (wait == COLLECTIVE && o.place != t.place))
                    return stuck("lanes that should do one thing together are at different places");
            }
            if (!all) continue;
            if (wait == COLLECTIVE && t.collective >= MATRICES) {
                if (group != 0xFFFFFFFFu) return stuck("what a whole warp does to matrices, without some of its lanes");
                if (!of_matrices(first)) return FAULT;
            } else if (wait == COLLECTIVE && !collect(first, group))
                return stuck("a lane asks for the value of one that is not there");
            for (uint32_t other = 0; other < lanes; other++)
                if (group >> other & 1) {
                    waits[first + other] = RUNS;
                    thread(first + other).warp_barriers += wait == WARP_BARRIER;
                }
            moved++;
        }
        return moved;
    }

    // What the lanes of a group make of their values; false when one needs a value that nobody has.
    bool collect(uint32_t first, uint32_t group) {
        for (uint32_t lane = 0; lane < 32; lane++) {
            if (!(group >> lane & 1)) continue;
            Thread &t = thread(first + lane);
            if (t.collective <= SHUFFLE_DOWN) {
                uint32_t source = lane;
                t.agreed = source_of(t, lane, source);
                if (!(group >> source & 1)) return false;
                t.given = uint32_t(thread(first + source).value);
                continue;
            }
            uint32_t sum = 0, least = ~0u, most = 0, all = ~0u, any = 0, odd = 0, same = 0, ballot = 0;
            int32_t low = INT32_MAX, high = INT32_MIN;
            for (uint32_t other = 0; other < 32; other++) {
                if (!(group >> other & 1)) continue;
                uint64_t wide = thread(first + other).value;
                auto value = uint32_t(wide);
                sum += value; all &= value; any |= value; odd ^= value;
                least = std::min(least, value); most = std::max(most, value);
                low = std::min(low, int32_t(value)); high = std::max(high, int32_t(value));
                ballot |= uint32_t(value != 0) << other;
                same |= uint32_t(wide == t.value) << other;
            }
            switch (t.collective) {
            case VOTE_ALL: t.given = ballot == group; break;
            case VOTE_ANY: t.given = ballot != 0; break;
            case VOTE_UNI: t.given = ballot == 0 || ballot == group; break;
            case VOTE_BALLOT: t.given = ballot; break;
            case REDUX_ADD: t.given = sum; break;
            case REDUX_MIN: t.given = least; break;
            case REDUX_MAX: t.given = most; break;
            case REDUX_SMIN: t.given = uint32_t(low); break;
            case REDUX_SMAX: t.given = uint32_t(high); break;
            case REDUX_AND: t.given = all; break;
            case REDUX_OR: t.given = any; break;
            case REDUX_XOR: t.given = odd; break;
            case MATCH_ANY: t.given = same; break;
            case MATCH_ALL: t.agreed = same == group; t.given = t.agreed ? group : 0; break;
            }
        }
        return true;
    }

    // Results of a whole warp: four matrices of 8 by 8 out of shared memory, or a product of 16 by 16 with 16 by 8.
    bool of_matrices(uint32_t first) {
        uint32_t what = thread(first).collective;
        if (what == MATRICES || what == TURNED_MATRICES) {
            uint16_t rows[32][8];
            for (uint32_t lane = 0; lane < 32; lane++) {
                Thread &t = thread(first + lane);
                uint8_t *place = shared_at(&t, t.value, 16, PLAIN_LOAD);
                if (!place) return false;
                memcpy(rows[lane], place, 16);
            }
            for (uint32_t lane = 0; lane < 32; lane++)
                for (uint32_t k = 0; k < 4; k++) {
                    uint32_t line = lane / 4, pair = lane % 4 * 2, top = 8 * k;
                    uint32_t low = what == MATRICES ? rows[top + line][pair] : rows[top + pair][line];
                    uint32_t high = what == MATRICES ? rows[top + line][pair + 1] : rows[top + pair + 1][line];
                    thread(first + lane).made[k] = low | high << 16;
                }
            return true;
        }
        auto half = [&](uint32_t lane, uint32_t word, uint32_t which) {
            return half_value(uint16_t(thread(first + lane).words[word] >> (16 * which)), what == MULTIPLY_BF16);
        };
        auto tf32 = [&](uint32_t lane, uint32_t word) {  // the lower bits of a word are not looked at
            uint32_t bits = thread(first + lane).words[word] & 0xFFFFE000;
            float x;
            memcpy(&x, &bits, 4);
            return double(x);
        };
        for (uint32_t lane = 0; lane < 32; lane++)
            for (uint32_t e = 0; e < 4; e++) {
                uint32_t line = lane / 4, column = lane % 4 * 2 + e % 2;
                float before;
                memcpy(&before, &thread(first + lane).words[6 + e], 4);
                double sum = before;
                for (uint32_t k = 0; k < 8 && what == MULTIPLY_TF32; k++)
                    sum += tf32(line * 4 + k % 4, e / 2 + k / 4 * 2) * tf32(column * 4 + k % 4, 4 + k / 4);
                for (uint32_t k = 0; k < 16 && what != MULTIPLY_TF32; k++) {
                    uint32_t side = k / 8, part = k % 8 / 2;
                    sum += half(line * 4 + part, e / 2 + 2 * side, k % 2) * half(column * 4 + part, 4 + side, k % 2);
                }
                auto rounded = float(sum);
                memcpy(&thread(first + lane).made[e], &rounded, 4);
            }
        return true;
    }

    static bool source_of(const Thread &t, uint32_t lane, uint32_t &source) {
        uint32_t clamp = t.clamp & 31, segment = t.clamp >> 8 & 31;
        int most = int((lane & segment) | (clamp & ~segment)), found = 0;
        switch (t.collective) {
        case SHUFFLE_BFLY: found = int(lane ^ t.source_lane); break;
        case SHUFFLE_IDX: found = int((lane & segment) | (t.source_lane & 31 & ~segment)); break;
        case SHUFFLE_UP: found = int(lane) - int(t.source_lane & 31); break;
        default: found = int(lane) + int(t.source_lane & 31);
        }
        bool inside = t.collective == SHUFFLE_UP ? found >= most : found <= most;
        if (inside) source = uint32_t(found);
        return inside;
    }

    bool end_barrier() {
        uint32_t arrived = 0, votes = 0, voters = 0;
        for (uint32_t k = 0; k < count; k++) {
            arrived += waits[k] == BARRIER || waits[k] == BARRIER_VOTE;
            voters += waits[k] == BARRIER_VOTE;
            votes += waits[k] == BARRIER_VOTE && thread(k).vote;
        }
        if (arrived != live) return false;
        for (uint32_t k = 0; k < count; k++) {
            if (waits[k] == DONE) continue;
            Thread &t = thread(k);
            t.votes = votes;
            t.voters = voters;
            t.barriers++;
            t.warp_barriers++;
            waits[k] = RUNS;
        }
        return true;
    }
};

Status prepare(Launch &launch, Function *function, const uint32_t sizes[6], uint32_t shared, void **arguments,
               void **extra) {
    const Kernel *kernel = launch.kernel = function->kernel;
    std::copy(sizes, sizes + 3, launch.grid);
    std::copy(sizes + 3, sizes + 6, launch.block);
    launch.shared_bytes = shared;
    for (int k = 0; k < 6; k++)
        if (!sizes[k]) return INVALID_VALUE;
    if (sizes[0] > 2147483647u || sizes[1] > 65535 || sizes[2] > 65535) return INVALID_VALUE;
    uint64_t threads = uint64_t(sizes[3]) * sizes[4] * sizes[5];
    if (threads > 1024 || sizes[5] > 64) return INVALID_VALUE;
    // A block has 65536 registers, and a kernel that says nothing of its blocks may take 255 of them a thread.
    if (threads > (kernel->most_threads ? kernel->most_threads : 256)) return OUT_OF_RESOURCES;
    if (kernel->shared_bytes + shared > std::max(MOST_SHARED_BYTES, function->most_shared_bytes)) return INVALID_VALUE;
    launch.arguments.assign(kernel->parameter_bytes + 16, 0);
    if (extra) {
        for (; *extra; extra += 2)
            if (*extra == (void *)1) memcpy(launch.arguments.data(), extra[1], kernel->parameter_bytes);
    } else {
        if (!arguments && kernel->parameters) return INVALID_VALUE;
        for (uint32_t k = 0; k < kernel->parameters; k++)
            memcpy(launch.arguments.data() + kernel->parameter_offsets[k], arguments[k], kernel->parameter_sizes[k]);
    }
    return OK;
}

extern "C" void stand_in_add(const char *name, uint64_t count);

Status run_launch(const Launch &launch) {
    if (option("empty", 0)) return OK;
    const Kernel *kernel = running = launch.kernel;
    searching = option("race", 1);
    uint64_t excused = 0;  // the last parameter of our kernels is the word where checks that fail are noted
    if (kernel->parameters)
        memcpy(&excused, launch.arguments.data() + kernel->parameter_offsets[kernel->parameters - 1], 8);
    begin_search_for_races(excused);
    std::vector<uint64_t> order(uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2]);
    for (uint64_t k = 0; k < order.size(); k++) order[k] = k;
    put_in_some_order(order);
    uint64_t totals[4] = {0, 0, 0, 0}, next = 0, at_once = option("resident", 4);
    std::vector<std::unique_ptr<RunningBlock>> resident;
    while (next < order.size() || !resident.empty()) {
        while (next < order.size() && resident.size() < at_once)
            resident.push_back(std::make_unique<RunningBlock>(launch, order[next++]));
        for (auto &block : resident) {
            int status = block->round();
            if (status < 0) {
                fail_for_ever(status == FAULT ? ILLEGAL_ADDRESS : LAUNCH_FAILED, fault);
                return status == FAULT ? ILLEGAL_ADDRESS : LAUNCH_FAILED;
            }
            if (block->ended()) {
                block->count_into(totals);
                block.reset();
            }
        }
        resident.erase(std::remove(resident.begin(), resident.end(), nullptr), resident.end());
    }
    const char *names[] = {"instructions", "accesses", "wide accesses", "accessed bytes"};
    for (int k = 0; k < 4; k++) stand_in_add(names[k], totals[k]);
    stand_in_add("launches", 1);
    stand_in_add("blocks", order.size());
    return OK;
}
