#include "tune/tune.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "backends/emit.h"
#include "hardware/capabilities.h"
#include "select/launch_walk.h"
#include "support/diagnostics.h"
#include "support/process.h"

namespace burin {
namespace {

// Values of genes; neighbours are alike.
const std::vector<int64_t> kSides = {1, 4, 8, 16, 32, 64, 128};
const std::vector<int64_t> kItemSides = {1, 2, 4, 8};
const std::vector<int64_t> kDepths = {8, 16, 32};
const std::vector<int64_t> kSplits = {1, 2, 3, 4, 6, 8, 16};

// The genes of one kernel are consecutive.
struct TunedKernel {
  std::string key, what;
  bool product = false;
  size_t first = 0;  // of its genes
};

size_t nearest(const std::vector<int64_t>& values, int64_t wanted) {
  size_t best = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::abs(values[i] - wanted) < std::abs(values[best] - wanted)) best = i;
  }
  return best;
}

std::string operators_of(const Kernel& kernel) {
  std::string out;
  for (const Origin& origin : kernel.origins) out += (out.empty() ? "" : ", ") + origin.op;
  return out;
}

class Tuner {
 public:
  explicit Tuner(const TuneOptions& options) : options_(options) {}

  TuneResult run() {
    find_genes();
    read_measured();
    std::ofstream log(options_.measured, std::ios::app);
    const auto cost = [&](const Genes& genes) {
      const double us = measure(genes);
      for (const size_t gene : genes) log << gene << " ";
      log << us << "\n" << std::flush;
      return us;
    };
    if (!known_.contains(first_)) known_[first_] = cost(first_);
    const double untuned = known_.at(first_);
    if (std::isinf(untuned))
      refuse("runner", "the tree as it is cannot be measured: " + burin::quoted(said_),
             "the runner prints microseconds, last on its output");
    const SearchResult best =
        search_genes(genes_, first_, options_.search, known_, cost,
                     [&](int generation, const SearchResult& result) {
                       say("generation " + std::to_string(generation + 1) + " of " +
                           std::to_string(options_.search.generations) + ": best " +
                           std::to_string(result.cost) + " us, untuned " + std::to_string(untuned) +
                           " us, " + std::to_string(known_.size()) + " measured");
                     });
    TuneResult out;
    out.genes = static_cast<int>(genes_.size());
    out.measured = best.measured;
    out.file.hardware = options_.hardware.name;
    out.file.seed = options_.search.seed;
    out.file.population = options_.search.population;
    out.file.generations = options_.search.generations;
    out.file.untuned_us = untuned;
    out.file.us = best.cost;
    if (best.cost < untuned) out.file.tuning = tuning_of(best.best);
    for (const TunedKernel& kernel : kernels_) out.file.what[kernel.key] = kernel.what;
    return out;
  }

 private:
  void say(const std::string& line) const {
    if (options_.progress) options_.progress(line);
  }

  void add_gene(const char* name, const std::vector<int64_t>& values, int64_t now) {
    genes_.push_back({name, values});
    first_.push_back(nearest(values, now));
  }

