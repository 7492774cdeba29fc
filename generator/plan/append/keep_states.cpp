#include "plan/append/keep_states.h"

#include <algorithm>
#include <optional>
#include <set>

#include "kernel/index/size_bound.h"
#include "kernel/rewrite_kernel.h"
#include "plan/append/append_writes.h"
#include "plan/append/overwritten_state.h"
#include "support/at.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"
#include "support/spelling.h"

namespace burin {
namespace {

// Writes of a state that has its room.
struct Written {
  int count = 0;
  std::optional<Overwritten> where;  // of the first, where it is known
};

class Keeper {
 public:
  // `most`: of a length that nothing bounds; kUnbounded: that is refused.
  Keeper(KernelGraph& graph, const CallerState& state, int64_t most = kUnbounded)
      : graph_(graph), state_(state), most_(most) {}

  void keep() {
    const ValueId from = find(graph_.inputs, state_.input, "input"),
                  to = find(graph_.outputs, state_.output, "output");
    Append append = append_of(from, to);
    rewrite(append);
    graph_.values[at(to)].note =
        "state: where it is the buffer of " + state_.input + ", only what is new is written";
    const Value& value = graph_.values[at(from)];
    Procedure copy;
    copy.name = value.name;
    copy.function = "keep_state";
    copy.element = value.type;
    copy.reads = {from};
    copy.writes = {to};
    copy.arguments = {product(value.shape)};
    copy.origins = {{value.name, "state"}};
    graph_.steps.insert(graph_.steps.begin(), std::move(copy));
  }

 private:
  ValueId find(const std::vector<ValueId>& list, const std::string& name, const char* what) const {
    std::vector<std::string> names;
    for (const ValueId id : list) {
      const std::string& one = graph_.values[at(id)].name;
      if (one == name) return id;
      names.push_back(one);
    }
    refuse("unknown-name", std::string("no ") + what + " of the model is called " + quoted(name),
           did_you_mean(name, names));
  }

  [[noreturn]] void refuse_pair(const std::string& why) const {
    refuse("state", "output " + quoted(state_.output) + " is not input " + quoted(state_.input) +
                        " with something behind it, or in it: " + why);
  }

  // All but one dimension are equal, and that one is longer by what is new.
  Append append_of(ValueId from, ValueId to) const {
    const Value &before = graph_.values[at(from)], &after = graph_.values[at(to)];
    const std::string shapes = std::string(to_string(before.type)) + to_string(before.shape) +
                               " and " + std::string(to_string(after.type)) +
                               to_string(after.shape);
    if (before.type != after.type || before.shape.size() != after.shape.size() ||
        size_bits(before.type) < 8)
      refuse_pair(shapes);
    Append append{from, {to}, -1, before.shape};
    for (size_t d = 0; d < before.shape.size(); ++d) {
      if (before.shape[d] == after.shape[d]) continue;
      if (append.dimension >= 0 || !proven_le(before.shape[d], after.shape[d])) refuse_pair(shapes);
      append.dimension = static_cast<int>(d);
    }
    // What is as large as it was has its room already, and is overwritten in places.
    if (append.dimension >= 0) {
      const Dim& length = after.shape[at(append.dimension)];
      const int64_t most = std::min(length.range().hi, most_);
      if (most == kUnbounded) refuse_unbounded(length);
      append.room[at(append.dimension)] = most;
    }
    // What is copied to the output.
    while (const std::optional<ValueId> source = copied_to(append.grown.front())) {
      if (*source == from || graph_.values[at(*source)].kind != ValueKind::internal) break;
      append.grown.insert(append.grown.begin(), *source);
    }
    return append;
  }

