#include "verify/bench.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "backends/cpp/network.h"
#include "backends/emit.h"
#include "backends/opencl/emit_opencl.h"
#include "backends/predictions.h"
#include "hardware/capabilities.h"
#include "report/overview.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/embedded.h"
#include "support/process.h"
#include "verify/build.h"
#include "verify/driver.h"
#include "verify/exchange.h"
#include "verify/made_inputs.h"
#include "verify/tool.h"
#include "verify/tree_alone.h"
#include "verify/verify.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

constexpr double kBenchSeconds = 600;  // of one program, builds apart
constexpr int64_t kRoomForEach = 8;    // elements of an output, by element of an input

void put_file(const std::string& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.close();
  if (!out) refuse("io", "cannot write " + burin::quoted(path));
}

std::vector<int64_t> numbers_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  std::vector<int64_t> out(bytes.size() / sizeof(int64_t));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(int64_t));
  return out;
}

// What a tree on disk is made into programs by, and what these are given.
struct Measured {
  const ModelPlan& plan;
  std::vector<std::string> sources;  // of the library
  std::string pool;                  // the source of its threads; empty: there are none
  // Inputs for the sizes, by number of the attempt; none: there are no more attempts.
  std::function<std::vector<HostTensor>(const std::map<std::string, int64_t>&, int)> inputs;
};

// Programs of a tree, which lies in `folder`/tree.
class Bench {
 public:
  Bench(const BenchOptions& options, const Measured& measured, const ScratchFolder& folder)
      : options_(options), measured_(measured), plan_(measured.plan), folder_(folder) {
    const std::string program =
        std::string("templates/project/program/") + name_of(plan_.hardware.program) + ".h";
    put_file(path("program.h"), std::string(embedded_file(program)));
    for (const std::string name : {"bench_driver.h", "bench_opencl.h"})
      put_file(path(name), std::string(embedded_file("templates/project/" + name)));
    BURIN_CHECK(ask(0), "there are no inputs");
  }

  RunTimes whole(int threads) {
    if (whole_.empty()) whole_ = built({});
    const std::vector<int64_t> told = measured(whole_, threads);
    std::vector<int64_t> times(told.begin() + 2, told.begin() + 2 + told[1]);
    std::sort(times.begin(), times.end());
    return {threads, times[times.size() / 2], times[0], told[1]};
  }

  // Nanoseconds and calls of each function in a run.
  std::vector<std::pair<int64_t, int64_t>> kernels(const std::vector<Identifier>& sites) {
    const std::string program = built(sites);
    const std::vector<int64_t> told = measured(program, 1);
    const int64_t runs = told[1];
    const auto at = static_cast<size_t>(2 + runs);
    BURIN_CHECK(told.size() == at + 1 + 2 * sites.size(), "the program tells of other sites");
    std::vector<std::pair<int64_t, int64_t>> out;
    for (size_t i = 0; i < sites.size(); ++i)
      out.emplace_back(told[at + 1 + 2 * i], told[at + 2 + 2 * i] / runs);
    return out;
  }

  bool has_pool() const { return !measured_.pool.empty(); }

 private:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  // A run at the sizes that the tree is made for, states in one buffer each. False: nothing is
  // left to try.
  bool ask(int attempt) {
    Run run;
    for (const Symbol& symbol : plan_.graph.symbols)
      run.symbols[symbol->name] = at_hints(Index::symbol(symbol));
    run.inputs = measured_.inputs(run.symbols, attempt);
    const bool nothing_new = plan_.graph.inputs.empty() && attempt > 0;
    if (nothing_new || run.inputs.size() != plan_.graph.inputs.size()) return false;
    run.in_one_buffer = true;
    // Of outputs that nothing bounds: for all places of a tensor, one number for each dimension.
    for (const HostTensor& input : run.inputs)
      run.room = std::max(run.room, kRoomForEach * input.elements());
    put_file(path("request.bin"), encode_request(plan_, {run}));
    attempt_ = attempt;
    return true;
  }

  // Objects are those of the tree; the schedule's calls go through `sites` where there are any.
  std::string built(const std::vector<Identifier>& sites) {
    const std::string work = path(sites.empty() ? "whole" : "kernels");
    fs::create_directories(work);
    put_file(work + "/driver.cpp", bench_driver(plan_, sites.size(), has_pool()).text());
    VerifyOptions named;
    named.hardware = options_.hardware;
    named.compiler = options_.compiler;
    BuildOptions build{find_compiler(named), false, false, {"-I" + folder_.path()}, options_.jobs};
    build.pack = options_.pack;
    if (has_pool()) build.compiler.link_flags.emplace_back("-pthread");
    const std::string schedule = "src/" + cpp::name_everything(plan_).model.text() + ".cpp";
    std::vector<std::string> others = measured_.sources;
    others.erase(std::remove(others.begin(), others.end(), schedule), others.end());
    if (has_pool()) others.push_back(measured_.pool);
    if (objects_.empty()) objects_ = build_objects(path("tree"), others, path("."), build);
    BuildOptions own = build;
    if (!sites.empty() && !has_device(plan_.hardware)) {
      put_file(work + "/wrapper.h", bench_wrapper(plan_, sites).text());
      own.flags.insert(own.flags.end(), {"-include", work + "/wrapper.h"});
    }
    std::vector<std::string> objects = build_objects(path("tree"), {schedule}, work, own);
    objects.insert(objects.end(), objects_.begin(), objects_.end());
    return link_program(path("tree"), objects, work, build);
  }

