// src/<name>_memory.h: where everything lies, alone, so that a new plan does not touch the
// schedule; and the weights, when they are part of the program.
#include <algorithm>
#include <set>

#include "backends/cpp/emit_cpp.h"
#include "backends/cpp/plan_sizes.h"
#include "backends/cpp/vocabulary.h"
#include "kernel/run_order.h"
#include "print/line_breaks.h"
#include "render/printed_code.h"
#include "render/printer.h"
#include "support/line_columns.h"

namespace burin::cpp {
namespace {

constexpr size_t kBytesPerLine = 64;
constexpr size_t kRemarkColumns = 60;

// Octal and plain characters of a string literal, cut into lines of the source.
void print_literal(Printer& out, std::string_view bytes) {
  for (size_t at = 0; at < bytes.size(); at += kBytesPerLine) {
    const bool last = at + kBytesPerLine >= bytes.size();
    out.line(StringLiteral(bytes.substr(at, kBytesPerLine)), last ? Code(";") : Code());
  }
}

// The longest string that all compilers take; beyond it an array of numbers is.
constexpr size_t kLongestLiteral = 65535;

void print_array(Printer& out, std::string_view bytes) {
  constexpr size_t kOnALine = 24;
  for (size_t at = 0; at < bytes.size(); at += kOnALine) {
    std::string line;
    for (const char c : bytes.substr(at, kOnALine))
      line += (line.empty() ? "" : " ") + std::to_string(static_cast<unsigned char>(c)) + ",";
    out.line(printed_code(line));
  }
}

// The type of where elements lie.
Code place_of(std::string_view element) {
  return code("Place<", printed_code(std::string(element)), ">");
}

// One offset in the arena: the field, where it is, what lies there.
struct Field {
  Code type;
  Identifier name;
  Dim offset;
  std::string remark;
};

// As much of a remark as its line has room for.
void print_field(const Field& field, const Code& value, Printer& out) {
  constexpr size_t kAround = 12;  // the margin, "  // " and "..."
  const Code line = code(field.type, " ", field.name, value, ";");
  const size_t taken = std::min(line.text().size() + kAround, kLineColumns - kAround);
  out.remarked(CommentText(field.remark, std::min(kRemarkColumns, kLineColumns - taken)), line);
}

std::vector<Field> fields_of(const ModelPlan& plan, const TreeNames& names) {
  std::vector<Field> fields;
  for (size_t i = 0; i < plan.memory.values.size(); ++i) {
    const Placement& place = plan.memory.values[i];
    if (place.sharing == Sharing::none) continue;
    const Value& value = plan.graph.values[i];
    std::string what = std::string(to_string(value.type)) + to_string(value.shape);
    if (place.base != kNoValue)
      what +=
          ", " + std::string(to_string(place.sharing)) + " of " + names.value(place.base).text();
    fields.push_back({place_of(storage_type(value.type)), names.value(static_cast<ValueId>(i)),
                      place.offset, what});
  }
  for (const ScratchPlacement& scratch : plan.memory.scratch) {
    fields.push_back({place_of("uint8_t"), names.scratch.at(scratch.step), scratch.offset,
                      readable_size(scratch.bytes, names) + " bytes"});
    if (!scratch.stride.is_constant(0))
      fields.push_back({Code("int64_t"), names.strides.at(scratch.step), scratch.stride,
                        "from one worker's to the next"});
  }
  return fields;
}

// Numbers are in the struct, a line each. Sizes of the caller make them a function.
void print_plan(const ModelPlan& plan, const TreeNames& names, Printer& out) {
  const std::vector<Field> fields = fields_of(plan, names);
  const bool fixed = plan.graph.symbols.empty();
  const auto place = [&](const Dim& offset) {
    return fixed ? code(" = ", offset.constant()) : Code();
  };
  out.line("// Offsets in the arena.");
  out.line("struct Plan {");
  out.indent();
  out.line("int64_t bytes", place(plan.memory.arena_bytes), ";  // of the whole arena");
  for (const Field& one : fields) print_field(one, place(one.offset), out);
  out.dedent();
  out.line("};");
  out.line();
  if (fixed) {
    out.line("constexpr Plan plan() { return Plan(); }");
    return;
  }
  std::string parameters;
  for (const Symbol& symbol : plan.graph.symbols) {
    parameters +=
        (parameters.empty() ? "" : ", ") + std::string("int64_t ") + names.local(symbol).text();
  }
  out.line("inline Plan plan(", printed_code(parameters), ") {");
  out.indent();
  for (const Symbol& symbol : plan.graph.symbols) out.line("(void)", names.local(symbol), ";");
  std::vector<Dim> printed = {plan.memory.arena_bytes};
  std::set<std::string> taken;
  for (const Symbol& symbol : plan.graph.symbols) taken.insert(names.local(symbol).text());
  for (const NamedSize& size : plan.memory.named) {
    printed.push_back(size.value);
    taken.insert(names.local(size.symbol).text());
  }
  for (const Field& one : fields) printed.push_back(one.offset);
  PlanSizes sizes(names, printed, std::move(taken));
  const auto assign = [&](const Code& to, const Dim& size) {
    for (const PlanSizes::Line& line : sizes.definitions(size))
      out.line("const int64_t ", printed_code(line.name), " = ", printed_code(line.value), ";");
    out.line(to, " = ", printed_code(sizes.text(size)), ";");
  };
  for (const NamedSize& size : plan.memory.named)
    assign(code("const int64_t ", names.local(size.symbol)), size.value);
  out.line("Plan p{};");
  assign(Code("p.bytes"), plan.memory.arena_bytes);
  for (const Field& one : fields) assign(code("p.", one.name), one.offset);
  out.line("return p;");
  out.dedent();
  out.line("}");
}

// Each from the one in front of it, so that another one moves no number but its own.
void print_constants(const ModelPlan& plan, const TreeNames& names, const WeightsLayout& weights,
                     Printer& out) {
  std::vector<std::pair<int64_t, ValueId>> places;
  for (const auto& [id, offset] : weights.offsets) places.emplace_back(offset, id);
  std::sort(places.begin(), places.end());
  out.line("// Offsets in the weights.");
  out.line("namespace at {");
  for (size_t i = 0; i < places.size(); ++i) {
    const auto& [offset, id] = places[i];
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    std::string what = std::string(to_string(value.type)) + to_string(value.shape);
    what += laid_out(value.layout);
    const int64_t behind = i == 0 ? offset : offset - places[i - 1].first;
    const Code from = i == 0 ? Code() : code(names.value(places[i - 1].second), " + ");
    out.remarked(CommentText(what, kRemarkColumns), "constexpr ",
                 place_of(storage_type(value.type)), " ", names.value(id), " = ", from, behind,
                 ";");
  }
  out.line("}  // namespace at");
}

}  // namespace

void emit_memory(const ModelPlan& plan, const TreeNames& names, const WeightsLayout& weights,
                 SourceTree& tree) {
  const Identifier& model = names.model;
  const Identifier space = join({model, Identifier("memory")});
  const Code guard = include_guard(space);
  Printer out;
  out.line("// Where every intermediate result and every constant lies, in bytes.");
  out.line("#ifndef ", guard);
  out.line("#define ", guard);
  out.line();
  out.line("#include <stddef.h>");
  out.line("#include <stdint.h>");
  out.line();
  out.line("#include \"rt/elementary.h\"");
  out.line("#include \"rt/integer.h\"");
  out.line("#include \"rt/place.h\"");
  out.line();
  hide_from_here(out);
  out.line();
  out.line("namespace ", space, " {");
  out.line();
  out.line("using burin_rt::Place;");
  out.line();
  print_plan(plan, names, out);
  out.line();
  print_constants(plan, names, weights, out);
  out.line();
  if (plan.weights == WeightsMode::embed && weights.payload_bytes > 0) {
    out.line("const uint8_t* embedded_weights();  // in ", model, "_weights.cpp");
    out.line();
  }
  out.line("}  // namespace ", space);
  out.line();
  hide_to_here(out);
  out.line();
  out.line("#endif");
  tree.add("src/" + model.text() + "_memory.h",
           printed_code(print::with_line_breaks(out.code().text())), "header");
}

// Weights that are a part of those of the tree's own network.
void emit_weights_part(const TreeNames& names, SourceTree& tree) {
  const Identifier own = join({names.model, Identifier("memory")});
  const Identifier whole = join({names.places.tree, Identifier("memory")});
  Printer out;
  out.line("// The weights as bytes, among those of all networks.");
  out.line("#include \"", own, ".h\"");
  out.line("#include \"", whole, ".h\"");
  out.line();
  out.line("namespace ", own, " {");
  out.line();
  out.line("const uint8_t* embedded_weights() { return ", whole, "::embedded_weights() + ",
           names.places.weights_offset, "; }");
  out.line();
  out.line("}  // namespace ", own);
  tree.add("src/" + names.model.text() + "_weights.cpp", out.code(), "source");
}

Code embedded_weights(const TreeNames& names, const WeightsLayout& weights) {
  return weights.payload_bytes > 0 ? code(names.model, "_memory::embedded_weights()")
                                   : code("nullptr");
}

void emit_weights(const ModelPlan& plan, const TreeNames& names, const WeightsLayout& weights,
                  SourceTree& tree) {
  const Identifier& model = names.model;
  const TreePlaces& places = names.places;
  if (plan.weights == WeightsMode::blob) {
    if (places.weights_offset < 0)
      tree.add_stream(places.weights, weights_file(plan, weights), "weights");
    return;
  }
  if (weights.payload_bytes == 0) return;
  if (places.weights_offset >= 0) {
    emit_weights_part(names, tree);
    return;
  }
  std::string bytes;
  weights_file(plan, weights)([&](std::string_view piece) { bytes += piece; });
  bytes.erase(0, static_cast<size_t>(kWeightsHeaderBytes));
  const Identifier space = join({model, Identifier("memory")});
  Printer out;
  out.line("// The weights as bytes.");
  out.line("#include \"", model, "_memory.h\"");
  out.line();
  out.line("namespace ", space, " {");
  out.line("namespace {");
  out.line();
  const bool literal = bytes.size() <= kLongestLiteral;
  if (!literal) out.line("// clang-format off");
  out.line("alignas(", kWeightsAlign, ") constexpr ", literal ? Code("char") : Code("uint8_t"),
           literal ? Code(" kBytes[] =") : Code(" kBytes[] = {"));
  out.indent();
  out.indent();
  literal ? print_literal(out, bytes) : print_array(out, bytes);
  out.dedent();
  out.dedent();
  if (!literal) {
    out.line("};");
    out.line("// clang-format on");
  }
  out.line();
  out.line("}  // namespace");
  out.line();
  out.line(
      "const uint8_t* embedded_weights() { return reinterpret_cast<const uint8_t*>(kBytes); }");
  out.line();
  out.line("}  // namespace ", space);
  tree.add("src/" + model.text() + "_weights.cpp", out.code(), "source");
}

}  // namespace burin::cpp
