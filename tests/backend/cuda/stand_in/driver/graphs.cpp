// Graphs: nodes with edges, made one by one or captured from streams, and run in any order that the edges allow.
#include "driver.h"
#include <algorithm>

// Nodes are named by their graph and number, so that a name that is none is found.
struct NodeName { Graph *graph; int number; };
struct ExecutableGraph { std::vector<Node> nodes; };
struct KernelNodeParams {  // CUDA_KERNEL_NODE_PARAMS, version 2
    Function *function;
    unsigned grid[3], block[3], shared;
    void **arguments, **extra;
    void *kernel, *context;
};
static std::map<Graph *, std::vector<std::unique_ptr<NodeName>>> names;

static NodeName *name_of(Graph *graph, int number) {
    auto &known = names[graph];
    while (int(known.size()) <= number) known.push_back(std::make_unique<NodeName>(NodeName{graph, int(known.size())}));
    return known[size_t(number)].get();
}

static Status add(NodeName **name, Graph *graph, NodeName *const *after, size_t count, Node node) {
    for (size_t k = 0; k < count; k++) {
        if (after[k]->graph != graph) return INVALID_VALUE;
        node.after.push_back(after[k]->number);
    }
    graph->nodes.push_back(std::move(node));
    *name = name_of(graph, int(graph->nodes.size()) - 1);
    return OK;
}

static Status launch_of(Launch &launch, const KernelNodeParams *given) {
    uint32_t sizes[6];
    std::copy(given->grid, given->grid + 3, sizes);
    std::copy(given->block, given->block + 3, sizes + 3);
    if (!given->function) return INVALID_VALUE;
    return prepare(launch, given->function, sizes, given->shared, given->arguments, given->extra);
}

static Status run_graph(const std::vector<Node> &nodes) {
    std::vector<char> done(nodes.size(), 0);
    std::vector<int> order(nodes.size());
    for (size_t k = 0; k < nodes.size(); k++) order[k] = int(k);
    for (size_t left = nodes.size(); left;) {
        put_in_some_order(order);
        for (int k : order) {
            const Node &node = nodes[size_t(k)];
            auto is_done = [&](int other) { return done[size_t(other)] != 0; };
            if (is_done(k) || !std::all_of(node.after.begin(), node.after.end(), is_done)) continue;
            if (node.kind == NodeKind::KERNEL) {
                if (Status failed = run_launch(node.launch)) return failed;
            } else if (node.task) {
                if (Status failed = node.task()) return failed;
            }
            done[size_t(k)] = 1;
            left--;
            break;
        }
    }
    return OK;
}

extern "C" {
int cuGraphCreate(Graph **graph, unsigned) { ENTER; *graph = new Graph; return OK; }

int cuGraphDestroy(Graph *graph) {
    ENTER;
    names.erase(graph);
    delete graph;
    return OK;
}

int cuGraphAddKernelNode_v2(NodeName **name, Graph *graph, NodeName *const *after, size_t count,
                            const KernelNodeParams *given) {
    ENTER;
    Launch launch;
    if (Status refused = launch_of(launch, given)) return refused;
    return add(name, graph, after, count, Node{NodeKind::KERNEL, launch, given->function, {}, {}});
}

int cuGraphAddEmptyNode(NodeName **name, Graph *graph, NodeName *const *after, size_t count) {
    ENTER;
    return add(name, graph, after, count, Node{NodeKind::EMPTY, {}, nullptr, {}, {}});
}

int cuGraphGetNodes(Graph *graph, NodeName **found, size_t *count) {
    ENTER;
    if (found)
        for (size_t k = 0; k < std::min(*count, graph->nodes.size()); k++) found[k] = name_of(graph, int(k));
    *count = graph->nodes.size();
    return OK;
}

int cuGraphNodeGetType(NodeName *name, int *kind) {
    ENTER;
    *kind = int(name->graph->nodes[size_t(name->number)].kind);
    return OK;
}

int cuGraphInstantiateWithFlags(ExecutableGraph **made, Graph *graph, unsigned long long) {
    ENTER;
    *made = new ExecutableGraph{graph->nodes};
    return OK;
}

int cuGraphExecKernelNodeSetParams_v2(ExecutableGraph *made, NodeName *name, const KernelNodeParams *given) {
    ENTER;
    if (size_t(name->number) >= made->nodes.size()) return INVALID_VALUE;
    Node &node = made->nodes[size_t(name->number)];
    if (node.kind != NodeKind::KERNEL) return INVALID_VALUE;
    Launch launch;
    if (Status refused = launch_of(launch, given)) return refused;
    node.launch = launch;  // launches that were issued have their own
    return OK;
}

int cuGraphExecUpdate_v2(ExecutableGraph *made, Graph *graph, void *) {
    ENTER;
    bool same = made->nodes.size() == graph->nodes.size();
    for (size_t k = 0; same && k < graph->nodes.size(); k++)
        same = made->nodes[k].kind == graph->nodes[k].kind && made->nodes[k].after == graph->nodes[k].after;
    if (!same) return 910;  // the graph is of another shape
    made->nodes = graph->nodes;
    return OK;
}

int cuGraphLaunch(ExecutableGraph *made, void *stream) {
    ENTER;
    if (launches_are_empty()) return OK;
    return issue(stream, [nodes = made->nodes] { return run_graph(nodes); });
}

int cuGraphUpload(ExecutableGraph *, void *) { ENTER; return OK; }

int cuGraphExecDestroy(ExecutableGraph *made) { ENTER; delete made; return OK; }
}
