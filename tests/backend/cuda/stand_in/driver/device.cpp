// The device, its context, and the words for statuses.
#include "driver.h"
#include <dlfcn.h>

extern thread_local uint64_t current_context;
static constexpr uint64_t PRIMARY = 0x5;
static thread_local std::vector<uint64_t> pushed;

static const std::map<int, std::pair<const char *, const char *>> WORDS = {
    {0, {"CUDA_SUCCESS", "no error"}},
    {1, {"CUDA_ERROR_INVALID_VALUE", "invalid argument"}},
    {2, {"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}},
    {3, {"CUDA_ERROR_NOT_INITIALIZED", "initialization error"}},
    {101, {"CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"}},
    {201, {"CUDA_ERROR_INVALID_CONTEXT", "invalid device context"}},
    {218, {"CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"}},
    {222, {"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."}},
    {400, {"CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"}},
    {500, {"CUDA_ERROR_NOT_FOUND", "named symbol not found"}},
    {600, {"CUDA_ERROR_NOT_READY", "device not ready"}},
    {700, {"CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"}},
    {701, {"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"}},
    {719, {"CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"}},
    {801, {"CUDA_ERROR_NOT_SUPPORTED", "operation not supported"}},
    {900, {"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"}},
    {901, {"CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "operation failed due to a previous error during capture"}},
};

extern "C" {
int cuInit(unsigned) { ENTER_WITHOUT_CONTEXT; return OK; }

int cuDriverGetVersion(int *version) { *version = int(option("version", 13000)); return OK; }

int cuDeviceGetCount(int *count) { ENTER_WITHOUT_CONTEXT; *count = 1; return OK; }

int cuDeviceGet(int *device, int number) {
    ENTER_WITHOUT_CONTEXT;
    *device = number;
    return number == 0 ? OK : INVALID_DEVICE;
}

int cuDeviceGetName(char *name, int length, int) {
    ENTER_WITHOUT_CONTEXT;
    strncpy(name, "Stand-in", size_t(length));
    return OK;
}

int cuDeviceGetUuid_v2(char *uuid, int) { ENTER_WITHOUT_CONTEXT; memset(uuid, 0x11, 16); return OK; }

int cuDeviceGetAttribute(int *value, int which, int) {
    ENTER_WITHOUT_CONTEXT;
    static const std::map<int, int> known = {
        {1, 1024}, {2, 1024}, {3, 1024}, {4, 64}, {5, 2147483647}, {6, 65535}, {7, 65535}, {8, 49152}, {10, 32},
        {12, 65536}, {13, 1755000}, {36, 2619000}, {37, 5120}, {38, 52428800}, {39, 2048}, {40, 5}, {41, 1}, {75, 9},
        {76, 0}, {81, 233472}, {82, 65536}, {83, 1}, {89, 1}, {95, 1}, {97, 232448}, {115, 1},
    };
    auto found = known.find(which);
    *value = which == 16 ? int(option("multiprocessors", 132)) : found == known.end() ? 0 : found->second;
    return OK;
}

int cuDeviceComputeCapability(int *major, int *minor, int) { *major = 9; *minor = 0; return OK; }

int cuDevicePrimaryCtxRetain(void **context, int) { ENTER_WITHOUT_CONTEXT; *context = (void *)PRIMARY; return OK; }
int cuDevicePrimaryCtxRelease_v2(int) { ENTER_WITHOUT_CONTEXT; return OK; }

int cuDevicePrimaryCtxGetState(int, unsigned *flags, int *active) {
    ENTER_WITHOUT_CONTEXT;
    *flags = 0;
    *active = 1;
    return OK;
}

int cuCtxSetCurrent(void *context) {
    ENTER_WITHOUT_CONTEXT;
    if (context && context != (void *)PRIMARY) return INVALID_CONTEXT;
    current_context = (uint64_t)context;
    return OK;
}

int cuCtxGetCurrent(void **context) { ENTER_WITHOUT_CONTEXT; *context = (void *)current_context; return OK; }

int cuCtxPushCurrent_v2(void *context) {
    ENTER_WITHOUT_CONTEXT;
    if (context != (void *)PRIMARY) return INVALID_CONTEXT;
    pushed.push_back(current_context);
    current_context = (uint64_t)context;
    return OK;
}

int cuCtxPopCurrent_v2(void **context) {
    ENTER_WITHOUT_CONTEXT;
    if (context) *context = (void *)current_context;
    if (pushed.empty()) return INVALID_CONTEXT;
    current_context = pushed.back();
    pushed.pop_back();
    return OK;
}

int cuCtxGetDevice(int *device) { ENTER; *device = 0; return OK; }

int cuCtxGetStreamPriorityRange(int *least, int *greatest) { ENTER; *least = 0; *greatest = -5; return OK; }

int cuCtxSynchronize() { ENTER; return finish_all(); }

int cuGetErrorString(int status, const char **text) {
    auto found = WORDS.find(status);
    *text = found == WORDS.end() ? "unknown error" : found->second.second;
    return found == WORDS.end() ? INVALID_VALUE : OK;
}

int cuGetErrorName(int status, const char **text) {
    auto found = WORDS.find(status);
    *text = found == WORDS.end() ? "CUDA_ERROR_UNKNOWN" : found->second.first;
    return found == WORDS.end() ? INVALID_VALUE : OK;
}

int cuGetProcAddress_v2(const char *name, void **function, int, uint64_t, int *status) {
    static void *own = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    *function = own ? dlsym(own, (std::string(name) + "_v2").c_str()) : nullptr;
    if (own && !*function) *function = dlsym(own, name);
    if (status) *status = *function ? 0 : 1;
    return *function ? OK : NOT_FOUND;
}
}
