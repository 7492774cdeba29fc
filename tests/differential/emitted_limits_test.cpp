// Nothing that emitted code computes from sizes leaves 64 bits: ranges that would make it do so are
// refused with ranges that fit, and at every corner of those, and of what is taken where the caller
// gives no range, the code computes what it should under UndefinedBehaviorSanitizer.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <optional>
#include <sstream>

#include "backends/cpp/emit_cpp.h"
#include "differential/support/emitted.h"
#include "import/dims.h"
#include "pipeline.h"
#include "render/source_tree.h"
#include "support/diagnostics.h"
#include "support/onnx_writer.h"
#include "support/process.h"

namespace burin::emitted_limits_test {
namespace {

namespace w = onnx_writer;
using onnx_writer::Message;

constexpr const char* kModels = BURIN_SOURCE_DIR "/tests/models/";
constexpr int64_t kArena = 64;  // bytes that the program has

Compiled compiled(const std::string& model, const std::vector<std::string>& dims = {}) {
  CompileOptions options;
  options.model = model;
  options.name = "net";
  options.weights = WeightsMode::embed;
  for (const std::string& dim : dims) options.import.dims.push_back(parse_dim_binding(dim));
  return compile(options, project_hardware("cpp-generic"));
}

// Calls `visit` with the ends of the ranges, one combination after the other.
void for_each_corner(const ModelPlan& plan,
                     const std::function<void(const std::vector<int64_t>&)>& visit) {
  const std::vector<Symbol>& symbols = plan.graph.symbols;
  for (size_t corner = 0; corner < (size_t{1} << symbols.size()); ++corner) {
    std::vector<int64_t> sizes;
    for (size_t s = 0; s < symbols.size(); ++s)
      sizes.push_back(corner >> s & 1 ? cpp::largest_size(plan, symbols[s]) : symbols[s]->min);
    visit(sizes);
  }
}

int64_t arena_at(const ModelPlan& plan, const std::vector<int64_t>& sizes) {
  const std::vector<Symbol>& symbols = plan.graph.symbols;
  return evaluate(plan.memory, plan.memory.arena_bytes, [&](const Symbol& symbol) {
    size_t s = 0;
    while (symbols[s]->name != symbol->name) ++s;
    return sizes[s];
  });
}

// A program that prints for the sizes of each argument, "1,2,3", the bytes of the arena and the
// status of a run with less.
std::string program_of(const ModelPlan& plan) {
  const cpp::TreeNames names = cpp::name_everything(plan);
  std::ostringstream out;
  out << "#include <stdio.h>\n#include <stdlib.h>\n#include \"net.h\"\n"
      << "alignas(64) static unsigned char arena[" << kArena << "];\n"
      << "int main(int argc, char** argv) {\n"
      << "  static net_context context;\n"
      << "  if (net_init(&context, arena, sizeof arena, nullptr, 0) != 0) return 1;\n"
      << "  for (int i = 1; i < argc; ++i) {\n    char* at = argv[i];\n    net_dims dims;\n";
  for (const Symbol& symbol : plan.graph.symbols)
    out << "    dims." << names.symbol(symbol).text() << " = strtoll(at, &at, 10), ++at;\n";
  out << "    net_inputs inputs = {};\n    net_outputs outputs = {};\n";
  const auto set = [&](const char* list, ValueId id) {
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    out << "    " << list << "." << names.value(id).text() << " = reinterpret_cast<"
        << cpp::element_type(value.type).text() << "*>(arena);\n";
  };
  for (const ValueId id : plan.graph.inputs) set("inputs", id);
  for (const ValueId id : plan.graph.outputs) set("outputs", id);
  out << "    const size_t bytes = net_arena_bytes(&dims);\n"
      << "    printf(\"%zu %d\\n\", bytes, bytes > sizeof arena ? "
      << "net_run(&context, &dims, &inputs, &outputs) : 2);\n  }\n}\n";
  return out.str();
}

void expect_defined_at_corners(const ModelPlan& plan) {
  const ScratchFolder scratch;
  const cpp::EmittedTree emitted = cpp::emit(plan, {});
  write_tree(emitted.tree, scratch.path() + "/tree", emitted.manifest);
  const std::string program = scratch.path() + "/main";
  std::ofstream(program + ".cpp") << program_of(plan);
  std::vector<std::string> command = {
      "c++", "-std=c++17", "-fsanitize=undefined", "-fno-sanitize-recover=all",
      "-o",  program,      program + ".cpp"};
  for (const char* folder : {"/tree/include", "/tree/src"}) {
    command.push_back("-I");
    command.push_back(scratch.path() + folder);
  }
  for (const auto& [path, entry] : emitted.tree.entries()) {
    if (path.starts_with("src/") && path.ends_with(".cpp"))
      command.push_back(scratch.path() + "/tree/" + path);
  }
  const ProcessResult built = run_process(command, 120);
  ASSERT_EQ(built.exit_code, 0) << built.output;
  std::vector<std::string> call = {program};
  std::string expected;
  for_each_corner(plan, [&](const std::vector<int64_t>& sizes) {
    call.emplace_back();
    for (const int64_t size : sizes) call.back() += std::to_string(size) + ",";
    // Status 2: the arena is too small.
    expected += std::to_string(arena_at(plan, sizes)) + " 2\n";
  });
  EXPECT_EQ(run_process(call, 60).output, expected);
}

TEST(EmittedLimits, RangesOfTheGenerator) {
  for (const char* name : {"attention_shape_chain", "concat_sym", "matmul_sym", "softmax_sym"}) {
    SCOPED_TRACE(name);
    expect_defined_at_corners(compiled(std::string(kModels) + name + "/model.onnx").plan);
  }
}

// x: [a, b, c], turned around, softmax along two axes, added to what lies so already.
std::string turned_model() {
  const auto axis = [](int64_t at) { return w::integer_attribute("axis", at); };
  const Message around =
      w::attribute("perm", w::kIntegers).integer(8, 2).integer(8, 1).integer(8, 0);
  return w::model(w::graph({.nodes = {w::node("Transpose", {"x"}, {"t"}, {around}),
                                      w::node("Softmax", {"t"}, {"s"}, {axis(-1)}),
                                      w::node("Softmax", {"s"}, {"u"}, {axis(0)}),
                                      w::node("Add", {"u", "y"}, {"z"})},
                            .initializers = {},
                            .inputs = {w::value("x", w::kFloat, {"a", "b", "c"}),
                                       w::value("y", w::kFloat, {"c", "b", "a"})},
                            .outputs = {Message().text(1, "z")}}))
      .bytes();
}

TEST(EmittedLimits, RangesOfTheUser) {
  const ScratchFolder scratch;
  const std::string model = scratch.path() + "/model.onnx";
  std::ofstream(model, std::ios::binary) << turned_model();
  std::string hint;
  try {
    compiled(model, {"a=1..4000000000", "b=1..4000000000", "c=1..4000000000"});
  } catch (const Refused& refused) {
    EXPECT_EQ(refused.diagnostics.at(0).rule, "limit");
    hint = refused.diagnostics.at(0).hint;
  }
  const std::string end = hint.substr(hint.rfind('.') + 1, hint.rfind('\'') - hint.rfind('.') - 1);
  EXPECT_EQ(hint, "ranges that fit are --dim 'a=1.." + end + "' --dim 'b=1.." + end +
                      "' --dim 'c=1.." + end + "'");
  // Above what is suggested, as far as it is taken.
  const auto plan_to = [&](int64_t most) -> std::optional<Compiled> {
    const std::string last = std::to_string(most);
    try {
      return compiled(model, {"a=1.." + last, "b=1.." + last, "c=1.." + last});
    } catch (const Refused&) {
      return std::nullopt;
    }
  };
  int64_t taken = std::stoll(end), refused = 4000000000;
  ASSERT_TRUE(plan_to(taken));
  while (refused - taken > 1) {
    const int64_t middle = taken + (refused - taken) / 2;
    (plan_to(middle) ? taken : refused) = middle;
  }
  expect_defined_at_corners(plan_to(taken)->plan);
}

}  // namespace
}  // namespace burin::emitted_limits_test
