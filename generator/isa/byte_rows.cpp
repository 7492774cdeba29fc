#include "isa/byte_rows.h"

#include <memory>

#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

constexpr const char* kPositionNames[] = {"c0", "c1", "c2", "c3"};
constexpr const char* kByteHeader = "byte_lines.h";

Expr whole_word(int64_t value) { return Expr::constant(Type::i32, value); }
Expr combined(Binary op, const Expr& a, const Expr& b) { return Expr::binary(op, a, b); }
// a >> shift, rounded down.
Expr shifted_down(const Expr& a, const Expr& shift) {
  const Expr divisor = combined(Binary::shift_left, whole_word(1), shift);
  return (a - combined(Binary::mod, a, divisor)) / divisor;
}
Write row_write(int to, std::vector<int> over, const Index& at, Expr value) {
  Write out;
  out.over = std::move(over);
  out.to = to;
  out.at = {at};
  out.value = std::move(value);
  return out;
}

// A row of positions: operands 0 to 3, with `access`; then what is read.
Instruction positions_row(const std::string& name, Access access) {
  Instruction out;
  out.name = out.meaning.name = name;
  out.instruction = kLineInstruction;
  out.file = "hvx";
  out.takes = 1;
  for (const char* const one : kPositionNames) {
    out.values.push_back(lanes_value(
        one, Type::i32, kByteLanes, access == Access::read ? ValueKind::input : ValueKind::output));
    out.operands.push_back({one, access, Place::registers});
  }
  out.meaning.axes = {{kByteLanes, AxisKind::parallel, "lane"}};
  return out;
}
void add_memory(Instruction& row, const char* name, Type type, int elements, bool runs_on) {
  row.values.push_back(lanes_value(name, type, elements, ValueKind::input));
  row.operands.push_back({name, Access::read, Place::memory, {}, runs_on});
}
Expr position_of(int q) { return Expr::load(q, Type::i32, {Index::axis(0, kByteLanes)}); }
Expr line_part(int operand, int part) { return Expr::load(operand, Type::i32, {part}); }
// c<q>[lane] = value(q).
template <class Value>
void write_positions(Instruction& row, const Value& value) {
  for (int q = 0; q < kByteVectors; ++q)
    row.meaning.writes.push_back(row_write(q, {0}, Index::axis(0, kByteLanes), value(q)));
}

Instruction start_line_row() {
  Instruction out = positions_row(kStartLine, Access::write);
  add_memory(out, "line", Type::i32, 1, false);
  write_positions(out, [](int) { return line_part(4, 0); });
  out.spellings = {{"", "burin_rt::start_line({c0}, {c1}, {c2}, {c3}, {line});", kByteHeader}};
  return out;
}

Instruction add_to_line_row(Type from) {
  Instruction out = positions_row(add_to_line_name(from), Access::update);
  add_memory(out, "from", from, kBytesAtOnce, true);
  add_memory(out, "line", Type::i32, 1, false);
  write_positions(out, [&](int q) {
    const Expr byte = Expr::load(4, from, {Index::axis(0, kByteLanes) * kByteVectors + q});
    return position_of(q) + line_part(5, 0) * Expr::cast(Type::i32, byte);
  });
  out.spellings = {
      {"", "burin_rt::add_to_line({c0}, {c1}, {c2}, {c3}, {from}, {line});", kByteHeader}};
  return out;
}

Expr along_part(int operand, int q) {
  return Expr::load(operand, Type::i32, {q, Index::axis(0, kByteLanes)});
}
void add_along(Instruction& row) {
  add_memory(row, "along", Type::i32, kByteLanes, false);
  row.values.back().shape = {kByteVectors, kByteLanes};
}
Instruction start_along_row() {
  Instruction out = positions_row(kStartAlong, Access::write);
  add_along(out);
  write_positions(out, [](int q) { return along_part(4, q); });
  out.spellings = {{"", "burin_rt::start_along({c0}, {c1}, {c2}, {c3}, {along});", kByteHeader}};
  return out;
}
Instruction add_along_row(Type from) {
  Instruction out = positions_row(add_along_name(from), Access::update);
  add_memory(out, "from", from, kBytesAtOnce, true);
  add_along(out);
  write_positions(out, [&](int q) {
    const Expr byte = Expr::load(4, from, {Index::axis(0, kByteLanes) * kByteVectors + q});
    return position_of(q) + along_part(5, q) * Expr::cast(Type::i32, byte);
  });
  out.spellings = {
      {"", "burin_rt::add_along({c0}, {c1}, {c2}, {c3}, {from}, {along});", kByteHeader}};
  return out;
}

Instruction limit_line_row() {
  Instruction out = positions_row(kLimitLine, Access::update);
  add_memory(out, "line", Type::i32, 2, false);
  write_positions(out,
                  [](int q) { return min(max(position_of(q), line_part(4, 0)), line_part(4, 1)); });
  out.spellings = {{"", "burin_rt::limit_line({c0}, {c1}, {c2}, {c3}, {line});", kByteHeader}};
  return out;
}

