#include "backends/cpp/plan_sizes.h"

#include "backends/cpp/cpp_language.h"
#include "backends/cpp/schedule_printer.h"

namespace burin::cpp {
namespace {

constexpr size_t kReadable = 60;  // characters of an operand

template <class Visit>
void each_atom(const Dim& size, const Visit& visit) {
  for (const Index::Term& term : size.terms()) {
    for (const Index& atom : term.atoms) {
      if (atom.kind() != IndexKind::symbol) visit(atom);
    }
  }
}

}  // namespace

PlanSizes::PlanSizes(const TreeNames& names, const std::vector<Dim>& sizes,
                     std::set<std::string> taken)
    : exprs_(unused_, headers_, size_names(names), cpp_language()), taken_(std::move(taken)) {
  for (const Dim& size : sizes) count(size);
}

void PlanSizes::count(const Dim& size) {
  each_atom(size, [&](const Index& atom) {
    if (counts_[atom]++ > 0) return;
    for (const Index& operand : atom.operands()) count(operand);
  });
}

void PlanSizes::name(const Index& index, std::vector<Line>& lines) {
  lines.push_back({fresh(), print::without_parentheses(exprs_.text(index))});
  exprs_.name_index(index, lines.back().name);
}

void PlanSizes::define(const Dim& size, std::vector<Line>& lines) {
  each_atom(size, [&](const Index& atom) {
    if (exprs_.has_name(atom)) return;
    define_operands(atom, lines);
    const bool is_whole = atom == size && counts_.at(atom) < 2;  // has the name of the line
    if (counts_.at(atom) > 1 || (!is_whole && exprs_.text(atom).size() > kReadable))
      name(atom, lines);
  });
}

// Many operands of one maximum are a list of names.
void PlanSizes::define_operands(const Index& atom, std::vector<Line>& lines) {
  for (const Index& operand : atom.operands()) {
    define(operand, lines);
    const bool is_one_of_many = atom.operands().size() > 2;
    if (is_one_of_many && !exprs_.has_name(operand) && exprs_.text(operand).size() > kReadable / 3)
      name(operand, lines);
  }
}

std::vector<PlanSizes::Line> PlanSizes::definitions(const Dim& size) {
  std::vector<Line> lines;
  define(size, lines);
  return lines;
}

std::string PlanSizes::text(const Dim& size) { return exprs_.text(size); }

std::string PlanSizes::fresh() {
  std::string name;
  do {
    name = "part_" + std::to_string(next_++);
  } while (!taken_.insert(name).second);
  return name;
}

}  // namespace burin::cpp
