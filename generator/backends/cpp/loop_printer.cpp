// Generic loops of kernels: any family, any type.
#include "backends/cpp/kernel_printer_core.h"

namespace burin::cpp {

bool KernelPrinter::is_innermost(const LoopNodes& nodes) {
  return std::none_of(nodes.begin(), nodes.end(), [](const LoopNode& node) {
    return std::holds_alternative<ForLoop>(node.node);
  });
}

void KernelPrinter::find_divisions(const LoopNodes& nodes, std::vector<Index>& divisions) {
  const auto on_index = [&](const Index& index) { collect_divisions(index, divisions); };
  const std::function<void(const Expr&)> on_expr = [&](const Expr& expr) {
    visit(expr, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load)
        on_index(address(value(node.id).layout, value(node.id).shape, node.at));
      if (node.kind == ExprKind::let && !schedule_.places[static_cast<size_t>(node.id)].scalar) {
        on_index(let_address(node.id, node.at));
      }
      if (node.kind == ExprKind::index) on_index(node.index);
      for (const Expr::Case& one : node.cases) {
        for (const Condition& condition : one.guard) on_index(condition.index);
      }
    });
  };
  for (const LoopNode& node : nodes) {
    if (const auto* loop = std::get_if<ForLoop>(&node.node)) {
      on_index(loop->begin);
      on_index(loop->end);
      find_divisions(loop->nodes, divisions);
    } else if (const auto* accumulate = std::get_if<Accumulate>(&node.node)) {
      for (const Expr& body : accumulate->body) on_expr(body);
      for (const Condition& condition : accumulate->when) on_index(condition.index);
    } else if (const auto* end = std::get_if<EndLet>(&node.node)) {
      on_index(let_address(end->let, own_point(end->let)));
    } else if (const auto* define = std::get_if<Define>(&node.node)) {
      on_index(let_address(define->let, own_point(define->let)));
      on_expr(kernel_.lets[static_cast<size_t>(define->let)].body[0]);
    } else if (const auto* lane = std::get_if<PackLane>(&node.node)) {
      on_expr(lane->element);
    } else if (const auto* store = std::get_if<Store>(&node.node)) {
      const Write& write = kernel_.writes[static_cast<size_t>(store->write)];
      on_index(address(value(write.to).layout, value(write.to).shape, write.at));
      on_expr(store->value);
      for (const Condition& condition : store->when) on_index(condition.index);
    }
  }
}

std::vector<KernelPrinter::Counter> KernelPrinter::name_divisions(const std::vector<int>& axes,
                                                                  const LoopNodes& nodes,
                                                                  bool innermost,
                                                                  const Index& begin) {
  std::vector<Index> divisions;
  find_divisions(nodes, divisions);
  std::vector<Counter> counters;
  for (const Index& division : divisions) {
    if (exprs_.has_name(division) || division.has_data()) continue;
    std::vector<int> used;
    division.collect_axes(used);
    const bool settled = std::all_of(used.begin(), used.end(), [&](int axis) {
      return std::find(axes.begin(), axes.end(), axis) != axes.end();
    });
    if (!settled) continue;
    const bool varies = innermost && !axes.empty() && division.uses_axis(axes.back());
    if (!varies) {
      const std::string name = exprs_.fresh("q");
      pending_.push_back("const " + index_type_ + " " + name + " = " + exprs_.text(division) + ";");
      exprs_.name_index(division, name);
      continue;
    }
    if (std::optional<Counter> counter = make_counter(division, axes.back(), begin, counters))
      counters.push_back(*counter);
  }
  flush();
  return counters;
}

void KernelPrinter::flush() {
  for (const std::string& line : pending_) text_.line(line);
  pending_.clear();
}

// x = step * axis + rest, or x = step * q + rest with the quotient q of another counter.
std::optional<KernelPrinter::Counter> KernelPrinter::make_counter(
    const Index& division, int axis, const Index& begin, const std::vector<Counter>& others) {
  const Index& x = division.operands()[0];
  const Index& c = division.operands()[1];
  if (c.uses_axis(axis)) return std::nullopt;
  Counter counter{"", "", c, 0, floordiv(x, c)};
  Index rest = x, first = x;
  for (const Index::Term& term : x.terms()) {
    if (term.atoms.size() != 1) continue;
    const Index& atom = term.atoms[0];
    if (atom.kind() == IndexKind::axis && atom.axis_id() == axis) {
      counter.step = term.coefficient;
      rest -= atom * term.coefficient;
      first = rest + begin * term.coefficient;
      break;
    }
    for (size_t i = 0; i < others.size(); ++i) {
      if (others[i].division != atom || !moves_by_one(others[i])) continue;
      counter.parent = static_cast<int>(i);
      counter.step = others[i].step > 0 ? term.coefficient : -term.coefficient;
      rest -= atom * term.coefficient;
      break;
    }
    if (counter.step != 0) break;
  }
  if (counter.step == 0 || rest.uses_axis(axis) || rest.has_data()) return std::nullopt;
  counter.quotient = exprs_.fresh("q");
  counter.remainder = exprs_.fresh("r");
  const std::string x_text = exprs_.text(first), c_text = exprs_.text(c);
  const bool plain = proven_nonnegative(x) && proven_le(1, c);
  const auto start = [&](bool divides) {
    if (plain) return "(" + x_text + ")" + (divides ? " / " : " % ") + "(" + c_text + ")";
    out_.headers.insert("integer.h");
    return std::string("burin_rt::") + (divides ? "floor_divide" : "floor_mod") + "<" +
           index_type_ + ">(" + x_text + ", " + c_text + ")";
  };
  pending_.push_back("[[maybe_unused]] " + index_type_ + " " + counter.quotient + " = " +
                     start(true) + ";");
  pending_.push_back(index_type_ + " " + counter.remainder + " = " + start(false) + ";");
  exprs_.name_index(floordiv(x, c), counter.quotient);
  exprs_.name_index(mod(x, c), counter.remainder);
  return counter;
}

