// test/: a program in C that runs the sample vectors of the plan, and the vectors.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "backends/cpp/emit_cpp.h"
#include "backends/cpp/vocabulary.h"
#include "backends/kept_states.h"
#include "backends/sample_text.h"
#include "hardware/capabilities.h"
#include "kernel/index/size_bound.h"
#include "print/line_breaks.h"
#include "render/printed_code.h"
#include "render/printer.h"
#include "render/template.h"
#include "support/embedded.h"
#include "support/line_columns.h"

namespace burin::cpp {
namespace {

constexpr size_t kPerLine = 8;  // elements

// The shortest decimal that gives this number back, in no locale.
template <class Float>
Code float_text(Float value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? Code("INFINITY") : Code("-INFINITY");
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  std::string text(digits, end.ptr);
  if (text.find_first_of(".e") == text.npos) text += ".0";
  return printed_code(sizeof value == sizeof(float) ? text + "f" : text);
}

// The elements as the C type of the interface holds them.
std::vector<Code> elements_of(const HostTensor& tensor) {
  std::vector<Code> out;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    const ScalarValue value = tensor.get(i);
    if (tensor.type == Type::f32) {
      out.push_back(float_text(static_cast<float>(value.number)));
    } else if (tensor.type == Type::f64) {
      out.push_back(float_text(value.number));
    } else if (is_float(tensor.type)) {
      const auto at = static_cast<size_t>(2 * i);
      out.push_back(Code::integer(std::to_integer<int>(tensor.bytes[at]) |
                                  std::to_integer<int>(tensor.bytes[at + 1]) << 8));
    } else if (tensor.type == Type::u64) {
      out.push_back(
          printed_code("UINT64_C(" + std::to_string(static_cast<uint64_t>(value.integer)) + ")"));
    } else {
      out.push_back(Code::integer(value.integer));
    }
  }
  if (out.empty()) out.push_back("0");  // C has no arrays of nothing
  return out;
}

Code array_name(size_t run, const char* kind, const Identifier& name) {
  return code("run_", run, "_", printed_code(kind), "_", name);
}

void print_array(Printer& out, const Code& type, const Code& name,
                 const std::vector<Code>& elements) {
  out.line("static const ", type, " ", name, "[", elements.size(), "] = {");
  out.indent();
  for (size_t at = 0, end = 0; at < elements.size(); at = end) {
    size_t columns = 0;
    for (end = at; end < elements.size() && end < at + kPerLine; ++end) {
      columns += elements[end].text().size() + 2;
      if (end > at && columns > kLineColumns - 2) break;
    }
    const std::vector<Code> line(elements.begin() + static_cast<std::ptrdiff_t>(at),
                                 elements.begin() + static_cast<std::ptrdiff_t>(end));
    out.line(join_code(line, ", "), end < elements.size() ? Code(",") : Code("};"));
  }
  out.dedent();
}

void print_array(Printer& out, const Code& name, const HostTensor& tensor) {
  print_array(out, element_type(tensor.type), name, elements_of(tensor));
}

// One element more of a sequence, as made_up_tensor has it (verify/made_inputs.h).
Code next_drawn(Type type) {
  switch (type) {
    case Type::f32:
      return "drawn_float32(&numbers)";
    case Type::f64:
      return "(double)drawn_float32(&numbers)";
    case Type::f16:
      return "drawn_float16(&numbers)";
    case Type::bf16:
      return "drawn_bfloat16(&numbers)";
    default:
      break;
  }
  const Code type_name = element_type(type);
  if (type == Type::boolean || size_bits(type) > 16)
    return code("(", type_name, ")below(2, &numbers)");
  return is_signed(type) ? code("(", type_name, ")(below(128, &numbers) - 64)")
                         : code("(", type_name, ")below(128, &numbers)");
}

// The arrays of a run, and the lines that fill those which are not text.
class RunPrinter {
 public:
  RunPrinter(const ModelPlan& plan, const TreeNames& names, size_t number)
      : plan_(plan), names_(names), run_(plan.self_test.runs[number]), number_(number) {}

