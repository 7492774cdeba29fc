// src/<name>.cpp: the functions of the interface. <name>_run checks what its caller passed and is
// the schedule; see emit_schedule.h.
#include "backends/cpp/emit.h"
#include "backends/cpp/emit_schedule.h"
#include "render/printed_code.h"
#include "render/printer.h"

namespace burin::cpp {
namespace {

// So that a context of zeros is never ready, not even for a network without weights.
constexpr uint32_t kMagicSalt = 0x4255524eu;

class Source {
 public:
  Source(const ModelPlan& plan, const TreeNames& names, const WeightsLayout& weights,
         PrintedSchedule schedule)
      : plan_(plan),
        names_(names),
        weights_(weights),
        schedule_(std::move(schedule)),
        model_(names.model),
        sized_(!plan.graph.symbols.empty()) {
    schedule_.headers.insert({"status.h", "crc32.h", "elementary.h", "integer.h"});
  }

  const Headers& headers() const { return schedule_.headers; }

  Code text() {
    print_prelude();
    print_arena_bytes();
    print_init();
    print_run();
    out_.line("const char* ", model_,
              "_strerror(int32_t status) { return burin_rt::status_text(status); }");
    out_.line();
    out_.line("}  // extern \"C\"");
    return out_.code();
  }

 private:
  void print_prelude() {
    out_.comment(CommentText(
        "The schedule of the network " + plan_.graph.name + ": one call per kernel.", 200));
    out_.line("#include \"", model_, ".h\"");
    out_.line();
    out_.line("#include \"", model_, "_memory.h\"");
    out_.line("#include \"kernels.h\"");
    for (const std::string& one : schedule_.headers)
      out_.line("#include \"rt/", printed_code(one), "\"");
    out_.line();
    out_.line("#ifdef __FAST_MATH__");
    out_.line("#error \"this tree needs IEEE arithmetic: compile it without -ffast-math\"");
    out_.line("#endif");
    out_.line();
    out_.line("namespace kernels = ", join({model_, Identifier("kernels")}), ";");
    out_.line();
    out_.line("namespace {");
    out_.line();
    out_.line("constexpr uint32_t kReady = ",
              printed_code(std::to_string(weights_.crc ^ kMagicSalt) + "u"),
              ";  // marks an initialised context of this network");
    out_.line();
    out_.line("}  // namespace");
    out_.line();
    out_.line("extern \"C\" {");
    out_.line();
  }

  // The sizes of the caller as locals; `refusal` is returned when one is out of range.
  void print_sizes(const char* refusal) {
    for (const Symbol& symbol : plan_.graph.symbols) {
      const Identifier& name = names_.symbol(symbol);
      out_.line("const int64_t ", name, " = dims->", name, ";");
      out_.line("if (", name, " < ", symbol->min, " || ", name, " > ", largest_size(plan_, symbol),
                ") return ", printed_code(refusal), ";");
    }
  }

  // What holds nothing may be null. `sized`: of the tensors of which only the sizes of this run say
  // so, which are known by then; else of those that always hold something.
  void print_null_checks(bool sized) {
    const auto check = [&](const char* list, ValueId id) {
      const Value& value = plan_.graph.values[static_cast<size_t>(id)];
      const Dim elements = product(value.shape);
      if (proven_le(1, elements)) {
        if (!sized)
          out_.line("if (", printed_code(list), names_.value(id),
                    " == nullptr) return burin_rt::kNullArgument;");
        return;
      }
      if (!sized || elements.is_constant(0)) return;
      const Code count = is_data_sized(value)
                             ? code(printed_code(list), names_.value(id), "_capacity")
                             : printed_code(size_text(elements, names_));
      out_.line("if (", printed_code(list), names_.value(id), " == nullptr && ", count,
                " != 0) return burin_rt::kNullArgument;");
    };
    for (const ValueId id : plan_.graph.inputs) check("inputs->", id);
    for (const ValueId id : plan_.graph.outputs) check("outputs->", id);
  }

  Code sizes() const {
    std::string all;
    for (const Symbol& symbol : plan_.graph.symbols)
      all += (all.empty() ? "" : ", ") + names_.symbol(symbol).text();
    return printed_code(all);
  }

  void print_arena_bytes() {
    out_.line("size_t ", model_, "_arena_bytes(",
              sized_ ? code("const ", model_, "_dims* dims") : Code("void"), ") {");
    out_.indent();
    if (sized_) {
      out_.line("if (dims == nullptr) return 0;");
      print_sizes("0");
      // Where pointers have 32 bits, more than they reach is out of range.
      out_.line("const int64_t bytes = ", model_, "_memory::plan(", sizes(), ").bytes;");
      out_.line("const size_t reachable = static_cast<size_t>(bytes);");
      out_.line("return static_cast<int64_t>(reachable) == bytes ? reachable : 0;");
    } else {
      out_.line("return static_cast<size_t>(", model_, "_memory::plan().bytes);");
    }
    out_.dedent();
    out_.line("}");
    out_.line();
  }

