#include "select/threads/shared_program.h"

#include <algorithm>

#include "kernel/index/index_node.h"
#include "loops/program_text.h"
#include "loops/verify/verify_program.h"
#include "loops/walk.h"
#include "select/threads/parallel.h"
#include "select/threads/parallel_cost.h"
#include "support/check.h"
#include "support/divide.h"

namespace burin {
namespace {

constexpr int kMostUnproven = 3;  // divisions of a loop

// Numbers that the first turn of the loop over threads counts.
Range first_part(const loops::Program& program) {
  Range out{0, 1};
  loops::for_each(program.body, [&](const loops::Stmt& stmt) {
    const auto* loop = std::get_if<loops::For>(&stmt.node);
    if (loop != nullptr && loop->kind == loops::Kind::thread) out = {0, loop->step};
  });
  return out;
}

struct Division {
  LoopParts sharing;
  int64_t calls = 1, cycles = 0;
};

// Of a loop in whole units: what one unit takes alone, and all of them in one call.
struct LoopCosts {
  int64_t units = 1, one = 1, all = 1;
  int64_t of_call(int64_t points) const {
    if (units < 2 || points >= units) return all;
    return one + saturating_mul(all - one, points - 1) / (units - 1);
  }
};

class Divisions {
 public:
  Divisions(const std::vector<ShareableLoop>& loops,
            const std::function<loops::Program(const std::optional<LoopParts>&)>& make,
            const loops::Program& whole, const Hardware& hardware)
      : threads_(hardware.threads_max), least_(least_of_part(hardware)) {
    cost::Costs of_whole(whole, hardware);
    const int64_t touched = cost_of_call(of_whole, {}, 0, hardware).touched;
    const int64_t all = cost_of_call(of_whole, {}, touched, hardware).cycles();
    for (size_t k = 0; k < loops.size(); ++k) {
      LoopCosts costs{divide_up(at_least_one(loops[k].extent), loops[k].multiple), all, all};
      const bool larger = !loops[k].extent.is_constant();
      if ((all >= 2 * least_ && costs.units > 1) || larger) {
        const loops::Program cut = make(LoopParts{k, loops[k].multiple});
        cost::Costs of_cut(cut, hardware);
        costs.one =
            std::min(all, cost_of_call(of_cut, {first_part(cut)}, touched, hardware).cycles());
        add_divisions(k, loops[k].multiple, costs);
      }
      // As far as larger sizes go.
      if (larger) {
        const int64_t each = std::max<int64_t>(1, all / costs.units);
        larger_.push_back({k, std::max<int64_t>(1, divide_up(least_, each)) * loops[k].multiple});
      }
    }
  }

  // Of least time first; of those that take nearly the same, that of most calls.
  std::vector<LoopParts> in_order() {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Division& a, const Division& b) { return a.cycles < b.cycles; });
    const int64_t fewest = found_.empty() ? 0 : found_.front().cycles;
    std::stable_sort(found_.begin(), found_.end(), [&](const Division& a, const Division& b) {
      const bool near_a = a.cycles / kNearlyPercent <= fewest / 100,
                 near_b = b.cycles / kNearlyPercent <= fewest / 100;
      return near_a != near_b ? near_a : near_a && a.calls > b.calls;
    });
    std::vector<LoopParts> out;
    for (const Division& one : found_) out.push_back(one.sharing);
    out.insert(out.end(), larger_.begin(), larger_.end());
    return out;
  }

 private:
  void add_divisions(size_t loop, int64_t multiple, const LoopCosts& costs) {
    int64_t last = 0;
    for (int64_t calls = 2; calls <= threads_ * kChunksPerThread; ++calls) {
      const int64_t units = divide_up(costs.units, calls);
      if (units == last || units >= costs.units) continue;
      last = units;
      const int64_t of_call = costs.of_call(units), all_calls = divide_up(costs.units, units);
      const Division one{
          {loop, units * multiple}, all_calls, divide_up(all_calls, threads_) * of_call};
      if (of_call >= least_ && one.cycles / kRepaysPercent < costs.all / 100) found_.push_back(one);
    }
  }

  const int64_t threads_, least_;
  std::vector<Division> found_;
  std::vector<LoopParts> larger_;
};

}  // namespace

SharedProgram share_program(
    const std::vector<ShareableLoop>& loops,
    const std::function<loops::Program(const std::optional<LoopParts>& sharing)>& make,
    const Hardware& hardware, const Given& given) {
  loops::Program whole = make(std::nullopt);
  const auto by_one_thread = [&](bool unproven) {
    const std::vector<std::string> faults = loops::verify(whole);
    BURIN_CHECK(faults.empty(), faults.front() + " in " + loops::to_string(whole));
    return SharedProgram{std::nullopt, std::move(whole), unproven};
  };
  if (hardware.threads_max < 2 || loops.empty() || !given.may("threads"))
    return by_one_thread(false);
  std::vector<LoopParts> tried;
  if (const std::vector<int64_t>* const wanted = given.numbers("threads")) {
    for (size_t k = 0; k < loops.size() && wanted->size() == 2; ++k) {
      const int64_t grain = (*wanted)[1];
      if ((*wanted)[0] == loops[k].axis && grain > 0 && grain % loops[k].multiple == 0 &&
          !proven_le(loops[k].extent, grain) && tried.empty())
        tried.push_back({k, grain});
    }
  }
  if (tried.empty()) tried = Divisions(loops, make, whole, hardware).in_order();
  // Parts of one size may be shown to be apart where those of another are not: a few are tried.
  std::vector<int> unproven(loops.size(), 0);
  for (const LoopParts& one : tried) {
    if (unproven[one.loop] == kMostUnproven) continue;
    for (const bool one_by_one : {false, true}) {
      if (one_by_one && !loops[one.loop].one_by_one) break;
      const LoopParts parts{one.loop, one.grain, one_by_one};
      loops::Program shared = make(parts);
      if (loops::verify(shared).empty()) return {parts, std::move(shared), false};
    }
    ++unproven[one.loop];
  }
  return by_one_thread(!tried.empty());
}

}  // namespace burin
