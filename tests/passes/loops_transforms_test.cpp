// Transforms of loops: each is legal where it says, what it makes computes the same, and a machine
// that nobody has built, with vectors of 20 bytes and a dot product of 5, gets a matrix product and
// a convolution by them. Programs run in the interpreter; integers, so every bit counts.
#include <gtest/gtest.h>

#include <map>

#include "isa/arm_dot.h"
#include "isa/dot_rows.h"
#include "isa/x86_dot.h"
#include "kernel/interpreter/interpreter.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/transforms/bind.h"
#include "loops/transforms/keep.h"
#include "loops/transforms/peel.h"
#include "loops/transforms/reorder.h"
#include "loops/transforms/specialise.h"
#include "loops/transforms/split_loop.h"
#include "loops/transforms/stage.h"
#include "loops/transforms/tensorise.h"
#include "loops/verify/verify_program.h"
#include "support/numbers.h"

namespace burin::loops::loops_transforms_test {
namespace {

Value value(const char* name, Type type, std::vector<Dim> shape, ValueKind kind) {
  Value out;
  out.name = name;
  out.type = type;
  out.shape = std::move(shape);
  out.kind = kind;
  return out;
}

// A sum of products and the values that it is of: x (number 0), w (1) and y (2).
struct Case {
  std::vector<Value> values;
  Kernel kernel;
};

Kernel sum_of(const Expr& body, std::vector<Axis> axes, const std::vector<int>& over,
              const std::vector<int>& reduced) {
  Kernel out;
  out.name = "product";
  out.axes = std::move(axes);
  burin::Let let;
  let.over = over;
  let.reduced = reduced;
  let.op = Combiner::sum;
  let.body = {body};
  let.accumulator = {Type::i32};
  out.lets = {let};
  Write write;
  write.over = over;
  write.to = 2;
  for (const int axis : over)
    write.at.push_back(Index::axis(axis, out.axes[static_cast<size_t>(axis)].extent));
  write.value = Expr::let(0, Type::i32, write.at);
  out.writes = {write};
  return out;
}

Axis axis(int64_t extent, AxisKind kind = AxisKind::parallel) { return {extent, kind, {}}; }

Expr wide(const Expr& element) { return Expr::cast(Type::i32, element); }

// y[m, n] = sum over k of x[m, k] * w[k, n]
Case matrix_product(int64_t m, int64_t n, int64_t k, Type x, Type w) {
  const Index i = Index::axis(0, m), j = Index::axis(1, n), q = Index::axis(2, k);
  const Expr body = wide(Expr::load(0, x, {i, q})) * wide(Expr::load(1, w, {q, j}));
  return {{value("x", x, {m, k}, ValueKind::input), value("w", w, {k, n}, ValueKind::input),
           value("y", Type::i32, {m, n}, ValueKind::output)},
          sum_of(body, {axis(m), axis(n), axis(k, AxisKind::reduce)}, {0, 1}, {2})};
}

// y[p, o] = sum over t, c of x[p + t, c] * w[t, c, o]: a convolution along one dimension.
Case convolution(int64_t places, int64_t outputs, int64_t taps, int64_t channels, Type x, Type w) {
  const Index p = Index::axis(0, places), o = Index::axis(1, outputs), t = Index::axis(2, taps),
              c = Index::axis(3, channels);
  const Expr body = wide(Expr::load(0, x, {p + t, c})) * wide(Expr::load(1, w, {t, c, o}));
  return {{value("x", x, {places + taps - 1, channels}, ValueKind::input),
           value("w", w, {taps, channels, outputs}, ValueKind::input),
           value("y", Type::i32, {places, outputs}, ValueKind::output)},
          sum_of(body,
                 {axis(places), axis(outputs), axis(taps, AxisKind::reduce),
                  axis(channels, AxisKind::reduce)},
                 {0, 1}, {2, 3})};
}

// The nest that sums in the result: y = 0, then y += for every point.
Program nest_of(const Case& one) {
  std::string text = "program \"product\"\n";
  for (size_t a = 0; a < one.kernel.axes.size(); ++a)
    text += "var i" + std::to_string(a) + " a" + std::to_string(a) + " < " +
            burin::to_string(one.kernel.axes[a].extent) + "\n";
  text += "var i" + std::to_string(one.kernel.axes.size()) + " z0 < " +
          burin::to_string(one.kernel.axes[0].extent) + "\nvar i" +
          std::to_string(one.kernel.axes.size() + 1) + " z1 < " +
          burin::to_string(one.kernel.axes[1].extent) + "\n";
  const char* const names[] = {"x", "w", "y"};
  for (size_t v = 0; v < 3; ++v)
    text += std::string("buffer ") + names[v] + " " +
            std::string(burin::to_string(one.values[v].type)) + " " +
            burin::to_string(one.values[v].shape) + " argument of " + std::to_string(v) +
            (v == 2 ? " written\n" : "\n");
  Program out = parse(text + "{ }", {});
  const int zero = static_cast<int>(one.kernel.axes.size());
  const auto loop = [&](int var, Stmts body) {
    return Stmts{Stmt{
        For{var, 0, out.vars[static_cast<size_t>(var)].extent, 1, Kind::serial, std::move(body)}}};
  };
  out.body = loop(zero, loop(zero + 1, {Stmt{Store{{2},
                                                   {out.var(zero), out.var(zero + 1)},
                                                   {Expr::constant(Type::i32, 0)},
                                                   Combiner::none}}}));
  Stmts sum{Stmt{Store{{2}, one.kernel.writes[0].at, {one.kernel.lets[0].body[0]}, Combiner::sum}}};
  for (int axis = zero; axis-- > 0;) sum = loop(axis, std::move(sum));
  out.body.push_back(sum[0]);
  return out;
}

std::map<ValueId, HostTensor> operands_of(const Case& one) {
  Numbers numbers(11);
  std::map<ValueId, HostTensor> out;
  for (ValueId v = 0; v < 2; ++v) {
    const Value& of = one.values[static_cast<size_t>(v)];
    std::vector<int64_t> shape;
    for (const Dim& dim : of.shape) shape.push_back(dim.constant());
    HostTensor tensor = make_tensor(of.type, shape);
    const auto range = static_cast<uint64_t>(highest(of.type) - lowest(of.type) + 1);
    for (int64_t i = 0; i < tensor.elements(); ++i)
      tensor.set(i, {0, lowest(of.type) + static_cast<int64_t>(numbers.below(range))});
    out[v] = tensor;
  }
  return out;
}

void expect_right(const Program& program, const Case& one, const MachineLimits& limits = {}) {
  EXPECT_EQ(verify(program, limits), std::vector<std::string>()) << to_string(program);
  Environment wanted, got;
  wanted.tensors = got.tensors = operands_of(one);
  ASSERT_EQ(execute_steps({one.kernel}, one.values, wanted).status, kRunOk);
  ASSERT_EQ(run_loops(program, one.values, got).status, kRunOk);
  EXPECT_EQ(got.tensors.at(2), wanted.tensors.at(2)) << to_string(program);
}

Program done(const Change& change) {
  EXPECT_EQ(change.refusal, "") << change.text;
  return change.program;
}

TEST(LoopTransforms, EachKeepsWhatIsComputed) {
  const Case one = matrix_product(7, 9, 11, Type::i8, Type::i8);
  const Program nest = nest_of(one);
  expect_right(nest, one);
  const Change rows = split(nest, 0, 3);
  expect_right(done(rows), one);
  EXPECT_EQ(rows.text, "split i0 by 3");
  expect_right(done(reorder(nest, 1, 2)), one);
  expect_right(done(reorder(nest, 0, 1)), one);
  expect_right(done(bind(nest, 0, Kind::thread)), one);
  expect_right(done(bind(nest, 1, Kind::vector)), one);
  expect_right(done(keep(nest, 2, 2)), one);
  expect_right(done(stage(nest, 1, 1, {{1}, {0, 4}, {0, 1, 4}})), one);
  // Whole blocks of columns apart from the last one; a corner is two of them.
  const Change columns = split(done(rows), 1, 4);
  expect_right(done(columns), one);
  const Program whole_rows = done(specialise(columns.program, rows.vars[1], rows.vars[1], 3));
  expect_right(whole_rows, one);
  EXPECT_NE(to_string(whole_rows).find("if 3 <= "), std::string::npos) << to_string(whole_rows);
  EXPECT_EQ(specialise(columns.program, rows.vars[0], rows.vars[1], 3).refusal,
            "the rest of i6 is known inside only");
}

TEST(LoopTransforms, AreRefusedWhereTheyAreNotLegal) {
  const Case one = matrix_product(7, 9, 11, Type::i8, Type::i8);
  const Program nest = nest_of(one);
  EXPECT_EQ(bind(nest, 2, Kind::thread).refusal, "points of i2 (thread) share y");
  EXPECT_EQ(reorder(nest, 0, 2).refusal, "i2 is not right inside of i0");
  EXPECT_EQ(keep(nest, 2, 0).refusal, "y moves with i0");
  EXPECT_EQ(stage(nest, 2, 0, {{0}, {1}}).refusal, "the loop writes y");
  EXPECT_EQ(stage(nest, 1, 0, {{0}, {1, 1, 4}}).refusal,
            "the dimensions of the copy do not divide those of w");
  EXPECT_EQ(split(nest, 77, 2).refusal, "there is not one loop of i77");
  EXPECT_EQ(tensorise(nest, 1, isa::arm_dot()[0]).refusal, "the nest does not compute sdot_128");
}

TEST(LoopTransforms, FloatsAreNotSummedInAnotherOrder) {
  isa::Instruction row = isa::x86_dot()[0];
  const Case one = matrix_product(4, 16, 4, Type::i8, Type::i8);
  Program nest = nest_of(one);
  for (Buffer& buffer : nest.buffers) buffer.type = Type::f32;
  nest.body = {
      Stmt{For{1,
               0,
               16,
               1,
               Kind::serial,
               {Stmt{For{2,
                         0,
                         4,
                         1,
                         Kind::serial,
                         {Stmt{Store{{2},
                                     {0, nest.var(1)},
                                     {Expr::load(0, Type::f32, {0, nest.var(2)}) *
                                      Expr::load(1, Type::f32, {nest.var(2), nest.var(1)})},
                                     Combiner::sum}}}}}}}}};
  EXPECT_EQ(tensorise(nest, 1, row).refusal, "vpdpbusd_512 sums floats in another order");
}

// The verbs that give a product an instruction of `lanes` sums of `group` products: split columns
// and depth, pack w as it wants, keep the sums in registers, call it.
Program scheduled(const Case& one, const isa::Instruction& row, std::string& verbs) {
  const int64_t lanes = row.values[0].shape[0].constant(),
                group = row.values[1].shape[0].constant();
  const bool window = one.kernel.axes.size() == 4;
  const int depth = window ? 3 : 2;  // the axis whose products are grouped
  Program program = nest_of(one);
  const auto apply = [&](const Change& change) {
    verbs += change.text + "\n";
    program = done(change);
    return change;
  };
  // Zeros behind the ends of w and x make whole groups.
  const Change columns = apply(split(program, 1, lanes));
  const Change terms = apply(split(program, depth, group));
  // ... columns inside, around the groups: from (block, lane, [tap,] group, term) to (block, [tap,]
  // group, lane, term).
  if (window) apply(reorder(program, columns.vars[1], 2));
  apply(reorder(program, columns.vars[1], terms.vars[0]));
  if (window) {
    apply(stage(program, 1, columns.vars[0],
                {{2, lanes}, {0}, {1, group}, {2, 1, lanes}, {1, 1, group}}));
  } else {
    apply(
        stage(program, 1, columns.vars[0], {{1, lanes}, {0, group}, {1, 1, lanes}, {0, 1, group}}));
  }
  apply(keep(program, 2, window ? 2 : terms.vars[0]));
  apply(tensorise(program, columns.vars[1], row));
  return program;
}

isa::Instruction made_up() {
  // A vector has 20 bytes: four sums of five products each.
  return isa::dot_row({.name = "dot5",
                       .instruction = "dot5",
                       .lanes = 4,
                       .group = 5,
                       .a = Type::i8,
                       .b = Type::i8,
                       .file = "q",
                       .spelling = {}});
}

// y[i0, i1] = 0 <= i1 - 1 < 6 && i0 < 3 ? x[i0, i1 - 1] : 7
Program padded(const Dim& most_of_rows) {
  Program out;
  out.vars = {{"i0", 5}, {"i1", 9}, {"e", 6}};
  Buffer x{.name = "x0", .type = Type::f32, .shape = {5, 6}, .scope = Scope::argument, .value = 0},
      y{.name = "y0",
        .type = Type::f32,
        .shape = {5, 9},
        .scope = Scope::argument,
        .value = 1,
        .written = true};
  out.buffers = {x, y};
  const Index i0 = out.var(0), i1 = out.var(1);
  const Expr value =
      Expr::cases({{{{i1 - 1, 0, 6}, {i0, 0, most_of_rows}}, out.element(0, {i0, i1 - 1})}},
                  Expr::constant(Type::f32, 7));
  const Stmts inner{{Store{{1}, {i0, i1}, {value}}}};
  out.body = {{For{0, 0, 5, 1, Kind::serial, {{For{1, 0, 9, 1, Kind::serial, inner}}}}}};
  return out;
}

TEST(LoopTransforms, PeelDecidesGuards) {
  const Program program = padded(3);
  const Change peeled = peel(program, 1);
  ASSERT_TRUE(peeled.done()) << peeled.refusal;
  EXPECT_EQ(peeled.text, "peel i1");
  const std::string text = to_string(peeled.program);
  EXPECT_NE(text.find("if 0 <= i0 < 3 {"), std::string::npos) << text;
  EXPECT_NE(text.find("for i1 in 1 .. 7 {\n        y0[i0, i1] = x0[i0, i1 - 1]"), std::string::npos)
      << text;
  EXPECT_TRUE(verify(peeled.program).empty());
  // Both write the same.
  std::vector<Value> values(2);
  values[0].type = values[1].type = Type::f32;
  values[0].shape = {5, 6};
  values[1].shape = {5, 9};
  const auto result = [&](const Program& one) {
    Environment environment;
    environment.tensors[0] = make_tensor(Type::f32, {5, 6});
    for (int64_t i = 0; i < 30; ++i) environment.tensors[0].set(i, {static_cast<double>(i), 0});
    EXPECT_EQ(run_loops(one, values, environment).status, kRunOk);
    return environment.tensor(values, 1);
  };
  EXPECT_EQ(result(peeled.program), result(program));
}

// A bound that is known inside of the loop only decides nothing in front of it.
TEST(LoopTransforms, PeelLeavesBoundsThatMoveInside) {
  Program program = padded(Index::axis(2, 6));
  auto& outer = std::get<For>(program.body[0].node);
  auto& inner = std::get<For>(outer.body[0].node);
  inner.body.insert(inner.body.begin(), Stmt{Let{2, min(Index::axis(1, 9), 5)}});
  const Change peeled = peel(program, 1);
  ASSERT_TRUE(peeled.done()) << peeled.refusal;
  EXPECT_EQ(to_string(peeled.program).find("if "), std::string::npos) << to_string(peeled.program);
  EXPECT_TRUE(verify(peeled.program).empty());
}

TEST(LoopTransforms, AMadeUpMachineMultipliesMatrices) {
  const isa::Instruction row = made_up();
  const Case one = matrix_product(6, 8, 15, Type::i8, Type::i8);
  std::string verbs;
  const Program program = scheduled(one, row, verbs);
  // Six vectors of 20 bytes.
  expect_right(program, one, {6 * 20});
  const std::string text = to_string(program);
  EXPECT_NE(text.find("call dot5 c: y_kept"), std::string::npos) << text;
  EXPECT_EQ(parse(text, {&row}), program);
  EXPECT_EQ(verbs,
            "split i1 by 4\nsplit i2 by 5\nreorder i6 and i7\n"
            "stage w as [1/4, 0/5, 1%4, 0%5] at i5\nkeep y across i7\ntensorise i6 by dot5\n");
}

TEST(LoopTransforms, AMadeUpMachineConvolves) {
  const isa::Instruction row = made_up();
  const Case one = convolution(9, 8, 3, 10, Type::i8, Type::i8);
  std::string verbs;
  const Program program = scheduled(one, row, verbs);
  expect_right(program, one, {6 * 20});
  EXPECT_NE(to_string(program).find("call dot5 "), std::string::npos);
}

TEST(LoopTransforms, QuantisedProductsByTheRowsOfMachines) {
  std::vector<isa::Instruction> rows = isa::x86_dot();
  for (const isa::Instruction& row : isa::arm_dot()) rows.push_back(row);
  for (const isa::Instruction& row : rows) {
    // Groups of sliding forms overlap: they are no products of matrices (integers_test.cpp).
    if (row.values[2].shape.size() != 2 || row.values[0].type != Type::i32) continue;
    const Case one = matrix_product(5, 32, 24, row.values[1].type, row.values[2].type);
    std::string verbs;
    expect_right(scheduled(one, row, verbs), one);
    EXPECT_NE(verbs.find("by " + row.name), std::string::npos) << verbs;
  }
}

}  // namespace
}  // namespace burin::loops::loops_transforms_test
