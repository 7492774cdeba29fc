#include "fuse/constants/known_values.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "fuse/access/access.h"
#include "fuse/access/access_size.h"
#include "fuse/constants/constant_rewrites.h"
#include "kernel/interpreter/interpreter.h"
#include "kernel/tensor.h"

namespace burin {
namespace {

constexpr int64_t kMostValueOperations = 200'000'000;  // of all that is computed: some seconds
constexpr int64_t kMostBytes = int64_t{1} << 28;       // that computing it may take
constexpr int64_t kMostResult = int64_t{1} << 22;
// Bytes that constants may become more, where they are few; else by a half.
constexpr int64_t kFewBytes = int64_t{1} << 20;
// A map of so many times fewer bytes unpacks or converts them: weights of a few bits stay such.
constexpr int64_t kUnpacked = 16;

class KnownValues {
 public:
  KnownValues(KernelGraph& graph, Rewrites& made) : graph_(graph), made_(made) {
    int64_t constants = 0;
    for (const Value& one : graph.values) {
      if (one.kind == ValueKind::constant) constants += static_cast<int64_t>(one.constant.bytes);
    }
    bytes_left_ = std::max(kFewBytes, constants / 2);
    for_each_step(graph.steps, [&](const Step& step) {
      if (std::holds_alternative<std::shared_ptr<If>>(step) ||
          std::holds_alternative<std::shared_ptr<Loop>>(step))
        return;
      for (const ValueId id : writes_of(step)) ++writers_[id];
    });
  }

  // One list of steps, those inside of its regions first.
  void compute(Steps& steps) {
    for (Step& step : steps) {
      if (auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
        auto copy = std::make_shared<If>(**branch);
        *branch = copy;
        compute(copy->then_steps);
        compute(copy->else_steps);
      } else if (auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
        auto copy = std::make_shared<Loop>(**loop);
        *loop = copy;
        compute(copy->body);
      }
    }
    find_known(steps);
    if (!known_.empty()) settle(steps);
  }

 private:
  Value& value(ValueId id) { return graph_.values[static_cast<size_t>(id)]; }

  int64_t bytes_of(ValueId id) {
    const Value& one = value(id);
    return size_bytes(one.type, product(one.shape).constant());
  }

  // Values that only kernels of this list write, from constants and from one another.
  void find_known(const Steps& steps) {
    known_.clear();
    std::map<ValueId, int> here;
    for (const Step& step : steps) {
      if (!std::holds_alternative<Kernel>(step) || !symbols_of(step).empty()) continue;
      for (const ValueId id : writes_of(step)) {
        const Value& one = value(id);
        if (one.kind == ValueKind::internal && one.layout.is_row_major() && is_fixed(one.shape) &&
            product(one.shape).constant() <= kMostBytes && ++here[id] == writers_[id])
          known_.insert(id);
      }
    }
    for (bool changed = !known_.empty(); changed;) {
      changed = false;
      for (const Step& step : steps) {
        if (is_known(step)) continue;
        for (const ValueId id : writes_of(step)) changed = known_.erase(id) > 0 || changed;
      }
    }
  }

  bool is_known(const Step& step) {
    if (!std::holds_alternative<Kernel>(step)) return false;
    const std::vector<ValueId> reads = reads_of(step), writes = writes_of(step);
    return symbols_of(step).empty() &&
           std::all_of(writes.begin(), writes.end(),
                       [&](ValueId id) { return known_.contains(id); }) &&
           std::all_of(reads.begin(), reads.end(), [&](ValueId id) {
             return known_.contains(id) || value(id).kind == ValueKind::constant;
           });
  }

