#include "tune/tune.h"

#include <algorithm>
#include <cmath>

#include "support/diagnostics.h"
#include "tune/choices.h"
#include "tune/measured.h"
#include "tune/part_times.h"
#include "tune/runner.h"

namespace burin {
namespace {

// After so many failures in a row the untuned tree shows whether it is the runner that fails; so
// many times of these, and nothing else can be expected.
constexpr int kMostFailures = 8, kMostDoubts = 4;

// Of the search, in the contest.
constexpr size_t kChallengers = 3;

std::string us_text(double us) { return std::to_string(us).substr(0, 8) + " us"; }

// What failed and the first line of what it said, in one line.
std::string in_a_line(const std::string& why) {
  const size_t first = why.find("\n  ");
  if (first == std::string::npos) return why;
  const std::string said = why.substr(first + 3);
  return why.substr(0, first) + ": " + said.substr(0, said.find('\n'));
}

class Tuner {
 public:
  explicit Tuner(const TuneOptions& options)
      : options_(options),
        choices_(choices(options)),
        runner_({options.compile, options.hardware, options.runner, options.seconds}),
        file_(options.measured, runner_.key(choices_.hash()), choices_.genes),
        known_(file_.known()) {}

  TuneResult run() {
    say(std::to_string(choices_.kernels) + " kernels, " + std::to_string(choices_.pairs) +
        " pairs, " + std::to_string(choices_.genes.size()) + " choices");
    if (!known_.empty()) say(std::to_string(known_.size()) + " candidates were measured before");
    TuneResult out;
    out.measured = search();
    contest(out);
    out.genes = static_cast<int>(choices_.genes.size());
    out.file.hardware = options_.hardware.name;
    out.file.seed = options_.search.seed;
    out.file.population = options_.search.population;
    out.file.generations = options_.search.generations;
    out.file.what = choices_.what;
    return out;
  }

 private:
  void say(const std::string& line) const {
    if (options_.progress) options_.progress(line);
  }

  // Of the kernels as they are without a tuning file.
  static TuningChoices choices(const TuneOptions& options) {
    TuningChoices out = find_choices(options.compile, options.hardware);
    if (out.genes.empty()) refuse("nothing-to-tune", "no kernel has a choice");
    if (options.earlier && options.earlier->tuning != Tuning{} && !knows_any(out, *options.earlier))
      refuse("foreign-tuning", "the tuning file is there and has no kernel of this model",
             "name another file with --tuning, or remove it");
    return out;
  }

  static bool knows_any(const TuningChoices& choices, const TuningFile& file) {
    const auto knows = [&](const std::string& key) { return choices.what.contains(key); };
    return std::any_of(file.tuning.kernels.begin(), file.tuning.kernels.end(),
                       [&](const auto& one) { return knows(one.first); }) ||
           std::any_of(file.tuning.pairs.begin(), file.tuning.pairs.end(), [&](const auto& one) {
             return knows(one.first.first) && knows(one.first.second);
           });
  }

  CandidateCost cost_of(const Tuning& tuning) {
    if (options_.cost) return options_.cost(tuning);
    CandidateCost out = runner_.cost(tuning);
    if (!runner_.started()) fail("a candidate cannot be measured");
    return out;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw RunnerFailed(
        what + ": " + runner_.why() +
        (known_.empty() ? ""
                        : "\n  what was measured is kept in " + burin::quoted(options_.measured)));
  }

  void measure_untuned(const std::string& otherwise) {
    const CandidateCost untuned = cost_of({});
    if (!std::isfinite(untuned.whole)) fail(otherwise);
    if (!known_.contains(choices_.first)) file_.add(choices_.first, untuned);
    known_.try_emplace(choices_.first, untuned);
  }