  std::vector<int64_t> measured(const std::string& program, int threads) {
    const std::string response = path("response.bin");
    std::vector<std::string> arguments = {path("request.bin"), response, std::to_string(threads),
                                          std::to_string(options_.ns)};
    if (plan_.weights == WeightsMode::blob) {
      const std::string weights = path("tree/" + cpp::name_everything(plan_).places.weights);
      arguments.push_back(weights);
      arguments.push_back(std::to_string(fs::file_size(weights)));
    }
    const std::vector<std::string> command = options_.hardware.command_of(program, arguments);
    const ProcessResult result = run_process(command, kBenchSeconds);
    if (result.exit_code != 0) throw tool_failure(command, result);
    const std::vector<int64_t> told = numbers_in(response);
    if (told.size() < 2 || told[1] < 0 || told.size() < 2 + static_cast<size_t>(told[1]))
      throw ToolFailed("the program that measures wrote no times");
    if (told[0] == 0) return told;
    if (ask(attempt_ + 1)) return measured(program, threads);
    throw ToolFailed("the run on made-up inputs returned status " + std::to_string(told[0]) +
                     (options_.without_model
                          ? "; only the model says which inputs it takes: burin bench "
                            "MODEL --tree " +
                                options_.tree
                          : ""));
  }

  const BenchOptions& options_;
  const Measured& measured_;
  const ModelPlan& plan_;
  const ScratchFolder& folder_;
  std::vector<std::string> objects_;
  std::string whole_;
  int attempt_ = 0;
};

int64_t predicted_ns(const ModelPlan& plan, int64_t cycles) {
  return cycles == 0 ? 0 : std::max<int64_t>(1, cycles * 1000 / plan.hardware.clock_mhz);
}

// So many calls of a place on one thread: it takes all parts of an axis at once, of two axes all of
// the second at each of the first.
int64_t calls_of(const ModelPlan& plan, StepId step) {
  const auto found = plan.kernels.find(step);
  if (found == plan.kernels.end() || !found->second.cut || !found->second.cut->across) return 1;
  return std::max<int64_t>(1, at_hints(found->second.cut->chunks()));
}

// Functions, with the nodes and the work of all places that call them; `calls`: those of each
// place once.
std::vector<KernelTime> functions_of(const cpp::KernelSet& set, const Analysis& analysis,
                                     const Overview& told, const ModelPlan& plan) {
  std::vector<KernelTime> out;
  const Predictions predictions(plan);
  for (const cpp::DistinctKernel& kernel : set.kernels)
    out.push_back({.name = kernel.name.text(), .nodes = {}});
  for (const auto& [step, calls] : set.calls) {
    for (const KernelFigures& figures : analysis.kernels) {
      if (figures.step != step || calls.empty()) continue;
      for (const cpp::KernelCall& call : calls) {
        add_nodes(figures.nodes, out[call.kernel].nodes);
      }
      if (calls.size() > 1) continue;  // which launch does how much of it is not known
      KernelTime& one = out[calls[0].kernel];
      one.macs += figures.work.macs;
      one.least_ns += told.least_of(step);
      one.bytes_read += figures.work.bytes_read;
      one.bytes_written += figures.work.bytes_written;
      if (has_device(plan.hardware)) continue;  // cost/ is about one thread
      one.predicted_ns += predicted_ns(plan, predictions.cycles(step));
      one.predicted_memory_ns += predicted_ns(plan, predictions.cycles_of_memory(step));
      one.predicted_one_by_one_ns += predicted_ns(plan, predictions.cycles_one_by_one(step));
      one.calls += calls_of(plan, step);
    }
  }
  return out;
}

// An own copy of what was emitted, or what lies where the user says.
void place_tree(const BenchOptions& options, const cpp::EmittedTree& emitted,
                const std::string& place) {
  if (options.tree.empty()) {
    write_tree(emitted.tree, place, emitted.manifest);
    return;
  }
  fs::create_directory_symlink(fs::absolute(options.tree), place);
  for (const auto& [file, entry] : emitted.tree.entries()) {
    if (file.ends_with(".cpp") && file.starts_with("src/") && !fs::exists(place + "/" + file))
      refuse("another-tree",
             burin::quoted(options.tree) + " has no " + file + ", which the model's tree has",
             "give the model that the tree was made of");
  }
}

