#include "isa/requantise_rows.h"

#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

constexpr int kLanes = kRequantisedLanes, kVectors = kRequantisedVectors;
constexpr int kTo = 0, kSeen = 1, kSums = 2;  // operands
constexpr const char* kOrders[] = {"", "_fours", "_pairs"};
constexpr const char* kInstruction = "vmpyowh_1024";

Expr number(int64_t value) { return Expr::constant(Type::i32, value); }
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

// Half number `q` of a word, as a number without a sign.
Expr half_of(const Expr& word, int q) {
  const int64_t one = int64_t{1} << kLineFraction;
  return rest(q == 0 ? word : quotient(word, one), one);
}

// All bits of half number `q` of a word, where one of two positions is near to an end.
Expr doubt(const Expr& near, int q) {
  const int64_t all = static_cast<int32_t>(0xffffu << (16 * q));
  return Expr::select(near, number(all), number(0));
}

Write write_of(int to, int axis, const Index& at, Expr value) {
  Write out;
  out.over = {axis};
  out.to = to;
  out.at = {at};
  out.value = std::move(value);
  return out;
}

// Which lane of which vector a column is in.
struct LaneOf {
  int vector = 0;
  Index lane;
};
constexpr int kWords = kLanes / 2;  // of marks, at a time
// Of the columns that half number `q` of word `word` of block `block` is a mark of: two, or one
// where there are two vectors.
std::vector<LaneOf> marked(LaneOrder order, int vectors, int block, const Index& word, int q) {
  const Index own = word + block * kWords;
  if (order == LaneOrder::by_fours) return {{2 * q, own}, {2 * q + 1, own}};
  if (order == LaneOrder::by_pairs) return {{q, own}, {2 + q, own}};
  std::vector<LaneOf> out{{block, word * 2 + q}};
  if (block + 2 < vectors) out.push_back({block + 2, word * 2 + q});
  return out;
}

Instruction requantise_row(Type type, LaneOrder order, int vectors, bool along, bool whole,
                           Doubts doubts) {
  Instruction out;
  out.name = along ? requantise_along_name(type, vectors, whole, doubts)
                   : requantise_name(type, order, vectors, whole, doubts);
  out.instruction = kInstruction;
  out.file = "hvx";
  out.values = {lanes_value("to", type, vectors * kLanes, ValueKind::output),
                lanes_value("seen", Type::i32, kLanes, ValueKind::output)};
  out.operands = {{"to", Access::write, Place::memory, {}, true},
                  {"seen", Access::update, Place::registers}};
  out.meaning.name = out.name;
  out.meaning.axes = {{kLanes, AxisKind::parallel, "lane"}, {kWords, AxisKind::parallel, "word"}};
  const Index lane = Index::axis(0, kLanes), word = Index::axis(1, kWords);
  const LineParts line_part = [vectors](LinePart which) {
    return Expr::load(kSums + vectors, Type::i32, {which});
  };
  static constexpr const char* kNames[] = {"c0", "c1", "c2", "c3"};
  const auto at = [&](int vector, const Index& place) {
    const LineParts of_lane = [&](LinePart which) {
      if (!along || (which != kLineFactor && which != kLineOffset)) return line_part(which);
      return Expr::load(kSums + vectors + 1, Type::i32, {vector, which - kLineFactor, place});
    };
    return line_position(Expr::load(kSums + vector, Type::i32, {place}), of_lane);
  };
  for (int v = 0; v < vectors; ++v) {
    out.values.push_back(lanes_value(kNames[v], Type::i32, kLanes, ValueKind::input));
    out.operands.push_back({kNames[v], Access::read, Place::registers});
    // Lane 0 and the next one say where all are.
    const int first = column_of(order, v, 0), step = column_of(order, v, 1) - first;
    const Expr position = at(v, lane);
    out.meaning.writes.push_back(write_of(kTo, 0, lane * step + first,
                                          whole ? Expr::cast(type, whole_byte(position, type))
                                                : line_byte(position, line_part, type)));
  }
  if (doubts == Doubts::lowest) {
    std::vector<Expr> halves;
    for (int q = 0; q < 2; ++q) {
      Expr least = half_of(Expr::load(kSeen, Type::i32, {lane}), q);
      for (int v = 0; v < vectors; ++v) least = min(least, half_of(at(v, lane), q));
      halves.push_back(least);
    }
    out.meaning.writes.push_back(
        write_of(kSeen, 0, lane, halves[1] * number(1 << kLineFraction) + halves[0]));
  }
  for (int block = 0; doubts == Doubts::marks && block * kWords < kLanes; ++block) {
    Expr seen = Expr::load(kSeen, Type::i32, {word + block * kWords});
    for (int q = 0; q < 2; ++q) {
      Expr near;
      for (const LaneOf& from : marked(order, vectors, block, word, q)) {
        const Expr one = line_is_near(at(from.vector, from.lane), line_part(kLineNear));
        near = near ? bits(Binary::logical_or, near, one) : one;
      }
      seen = bits(Binary::bit_or, seen, doubt(near, q));
    }
    out.meaning.writes.push_back(write_of(kSeen, 1, word + block * kWords, seen));
  }
  out.values.push_back(lanes_value("line", Type::i32, kLineParts, ValueKind::input));
  out.operands.push_back({"line", Access::read, Place::memory});
  if (along) {
    out.values.push_back(lanes_value("along", Type::i32, kLanes, ValueKind::input));
    out.values.back().shape = {vectors, kAlongParts, kLanes};
    out.operands.push_back({"along", Access::read, Place::memory});
  }
  const std::string function =
      along ? "requantise_along" : std::string("requantise") + kOrders[static_cast<int>(order)];
  std::string sums = "{c0}, {c1}";
  for (int v = 2; v < vectors; ++v) sums += ", {c" + std::to_string(v) + "}";
  out.spellings = {{"",
                    "burin_rt::" + function + (whole ? "<true" : "<false") +
                        (doubts == Doubts::lowest ? ", burin_rt::LowestHalves>" : ">") +
                        "({to}, {seen}, " + sums + ", {line}" + (along ? ", {along});" : ");"),
                    "requantise.h"}};
  return out;
}

