// See emit_schedule.h. Steps are walked once, in order; conditions and sizes are evaluated where
// they stand.
#include "backends/cpp/emit_schedule.h"

#include <algorithm>
#include <map>
#include <set>

#include "backends/cpp/cpp_language.h"
#include "backends/cpp/emit_cpp.h"
#include "backends/cpp/node_lists.h"
#include "backends/cpp/schedule_printer.h"
#include "backends/cpp/vocabulary.h"
#include "kernel/expr/expr_text.h"
#include "kernel/index/size_bound.h"
#include "print/expr_printer.h"
#include "print/remarks.h"
#include "render/printed_code.h"
#include "render/printer.h"
#include "support/check.h"
#include "support/line_columns.h"

namespace burin::cpp {

print::ExprPrinter::Names size_names(const TreeNames& names) {
  return {[](int axis) -> std::string {
            BURIN_CHECK(false, "axis in a size: i" + std::to_string(axis));
            return {};
          },
          [&names](const Symbol& symbol) { return names.local(symbol).text(); },
          [](const ExprNode&) -> std::string {
            BURIN_CHECK(false, "data in a size");
            return {};
          },
          [](const ExprNode&) -> std::string {
            BURIN_CHECK(false, "let in a size");
            return {};
          }};
}

PrintedSchedule SchedulePrinter::printed() {
  for (const Symbol& symbol : declared_sizes(plan_.graph.steps)) declared_.insert(symbol->name);
  for_each_step(plan_.graph.steps, [&](const Step& step) {
    positions_.emplace(step.id, static_cast<int64_t>(positions_.size()));
    for (const Symbol& symbol : symbols_of(step)) used_.insert(symbol->name);
    const auto* kernel = std::get_if<Kernel>(&step);
    if (kernel) ++kernels_of_nodes_[nodes_text(kernel->origins.list())];
  });
  for (const Value& one : plan_.graph.values) {
    std::vector<Symbol> symbols;
    for (const Dim& extent : one.shape) extent.collect_symbols(symbols);
    for (const Symbol& symbol : symbols) sizing_.insert(symbol->name);
  }
  for (int i = 0; i < target_.depth; ++i) out_.indent();
  print(plan_.graph.steps);
  tell(-1, "nullptr");
  for (const ValueId id : plan_.graph.outputs) report_shape(id);
  return {out_.code(), std::move(headers_)};
}

std::string SchedulePrinter::text(const Dim& dim) {
  print::TextBuilder unused;
  print::ExprPrinter printer(unused, headers_, size_names(names_), cpp_language());
  return printer.text(dim);
}

// A scalar expression over values, as the schedule evaluates conditions and run-time sizes.
std::string SchedulePrinter::scalar(const Expr& expr) {
  print::TextBuilder lines;
  print::ExprPrinter::Names names = size_names(names_);
  names.load = [&](const ExprNode& load) {
    print::ExprPrinter inner(lines, headers_, size_names(names_), cpp_language(), &locals_);
    return target_.element(
        load.id, inner.text(address(value(load.id).layout, value(load.id).shape, load.at)));
  };
  print::ExprPrinter printer(lines, headers_, names, cpp_language(), &locals_);
  const std::string result = printer.text(expr);
  if (!lines.text().empty()) {
    std::string block = lines.text();
    out_.block(printed_code(std::move(block)));
  }
  return result;
}

void SchedulePrinter::tell(int64_t position, const Code& function) {
  if (!plan_.step_hook) return;
  out_.line("if (context->step_hook != nullptr) context->step_hook(context->step_user, ",
            Code::integer(position), ", ", function, ");");
}

void SchedulePrinter::comment(const Origins& origins, const std::string& what) {
  if (origins.empty()) return;
  for (const std::string& line :
       print::wrapped(nodes_text(origins.list()) + what, kLineColumns - 6))
    out_.comment(CommentText(line, 400));
}

// Where a node has several kernels, what each of them writes.
std::string SchedulePrinter::part_of_node(const Kernel& kernel) const {
  if (kernels_of_nodes_.at(nodes_text(kernel.origins.list())) < 2) return {};
  std::string out;
  for (const ValueId id : writes_of(kernel)) {
    const std::string& name = value(id).name;
    if (!name.empty() && out.find(burin::quoted(name)) == out.npos)
      out += (out.empty() ? ", writes " : " and ") + burin::quoted(name);
  }
  return out;
}

void SchedulePrinter::print(const Steps& steps) {
  for (const Step& step : steps) {
    step_ = step.id;
    if (target_.before && !target_.before(step, text_)) continue;
    if (const Kernel* kernel = std::get_if<Kernel>(&step)) {
      print(*kernel);
    } else if (const Procedure* procedure = std::get_if<Procedure>(&step)) {
      print(*procedure);
    } else if (const Bind* bind = std::get_if<Bind>(&step)) {
      comment(bind->origins);
      const std::string bound = scalar(bind->value);
      const bool declared = declared_.contains(bind->symbol->name);
      out_.line(declared ? Code() : Code("const int64_t "), names_.local(bind->symbol), " = ",
                printed_code(bound), ";");
      known_.insert(bind->symbol->name);
      if (!is_proven(*bind)) {
        print_range(bind->symbol);
      } else if (!used_.contains(bind->symbol->name)) {
        out_.line("(void)", names_.local(bind->symbol), ";");
      }
    } else if (const Check* check = std::get_if<Check>(&step)) {
      print(*check);
    } else if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      print(**branch);
    } else {
      print(*std::get<std::shared_ptr<Loop>>(step));
    }
  }
}

