#include "isa/pad_fours.h"

#include "isa/lane_rows.h"
#include "isa/move_rows.h"
#include "isa/pad_rows.h"

namespace burin::isa {
namespace {

constexpr int kPlanes = 1, kFill = kPlanes + kInterleaved;  // operands

Instruction pad_fours_row(Type from, Type to, int stride, bool known) {
  Instruction out;
  out.name = out.meaning.name = pad_fours_name(from, to, stride, known);
  out.instruction = kPadFoursInstruction;
  out.elsewhere = {kPlainFours};
  out.sizes = pad_sizes();
  const auto size = [&](PadSize which) { return Dim(Index::symbol(out.sizes[which])); };
  const Dim rows = size(kPadRows), pitch = size(kPadPitch), width = size(kPadWidth),
            before = size(kPadBefore), from_pitch = size(kPadFromPitch);
  out.values = {lanes_value("to", to, 1, ValueKind::output)};
  out.values[0].shape = {rows * pitch, kInterleaved};
  out.operands = {{"to", Access::write, Place::memory}};
  out.meaning.axes = {{rows, AxisKind::parallel, "row"}, {pitch, AxisKind::parallel, "column"}};
  const Index row = Index::axis(0, rows), column = Index::axis(1, pitch);
  std::string text = (known ? "burin_rt::pad_known_fours<" + std::to_string(stride) +
                                  ", {pitch}, {width}, {before}, {from_pitch}>({to}"
                            : "burin_rt::pad_fours<" + std::to_string(stride) + ">({to}");
  static constexpr const char* kNames[] = {"from0", "from1", "from2", "from3"};
  for (int q = 0; q < kInterleaved; ++q) {
    out.values.push_back(lanes_value(kNames[q], from, 1, ValueKind::input));
    out.values.back().shape = {(rows - 1) * from_pitch + (width - 1) * stride + 1};
    out.operands.push_back({kNames[q], Access::read, Place::memory, {}, true});
    text += std::string(", {") + kNames[q] + "}";
    const Expr element =
        Expr::load(kPlanes + q, from, {row * from_pitch + (column - before) * stride});
    Write write;
    write.over = {0, 1};
    write.to = 0;
    write.at = {row * pitch + column, q};
    write.value = Expr::cases({{{{column - before, 0, width}}, byte_as(element, to)}},
                              Expr::load(kFill, to, {0}));
    out.meaning.writes.push_back(std::move(write));
  }
  out.values.push_back(lanes_value("fill", to, 1, ValueKind::input));
  out.operands.push_back({"fill", Access::read, Place::memory});
  text +=
      known ? ", {fill}, {rows});" : ", {fill}, {rows}, {pitch}, {width}, {before}, {from_pitch});";
  out.spellings = {{"", text, known ? "pad_known_fours.h" : "pad_fours.h"}};
  return out;
}

}  // namespace

std::string pad_fours_name(Type from, Type to, int stride, bool known) {
  return (known ? "pad_known_fours_" : "pad_fours_") + std::string(to_string(from)) + "_as_" +
         std::string(to_string(to)) + (stride == 1 ? "" : "_by" + std::to_string(stride));
}

std::vector<Instruction> pad_fours() {
  std::vector<Instruction> out;
  for (const Type from : {Type::u8, Type::i8}) {
    for (const Type to : {Type::u8, Type::i8}) {
      for (int stride = 1; stride <= kMostPadStride; ++stride)
        for (const bool known : {false, true})
          out.push_back(pad_fours_row(from, to, stride, known));
    }
  }
  return out;
}

}  // namespace burin::isa
