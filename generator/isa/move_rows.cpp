#include "isa/move_rows.h"

#include <memory>
#include <string>

#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

std::string row_name(Type from, Type to, bool group, int stride) {
  return std::string(group ? "interleave_" : "copy_") + std::string(to_string(from)) + "_as_" +
         std::string(to_string(to)) +
         (stride == 1        ? ""
          : stride == kTwice ? "_twice"
                             : "_by" + std::to_string(stride));
}

Instruction made(Type from, Type to, bool group, int stride) {
  static const Symbol count =
      std::make_shared<const SymbolInfo>(SymbolInfo{"count", SymbolOrigin::param, 0});
  const Dim length = Index::symbol(count);
  const int parts = group ? kInterleaved : 1;
  Instruction out;
  out.name = row_name(from, to, group, stride);
  out.instruction = group ? "vshuffvdd_1024" : "valignb_1024";
  out.sizes = {count};
  out.values = {lanes_value("to", to, 1, ValueKind::output)};
  out.values[0].shape = {length};
  out.operands = {{"to", Access::write, Place::memory, {}, !group}};
  if (group) out.values[0].shape.emplace_back(parts);
  out.meaning.name = out.name;
  out.meaning.axes = {{length, AxisKind::parallel, "place"}};
  const Index place = Index::axis(0, length);
  std::string text = std::string("burin_rt::") + (group ? "interleave<" : "copy_bytes<") +
                     std::to_string(stride) + ">({to}";
  if (stride == kTwice) text = "burin_rt::copy_twice({to}";
  static constexpr const char* kNames[] = {"from0", "from1", "from2", "from3"};
  for (int q = 0; q < parts; ++q) {
    Value value = lanes_value(kNames[q], from, 1, ValueKind::input);
    value.shape = {stride == kTwice ? ceildiv(length, 2) : (length - 1) * stride + 1};
    out.values.push_back(std::move(value));
    out.operands.push_back({kNames[q], Access::read, Place::memory, {}, true});
    text += std::string(", {") + kNames[q] + "}";
    const Expr element =
        Expr::load(1 + q, from, {stride == kTwice ? floordiv(place, 2) : place * stride});
    Write write;
    write.over = {0};
    write.to = 0;
    write.at = {place};
    if (group) write.at.emplace_back(q);
    write.value = byte_as(element, to);
    out.meaning.writes.push_back(std::move(write));
  }
  out.spellings = {{"", text + ", {count});", "moves.h"}};
  return out;
}

}  // namespace

Expr byte_as(const Expr& element, Type to) {
  if (element.type() == to) return element;
  return Expr::cast(
      to, Expr::cast(Type::i32, element) + Expr::constant(Type::i32, to == Type::u8 ? 128 : -128));
}

std::vector<Instruction> move_rows() {
  std::vector<Instruction> out;
  for (const bool group : {false, true}) {
    for (const Type from : {Type::u8, Type::i8}) {
      for (const Type to : {Type::u8, Type::i8}) {
        for (int stride = 1; stride <= kMostMoveStride; ++stride)
          out.push_back(made(from, to, group, stride));
      }
      if (!group) out.push_back(made(from, from, false, kTwice));
    }
  }
  return out;
}

std::string copy_name(Type type) { return row_name(type, type, false, 1); }

int move_stride(const Instruction& row) {
  const auto length = [&](int64_t count) {
    return row.values.at(1).shape.at(0).substitute_symbol(row.sizes.at(0)->name, count).constant();
  };
  return static_cast<int>(length(2) - length(1));
}

}  // namespace burin::isa