void SchedulePrinter::print(const Kernel& kernel) {
  if (plan_.memory.dropped.contains(step_)) return;
  comment(kernel.origins, part_of_node(kernel));
  for (const KernelCall& call : kernels_.calls.at(step_)) {
    for (const ValueId id : call.parameters.writes) check_capacity(id);
  }
  tell(positions_.at(step_), code("\"", kernels_.kernel_at(step_).name, "\""));
  target_.call(step_, text_);
}

void SchedulePrinter::print(const Procedure& procedure) {
  comment(procedure.origins);
  tell(positions_.at(step_), code("\"", printed_code(procedure.function), "\""));
  headers_.insert("procedures/" + procedure.function + ".h");
  if (is_narrow_float(procedure.element)) headers_.insert("procedures/order.h");
  for (const ValueId id : procedure.writes) {
    if (!depends_on(value(id), procedure.results)) check_capacity(id);
  }
  out_.line("{");
  out_.indent();
  for (const Code& line : target_.open) out_.line(line);
  const auto list = [&](const char* type, const char* name, const std::vector<Code>& items) {
    out_.list(code(printed_code(type), printed_code(name), "[] = {"),
              items.empty() ? std::vector<Code>{"0"} : items, "};");
  };
  std::vector<Code> reads, writes, arguments;
  for (const ValueId id : procedure.reads) reads.push_back(target_.pointer(id));
  for (const ValueId id : procedure.writes) writes.push_back(target_.pointer(id));
  for (const Dim& argument : procedure.arguments) arguments.push_back(printed_code(text(argument)));
  if (!procedure.results.empty()) arguments.at(0) = capacity_of(procedure, arguments.at(0));
  if (reads.empty()) reads.push_back("nullptr");
  list("const void* const ", "reads", reads);
  list("void* const ", "writes", writes);
  list("const int64_t ", "arguments", arguments);
  out_.line("int64_t results[", std::max<size_t>(1, procedure.results.size()), "] = {0};");
  const bool scratch = !procedure.scratch_bytes.is_constant(0);
  out_.line("const burin_rt::ProcedureCall call = {reads, writes, arguments, results, ",
            scratch ? target_.scratch(step_) : Code("nullptr"), "};");
  out_.line("const int32_t status = burin_rt::", printed_code(procedure.function), "<",
            printed_code(std::string(procedure_type(procedure.element))), ">(call);");
  for (const Code& line : target_.close) out_.line(line);
  headers_.insert("fault.h");
  const std::string about = procedure.origins.empty() ? "" : procedure.origins.front().node;
  // No capacity of the caller's: other sizes, or the range of this one, leave no more room.
  const bool is_inner = std::none_of(procedure.writes.begin(), procedure.writes.end(),
                                     [&](ValueId id) { return has_capacity(id); });
  if (!procedure.results.empty() && is_inner) {
    out_.line("if (status == burin_rt::kCapacityExceeded) return burin_rt::about(fault, ",
              StringLiteral(about), ", burin_rt::",
              is_known_before_run(procedure.arguments.at(0)) ? Code("kValueOutOfRange")
                                                             : Code("kShapeMismatch"),
              ");");
  }
  out_.line("if (status != burin_rt::kOk) return burin_rt::about(fault, ", StringLiteral(about),
            ", status);");
  for (size_t i = 0; i < procedure.results.size(); ++i) {
    out_.line(names_.local(procedure.results[i]), " = results[", i, "];");
  }
  out_.dedent();
  out_.line("}");
  for (const Symbol& symbol : procedure.results) {
    known_.insert(symbol->name);
    print_range(symbol);
  }
}

