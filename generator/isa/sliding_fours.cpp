#include "isa/sliding_fours.h"

#include "isa/dot_rows.h"

namespace burin::isa {
namespace {

constexpr int kFourLanes = 32, kFourGroup = 4;

Instruction sliding_four(const char* of, const char* instruction, Type group, int stride,
                         const char* function) {
  Instruction out = sums_row(sliding_fours_name(of, stride), kFourLanes, kFourGroup);
  out.instruction = instruction;
  out.file = "hvx";
  const Index lane = Index::axis(0, kFourLanes), term = Index::axis(1, kFourGroup);
  for (int v = 0; v < kFours; ++v) {
    const Index column = stride == 1 ? lane * 4 + v : lane * 2 + (64 * (v / 2) + v % 2);
    add_sums(out, "c" + std::to_string(v), Expr::load(kFours, group, {term}),
             Expr::load(kFours + 1, Type::u8, {column * stride + term}));
  }
  add_factor(out, "a", group, {kFourGroup}, Place::broadcast);
  // Whole vectors are read, the second one four bytes further.
  add_factor(out, "b", Type::u8, {stride * kFours * kFourLanes + 4}, Place::memory);
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
