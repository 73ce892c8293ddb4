// Streams and events. Work is begun when somebody waits for it, or when the dice say so, as late as a device may.
#include "driver.h"
#include <algorithm>
#include <deque>

struct Stream {
    bool blocking = true;
    std::deque<std::shared_ptr<Work>> queue;
    std::shared_ptr<Work> last;
    Graph *captured = nullptr;
    std::vector<int> capture_heads;   // the nodes that the next one comes after
    bool capture_origin = false;
};
struct Event {
    std::shared_ptr<Work> work;
    Graph *graph = nullptr;
    std::vector<int> heads;
    std::shared_ptr<uint64_t> order = std::make_shared<uint64_t>(0);  // outlives an event that is given back early
};

static Stream legacy, per_thread;
static std::vector<Stream *> streams = {&legacy, &per_thread};
static uint64_t pending = 0, clock_ticks = 0;
static constexpr uint64_t MOST_PENDING = 500;
void shrink_pools();

Stream *stream_of(void *handle) {
    auto number = (uint64_t)handle;
    return number <= LEGACY ? &legacy : number == PER_THREAD ? &per_thread : (Stream *)handle;
}

static Status finish(const std::shared_ptr<Work> &work);

static Status run_first(Stream *stream) {
    std::shared_ptr<Work> work = stream->queue.front();
    for (auto &before : work->after)
        if (Status failed = finish(before)) return failed;
    if (work->done) return OK;
    stream->queue.pop_front();
    pending--;
    work->done = true;
    work->after.clear();
    clock_ticks++;
    Status status = work->run ? work->run() : OK;
    work->run = nullptr;
    return status;
}

static Status finish(const std::shared_ptr<Work> &work) {
    while (work && !work->done)
        if (Status failed = run_first(work->stream)) return failed;
    return OK;
}

static Status finish_stream(Stream *stream) { return finish(stream->last); }

Status finish_all() {
    std::vector<Stream *> order = streams;
    put_in_some_order(order);
    for (Stream *stream : order)
        if (Status failed = finish_stream(stream)) return failed;
    shrink_pools();
    return OK;
}

static bool is_busy(const Stream *stream) { return stream->last && !stream->last->done; }

// The legacy stream waits for all that block, and they for it.
static std::shared_ptr<Work> enqueue(Stream *stream, Task task) {
    auto work = std::make_shared<Work>();
    work->stream = stream;
    work->run = std::move(task);
    if (stream == &legacy) {
        for (Stream *other : streams)
            if (other->blocking && other != stream && is_busy(other)) work->after.push_back(other->last);
    } else if (stream->blocking && is_busy(&legacy)) {
        work->after.push_back(legacy.last);
    }
    stream->queue.push_back(work);
    stream->last = work;
    pending++;
    return work;
}

Status issue(void *handle, Task task) {
    Stream *stream = stream_of(handle);
    if (stream->captured) return capture(stream, Node{NodeKind::MEMCPY, {}, nullptr, task, {}});
    auto work = enqueue(stream, std::move(task));
    uint64_t seed = option("seed", 0);
    if (!option("late", 1)) return finish(work), OK;
    if (pending > MOST_PENDING) return finish_all(), OK;
    if (seed > 1 && dice()() % 4 == 0) {  // some stream comes some way
        Stream *some = streams[dice()() % streams.size()];
        if (!some->queue.empty()) run_first(some);
    }
    return OK;
}

Status issue_and_wait(void *handle, Task task) {
    Stream *stream = stream_of(handle);
    if (stream->captured) return CAPTURE_UNSUPPORTED;
    return finish(enqueue(stream, std::move(task)));
}

bool is_capturing(void *stream) { return stream_of(stream)->captured; }

Status capture(Stream *stream, Node node) {
    node.after = stream->capture_heads;
    stream->captured->nodes.push_back(std::move(node));
    stream->capture_heads = {int(stream->captured->nodes.size()) - 1};
    return OK;
}