bool KernelPrinter::moves_by_one(const Counter& counter) {
  const int64_t size = counter.step < 0 ? -counter.step : counter.step;
  return proven_lt(size, counter.divisor) || (size == 1 && proven_le(1, counter.divisor));
}

void KernelPrinter::step_counters(const std::vector<Counter>& counters) {
  for (size_t i = 0; i < counters.size(); ++i) {
    if (counters[i].parent < 0) step_counter(counters, static_cast<int>(i));
  }
}

// The dividend has moved by the counter's step: the remainder follows, and the quotient where it
// wraps.
void KernelPrinter::step_counter(const std::vector<Counter>& counters, int number) {
  const Counter& counter = counters[static_cast<size_t>(number)];
  const bool up = counter.step > 0;
  int64_t whole = 0, part = up ? counter.step : -counter.step;
  if (counter.divisor.is_constant()) {
    whole = part / counter.divisor.constant();
    part %= counter.divisor.constant();
  }
  const std::string divisor = exprs_.text(counter.divisor);
  const char* forward = up ? " += " : " -= ";
  const char* back = up ? " -= " : " += ";
  if (whole) text_.line(counter.quotient + forward + std::to_string(whole) + ";");
  if (!part) return;
  text_.line(counter.remainder + forward + std::to_string(part) + ";");
  // One subtraction is enough where the step is below the divisor.
  const std::string test = counter.remainder + (up ? " >= " + divisor : std::string(" < 0"));
  text_.open((moves_by_one(counter) || whole ? "if (" : "while (") + test + ") {");
  text_.line(counter.remainder + back + divisor + ";");
  text_.line((up ? "++" : "--") + counter.quotient + ";");
  for (size_t i = 0; i < counters.size(); ++i) {
    if (counters[i].parent == number) step_counter(counters, static_cast<int>(i));
  }
  text_.close();
}

void KernelPrinter::print(const LoopNodes& nodes) {
  for (const LoopNode& node : nodes) std::visit([this](const auto& one) { print(one); }, node.node);
}

void KernelPrinter::print(const ForLoop& loop) {
  const std::string name = axis_name(loop.axis);
  const bool innermost = is_innermost(loop.nodes);
  exprs_.open_scope();
  const std::string begin = exprs_.text(loop.begin), end = exprs_.text(loop.end);
  axes_.push_back(loop.axis);
  std::vector<Counter> counters;
  const bool counts = innermost && has_counters(loop);
  if (counts) {
    text_.open("{");
    counters = name_divisions(axes_, loop.nodes, true, loop.begin);
  }
  const size_t start = text_.text().size();
  text_.open("for (" + index_type_ + " " + name + " = " + begin + "; " + name + " < " + end +
             "; ++" + name + ") {");
  if (!counts) name_divisions(axes_, loop.nodes, false);
  print(loop.nodes);
  for (const Counter& counter : counters) {
    // Some loops need the remainder only; compilers warn of a quotient that is counted in vain.
    if (!mentions(std::string_view(text_.text()).substr(start), counter.quotient))
      text_.line("(void)" + counter.quotient + ";");
  }
  step_counters(counters);
  text_.close();
  if (counts) text_.close();
  axes_.pop_back();
  exprs_.close_scope();
}

bool KernelPrinter::has_counters(const ForLoop& loop) {
  std::vector<Index> divisions;
  find_divisions(loop.nodes, divisions);
  return std::any_of(divisions.begin(), divisions.end(), [&](const Index& division) {
    return !exprs_.has_name(division) && division.uses_axis(loop.axis);
  });
}

