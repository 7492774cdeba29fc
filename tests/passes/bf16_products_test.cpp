// Products of bf16 by instructions that sum groups of two into floats: for drawn layers and every
// such instruction, the kernel that is planned and its program give what the model's kernel gives,
// in every element. Numbers are integers of a few bits, so that sums of floats are exact and their
// order does not matter.
#include "graph_fixture.h"
#include "isa/matrix_rows.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "select/integers/integer_schedule.h"
#include "support/numbers.h"

namespace burin::bf16_products_test {
namespace {

struct Instruction {
  const char* row;
  int vector_bytes;
  bool matrices = false;
};
constexpr Instruction kInstructions[] = {
    {"vdpbf16ps_512", 64}, {"bfdot_128", 16}, {"vdpbf16ps_512", 64, true}};

Hardware machine(const Instruction& one, int threads, int64_t cache_bytes) {
  Hardware out;
  out.vector.vector_bytes = one.vector_bytes;
  out.vector.registers = one.vector_bytes >= 64 ? 32 : 16;
  out.vector.loads_per_cycle = 2;
  out.vector.fma_per_cycle = 1;  // less than the row does
  out.memory.caches = {{cache_bytes, 4, 64, 1}};
  out.rows = {{one.row, 1, 5}};
  if (one.matrices) out.rows.push_back({"tdpbf16ps", 1, 52});
  out.threads_max = threads;
  return out;
}

class DrawnLayer {
 public:
  explicit DrawnLayer(uint64_t seed) : numbers_(seed) {}

  void convolution() {
    const int64_t parts = below(4) == 0 ? 2 : 1, in = 1 + below(40), filters = 1 + below(40),
                  taps = 1 + below(3), stride = 1 + below(2),
                  dilation = stride == 1 ? 1 + below(2) : 1, span = dilation * (taps - 1) + 1,
                  before = below(2), height = span + 4 + below(6), width = span + 4 + below(30),
                  oh = (height + 2 * before - span) / stride + 1,
                  ow = (width + 2 * before - span) / stride + 1;
    const Operand x = tensor("x", {parts, in, height, width}, false),
                  w = tensor("w", {parts, filters, in, taps, taps}, true);
    KernelBuilder kernel;
    const Index p = kernel.axis(parts), f = kernel.axis(filters), i = kernel.axis(oh),
                j = kernel.axis(ow), c = kernel.reduce_axis(in), u = kernel.reduce_axis(taps),
                v = kernel.reduce_axis(taps);
    const Index y = i * stride + u * dilation - before, z = j * stride + v * dilation - before;
    Expr tap = x.at({p, c, y, z});
    if (before > 0)
      tap = Expr::cases({{{{y, 0, height}, {z, 0, width}}, tap}}, Expr::constant(Type::f32, 0.0));
    finish(kernel, {parts, filters, oh, ow}, {p, f, i, j},
           kernel.reduce(Combiner::sum, {c, u, v}, tap * w.at({p, f, c, u, v})));
  }

  void product() {
    const int64_t batch = below(4) == 0 ? 3 : 1, m = 1 + below(40), n = 9 + below(70);
    product_of(batch, m, n, 8 + below(90));
  }
  void product_of(int64_t batch, int64_t m, int64_t n, int64_t k) {
    const bool turned = below(3) == 0;  // factor b comes with its rows as columns
    const Operand x = tensor("x", {batch, m, k}, false),
                  w = tensor("w",
                             turned ? std::vector<int64_t>{batch, n, k}
                                    : std::vector<int64_t>{batch, k, n},
                             below(3) != 0);
    KernelBuilder kernel;
    const Index b = kernel.axis(batch), i = kernel.axis(m), j = kernel.axis(n),
                r = kernel.reduce_axis(k);
    finish(kernel, {batch, m, n}, {b, i, j},
           kernel.reduce(Combiner::sum, {r},
                         x.at({b, i, r}) * (turned ? w.at({b, j, r}) : w.at({b, r, j}))));
  }

  GraphFixture g;
  std::vector<HostTensor> inputs;

 private:
  int64_t below(int64_t n) {
    return static_cast<int64_t>(numbers_.below(static_cast<uint64_t>(n)));
  }
  Operand tensor(const std::string& name, const std::vector<int64_t>& shape, bool constant) {
    const Shape dims(shape.begin(), shape.end());
    const Operand operand = constant ? g.constant(name, shape) : g.input(name, dims, Type::bf16);
    Value& value = g.graph.values[static_cast<size_t>(operand.value())];
    value.type = Type::bf16;
    HostTensor out = make_tensor(Type::bf16, shape);
    for (int64_t i = 0; i < out.elements(); ++i)
      out.set(i, {static_cast<double>(below(33) - 16) / 4, 0});
    if (constant) {
      value.constant = to_constant(out);
    } else {
      inputs.push_back(std::move(out));
    }
    return Operand(operand.value(), Type::bf16, dims);
  }
  // The sum, what follows in floats, and its rounding.
  void finish(KernelBuilder& kernel, const Shape& shape, const Indices& at, Expr value) {
    const Type type = below(2) ? Type::bf16 : Type::f32;
    if (below(2)) value = max(value + 0.5, Expr::constant(Type::f32, 0.0));
    kernel.write(g.output("y", shape, type), at, value);
    g.kernel("layer", kernel);
  }