  // Of the kernels as they are without a tuning file.
  void find_genes() {
    if (!has_device(options_.hardware))
      refuse("inconsistent-hardware", burin::quoted(options_.hardware.name) +
                                          " is no device with OpenCL, the only target whose "
                                          "kernels have choices that are measured");
    CompileOptions options = options_.compile;
    options.tuning = Tuning{};
    const Compiled compiled = compile(options, options_.hardware);
    std::set<std::string> known;
    for (const auto& [position, schedule] : compiled.plan.kernels) {
      const std::string& key = compiled.kernel_keys.at(position);
      const std::vector<const Launch*> launches = launches_of(schedule.launches);
      if (launches.empty() || !known.insert(key).second) continue;
      TunedKernel kernel{key, operators_of(schedule.kernel), false, genes_.size()};
      const Launch* product = nullptr;
      for (const Launch* launch : launches) {
        if (launch->attention) product = nullptr;
        if (launch->product) product = launch;
      }
      kernel.product = product != nullptr;
      std::vector<int64_t> groups;
      for (int64_t size = options_.hardware.opencl.wave_size;
           size <= options_.hardware.opencl.work_group_size_max; size *= 2)
        groups.push_back(size);
      if (groups.empty()) groups.push_back(options_.hardware.opencl.work_group_size);
      add_gene("work-group", groups, options_.hardware.opencl.work_group_size);
      if (product) {
        const GroupTile& tile = product->product->tile;
        add_gene("rows", kSides, tile.rows);
        add_gene("columns", kSides, tile.columns);
        add_gene("rows of an item", kItemSides, tile.item_rows);
        add_gene("columns of an item", kItemSides, tile.item_columns);
        add_gene("depth", kDepths, tile.depth);
        add_gene("splits", kSplits, tile.splits);
      }
      kernels_.push_back(std::move(kernel));
    }
    if (genes_.empty()) refuse("nothing-to-tune", "no kernel has a choice");
    say(std::to_string(kernels_.size()) + " kernels, " + std::to_string(genes_.size()) +
        " choices");
  }

  // Of kernels whose genes differ from what they were.
  Tuning tuning_of(const Genes& genes) const {
    Tuning out;
    for (const TunedKernel& kernel : kernels_) {
      const size_t count = kernel.product ? 7 : 1;
      bool same = true;
      for (size_t i = 0; i < count; ++i)
        same = same && genes[kernel.first + i] == first_[kernel.first + i];
      if (same) continue;
      const auto value = [&](size_t i) {
        return static_cast<int>(genes_[kernel.first + i].values[genes[kernel.first + i]]);
      };
      KernelTuning& tuning = out.kernels[kernel.key];
      tuning.work_group = value(0);
      if (kernel.product)
        tuning.tile = GroupTile{value(1), value(2), value(3), value(4), value(5), value(6)};
    }
    return out;
  }

  double measure(const Genes& genes) {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    CompileOptions options = options_.compile;
    options.tuning = tuning_of(genes);
    const ScratchFolder folder;
    const std::string tree = folder.path() + "/tree";
    try {
      const Compiled compiled = compile(options, options_.hardware);
      const cpp::EmittedTree emitted = emit_tree(compiled.plan);
      write_tree(emitted.tree, tree, emitted.manifest);
    } catch (const Refused& refused) {
      said_ = refused.what();
      return kNever;
    }
    std::vector<std::string> command = options_.runner;
    command.push_back(tree);
    const ProcessResult result = run_process(command, options_.seconds);
    said_ =
        result.output.substr(result.output.size() - std::min<size_t>(result.output.size(), 400));
    if (result.exit_code != 0) return kNever;
    std::istringstream words(result.output);
    std::string word, last;
    while (words >> word) last = word;
    double us = 0;
    const auto end = std::from_chars(last.data(), last.data() + last.size(), us);
    return end.ec == std::errc() && end.ptr == last.data() + last.size() && us > 0 ? us : kNever;
  }

  // Lines of an earlier search over the same choices.
  void read_measured() {
    std::ifstream in(options_.measured);
    std::string line;
    while (std::getline(in, line)) {
      std::istringstream words(line);
      Genes genes(genes_.size());
      bool whole = true;
      for (size_t i = 0; i < genes.size(); ++i)
        whole = whole && words >> genes[i] && genes[i] < genes_[i].values.size();
      std::string us, more;
      whole = whole && words >> us && !(words >> more);
      if (!whole) continue;
      known_[genes] = us == "inf" ? std::numeric_limits<double>::infinity() : std::stod(us);
    }
    if (!known_.empty()) say(std::to_string(known_.size()) + " candidates were measured before");
  }

  const TuneOptions& options_;
  std::vector<TunedKernel> kernels_;
  std::vector<Gene> genes_;
  Genes first_;  // what is chosen without tuning
  std::map<Genes, double> known_;
  std::string said_;  // by the runner, last
};

}  // namespace

TuneResult tune(const TuneOptions& options) { return Tuner(options).run(); }

}  // namespace burin
