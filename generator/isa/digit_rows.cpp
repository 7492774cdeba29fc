#include "isa/digit_rows.h"

#include "isa/byte_rows.h"
#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

Expr word(int64_t value) { return Expr::constant(Type::i32, value); }
Expr of_two(Binary op, const Expr& a, const Expr& b) { return Expr::binary(op, a, b); }
Expr unsigned_byte(const Expr& byte) {
  const Expr wide = Expr::cast(Type::i32, byte);
  return byte.type() == Type::i8 ? wide + word(128) : wide;
}
// Byte number `place` of a word, signed.
Expr digit(const Expr& bits, int place) {
  const Expr byte =
      place == 0 ? bits
                 : of_two(Binary::div, bits - of_two(Binary::mod, bits, word(256)), word(256));
  return of_two(Binary::mod, byte + word(128), word(256)) - word(128);
}
// In 16 bits, plus 2^15: a quotient rounds down then.
Expr above_least(const Expr& level) {
  return of_two(Binary::mod, level + word(32768), word(65536));
}
// level >> shift, of one that wraps to 16 bits.
Expr carried(const Expr& level, int shift) {
  return of_two(Binary::div, above_least(level), word(1 << shift)) - word(32768 >> shift);
}
Instruction digit_row(int levels, Type a, Type b, Type to, bool whole) {
  Instruction out;
  out.name = out.meaning.name = digit_name(levels, a, b, to, whole);
  out.instruction = kDigitInstruction;
  out.file = "hvx";
  out.takes = 1;
  out.values = {lanes_value("to", to, kBytesAtOnce, ValueKind::output)};
  out.operands = {{"to", Access::write, Place::memory, {}, true}};
  const auto read = [&](const char* name, Type type, int elements) {
    out.values.push_back(lanes_value(name, type, elements, ValueKind::input));
    out.operands.push_back({name, Access::read, Place::memory, {}, type != Type::i32});
  };
  read("a", a, kBytesAtOnce);
  read("b", b, kBytesAtOnce);
  read("line", Type::i32, digit_parts(levels));
  out.meaning.axes = {{kBytesAtOnce, AxisKind::parallel, "place"}};
  const Index place = Index::axis(0, kBytesAtOnce);
  Write write;
  write.over = {0};
  write.to = 0;
  write.at = {place};
  write.value = byte_of_digits(
      levels, Expr::load(1, a, {place}), Expr::load(2, b, {place}),
      [](int part) { return Expr::load(3, Type::i32, {part}); }, to, whole);
  out.meaning.writes = {write};
  out.spellings = {{"",
                    std::string("burin_rt::byte_by_digits<") + std::to_string(levels) + ", " +
                        (whole ? "true" : "false") + ">({to}, {a}, {b}, {line});",
                    "byte_digits.h"}};
  return out;
}

}  // namespace

std::string digit_name(int levels, Type a, Type b, Type to, bool whole) {
  return "digits" + std::to_string(levels) + "_" + std::string(to_string(a)) + "_" +
         std::string(to_string(b)) + "_as_" + std::string(to_string(to)) + (whole ? "_whole" : "");
}

Expr byte_of_digits(int levels, const Expr& a, const Expr& b, const std::function<Expr(int)>& part,
                    Type to, bool whole) {
  const Expr u = unsigned_byte(a), v = unsigned_byte(b);
  const auto sum = [&](int level) { return digit(part(level), 0) * u + digit(part(level), 1) * v; };
  const auto own = [&](DigitPart which) { return part(digit_part(levels, which)); };
  Expr level;
  if (levels == kLeastDigitLevels) {
    level = sum(1) + carried(own(kDigitStart) + sum(0), 8);
  } else {
    const Expr low = of_two(Binary::mod, sum(0), word(65536));
    level = own(kDigitStart) + sum(1) + word(2) * of_two(Binary::div, low, word(256));
    level = sum(2) + carried(level, 7);
  }
  level = own(kDigitLast) + sum(levels - 1) + carried(level, 7);
  const Expr divisor =
      of_two(Binary::shift_left, word(1), of_two(Binary::bit_and, own(kDigitShift), word(7)));
  const Expr last =
      of_two(Binary::div, above_least(level), divisor) - of_two(Binary::div, word(32768), divisor);
  const Expr byte = min(max(last, word(lowest(to))), word(highest(to)));
  if (whole) return Expr::cast(to, byte);
  return Expr::cast(
      to, min(max(byte, limit_of(own(kDigitLeast), to)), limit_of(own(kDigitGreatest), to)));
}

std::vector<Instruction> digit_rows() {
  std::vector<Instruction> out;
  for (int levels = kLeastDigitLevels; levels <= kMostDigitLevels; ++levels) {
    for (const Type a : {Type::u8, Type::i8}) {
      for (const Type b : {Type::u8, Type::i8}) {
        for (const Type to : {Type::u8, Type::i8}) {
          for (const bool whole : {false, true}) out.push_back(digit_row(levels, a, b, to, whole));
        }
      }
    }
  }
  return out;
}

}  // namespace burin::isa