// Whole runs, and `out.kernels`, which are there without their times, sorted by name.
void measure(Bench& run, int workers, const BenchOptions& options, BenchResult& out) {
  const int most = !run.has_pool()       ? 1
                   : options.threads > 0 ? std::min(options.threads, workers)
                                         : workers;
  for (int threads = 1; threads <= most; ++threads) out.whole.push_back(run.whole(threads));
  std::vector<Identifier> sites;
  for (const KernelTime& kernel : out.kernels)
    sites.push_back(mangle(kernel.name, kLongestIdentifier));
  if (sites.empty()) return;
  const auto times = run.kernels(sites);
  for (size_t i = 0; i < times.size(); ++i) {
    KernelTime& one = out.kernels[i];
    // Places inside of loops are called several times, those of a branch maybe never.
    for (int64_t KernelTime::*predicted :
         {&KernelTime::predicted_ns, &KernelTime::predicted_memory_ns,
          &KernelTime::predicted_one_by_one_ns})
      one.*predicted = one.*predicted / std::max<int64_t>(1, one.calls) * times[i].second;
    one.ns = times[i].first;
    one.calls = times[i].second;
  }
  std::stable_sort(out.kernels.begin(), out.kernels.end(),
                   [](const KernelTime& a, const KernelTime& b) { return a.ns > b.ns; });
}

std::string compiler_name(const BenchOptions& options) {
  VerifyOptions named;
  named.hardware = options.hardware;
  named.compiler = options.compiler;
  return find_compiler(named).name;
}

std::string runner_of(const Hardware& hardware) {
  std::string out;
  for (const std::string& word : hardware.runner) out += (out.empty() ? "" : " ") + word;
  return out;
}

BenchResult bench_without_model(const BenchOptions& options) {
  const TreeAlone tree = read_tree_alone(options.tree, options.hardware);
  const ModelPlan& plan = tree.plan;
  BenchResult out;
  out.model = plan.name;
  out.hardware = plan.hardware.name;
  out.compiler = compiler_name(options);
  out.sizes = tree.sizes;
  out.runner = runner_of(options.hardware);
  out.macs = tree.macs;
  out.least_ns = tree.least_ns;
  out.kernels = tree.kernels;
  out.unknown =
      "predicted times, and inputs that are lengths or positions, are known with the model alone: "
      "burin bench MODEL --tree " +
      options.tree;
  const ScratchFolder folder;
  fs::create_directory_symlink(fs::absolute(options.tree), folder.path() + "/tree");
  const Measured measured{plan, tree.sources, tree.pool, [&](const auto& sizes, int attempt) {
                            return inputs_of(plan, sizes, attempt);
                          }};
  Bench run(options, measured, folder);
  measure(run, tree.workers, options, out);
  return out;
}

}  // namespace

BenchResult bench(const BenchOptions& options) {
  if (options.without_model) return bench_without_model(options);
  const Compiled compiled = compile(options.compile, options.hardware);
  const ModelPlan& plan = compiled.plan;
  const Analysis analysis = analyze(compiled);
  const Overview told = overview(plan, analysis, 0);
  BenchResult out;
  out.model = plan.name;
  out.hardware = plan.hardware.name;
  out.compiler = compiler_name(options);
  out.sizes = told.at;
  out.runner = runner_of(options.hardware);
  out.macs = analysis.macs;
  out.least_ns = told.least_ns;
  const std::vector<cpp::Network> networks = cpp::networks_of(
      plan, {}, has_device(plan.hardware) ? opencl::kernel_units : cpp::kernel_units);
  out.kernels = functions_of(networks.back().kernels, analysis, told, plan);
  const ScratchFolder folder;
  const cpp::EmittedTree emitted = emit_tree(plan);
  place_tree(options, emitted, folder.path() + "/tree");
  Measured measured{plan, {}, {}, {}};
  for (const auto& [file, entry] : emitted.tree.entries()) {
    if (file.ends_with(".cpp") && file.starts_with("src/")) measured.sources.push_back(file);
    if (file.ends_with(".cpp") && file.starts_with("threads/")) measured.pool = file;
  }
  measured.inputs = [&](const auto& sizes, int attempt) {
    // Numbers are lengths at first, where they may be.
    return attempt > 1 ? std::vector<HostTensor>() : made_up_inputs(compiled, sizes, attempt == 0);
  };
  Bench run(options, measured, folder);
  measure(run, cpp::workers_of(plan), options, out);
  return out;
}

}  // namespace burin
