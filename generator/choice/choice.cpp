#include "choice/choice.h"

#include <algorithm>
#include <set>

#include "choice/tables.h"
#include "support/check.h"

namespace burin {

Cost plus(Cost a, Cost b) {
  return a >= kForbidden || b >= kForbidden ? kForbidden : std::min(a + b, kForbidden);
}

Cost cost_of(const Choice& choice, const std::vector<int>& states) {
  Cost total = 0;
  for (size_t v = 0; v < choice.costs.size(); ++v)
    total = plus(total, choice.costs[v][static_cast<size_t>(states[v])]);
  for (const Choice::Pair& pair : choice.pairs) {
    const auto a = static_cast<size_t>(pair.a), b = static_cast<size_t>(pair.b);
    total = plus(total, pair.costs[static_cast<size_t>(states[a]) * choice.costs[b].size() +
                                   static_cast<size_t>(states[b])]);
  }
  return total;
}

namespace {

// A problem that is being solved: tables whose sum is sought at its least, and the variables that
// are still in them.
struct Open {
  std::vector<Table> tables;
  std::vector<std::set<int>> neighbours;  // by variable
  std::set<int> variables;
  Cost constant = 0;
};

// A variable that is gone, and its best state for every state of its neighbours then.
struct Gone {
  int variable = 0;
  std::vector<int> scope, best;
};

std::vector<const Table*> tables_of(const std::vector<Table>& tables, int variable) {
  std::vector<const Table*> out;
  for (const Table& table : tables) {
    if (mentions(table, variable)) out.push_back(&table);
  }
  return out;
}

void drop_tables_of(std::vector<Table>& tables, int variable) {
  std::erase_if(tables, [&](const Table& table) { return mentions(table, variable); });
}

class Solver {
 public:
  Solver(const Choice& choice, const SolveOptions& options) : options_(options) {
    for (const auto& costs : choice.costs) {
      BURIN_CHECK(!costs.empty(), "a variable without states");
      states_.push_back(static_cast<int>(costs.size()));
    }
    open_.neighbours.resize(choice.costs.size());
    for (size_t v = 0; v < choice.costs.size(); ++v) {
      open_.variables.insert(static_cast<int>(v));
      open_.tables.push_back({{static_cast<int>(v)}, choice.costs[v]});
    }
    for (const Choice::Pair& pair : choice.pairs) add(pair);
  }

  Solved run() {
    std::vector<int> states(states_.size(), 0);
    descend(std::move(open_), states, true);
    found_.bound = std::min(found_.cost, unexplored_);
    found_.optimal = found_.cost == found_.bound;
    return found_;
  }

 private:
  void add(const Choice::Pair& pair) {
    const auto a = static_cast<size_t>(pair.a), b = static_cast<size_t>(pair.b);
    BURIN_CHECK(pair.a != pair.b && pair.costs.size() == static_cast<size_t>(states_[a]) *
                                                             static_cast<size_t>(states_[b]),
                "costs of a pair");
    open_.neighbours[a].insert(pair.b);
    open_.neighbours[b].insert(pair.a);
    if (pair.a < pair.b) {
      open_.tables.push_back({{pair.a, pair.b}, pair.costs});
      return;
    }
    Table turned{{pair.b, pair.a}, {}};
    for (int j = 0; j < states_[b]; ++j) {
      for (int i = 0; i < states_[a]; ++i)
        turned.costs.push_back(pair.costs[static_cast<size_t>(i * states_[b] + j)]);
    }
    open_.tables.push_back(std::move(turned));
  }

  // Edges that eliminating a variable adds between its neighbours.
  static size_t fill(const Open& open, int variable) {
    const std::set<int>& around = open.neighbours[static_cast<size_t>(variable)];
    size_t missing = 0;
    for (auto a = around.begin(); a != around.end(); ++a) {
      for (auto b = std::next(a); b != around.end(); ++b)
        missing += !open.neighbours[static_cast<size_t>(*a)].contains(*b);
    }
    return missing;
  }

  // The variable to remove next; -1: none whose table is small enough.
  int next(const Open& open) const {
    for (const int v : open.variables) {
      if (open.neighbours[static_cast<size_t>(v)].size() <= 2) return v;
    }
    int best = -1;
    size_t least = 0;
    for (const int v : open.variables) {
      const std::set<int>& around = open.neighbours[static_cast<size_t>(v)];
      const std::vector<int> scope(around.begin(), around.end());
      const int64_t work = entries(scope, states_);
      if (work > options_.table_entries / states_[static_cast<size_t>(v)]) continue;
      const size_t added = fill(open, v);
      if (best >= 0 && added >= least) continue;
      best = v;
      least = added;
    }
    return best;
  }

  static void disconnect(Open& open, int variable) {
    for (const int other : open.neighbours[static_cast<size_t>(variable)])
      open.neighbours[static_cast<size_t>(other)].erase(variable);
    open.neighbours[static_cast<size_t>(variable)].clear();
    open.variables.erase(variable);
  }

  static void keep(std::vector<Table>& tables, Cost& constant, Table table) {
    if (table.scope.empty()) {
      constant = plus(constant, table.costs[0]);
    } else {
      tables.push_back(std::move(table));
    }
  }

