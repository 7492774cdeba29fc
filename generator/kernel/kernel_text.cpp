// Text dumps of kernels and kernel graphs.
#include "kernel/kernel.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

std::string axis_list(const std::vector<int>& axes) {
  std::string out;
  for (const int axis : axes) out += (out.empty() ? "i" : ", i") + std::to_string(axis);
  return out;
}

std::string origin_list(const Origins& origins) {
  std::string out;
  for (const Origin& origin : origins) {
    out += (out.empty() ? "" : ", ") + origin.op + " " + quoted(origin.node);
  }
  return out;
}

std::string_view to_string(AxisKind kind) {
  static constexpr std::string_view kNames[] = {"", " reduce", " sequential"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view to_string(ValueKind kind) {
  static constexpr std::string_view kNames[] = {"input", "output", "constant", "internal"};
  return kNames[static_cast<size_t>(kind)];
}

std::string value_name(ValueId id, const std::vector<Value>& values) {
  // Without values: nothing is named.
  const bool named = static_cast<size_t>(id) < values.size();
  return "v" + std::to_string(id) + " " +
         quoted(named ? values[static_cast<size_t>(id)].name : std::string());
}

std::string indent(const std::string& text) {
  std::string out = "  ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string to_text(const Steps& steps, const std::vector<Value>& values);

std::string to_text(const Step& step, const std::vector<Value>& values) {
  if (const Kernel* kernel = std::get_if<Kernel>(&step)) return to_string(*kernel, values);
  if (const Procedure* procedure = std::get_if<Procedure>(&step)) {
    std::string out =
        "procedure " + procedure->function + "<" + std::string(to_string(procedure->element)) + ">";
    for (const ValueId id : procedure->reads) out += " reads " + value_name(id, values);
    for (const ValueId id : procedure->writes) out += " writes " + value_name(id, values);
    for (const Symbol& symbol : procedure->results) out += " gives " + quoted(symbol->name);
    return out + "\n";
  }
  if (const Bind* bind = std::get_if<Bind>(&step)) {
    return "bind " + quoted(bind->symbol->name) + " = " + to_string(bind->value) + "\n";
  }
  if (const Check* check = std::get_if<Check>(&step)) {
    return "check " + to_string(check->guard) + "  # " + check->what + "\n";
  }
  if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
    return "if " + to_string((*branch)->condition) + "\n" +
           indent(to_text((*branch)->then_steps, values)) + "else\n" +
           indent(to_text((*branch)->else_steps, values)) + "end\n";
  }
  const auto& loop = *std::get<std::shared_ptr<Loop>>(step);
  return "loop " + quoted(loop.iteration->name) + " < " + to_string(loop.trips) + " while " +
         to_string(loop.condition) + "\n" + indent(to_text(loop.body, values)) + "end\n";
}

std::string to_text(const Steps& steps, const std::vector<Value>& values) {
  std::string out;
  for (const Step& step : steps) out += to_text(step, values);
  return out;
}

}  // namespace

std::string to_string(const Kernel& kernel, const std::vector<Value>& values) {
  std::string out = "kernel " + quoted(kernel.name) + "  # " + origin_list(kernel.origins) + "\n";
  for (size_t i = 0; i < kernel.axes.size(); ++i) {
    const Axis& axis = kernel.axes[i];
    out += "  i" + std::to_string(i) + " < " + to_string(axis.extent) +
           std::string(to_string(axis.kind)) + (axis.name.empty() ? "" : "  # " + axis.name) + "\n";
  }
  for (size_t i = 0; i < kernel.lets.size(); ++i) {
    const Let& let = kernel.lets[i];
    out += "  let" + std::to_string(i) + "[" + axis_list(let.over) +
           "] = " + std::string(to_string(let.op));
    if (!let.reduced.empty()) out += " over " + axis_list(let.reduced);
    for (const Expr& body : let.body) out += (&body == &let.body[0] ? " " : ", ") + to_string(body);
    out += "\n";
  }
  for (const Write& write : kernel.writes) {
    out += "  " + value_name(write.to, values) + "[";
    for (size_t i = 0; i < write.at.size(); ++i) out += (i ? ", " : "") + to_string(write.at[i]);
    out += "] " + std::string(to_string(write.how)) + " " + to_string(write.value);
    if (!write.when.empty()) out += " when " + to_string(write.when);
    out += "  # over " + axis_list(write.over);
    out += write.zeros_for_caller ? ", zeros for the caller\n" : "\n";
  }
  return out;
}

std::string to_string(const KernelGraph& graph) {
  std::string out = "graph " + quoted(graph.name) + "\n";
  for (const Symbol& symbol : graph.symbols) {
    out += "symbol " + quoted(symbol->name) + " in " + std::to_string(symbol->min) + ".." +
           (symbol->max == kUnbounded ? "" : std::to_string(symbol->max)) + "\n";
  }
  for (size_t i = 0; i < graph.values.size(); ++i) {
    const Value& value = graph.values[i];
    out += std::string(to_string(value.kind)) + " " +
           value_name(static_cast<ValueId>(i), graph.values) + " " +
           std::string(to_string(value.type)) + to_string(value.shape) + "\n";
  }
  return out + to_text(graph.steps, graph.values);
}

}  // namespace burin
