// The problem of layouts: variables, their states, and what these cost; see layout_plan.h.
#include <algorithm>
#include <map>
#include <set>

#include "fuse/access/access.h"
#include "layout/layout_candidates.h"
#include "layout/layout_cost.h"

namespace burin {
namespace {

class LayoutProblemBuilder {
 public:
  LayoutProblemBuilder(const KernelGraph& graph, const Forms& forms, const Hardware& hardware,
                       const LayoutOptions& options)
      : graph_(graph),
        forms_(forms),
        hardware_(hardware),
        options_(options),
        values_(forms.values) {}

  LayoutProblem run() {
    for (const auto& [id, layouts] : layout_candidates(graph_, forms_, hardware_, options_)) {
      variable_[id] = static_cast<int>(problem_.values.size());
      problem_.values.push_back(id);
      problem_.form_of.push_back(-1);
      singles_.push_back(layouts);
      readers_.push_back(burin::readers_of(graph_, id));
    }
    for (size_t f = 0; f < forms_.forms.size(); ++f) {
      const auto at = variable_.find(forms_.forms[f].tensor);
      if (at == variable_.end()) continue;
      problem_.form_of[static_cast<size_t>(at->second)] = static_cast<int>(f);
      keep_readers(forms_.forms[f]);
    }
    std::vector<Charge> charges;
    for (size_t s = 0; s < graph_.steps.size(); ++s) {
      if (const Kernel* kernel = std::get_if<Kernel>(&graph_.steps[s]))
        add_charges(*kernel, static_cast<int>(s), charges);
    }
    make_states(charges);
    for (const Charge& one : charges) apply(one);
    for (auto& [ends, costs] : pairs_)
      problem_.choice.pairs.push_back({ends.first, ends.second, costs});
    return std::move(problem_);
  }

 private:
  // What one kernel costs with each of its operands in each of its layouts: by the layout of what
  // it makes, and what an operand's layout adds to that. Of a kernel that only one form has: with
  // the variable that decides it.
  struct Charge {
    int made = -1;
    int tensor = -1;                  // of the form
    bool taken = false;               // it is there if the form is taken
    std::vector<int> reads, numbers;  // variables, and which of their readers it is
    std::vector<Cost> base;           // by layout of `made`
    std::vector<std::vector<std::vector<Cost>>> more;  // by read, layout of `made`, layout of it
    std::vector<std::pair<size_t, Cost>> in_place;     // of a read, what it saves
  };

  // Whose readers are others in a form are not copied: readers of copies have numbers.
  void keep_readers(const Form& form) {
    std::map<ValueId, std::vector<int>> before, after;
    for (const auto& [step, kernels] : form.steps) {
      for (const ValueId id : reads_of(graph_.steps[static_cast<size_t>(step)]))
        before[id].push_back(step);
      for (const Kernel& kernel : kernels) {
        for (const ValueId id : reads_of(kernel)) after[id].push_back(step);
      }
    }
    for (const auto* lists : {&before, &after}) {
      for (const auto& [id, steps] : *lists) {
        if (before[id] == after[id] || id == form.tensor) continue;
        if (const auto at = variable_.find(id); at != variable_.end()) uncopied_.insert(at->second);
      }
    }
  }

  void add_charges(const Kernel& kernel, int step, std::vector<Charge>& charges) {
    for (const Form& form : forms_.forms) {
      const auto other = form.steps.find(step);
      const auto tensor = variable_.find(form.tensor);
      if (other == form.steps.end() || tensor == variable_.end()) continue;
      const bool tiled = LayoutCost(kernel, values_, hardware_).is_tiled();
      charges.push_back(charge(kernel, step));
      charges.back().tensor = tensor->second;
      for (const Kernel& one : other->second) {
        charges.push_back(charge(one, step, tiled && &one == &other->second.front()));
        charges.back().tensor = tensor->second;
        charges.back().taken = true;
      }
      return;
    }
    charges.push_back(charge(kernel, step));
  }

