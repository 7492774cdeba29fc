#include "tune/tune.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "backends/emit.h"
#include "hardware/capabilities.h"
#include "support/diagnostics.h"
#include "support/process.h"
#include "tune/choices.h"

namespace burin {
namespace {

// In the file of what was measured, in front of candidates: of which choices.
constexpr const char* kHeader = "choices";

class Tuner {
 public:
  explicit Tuner(const TuneOptions& options) : options_(options) {}

  TuneResult run() {
    find_genes();
    read_measured();
    std::ofstream log(options_.measured, std::ios::app);
    log << header() << "\n" << std::flush;
    const Genes& first = choices_.first;
    const auto cost = [&](const Genes& genes) {
      const double us = measure(genes);
      for (const size_t gene : genes) log << gene << " ";
      log << us << "\n" << std::flush;
      return us;
    };
    if (!known_.contains(first)) known_[first] = cost(first);
    const double untuned = known_.at(first);
    if (std::isinf(untuned))
      refuse("runner", "the tree as it is cannot be measured: " + burin::quoted(said_),
             "the runner prints microseconds, last on its output");
    const SearchResult best =
        search_genes(choices_.genes, first, options_.search, known_, cost,
                     [&](int generation, const SearchResult& result) {
                       say("generation " + std::to_string(generation + 1) + " of " +
                           std::to_string(options_.search.generations) + ": best " +
                           std::to_string(result.cost) + " us, untuned " + std::to_string(untuned) +
                           " us, " + std::to_string(known_.size()) + " measured");
                     });
    TuneResult out;
    out.genes = static_cast<int>(choices_.genes.size());
    out.measured = best.measured;
    out.file.hardware = options_.hardware.name;
    out.file.seed = options_.search.seed;
    out.file.population = options_.search.population;
    out.file.generations = options_.search.generations;
    out.file.untuned_us = untuned;
    out.file.us = best.cost;
    if (best.cost < untuned) out.file.tuning = choices_.tuning_of(best.best);
    out.file.what = choices_.what;
    return out;
  }

 private:
  void say(const std::string& line) const {
    if (options_.progress) options_.progress(line);
  }

  // Of the kernels as they are without a tuning file.
  void find_genes() {
    if (!has_device(options_.hardware))
      refuse("inconsistent-hardware", burin::quoted(options_.hardware.name) +
                                          " is no device with OpenCL, the only target whose "
                                          "kernels have choices that are measured");
    choices_ = find_choices(options_.compile, options_.hardware);
    if (choices_.genes.empty()) refuse("nothing-to-tune", "no kernel has a choice");
    say(std::to_string(choices_.kernels) + " kernels, " + std::to_string(choices_.pairs) +
        " pairs, " + std::to_string(choices_.genes.size()) + " choices");
  }

  double measure(const Genes& genes) {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    CompileOptions options = options_.compile;
    options.tuning = choices_.tuning_of(genes);
    if (options_.cost) return options_.cost(*options.tuning);
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

  std::string header() const { return std::string(kHeader) + " " + choices_.hash(); }

  // Lines of an earlier search over the same choices.
  void read_measured() {
    std::ifstream in(options_.measured);
    std::string line;
    bool of_these = false;
    while (std::getline(in, line)) {
      std::istringstream words(line);
      if (line.starts_with(kHeader)) {
        of_these = line == header();
        continue;
      }
      if (!of_these) continue;
      Genes genes(choices_.genes.size());
      bool whole = true;
      for (size_t i = 0; i < genes.size(); ++i)
        whole = whole && words >> genes[i] && genes[i] < choices_.genes[i].values.size();
      std::string us, more;
      whole = whole && words >> us && !(words >> more);
      if (!whole) continue;
      known_[genes] = us == "inf" ? std::numeric_limits<double>::infinity() : std::stod(us);
    }
    if (!known_.empty()) say(std::to_string(known_.size()) + " candidates were measured before");
  }

  const TuneOptions& options_;
  TuningChoices choices_;
  std::map<Genes, double> known_;
  std::string said_;  // by the runner, last
};

}  // namespace

TuneResult tune(const TuneOptions& options) { return Tuner(options).run(); }

}  // namespace burin