  void print(Printer& out) {
    for (size_t i = 0; i < run_.inputs.size(); ++i) {
      const auto drawn = run_.drawn.find(i);
      if (drawn == run_.drawn.end()) {
        print_array(out, input(i), run_.inputs[i]);
        continue;
      }
      declare(out, input(i), run_.inputs[i]);
      fill_.line("numbers = sequence(", drawn->second.sequence, ");");
      fill_.line("for (size_t i = 0; i < ", run_.inputs[i].elements(), "; ++i) ", input(i),
                 "[i] = ", next_drawn(run_.inputs[i].type), ";");
      replace(out, input(i), run_.inputs[i],
              changed_elements(drawn->second.elements, run_.inputs[i]));
    }
    for (size_t k = 0; k < run_.outputs.size(); ++k) {
      const Code name = array_name(number_, "output", names_.value(plan_.graph.outputs[k]));
      const std::optional<KeptElements> kept = kept_elements(plan_, run_, k);
      if (!kept) {
        print_array(out, name, run_.outputs[k]);
        continue;
      }
      declare(out, name, run_.outputs[k]);
      fill_.line("memcpy(", name, ", ", input(kept->input), ", sizeof ", name, ");");
      replace(out, name, run_.outputs[k], kept->places);
    }
    if (run_.drawn.empty()) return;
    out.line("static void draw_run_", number_, "(void) {");
    out.indent();
    out.line("uint64_t numbers = 0;");
    out.block(fill_.code());
    out.dedent();
    out.line("}");
  }

 private:
  Code input(size_t i) const {
    return array_name(number_, "input", names_.value(plan_.graph.inputs[i]));
  }

  static void declare(Printer& out, const Code& name, const HostTensor& tensor) {
    out.line("static ", element_type(tensor.type), " ", name, "[", tensor.elements(), "];");
  }

  void replace(Printer& out, const Code& name, const HostTensor& tensor,
               const std::vector<int64_t>& places) {
    if (places.empty()) return;
    const std::vector<Code> all = elements_of(tensor);
    std::vector<Code> at, elements;
    for (const int64_t place : places) {
      at.push_back(Code::integer(place));
      elements.push_back(all[static_cast<size_t>(place)]);
    }
    print_array(out, "size_t", code(name, "_at"), at);
    print_array(out, element_type(tensor.type), code(name, "_is"), elements);
    fill_.line("for (size_t i = 0; i < ", places.size(), "; ++i) ", name, "[", name,
               "_at[i]] = ", name, "_is[i];");
  }

