// What the files of the stand-in for CUDA's driver share.
#pragma once
#include "../translator/machine.h"
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

// Statuses of the driver, by cuda.h's numbers.
enum Status {
    OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, INVALID_DEVICE = 101, INVALID_CONTEXT = 201,
    BAD_IMAGE = 218, UNSUPPORTED_PTX = 222, INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600,
    ILLEGAL_ADDRESS = 700, OUT_OF_RESOURCES = 701, LAUNCH_FAILED = 719, NOT_SUPPORTED = 801,
    CAPTURE_UNSUPPORTED = 900, CAPTURE_INVALIDATED = 901, UNKNOWN = 999
};

// Options are environment variables STAND_IN_NAME, or set by `stand_in_set` under the name in small letters.
uint64_t option(const char *name, uint64_t otherwise);
std::string text_option(const char *name);

// Every call of the driver begins so: one thread at a time, counted, failing where a failure is asked for.
std::recursive_mutex &the_lock();
uint64_t &counter(const char *name);
Status entered(uint64_t &calls, const char *function, bool needs_context);
#define ENTER_AS(...)                                                                                                  \
    std::lock_guard<std::recursive_mutex> guard(the_lock());                                                           \
    static uint64_t &calls = counter(__func__);                                                                        \
    if (Status failed = entered(calls, __func__, __VA_ARGS__)) return failed
#define ENTER ENTER_AS(true)
#define ENTER_WITHOUT_CONTEXT ENTER_AS(false)
// The option `empty`: launches are counted and do nothing, so that what the host does can be timed.
bool launches_are_empty();

// An error of work that was already begun: every later call returns it.
void fail_for_ever(Status status, const std::string &what);
void say(const std::string &what);

// Numbers drawn for the orders that no program may rely on.
std::mt19937_64 &dice();
template <class Sequence> void put_in_some_order(Sequence &all) {
    uint64_t seed = option("seed", 0);
    if (seed == 1) std::reverse(all.begin(), all.end());
    if (seed > 1) std::shuffle(all.begin(), all.end(), dice());
}

// One access of a byte, for the search for races.
struct Accessor {
    uint32_t launch = 0, block = 0, thread = 0, barriers = 0, warp_barriers = 0, time = 0;
    bool strong = false;
};
struct ByteHistory { Accessor writer, reader; };
using HistoryPage = std::vector<ByteHistory>;
constexpr uint64_t PAGE = 1024;

// Memory that kernels may reach. `host` is where its bytes lie, `base` the address that programs know it by.
enum class Kind { DEVICE, MANAGED, PINNED };
struct Pool;
struct Block {
    uint64_t base, size;
    uint8_t *host;
    Kind kind;
    bool owned;
    Pool *pool;
    bool ready;   // what allocates it has happened
    std::vector<std::unique_ptr<HistoryPage>> history;
};
Block *block_of(uint64_t address, uint64_t size);
Block *new_block(uint64_t size, Kind kind, Pool *pool = nullptr);
Block *register_block(void *host, uint64_t size);
Status drop_block(uint64_t base);
uint64_t memory_epoch();
uint8_t *bytes_at(uint64_t address, uint64_t size);

// A kernel of a module, and a launch of it; the arguments are kept as they were.
struct Function { const Kernel *kernel; uint64_t most_shared_bytes; };
struct Launch {
    const Kernel *kernel = nullptr;
    uint32_t grid[3], block[3], shared_bytes;
    std::vector<uint8_t> arguments;
};
extern const Machine the_machine;
Status prepare(Launch &launch, Function *function, const uint32_t sizes[6], uint32_t shared, void **arguments,
               void **extra);
Status run_launch(const Launch &launch);

// Blocks that run, for the search for races.
struct BlockClock {
    uint32_t fences = 1;
    std::unordered_map<uint32_t, uint32_t> seen;  // by block: the time before which its accesses are visible here
};
// A copy into shared memory that runs on its own, made when it is waited for.
struct Copy { uint64_t to, from; uint32_t size, known; };
using Copies = std::vector<std::vector<Copy>>;  // groups, of which the last one is still open
struct Resident {
    BlockClock clock;
    std::vector<ByteHistory> shared_history;
    std::unordered_map<uint32_t, Copies> copies;  // by thread
};
void begin_search_for_races(uint64_t excused);
bool races(Thread *t, ByteHistory &bytes, int access);
bool global_race(Thread *t, Block &block, uint64_t address, uint32_t size, int access);
void order_by(Thread *t, uint64_t address, int access);

// Streams: work is done late, when somebody waits for it.
struct Stream;
struct Work {
    Stream *stream = nullptr;
    std::function<Status()> run;
    std::vector<std::shared_ptr<Work>> after;
    bool done = false;
};
using Task = std::function<Status()>;
constexpr int LEGACY = 1, PER_THREAD = 2;
Stream *stream_of(void *handle);
Status issue(void *stream, Task task);
Status issue_and_wait(void *stream, Task task);
Status finish_all();

// Graphs, as far as streams ask for them.
struct Graph;
enum class NodeKind { EMPTY = 5, KERNEL = 0, MEMCPY = 1, MEMSET = 2, HOST = 3, ALLOC = 10, FREE = 11 };
struct Node { NodeKind kind; Launch launch; Function *function; Task task; std::vector<int> after; };
struct Graph { std::vector<Node> nodes; };
Status capture(Stream *stream, Node node);
bool is_capturing(void *stream);
