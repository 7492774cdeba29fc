#include "plans/support/token_run.h"

#include <algorithm>
#include <map>
#include <string>

#include "support/at.h"
#include "support/check.h"

namespace burin::test {
namespace {

uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t z = a * 0x9e3779b97f4a7c15u + b + 0x7f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  return z ^ (z >> 27);
}

using Point = std::vector<int64_t>;

class Machine {
 public:
  Machine(const KernelGraph& graph, const MemoryPlan* plan, const TokenRun& run)
      : graph_(graph), plan_(plan), run_(run) {
    if (plan) {
      arena_.assign(static_cast<size_t>(evaluate(*plan, plan->arena_bytes, run.size)), 7);
      for (const Placement& placement : plan->values) {
        offsets_.push_back(evaluate(*plan, placement.offset, run.size));
      }
    }
    for (size_t v = 0; v < graph.values.size(); ++v) {
      const Value& value = graph.values[v];
      bool own = !plan || value.kind != ValueKind::internal;
      own_.push_back(own ? std::vector<uint64_t>(static_cast<size_t>(bytes_of(value)), 0)
                         : std::vector<uint64_t>());
      if (value.kind != ValueKind::input) continue;
      for (size_t i = 0; i < own_[v].size(); ++i) own_[v][i] = mix(v + 1, i);
    }
    follow(graph.steps);
  }

  std::vector<uint64_t> outputs() const {
    std::vector<uint64_t> tokens;
    for (const ValueId id : graph_.outputs) {
      tokens.insert(tokens.end(), own_[at(id)].begin(), own_[at(id)].end());
    }
    return tokens;
  }

 private:
  int64_t number(const Index& index, const Point& point = {}) const {
    return index.evaluate([&](const Index& leaf) -> int64_t {
      if (leaf.kind() == IndexKind::axis) return point[at(leaf.axis_id())];
      BURIN_CHECK(leaf.kind() == IndexKind::symbol);
      const auto bound = bound_.find(leaf.as_symbol()->name);
      return bound != bound_.end() ? bound->second : run_.size(leaf.as_symbol());
    });
  }

  int64_t bytes_of(const Value& value) const {
    int64_t elements = 1;
    for (const Dim& dim : value.shape) elements *= number(dim);
    return size_bytes(value.type, elements);
  }

  uint64_t* byte_of(ValueId id, const std::vector<Index>& index, const Point& point) {
    const Value& value = graph_.values[at(id)];
    int64_t element = 0;
    for (size_t i = 0; i < index.size(); ++i) {
      const int64_t where = number(index[i], point);
      const int64_t extent = number(value.shape[i]);
      BURIN_CHECK(0 <= where && where < extent);
      element = element * extent + where;
    }
    int64_t byte = element * size_bits(value.type) / 8;
    ValueId space = id;
    if (plan_ && value.kind == ValueKind::internal) {
      const Placement& placement = plan_->values[at(id)];
      space = placement.root;
      byte += offsets_[at(id)];
    }
    std::vector<uint64_t>& memory = space == kNoValue ? arena_ : own_[at(space)];
    BURIN_CHECK(static_cast<size_t>(byte) < memory.size());
    return &memory[static_cast<size_t>(byte)];
  }

  uint64_t load(ValueId id, const std::vector<Index>& index, const Point& point) {
    const int bytes = size_bits(graph_.values[at(id)].type) / 8;
    const uint64_t* from = byte_of(id, index, point);
    uint64_t token = from[0];
    // The bytes of an element belong together: each is its token plus its number.
    for (int i = 1; i < bytes; ++i) {
      if (from[i] != token + static_cast<uint64_t>(i)) token = mix(token, from[i]);
    }
    return token;
  }

  void store(const Write& write, uint64_t token, const Point& point) {
    const int bytes = size_bits(graph_.values[at(write.to)].type) / 8;
    if (write.how != How::store) token += mix(11, load(write.to, write.at, point));
    uint64_t* to = byte_of(write.to, write.at, point);
    for (int i = 0; i < bytes; ++i) to[i] = token + static_cast<uint64_t>(i);
  }

  bool holds(const Guard& guard, const Point& point) const {
    return std::all_of(guard.begin(), guard.end(), [&](const Condition& condition) {
      const int64_t index = number(condition.index, point);
      return number(condition.lo, point) <= index && index < number(condition.hi, point);
    });
  }