Instruction near_line_row() {
  Instruction out = positions_row(kNearLine, Access::read);
  out.values.insert(out.values.begin(),
                    lanes_value("seen", Type::i32, kByteLanes, ValueKind::output));
  out.operands.insert(out.operands.begin(), {"seen", Access::update, Place::registers});
  add_memory(out, "line", Type::i32, 2, false);
  const Index lane = Index::axis(0, kByteLanes);
  Expr seen = Expr::load(0, Type::i32, {lane});
  for (int q = 0; q < kByteVectors; ++q) {
    const int64_t all = static_cast<int32_t>(0xffu << (8 * q));
    seen = combined(Binary::bit_or, seen,
                    Expr::select(is_near_line(Expr::load(1 + q, Type::i32, {lane}), line_part(5, 0),
                                              line_part(5, 1)),
                                 whole_word(all), whole_word(0)));
  }
  out.meaning.writes = {row_write(0, {0}, lane, seen)};
  out.spellings = {
      {"", "burin_rt::near_line({seen}, {c0}, {c1}, {c2}, {c3}, {line});", kByteHeader}};
  return out;
}

Instruction end_line_row(Type to) {
  Instruction out = positions_row(end_line_name(to), Access::read);
  out.values.insert(out.values.begin(), lanes_value("to", to, kBytesAtOnce, ValueKind::output));
  out.operands.insert(out.operands.begin(), {"to", Access::write, Place::memory, {}, true});
  add_memory(out, "line", Type::i32, 3, false);
  const Index lane = Index::axis(0, kByteLanes);
  for (int q = 0; q < kByteVectors; ++q) {
    const Expr byte = byte_of_line(Expr::load(1 + q, Type::i32, {lane}), line_part(5, 0),
                                   line_part(5, 1), line_part(5, 2), to);
    out.meaning.writes.push_back(row_write(0, {0}, lane * kByteVectors + q, byte));
  }
  out.spellings = {{"", "burin_rt::end_line({to}, {c0}, {c1}, {c2}, {c3}, {line});", kByteHeader}};
  return out;
}

Instruction look_up_row(Type from, Type to) {
  static const Symbol count =
      std::make_shared<const SymbolInfo>(SymbolInfo{"count", SymbolOrigin::param, 0});
  const Dim length = Index::symbol(count);
  Instruction out;
  out.name = out.meaning.name = look_up_name(from, to);
  out.instruction = kTableInstruction;
  out.elsewhere = {"vpermi2w_512", "vpshufb_256", "tbl_128"};
  out.sizes = {count};
  out.values = {lanes_value("to", to, 1, ValueKind::output)};
  out.values[0].shape = {length};
  out.operands = {{"to", Access::write, Place::memory, {}, true}};
  add_memory(out, "from", from, 1, true);
  out.values[1].shape = {length};
  add_memory(out, "table", to, kTableBytes, false);
  out.meaning.axes = {{length, AxisKind::parallel, "place"}};
  const Index place = Index::axis(0, length);
  const Expr byte = Expr::cast(Type::i64, Expr::load(1, from, {place}));
  const Index at = mod(Index::data(byte.ptr(), {lowest(from), highest(from)}), kTableBytes);
  out.meaning.writes = {row_write(0, {0}, place, Expr::load(2, to, {at}))};
  out.spellings = {{"", "burin_rt::look_up({to}, {from}, {table}, {count});", kByteHeader}};
  return out;
}

}  // namespace

std::string look_up_name(Type from, Type to) {
  return "look_up_" + std::string(to_string(from)) + "_as_" + std::string(to_string(to));
}
std::string add_to_line_name(Type from) { return "add_to_line_" + std::string(to_string(from)); }
std::string add_along_name(Type from) { return "add_along_" + std::string(to_string(from)); }
std::string end_line_name(Type to) { return "end_line_" + std::string(to_string(to)); }

Expr limit_of(const Expr& bits, Type type) {
  const int64_t least = lowest(type);
  return combined(Binary::mod, bits - whole_word(least), whole_word(256)) + whole_word(least);
}

Expr is_near_line(const Expr& at, const Expr& reach, const Expr& shift) {
  const Expr bits = combined(Binary::bit_and, shift, whole_word(31));
  const auto scaled = [&](const Expr& a) {
    return Expr::cast(Type::u32, combined(Binary::shift_left, a, bits));
  };
  return compare(Binary::lt, scaled(at + reach), scaled(reach + reach));
}

Expr byte_of_line(const Expr& at, const Expr& shift, const Expr& least, const Expr& greatest,
                  Type type) {
  const Expr whole = shifted_down(shifted_down(at, whole_word(16)),
                                  combined(Binary::bit_and, shift, whole_word(7)));
  const Expr byte = min(max(whole, whole_word(lowest(type))), whole_word(highest(type)));
  return Expr::cast(type, min(max(byte, limit_of(least, type)), limit_of(greatest, type)));
}

std::vector<Instruction> byte_rows() {
  std::vector<Instruction> out{start_line_row(), start_along_row(), limit_line_row(),
                               near_line_row()};
  for (const Type from : {Type::u8, Type::i8}) {
    out.push_back(add_to_line_row(from));
    out.push_back(add_along_row(from));
    out.push_back(end_line_row(from));
    for (const Type to : {Type::u8, Type::i8}) out.push_back(look_up_row(from, to));
  }
  return out;
}

}  // namespace burin::isa
