#include "isa/sliding_fours.h"

#include "isa/dot_rows.h"
#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

constexpr int kFourLanes = 32, kFourGroup = 4;

Instruction sliding_four(const char* of, const char* instruction, Type group, int stride,
                         const char* function) {
  Instruction out;
  out.name = out.meaning.name = sliding_fours_name(of, stride);
  out.instruction = instruction;
  out.file = "hvx";
  out.takes = 1;
  out.meaning.axes = {{kFourLanes, AxisKind::parallel, "lane"},
                      {kFourGroup, AxisKind::reduce, "term"}};
  const Index lane = Index::axis(0, kFourLanes), term = Index::axis(1, kFourGroup);
  static constexpr const char* kNames[] = {"c0", "c1", "c2", "c3"};
  for (int v = 0; v < kFours; ++v) {
    out.values.push_back(lanes_value(kNames[v], Type::i32, kFourLanes, ValueKind::output));
    out.operands.push_back({kNames[v], Access::update, Place::registers});
    const Index column = stride == 1 ? lane * 4 + v : lane * 2 + (64 * (v / 2) + v % 2);
    Let sum;
    sum.over = {0};
    sum.reduced = {1};
    sum.op = Combiner::sum;
    sum.body = {Expr::cast(Type::i32, Expr::load(kFours, group, {term})) *
                Expr::cast(Type::i32, Expr::load(kFours + 1, Type::u8, {column * stride + term}))};
    sum.accumulator = {Type::i32};
    out.meaning.lets.push_back(std::move(sum));
    Write write;
    write.over = {0};
    write.to = v;
    write.at = {lane};
    write.value = Expr::let(v, Type::i32, {lane});
    write.how = How::add;
    out.meaning.writes.push_back(std::move(write));
  }
  out.values.push_back(lanes_value("a", group, kFourGroup, ValueKind::input));
  out.operands.push_back({"a", Access::read, Place::broadcast});
  // Whole vectors are read, the second one four bytes further.
  const int read = stride * kFours * kFourLanes + 4;
  out.values.push_back(lanes_value("b", Type::u8, read, ValueKind::input));
  out.operands.push_back({"b", Access::read, Place::memory});
  out.spellings = {{"",
                    std::string("burin_rt::") + function + "<" + std::to_string(stride) +
                        ">({c0}, {c1}, {c2}, {c3}, {a}, {b});",
                    "sliding_fours.h"}};
  return out;
}

}  // namespace

std::string sliding_fours_name(const std::string& row, int64_t stride) {
  return row + "_fours" + std::to_string(stride);
}

std::vector<Instruction> sliding_fours() {
  std::vector<Instruction> out;
  for (int stride = 1; stride <= kMostSlidingStride; ++stride) {
    out.push_back(
        sliding_four("vrmpybus_1024", "vrmpybusi_1024", Type::i8, stride, "dot_s8u8_fours"));
    out.push_back(
        sliding_four("vrmpyub_1024", "vrmpyubi_1024", Type::u8, stride, "dot_u8u8_fours"));
  }
  return out;
}

}  // namespace burin::isa