  uint64_t token_of(const Expr& expr, const Kernel& kernel, const Point& point) {
    switch (expr.kind()) {
      case ExprKind::constant:
        return mix(3, static_cast<uint64_t>(expr->integer));
      case ExprKind::index:
        return mix(5, static_cast<uint64_t>(number(expr->index, point)));
      case ExprKind::load:
        return load(expr->id, expr->at, point);
      case ExprKind::let: {
        const Let& let = kernel.lets[at(expr->id)];
        Point inner = point;
        for (size_t i = 0; i < let.over.size(); ++i) {
          inner[at(let.over[i])] = number(expr->at[i], point);
        }
        uint64_t sum = mix(13, static_cast<uint64_t>(expr->id));
        for_points(kernel, let.reduced, inner, [&](const Point& one) {
          sum += mix(17, token_of(let.body[at(expr->component)], kernel, one));
        });
        return sum;
      }
      case ExprKind::cases:
        for (const Expr::Case& one : expr->cases) {
          if (holds(one.guard, point)) return token_of(one.value, kernel, point);
        }
        return token_of(expr->operands[0], kernel, point);
      default: {
        uint64_t token = mix(static_cast<uint64_t>(expr.kind()), expr->op);
        for (const Expr& operand : expr->operands) {
          token = mix(token, token_of(operand, kernel, point));
        }
        return token;
      }
    }
  }

  // In the order of the axes, from the point given for all others.
  template <class Body>
  void for_points(const Kernel& kernel, const std::vector<int>& axes, Point point,
                  const Body& body) const {
    int64_t count = 1;
    for (const int axis : axes) count *= number(kernel.axes[at(axis)].extent);
    for (int64_t k = 0; k < count; ++k) {
      int64_t rest = k;
      for (size_t i = axes.size(); i-- > 0;) {
        const int64_t extent = number(kernel.axes[at(axes[i])].extent);
        point[at(axes[i])] = rest % extent;
        rest /= extent;
      }
      body(point);
    }
  }

  void execute(const Kernel& kernel) {
    for (const Write& write : kernel.writes) {
      std::vector<Point> points;
      for_points(kernel, write.over, Point(kernel.axes.size(), 0),
                 [&](const Point& point) { points.push_back(point); });
      std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
        const auto scrambled = [](const Point& p) {
          uint64_t hash = 1;
          for (const int64_t x : p) hash = mix(hash, static_cast<uint64_t>(x));
          return hash;
        };
        return scrambled(a) < scrambled(b);
      });
      for (const Point& point : points) {
        if (holds(write.when, point)) store(write, token_of(write.value, kernel, point), point);
      }
    }
  }

  // A kernel may leave anything in its scratch.
  void scribble(StepId step) {
    if (!plan_) return;
    for (const ScratchPlacement& scratch : plan_->scratch) {
      if (scratch.step != step) continue;
      const int64_t from = evaluate(*plan_, scratch.offset, run_.size);
      const int64_t bytes = evaluate(*plan_, scratch.bytes, run_.size);
      for (int64_t i = from; i < from + bytes; ++i) arena_[static_cast<size_t>(i)] = 99;
    }
  }

  void follow(const Steps& steps) {
    for (const Step& step : steps) {
      if (const Kernel* kernel = std::get_if<Kernel>(&step)) {
        if (!plan_ || !plan_->dropped.contains(step.id)) {
          scribble(step.id);
          execute(*kernel);
        }
      } else if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
        const bool taken = (run_.branch >> (branches_++ % 64)) & 1;
        follow(taken ? (*branch)->then_steps : (*branch)->else_steps);
      } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
        for (int64_t i = 0; i < std::min(run_.trips, number((*loop)->trips)); ++i) {
          bound_[(*loop)->iteration->name] = i;
          follow((*loop)->body);
        }
      }
    }
  }

  const KernelGraph& graph_;
  const MemoryPlan* plan_;
  const TokenRun& run_;
  std::vector<uint64_t> arena_;             // one token per byte
  std::vector<std::vector<uint64_t>> own_;  // by value
  std::vector<int64_t> offsets_;            // by value, in the arena or the root
  std::map<std::string, int64_t> bound_;    // iteration counters
  int branches_ = 0;
};

}  // namespace

std::vector<uint64_t> run_on_tokens(const KernelGraph& graph, const MemoryPlan* plan,
                                    const TokenRun& run) {
  return Machine(graph, plan, run).outputs();
}

}  // namespace burin::test
