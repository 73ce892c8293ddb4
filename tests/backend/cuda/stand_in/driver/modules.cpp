// Modules: PTX becomes C by the translator, a library by the C compiler, and is kept.
#include "driver.h"
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <unistd.h>

static const char CUBIN_MARK[] = "// cubin of the stand-in\n";
struct Module { void *library = nullptr; const Kernel *kernel = nullptr; std::map<std::string, Function> functions; };

// A process that translates, one file after the other; it ends with this one.
class Translator {
  public:
    // What was said of a PTX file: nothing, once there is C beside it.
    std::string translate(const std::string &path) {
        if (owner != getpid() && !start()) return "the translator cannot be started";
        std::string line = path + "\n", answer;
        if (write(to, line.data(), line.size()) != ssize_t(line.size())) return "the translator is gone";
        for (char c; read(of, &c, 1) == 1; answer += c)
            if (c == '\n') return answer;
        return "the translator is gone";
    }

  private:
    pid_t owner = 0;
    int to = -1, of = -1;

    bool start() {
        int questions[2], answers[2];
        if (pipe2(questions, O_CLOEXEC) || pipe2(answers, O_CLOEXEC)) return false;
        posix_spawn_file_actions_t ends;
        posix_spawn_file_actions_init(&ends);
        posix_spawn_file_actions_adddup2(&ends, questions[0], 0);
        posix_spawn_file_actions_adddup2(&ends, answers[1], 1);
        const char *words[] = {PYTHON, "-S", "-E", TRANSLATOR "/translate.py", nullptr};
        pid_t child;
        bool begun = posix_spawn(&child, PYTHON, &ends, nullptr, (char **)words, environ) == 0;
        posix_spawn_file_actions_destroy(&ends);
        close(questions[0]);
        close(answers[1]);
        to = questions[1];
        of = answers[0];
        owner = getpid();
        return begun;
    }
};

static std::string name_of(const std::string &text) {
    uint64_t hash = 1469598103934665603ull;
    for (unsigned char c : text) hash = (hash ^ c) * 1099511628211ull;
    char name[40];
    snprintf(name, sizeof name, "%016lx-%zu", hash, text.size());
    return name;
}

static bool exists(const std::string &path) {
    struct stat found;
    return stat(path.c_str(), &found) == 0;
}

// The library of a PTX text; empty, once the reason is said, when it cannot be made.
static std::string library_of(const std::string &text) {
    std::string stem = KERNELS "/" + name_of(text), made = stem + ".so";
    if (exists(made)) return made;
    std::string own = stem + "-" + std::to_string(getpid());
    FILE *file = fopen((own + ".ptx").c_str(), "w");
    if (!file) { say("cannot write " + own + ".ptx"); return ""; }
    fwrite(text.data(), 1, text.size(), file);
    fclose(file);
    static Translator translator;
    std::string refused = translator.translate(own + ".ptx");
    std::string compile = "unset LD_LIBRARY_PATH; exec cc -O0 -w -fPIC -shared -mfma -ffp-contract=off "
                          "-fno-strict-aliasing -I" TRANSLATOR " -o " + own + ".so " + own + ".c -lm";
    if (refused.empty() && system(compile.c_str())) refused = "the C compiler refused what it was translated to";
    if (!refused.empty()) {
        say(own + ".ptx: " + refused);
        return "";
    }
    rename((own + ".so").c_str(), made.c_str());
    unlink((own + ".ptx").c_str());
    unlink((own + ".c").c_str());
    return made;
}

static bool is_too_new(const std::string &text) {
    int major = 0, minor = 0;
    size_t place = text.find(".version ");
    if (place == std::string::npos || sscanf(text.c_str() + place, ".version %d.%d", &major, &minor) != 2) return false;
    int driver = int(option("version", 13000));
    return (major + 4) * 1000 + minor * 10 > driver;
}

static Status load(Module **module, const void *image) {
    if (memcmp(image, "\x7f" "ELF", 4) == 0) {
        say("a cubin cannot be run here: the assembler of the stand-in has to come first on the PATH");
        return BAD_IMAGE;
    }
    std::string text((const char *)image);
    bool assembled = text.rfind(CUBIN_MARK, 0) == 0;
    if (!assembled && is_too_new(text)) return UNSUPPORTED_PTX;
    std::string path = library_of(assembled ? text.substr(sizeof CUBIN_MARK - 1) : text);
    if (path.empty()) return BAD_IMAGE;
    auto made = std::make_unique<Module>();
    made->library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!made->library) { say(dlerror()); return BAD_IMAGE; }
    made->kernel = (const Kernel *)dlsym(made->library, "kernel");
    if (!made->kernel) { say(path + " has no kernel"); return BAD_IMAGE; }
    *(const Machine **)dlsym(made->library, "machine") = &the_machine;
    made->functions[made->kernel->name] = Function{made->kernel, 0};
    *module = made.release();
    return OK;
}

extern "C" {
int cuModuleLoadData(Module **module, const void *image) { ENTER; return load(module, image); }

int cuModuleLoadDataEx(Module **module, const void *image, unsigned, int *, void **) {
    ENTER;
    return load(module, image);
}

int cuModuleUnload(Module *module) {
    ENTER;
    Status done = finish_all();
    dlclose(module->library);
    delete module;
    return done;
}

int cuModuleGetFunction(Function **function, Module *module, const char *name) {
    ENTER;
    auto found = module->functions.find(name);
    if (found == module->functions.end()) return NOT_FOUND;
    *function = &found->second;
    return OK;
}

int cuFuncSetAttribute(Function *function, int which, int value) {
    ENTER;
    if (which == 8) {  // the most dynamic shared memory
        if (value + function->kernel->shared_bytes > 232448) return INVALID_VALUE;
        function->most_shared_bytes = value + function->kernel->shared_bytes;
    }
    return OK;
}

int cuFuncGetAttribute(int *value, int which, Function *function) {
    ENTER;
    const Kernel *kernel = function->kernel;
    const uint64_t found[] = {1024, kernel->shared_bytes, 0, kernel->local_bytes, 32};
    *value = which >= 0 && which < 5 ? int(found[which]) : 0;
    return OK;
}

int cuLaunchKernel(Function *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **arguments, void **extra) {
    ENTER;
    if (launches_are_empty()) return OK;
    if (!function) return INVALID_HANDLE;
    const uint32_t sizes[] = {gx, gy, gz, bx, by, bz};
    Launch launch;
    if (Status refused = prepare(launch, function, sizes, shared, arguments, extra)) return refused;
    Node node{NodeKind::KERNEL, launch, function, {}, {}};
    if (is_capturing(stream)) return capture(stream_of(stream), std::move(node));
    return issue(stream, [launch] { return run_launch(launch); });
}
}
