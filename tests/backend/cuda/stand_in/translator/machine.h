/* What a translated kernel and the driver know of one another: the state of a thread, and how it asks for memory. */
#ifndef MACHINE_H
#define MACHINE_H
#include <stdint.h>

/* What `run` returns: why the thread stands still. */
enum { DONE = 0, BARRIER, BARRIER_VOTE, WARP_BARRIER, COLLECTIVE, YIELD, FAULT = -1, TRAP = -2 };

enum { PLAIN_LOAD, PLAIN_STORE, STRONG_LOAD, STRONG_STORE, ATOMIC };

/* What the lanes of a mask do together. */
enum {
    SHUFFLE_BFLY, SHUFFLE_IDX, SHUFFLE_UP, SHUFFLE_DOWN,
    VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT,
    REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_SMIN, REDUX_SMAX, REDUX_AND, REDUX_OR, REDUX_XOR,
    MATCH_ANY, MATCH_ALL,
    MATRICES, TURNED_MATRICES, MULTIPLY_F16, MULTIPLY_BF16, MULTIPLY_TF32
};

/* Local memory begins here in the addresses of every thread. */
#define LOCAL_BASE 0x10000000ull

struct Thread {
    uint32_t tid[3], ntid[3], ctaid[3], nctaid[3];
    uint32_t number, block, lane; /* number: in its block; block: in its grid */
    uint32_t place;               /* where it goes on */
    uint32_t collective, mask, source_lane, clamp, given;
    uint64_t value;
    uint32_t words[10], made[4]; /* operands and results of what a warp does to matrices */
    uint32_t votes, voters;
    uint8_t vote, agreed;
    const uint8_t *parameters;
    uint8_t *shared, *local;
    uint64_t shared_bytes, local_bytes;
    uint32_t barriers, warp_barriers; /* how many it has passed */
    void *resident; /* the driver's notes of the block */
    uint64_t instructions, accesses, wide_accesses, accessed_bytes;
};

struct Machine {
    uint8_t *(*global_at)(struct Thread *, uint64_t address, uint32_t size, int access);
    uint8_t *(*shared_at)(struct Thread *, uint64_t address, uint32_t size, int access);
    void (*fence)(struct Thread *);
    int (*copy)(struct Thread *, uint64_t to, uint64_t from, uint32_t size, uint32_t known); /* 0, or it failed */
    void (*commit_copies)(struct Thread *);
    int (*wait_for_copies)(struct Thread *, uint32_t behind);
};

/* Units: bytes. */
struct Kernel {
    const char *name;
    int (*run)(struct Thread *);
    uint64_t thread_bytes, shared_bytes, local_bytes;
    uint32_t parameters, parameter_bytes;
    const uint32_t *parameter_offsets, *parameter_sizes;
    uint32_t most_threads; /* of a block, as it says itself; 0 if it does not */
};
#endif
