// Products of 8-bit integers: for drawn layers and every instruction of the project's descriptions
// (and one of VNNI's narrower ones), the kernel that is planned and its program give what the
// model's kernel gives by its definition, in every element. Nothing here is near anything: all sums
// are integers.
#include <algorithm>

#include "graph_fixture.h"
#include "hardware/load.h"
#include "isa/all_rows.h"
#include "isa/bundles.h"
#include "isa/dot_rows.h"
#include "isa/matrix_rows.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "loops/walk.h"
#include "select/integers/integer_schedule.h"
#include "select/integers/integer_sum.h"
#include "select/integers/tile_choice.h"
#include "support/numbers.h"

namespace burin::integers_test {
namespace {

Hardware machine(const std::string& row, int vector_bytes, int threads, int64_t cache_bytes) {
  Hardware hardware;
  hardware.vector.vector_bytes = vector_bytes;
  hardware.vector.registers = vector_bytes >= 64 ? 32 : 16;
  hardware.vector.loads_per_cycle = 2;
  hardware.memory.caches = {{cache_bytes, 4, 64, 1}};
  hardware.rows = {{row, 1, 5}};
  if (vector_bytes == 128)
    for (const char* more : {"vmpyowh_1024", "vmpyiewh_1024", "vlutvvb_1024", "vmaxub_1024",
                             "vrmpybusi_1024", "vrmpyubi_1024", "valignb_1024", "vshuffvdd_1024"})
      hardware.rows.push_back({more, 1, 2});
  hardware.threads_max = threads;
  return hardware;
}

const std::vector<std::pair<std::string, int>> kRows = {
    {"vpdpbusd_512", 64},  {"vpdpbusd_256", 32},    {"vpmaddwd_256", 32}, {"pmaddwd_128", 16},
    {"vpdpwssd_512", 64},  {"sdot_128", 16},        {"udot_128", 16},     {"vrmpybus_1024", 128},
    {"vrmpyub_1024", 128}, {"vrmpybusv_1024", 128}, {"vrmpybv_1024", 128}};

class DrawnLayer {
 public:
  explicit DrawnLayer(uint64_t seed) : numbers_(seed) {}

  Operand bytes(const std::string& name, const std::vector<int64_t>& shape, Type type,
                bool constant) {
    Shape dims(shape.begin(), shape.end());
    const Operand operand = constant ? g.constant(name, shape) : g.input(name, dims, type);
    Value& value = g.graph.values[static_cast<size_t>(operand.value())];
    value.type = type;
    HostTensor tensor = make_tensor(type, shape);
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      const int64_t lo = lowest(type), hi = highest(type);
      // The ends of the range are where instructions differ.
      const int64_t drawn = lo + numbers_.below(static_cast<uint64_t>(hi - lo + 1));
      tensor.set(i, {0, numbers_.below(8) == 0 ? (numbers_.below(2) ? lo : hi) : drawn});
    }
    if (constant) {
      value.constant = to_constant(tensor);
    } else {
      inputs.push_back(std::move(tensor));
    }
    return Operand(operand.value(), type, dims);
  }
  // Everything beside the sum is known: weights of i8 without a zero point, results of bytes.
  bool known = false;
  // Sums are divided by a scale, and what follows is quantised again, at times with a residual and
  // behind a function.
  bool quantised = false;
  // Rows of nearly a vector's positions, with many filters.
  bool whole_rows = false;
  // Strides of rows are others than those of columns, which lie one behind the other.
  bool strides_apart = false;
  // Of products and channels of convolutions; 0: drawn.
  int64_t depth = 0;

  // A zero point: none, a number, or one that arrives.
  Expr zero(const std::string& name, Type type) {
    switch (below(known ? 2 : 3)) {
      case 0:
        return Expr::constant(Type::i32, 0);
      case 1:
        return Expr::constant(Type::i32, lowest(type) + below(256));
      default:
        return Expr::cast(Type::i32, bytes(name, {}, type, false).at({}));
    }
  }
  Expr minus(const Expr& stored, const Expr& zero) {
    const Expr wide = Expr::cast(Type::i32, stored);
    return zero.is_constant(0) ? wide : wide - zero;
  }
  int64_t below(int64_t n) {
    return static_cast<int64_t>(numbers_.below(static_cast<uint64_t>(n)));
  }
  Type byte() { return below(2) ? Type::u8 : Type::i8; }

