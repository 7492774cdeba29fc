// Generic loops of kernels: any family, any type.
#include "backends/opencl/loop_printer.h"

#include "backends/cpp/induction_variables.h"
#include "kernel/combiner.h"

namespace burin::opencl {

std::string LoopPrinter::symbol_name(const Symbol& symbol) const {
  return local_symbols_.contains(symbol->name) ? symbol->name : KernelPrinter::symbol_name(symbol);
}

cpp::ExprPrinter::Names LoopPrinter::names() {
  return {[this](int axis) { return axis_name(axis); },
          [this](const Symbol& symbol) { return symbol_name(symbol); },
          [this](const ExprNode& load) { return element(load.id, load.type, load.at); },
          [this](const ExprNode& let) { return let_text(let); },
          [this](const ExprNode& load) { return value_text(load); }};
}

std::string LoopPrinter::value_text(const ExprNode&) { return {}; }

std::string LoopPrinter::element(ValueId id, Type compute, const std::vector<Index>& at) {
  return language_.element({value(id).type, compute}, value_name(id),
                           exprs_.text(address(value(id).layout, value(id).shape, at)));
}

std::string LoopPrinter::let_text(const ExprNode& node) {
  return let_element(node.id, node.component, node.at);
}

Index LoopPrinter::let_address(int let, const std::vector<Index>& at) const {
  const LetPlace& place = schedule_.places[static_cast<size_t>(let)];
  const Let& one = kernel_.lets[static_cast<size_t>(let)];
  Index address = 0;
  for (size_t k = 0; k < one.over.size(); ++k) {
    const int axis = one.over[k];
    const Axis& info = kernel_.axes[static_cast<size_t>(axis)];
    if (info.kind == AxisKind::sequential && place.sequential_rows) {
      address = address * place.sequential_rows + mod(at[k], place.sequential_rows);
    } else if (std::find(place.axes.begin(), place.axes.end(), axis) != place.axes.end()) {
      if (schedule_.outer_axis && axis == schedule_.outer_axis->axis) {
        const OuterAxis& points = *schedule_.outer_axis;
        address = address * points.points_kept(kernel_) + points.in_block(at[k], kernel_);
      } else {
        address = address * info.extent + at[k];
      }
    }
  }
  return address;
}

std::string LoopPrinter::let_element(int let, int component, const std::vector<Index>& at) {
  if (schedule_.places[static_cast<size_t>(let)].scalar) return let_variable(let, component);
  return let_name(let, component) + "_rows[" + exprs_.text(let_address(let, at)) + "]";
}

void LoopPrinter::print(const LoopNodes& nodes) {
  for (const LoopNode& node : nodes) std::visit([this](const auto& one) { print(one); }, node.node);
}

void LoopPrinter::print(const ForLoop& loop) {
  if (!loop.unit_stride.empty()) {
    std::string condition;
    for (const Index& step : loop.strides)
      condition += (condition.empty() ? "" : " && ") + exprs_.text(step) + " == 1";
    text_.open("if (" + condition + ") {");
    print(ForLoop{loop.axis, loop.begin, loop.end, loop.unit_stride});
    text_.reopen("} else {");
    print(ForLoop{loop.axis, loop.begin, loop.end, loop.nodes});
    text_.close();
    return;
  }
  const std::string name = axis_name(loop.axis);
  exprs_.open_scope();
  const std::string begin = exprs_.text(loop.begin), end = exprs_.text(loop.end);
  axes_.push_back(loop.axis);
  const bool counts = is_innermost(loop.nodes) && has_inductions(loop);
  cpp::InductionVariables inductions(
      point_of(loop.axis), loop.begin, text_, exprs_, language_, index_type_,
      [this](const std::string&, const char*) { return exprs_.fresh("d"); });
  if (counts) {
    text_.open("{");
    add_inductions(loop, inductions);
  }
  const size_t start = text_.text().size();
  print_hint(loop);
  text_.open("for (" + index_type_ + " " + name + " = " + begin + "; " + name + " < " + end +
             "; ++" + name + ") {");
  if (!counts) name_divisions(loop.nodes);
  print(loop.nodes);
  inductions.step(std::string_view(text_.text()).substr(start));
  text_.close();
  if (counts) text_.close();
  axes_.pop_back();
  exprs_.close_scope();
}

void LoopPrinter::print(const BeginLet& begin) {
  const Let& let = kernel_.lets[static_cast<size_t>(begin.let)];
  if (schedule_.places[static_cast<size_t>(begin.let)].combined) {
    const Expr identity = burin::identity_of(let.op, let.accumulator[0]);
    text_.line(let_element(begin.let, 0, own_point(begin.let)) + " = " + exprs_.text(identity) +
               ";");
    return;
  }
  for (size_t c = 0; c < let.body.size(); ++c) {
    // The payload of an extreme key starts at zero and is replaced by the first one taken.
    const bool payload = is_keyed(let.op) && c > 0;
    const Expr identity = payload ? Expr::constant(let.accumulator[c], 0)
                                  : burin::identity_of(let.op, let.accumulator[c]);
    define_variable(language_.compute_name(let.accumulator[c]),
                    let_name(begin.let, static_cast<int>(c)), exprs_.text(identity), false);
  }
  if (is_keyed(let.op))
    define_variable("bool", "taken" + std::to_string(begin.let), "false", false);
}

std::string LoopPrinter::taken_variable(int let) const { return "taken" + std::to_string(let); }

std::string LoopPrinter::let_variable(int let, int component) const {
  return let_name(let, component);
}

void LoopPrinter::define_variable(std::string_view type, const std::string& name,
                                  const std::string& value, bool constant) {
  text_.line((constant ? "const " : "") + std::string(type) + " " + name + " = " + value + ";");
}

void LoopPrinter::print(const Accumulate& accumulate) {
  const Let& let = kernel_.lets[static_cast<size_t>(accumulate.let)];
  exprs_.open_scope();
  if (!accumulate.when.empty()) text_.open("if (" + exprs_.text(accumulate.when) + ") {");
  const std::vector<std::string> bodies = exprs_.texts(accumulate.body);
  const bool in_scratch = schedule_.places[static_cast<size_t>(accumulate.let)].combined;
  const std::string name = in_scratch ? let_element(accumulate.let, 0, own_point(accumulate.let))
                                      : let_variable(accumulate.let, 0);
  if (is_keyed(let.op)) {
    print_keyed(let, accumulate.let, bodies);
  } else {
    combine(let, name, bodies[0]);
  }
  if (!accumulate.when.empty()) text_.close();
  exprs_.close_scope();
}

void LoopPrinter::combine(const Let& let, const std::string& into, const std::string& text) {
  const Type type = let.accumulator[0];
  if (let.op == Combiner::sum && is_float(type)) {
    text_.line(into + " += " + text + ";");
  } else if (let.op == Combiner::product && is_float(type)) {
    text_.line(into + " *= " + text + ";");
  } else {
    text_.line(into + " = " +
               language_.binary(combining(let.op).value(), type, into, text, out_.headers) + ";");
  }
}

void LoopPrinter::print(const EndLet& end) {
  if (schedule_.places[static_cast<size_t>(end.let)].scalar) return;
  const Let& let = kernel_.lets[static_cast<size_t>(end.let)];
  for (size_t c = 0; c < let.body.size(); ++c) {
    text_.line(let_element(end.let, static_cast<int>(c), own_point(end.let)) + " = " +
               let_variable(end.let, static_cast<int>(c)) + ";");
  }
}

void LoopPrinter::print(const Define& define) {
  const Let& let = kernel_.lets[static_cast<size_t>(define.let)];
  const std::string value = exprs_.text(let.body[0]);
  if (schedule_.places[static_cast<size_t>(define.let)].scalar) {
    define_variable(language_.compute_name(let.accumulator[0]), let_name(define.let, 0), value,
                    true);
  } else {
    text_.line(let_element(define.let, 0, own_point(define.let)) + " = " + value + ";");
  }
}

void LoopPrinter::print(const Store& store) {
  exprs_.open_scope();
  if (!store.when.empty()) text_.open("if (" + exprs_.text(store.when) + ") {");
  print_write(kernel_.writes[static_cast<size_t>(store.write)], exprs_.text(store.value));
  if (!store.when.empty()) text_.close();
  exprs_.close_scope();
}

void LoopPrinter::print_write(const Write& write, const std::string& value_text) {
  const cpp::Held held{value(write.to).type, write.value.type()};
  std::string text = value_text;
  const std::string to = element(write.to, held.compute, write.at);
  if (write.how != How::store) {
    static constexpr Binary kOps[] = {Binary::add, Binary::add, Binary::mul, Binary::min,
                                      Binary::max};
    const std::string old = language_.load(held, to, out_.headers);
    text = language_.binary(kOps[static_cast<size_t>(write.how)], held.compute, old, text,
                            out_.headers);
  }
  text_.line(language_.store(held, to, cpp::without_parentheses(text), out_.headers));
}

void LoopPrinter::print(const Fill& fill) {
  exprs_.open_scope();
  const std::string value = exprs_.text(fill.value);
  text_.line("staged[" + exprs_.text(fill.at) + "] = " + cpp::without_parentheses(value) + ";");
  exprs_.close_scope();
}

void LoopPrinter::open_loop(int axis) {
  const std::string name = axis_name(axis);
  exprs_.open_scope();
  text_.open("for (" + index_type_ + " " + name + " = 0; " + name + " < " +
             exprs_.text(kernel_.axes[static_cast<size_t>(axis)].extent) + "; ++" + name + ") {");
  axes_.push_back(axis);
}

void LoopPrinter::close_loops(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    text_.close();
    axes_.pop_back();
    exprs_.close_scope();
  }
}

Index LoopPrinter::point_of(int axis) const {
  return axis < 0 ? Index(0) : Index::axis(axis, kernel_.axes[static_cast<size_t>(axis)].extent);
}

Index LoopPrinter::block_first(int axis) const {
  return axis < 0 ? Index(0) : loop_variable(axis_name(axis) + "_first");
}

}  // namespace burin::opencl
