// Options, counters, failures that tests ask for, and what is common to all calls.
#include "driver.h"
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

static std::map<std::string, std::string> options;
static std::map<std::string, uint64_t> counters;
static Status lasting = OK;
static pid_t initialised = 0;
thread_local uint64_t current_context = 0;

std::recursive_mutex &the_lock() {
    static auto *lock = new std::recursive_mutex;  // never destroyed: work may be in flight at exit
    return *lock;
}

std::string text_option(const char *name) {
    auto found = options.find(name);
    if (found != options.end()) return found->second;
    std::string variable = "STAND_IN_";
    for (const char *c = name; *c; c++) variable += char(toupper(*c));
    const char *value = getenv(variable.c_str());
    return options[name] = value ? value : "";
}

uint64_t option(const char *name, uint64_t otherwise) {
    std::string value = text_option(name);
    return value.empty() ? otherwise : strtoull(value.c_str(), nullptr, 10);
}

std::mt19937_64 &dice() {
    static std::mt19937_64 made(option("seed", 0));
    return made;
}

void say(const std::string &what) { fprintf(stderr, "stand-in: %s\n", what.c_str()); }

void fail_for_ever(Status status, const std::string &what) {
    if (!what.empty()) say(what);
    if (!lasting) lasting = status;
}

// The option `fail` is FUNCTION:N or FUNCTION:N:STATUS, several with commas between: the Nth call from now fails.
static Status asked_failure(const std::string &function) {
    std::string rest = text_option("fail"), left;
    Status found = OK;
    while (!rest.empty()) {
        size_t comma = rest.find(',');
        std::string one = rest.substr(0, comma);
        rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
        size_t colon = one.find(':');
        if (one.substr(0, colon) == function) {
            char *end;
            uint64_t count = strtoull(one.c_str() + colon + 1, &end, 10);
            Status status = *end == ':' ? Status(atoi(end + 1))
                : function.find("Alloc") != std::string::npos ? OUT_OF_MEMORY
                : function.find("Module") != std::string::npos ? BAD_IMAGE
                : function.find("Launch") != std::string::npos ? OUT_OF_RESOURCES : UNKNOWN;
            if (count == 1) { found = status; continue; }
            one = function + ":" + std::to_string(count - 1) + ":" + std::to_string(status);
        }
        left += (left.empty() ? "" : ",") + one;
    }
    options["fail"] = left;
    return found;
}

uint64_t &counter(const char *name) { return counters[name]; }

// Whether the options `fail` and `empty` are set: looked up when options are, so that calls cost little.
static bool is_set[2] = {true, true};
static void look_at_options() {
    is_set[0] = !text_option("fail").empty();
    is_set[1] = option("empty", 0) != 0;
}
bool launches_are_empty() { return is_set[1]; }

Status entered(uint64_t &calls, const char *function, bool needs_context) {
    if (!calls++) look_at_options();
    if (is_set[0])
        if (Status failed = asked_failure(function)) {
            if (failed == ILLEGAL_ADDRESS || failed == LAUNCH_FAILED) lasting = failed;
            return failed;
        }
    if (strcmp(function, "cuInit") == 0) { initialised = getpid(); return OK; }
    if (initialised != getpid()) return NOT_INITIALIZED;
    if (!needs_context) return OK;
    return current_context ? lasting : INVALID_CONTEXT;
}

extern "C" {
void stand_in_set(const char *name, const char *value) {
    std::lock_guard<std::recursive_mutex> guard(the_lock());
    options[name] = value;
    look_at_options();
    if (strcmp(name, "seed") == 0) dice().seed(option("seed", 0));
}
uint64_t stand_in_count(const char *name) {
    std::lock_guard<std::recursive_mutex> guard(the_lock());
    return counters[name];
}
void stand_in_add(const char *name, uint64_t count) { counters[name] += count; }
void stand_in_recover() {  // a lost context, found again: for the next test in this process
    lasting = OK;
    options.erase("fail");
}
}