  // Fills known_; how many were measured.
  int search() {
    int asked = 0;
    if (!known_.contains(choices_.first)) {
      measure_untuned("the tree as it is cannot be measured");
      ++asked;
      const CandidateCost& untuned = known_.at(choices_.first);
      say("untuned: " + us_text(untuned.whole) +
          (untuned.parts.empty()
               ? ""
               : ", " + std::to_string(untuned.parts.size()) + " kernels timed on their own"));
    }
    const std::string generations = std::to_string(options_.search.generations);
    const int candidates = options_.search.population * options_.search.generations;
    double best = known_.at(choices_.first).whole;
    const auto cost = [&](const Genes& genes) {
      CandidateCost found = cost_of(choices_.tuning_of(genes));
      const std::string number =
          "  " + std::to_string(++asked) + " of at most " + std::to_string(candidates) + ": ";
      if (std::isfinite(found.whole)) {
        file_.add(genes, found);
        best = std::min(best, found.whole);
        failures_ = doubts_ = 0;
        say(number + us_text(found.whole) + ", best " + us_text(best));
        return found;
      }
      say(number + "failed: " + in_a_line(runner_.why()));
      if (options_.cost || runner_.called()) doubt();
      return found;
    };
    search_genes(choices_.genes, choices_.first, options_.search, known_, cost,
                 [&](int generation, const GeneticResult& result) {
                   say("generation " + std::to_string(generation + 1) + " of " + generations +
                       ": best " + us_text(result.cost) + ", untuned " +
                       us_text(known_.at(choices_.first).whole));
                 });
    return asked;
  }

  void doubt() {
    if (++failures_ % kMostFailures != 0) return;
    const std::string often = std::to_string(failures_) + " candidates in a row failed";
    if (++doubts_ == kMostDoubts) fail(often);
    const std::string why = in_a_line(runner_.why());
    measure_untuned(often + ", and so does the tree as it is");
    say("  the untuned tree can still be measured; the last candidate: " + why);
  }

  // Those that may be faster than the untuned tree: the best of every kernel that was timed, all
  // together, and the best of the candidates that were.
  std::vector<Genes> challengers() const {
    std::vector<std::pair<double, Genes>> sorted;
    PartTimes parts(choices_.genes);
    for (const auto& [genes, cost] : known_) {
      parts.add(genes, cost);
      if (cost.whole < known_.at(choices_.first).whole) sorted.emplace_back(cost.whole, genes);
    }
    std::sort(sorted.begin(), sorted.end());
    if (sorted.size() > kChallengers) sorted.resize(kChallengers);
    std::vector<Genes> out;
    const Genes& best = sorted.empty() ? choices_.first : sorted[0].second;
    if (const Genes together = parts.best(best); together != best) out.push_back(together);
    for (auto& [us, genes] : sorted) out.push_back(std::move(genes));
    return out;
  }

  void contest(TuneResult& out) {
    std::vector<Tuning> trees{Tuning{}};
    std::vector<const Genes*> genes{&choices_.first};
    const std::vector<Genes> best = challengers();
    const auto add = [&](const Tuning& tuning, const Genes* of) {
      if (std::find(trees.begin(), trees.end(), tuning) != trees.end()) return;
      trees.push_back(tuning);
      genes.push_back(of);
    };
    size_t holder = 0;
    if (options_.earlier) {
      add(options_.earlier->tuning, nullptr);
      holder = trees.size() - 1;
    }
    for (const Genes& one : best) add(choices_.tuning_of(one), &one);
    out.contested = trees.size() > 1;
    out.file.untuned_us = out.file.us = known_.at(choices_.first).whole;
    if (!out.contested) return;
    say("once more, " + std::to_string(options_.rounds) + " times in turns: the untuned tree and " +
        std::to_string(trees.size() - 1) + " others");
    const std::vector<Times> times = measure_in_turns(
        trees.size(), options_.rounds, [&](size_t i) { return cost_of(trees[i]).whole; });
    if (times[0].us.empty()) fail("the tree as it is cannot be measured any more");
    // Luck that made a challenger is not to make it again.
    for (size_t i = 0; i < trees.size(); ++i) {
      if (!genes[i] || times[i].us.empty()) continue;
      const auto known = known_.find(*genes[i]);
      file_.add(*genes[i],
                {times[i].median(),
                 known == known_.end() ? decltype(CandidateCost::parts){} : known->second.parts});
    }
    const size_t winner = winner_of(times, holder);
    size_t shown = winner ? winner : 1;
    for (size_t i = 1; i < times.size() && !winner; ++i) {
      if (times[i].median() < times[shown].median()) shown = i;
    }
    out.write = winner != holder;
    out.untuned = times[0];
    out.tuned = times[shown];
    out.file.untuned_us = times[0].median();
    out.file.us = times[winner].median();
    out.file.tuning = trees[winner];
  }

  const TuneOptions& options_;
  TuningChoices choices_;
  Runner runner_;
  MeasuredFile file_;
  std::map<Genes, CandidateCost> known_;
  int failures_ = 0, doubts_ = 0;  // in a row
};

}  // namespace

TuneResult tune(const TuneOptions& options) { return Tuner(options).run(); }

}  // namespace burin