void KernelPrinter::print(const BeginLet& begin) {
  const Let& let = kernel_.lets[static_cast<size_t>(begin.let)];
  for (size_t c = 0; c < let.body.size(); ++c) {
    // The payload of an extreme key starts at zero and is replaced by the first one taken.
    const bool payload = is_keyed(let.op) && c > 0;
    const Expr identity = payload ? Expr::constant(let.accumulator[c], 0)
                                  : burin::identity_of(let.op, let.accumulator[c]);
    text_.line(std::string(compute_name(let.accumulator[c])) + " " +
               let_name(begin.let, static_cast<int>(c)) + " = " + exprs_.text(identity) + ";");
  }
  if (is_keyed(let.op)) text_.line("bool taken" + std::to_string(begin.let) + " = false;");
}

bool KernelPrinter::is_keyed(Combiner op) {
  return op == Combiner::first_max || op == Combiner::last_max || op == Combiner::first_min ||
         op == Combiner::last_min;
}

void KernelPrinter::print(const Accumulate& accumulate) {
  const Let& let = kernel_.lets[static_cast<size_t>(accumulate.let)];
  exprs_.open_scope();
  if (!accumulate.when.empty()) text_.open("if (" + exprs_.text(accumulate.when) + ") {");
  const std::vector<std::string> bodies = exprs_.texts(accumulate.body);
  const std::string name = let_name(accumulate.let, 0);
  if (is_keyed(let.op)) {
    print_keyed(let, accumulate.let, bodies);
  } else {
    const Type type = let.accumulator[0];
    if (let.op == Combiner::sum && is_float(type)) {
      text_.line(name + " += " + bodies[0] + ";");
    } else if (let.op == Combiner::product && is_float(type)) {
      text_.line(name + " *= " + bodies[0] + ";");
    } else {
      text_.line(name + " = " +
                 binary_text(combining(let.op), type, name, bodies[0], out_.headers) + ";");
    }
  }
  if (!accumulate.when.empty()) text_.close();
  exprs_.close_scope();
}

Binary KernelPrinter::combining(Combiner op) {
  switch (op) {
    case Combiner::sum:
      return Binary::add;
    case Combiner::product:
      return Binary::mul;
    case Combiner::min:
      return Binary::min;
    case Combiner::max:
      return Binary::max;
    case Combiner::logical_and:
      return Binary::logical_and;
    case Combiner::logical_or:
      return Binary::logical_or;
    default:
      BURIN_CHECK(false);
      return Binary::add;
  }
}

void KernelPrinter::print_keyed(const Let& let, int number,
                                const std::vector<std::string>& bodies) {
  const char* better = let.op == Combiner::first_max   ? " > "
                       : let.op == Combiner::last_max  ? " >= "
                       : let.op == Combiner::first_min ? " < "
                                                       : " <= ";
  const std::string taken = "taken" + std::to_string(number);
  const std::string key = exprs_.fresh("key");
  text_.line("const " + std::string(compute_name(let.accumulator[0])) + " " + key + " = " +
             bodies[0] + ";");
  text_.open("if (!" + taken + " || " + key + better + let_name(number, 0) + ") {");
  text_.line(taken + " = true;");
  text_.line(let_name(number, 0) + " = " + key + ";");
  for (size_t c = 1; c < bodies.size(); ++c) {
    text_.line(let_name(number, static_cast<int>(c)) + " = " + bodies[c] + ";");
  }
  text_.close();
}

void KernelPrinter::print(const EndLet& end) {
  if (schedule_.places[static_cast<size_t>(end.let)].scalar) return;
  const Let& let = kernel_.lets[static_cast<size_t>(end.let)];
  for (size_t c = 0; c < let.body.size(); ++c) {
    text_.line(let_element(end.let, static_cast<int>(c), own_point(end.let)) + " = " +
               let_name(end.let, static_cast<int>(c)) + ";");
  }
}

void KernelPrinter::print(const Define& define) {
  const Let& let = kernel_.lets[static_cast<size_t>(define.let)];
  const std::string value = exprs_.text(let.body[0]);
  if (schedule_.places[static_cast<size_t>(define.let)].scalar) {
    text_.line("const " + std::string(compute_name(let.accumulator[0])) + " " +
               let_name(define.let, 0) + " = " + value + ";");
  } else {
    text_.line(let_element(define.let, 0, own_point(define.let)) + " = " + value + ";");
  }
}

void KernelPrinter::print(const Store& store) {
  const Write& write = kernel_.writes[static_cast<size_t>(store.write)];
  const Type type = value(write.to).type;
  exprs_.open_scope();
  if (!store.when.empty()) text_.open("if (" + exprs_.text(store.when) + ") {");
  std::string text = exprs_.text(store.value);
  const std::string to = element(write.to, write.at);
  if (write.how != How::store) {
    static constexpr Binary kOps[] = {Binary::add, Binary::add, Binary::mul, Binary::min,
                                      Binary::max};
    const std::string old = load_text(type, to, out_.headers);
    text = binary_text(kOps[static_cast<size_t>(write.how)], compute_type(type), old, text,
                       out_.headers);
  }
  text_.line(to + " = " + store_text(type, without_parentheses(text), out_.headers) + ";");
  if (!store.when.empty()) text_.close();
  exprs_.close_scope();
}

}  // namespace burin::cpp