  // Groups, strides, dilations, margins; sums requantised, or as they are.
  void convolution() {
    const int64_t groups = below(3) == 0 ? 1 + below(4) : 1, taps_y = 1 + below(4),
                  taps_x = 1 + below(6);
    const bool depthwise = !whole_rows && depth == 0 && below(4) == 0;
    const int64_t in = depthwise   ? 1
                       : depth > 0 ? depth
                                   : 1 + below(9),
                  filters = depthwise ? 1 : (whole_rows ? 16 : 1) + below(20);
    const int64_t parts = depthwise ? 5 + below(8) : groups;
    const int64_t stride = strides_apart ? 1 : 1 + below(2),
                  row_stride = strides_apart ? 1 + below(3) : stride,
                  dilation = stride == 1 ? 1 + below(2) : 1, before = below(3);
    const int64_t height = dilation * (taps_y - 1) + 6 + below(9),
                  width = whole_rows ? 27 + below(6) : dilation * (taps_x - 1) + 6 + below(30);
    const auto results = [&](int64_t size, int64_t taps, int64_t step) {
      return (size + 2 * before - dilation * (taps - 1) - 1) / step + 1;
    };
    const int64_t oh = results(height, taps_y, row_stride), ow = results(width, taps_x, stride);
    const Type type = byte(), of_weights = known ? Type::i8 : byte();
    const Operand x = bytes("x", {parts, in, height, width}, type, false),
                  w = bytes("w", {parts, filters, in, taps_y, taps_x}, of_weights, true);
    const Expr zx = zero("zx", type);
    const Expr zw = !known && below(2) ? Expr::constant(Type::i32, lowest(of_weights) + below(256))
                                       : Expr::constant(Type::i32, 0);
    KernelBuilder kernel;
    const Index p = kernel.axis(parts), f = kernel.axis(filters), i = kernel.axis(oh),
                j = kernel.axis(ow), c = kernel.reduce_axis(in), u = kernel.reduce_axis(taps_y),
                v = kernel.reduce_axis(taps_x);
    const Index y = i * row_stride + u * dilation - before, z = j * stride + v * dilation - before;
    Expr tap = minus(x.at({p, c, y, z}), zx);
    if (before > 0)
      tap = Expr::cases({{{{y, 0, height}, {z, 0, width}}, tap}}, Expr::constant(Type::i32, 0));
    const Expr sum =
        kernel.reduce(Combiner::sum, {c, u, v}, tap * minus(w.at({p, f, c, u, v}), zw));
    finish(kernel, {parts, filters, oh, ow}, {p, f, i, j}, sum);
  }

  void product() {
    // Heads lie apart in the result, as attention wants them.
    const int64_t heads = below(4) == 0 ? 3 : 1;
    const int64_t m = 1 + below(24), n = heads * ((9 + below(70)) / heads),
                  k = depth > 0 ? depth : 8 + below(90);
    const bool constant = below(4) != 0;
    const Type type = byte(), of_weights = byte();
    const Operand x = bytes("x", {m, k}, type, false), w = bytes("w", {k, n}, of_weights, constant);
    const Expr zx = zero("zx", type);
    const Expr zw = constant ? Expr::constant(Type::i32, lowest(of_weights) + below(256))
                             : zero("zw", of_weights);
    KernelBuilder kernel;
    const Index i = kernel.axis(m), j = kernel.axis(n), r = kernel.reduce_axis(k);
    const Expr sum =
        kernel.reduce(Combiner::sum, {r}, minus(x.at({i, r}), zx) * minus(w.at({r, j}), zw));
    if (heads == 1) {
      finish(kernel, {m, n}, {i, j}, sum);
    } else {
      finish(kernel, {heads, m, n / heads}, {floordiv(j, n / heads), i, mod(j, n / heads)}, sum);
    }
  }

  GraphFixture g;
  std::vector<HostTensor> inputs;

