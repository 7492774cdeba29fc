// Quotients and remainders of indices. What is settled outside a loop is named there; what moves
// along an innermost loop is counted: variables for x // c and x % c are set before the loop and
// follow x at the end of every iteration, so that no innermost loop divides.
//
// How x moves decides how they follow:
//   by_axis      x = step*axis + settled: the remainder gains step % c, the quotient step // c, and
//                a carry where the remainder reaches c
//   by_quotient  x = k*(another quotient) + settled: as above, inside the other one's carry
//   by_much      anything else (remainders, minima, several quotients): the remainder gains the
//                difference of the new x and the last one, and is brought back by loops. |k| < c
//                for constants in canonical indices, so those rarely run more than once.
// A divisor is taken to be positive: they are extents and strides, and where an extent is not, the
// loops do not run.
#include "backends/cpp/kernel_printer_core.h"
#include "kernel/divisions.h"

namespace burin::cpp {
namespace {

constexpr int64_t kLeast = -(int64_t{1} << 40);  // of a counter, as far as proofs go

Index variable(const std::string& name) {
  SymbolInfo info;
  info.name = name;
  info.origin = SymbolOrigin::iter;
  info.min = kLeast;
  return Index::symbol(std::make_shared<const SymbolInfo>(std::move(info)));
}

Index with_axis(const Index& index, int axis, const Index& value) {
  return index.map_leaves([&](const Index& leaf) {
    return leaf.kind() == IndexKind::axis && leaf.axis_id() == axis ? value : leaf;
  });
}

bool mentions_any(const Index& index, const std::vector<std::string>& names) {
  std::vector<Symbol> symbols;
  index.collect_symbols(symbols);
  return std::any_of(symbols.begin(), symbols.end(), [&](const Symbol& symbol) {
    return std::find(names.begin(), names.end(), symbol->name) != names.end();
  });
}

}  // namespace

bool KernelPrinter::is_innermost(const LoopNodes& nodes) {
  return std::none_of(nodes.begin(), nodes.end(), [](const LoopNode& node) {
    return std::holds_alternative<ForLoop>(node.node) ||
           std::holds_alternative<LaneLoop>(node.node);
  });
}

void KernelPrinter::find_divisions(const LoopNodes& nodes, std::vector<Index>& divisions) {
  const auto on_index = [&](const Index& index) { collect_divisions(index, divisions); };
  for (const LoopNode& node : nodes) {
    for_each_index(node, on_index);
    const auto* loop = std::get_if<ForLoop>(&node.node);
    if (loop == nullptr) continue;
    std::vector<Index> inside;
    find_divisions(loop->nodes, inside);
    if (is_innermost(loop->nodes)) {
      // Where counters start.
      std::set<Index> counted;
      for (const Index& division : inside) {
        if (!division.uses_axis(loop->axis) || division.has_data() || counted.contains(division))
          continue;
        const Index &x = division.operands()[0], &c = division.operands()[1];
        counted.insert({floordiv(x, c), mod(x, c)});
        const Index first = with_axis(x, loop->axis, loop->begin);
        on_index(floordiv(first, c));
        on_index(mod(first, c));
      }
    }
    divisions.insert(divisions.end(), inside.begin(), inside.end());
  }
}

void KernelPrinter::name_divisions(const LoopNodes& nodes) {
  std::vector<Index> divisions;
  find_divisions(nodes, divisions);
  for (const Index& division : divisions) {
    if (exprs_.has_name(division) || division.has_data()) continue;
    std::vector<int> used;
    division.collect_axes(used);
    const bool settled = std::all_of(used.begin(), used.end(), [&](int axis) {
      return std::find(axes_.begin(), axes_.end(), axis) != axes_.end();
    });
    if (!settled) continue;
    const std::string name = exprs_.fresh("q");
    text_.line("const " + index_type_ + " " + name + " = " +
               without_parentheses(exprs_.text(division)) + ";");
    exprs_.name_index(division, name);
  }
}

bool KernelPrinter::has_counters(const ForLoop& loop) {
  std::vector<Index> divisions;
  find_divisions(loop.nodes, divisions);
  return std::any_of(divisions.begin(), divisions.end(), [&](const Index& division) {
    return !exprs_.has_name(division) && division.uses_axis(loop.axis) && !division.has_data();
  });
}

std::vector<KernelPrinter::Counter> KernelPrinter::start_counters(const ForLoop& loop) {
  std::vector<Index> divisions;
  find_divisions(loop.nodes, divisions);
  std::vector<Counter> counters;
  for (const Index& division : divisions) {
    if (exprs_.has_name(division) || !division.uses_axis(loop.axis) || division.has_data())
      continue;
    std::optional<Counter> counter = make_counter(division, loop, counters);
    if (!counter) continue;
    exprs_.name_index(counter->divided, counter->quotient);
    exprs_.name_index(counter->reduced, counter->remainder);
    counters.push_back(std::move(*counter));
  }
  return counters;
}

// `index` with the variables of counters for what they count.
Index KernelPrinter::over_counters(const Index& index, const std::vector<Counter>& counters) const {
  const auto replaced = [&](const Index& atom) -> Index {
    for (const Counter& counter : counters) {
      if (atom == counter.divided) return variable(counter.quotient);
      if (atom == counter.reduced) return variable(counter.remainder);
    }
    std::vector<Index> operands;
    if (atom.kind() == IndexKind::axis) return atom;
    for (const Index& operand : atom.operands())
      operands.push_back(over_counters(operand, counters));
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

std::optional<KernelPrinter::Counter> KernelPrinter::make_counter(
    const Index& division, const ForLoop& loop, const std::vector<Counter>& others) {
  const Index &x = division.operands()[0], &c = division.operands()[1];
  if (c.uses_axis(loop.axis)) return std::nullopt;
  Counter counter;
  counter.divided = floordiv(x, c);
  counter.reduced = mod(x, c);
  counter.dividend = over_counters(x, others);
  counter.divisor = c;
  std::vector<std::string> names;  // that move with the loop
  for (const Counter& other : others) {
    names.push_back(other.quotient);
    names.push_back(other.remainder);
  }
  const auto moves = [&](const Index& index) {
    return index.uses_axis(loop.axis) || mentions_any(index, names);
  };
  Index rest = counter.dividend;
  for (const Index::Term& term : counter.dividend.terms()) {
    Index factor = term.coefficient;
    int of_axis = 0;
    for (const Index& atom : term.atoms) {
      const bool is_axis = atom.kind() == IndexKind::axis && atom.axis_id() == loop.axis;
      if (is_axis) {
        ++of_axis;
      } else {
        factor *= atom;
      }
    }
    if (of_axis != 1 || moves(factor)) continue;
    counter.step += factor;
    rest -= factor * Index::axis(loop.axis, kernel_.axes[static_cast<size_t>(loop.axis)].extent);
  }
  if (moves(rest)) {
    counter.moved = Counter::Moved::by_much;
    for (size_t i = 0; i < others.size() && counter.step.is_constant(0); ++i) {
      if (!carries_one(others[i])) continue;
      for (const Index::Term& term : rest.terms()) {
        const Index quotient = variable(others[i].quotient);
        if (term.atoms.size() != 1 || term.atoms[0] != quotient) continue;
        if (moves(rest - quotient * term.coefficient)) continue;
        counter.moved = Counter::Moved::by_quotient;
        counter.parent = static_cast<int>(i);
        counter.step = others[i].step.constant() > 0 ? term.coefficient : -term.coefficient;
        break;
      }
    }
  }
  counter.quotient = exprs_.fresh("q");
  counter.remainder = exprs_.fresh("r");
  local_symbols_.insert({counter.quotient, counter.remainder});
  const Index first = with_axis(x, loop.axis, loop.begin);
  const auto define = [&](const std::string& name, const Index& value, const std::string& type) {
    text_.line(type + name + " = " + without_parentheses(exprs_.text(value)) + ";");
  };
  define(counter.quotient, floordiv(first, c),
         std::string(language_.maybe_unused()) + index_type_ + " ");
  define(counter.remainder, mod(first, c), index_type_ + " ");
  if (counter.moved == Counter::Moved::by_much) {
    counter.last = exprs_.fresh("d");
    define(counter.last, first, index_type_ + " ");
  } else if (!counter.step.is_constant() || !(carries_one(counter) || c.is_constant())) {
    counter.whole = exprs_.fresh("d");
    counter.part = exprs_.fresh("d");
    define(counter.whole, floordiv(counter.step, c), "const " + index_type_ + " ");
    define(counter.part, mod(counter.step, c), "const " + index_type_ + " ");
  }
  return counter;
}

// Whether the quotient moves by at most one at a time, in the direction of the step.
bool KernelPrinter::carries_one(const Counter& counter) {
  if (counter.moved == Counter::Moved::by_much || !counter.step.is_constant()) return false;
  const int64_t step = counter.step.constant(), size = step < 0 ? -step : step;
  return size == 1 || proven_le(size, counter.divisor);
}

void KernelPrinter::step_counters(const std::vector<Counter>& counters) {
  for (size_t i = 0; i < counters.size(); ++i) {
    if (counters[i].moved != Counter::Moved::by_quotient)
      step_counter(counters, static_cast<int>(i));
  }
}

// The dividend has moved: the remainder follows, and the quotient where that wraps.
void KernelPrinter::step_counter(const std::vector<Counter>& counters, int number) {
  const Counter& counter = counters[static_cast<size_t>(number)];
  const std::string& q = counter.quotient;
  const std::string& r = counter.remainder;
  const std::string divisor = exprs_.text(counter.divisor);
  if (counter.moved == Counter::Moved::by_much) {
    const int axis = axes_.back();
    const Index next = Index::axis(axis, kernel_.axes[static_cast<size_t>(axis)].extent) + Index(1);
    const std::string at = exprs_.fresh("d");
    // A size of 0 has nothing to be counted.
    const std::string positive = proven_le(1, counter.divisor) ? "" : divisor + " > 0 && ";
    text_.line("const " + index_type_ + " " + at + " = " +
               exprs_.text(with_axis(counter.dividend, axis, next)) + ";");
    text_.line(r + " += " + at + " - " + counter.last + ";");
    text_.line(counter.last + " = " + at + ";");
    text_.open("while (" + positive + r + " >= " + divisor + ") {");
    text_.line(r + " -= " + divisor + ";");
    text_.line("++" + q + ";");
    text_.close();
    text_.open("while (" + positive + r + " < 0) {");
    text_.line(r + " += " + divisor + ";");
    text_.line("--" + q + ";");
    text_.close();
    return;
  }
  const int64_t step = counter.step.as_constant().value_or(1);
  const bool up = step > 0 || !counter.part.empty();
  std::string whole = counter.whole, part = counter.part;
  if (part.empty()) {
    int64_t size = step < 0 ? -step : step;
    if (counter.divisor.is_constant() && size > 1) {
      const int64_t by = counter.divisor.constant();
      if (size >= by) whole = std::to_string(size / by);
      size %= by;
    }
    if (size) part = std::to_string(size);
  }
  const char* forward = up ? " += " : " -= ";
  const char* back = up ? " -= " : " += ";
  if (!whole.empty()) text_.line(q + forward + whole + ";");
  if (part.empty()) return;
  text_.line(r + forward + part + ";");
  text_.open("if (" + r + (up ? " >= " + divisor : std::string(" < 0")) + ") {");
  text_.line(r + back + divisor + ";");
  text_.line((up ? "++" : "--") + q + ";");
  for (size_t i = 0; i < counters.size(); ++i) {
    if (counters[i].parent == number) step_counter(counters, static_cast<int>(i));
  }
  text_.close();
}

}  // namespace burin::cpp
