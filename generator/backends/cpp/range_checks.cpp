// What the schedule asks of a run as it goes: sizes in their ranges, assumptions of the file, room
// in outputs. What is proven is not asked.
#include "backends/cpp/cpp_language.h"
#include "backends/cpp/schedule_printer.h"
#include "kernel/index/size_bound.h"
#include "kernel/symbolic/bind_range.h"
#include "render/printed_code.h"

namespace burin::cpp {

// Nothing bounds it but the memory that shapes made of it would take.
bool SchedulePrinter::has_memory_limit(const Symbol& symbol) const {
  return sizing_.contains(symbol->name) && !bound_before_run(Index::symbol(symbol));
}

bool SchedulePrinter::is_proven(const Bind& bind) const {
  if (!has_memory_limit(bind.symbol)) return proven_in_range(bind);
  // Another that has the same limit was asked about where it was bound.
  if (bind.value.kind() != ExprKind::index || bind.value->index.kind() != IndexKind::symbol)
    return false;
  const Symbol from = bind.value->index.as_symbol();
  return has_memory_limit(from) && from->min >= bind.symbol->min;
}

Code SchedulePrinter::most_of(const Symbol& symbol) {
  const Dim otherwise = has_memory_limit(symbol) ? plan_.size_limits.of(*symbol) : kUnbounded;
  return printed_code(text(bound_before_run(Index::symbol(symbol)).value_or(otherwise)));
}

// What a run-time size was promised to be; memory and loops rely on it.
void SchedulePrinter::print_range(const Symbol& symbol, const Code& status) {
  print_range(StringLiteral(symbol->name), code(names_.local(symbol)), Code::integer(symbol->min),
              most_of(symbol), status);
}

// Returns `status` with what it is about where `value` is out of range.
void SchedulePrinter::print_range(const StringLiteral& what, const Code& value, const Code& least,
                                  const Code& most, const Code& status) {
  headers_.insert("fault.h");
  out_.line("if (!burin_rt::within(fault, ", what, ", ", value, ", ", least, ", ", most,
            ")) return burin_rt::", status, ";");
}

void SchedulePrinter::print(const Check& check) {
  out_.comment(CommentText(check.what, 200));
  print::TextBuilder unused;
  print::ExprPrinter printer(unused, headers_, size_names(names_), cpp_language());
  std::string what = check.what;
  if (!check.origins.empty()) what += " of " + check.origins.front().node;
  headers_.insert("fault.h");
  out_.line("if (!(", printed_code(printer.text(check.guard)), ")) return burin_rt::about(fault, ",
            StringLiteral(what), ", burin_rt::kShapeMismatch);");
}

bool SchedulePrinter::has_capacity(ValueId id) const {
  return value(id).kind == ValueKind::output && is_data_sized(value(id));
}

// Before a kernel writes an output whose size depends on data: does it fit? A loop's iterations
// are counted as far as they have come.
void SchedulePrinter::check_capacity(ValueId id) {
  if (!has_capacity(id)) return;
  bool known = true;
  const Dim elements = product(value(id).shape).map_leaves([&](const Index& leaf) -> Index {
    const std::string& name = leaf.as_symbol()->name;
    if (known_.contains(name)) return leaf;
    const auto far = so_far_.find(name);
    if (far != so_far_.end()) return far->second;
    known = known && leaf.as_symbol()->origin == SymbolOrigin::param;
    return leaf;
  });
  if (known) {
    require_capacity(id, elements);
    return;
  }
  // The most that it can be; what has no bound has been counted by what determined it.
  Dim most = 1;
  for (const Dim& dim : value(id).shape) {
    const std::optional<Dim> bound = bound_before_run(dim);
    if (!bound) return;
    most *= *bound;
  }
  require_capacity(id, most);
}

void SchedulePrinter::require_capacity(ValueId id, const Dim& elements) {
  print_range(StringLiteral(value(id).name), printed_code(text(elements)), "0",
              code("outputs->", names_.value(id), "_capacity"), "kCapacityExceeded");
}

}  // namespace burin::cpp