extern "C" {
int cuStreamCreate(Stream **stream, unsigned flags) {
    ENTER;
    *stream = new Stream;
    (*stream)->blocking = !(flags & 1);
    streams.push_back(*stream);
    return OK;
}

int cuStreamCreateWithPriority(Stream **stream, unsigned flags, int) { return cuStreamCreate(stream, flags); }

int cuStreamDestroy_v2(Stream *stream) {
    ENTER;
    auto found = std::find(streams.begin(), streams.end(), stream);
    if (found == streams.end()) return INVALID_HANDLE;
    Status status = finish_stream(stream);
    streams.erase(found);  // the object stays: events may name it
    return status;
}

int cuStreamSynchronize(void *stream) {
    ENTER;
    if (is_capturing(stream)) return CAPTURE_UNSUPPORTED;
    return finish_stream(stream_of(stream));
}

int cuStreamQuery(void *stream) {
    ENTER;
    Stream *found = stream_of(stream);
    if (found->captured) return CAPTURE_UNSUPPORTED;
    if (found->queue.empty()) return OK;
    Status failed = run_first(found);
    return failed ? failed : found->queue.empty() ? OK : NOT_READY;
}

int cuStreamWaitEvent(void *handle, Event *event, unsigned) {
    ENTER;
    Stream *stream = stream_of(handle);
    if (event->graph) {  // a stream that waits for a captured one is captured with it
        if (stream->captured && stream->captured != event->graph) return INVALID_VALUE;
        stream->captured = event->graph;
        stream->capture_heads.insert(stream->capture_heads.end(), event->heads.begin(), event->heads.end());
        return OK;
    }
    if (stream->captured) return CAPTURE_UNSUPPORTED;
    if (!event->work || event->work->done) return OK;
    enqueue(stream, nullptr)->after.push_back(event->work);
    return OK;
}

int cuStreamGetFlags(void *stream, unsigned *flags) { ENTER; *flags = !stream_of(stream)->blocking; return OK; }

int cuLaunchHostFunc(void *stream, void (*function)(void *), void *data) {
    ENTER;
    return issue(stream, [function, data] { function(data); return OK; });
}

int cuEventCreate(Event **event, unsigned) { ENTER; *event = new Event; return OK; }
int cuEventDestroy_v2(Event *event) { ENTER; delete event; return OK; }

int cuEventRecord(Event *event, void *handle) {
    ENTER;
    Stream *stream = stream_of(handle);
    event->graph = stream->captured;
    event->heads = stream->capture_heads;
    if (stream->captured) return OK;
    event->work = enqueue(stream, [order = event->order] { *order = clock_ticks; return OK; });
    return option("late", 1) ? OK : finish(event->work);
}

int cuEventRecordWithFlags(Event *event, void *stream, unsigned) { return cuEventRecord(event, stream); }

int cuEventSynchronize(Event *event) { ENTER; return finish(event->work); }

int cuEventQuery(Event *event) {
    ENTER;
    if (!event->work || event->work->done) return OK;
    Status failed = run_first(event->work->stream);
    return failed ? failed : event->work->done ? OK : NOT_READY;
}

int cuEventElapsedTime(float *milliseconds, Event *start, Event *end) {
    ENTER;
    if (!start->work || !end->work) return INVALID_HANDLE;
    if (!start->work->done || !end->work->done) return NOT_READY;
    *milliseconds = float(*end->order - *start->order) * 1e-3f;  // counts what was done, not time
    return OK;
}

int cuEventElapsedTime_v2(float *milliseconds, Event *start, Event *end) {
    return cuEventElapsedTime(milliseconds, start, end);
}

int cuStreamBeginCapture_v2(void *handle, int) {
    ENTER;
    Stream *stream = stream_of(handle);
    if (stream == &legacy) return CAPTURE_UNSUPPORTED;
    if (stream->captured) return INVALID_VALUE;
    stream->captured = new Graph;
    stream->capture_heads.clear();
    stream->capture_origin = true;
    return OK;
}

int cuStreamEndCapture(void *handle, Graph **graph) {
    ENTER;
    Stream *stream = stream_of(handle);
    if (!stream->captured || !stream->capture_origin) return INVALID_VALUE;
    *graph = stream->captured;
    for (Stream *each : streams)
        if (each->captured == *graph) {
            each->captured = nullptr;
            each->capture_heads.clear();
        }
    stream->capture_origin = false;
    return OK;
}

int cuStreamIsCapturing(void *stream, int *status) { ENTER; *status = is_capturing(stream); return OK; }
}