  Charge charge(const Kernel& kernel, int position, bool tiled = false) {
    Charge out;
    for (const Write& write : kernel.writes) {
      if (const auto at = variable_.find(write.to); at != variable_.end()) out.made = at->second;
    }
    for (const ValueId id : reads_of(kernel)) {
      const auto at = variable_.find(id);
      if (at == variable_.end() || at->second == out.made) continue;
      const std::vector<int>& readers = readers_[static_cast<size_t>(at->second)];
      const auto number = std::find(readers.begin(), readers.end(), position) - readers.begin();
      out.reads.push_back(at->second);
      out.numbers.push_back(static_cast<int>(number));
    }
    LayoutCost cost(kernel, values_, hardware_, {tiled, options_.tuning});
    out.more.resize(out.reads.size());
    for (size_t m = 0; m < singles(out.made); ++m) {
      Layouts layouts;
      if (m > 0) layouts[value_of(out.made)] = singles_[static_cast<size_t>(out.made)][m];
      out.base.push_back(cost.in(layouts));
      for (size_t r = 0; r < out.reads.size(); ++r) {
        out.more[r].emplace_back(1, 0);
        for (size_t t = 1; t < singles(out.reads[r]); ++t) {
          Layouts with = layouts;
          with[value_of(out.reads[r])] = singles_[static_cast<size_t>(out.reads[r])][t];
          out.more[r].back().push_back(cost.in(with)-out.base.back());
        }
      }
    }
    find_in_place(kernel, position, out);
    return out;
  }

  // The first operand that nobody reads later, of which the kernel reads the element where it
  // writes one: memory gives both one place if they lie alike.
  void find_in_place(const Kernel& kernel, int position, Charge& out) const {
    if (out.made < 0 || kernel.writes.size() != 1) return;
    const Write& write = kernel.writes[0];
    const Value& result = values_[static_cast<size_t>(write.to)];
    for (size_t r = 0; r < out.reads.size(); ++r) {
      const ValueId id = value_of(out.reads[r]);
      const Value& value = values_[static_cast<size_t>(id)];
      const std::vector<int>& readers = readers_[static_cast<size_t>(out.reads[r])];
      if (readers.empty() || readers.back() != position || value.type != result.type ||
          value.shape != result.shape ||
          load_points(kernel, id) != std::vector<std::vector<Index>>{write.at} ||
          !is_only_written(kernel, id))
        continue;
      out.in_place.emplace_back(r, in_place_gain(value, hardware_));
      return;
    }
  }

  // No let knows of it.
  static bool is_only_written(const Kernel& kernel, ValueId id) {
    Kernel lets = kernel;
    lets.writes.clear();
    const std::vector<ValueId> reads = reads_of(lets);
    return std::find(reads.begin(), reads.end(), id) == reads.end();
  }

  size_t singles(int variable) const {
    return variable < 0 ? 1 : singles_[static_cast<size_t>(variable)].size();
  }
  ValueId value_of(int variable) const { return problem_.values[static_cast<size_t>(variable)]; }

  // Of a tensor in layout `from`, in layout `to`.
  Cost copy_cost(int variable, size_t from, size_t to) {
    const ValueId id = value_of(variable);
    const auto copy = static_cast<ValueId>(values_.size());
    values_.push_back(values_[static_cast<size_t>(id)]);
    const Kernel kernel = copy_kernel(id, copy, values_);
    Layouts layouts;
    if (from > 0) layouts[id] = singles_[static_cast<size_t>(variable)][from];
    if (to > 0) layouts[copy] = singles_[static_cast<size_t>(variable)][to];
    const Cost cost = LayoutCost(kernel, values_, hardware_, {false, options_.tuning}).in(layouts);
    values_.pop_back();
    return cost;
  }

