#include "verify/reached_blocks.h"

#include <algorithm>
#include <optional>
#include <set>

#include "loops/program.h"

namespace burin {
namespace {

// Candidates are some for each size, and each has all sizes.
constexpr size_t kMostSizes = 16;
constexpr int64_t kMostWork = int64_t{1}
                              << 20;  // indices that are evaluated, for all sizes together

const loops::For* loop_of(const loops::Stmt& stmt) { return std::get_if<loops::For>(&stmt.node); }
const loops::If* branch_of(const loops::Stmt& stmt) { return std::get_if<loops::If>(&stmt.node); }

}  // namespace

// One way through a program at sizes that are known.
class BlockWalk {
 public:
  BlockWalk(const ReachedBlocks& all, const SampleSizes& sizes, int64_t& work)
      : all_(all), sizes_(sizes), work_(work), out_(all.count(), false) {}

  void run(const loops::Program& program) {
    vars_.clear();
    walk(program.body);
  }
  std::vector<bool> take() { return std::move(out_); }

 private:
  // nullopt: data, or sizes that the run finds, take part.
  std::optional<int64_t> value_of(const Index& index) {
    --work_;
    if (const std::optional<int64_t> number = index.as_constant()) return number;
    if (index.has_data()) return std::nullopt;
    std::vector<Symbol> symbols;
    std::vector<int> axes;
    index.collect_symbols(symbols);
    index.collect_axes(axes);
    const bool known =
        std::all_of(symbols.begin(), symbols.end(),
                    [&](const Symbol& one) { return sizes_.contains(one->name); }) &&
        std::all_of(axes.begin(), axes.end(), [&](int axis) { return vars_.contains(axis); });
    if (!known) return std::nullopt;
    return index.evaluate([&](const Index& leaf) {
      return leaf.kind() == IndexKind::symbol ? sizes_.at(leaf.as_symbol()->name)
                                              : vars_.at(leaf.axis_id());
    });
  }

  std::optional<bool> holds(const Guard& guard) {
    bool all_known = true;
    for (const Condition& one : guard) {
      const std::optional<int64_t> value = value_of(one.index), lo = value_of(one.lo),
                                   hi = value_of(one.hi);
      if (!value || !lo || !hi) {
        all_known = false;
      } else if (*value < *lo || *value >= *hi) {
        return false;
      }
    }
    return all_known ? std::optional(true) : std::nullopt;
  }

  void enter(const loops::Stmts& body) {
    out_[all_.blocks_.at(&body)] = true;
    walk(body);
  }

  void walk(const loops::Stmts& stmts) {
    for (const loops::Stmt& stmt : stmts) {
      if (work_ <= 0) return;
      if (const loops::For* loop = loop_of(stmt)) {
        walk_loop(*loop);
      } else if (const loops::If* branch = branch_of(stmt)) {
        const std::optional<bool> taken = holds(branch->when);
        if (taken.value_or(true)) enter(branch->then);
        if (!taken.value_or(false)) enter(branch->otherwise);
      } else if (const auto* let = std::get_if<loops::Let>(&stmt.node)) {
        set(let->var, value_of(let->value));
      }
    }
  }

  void walk_loop(const loops::For& loop) {
    const std::optional<int64_t> begin = value_of(loop.begin), end = value_of(loop.end);
    if (begin && end && *begin >= *end) return;
    if (loop.part_end >= 0) set(loop.part_end, end);
    if (!begin || !end) {
      set(loop.var, std::nullopt);
      return enter(loop.body);
    }
    const int64_t last = *begin + (*end - 1 - *begin) / loop.step * loop.step;
    std::set<int64_t> points = {*begin};
    if (all_.splits_.at(&loop.body)) points.insert({std::min(*begin + loop.step, last), last});
    for (const int64_t point : points) {
      vars_[loop.var] = point;
      enter(loop.body);
    }
  }

  void set(int var, std::optional<int64_t> value) {
    if (value) {
      vars_[var] = *value;
    } else {
      vars_.erase(var);
    }
  }