  Numbers numbers_;
};

HostTensor result_of(const std::vector<Value>& values, const DrawnLayer& layer,
                     const Kernel& kernel, const loops::Program* program) {
  Environment environment;
  const KernelGraph& graph = layer.g.graph;
  for (size_t i = 0; i < graph.inputs.size(); ++i)
    environment.tensors[graph.inputs[i]] = layer.inputs[i];
  const RunResult result = program ? loops::run_loops(*program, values, environment)
                                   : execute_steps({Step(kernel)}, values, environment);
  EXPECT_EQ(result.status, kRunOk) << result.message;
  return environment.tensor(values, graph.outputs[0]);
}

// Text of the program; empty: the kernel has no such plan.
std::string checked(const DrawnLayer& layer, const Hardware& hardware, const Given& told) {
  const Kernel& given = std::get<Kernel>(layer.g.graph.steps[0]);
  const HostTensor wanted = result_of(layer.g.graph.values, layer, given, nullptr);
  std::vector<Value> values = layer.g.graph.values;
  const std::optional<LoopPlan> plan = schedule_integers(given, values, hardware, told);
  if (!plan) return {};
  const loops::Program& program = *plan->program;
  std::string text = loops::to_string(program);
  EXPECT_EQ(loops::to_string(loops::parse(text, isa::all_rows())), text);
  for (const std::string& fault : loops::verify(program)) ADD_FAILURE() << fault << "\n" << text;
  EXPECT_EQ(result_of(values, layer, plan->kernel, nullptr), wanted)
      << to_string(given, values) << to_string(plan->kernel, values);
  EXPECT_EQ(result_of(values, layer, plan->kernel, &program), wanted)
      << to_string(plan->kernel, values) << text;
  return text;
}

TEST(Bf16Products, DrawnLayersAreExact) {
  std::map<std::string, int> seen;
  for (uint64_t seed = 0; seed < 80; ++seed) {
    DrawnLayer layer(seed);
    seed % 2 ? layer.product() : layer.convolution();
    const Instruction& one = kInstructions[seed / 2 % std::size(kInstructions)];
    const Hardware hardware = machine(one, seed % 5 == 0 ? 4 : 1, seed % 3 ? 1 << 10 : 1 << 20);
    Verbs verbs;
    if (one.matrices) {
      // Told to, since layers as small as these repay no unit.
      const isa::MatrixShape& shape = isa::matrix_shapes()[seed % isa::matrix_shapes().size()];
      for (int64_t groups = isa::kMatrixGroups; groups > 0; --groups) {
        verbs = {{"instruction", {shape.rows * isa::kMatrixRows, shape.columns, groups}}};
        std::vector<Value> values = layer.g.graph.values;
        const std::optional<LoopPlan> plan = schedule_integers(
            std::get<Kernel>(layer.g.graph.steps[0]), values, hardware, {&verbs, false, nullptr});
        if (plan && plan->reason.find("add_matrix_") != std::string::npos) break;
      }
    }
    const std::string text = checked(layer, hardware, Given(&verbs, false, nullptr));
    if (HasFailure()) FAIL() << "seed " << seed << " for " << one.row;
    if (text.empty()) {
      ++seen["none"];
      continue;
    }
    const bool matrix = text.find("add_matrix_") != std::string::npos;
    ++seen[matrix ? "tdpbf16ps" : one.row];
    seen["window"] += text.find("buffer staged") != std::string::npos;
    seen["rows"] += text.find("buffer a_rows") != std::string::npos;
    EXPECT_TRUE(matrix || text.find(std::string("call ") + one.row) != std::string::npos) << text;
  }
  for (const char* row : {"vdpbf16ps_512", "bfdot_128", "tdpbf16ps"})
    EXPECT_GE(seen[row], 12) << row;
  EXPECT_LE(seen["none"], 20);  // of one row, of no tile
  EXPECT_GE(seen["window"], 10);
  EXPECT_GE(seen["rows"], 20);
}

// Rows that threads share and bundles of four do not divide: the last bundle of every part is
// whole.
TEST(Bf16Products, PartsOfRowsOfAnyNumber) {
  int shared = 0;
  for (int64_t rows = 9; rows < 41; ++rows) {
    DrawnLayer layer(static_cast<uint64_t>(rows));
    layer.product_of(1, rows, 57, 37);
    const std::string text = checked(layer, machine(kInstructions[1], 4, 1 << 10), {});
    shared +=
        text.find("staged_row") != std::string::npos && text.find("thread") != std::string::npos;
    if (HasFailure()) FAIL() << rows << " rows";
  }
  EXPECT_GE(shared, 10);
}

// A product in floats is no product of bf16, and one of which a factor was computed keeps the bits
// that bf16 has no room for.
TEST(Bf16Products, OtherFloatsStayFloats) {
  const Hardware hardware = machine(kInstructions[0], 1, 1 << 20);
  for (const bool computed : {false, true}) {
    GraphFixture g;
    const Type type = computed ? Type::bf16 : Type::f32;
    const Shape shape{32, 64}, shape_of_w{64, 48};
    const Operand x(g.input("x", shape, type).value(), type, shape),
        w(g.input("w", shape_of_w, type).value(), type, shape_of_w);
    KernelBuilder kernel;
    const Index i = kernel.axis(32), j = kernel.axis(48), r = kernel.reduce_axis(64);
    const Expr element = computed ? x.at({i, r}) * 1.1 : x.at({i, r});
    kernel.write(g.output("y", {32, 48}, Type::f32), {i, j},
                 kernel.reduce(Combiner::sum, {r}, element * w.at({r, j})));
    g.kernel("layer", kernel);
    std::vector<Value> values = g.graph.values;
    EXPECT_FALSE(schedule_integers(std::get<Kernel>(g.graph.steps[0]), values, hardware));
  }
}

}  // namespace
}  // namespace burin::bf16_products_test