  const ModelPlan& plan_;
  const TreeNames& names_;
  const SampleRun& run_;
  size_t number_;
  Printer fill_;
};

Code kind_of(Type type) {
  switch (type) {
    case Type::f32:
      return "kFloat32";
    case Type::f64:
      return "kFloat64";
    case Type::f16:
      return "kFloat16";
    case Type::bf16:
      return "kBfloat16";
    case Type::i8:
      return "kInt8";
    case Type::u8:
      return "kUint8";
    default:
      return "kBytes";
  }
}

// An output that the run sizes gets what its bound asks for.
int64_t capacity_of(const Value& value, const SampleRun& run, const HostTensor& wanted) {
  int64_t capacity = 1;
  for (const Dim& dim : value.shape) {
    const std::optional<Dim> most = bound_before_run(dim);
    if (!most) return std::max<int64_t>(1, wanted.elements());
    capacity *= std::max<int64_t>(
        1, most->evaluate([&](const Index& leaf) { return run.sizes.at(leaf.as_symbol()->name); }));
  }
  return std::max(capacity, wanted.elements());
}

Record run_record(const ModelPlan& plan, const TreeNames& names, const SampleRun& run,
                  size_t number) {
  const auto value = [&](ValueId id) -> const Value& {
    return plan.graph.values[static_cast<size_t>(id)];
  };
  List dims, inputs, outputs;
  for (const Symbol& symbol : plan.graph.symbols)
    append(dims, {{"name", names.symbol(symbol)}, {"value", run.sizes.at(symbol->name)}});
  for (size_t i = 0; i < plan.graph.inputs.size(); ++i) {
    const Identifier& name = names.value(plan.graph.inputs[i]);
    append(inputs, {{"name", name}, {"data", array_name(number, "input", name)}});
  }
  const std::vector<KeptState> states = kept_states(plan);
  for (size_t i = 0; i < plan.graph.outputs.size(); ++i) {
    const ValueId id = plan.graph.outputs[i];
    List before;
    for (const KeptState& state : states) {
      if (state.output == id) append(before, {{"name", names.value(state.input)}});
    }
    const bool sized = is_data_sized(value(id));
    const HostTensor& wanted = run.outputs[i];
    List shape;
    for (const int64_t extent : wanted.shape) shape.emplace_back(extent);
    append(outputs, {{"name", names.value(id)},
                     {"c_type", element_type(wanted.type)},
                     {"kind", kind_of(wanted.type)},
                     {"elements", wanted.elements()},
                     {"capacity", sized ? capacity_of(value(id), run, wanted)
                                        : std::max<int64_t>(1, wanted.elements())},
                     {"sized", sized},
                     {"states", before},
                     {"shape", shape},
                     {"data", array_name(number, "output", names.value(id))},
                     {"absolute", float_text(plan.self_test.absolute[i])},
                     {"relative", float_text(plan.self_test.relative[i])},
                     {"off", run.most_off[i]}});
  }
  return {{"number", number},
          {"drawn", !run.drawn.empty()},
          {"dims", dims},
          {"inputs", inputs},
          {"outputs", outputs}};
}

}  // namespace

void emit_test(const ModelPlan& plan, const TreeNames& names, SourceTree& tree) {
  const std::vector<SampleRun>& runs = plan.self_test.runs;
  if (runs.empty()) return;
  Printer vectors;
  vectors.comment(CommentText("Sample vectors: " + plan.self_test.origin + ".", 200));
  vectors.line("#include <math.h>");
  vectors.line("#include <stdint.h>");
  const bool drawn = std::any_of(runs.begin(), runs.end(),
                                 [](const SampleRun& run) { return !run.drawn.empty(); });
  if (drawn) {
    vectors.line("#include <string.h>");
    vectors.line();
    vectors.line("#include \"drawn.h\"");
    tree.add(names.places.test + "drawn.h",
             printed_code(std::string(embedded_file("templates/cpp/test/drawn.h"))), "test");
  }
  vectors.line();
  vectors.line("// clang-format off");
  List records;
  for (size_t i = 0; i < runs.size(); ++i) {
    RunPrinter(plan, names, i).print(vectors);
    append(records, run_record(plan, names, runs[i], i));
  }
  tree.add(names.places.test + "checks.h",
           printed_code(std::string(embedded_file("templates/cpp/test/checks.h"))), "test");
  tree.add(names.places.test + "vectors.h", vectors.code(), "test");
  const Code self_test = Template::embedded("templates/cpp/test/self_test.c.in")
                             .render({{"name", names.model},
                                      {"macro", printed_code(names.macro)},
                                      {"weights_file", printed_code(names.places.weights)},
                                      {"part", names.places.weights_offset >= 0},
                                      {"blob", plan.weights == WeightsMode::blob},
                                      {"opencl", has_device(plan.hardware)},
                                      {"sized", !plan.graph.symbols.empty()},
                                      {"runs", records}});
  tree.add(names.places.test + "self_test.c",
           printed_code(print::with_line_breaks(self_test.text())), "test");
}

}  // namespace burin::cpp