  void print_init() {
    out_.line("int32_t ", model_, "_init(", model_,
              "_context* context, void* arena, size_t arena_bytes, const void* weights, size_t "
              "weights_bytes) {");
    out_.indent();
    out_.line("if (context == nullptr) return burin_rt::kNullArgument;");
    out_.line("context->ready = 0;");
    out_.line("if (arena == nullptr && arena_bytes != 0) return burin_rt::kNullArgument;");
    out_.line("if (reinterpret_cast<uintptr_t>(arena) % ", plan_.hardware.arena_align_bytes,
              " != 0) return burin_rt::kArenaMisaligned;");
    if (!sized_)
      out_.line("if (arena_bytes < ", model_, "_arena_bytes()) return burin_rt::kArenaTooSmall;");
    if (plan_.weights == WeightsMode::blob) {
      out_.line("if (weights == nullptr) return burin_rt::kNullArgument;");
      out_.line("if (weights_bytes != ", kWeightsHeaderBytes + weights_.payload_bytes,
                ") return burin_rt::kWeightsWrongSize;");
      out_.line("if (reinterpret_cast<uintptr_t>(weights) % ", kWeightsLeastAlign,
                " != 0) return burin_rt::kInvalidArgument;");
      out_.line("const uint8_t* const bytes = static_cast<const uint8_t*>(weights);");
      out_.line("static const uint8_t kMagic[8] = {'B', 'U', 'R', 'I', 'N', 'W', 'T', '1'};");
      out_.line("for (int i = 0; i < 8; ++i) {");
      out_.line("  if (bytes[i] != kMagic[i]) return burin_rt::kWeightsCorrupt;");
      out_.line("}");
      out_.line("if (burin_rt::crc32(bytes + ", kWeightsHeaderBytes, ", ", weights_.payload_bytes,
                ") != ", printed_code(std::to_string(weights_.crc) + "u"),
                ") return burin_rt::kWeightsCorrupt;");
      out_.line("context->weights = bytes + ", kWeightsHeaderBytes, ";");
    } else {
      out_.line(
          "if (weights != nullptr || weights_bytes != 0) return burin_rt::kWeightsWrongSize;");
      out_.line("context->weights = ", model_, "_memory::embedded_weights();");
    }
    out_.line("context->parallel_for = nullptr;");
    out_.line("context->parallel_user = nullptr;");
    out_.line("context->arena = static_cast<uint8_t*>(arena);");
    out_.line("context->arena_bytes = arena_bytes;");
    out_.line("context->ready = kReady;");
    out_.line("return burin_rt::kOk;");
    out_.dedent();
    out_.line("}");
    out_.line();
  }

  void print_run() {
    out_.line("int32_t ", model_, "_run(", model_, "_context* context, ",
              sized_ ? code("const ", model_, "_dims* dims, ") : Code(), "const ", model_,
              "_inputs* inputs, ", model_, "_outputs* outputs) {");
    out_.indent();
    out_.line("if (context == nullptr || inputs == nullptr || outputs == nullptr",
              sized_ ? Code(" || dims == nullptr") : Code(), ") return burin_rt::kNullArgument;");
    out_.line("if (context->ready != kReady) return burin_rt::kNotInitialised;");
    print_null_checks(false);
    print_sizes("burin_rt::kDimensionOutOfRange");
    print_null_checks(true);
    if (sized_) {
      out_.line("const ", model_, "_memory::Plan memory = ", model_, "_memory::plan(", sizes(),
                ");");
      out_.line(
          "if (static_cast<uint64_t>(context->arena_bytes) < static_cast<uint64_t>(memory.bytes)) "
          "return "
          "burin_rt::kArenaTooSmall;");
    } else {
      out_.line("constexpr ", model_, "_memory::Plan memory = ", model_, "_memory::plan();");
    }
    out_.line("namespace constants = ", model_, "_memory::constants;");
    out_.line("uint8_t* const arena = context->arena;");
    out_.line("const uint8_t* const weights = context->weights;");
    out_.line("(void)arena;");
    out_.line("(void)weights;");
    out_.line("(void)memory;");
    if (const int workers = workers_of(plan_); workers > 1) {
      out_.line(
          "const burin_rt::Threads threads = {context->parallel_for, context->parallel_user, ",
          workers, "};");
    }
    declare_results();
    out_.line();
    out_.dedent();
    out_.block(schedule_.body);
    out_.indent();
    out_.line("return burin_rt::kOk;");
    out_.dedent();
    out_.line("}");
    out_.line();
  }

  // Sizes that a step finds out.
  void declare_results() {
    for_each_step(plan_.graph.steps, [&](const Step& step) {
      const auto declare = [&](const Symbol& symbol) {
        if (symbol) out_.line("int64_t ", names_.symbol(symbol), " = 0;");
      };
      if (const Procedure* procedure = std::get_if<Procedure>(&step)) {
        for (const Symbol& symbol : procedure->results) declare(symbol);
      }
      if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) declare((*loop)->executed);
    });
  }

  const ModelPlan& plan_;
  const TreeNames& names_;
  const WeightsLayout& weights_;
  PrintedSchedule schedule_;
  const Identifier& model_;
  const bool sized_;
  Printer out_;
};

}  // namespace

void emit_source(const ModelPlan& plan, const TreeNames& names, const KernelSet& kernels,
                 const WeightsLayout& weights, SourceTree& tree) {
  Source source(plan, names, weights, print_schedule(plan, names, kernels));
  emit_runtime(source.headers(), tree);
  tree.add("src/" + names.model.text() + ".cpp", source.text(), "source");
}

}  // namespace burin::cpp