  // States as numbers of layouts; none: the tensor is not there. A copy that saves its readers no
  // more than it costs is never better than none.
  void make_states(const std::vector<Charge>& charges) {
    for (size_t v = 0; v < problem_.values.size(); ++v) {
      const size_t count = singles_[v].size();
      const int form = problem_.form_of[v];
      const bool appears = form >= 0 && forms_.forms[static_cast<size_t>(form)].appears;
      std::vector<std::vector<size_t>> states;
      if (appears) states.push_back({});
      for (size_t s = 0; s < count; ++s) states.push_back({s});
      if (form >= 0 && !appears) states.push_back({});
      std::vector<Cost> costs(states.size(), 0);
      const bool copied = readers_[v].size() > 1 && !uncopied_.contains(static_cast<int>(v));
      for (size_t a = 0; a < count && copied; ++a) {
        for (size_t b = 0; b < count; ++b) {
          if (a == b) continue;
          Cost gain = 0;
          for (const Charge& one : charges)
            gain = plus(gain, most_gain(one, static_cast<int>(v), a, b));
          const Cost cost = copy_cost(static_cast<int>(v), a, b);
          if (gain <= cost) continue;
          states.push_back({a, b});
          costs.push_back(cost);
        }
      }
      problem_.layouts.emplace_back();
      for (const std::vector<size_t>& state : states) {
        problem_.layouts.back().emplace_back();
        for (const size_t s : state) problem_.layouts.back().back().push_back(singles_[v][s]);
      }
      states_.push_back(std::move(states));
      problem_.choice.costs.push_back(std::move(costs));
    }
  }

  static Cost most_gain(const Charge& charge, int variable, size_t a, size_t b) {
    Cost gain = 0;
    for (size_t r = 0; r < charge.reads.size(); ++r) {
      if (charge.reads[r] != variable) continue;
      for (const std::vector<Cost>& more : charge.more[r]) gain = std::max(gain, more[a] - more[b]);
    }
    return gain;
  }

  // The variable that a kernel's costs depend on beside an operand; its states, as those in which
  // the kernel runs and the layout of what it makes.
  struct Row {
    bool runs = true;
    size_t layout = 0;
    bool operator==(const Row&) const = default;
  };
  struct Key {
    int variable = -1;
    std::vector<Row> rows = {Row{}};
  };
  Key key_of(const Charge& charge) {
    if (charge.tensor < 0 && charge.made < 0) return {};
    Key out;
    out.rows.clear();
    const auto runs = [&](int state) {
      return charge.tensor < 0 || problem_.takes_form(forms_, charge.tensor, state) == charge.taken;
    };
    if (charge.tensor < 0 || charge.made == charge.tensor || charge.made < 0) {
      out.variable = charge.tensor < 0 ? charge.made : charge.tensor;
      const auto& states = states_[static_cast<size_t>(out.variable)];
      for (size_t s = 0; s < states.size(); ++s) {
        const bool there = runs(static_cast<int>(s));
        out.rows.push_back({there, there && charge.made >= 0 ? states[s].front() : 0});
      }
      return out;
    }
    out.variable = follower(charge.tensor, charge.made);
    for (const bool taken : {false, true}) {
      for (const std::vector<size_t>& state : states_[static_cast<size_t>(charge.made)])
        out.rows.push_back({taken == charge.taken, state.front()});
    }
    return out;
  }

  // One for each pair, whose states agree with theirs.
  int follower(int tensor, int made) {
    const auto [at, added] =
        followers_.try_emplace({tensor, made}, static_cast<int>(problem_.choice.costs.size()));
    if (!added) return at->second;
    const int states = static_cast<int>(states_[static_cast<size_t>(made)].size());
    problem_.followers.push_back({tensor, made});
    problem_.choice.costs.emplace_back(static_cast<size_t>(2 * states), 0);
    const int number = at->second;
    for (int state = 0; state < 2 * states; ++state) {
      for (size_t t = 0; t < states_[static_cast<size_t>(tensor)].size(); ++t) {
        const bool taken = problem_.takes_form(forms_, tensor, static_cast<int>(t));
        if (taken != (state >= states))
          add_pair(number, static_cast<size_t>(state), tensor, t, kForbidden);
      }
      for (int m = 0; m < states; ++m) {
        if (m != state % states)
          add_pair(number, static_cast<size_t>(state), made, static_cast<size_t>(m), kForbidden);
      }
    }
    return number;
  }

