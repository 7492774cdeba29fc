#include "isa/requantise_rows.h"

#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

constexpr int kLanes = kRequantisedLanes, kVectors = kRequantisedVectors;
constexpr int kTo = 0, kSeen = 1, kSums = 2, kLine = kSums + kVectors;  // operands
constexpr const char* kInstruction = "vmpyowh_1024";

Expr number(int64_t value) { return Expr::constant(Type::i32, value); }
Expr part(LinePart which) { return Expr::load(kLine, Type::i32, {which}); }
Expr bits(Binary op, const Expr& a, const Expr& b) { return Expr::binary(op, a, b); }
Expr rest(const Expr& a, int64_t divisor) {
  return bits(Binary::mod, a, Expr::constant(a.type(), divisor));
}
// Rounded down.
Expr quotient(const Expr& a, int64_t divisor) {
  return (a - rest(a, divisor)) / Expr::constant(a.type(), divisor);
}
Expr limited(const Expr& a, const Expr& least, const Expr& greatest) {
  return min(max(a, least), greatest);
}

// All bits of byte number `q` of a word, where the position is near to an end.
Expr doubt(const Expr& position, int q) {
  const int64_t all = static_cast<int32_t>(0xffu << (8 * q));
  return Expr::select(line_is_near(position, part), number(all), number(0));
}

Write write_of(int to, int axis, const Index& at, Expr value) {
  Write out;
  out.over = {axis};
  out.to = to;
  out.at = {at};
  out.value = std::move(value);
  return out;
}

Instruction requantise_row(Type type) {
  Instruction out;
  out.name = requantise_name(type);
  out.instruction = kInstruction;
  out.file = "hvx";
  out.values = {lanes_value("to", type, kVectors * kLanes, ValueKind::output),
                lanes_value("seen", Type::i32, kLanes, ValueKind::output)};
  out.operands = {{"to", Access::write, Place::memory, {}, true},
                  {"seen", Access::update, Place::registers}};
  out.meaning.name = out.name;
  const int words = kLanes / 4;
  out.meaning.axes = {{kLanes, AxisKind::parallel, "lane"}, {words, AxisKind::parallel, "word"}};
  const Index lane = Index::axis(0, kLanes), word = Index::axis(1, words);
  static constexpr const char* kNames[] = {"c0", "c1", "c2", "c3"};
  for (int v = 0; v < kVectors; ++v) {
    out.values.push_back(lanes_value(kNames[v], Type::i32, kLanes, ValueKind::input));
    out.operands.push_back({kNames[v], Access::read, Place::registers});
    const auto at = [&](const Index& place) {
      return line_position(Expr::load(kSums + v, Type::i32, {place}), part);
    };
    out.meaning.writes.push_back(
        write_of(kTo, 0, lane + v * kLanes, line_byte(at(lane), part, type)));
    Expr seen = Expr::load(kSeen, Type::i32, {word + v * words});
    for (int q = 0; q < 4; ++q) seen = bits(Binary::bit_or, seen, doubt(at(word * 4 + q), q));
    out.meaning.writes.push_back(write_of(kSeen, 1, word + v * words, seen));
  }
  out.values.push_back(lanes_value("line", Type::i32, kLineParts, ValueKind::input));
  out.operands.push_back({"line", Access::read, Place::memory});
  out.spellings = {
      {"", "burin_rt::requantise({to}, {seen}, {c0}, {c1}, {c2}, {c3}, {line});", "requantise.h"}};
  return out;
}

Instruction any_row() {
  Expr all = Expr::load(1, Type::i32, {0});
  for (int j = 1; j < kLanes; ++j) all = bits(Binary::bit_or, all, Expr::load(1, Type::i32, {j}));
  Instruction out =
      lane_row("any", Type::i32, 1, Expr::cast(Type::i32, compare(Binary::ne, all, number(0))));
  out.name = out.meaning.name = kAnyRow;
  out.instruction = kInstruction;
  out.values = {lanes_value("to", Type::i32, 1, ValueKind::output),
                lanes_value("c", Type::i32, kLanes, ValueKind::input)};
  out.operands = {{"to", Access::write, Place::memory}, {"c", Access::read, Place::registers}};
  out.spellings = {{"", "burin_rt::store_any({to}, {c});", "requantise.h"}};
  return out;
}

}  // namespace

Expr line_position(const Expr& sum, const LineParts& part) {
  const Expr shifted =
      bits(Binary::shift_left, sum, bits(Binary::bit_and, part(kLineShift), number(31)));
  const Expr product = Expr::cast(Type::i64, shifted) * Expr::cast(Type::i64, part(kLineFactor));
  const Expr whole =
      min(quotient(product, int64_t{1} << 31), Expr::constant(Type::i64, int64_t{INT32_MAX}));
  return Expr::cast(Type::i32, whole) + part(kLineOffset);
}

Expr line_byte(const Expr& position, const LineParts& part, Type type) {
  // The lowest byte of a limit, as a number of the type.
  const auto limit = [&](LinePart which) {
    const int64_t least = lowest(type);
    return rest(part(which) - number(least), 256) + number(least);
  };
  const Expr byte = limited(quotient(position, int64_t{1} << kLineFraction), number(lowest(type)),
                            number(highest(type)));
  return Expr::cast(type, limited(byte, limit(kLineLeast), limit(kLineGreatest)));
}

Expr line_is_near(const Expr& position, const LineParts& part) {
  const int64_t one = int64_t{1} << kLineFraction;
  const Expr reach = part(kLineReach);
  return compare(Binary::lt, rest(position + reach, one), rest(reach + reach, one));
}

std::string requantise_name(Type type) {
  return "requantise_" + std::string(to_string(type)) + "x" + std::to_string(kVectors * kLanes);
}

std::vector<Instruction> requantise_rows() {
  return {requantise_row(Type::u8), requantise_row(Type::i8), any_row()};
}

}  // namespace burin::isa