  // Of a region: what its condition reads.
  static std::vector<ValueId> own_reads(const Step& step) {
    const Expr* condition = nullptr;
    if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step))
      condition = &(*branch)->condition;
    if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step))
      condition = &(*loop)->condition;
    if (!condition) return reads_of(step);
    std::vector<ValueId> reads;
    visit(*condition, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load) reads.push_back(node.id);
    });
    return reads;
  }

  // What steps that stay read becomes a constant, or its writers stay, too.
  void settle(Steps& steps) {
    std::vector<const Kernel*> kernels;
    std::set<ValueId> wanted, stay;
    for (const Step& step : steps) {
      if (is_known(step)) kernels.push_back(&std::get<Kernel>(step));
    }
    const auto want = [&](const std::vector<ValueId>& reads) {
      for (const ValueId id : reads) {
        if (known_.contains(id)) wanted.insert(id);
      }
    };
    // Also by steps outside of this list: whoever reads it and is not one of these.
    const std::set<const Kernel*> ours(kernels.begin(), kernels.end());
    for_each_step(graph_.steps, [&](const Step& step) {
      const auto* kernel = std::get_if<Kernel>(&step);
      if (!kernel || !ours.contains(kernel)) want(own_reads(step));
    });
    const std::function<void(ValueId)> keep = [&](ValueId id) {
      if (!stay.insert(id).second) return;
      for (const Kernel* one : kernels) {
        const std::vector<ValueId> writes = writes_of(Step(*one));
        if (!std::binary_search(writes.begin(), writes.end(), id)) continue;
        want(reads_of(*one));
        for (const ValueId other : writes) keep(other);
      }
    };
    std::map<ValueId, int64_t> bytes;
    for (size_t decided = 0; decided < wanted.size();) {
      decided = wanted.size();
      for (const ValueId id : std::set<ValueId>(wanted)) {
        if (stay.contains(id) || bytes.contains(id)) continue;
        if (pays(id, kernels, bytes_left_)) {
          bytes_left_ -= bytes[id] = bytes_of(id);
        } else {
          keep(id);
        }
      }
    }
    for (const ValueId id : stay) bytes.erase(id);
    if (!bytes.empty()) run(steps, bytes);
  }

  // Whether a constant is the better form of a value.
  bool pays(ValueId id, const std::vector<const Kernel*>& kernels, int64_t most) {
    const int64_t bytes = bytes_of(id);
    if (bytes > std::min(most, kMostResult)) return false;
    const Kernel* only = nullptr;
    for (const Kernel* one : kernels) {
      if (std::none_of(one->writes.begin(), one->writes.end(),
                       [&](const Write& write) { return write.to == id; }))
        continue;
      if (only) return true;  // several write parts of it
      only = one;
    }
    int64_t read = 0;
    for (const ValueId from : reads_of(*only)) read += bytes_of(from);
    if (!only->lets.empty()) return bytes <= read;
    if (bytes <= read || !is_map(*only)) return true;
    // One number everywhere, or what it reads once more: nothing is computed.
    return !(is_movement(*only) && !chooses(*only)) && bytes > read * kUnpacked;
  }

  static bool chooses(const Kernel& map) { return map.writes[0].value.kind() == ExprKind::cases; }

  void run(Steps& steps, const std::map<ValueId, int64_t>& results) {
    Steps known;
    for (const Step& step : steps) {
      if (is_known(step)) known.push_back(step);
    }
    Environment environment;
    environment.left.operations = operations_left_;
    environment.left.bytes = kMostBytes;
    const bool ran = execute_steps(known, graph_.values, environment).status == kRunOk;
    operations_left_ = ran ? environment.left.operations : 0;
    if (!ran) return;
    for (const auto& [id, bytes] : results) {
      value(id).constant = to_constant(environment.tensor(graph_.values, id));
      value(id).kind = ValueKind::constant;
    }
    std::erase_if(steps, [&](const Step& step) {
      const std::vector<ValueId> writes = writes_of(step);
      const bool done = std::any_of(writes.begin(), writes.end(),
                                    [&](ValueId id) { return results.contains(id); });
      if (!done) return false;
      const Kernel& kernel = std::get<Kernel>(step);
      made_.computed.insert(made_.computed.end(), kernel.origins.begin(), kernel.origins.end());
      return true;
    });
  }

  KernelGraph& graph_;
  Rewrites& made_;
  std::map<ValueId, int> writers_;
  std::set<ValueId> known_;
  int64_t bytes_left_ = 0, operations_left_ = kMostValueOperations;
};

}  // namespace

KernelGraph with_known_values(KernelGraph graph, Rewrites& made) {
  KnownValues(graph, made).compute(graph.steps);
  return remove_dead(std::move(graph));
}

}  // namespace burin