bool SchedulePrinter::depends_on(const Value& value, const std::vector<Symbol>& results) {
  std::vector<Symbol> symbols;
  for (const Dim& dim : value.shape) dim.collect_symbols(symbols);
  return std::any_of(symbols.begin(), symbols.end(), [&](const Symbol& symbol) {
    return std::any_of(results.begin(), results.end(),
                       [&](const Symbol& result) { return result->name == symbol->name; });
  });
}

// Argument 0 of a procedure with results is the most that it may count to: `most`, or as much as
// the caller's outputs can hold.
Code SchedulePrinter::capacity_of(const Procedure& procedure, const Code& most) {
  out_.line("int64_t capacity = ", most, ";");
  for (const ValueId id : procedure.writes) {
    if (!has_capacity(id)) continue;
    Dim each = product(value(id).shape);
    for (const Symbol& symbol : procedure.results) each = each.substitute_symbol(symbol->name, 1);
    if (each.is_constant(0)) continue;
    const Code divisor = each.is_constant() ? Code::integer(each.constant())
                                            : code("(", printed_code(text(each)), ")");
    const Code room = code("outputs->", names_.value(id), "_capacity / ", divisor);
    const Code some = each.is_constant() ? Code() : code(printed_code(text(each)), " > 0 && ");
    out_.line("if (", some, room, " < capacity) capacity = ", room, ";");
  }
  return "capacity";
}

void SchedulePrinter::print(const If& branch) {
  comment(branch.origins);
  const std::string condition = scalar(branch.condition);
  out_.line("if (", printed_code(condition), ") {");
  out_.indent();
  print(branch.then_steps);
  out_.dedent();
  out_.line("} else {");
  out_.indent();
  print(branch.else_steps);
  out_.dedent();
  out_.line("}");
}

void SchedulePrinter::print(const Loop& loop) {
  comment(loop.origins);
  const Identifier& i = names_.local(loop.iteration);
  // One turn is no loop, or a branch.
  const bool once = loop.trips.is_constant(1);
  if (loop.executed) out_.line(names_.local(loop.executed), " = 0;");
  if (once) {
    if (used_.contains(loop.iteration->name)) out_.line("constexpr int64_t ", i, " = 0;");
  } else {
    out_.line("for (int64_t ", i, " = 0; ", i, " < ", printed_code(text(loop.trips)), "; ++", i,
              ") {");
    out_.indent();
  }
  const std::string condition = scalar(loop.condition);
  const bool asks = condition != "true";
  if (once && asks) {
    out_.line("if (", printed_code(condition), ") {");
    out_.indent();
  } else if (asks) {
    out_.line("if (!(", printed_code(condition), ")) break;");
  }
  if (loop.executed) out_.line("++", names_.local(loop.executed), ";");
  known_.insert(loop.iteration->name);
  if (loop.executed)
    so_far_.insert_or_assign(loop.executed->name, once ? 1 : Dim::symbol(loop.iteration) + 1);
  print(loop.body);
  if (!once || asks) {
    out_.dedent();
    out_.line("}");
  }
  if (loop.executed) {
    known_.insert(loop.executed->name);
    // Where a loop's trips are a number, its count may be one too, and nobody asks.
    out_.line("(void)", names_.local(loop.executed), ";");
    if (bound_before_run(Index::symbol(loop.executed)) != bound_before_run(loop.trips) ||
        loop.executed->min > 0)
      print_range(loop.executed, "kIterationLimit");
  }
}

void SchedulePrinter::report_shape(ValueId id) {
  if (!is_data_sized(value(id))) return;
  for (size_t d = 0; d < value(id).shape.size(); ++d) {
    out_.line("outputs->", names_.value(id), "_shape[", d,
              "] = ", printed_code(text(value(id).shape[d])), ";");
  }
}

int64_t largest_size(const ModelPlan& plan, const Symbol& symbol) {
  return symbol->max == kUnbounded ? plan.size_limits.of(*symbol) : symbol->max;
}

std::string size_text(const Dim& dim, const TreeNames& names) {
  print::TextBuilder unused;
  print::Headers headers;
  return print::ExprPrinter(unused, headers, size_names(names), cpp_language()).text(dim);
}

std::string readable_size(const Dim& dim, const TreeNames& names) {
  const TextNames spelled{[](ValueId) { return std::string(); },
                          [](int, int) { return std::string(); },
                          [&names](const Symbol& symbol) { return names.symbol(symbol).text(); }};
  return to_string(dim, spelled);
}

PrintedSchedule print_schedule(const ModelPlan& plan, const TreeNames& names,
                               const KernelSet& kernels, const ScheduleTarget& target) {
  return SchedulePrinter(plan, names, kernels, target).printed();
}

}  // namespace burin::cpp
