#include "isa/held_rows.h"

#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

constexpr int kLanes = 32, kGroup = 4;

Expr number(int64_t value) { return Expr::constant(Type::i32, value); }
Expr bits(Binary op, const Expr& a, const Expr& b) { return Expr::binary(op, a, b); }

Instruction hold_row(Type type, bool first) {
  const Index lane = Index::axis(0, kLanes);
  Expr word = number(0);
  for (int q = 0; q < kGroup; ++q) {
    const Expr byte = Expr::cast(Type::i32, Expr::load(1, type, {lane, q}));
    word = bits(Binary::bit_or, word,
                bits(Binary::shift_left, bits(Binary::bit_and, byte, number(255)), number(8 * q)));
  }
  Instruction out = lane_row("hold", Type::i32, kLanes, word);
  out.name = out.meaning.name = hold_name(type, first);
  out.instruction = "valignb_1024";
  out.file = "hvx";
  out.values = {lanes_value("to", Type::i32, kLanes, ValueKind::output),
                lanes_value("from", type, kLanes * kGroup, ValueKind::input)};
  out.values[1].shape = {kLanes, kGroup};
  out.operands = {{"to", Access::write, Place::registers}, {"from", Access::read, Place::memory}};
  out.spellings = {
      {"", std::string("burin_rt::hold") + (first ? "_first" : "") + "({to}, {from});", "held.h"}};
  return out;
}

// Byte q of a word, as a number of the type.
Expr byte_of(const Expr& word, int q, Type type) {
  const Expr shifted = q == 0 ? word : bits(Binary::shift_right, word, number(8 * q));
  const Expr low = bits(Binary::bit_and, shifted, number(255));
  if (type == Type::u8) return low;
  return bits(Binary::bit_xor, low, number(128)) - number(128);
}

Instruction held_row(const char* of, Type a, Type b, const char* function) {
  const Index lane = Index::axis(0, kLanes);
  Expr sum;
  for (int q = 0; q < kGroup; ++q) {
    const Expr product = Expr::cast(Type::i32, Expr::load(1, a, {q})) *
                         byte_of(Expr::load(2, Type::i32, {lane}), q, b);
    sum = sum ? sum + product : product;
  }
  Instruction out = lane_row("held", Type::i32, kLanes, sum, How::add);
  out.name = out.meaning.name = held_name(of);
  out.instruction = of;
  out.file = "hvx";
  out.values = {lanes_value("c", Type::i32, kLanes, ValueKind::output),
                lanes_value("a", a, kGroup, ValueKind::input),
                lanes_value("b", Type::i32, kLanes, ValueKind::input)};
  out.operands = {{"c", Access::update, Place::registers},
                  {"a", Access::read, Place::broadcast},
                  {"b", Access::read, Place::registers}};
  out.spellings = {{"", std::string("burin_rt::") + function + "({c}, {a}, {b});", "held.h"}};
  return out;
}

}  // namespace

std::string hold_name(Type type, bool first) {
  return std::string(first ? "hold_first_" : "hold_") + std::string(to_string(type)) + "x128";
}

std::string held_name(const std::string& row) { return row + "_held"; }

std::vector<Instruction> held_rows() {
  std::vector<Instruction> out;
  for (const Type type : {Type::u8, Type::i8}) {
    for (const bool first : {false, true}) out.push_back(hold_row(type, first));
  }
  out.push_back(held_row("vrmpybus_1024", Type::i8, Type::u8, "add_s8u8_held"));
  out.push_back(held_row("vrmpyub_1024", Type::u8, Type::u8, "add_u8u8_held"));
  out.push_back(held_row("vrmpybusv_1024", Type::u8, Type::i8, "add_u8s8_held"));
  out.push_back(held_row("vrmpybv_1024", Type::i8, Type::i8, "add_s8s8_held"));
  return out;
}

}  // namespace burin::isa
