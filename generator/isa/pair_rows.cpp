#include "isa/pair_rows.h"

#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

constexpr int kPairLanes = 32, kPairGroup = 4;

Instruction pair_row(const BundleRow& pair, bool whole, Type vector, const char* function) {
  Instruction out;
  out.name = out.meaning.name = whole ? pair.whole : pair.row;
  out.instruction = pair.row;
  out.file = "hvx";
  out.takes = 1;
  out.meaning.axes = {{kPairLanes, AxisKind::parallel, "lane"},
                      {kPairGroup, AxisKind::reduce, "term"}};
  const Index lane = Index::axis(0, kPairLanes), term = Index::axis(1, kPairGroup);
  static constexpr const char* kNames[] = {"c0", "c1"};
  for (int half = 0; half < kPairedRows; ++half) {
    out.values.push_back(lanes_value(kNames[half], Type::i32, kPairLanes, ValueKind::output));
    out.operands.push_back({kNames[half], Access::update, Place::registers});
    Let sum;
    sum.over = {0};
    sum.reduced = {1};
    sum.op = Combiner::sum;
    sum.body = {Expr::cast(Type::i32, Expr::load(kPairedRows, Type::u8, {half, term})) *
                Expr::cast(Type::i32, Expr::load(kPairedRows + 1, vector, {lane, term}))};
    sum.accumulator = {Type::i32};
    out.meaning.lets.push_back(std::move(sum));
    Write write;
    write.over = {0};
    write.to = half;
    write.at = {lane};
    write.value = Expr::let(half, Type::i32, {lane});
    write.how = How::add;
    out.meaning.writes.push_back(std::move(write));
  }
  out.values.push_back(lanes_value("a", Type::u8, kPairGroup, ValueKind::input));
  out.values.back().shape = {kPairedRows, kPairGroup};
  out.operands.push_back({"a", Access::read, Place::broadcast});
  out.values.push_back(lanes_value("b", vector, kPairLanes, ValueKind::input));
  out.values.back().shape = {kPairLanes, kPairGroup};
  out.operands.push_back({"b", Access::read, Place::memory});
  out.spellings = {
      {"",
       std::string("burin_rt::") + function + (whole ? "<128>" : "<1>") + "({c0}, {c1}, {a}, {b});",
       "dot_pairs.h"}};
  return out;
}

}  // namespace

// Rows that are staged would be bytes with a sign, which pairs do not take.
std::vector<BundleRow> pairs() {
  return {{.row = "vrmpyub_rtt_1024",
           .of = "vrmpyub_1024",
           .whole = "vrmpyub_rtt_1024_whole",
           .starts = "vrmpybus_1024",
           .loads = false,
           .staged = false},
          {.row = "vrmpybub_rtt_1024",
           .of = "vrmpybusv_1024",
           .whole = "vrmpybub_rtt_1024_whole",
           .starts = "vrmpybv_1024",
           .loads = false,
           .staged = false}};
}

std::vector<Instruction> pair_rows() {
  std::vector<Instruction> out;
  for (const bool whole : {false, true}) {
    out.push_back(pair_row(pairs()[0], whole, Type::u8, "dot_u8u8_pair"));
    out.push_back(pair_row(pairs()[1], whole, Type::i8, "dot_u8s8_pair"));
  }
  return out;
}

}  // namespace burin::isa