  const ReachedBlocks& all_;
  const SampleSizes& sizes_;
  int64_t& work_;
  std::map<int, int64_t> vars_;
  std::vector<bool> out_;
};

namespace {

// Whether something in a block runs or not by sizes or points.
bool number_blocks(const loops::Stmts& body, std::map<const void*, size_t>& blocks,
                   std::map<const void*, bool>& splits) {
  blocks.emplace(&body, blocks.size());
  bool out = false;
  for (const loops::Stmt& stmt : body) {
    if (const loops::For* loop = loop_of(stmt)) {
      const bool fixed = loop->begin.is_constant() && loop->end.is_constant();
      out = number_blocks(loop->body, blocks, splits) || out || !fixed;
    } else if (const loops::If* branch = branch_of(stmt)) {
      number_blocks(branch->then, blocks, splits);
      number_blocks(branch->otherwise, blocks, splits);
      out = true;
    }
  }
  splits[&body] = out;
  return out;
}

// Numbers of which some are less than a vector has lanes and a tile rows, some no multiples.
std::vector<int64_t> usual_numbers(const Symbol& symbol) {
  std::vector<int64_t> out;
  for (const int64_t one : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 19, 24, 33}) {
    const int64_t number = std::clamp(one, symbol->min, symbol->max);
    if (std::find(out.begin(), out.end(), number) == out.end()) out.push_back(number);
  }
  return out;
}

// All sizes alike, and one of any number beside those of `base` or the least.
std::vector<SampleSizes> candidates(const KernelGraph& graph, const SampleSizes& base) {
  std::vector<SampleSizes> out;
  const auto add = [&](SampleSizes sizes) {
    if (std::find(out.begin(), out.end(), sizes) == out.end()) out.push_back(std::move(sizes));
  };
  for (const Symbol& changed : graph.symbols) {
    for (const int64_t number : usual_numbers(changed)) {
      SampleSizes alike, one = base, alone;
      for (const Symbol& symbol : graph.symbols) {
        alike[symbol->name] = std::clamp(number, symbol->min, symbol->max);
        alone[symbol->name] = std::clamp<int64_t>(1, symbol->min, symbol->max);
      }
      one[changed->name] = alone[changed->name] = number;
      add(std::move(alike));
      add(std::move(one));
      add(std::move(alone));
    }
  }
  return out;
}

int64_t beyond(const std::vector<bool>& reached, const std::vector<bool>& known) {
  int64_t out = 0;
  for (size_t i = 0; i < reached.size(); ++i) out += reached[i] && !known[i];
  return out;
}

}  // namespace

ReachedBlocks::ReachedBlocks(const ModelPlan& plan) {
  std::set<std::string> met;
  for (const auto& [step, schedule] : plan.kernels) {
    if (!schedule.program || plan.memory.dropped.contains(step)) continue;
    const auto key = plan.kernel_keys.find(step);
    if (key != plan.kernel_keys.end() && !met.insert(key->second).second) continue;
    programs_.push_back(&*schedule.program);
    number_blocks(schedule.program->body, blocks_, splits_);
  }
}

std::vector<bool> ReachedBlocks::at(const SampleSizes& sizes, int64_t& work) const {
  BlockWalk walk(*this, sizes, work);
  for (const loops::Program* program : programs_) walk.run(*program);
  return walk.take();
}

std::vector<SampleSizes> sizes_that_reach_more(const ModelPlan& plan,
                                               const std::vector<SampleSizes>& tried, size_t most,
                                               const std::function<bool(const SampleSizes&)>& fit) {
  std::vector<SampleSizes> out;
  const size_t sizes_of_caller = plan.graph.symbols.size();
  if (sizes_of_caller == 0 || sizes_of_caller > kMostSizes || tried.empty()) return out;
  const ReachedBlocks blocks(plan);
  int64_t work = kMostWork;
  std::vector<bool> known(blocks.count(), false);
  const auto learn = [&](const std::vector<bool>& reached) {
    for (size_t i = 0; i < known.size(); ++i) known[i] = known[i] || reached[i];
  };
  for (const SampleSizes& sizes : tried) learn(blocks.at(sizes, work));
  std::vector<std::pair<SampleSizes, std::vector<bool>>> others;
  for (SampleSizes& sizes : candidates(plan.graph, tried[0])) {
    if (!fit(sizes)) continue;
    std::vector<bool> reached = blocks.at(sizes, work);
    if (work <= 0) break;
    others.emplace_back(std::move(sizes), std::move(reached));
  }
  while (out.size() < most) {
    const auto best =
        std::max_element(others.begin(), others.end(), [&](const auto& a, const auto& b) {
          return beyond(a.second, known) < beyond(b.second, known);
        });
    if (best == others.end() || beyond(best->second, known) == 0) break;
    learn(best->second);
    out.push_back(best->first);
  }
  return out;
}

}  // namespace burin
