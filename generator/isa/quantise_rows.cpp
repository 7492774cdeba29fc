#include "isa/quantise_rows.h"

#include "isa/lane_rows.h"
#include "isa/requantise_rows.h"

namespace burin::isa {
namespace {

constexpr int kNumbers = kRequantisedVectors * kRequantisedLanes;
constexpr int64_t kMostPosition = int64_t{1} << 29;
constexpr int kSeenOperand = 1, kFloats = 2, kScale = 3, kFloatLine = 4;

Expr position_at(const Index& place) {
  return quantised_position(Expr::load(kFloats, Type::f32, {place}),
                            Expr::load(kScale, Type::f32, {0}),
                            Expr::load(kFloatLine, Type::i32, {kFloatOffset}));
}

Instruction quantise_row(Type to) {
  Instruction out;
  out.name = out.meaning.name = quantise_name(to);
  out.instruction = "vmpyowh_1024";
  out.file = "hvx";
  out.takes = 1;
  out.values = {lanes_value("to", to, kNumbers, ValueKind::output),
                lanes_value("seen", Type::i32, kRequantisedLanes, ValueKind::output),
                lanes_value("from", Type::f32, kNumbers, ValueKind::input),
                lanes_value("scale", Type::f32, 1, ValueKind::input),
                lanes_value("line", Type::i32, kFloatLineParts, ValueKind::input)};
  out.operands = {{"to", Access::write, Place::memory, {}, true},
                  {"seen", Access::update, Place::registers},
                  {"from", Access::read, Place::memory, {}, true},
                  {"scale", Access::read, Place::memory},
                  {"line", Access::read, Place::memory}};
  out.meaning.axes = {{kNumbers, AxisKind::parallel, "place"},
                      {kRequantisedLanes, AxisKind::parallel, "word"}};
  // What isa/requantise_rows.h says of a line, of these parts.
  const LineParts part = [](LinePart which) {
    return Expr::load(kFloatLine, Type::i32, {which == kLineLeast ? kFloatLeast : kFloatGreatest});
  };
  const Expr reach = Expr::load(kFloatLine, Type::i32, {kFloatReach});
  const Index place = Index::axis(0, kNumbers), word = Index::axis(1, kRequantisedLanes);
  Write bytes;
  bytes.over = {0};
  bytes.to = 0;
  bytes.at = {place};
  bytes.value = line_byte(position_at(place), part, to);
  Expr seen = Expr::load(kSeenOperand, Type::i32, {word});
  for (int q = 0; q < 4; ++q) {
    const Index number = word * 4 + q;
    const Expr doubt =
        Expr::binary(Binary::logical_or, line_is_near(position_at(number) + reach, reach + reach),
                     Expr::unary(Unary::is_nan, Expr::load(kFloats, Type::f32, {number})));
    const int64_t all = static_cast<int32_t>(0xffu << (8 * q));
    seen = Expr::binary(
        Binary::bit_or, seen,
        Expr::select(doubt, Expr::constant(Type::i32, all), Expr::constant(Type::i32, 0)));
  }
  Write marks;
  marks.over = {1};
  marks.to = kSeenOperand;
  marks.at = {word};
  marks.value = seen;
  out.meaning.writes = {bytes, marks};
  out.spellings = {
      {"", "burin_rt::quantise({to}, {seen}, {from}, {scale}, {line});", "quantise.h"}};
  return out;
}

}  // namespace

Expr quantised_position(const Expr& x, const Expr& scale, const Expr& offset) {
  const Expr size =
      Expr::cast(Type::f64, Expr::unary(Unary::abs, x)) * Expr::cast(Type::f64, scale);
  const Expr whole =
      Expr::cast(Type::i32, min(Expr::unary(Unary::floor, size),
                                Expr::constant(Type::f64, static_cast<double>(kMostPosition))));
  const Expr none = Expr::constant(Type::i32, 0);
  const Expr negative = compare(Binary::lt, x, Expr::constant(Type::f32, 0.0));
  return Expr::select(Expr::unary(Unary::is_nan, x), none,
                      Expr::select(negative, none - whole, whole)) +
         offset;
}

std::string quantise_name(Type to) {
  return "quantise_f32_as_" + std::string(to_string(to)) + "x" + std::to_string(kNumbers);
}

std::vector<Instruction> quantise_rows() {
  return {quantise_row(Type::u8), quantise_row(Type::i8)};
}

}  // namespace burin::isa
