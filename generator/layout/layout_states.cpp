// What the states of a problem of layouts say; see layout_plan.h.
#include <algorithm>

#include "layout/layout_plan.h"

namespace burin {
namespace {

const LayoutSet& set_of(const LayoutProblem& problem, int variable,
                        const std::vector<int>& states) {
  const auto v = static_cast<size_t>(variable);
  return problem.layouts[v][static_cast<size_t>(states[v])];
}

}  // namespace

bool LayoutProblem::takes_form(const Forms& forms, int variable, int state) const {
  const auto v = static_cast<size_t>(variable);
  if (form_of[v] < 0) return false;
  const bool absent = layouts[v][static_cast<size_t>(state)].empty();
  return absent != forms.forms[static_cast<size_t>(form_of[v])].appears;
}

std::vector<int> LayoutProblem::followed(const Forms& forms, std::vector<int> states) const {
  for (const Follower& one : followers) {
    const int count = static_cast<int>(layouts[static_cast<size_t>(one.made)].size());
    const bool taken = takes_form(forms, one.tensor, states[static_cast<size_t>(one.tensor)]);
    states.push_back((taken ? count : 0) + states[static_cast<size_t>(one.made)]);
  }
  return states;
}

bool shares_place(const LayoutProblem& problem, const InPlace& one,
                  const std::vector<int>& states) {
  const LayoutSet &from = set_of(problem, one.from, states), &to = set_of(problem, one.to, states);
  return from.size() == 1 && !to.empty() && from.front() == to.front();
}

Layouts layouts_of(const LayoutProblem& problem, const std::vector<int>& states) {
  Layouts out;
  for (size_t v = 0; v < problem.values.size(); ++v) {
    const LayoutSet& set = set_of(problem, static_cast<int>(v), states);
    if (!set.empty() && !set.front().is_row_major()) out[problem.values[v]] = set.front();
  }
  return out;
}

LayoutCopies copies_of(const LayoutProblem& problem, const std::vector<int>& states) {
  LayoutCopies out;
  for (size_t v = 0; v < problem.values.size(); ++v) {
    const LayoutSet& set = set_of(problem, static_cast<int>(v), states);
    if (set.size() < 2) continue;
    LayoutCopy copy{problem.values[v], set[1], {}};
    for (const LayoutRead& read : problem.reads) {
      if (read.variable != static_cast<int>(v)) continue;
      const auto key =
          static_cast<size_t>(read.key < 0 ? 0 : states[static_cast<size_t>(read.key)]);
      if (read.pick[key * problem.layouts[v].size() + static_cast<size_t>(states[v])] == 1)
        copy.readers.push_back(read.number);
    }
    out.push_back(std::move(copy));
  }
  return out;
}

std::vector<int> forms_of(const LayoutProblem& problem, const Forms& forms,
                          const std::vector<int>& states) {
  std::vector<int> out;
  for (size_t v = 0; v < problem.values.size(); ++v) {
    if (problem.takes_form(forms, static_cast<int>(v), states[v]))
      out.push_back(problem.form_of[v]);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace burin