Instruction less_row() {
  const Index lane = Index::axis(0, kLanes);
  Instruction out = lane_row("less", Type::i32, kLanes,
                             Expr::load(1, Type::i32, {lane}) - Expr::load(2, Type::i32, {0}) -
                                 Expr::load(3, Type::i32, {lane}));
  out.name = out.meaning.name = kLessRow;
  out.instruction = kInstruction;
  out.file = "hvx";
  out.values = {lanes_value("to", Type::i32, kLanes, ValueKind::output),
                lanes_value("c", Type::i32, kLanes, ValueKind::input),
                lanes_value("one", Type::i32, 1, ValueKind::input),
                lanes_value("each", Type::i32, kLanes, ValueKind::input)};
  out.operands = {{"to", Access::write, Place::registers},
                  {"c", Access::read, Place::registers},
                  {"one", Access::read, Place::memory},
                  {"each", Access::read, Place::memory}};
  out.spellings = {{"", "burin_rt::less({to}, {c}, {one}, {each});", "requantise.h"}};
  return out;
}

Instruction load_row() {
  Instruction out =
      lane_row("load", Type::i32, kLanes, Expr::load(1, Type::i32, {Index::axis(0, kLanes)}));
  out.name = out.meaning.name = kLoadRow;
  out.instruction = kInstruction;
  out.values = {lanes_value("c", Type::i32, kLanes, ValueKind::output),
                lanes_value("from", Type::i32, kLanes, ValueKind::input)};
  out.operands = {{"c", Access::write, Place::registers}, {"from", Access::read, Place::memory}};
  out.spellings = {{"", "burin_rt::load_lanes({c}, {from});", "requantise.h"}};
  return out;
}

Instruction highest_row() {
  Instruction out = start_row("all_bits", Type::i32, kLanes, number(-1),
                              {"", "{c} = burin_rt::all_bits();", "requantise.h"});
  out.name = out.meaning.name = kHighestRow;
  out.instruction = kInstruction;
  return out;
}

Instruction any_near_row() {
  const Expr near = rest(Expr::load(2, Type::i32, {kLineNear}), int64_t{1} << kLineFraction);
  Expr any;
  for (int j = 0; j < kLanes; ++j) {
    const Expr one = compare(Binary::lt, half_of(Expr::load(1, Type::i32, {j}), 0), near);
    any = any ? bits(Binary::logical_or, any, one) : one;
  }
  Instruction out = lane_row("any_near", Type::i32, 1, Expr::cast(Type::i32, any));
  out.name = out.meaning.name = kAnyNearRow;
  out.instruction = kInstruction;
  out.values = {lanes_value("to", Type::i32, 1, ValueKind::output),
                lanes_value("lowest", Type::i32, kLanes, ValueKind::input),
                lanes_value("line", Type::i32, kLineParts, ValueKind::input)};
  out.operands = {{"to", Access::write, Place::memory},
                  {"lowest", Access::read, Place::registers},
                  {"line", Access::read, Place::memory}};
  out.spellings = {{"", "burin_rt::store_any_near({to}, {lowest}, {line});", "requantise.h"}};
  return out;
}

