#include "print/kernel_printer.h"

#include <cctype>

#include "loops/kernel_buffers.h"
#include "print/kernel_printer_core.h"
#include "print/operand_names.h"
#include "print/program_printer.h"

namespace burin::print {

bool mentions(std::string_view text, std::string_view name) {
  const auto in_word = [&](size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    if (!in_word(at - 1) && !in_word(at + name.size())) return true;
  }
  return false;
}

PrintedKernel KernelPrinter::run(const std::vector<ValueId>& aliased) {
  find_parameters();
  text_.indent();
  BURIN_CHECK(schedule_.program != nullptr, "a kernel of a CPU without a program");
  ProgramPrinter(*schedule_.program, text_, out_.headers, language_, index_type_,
                 {[this](ValueId id) { return value_name(id); },
                  [this](const Symbol& symbol) { return symbol_name(symbol); },
                  {}})
      .print();
  mark_unused();
  text_.close();
  out_.body = text_.text();
  out_.signature = signature(aliased);
  out_.formula = formula();
  out_.formula_parts = formula_parts();
  return std::move(out_);
}

void KernelPrinter::find_parameters() {
  const auto add = [](std::vector<ValueId>& list, ValueId id) {
    if (std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
  };
  KernelParameters& parameters = out_.parameters;
  const auto on_node = [&](const ExprNode& node) {
    if (node.kind == ExprKind::load) add(parameters.reads, node.id);
  };
  for (const Let& let : kernel_.lets) {
    for (const Expr& body : let.body) visit(body, on_node);
  }
  for (const Write& write : kernel_.writes) {
    for (const Index& index : write.at) visit(index, on_node);
    for (const Condition& condition : write.when) visit(condition.index, on_node);
    visit(write.value, on_node);
    add(parameters.writes, write.to);
  }
  // A value that is written and read is one parameter.
  for (const ValueId id : parameters.writes) {
    parameters.reads.erase(std::remove(parameters.reads.begin(), parameters.reads.end(), id),
                           parameters.reads.end());
  }
  parameters.names = operand_names(kernel_, values_, parameters.reads, parameters.writes);
  parameters.symbols = symbols_of(Step(kernel_));
  for (const ValueId id : parameters.reads) collect_shape_symbols(id);
  for (const ValueId id : parameters.writes) collect_shape_symbols(id);
  std::sort(parameters.symbols.begin(), parameters.symbols.end(),
            [](const Symbol& a, const Symbol& b) { return a->name < b->name; });
  parameters.symbols.erase(
      std::unique(parameters.symbols.begin(), parameters.symbols.end(),
                  [](const Symbol& a, const Symbol& b) { return a->name == b->name; }),
      parameters.symbols.end());
  for (size_t i = 0; i < parameters.symbols.size(); ++i)
    parameters.symbol_names.push_back("n" + std::to_string(i));
  parameters.scratch = !schedule_.scratch_bytes.is_constant(0);
}

// A kernel over no elements mentions none of its parameters.
void KernelPrinter::mark_unused() {
  std::vector<std::string> parameters;
  for (const ValueId id : out_.parameters.reads) parameters.push_back(value_name(id));
  for (const ValueId id : out_.parameters.writes) parameters.push_back(value_name(id));
  for (const Symbol& symbol : out_.parameters.symbols) parameters.push_back(symbol_name(symbol));
  for (const std::string& bound : bounds()) parameters.push_back(bound);
  if (out_.parameters.scratch) parameters.push_back("scratch");
  const std::string body = text_.text();
  for (const std::string& name : parameters) {
    if (!mentions(body, name)) text_.line("(void)" + name + ";");
  }
}

void KernelPrinter::collect_shape_symbols(ValueId id) {
  // The outermost extent takes no part in an address.
  const std::vector<Dim>& shape = value(id).shape;
  for (size_t d = 1; d < shape.size(); ++d) shape[d].collect_symbols(out_.parameters.symbols);
}

int KernelPrinter::position(const std::vector<ValueId>& list, ValueId id) {
  const auto at = std::find(list.begin(), list.end(), id);
  return at == list.end() ? -1 : static_cast<int>(at - list.begin());
}

std::string KernelPrinter::value_name(ValueId id) const { return out_.parameters.names.at(id); }

std::string KernelPrinter::symbol_name(const Symbol& symbol) const {
  if (symbol == cut_first()) return "first";
  if (symbol == cut_last()) return "last";
  const auto& symbols = out_.parameters.symbols;
  for (size_t i = 0; i < symbols.size(); ++i) {
    if (symbols[i]->name == symbol->name) return "n" + std::to_string(i);
  }
  BURIN_CHECK(false, "symbol is no parameter: " + symbol->name);
  return {};
}

std::vector<std::string> KernelPrinter::signature(const std::vector<ValueId>& aliased) const {
  std::vector<std::string> out;
  const auto tensor = [&](ValueId id, bool written) {
    out.push_back(language_.tensor_parameter(value(id).type, value_name(id), written,
                                             position(aliased, id) < 0));
  };
  for (const ValueId id : out_.parameters.reads) tensor(id, false);
  for (const ValueId id : out_.parameters.writes) tensor(id, true);
  for (const Symbol& symbol : out_.parameters.symbols)
    out.push_back("const " + index_type_ + " " + symbol_name(symbol));
  for (const std::string& bound : bounds()) out.push_back("const " + index_type_ + " " + bound);
  if (out_.parameters.scratch) out.push_back(language_.scratch_parameter("scratch"));
  return out;
}

std::vector<std::string> KernelPrinter::bounds() const {
  if (!schedule_.cut) return {};
  if (!schedule_.cut->across) return {"first", "last"};
  return {"first", "last", "across_first", "across_last"};
}

std::string KernelPrinter::let_name(int let, int component) const {
  return loops::let_name(kernel_.lets[static_cast<size_t>(let)], let, component);
}

std::vector<Index> KernelPrinter::own_point(int let) const {
  std::vector<Index> at;
  for (const int axis : kernel_.lets[static_cast<size_t>(let)].over) {
    at.push_back(Index::axis(axis, kernel_.axes[static_cast<size_t>(axis)].extent));
  }
  return at;
}

PrintedKernel print_kernel(const KernelSchedule& schedule, const std::vector<Value>& values,
                           const std::vector<ValueId>& aliased, const Language& language) {
  return KernelPrinter(schedule, values, language).run(aliased);
}

}  // namespace burin::print