  void add_pair(int a, size_t state_a, int b, size_t state_b, Cost cost) {
    const auto count = [&](int variable) {
      return problem_.choice.costs[static_cast<size_t>(variable)].size();
    };
    std::vector<Cost>& table = pairs_[{std::min(a, b), std::max(a, b)}];
    table.resize(count(a) * count(b), 0);
    Cost& at = table[a < b ? state_a * count(b) + state_b : state_b * count(a) + state_a];
    at = plus(at, cost);
  }

  void apply(const Charge& charge) {
    const Key key = key_of(charge);
    const auto unary = [&](size_t state, Cost cost) {
      Cost& own = key.variable < 0
                      ? problem_.fixed
                      : problem_.choice.costs[static_cast<size_t>(key.variable)][state];
      own = plus(own, cost);
    };
    for (size_t s = 0; s < key.rows.size(); ++s) {
      if (key.rows[s].runs) unary(s, charge.base[key.rows[s].layout]);
    }
    for (size_t r = 0; r < charge.reads.size(); ++r) {
      const int read = charge.reads[r];
      const auto& inner = states_[static_cast<size_t>(read)];
      LayoutRead told{read, charge.numbers[r], key.variable, {}};
      for (size_t s = 0; s < key.rows.size(); ++s) {
        for (size_t t = 0; t < inner.size(); ++t) {
          const bool there = key.rows[s].runs && !inner[t].empty();
          size_t best = 0;
          const std::vector<Cost>& more = charge.more[r][key.rows[s].layout];
          for (size_t k = 1; there && k < inner[t].size(); ++k) {
            if (more[inner[t][k]] < more[inner[t][best]]) best = k;
          }
          told.pick.push_back(static_cast<uint8_t>(best));
          if (!there || (read == key.variable && s != t)) continue;
          const Cost cost = more[inner[t][best]];
          if (key.variable < 0)
            problem_.choice.costs[static_cast<size_t>(read)][t] += cost;
          else if (read == key.variable)
            unary(s, cost);
          else
            add_pair(key.variable, s, read, t, cost);
        }
      }
      problem_.reads.push_back(std::move(told));
    }
    for (const auto& [r, gain] : charge.in_place) charge_apart(charge, key, r, gain);
  }

  // A result that does not lie as the operand does has a place of its own.
  void charge_apart(const Charge& charge, const Key& key, size_t r, Cost gain) {
    // A form has other kernels: whose results lie where is not the same.
    if (gain == 0 || charge.tensor >= 0) return;
    const InPlace one{charge.reads[r], charge.made, gain};
    problem_.in_place.push_back(one);
    std::vector<int> states(problem_.values.size(), 0);
    for (size_t s = 0; s < key.rows.size(); ++s) {
      states[static_cast<size_t>(one.to)] = static_cast<int>(s);
      for (size_t t = 0; t < states_[static_cast<size_t>(one.from)].size(); ++t) {
        states[static_cast<size_t>(one.from)] = static_cast<int>(t);
        if (!shares_place(problem_, one, states)) add_pair(one.from, t, one.to, s, gain);
      }
    }
  }

  const KernelGraph& graph_;
  const Forms& forms_;
  const Hardware& hardware_;
  const LayoutOptions& options_;
  std::vector<Value> values_;
  std::map<ValueId, int> variable_;
  std::set<int> uncopied_;                                // variables
  std::vector<std::vector<Layout>> singles_;              // of each variable, row-major first
  std::vector<std::vector<int>> readers_;                 // of each variable, positions
  std::vector<std::vector<std::vector<size_t>>> states_;  // of each variable, numbers of layouts
  std::map<std::pair<int, int>, int> followers_;
  std::map<std::pair<int, int>, std::vector<Cost>> pairs_;
  LayoutProblem problem_;
};

}  // namespace

LayoutProblem layout_problem(const KernelGraph& graph, const Forms& forms, const Hardware& hardware,
                             const LayoutOptions& options) {
  return LayoutProblemBuilder(graph, forms, hardware, options).run();
}

}  // namespace burin