// Bytes of words, the lowest first.
Instruction marks_row() {
  Instruction out;
  out.name = out.meaning.name = kMarksRow;
  out.instruction = kInstruction;
  out.file = "hvx";
  out.takes = 1;
  out.values = {lanes_value("to", Type::u8, 4 * kLanes, ValueKind::output),
                lanes_value("c", Type::i32, kLanes, ValueKind::input)};
  out.operands = {{"to", Access::write, Place::memory, {}, true},
                  {"c", Access::read, Place::registers}};
  out.meaning.axes = {{kLanes, AxisKind::parallel, "lane"}};
  const Index lane = Index::axis(0, kLanes);
  for (int q = 0; q < 4; ++q)
    out.meaning.writes.push_back(
        write_of(0, 0, lane * 4 + q,
                 Expr::cast(Type::u8, quotient(Expr::load(1, Type::i32, {lane}), 1 << (8 * q)))));
  out.spellings = {{"", "burin_rt::store_marks({to}, {c});", "requantise.h"}};
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

Expr whole_byte(const Expr& position, Type type) {
  return limited(quotient(position, int64_t{1} << kLineFraction), number(lowest(type)),
                 number(highest(type)));
}

Expr line_byte(const Expr& position, const LineParts& part, Type type) {
  // The lowest byte of a limit, as a number of the type.
  const auto limit = [&](LinePart which) {
    const int64_t least = lowest(type);
    return rest(part(which) - number(least), 256) + number(least);
  };
  return Expr::cast(type,
                    limited(whole_byte(position, type), limit(kLineLeast), limit(kLineGreatest)));
}

Expr line_is_near(const Expr& position, const Expr& near) {
  const int64_t one = int64_t{1} << kLineFraction;
  return compare(Binary::lt, rest(position, one), rest(near, one));
}

int column_of(LaneOrder order, int vector, int lane) {
  switch (order) {
    case LaneOrder::by_fours:
      return 4 * lane + vector;
    case LaneOrder::by_pairs:
      return 64 * (vector / 2) + 2 * lane + vector % 2;
    default:
      return kLanes * vector + lane;
  }
}

std::string requantise_name(Type type, LaneOrder order, int vectors, bool whole, Doubts doubts) {
  return std::string("requantise") + kOrders[static_cast<int>(order)] +
         (doubts == Doubts::lowest ? "_lowest" : "") + (whole ? "_whole_" : "_") +
         std::string(to_string(type)) + "x" + std::to_string(vectors * kLanes);
}

std::string requantise_along_name(Type type, int vectors, bool whole, Doubts doubts) {
  return std::string("requantise_along") + (doubts == Doubts::lowest ? "_lowest" : "") +
         (whole ? "_whole_" : "_") + std::string(to_string(type)) + "x" +
         std::to_string(vectors * kLanes);
}

std::vector<Instruction> requantise_rows() {
  std::vector<Instruction> out;
  for (const Type type : {Type::u8, Type::i8}) {
    for (const bool whole : {false, true}) {
      for (const Doubts doubts : {Doubts::marks, Doubts::lowest}) {
        const auto add = [&](LaneOrder order, int vectors, bool along) {
          out.push_back(requantise_row(type, order, vectors, along, whole, doubts));
        };
        for (const LaneOrder order : {LaneOrder::by_fours, LaneOrder::by_pairs})
          add(order, kVectors, false);
        for (int vectors = kVectors / 2; vectors <= kVectors; ++vectors) {
          add(LaneOrder::in_a_row, vectors, false);
          add(LaneOrder::in_a_row, vectors, true);
        }
      }
    }
  }
  out.push_back(less_row());
  out.push_back(any_row());
  out.push_back(marks_row());
  out.push_back(load_row());
  out.push_back(highest_row());
  out.push_back(any_near_row());
  return out;
}

}  // namespace burin::isa