 private:
  void finish(KernelBuilder& kernel, const Shape& shape, const Indices& at, const Expr& sum) {
    Expr value = sum;
    Type type = Type::i32;
    if (quantised) {
      type = byte();
      value = requantised(shape, at, sum, type);
    } else if (known || below(2)) {
      type = byte();
      const double scale = known ? 0.00123 : 0x1p-9;
      const Expr scaled = Expr::cast(Type::f32, sum) * Expr::constant(Type::f32, scale);
      value = Expr::cast(type, Expr::unary(Unary::round, scaled), CastMode::saturate);
      if (below(2)) {
        // As a residual: something else is read beside the sum.
        const Operand beside = bytes("beside", sizes(shape), type, false);
        const Expr both = Expr::cast(Type::i32, value) + Expr::cast(Type::i32, beside.at(at));
        value = Expr::cast(type, both, CastMode::saturate);
      }
    }
    kernel.write(g.output("y", shape, type), at, value);
    g.kernel("layer", kernel);
  }
  Expr number(const std::string& name, double least, double most) {
    return g.constant(name, {}, least + (most - least) * static_cast<double>(below(1000)) / 1000)
        .at({});
  }
  static Expr to_byte(Type type, const Expr& x, const Expr& scale, int64_t zero) {
    return Expr::cast(type, Expr::unary(Unary::round, x / scale) + static_cast<double>(zero),
                      CastMode::saturate);
  }
  static Expr to_float(const Expr& byte, const Expr& scale, int64_t zero) {
    return Expr::cast(Type::f32, Expr::cast(Type::i32, byte) - Expr::constant(Type::i32, zero)) *
           scale;
  }
  Expr requantised(const Shape& shape, const Indices& at, const Expr& sum, Type type) {
    const Type between = byte();
    const Expr scale = number("scale", 0.001, 0.02), first = number("first", 0.05, 0.9),
               last = number("last", 0.05, 0.9);
    const int64_t zero = lowest(between) + below(256);
    const Expr made = to_byte(between, Expr::cast(Type::f32, sum) * scale, first, zero);
    Expr x = to_float(made, first, zero);
    if (below(3) == 0) {
      const Operand beside = bytes("beside", sizes(shape), type, false);
      const Expr both = to_byte(between, x + to_float(beside.at(at), last, 3), first, zero);
      x = to_float(both, first, zero);
    }
    if (below(2))
      x = x * (Expr::constant(Type::f32, 1.0) / (Expr::unary(Unary::exp, -x) + 1.0));
    else
      x = max(x, Expr::constant(Type::f32, 0.0));
    return to_byte(type, x, last, lowest(type) + below(256));
  }
  static std::vector<int64_t> sizes(const Shape& shape) {
    std::vector<int64_t> out;
    for (const Dim& dim : shape) out.push_back(dim.constant());
    return out;
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

struct Seen {
  int apart = 0, planned = 0, shared = 0, staged_planes = 0, sliding = 0, from_registers = 0,
      by_line = 0, by_table = 0, products_of_quotients = 0, moved = 0, from_bytes = 0, fours = 0,
      padded = 0, padded_fours = 0, padded_phases = 0, looked_at_once = 0, narrow_last = 0,
      held = 0, made_up = 0, pairs = 0, starts = 0, whole_windows = 0, matrices = 0,
      windows_by_matrices = 0, bytes_by_matrices = 0, staged_for_matrices = 0;
  std::map<std::string, int> bundles = {};  // by their row
  int staged_bundles = 0, shared_margins = 0;
};

void check_layer(const DrawnLayer& layer, const Hardware& hardware, Seen& seen,
                 const isa::Rows& rows = isa::all_rows(), const Given& told = {}) {
  const Kernel& given = std::get<Kernel>(layer.g.graph.steps[0]);
  const HostTensor wanted = result_of(layer.g.graph.values, layer, given, nullptr);
  std::vector<Value> values = layer.g.graph.values;
  const std::optional<LoopPlan> schedule = schedule_integers(given, values, hardware, told, rows);
  if (!schedule) return;
  const loops::Program& program = *schedule->program;
  ++seen.planned;
  seen.shared += schedule->cut.has_value();
  for (const loops::Buffer& buffer : program.buffers) seen.staged_planes += buffer.name == "staged";
  const std::string text = loops::to_string(program);
  loops::for_each(program.body, [&](const loops::Stmt& stmt) {
    loops::for_each_expr(stmt, [&](const Expr& expr) {
      visit(expr, [&](const ExprNode& node) {
        seen.from_registers +=
            node.kind == ExprKind::load &&
            program.buffers[static_cast<size_t>(node.id)].scope == loops::Scope::registers;
      });
    });
  });
  for (const loops::Buffer& buffer : program.buffers)
    seen.apart += buffer.name == "results" && buffer.scope == loops::Scope::stack;
  std::vector<Dim> widths;
  for (const loops::Buffer& buffer : program.buffers) {
    if (buffer.name.starts_with("sums") && buffer.scope == loops::Scope::registers)
      widths.push_back(buffer.shape[1]);
  }
  seen.narrow_last += std::any_of(widths.begin(), widths.end(),
                                  [&](const Dim& one) { return !(one == widths[0]); });
  const bool fours = text.find("_1024_fours") != std::string::npos;
  seen.sliding += fours || text.find("_slide") != std::string::npos;
  seen.fours += fours;
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  const bool fours_padded = has("pad_fours_") || has("pad_known_fours_");
  seen.padded += has("pad_rows_") || has("pad_known_rows_");
  seen.padded_fours += fours_padded;
  seen.padded_phases += fours_padded && has("_by2");
  seen.held += has("_held ");
  seen.made_up += has("call dot5 ");
  seen.pairs += has("_rtt_1024");
  for (const loops::Buffer& buffer : program.buffers) seen.starts += buffer.name == "starts";
  for (const loops::Buffer& buffer : program.buffers)
    seen.whole_windows += buffer.name == "staged" && has("_rtt_1024_whole");
  for (const isa::BundleRow& bundle : isa::bundles()) {
    if (!has(("call " + bundle.row + " ").c_str())) continue;
    ++seen.bundles[bundle.row];
    for (const loops::Buffer& buffer : program.buffers)
      seen.staged_bundles += buffer.name == "a_rows";
  }
  const bool matrix = has("add_matrix_");
  seen.matrices += matrix;
  seen.bytes_by_matrices += matrix && has("look_up_");
  for (const loops::Buffer& buffer : program.buffers) {
    seen.windows_by_matrices += matrix && buffer.name == "staged";
    seen.staged_for_matrices += matrix && buffer.name == "a_rows";
  }
  seen.shared_margins += has("margin_column");
  seen.looked_at_once += text.find("any_near_") != std::string::npos;
  seen.moved += text.find("interleave_") != std::string::npos;
  for (const loops::Buffer& buffer : program.buffers) seen.from_bytes += buffer.name == "bytes";
  seen.by_table += text.find("look_up_") != std::string::npos;
  seen.products_of_quotients += text.find("fma(") != std::string::npos;
  seen.by_line += text.find("requantise_") != std::string::npos;
  EXPECT_EQ(loops::to_string(loops::parse(text, rows)), text);
  for (const std::string& fault : loops::verify(program)) ADD_FAILURE() << fault << "\n" << text;
  EXPECT_EQ(result_of(values, layer, schedule->kernel, nullptr), wanted)
      << to_string(given, values) << to_string(schedule->kernel, values);
  EXPECT_EQ(result_of(values, layer, schedule->kernel, &program), wanted)
      << to_string(schedule->kernel, values) << text;
}

TEST(Integers, DrawnConvolutionsAreExact) {
  Seen seen;
  for (uint64_t seed = 0; seed < 90; ++seed) {
    DrawnLayer layer(seed);
    layer.convolution();
    const auto& [row, bytes] = kRows[seed % kRows.size()];
    // A small cache makes bands.
    check_layer(layer, machine(row, bytes, seed % 5 == 0 ? 4 : 1, seed % 2 ? 1 << 10 : 1 << 20),
                seen);
    if (HasFailure()) FAIL() << "seed " << seed << " for " << row;
  }
  EXPECT_GE(seen.planned, 55);
  EXPECT_GE(seen.shared, 5);
  EXPECT_GE(seen.staged_planes, 40);
  EXPECT_GE(seen.sliding, 15);
  EXPECT_GE(seen.from_registers, 15);
}

TEST(Integers, BytesByLinesAreExact) {
  Seen seen;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    DrawnLayer layer(seed + 2000);
    layer.known = true;
    layer.convolution();
    check_layer(layer, machine("vrmpybus_1024", 128, seed % 5 == 0 ? 4 : 1, 1 << 20), seen);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  // Rows that threads share.
  for (uint64_t seed = 0; seed < 20; ++seed) {
    DrawnLayer layer(seed + 2100);
    layer.known = layer.quantised = true;
    layer.product();
    check_layer(layer, machine("vrmpybus_1024", 128, 4, 1 << 20), seen);
    if (HasFailure()) FAIL() << "seed " << seed << " of products";
  }
  EXPECT_GE(seen.by_line, 15);
  EXPECT_GE(seen.fours, 8);
  EXPECT_GE(seen.padded, 15);
  EXPECT_GE(seen.looked_at_once, 5);
  EXPECT_GE(seen.narrow_last, 5);
  EXPECT_GE(seen.held, 1);
  EXPECT_GE(seen.padded_fours, 5);
  EXPECT_GE(seen.padded_phases, 1);
  EXPECT_GE(seen.moved, 3);
  EXPECT_GE(seen.from_bytes, 8);
  EXPECT_GE(seen.shared, 1);
}

// A row of a plane ends where the next one begins, but where rows are skipped; in bands and whole.
TEST(Integers, RowsThatShareMarginsAreExact) {
  Seen seen;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    DrawnLayer layer(seed + 2300);
    layer.known = layer.strides_apart = true;
    layer.convolution();
    check_layer(layer, machine("vrmpybus_1024", 128, 1, seed % 2 ? 1 << 10 : 1 << 20), seen);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(seen.shared_margins, 8);
  EXPECT_GE(seen.planned, 25);
}

// Two rows of constants at a time, whose sums begin with what was taken off these.
TEST(Integers, PairsOfRowsAreExact) {
  Seen seen;
  for (uint64_t seed = 0; seed < 70; ++seed) {
    DrawnLayer layer(seed + 2200);
    layer.whole_rows = seed >= 50;
    layer.known = seed % 3 != 0;
    layer.convolution();
    Hardware hardware =
        machine("vrmpybus_1024", 128, seed % 5 == 0 ? 4 : 1, seed % 2 ? 1 << 10 : 1 << 20);
    hardware.rows.front().per_cycle = 2;
    for (const char* more : {"vrmpyub_1024", "vrmpyub_rtt_1024"})
      hardware.rows.push_back({more, 2, 2});
    check_layer(layer, hardware, seen);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(seen.pairs, 15);
  EXPECT_GE(seen.starts, 10);
  EXPECT_GE(seen.pairs - seen.starts, 1);
  EXPECT_GE(seen.whole_windows, 2);
}

// Four rows at a time by lanes of a vector, two by blocks of 2 x 2 sums: rows of constants and rows
// that are staged, of a number that bundles divide or do not.
TEST(Integers, BundlesOfRowsAreExact) {
  Seen seen;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    DrawnLayer layer(seed + 2400);
    layer.quantised = seed % 4 < 2;
    seed % 2 ? layer.product() : layer.convolution();
    Hardware hardware =
        machine("sdot_128", 16, seed % 5 == 0 ? 4 : 1, seed % 3 ? 1 << 10 : 1 << 20);
    hardware.vector.registers = 32;
    hardware.rows.front() = {"sdot_128", 2, 3};
    hardware.rows.push_back({"udot_128", 2, 3});
    if (seed % 3 == 1) hardware.rows.push_back({"smmla_128", 2, 3});
    if (seed % 3 == 2) hardware.rows.push_back({seed / 3 % 2 ? "ummla_128" : "usmmla_128", 2, 3});
    check_layer(layer, hardware, seen);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(seen.bundles["sdot_128_rows"], 5);
  EXPECT_GE(seen.bundles["udot_128_rows"], 1);
  EXPECT_GE(seen.bundles["smmla_128"], 5);
  EXPECT_GE(seen.bundles["ummla_128"], 1);
  EXPECT_GE(seen.bundles["usmmla_128"], 1);
  EXPECT_GE(seen.staged_bundles, 10);
}

// Tiles of a unit for matrices, of every shape and of as many groups in a step as there may be:
// told to, since layers as small as these repay none.
TEST(Integers, MatricesAreExact) {
  Seen seen;
  std::set<std::string> shapes;
  for (uint64_t seed = 0; seed < 64; ++seed) {
    DrawnLayer layer(seed + 5000);
    layer.quantised = seed % 4 < 2;
    seed % 2 ? layer.product() : layer.convolution();
    Hardware hardware =
        machine("vpdpbusd_512", 64, seed % 5 == 0 ? 4 : 1, seed % 3 ? 1 << 10 : 1 << 20);
    for (const char* more : {"tdpbusd", "vpermi2w_512"}) hardware.rows.push_back({more, 1, 52});
    hardware.instructions.fma = true;
    const isa::MatrixShape& shape = isa::matrix_shapes()[seed % isa::matrix_shapes().size()];
    for (int64_t groups = isa::kMatrixGroups; groups > 0; --groups) {
      const Verbs verbs{{"instruction", {shape.rows * isa::kMatrixRows, shape.columns, groups}}};
      const Given told(&verbs, false, nullptr);
      std::vector<Value> values = layer.g.graph.values;
      const std::optional<LoopPlan> plan = schedule_integers(
          std::get<Kernel>(layer.g.graph.steps[0]), values, hardware, told, isa::all_rows());
      if (!plan || plan->reason.find("add_matrix_") == std::string::npos) continue;
      shapes.insert(std::to_string(shape.rows * 8 + shape.columns));
      check_layer(layer, hardware, seen, isa::all_rows(), told);
      if (HasFailure()) FAIL() << "seed " << seed << ", " << groups << " groups";
      break;
    }
  }
  EXPECT_GE(seen.matrices, 40);
  EXPECT_GE(seen.windows_by_matrices, 5);
  EXPECT_GE(seen.bytes_by_matrices, 10);
  EXPECT_GE(seen.staged_for_matrices, 10);
  EXPECT_EQ(shapes.size(), isa::matrix_shapes().size());
}

// Depths whose groups few numbers divide have a few groups more, of zeros, so that steps are long:
// 17 groups are two steps of 9, 43 three of 15.
TEST(Integers, MatricesTakeDepthsThatNoStepDivides) {
  Seen seen;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    DrawnLayer layer(seed + 7000);
    layer.quantised = seed % 4 < 2;
    layer.depth = std::vector<int64_t>{68, 65, 172, 74, 116, 92}[seed % 6];
    seed % 3 ? layer.product() : layer.convolution();
    Hardware hardware =
        machine("vpdpbusd_512", 64, seed % 5 == 0 ? 4 : 1, seed % 2 ? 1 << 10 : 1 << 20);
    for (const char* more : {"tdpbusd", "vpermi2w_512"}) hardware.rows.push_back({more, 1, 52});
    hardware.instructions.fma = true;
    const isa::MatrixShape& shape = isa::matrix_shapes()[seed % isa::matrix_shapes().size()];
    const int64_t groups = (layer.depth + 3) / 4, steps = (groups + 15) / 16,
                  longest = (groups + steps - 1) / steps;
    const Verbs verbs{{"instruction", {shape.rows * isa::kMatrixRows, shape.columns, longest}}};
    const int before = seen.matrices;
    check_layer(layer, hardware, seen, isa::all_rows(), Given(&verbs, false, nullptr));
    EXPECT_EQ(seen.matrices, before + 1) << layer.depth << " in steps of " << longest;
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(seen.windows_by_matrices, 2);
  EXPECT_GE(seen.staged_for_matrices, 4);
}

// Where it repays, it is taken: a convolution of many channels; not one of three, nor one row.
TEST(Integers, MatricesAreTakenWhereTheyPay) {
  const Hardware amx = load_hardware(BURIN_SOURCE_DIR "/configs/x86-64-v4-amx.json");
  const auto reason_of = [&](int64_t m, int64_t n, int64_t k) {
    GraphFixture g;
    const Operand x = Operand(g.input("x", {k, n}, Type::u8).value(), Type::u8, {k, n});
    Operand w = g.constant("w", {m, k});
    Value& value = g.graph.values[static_cast<size_t>(w.value())];
    value.type = Type::i8;
    value.constant = to_constant(make_tensor(Type::i8, {m, k}));
    w = Operand(w.value(), Type::i8, {m, k});
    KernelBuilder kernel;
    const Index i = kernel.axis(m), j = kernel.axis(n), r = kernel.reduce_axis(k);
    kernel.write(
        g.output("y", {m, n}, Type::i32), {i, j},
        kernel.reduce(Combiner::sum, {r},
                      Expr::cast(Type::i32, w.at({i, r})) * Expr::cast(Type::i32, x.at({r, j}))));
    g.kernel("layer", kernel);
    const std::optional<LoopPlan> plan = schedule_integers(
        std::get<Kernel>(g.graph.steps[0]), g.graph.values, amx, {}, isa::all_rows());
    return plan ? plan->reason : "";
  };
  EXPECT_NE(reason_of(256, 3136, 576).find("add_matrix_32x32"), std::string::npos)
      << reason_of(256, 3136, 576);
  EXPECT_EQ(reason_of(256, 3136, 4).find("add_matrix"), std::string::npos);
  EXPECT_EQ(reason_of(1, 1024, 1024).find("add_matrix"), std::string::npos);
}

// On machines with vectors of floats, tables of bytes and products that are rounded once with a
// sum.
TEST(Integers, BytesByTablesAreExact) {
  const std::vector<std::pair<const char*, const char*>> machines = {
      {"vpdpbusd_512", "vpermi2w_512"}, {"vpmaddwd_256", "vpshufb_256"}, {"sdot_128", "tbl_128"}};
  Seen seen;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    DrawnLayer layer(seed + 3000);
    layer.quantised = true;
    seed % 2 ? layer.product() : layer.convolution();
    const auto& [row, table] = machines[seed % machines.size()];
    const int bytes = row[2] == 'd' ? 64 : row[1] == 'p' ? 32 : 16;
    Hardware hardware = machine(row, bytes, seed % 5 == 0 ? 4 : 1, 1 << 20);
    hardware.rows.push_back({table, 1, 4});
    hardware.instructions.fma = true;
    check_layer(layer, hardware, seen);
    if (HasFailure()) FAIL() << "seed " << seed << " for " << row;
  }
  EXPECT_GE(seen.by_table, 30);
  EXPECT_GE(seen.products_of_quotients, 30);
  EXPECT_GE(seen.from_bytes, 30);
  EXPECT_GE(seen.shared, 3);
}

TEST(Integers, DrawnProductsAreExact) {
  Seen seen;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    DrawnLayer layer(seed + 1000);
    layer.product();
    const auto& [row, bytes] = kRows[seed % kRows.size()];
    check_layer(layer, machine(row, bytes, seed % 5 == 0 ? 4 : 1, 1 << 20), seen);
    if (HasFailure()) FAIL() << "seed " << seed << " for " << row;
  }
  EXPECT_GE(seen.planned, 55);
  EXPECT_GE(seen.shared, 5);
  EXPECT_GE(seen.apart, 5);
}

// Rows of the caller, batches in both factors; every number of rows, none too.
// A machine that nobody has built, with vectors of 20 bytes: four sums of five products each. Its
// instruction is one value; matrices and convolutions are scheduled for it as for all others.
TEST(Integers, AMadeUpMachineIsScheduled) {
  const isa::Instruction five = isa::dot_row({.name = "dot5",
                                              .instruction = "dot5",
                                              .lanes = 4,
                                              .group = 5,
                                              .a = Type::i8,
                                              .b = Type::i8,
                                              .file = "q",
                                              .spelling = {}});
  isa::Rows rows = isa::all_rows();
  rows.push_back(&five);
  for (const bool products : {true, false}) {
    Seen seen;
    for (uint64_t seed = 0; seed < 40; ++seed) {
      DrawnLayer layer(seed + 4000);
      products ? layer.product() : layer.convolution();
      check_layer(layer, machine("dot5", 20, seed % 5 == 0 ? 4 : 1, seed % 2 ? 1 << 10 : 1 << 20),
                  seen, rows);
      if (HasFailure()) FAIL() << "seed " << seed;
    }
    EXPECT_GE(seen.planned, 20);
    EXPECT_EQ(seen.made_up, seen.planned);
    EXPECT_GE(seen.shared, 1);
  }
}

TEST(Integers, RowsOfTheCallerAreExact) {
  const Dim rows = sized("rows", 0, 32, 13);
  GraphFixture g;
  const Operand x = g.input("x", {3, rows, 40}, Type::u8), w = g.input("w", {3, 40, 19}, Type::i8),
                zero = g.input("zero", {}, Type::u8), y = g.output("y", {3, rows, 19}, Type::i32);
  KernelBuilder kernel;
  const Index b = kernel.axis(3), i = kernel.axis(rows), j = kernel.axis(19),
              k = kernel.reduce_axis(40);
  const Expr from_zero =
      Expr::cast(Type::i32, x.at({b, i, k})) - Expr::cast(Type::i32, zero.at({}));
  kernel.write(
      y, {b, i, j},
      kernel.reduce(Combiner::sum, {k}, from_zero * Expr::cast(Type::i32, w.at({b, k, j}))));
  g.kernel("rows", kernel);
  const Kernel& given = std::get<Kernel>(g.graph.steps[0]);
  for (const size_t number : {0, 2, 4}) {
    const auto& [row, bytes] = kRows[number];
    std::vector<Value> values = g.graph.values;
    const auto schedule = schedule_integers(given, values, machine(row, bytes, 4, 1 << 20));
    ASSERT_TRUE(schedule) << row;
    for (const int64_t count : {0, 1, 17}) {
      const std::vector<HostTensor> inputs = sample_inputs(g.graph, {{"rows", count}});
      const auto result = [&](const loops::Program* program) {
        Environment environment;
        environment.symbols["rows"] = count;
        for (size_t n = 0; n < inputs.size(); ++n)
          environment.tensors[g.graph.inputs[n]] = inputs[n];
        const RunResult ran = program ? loops::run_loops(*program, values, environment)
                                      : execute_steps({Step(given)}, values, environment);
        EXPECT_EQ(ran.status, kRunOk) << ran.message;
        return environment.tensor(values, g.graph.outputs[0]);
      };
      EXPECT_EQ(result(schedule->program.get()), result(nullptr)) << row << " of " << count;
    }
  }
}

// y[m, n] = sum over k, and over `repeated` where only x has it, of (x - zero) * w.
bool has_plan(int64_t zero, int64_t width_of_w, int64_t repeated, const std::string& row) {
  GraphFixture g;
  const Operand x = g.input("x", {repeated, 16, 32}, Type::u8), w = g.constant("w", {32, 32}),
                y = g.output("y", {16, 32}, Type::i32);
  Value& weights = g.graph.values[static_cast<size_t>(w.value())];
  weights.type = Type::i32;
  HostTensor tensor = make_tensor(Type::i32, {32, 32});
  for (int64_t i = 0; i < tensor.elements(); ++i) tensor.set(i, {0, i % width_of_w});
  weights.constant = to_constant(tensor);
  KernelBuilder kernel;
  const Index m = kernel.axis(16), n = kernel.axis(32), r = kernel.reduce_axis(repeated),
              k = kernel.reduce_axis(32);
  const Expr from_zero = Expr::cast(Type::i32, x.at({r, m, k})) - Expr::constant(Type::i32, zero);
  kernel.write(
      y, {m, n},
      kernel.reduce(Combiner::sum, {r, k}, from_zero * Expr::load(w.value(), Type::i32, {k, n})));
  g.kernel("product", kernel);
  std::vector<Value> values = g.graph.values;
  return schedule_integers(std::get<Kernel>(g.graph.steps[0]), values, machine(row, 64, 1, 1 << 20))
      .has_value();
}

TEST(Integers, WhatInstructionsCannotTakeIsLeft) {
  EXPECT_TRUE(has_plan(255, 256, 1, "vpdpbusd_512"));
  EXPECT_FALSE(has_plan(256, 256, 1, "vpdpbusd_512")) << "256 is no byte";
  EXPECT_FALSE(has_plan(255, 257, 1, "vpdpbusd_512")) << "257 numbers are no bytes";
  EXPECT_TRUE(has_plan(255, 257, 1, "vpmaddwd_256"));
  EXPECT_FALSE(has_plan(255, 256, 4, "vpdpbusd_512")) << "panels of w would stand there four times";
}

// The instruction of a convolution of so many channels, a filter each or 16 filters of all.
std::string instruction_of(int64_t channels, bool depthwise, int64_t taps, int64_t stride,
                           const std::string& row) {
  GraphFixture g;
  const int64_t parts = depthwise ? channels : 1, in = depthwise ? 1 : channels,
                filters = depthwise ? 1 : 16, size = 20;
  const Operand x = g.input("x", {parts, in, stride * size + taps, stride * size + taps}, Type::u8),
                w = g.constant("w", {parts, filters, in, taps, taps}),
                y = g.output("y", {parts, filters, size, size}, Type::i32);
  Value& weights = g.graph.values[static_cast<size_t>(w.value())];
  weights.type = Type::i8;
  HostTensor numbers = make_tensor(Type::i8, {parts, filters, in, taps, taps});
  for (int64_t i = 0; i < numbers.elements(); ++i) numbers.set(i, {0, i % 255 - 127});
  weights.constant = to_constant(numbers);
  KernelBuilder kernel;
  const Index p = kernel.axis(parts), f = kernel.axis(filters), i = kernel.axis(size),
              j = kernel.axis(size), c = kernel.reduce_axis(in), u = kernel.reduce_axis(taps),
              v = kernel.reduce_axis(taps);
  const auto wide = [](const Expr& byte) { return Expr::cast(Type::i32, byte); };
  kernel.write(y, {p, f, i, j},
               kernel.reduce(Combiner::sum, {c, u, v},
                             wide(x.at({p, c, i * stride + u, j * stride + v})) *
                                 wide(Expr::load(w.value(), Type::i8, {p, f, c, u, v}))));
  g.kernel("convolution", kernel);
  std::vector<Value> values = g.graph.values;
  const auto schedule =
      schedule_integers(std::get<Kernel>(g.graph.steps[0]), values,
                        machine(row, row == "vpdpbusd_512" ? 64 : 16, 1, 1 << 20));
  if (!schedule) return "none";
  std::string out;
  loops::for_each(schedule->program->body, [&](const loops::Stmt& stmt) {
    const auto* call = std::get_if<loops::Call>(&stmt.node);
    if (call && call->op->operands.size() == 3) out = call->op->name;
  });
  return out;
}

TEST(Integers, GroupsAreNeighbouringTapsWhereChannelsDoNotFillThem) {
  const std::string vnni = "vpdpbusd_512_signed_group";
  EXPECT_EQ(instruction_of(8, true, 3, 1, "vpdpbusd_512"), vnni + "_slide1");
  EXPECT_EQ(instruction_of(8, true, 5, 2, "vpdpbusd_512"), vnni + "_slide2");
  EXPECT_EQ(instruction_of(3, false, 3, 2, "vpdpbusd_512"), vnni + "_slide2");
  EXPECT_EQ(instruction_of(8, false, 3, 1, "vpdpbusd_512"), vnni);
  EXPECT_EQ(instruction_of(3, false, 7, 4, "vpdpbusd_512"), vnni) << "a stride that no row has";
  EXPECT_EQ(instruction_of(8, true, 3, 2, "pmaddwd_128"), "pmaddwd_128_slide2");
}

// What is no product of bytes is left to others.
TEST(Integers, OthersAreLeft) {
  DrawnLayer layer(7);
  layer.product();
  std::vector<Value> values = layer.g.graph.values;
  const Kernel& given = std::get<Kernel>(layer.g.graph.steps[0]);
  Hardware none = machine("vpdpbusd_512", 64, 1, 1 << 20);
  none.rows.clear();
  EXPECT_FALSE(schedule_integers(given, values, none));
  GraphFixture floats;
  matmul(floats, "m", floats.input("x", {32, 32}), floats.constant("w", {32, 32}),
         floats.output("y", {32, 32}));
  EXPECT_FALSE(schedule_integers(std::get<Kernel>(floats.graph.steps[0]), floats.graph.values,
                                 machine("vpdpbusd_512", 64, 1, 1 << 20)));
}

// Channels behind a shuffle of pixels lie beside each other in the result, two by two. Columns are
// they only where they fill half of a register; else the plane's.
TEST(Integers, ShuffledPixelsFillTheLanes) {
  GraphFixture g;
  const Operand x = g.input("x", {16, 6, 40}, Type::u8), w = g.input("w", {12, 16}, Type::i8),
                y = g.output("y", {3, 12, 80}, Type::i32);
  KernelBuilder builder;
  const Index c = builder.axis(12), i = builder.axis(6), j = builder.axis(40),
              k = builder.reduce_axis(16);
  const auto wide = [](const Expr& one) { return Expr::cast(Type::i32, one); };
  builder.write(y, {floordiv(c, 4), i * 2 + mod(floordiv(c, 2), 2), j * 2 + mod(c, 2)},
                builder.reduce(Combiner::sum, {k}, wide(x.at({k, i, j})) * wide(w.at({c, k}))));
  g.kernel("product", builder);
  const Kernel& kernel = std::get<Kernel>(g.graph.steps[0]);
  for (const int64_t lanes : {4, 8, 16, 32}) {
    const std::optional<IntegerSum> found = find_integer_sum(kernel, g.graph.values, lanes);
    ASSERT_TRUE(found.has_value());
    int64_t columns = 1;
    for (const int axis : found->n)
      columns *= found->kernel.axes[static_cast<size_t>(axis)].extent.constant();
    EXPECT_EQ(columns, lanes == 32 ? 240 : 12) << lanes;
  }
}

TEST(Integers, TilesFitTheRegisters) {
  for (const int registers : {8, 16, 32}) {
    VectorUnit vector;
    vector.registers = registers;
    vector.loads_per_cycle = 2;
    for (const int64_t rows : {1, 3, 64, 1000}) {
      for (const int64_t columns : {1, 49, 384}) {
        vector.vector_bytes = 64;
        const IntegerTile tile = choose_integer_tile(rows, columns, 64, 16, {"", 2, 5}, vector, 1);
        EXPECT_GE(tile.vectors * 16, std::min<int64_t>(32, columns));
        EXPECT_LE(tile.rows * tile.vectors + tile.vectors + 2, registers);
        EXPECT_LE(tile.rows, rows);
      }
    }
  }
}

}  // namespace
}  // namespace burin::integers_test