  [[noreturn]] void refuse_unbounded(const Dim& length) const {
    std::vector<Symbol> symbols;
    length.collect_symbols(symbols);
    std::string flags;
    for (const Symbol& symbol : symbols) {
      if (symbol->max != kUnbounded) continue;
      flags += (flags.empty() ? "" : " ") +
               dim_flag(symbol->name, "0..1023");  // the first step has nothing behind it
    }
    refuse("unbounded-size",
           "nothing bounds the length of " + quoted(state_.output) + ", " +
               quoted(to_string(length)) + ", for which its buffer must have room",
           "bound it, as in " + flags);
  }

  std::optional<ValueId> copied_to(ValueId id) const {
    std::optional<ValueId> out;
    int writers = 0;
    for (const Step& step : graph_.steps) {
      for (const ValueId one : writes_of(step)) writers += one == id;
      const auto* kernel = std::get_if<Kernel>(&step);
      if (kernel && kernel->writes.size() == 1 && kernel->writes[0].to == id)
        out = copied_by(*kernel);
    }
    return writers == 1 ? out : std::nullopt;
  }

  bool is_grown(const Append& append, ValueId id) const {
    return std::find(append.grown.begin(), append.grown.end(), id) != append.grown.end();
  }

  void rewrite(const Append& append) {
    const ValueId to = append.grown.back();
    bool keeps = false;
    Written written;
    Steps steps;
    for (Step& step : graph_.steps) {
      auto* kernel = std::get_if<Kernel>(&step);
      if (kernel == nullptr) {
        for (const ValueId id : reads_of(step)) {
          if (id == append.state || is_grown(append, id))
            refuse("state", quoted(state_.output) +
                                " cannot stay in one buffer: a step that is no "
                                "loop nest (a sort, an If, a Loop ...) reads it");
        }
        for (const ValueId id : writes_of(step)) {
          if (is_grown(append, id)) refuse_pair("a step that is no loop nest writes it");
        }
        steps.push_back(std::move(step));
        continue;
      }
      std::optional<Kernel> left = what_is_left(*kernel, append, keeps, written);
      if (!left) continue;
      const StepId id = step.id;
      Step kept = std::move(*left);
      kept.id = id;
      steps.push_back(std::move(kept));
    }
    if (!keeps) refuse_pair("its beginning is not that input");
    graph_.steps = std::move(steps);
    for (const ValueId id : {append.state, to}) graph_.values[at(id)].shape = append.room;
    if (written.count > 0) check_reads(append, written);
    for_each_kernel(graph_.steps, [&](Kernel& kernel) {
      rewrite_exprs(kernel, [&](const Expr& expr) {
        const bool one = expr.kind() == ExprKind::load &&
                         (expr->id == append.state || is_grown(append, expr->id));
        return one ? Expr::load(to, expr->storage, expr->at) : expr;
      });
    });
  }

  // In one buffer the state is not what it was any more where it is written.
  void check_reads(const Append& append, const Written& written) {
    for_each_kernel(graph_.steps, [&](Kernel& kernel) {
      if (written.count == 1 && written.where)
        read_beside(kernel, append.state, append.grown.back(), *written.where);
      if (reads(kernel, append.state))
        refuse_pair("kernel " + quoted(kernel.name) + " may read what is overwritten");
    });
  }

  static bool reads(const Kernel& kernel, ValueId id) {
    const std::vector<ValueId> all = reads_of(kernel);
    return std::find(all.begin(), all.end(), id) != all.end();
  }

