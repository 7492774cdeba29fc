#include "isa/arm_dot.h"

#include "isa/dot_rows.h"
#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

constexpr int kDotLanes = 4, kDotGroup = 4, kBundled = 4;

struct DotOf {
  const char *row, *bundle;  // names
  Type type;                 // of both factors
  const char* types;         // in functions of runtime_min
};
constexpr DotOf kDots[] = {{"sdot_128", "sdot_128_rows", Type::i8, "s8s8"},
                           {"udot_128", "udot_128_rows", Type::u8, "u8u8"}};

Value bytes_of(const char* name, Type type, int rows) {
  Value out = lanes_value(name, type, kDotGroup, ValueKind::input);
  out.shape = {rows, kDotGroup};
  return out;
}

Instruction bundle_row(const DotOf& dot) {
  Instruction out;
  out.name = out.meaning.name = dot.bundle;
  out.instruction = dot.row;
  out.file = "v";
  out.takes = 1;
  out.operations = kBundled;
  out.meaning.axes = {{kDotLanes, AxisKind::parallel, "lane"},
                      {kDotGroup, AxisKind::reduce, "term"}};
  const Index lane = Index::axis(0, kDotLanes), term = Index::axis(1, kDotGroup);
  static constexpr const char* kNames[] = {"c0", "c1", "c2", "c3"};
  for (int row = 0; row < kBundled; ++row) {
    out.values.push_back(lanes_value(kNames[row], Type::i32, kDotLanes, ValueKind::output));
    out.operands.push_back({kNames[row], Access::update, Place::registers});
    Let sum;
    sum.over = {0};
    sum.reduced = {1};
    sum.op = Combiner::sum;
    sum.body = {Expr::cast(Type::i32, Expr::load(kBundled, dot.type, {row, term})) *
                Expr::cast(Type::i32, Expr::load(kBundled + 1, dot.type, {lane, term}))};
    sum.accumulator = {Type::i32};
    out.meaning.lets.push_back(std::move(sum));
    Write write;
    write.over = {0};
    write.to = row;
    write.at = {lane};
    write.value = Expr::let(row, Type::i32, {lane});
    write.how = How::add;
    out.meaning.writes.push_back(std::move(write));
  }
  out.values.push_back(bytes_of("a", dot.type, kBundled));
  out.operands.push_back({"a", Access::read, Place::broadcast});
  out.values.push_back(bytes_of("b", dot.type, kDotLanes));
  out.operands.push_back({"b", Access::read, Place::memory});
  out.spellings = {
      {"", std::string("burin_rt::dot_rows_") + dot.types + "({c0}, {c1}, {c2}, {c3}, {a}, {b});",
       "dot_bundles.h"}};
  return out;
}

}  // namespace

std::vector<Instruction> arm_dot() {
  std::vector<DotRow> out;
  for (const DotOf& dot : kDots) {
    out.push_back({.name = dot.row,
                   .instruction = dot.row,
                   .lanes = kDotLanes,
                   .a = dot.type,
                   .b = dot.type,
                   .file = "v",
                   .spelling = std::string("burin_rt::dot_") + dot.types});
  }
  return dot_rows(out);
}

std::vector<Instruction> dot_bundle_rows() {
  std::vector<Instruction> out;
  for (const DotOf& dot : kDots) out.push_back(bundle_row(dot));
  return out;
}

std::vector<BundleRow> dot_bundles() {
  std::vector<BundleRow> out;
  for (const DotOf& dot : kDots)
    out.push_back({.row = dot.bundle, .of = dot.row, .rows = kBundled, .copies = 1});
  return out;
}

}  // namespace burin::isa