  Gone eliminate(Open& open, int variable, bool counts) {
    const std::set<int> around = open.neighbours[static_cast<size_t>(variable)];
    if (counts) {
      ++(around.size() <= 2 ? found_.folded : found_.eliminated);
      found_.widest = std::max(found_.widest, static_cast<int>(around.size()));
    }
    Minimised out = minimise(tables_of(open.tables, variable), variable, states_);
    drop_tables_of(open.tables, variable);
    disconnect(open, variable);
    for (const int a : around) {
      for (const int b : around) {
        if (a != b) open.neighbours[static_cast<size_t>(a)].insert(b);
      }
    }
    Gone gone{variable, out.table.scope, std::move(out.best)};
    keep(open.tables, open.constant, std::move(out.table));
    return gone;
  }

  // Nothing that is left costs less: elimination in which the tables of a variable are minimised
  // apart where their sum would be too large (mini-buckets).
  Cost lower_bound(const Open& open) const {
    std::vector<Table> tables = open.tables;
    Cost constant = open.constant;
    for (const int v : open.variables) {
      std::vector<std::vector<const Table*>> groups;
      for (const Table* table : tables_of(tables, v)) {
        const auto fits = [&](const std::vector<const Table*>& group) {
          std::vector<const Table*> with = group;
          with.push_back(table);
          return entries(joint_scope(with), states_) <= options_.bound_entries;
        };
        const auto at = std::find_if(groups.begin(), groups.end(), fits);
        at == groups.end() ? groups.push_back({table}) : at->push_back(table);
      }
      std::vector<Table> made;
      for (const auto& group : groups) made.push_back(minimise(group, v, states_).table);
      drop_tables_of(tables, v);
      for (Table& table : made) keep(tables, constant, std::move(table));
    }
    return constant;
  }

  // Solves what is left once `states` has those of the variables that branching has fixed. What
  // goes is kept on the trail, of which the end belongs to this call.
  void descend(Open open, std::vector<int>& states, bool counts) {
    const size_t before = trail_.size();
    while (!open.variables.empty()) {
      const int variable = next(open);
      if (variable < 0) break;
      trail_.push_back(eliminate(open, variable, counts));
    }
    open.variables.empty() ? take(open.constant, states) : branch(open, states);
    trail_.resize(before);
  }

  void take(Cost cost, const std::vector<int>& states) {
    if (has_found_ && cost >= found_.cost) return;
    has_found_ = true;
    found_.cost = cost;
    found_.states = states;
    // Whoever went first was minimised over all that went later.
    for (auto gone = trail_.rbegin(); gone != trail_.rend(); ++gone) {
      found_.states[static_cast<size_t>(gone->variable)] =
          gone->best[entry_of(gone->scope, states_, found_.states)];
    }
  }

  bool may_improve(Cost bound) const { return !has_found_ || bound < found_.cost; }

  // The variable with most neighbours takes one state after another, the most promising one first.
  void branch(const Open& open, std::vector<int>& states) {
    const int variable =
        *std::max_element(open.variables.begin(), open.variables.end(), [&](int a, int b) {
          return open.neighbours[static_cast<size_t>(a)].size() <
                 open.neighbours[static_cast<size_t>(b)].size();
        });
    struct Child {
      Cost bound;
      int state;
      Open open;
    };
    std::vector<Child> children;
    for (int state = 0; state < states_[static_cast<size_t>(variable)]; ++state) {
      Open child{{}, open.neighbours, open.variables, open.constant};
      for (const Table& table : open.tables)
        keep(child.tables, child.constant, restricted(table, variable, state, states_));
      disconnect(child, variable);
      const Cost bound = lower_bound(child);
      children.push_back({bound, state, std::move(child)});
    }
    std::stable_sort(children.begin(), children.end(),
                     [](const Child& a, const Child& b) { return a.bound < b.bound; });
    for (Child& child : children) {
      if (!may_improve(child.bound)) continue;
      // The first descent is always made: there is an answer, whatever the budget.
      if (has_found_ && found_.branches >= options_.branches) {
        unexplored_ = std::min(unexplored_, child.bound);
        continue;
      }
      ++found_.branches;
      states[static_cast<size_t>(variable)] = child.state;
      descend(std::move(child.open), states, false);
    }
  }

  SolveOptions options_;
  States states_;
  Open open_;
  Solved found_;
  std::vector<Gone> trail_;
  Cost unexplored_ = kForbidden;  // the least bound of what the budget left out
  bool has_found_ = false;
};

}  // namespace

Solved solve(const Choice& choice, const SolveOptions& options) {
  return Solver(choice, options).run();
}

std::string to_string(const Solved& solved) {
  std::string out = "cost " + std::to_string(solved.cost);
  out += solved.optimal ? ", optimal" : ", at least " + std::to_string(solved.bound);
  out += "; " + std::to_string(solved.folded) + " variables folded, " +
         std::to_string(solved.eliminated) + " eliminated (at most " +
         std::to_string(solved.widest) + " neighbours), " + std::to_string(solved.branches) +
         " branches";
  return out;
}

}  // namespace burin
