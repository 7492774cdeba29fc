// Drawn functions of bytes on the description that has rows for them: what is planned and its
// program give what the kernel says by its definition, in every element.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "hardware/load.h"
#include "isa/all_rows.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "passes/graph_fixture.h"
#include "select/bytes/byte_schedule.h"
#include "support/numbers.h"

namespace burin::drawn_bytes {

inline const Hardware& hexagon() {
  static const Hardware hardware = load_hardware(BURIN_SOURCE_DIR "/configs/hexagon-v66.json");
  return hardware;
}

inline Expr real(double x) { return Expr::constant(Type::f32, x); }

class DrawnBytes {
 public:
  explicit DrawnBytes(uint64_t seed) : numbers_(seed) {}
  int64_t below(int64_t n) {
    return static_cast<int64_t>(numbers_.below(static_cast<uint64_t>(n)));
  }
  Type byte() { return below(2) ? Type::u8 : Type::i8; }
  double scale(double about) { return about * (1 + static_cast<double>(below(1 << 20)) * 0x1p-20); }

  Operand bytes(const std::string& name, const Shape& shape, Type type) {
    const Operand operand = g.input(name, shape, type);
    HostTensor tensor = make_tensor(type, sizes(shape));
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      // All pairs, one behind the other, where there is room for them.
      const int64_t one = inputs.empty() ? i : i / 256;
      tensor.set(i, {0, lowest(type) + (counted ? (one & 255) : below(256))});
    }
    inputs.push_back(std::move(tensor));
    return operand;
  }
  Operand numbers(const std::string& name, const Shape& shape, double most) {
    const Operand operand = g.input(name, shape, Type::f32);
    HostTensor tensor = make_tensor(Type::f32, sizes(shape));
    const double infinity = std::numeric_limits<double>::infinity();
    const double others[] = {infinity, -infinity, NAN, 0, -0.0, 1e30, -1e-30, 0x1p-149};
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      const double drawn = most * (static_cast<double>(below(1 << 21)) * 0x1p-20 - 1);
      tensor.set(i, {below(20) == 0 ? others[below(8)] : static_cast<float>(drawn), 0});
    }
    inputs.push_back(std::move(tensor));
    return operand;
  }
  static std::vector<int64_t> sizes(const Shape& shape) {
    std::vector<int64_t> out;
    for (const Dim& dim : shape) out.push_back(dim.constant());
    return out;
  }

  Expr dequantised(const Expr& stored, int64_t zero, double by) const {
    return Expr::cast(Type::f32, Expr::cast(Type::i32, stored) - Expr::constant(Type::i32, zero)) *
           real(by);
  }
  Expr dequantised(const Expr& stored, double by) {
    return dequantised(stored, lowest(stored.type()) + below(256), by);
  }
  Expr quantised(const Expr& value, Type type, double by) {
    return Expr::cast(type,
                      Expr::unary(Unary::round, value / real(by)) +
                          real(static_cast<double>(lowest(type) + below(256))),
                      CastMode::saturate);
  }

  HostTensor result(const std::vector<Value>& values, const Kernel& kernel,
                    const loops::Program* program) const {
    Environment environment;
    for (size_t i = 0; i < g.graph.inputs.size(); ++i)
      environment.tensors[g.graph.inputs[i]] = inputs[i];
    const RunResult ran = program ? loops::run_loops(*program, values, environment)
                                  : execute_steps({Step(kernel)}, values, environment);
    EXPECT_EQ(ran.status, kRunOk) << ran.message;
    return environment.tensor(values, g.graph.outputs[0]);
  }

  // The program's text; empty: nothing is planned.
  template <class Schedule>
  std::string check(const Schedule& schedule_of) const {
    const Kernel& given = std::get<Kernel>(g.graph.steps[0]);
    std::vector<Value> values = g.graph.values;
    const std::optional<LoopPlan> schedule = schedule_of(given, values, hexagon());
    if (!schedule) {
      EXPECT_EQ(values.size(), g.graph.values.size());
      return {};
    }
    const HostTensor wanted = result(g.graph.values, given, nullptr);
    const std::string text = loops::to_string(*schedule->program);
    EXPECT_EQ(loops::to_string(loops::parse(text, isa::all_rows())), text);
    for (const std::string& fault : loops::verify(*schedule->program))
      ADD_FAILURE() << fault << "\n" << text;
    EXPECT_EQ(result(values, schedule->kernel, nullptr), wanted)
        << to_string(schedule->kernel, values);
    EXPECT_EQ(result(values, schedule->kernel, &*schedule->program), wanted)
        << to_string(given, g.graph.values) << text;
    return text;
  }
  std::string check() const { return check(schedule_bytes); }

  GraphFixture g;
  std::vector<HostTensor> inputs;
  bool counted = true;

 private:
  Numbers numbers_;
};

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace burin::drawn_bytes
