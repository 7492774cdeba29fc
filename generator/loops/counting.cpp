#include "loops/counting.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace burin::loops {
namespace {

constexpr int64_t kLeast = -(int64_t{1} << 40);  // of an induction variable, as far as proofs go

// A name in an index: what an earlier induction variable of the loop keeps.
Index variable(const std::string& name) {
  SymbolInfo info;
  info.name = name;
  info.origin = SymbolOrigin::iter;
  info.min = kLeast;
  return Index::symbol(std::make_shared<const SymbolInfo>(std::move(info)));
}

bool mentions_any(const Index& index, const std::set<std::string>& names) {
  std::vector<Symbol> symbols;
  index.collect_symbols(symbols);
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](const Symbol& symbol) { return names.contains(symbol->name); });
}

}  // namespace

InductionVariable induction_of(const Index& x, const Index& c, const Index& var,
                               const std::vector<InductionVariable>& others, std::string quotient,
                               std::string remainder) {
  InductionVariable out;
  out.quotient = std::move(quotient);
  out.remainder = std::move(remainder);
  out.dividend = x;
  out.divisor = c;
  std::set<std::string> moving;
  for (const InductionVariable& other : others) moving.insert({other.quotient, other.remainder});
  const auto moves = [&](const Index& index) {
    return index.uses_axis(var.axis_id()) || mentions_any(index, moving);
  };
  const Index dividend = over_inductions(x, others);
  Index rest = dividend;
  for (const Index::Term& term : dividend.terms()) {
    Index factor = term.coefficient;
    int of_loop = 0;
    for (const Index& atom : term.atoms) {
      if (atom.kind() == IndexKind::axis && atom.axis_id() == var.axis_id()) {
        ++of_loop;
      } else {
        factor *= atom;
      }
    }
    if (of_loop != 1 || moves(factor)) continue;
    out.step += factor;
    rest -= factor * var;
  }
  if (moves(rest)) {
    out.moved = InductionVariable::Moved::by_much;
    for (size_t i = 0; i < others.size() && out.step.is_constant(0); ++i) {
      if (!others[i].carries_one()) continue;
      const Index quotient = variable(others[i].quotient);
      for (const Index::Term& term : rest.terms()) {
        if (term.atoms.size() != 1 || term.atoms[0] != quotient) continue;
        if (moves(rest - quotient * term.coefficient)) continue;
        out.moved = InductionVariable::Moved::by_quotient;
        out.parent = static_cast<int>(i);
        out.step = others[i].step.constant() > 0 ? term.coefficient : -term.coefficient;
        break;
      }
    }
  }
  if (out.moved == InductionVariable::Moved::by_much) out.step = 0;
  return out;
}

Index over_inductions(const Index& index, const std::vector<InductionVariable>& inductions) {
  const auto replaced = [&](const Index& atom) -> Index {
    for (const InductionVariable& induction : inductions) {
      if (atom == floordiv(induction.dividend, induction.divisor))
        return variable(induction.quotient);
      if (atom == mod(induction.dividend, induction.divisor)) return variable(induction.remainder);
    }
    if (atom.kind() == IndexKind::axis) return atom;
    std::vector<Index> operands;
    for (const Index& operand : atom.operands())
      operands.push_back(over_inductions(operand, inductions));
    switch (atom.kind()) {
      case IndexKind::floordiv:
        return floordiv(operands[0], operands[1]);
      case IndexKind::mod:
        return mod(operands[0], operands[1]);
      case IndexKind::min:
      case IndexKind::max: {
        Index out = operands[0];
        for (const Index& operand : operands)
          out = atom.kind() == IndexKind::min ? min(out, operand) : max(out, operand);
        return out;
      }
      default:
        return atom;
    }
  };
  Index out = index.constant_term();
  for (const Index::Term& term : index.terms()) {
    Index product = term.coefficient;
    for (const Index& atom : term.atoms) product *= replaced(atom);
    out += product;
  }
  return out;
}

}  // namespace burin::loops