  // Nothing: all that it does is done already.
  std::optional<Kernel> what_is_left(const Kernel& kernel, const Append& append, bool& keeps,
                                     Written& written) const {
    const ValueId to = append.grown.back();
    Kernel out = kernel;
    std::vector<Write> kept;
    for (const Write& write : kernel.writes) {
      if (!is_grown(append, write.to)) {
        kept.push_back(write);
        continue;
      }
      if (write.to != append.grown.front()) continue;  // a copy of it
      if (append.dimension < 0) {
        if (is_kept(kernel, write, append)) {
          if (written.count > 0) refuse_order();
          keeps = true;
          continue;
        }
        kept.push_back(overwriting(out, write, append, keeps, written));
        kept.back().to = to;
        continue;
      }
      switch (append_write(kernel, write, append, graph_.values)) {
        case AppendWrite::old:
          keeps = true;
          continue;
        case AppendWrite::both:
          keeps = true;
          out = without_old(kernel, append, graph_.values);
          kept.push_back(out.writes[0]);
          break;
        case AppendWrite::added:
          kept.push_back(write);
          break;
        case AppendWrite::other:  // into what was kept, or it is none of these
          if (!keeps || reads(kernel, append.state))
            refuse_pair("kernel " + quoted(kernel.name) + " does not leave it as it is, in front");
          ++written.count;
          kept.push_back(write);
          break;
      }
      kept.back().to = to;
    }
    out.writes = std::move(kept);
    return out.writes.empty() ? std::nullopt : std::optional(std::move(out));
  }

  // What is left of a write that changes a state in places; `out` is its kernel.
  Write overwriting(Kernel& out, const Write& write, const Append& append, bool& keeps,
                    Written& written) const {
    std::optional<Overwrite> fresh = overwrite_of(out, append.state, graph_.values);
    if (fresh) {
      if (written.count > 0) refuse_order();
      keeps = true;
      written.where = fresh->where;
      out = std::move(fresh->kernel);
    } else if (!keeps) {  // not a scatter into what was kept
      refuse_pair("kernel " + quoted(out.name) + " does not keep the rest of it");
    }
    ++written.count;
    return fresh ? out.writes[0] : write;
  }

  [[noreturn]] void refuse_order() const {
    refuse_pair("it is written before the rest of it is that input");
  }

  bool is_kept(const Kernel& kernel, const Write& write, const Append& append) const {
    return is_old(write.value, write, append.state) &&
           is_whole(kernel, write, graph_.values[at(append.state)].shape);
  }

  KernelGraph& graph_;
  const CallerState& state_;
  const int64_t most_;
};

bool can_keep(KernelGraph graph, const CallerState& state) {
  constexpr int64_t kAnyLength = 1 << 20;
  try {
    Keeper(graph, state, kAnyLength).keep();
    // What is the input as it is needs no run to keep it.
    bool adds = false;
    for_each_kernel(graph.steps, [&](const Kernel& kernel) {
      for (const Write& write : kernel.writes)
        adds = adds || graph.values[at(write.to)].name == state.output;
    });
    return adds;
  } catch (const Refused&) {
    return false;
  }
}

}  // namespace

std::vector<CallerState> states_to_keep(const KernelGraph& graph) {
  const auto name_of = [&](ValueId id) { return graph.values[at(id)].name; };
  std::vector<CallerState> out;
  std::set<ValueId> taken;
  for (const ValueId output : graph.outputs) {
    for (const ValueId input : graph.inputs) {
      const Value &before = graph.values[at(input)], &after = graph.values[at(output)];
      if (taken.contains(input) || before.type != after.type ||
          before.shape.size() != after.shape.size())
        continue;
      bool made_of = false;
      for_each_kernel(graph.steps, [&](const Kernel& kernel) {
        const auto reads = reads_of(kernel);
        made_of = made_of || (std::binary_search(reads.begin(), reads.end(), input) &&
                              std::any_of(kernel.writes.begin(), kernel.writes.end(),
                                          [&](const Write& one) { return one.to == output; }));
      });
      const CallerState state{name_of(input), name_of(output)};
      if (!made_of || !can_keep(graph, state)) continue;
      out.push_back(state);
      taken.insert(input);
      break;
    }
  }
  return out;
}

KernelGraph keep_states(KernelGraph graph, const std::vector<CallerState>& states) {
  for (const CallerState& state : states) {
    located({.file = "--state " + state.input + "=" + state.output},
            [&] { Keeper(graph, state).keep(); });
  }
  return graph;
}

}  // namespace burin
