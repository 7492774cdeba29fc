// include/<name>.h: the whole public interface of a tree.
#include "backends/cpp/emit.h"
#include "backends/cpp/vocabulary.h"
#include "render/printed_code.h"
#include "render/printer.h"

namespace burin::cpp {
namespace {

Code macro(const TreeNames& names, const char* suffix) {
  return printed_code(names.macro + "_" + suffix);
}

void print_tensor(Printer& out, const ModelPlan& plan, const TreeNames& names, ValueId id,
                  bool is_input) {
  const Value& value = plan.graph.values[static_cast<size_t>(id)];
  out.comment(CommentText(
      value.name + ": " + std::string(to_string(value.type)) + to_string(value.shape), 200));
  out.line(is_input ? Code("const ") : Code(), printed_code(std::string(storage_type(value.type))),
           "* ", names.value(id), ";");
  if (!is_input && is_data_sized(value)) {
    out.line("// The elements that it can hold; the run sets its shape.");
    out.line("int64_t ", names.value(id), "_capacity;");
    out.line("int64_t ", names.value(id), "_shape[", std::max<size_t>(1, value.shape.size()), "];");
  }
}

}  // namespace

Code element_type(Type type) { return printed_code(std::string(storage_type(type))); }

bool is_data_sized(const Value& value) {
  std::vector<Symbol> symbols;
  for (const Dim& dim : value.shape) dim.collect_symbols(symbols);
  for (const Symbol& symbol : symbols) {
    if (symbol->origin != SymbolOrigin::param) return true;
  }
  return false;
}

void emit_interface(const ModelPlan& plan, const TreeNames& names, const WeightsLayout& weights,
                    SourceTree& tree) {
  const Identifier& model = names.model;
  Printer out;
  out.comment(CommentText("Interface of the network " + plan.graph.name, 200));
  out.line("//");
  out.line(
      "// Emitted by burin. One context serves one thread at a time; several contexts are "
      "independent.");
  out.line("#ifndef ", macro(names, "H"));
  out.line("#define ", macro(names, "H"));
  out.line();
  out.line("#include <stddef.h>");
  out.line("#include <stdint.h>");
  out.line();
  out.line("#ifdef __cplusplus");
  out.line("extern \"C\" {");
  out.line("#endif");
  out.line();
  out.line("// Sizes in bytes. The arena must start at a multiple of the alignment.");
  out.line("#define ", macro(names, "ARENA_ALIGN"), " ", plan.hardware.arena_align_bytes);
  if (plan.memory.arena_bytes.is_constant()) {
    out.line("#define ", macro(names, "ARENA_BYTES"), " ", plan.memory.arena_bytes.constant());
  } else if (plan.memory.arena_bound) {
    out.line("#define ", macro(names, "ARENA_BYTES"), " ", *plan.memory.arena_bound,
             "  // enough for every size in range");
  }
  if (plan.weights == WeightsMode::blob) {
    out.line("#define ", macro(names, "WEIGHTS_BYTES"), " ",
             kWeightsHeaderBytes + weights.payload_bytes);
    out.line("#define ", macro(names, "WEIGHTS_ALIGN"), " ", kWeightsAlign, "  // for speed; ",
             kWeightsLeastAlign, " is needed");
  } else {
    out.line("#define ", macro(names, "WEIGHTS_BYTES"), " 0  // they are part of the program");
  }
  out.line();
  if (!plan.graph.symbols.empty()) {
    out.line("// The sizes that only the caller knows.");
    out.line("typedef struct ", model, "_dims {");
    out.indent();
    for (const Symbol& symbol : plan.graph.symbols) {
      const std::string range = "from " + std::to_string(symbol->min) + " to " +
                                std::to_string(largest_size(plan, symbol));
      out.line("// ", printed_code(range));
      out.line("int64_t ", names.symbol(symbol), ";");
    }
    out.dedent();
    out.line("} ", model, "_dims;");
    out.line();
  }
  out.line("typedef struct ", model, "_inputs {");
  out.indent();
  for (const ValueId id : plan.graph.inputs) print_tensor(out, plan, names, id, true);
  if (plan.graph.inputs.empty()) out.line("char unused;");
  out.dedent();
  out.line("} ", model, "_inputs;");
  out.line();
  out.line("typedef struct ", model, "_outputs {");
  out.indent();
  for (const ValueId id : plan.graph.outputs) print_tensor(out, plan, names, id, false);
  out.dedent();
  out.line("} ", model, "_outputs;");
  out.line();
  out.line("// All state; its fields belong to the functions below.");
  out.line("typedef struct ", model, "_context {");
  out.indent();
  out.line("uint8_t* arena;");
  out.line("size_t arena_bytes;");
  out.line("const uint8_t* weights;");
  out.line("uint32_t ready;");
  out.dedent();
  out.line("} ", model, "_context;");
  out.line();
  const Code dims =
      plan.graph.symbols.empty() ? Code("void") : code("const ", model, "_dims* dims");
  out.line("// The arena that a run with these sizes needs; 0 when one is out of range.");
  out.line("size_t ", model, "_arena_bytes(", dims, ");");
  out.line();
  out.line("// Checks and remembers the caller's memory. Weights: the bytes of weights/", model,
           ".bin, or null and 0 when");
  out.line("// they are part of the program. Returns 0, or a status for ", model, "_strerror.");
  out.line("int32_t ", model, "_init(", model,
           "_context* context, void* arena, size_t arena_bytes, const void* weights, size_t "
           "weights_bytes);");
  out.line();
  out.line("// One inference. Inputs are only read; outputs are complete when it returns 0.");
  out.line("int32_t ", model, "_run(", model, "_context* context, ",
           plan.graph.symbols.empty() ? Code() : code("const ", model, "_dims* dims, "), "const ",
           model, "_inputs* inputs, ", model, "_outputs* outputs);");
  out.line();
  out.line("const char* ", model, "_strerror(int32_t status);");
  out.line();
  out.line("#ifdef __cplusplus");
  out.line("}");
  out.line("#endif");
  out.line();
  out.line("#endif");
  tree.add("include/" + model.text() + ".h", out.code(), "interface");
}

}  // namespace burin::cpp
