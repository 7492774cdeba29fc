#include "isa/lane_rows.h"

namespace burin::isa {

Value shaped_value(const std::string& name, Type type, std::vector<Dim> shape, ValueKind kind) {
  Value out;
  out.name = name;
  out.type = type;
  out.shape = std::move(shape);
  out.kind = kind;
  return out;
}

Value lanes_value(const std::string& name, Type type, int lanes, ValueKind kind) {
  return shaped_value(name, type, {lanes}, kind);
}

std::string lane_row_name(const char* kind, Type type, int lanes) {
  return std::string(kind) + "_" + std::string(to_string(type)) + "x" + std::to_string(lanes);
}

Instruction lane_row(const char* kind, Type type, int lanes, Expr value, How how) {
  Instruction out;
  out.name = lane_row_name(kind, type, lanes);
  out.takes = 1;
  out.meaning.name = out.name;
  out.meaning.axes = {{lanes, AxisKind::parallel, "lane"}};
  Write write;
  write.over = {0};
  write.to = 0;
  write.at = {Index::axis(0, lanes)};
  write.value = std::move(value);
  write.how = how;
  out.meaning.writes = {write};
  return out;
}

Instruction start_row(const char* kind, Type type, int lanes, Expr value,
                      const Spelling& spelling) {
  Instruction out = lane_row(kind, type, lanes, std::move(value));
  out.values = {lanes_value("c", type, lanes, ValueKind::output)};
  out.operands = {{"c", Access::write, Place::registers}};
  out.spellings = {spelling};
  return out;
}

Instruction store_row(Type type, int lanes, const Spelling& spelling) {
  Instruction out = lane_row("store", type, lanes, Expr::load(1, type, {Index::axis(0, lanes)}));
  out.values = {lanes_value("to", type, lanes, ValueKind::output),
                lanes_value("c", type, lanes, ValueKind::input)};
  out.operands = {{"to", Access::write, Place::memory}, {"c", Access::read, Place::registers}};
  out.spellings = {spelling};
  return out;
}

std::vector<Instruction> zero_rows() {
  std::vector<Instruction> out;
  for (const int lanes : kSumLaneCounts) {
    out.push_back(
        start_row("zero", Type::i32, lanes, Expr::constant(Type::i32, 0),
                  {"", "{c} = burin_rt::IntVector<" + std::to_string(lanes) + ">{};", "dot.h"}));
  }
  return out;
}

std::vector<Instruction> store_rows() {
  std::vector<Instruction> out;
  for (const int lanes : kSumLaneCounts)
    out.push_back(store_row(Type::i32, lanes, {"", "burin_rt::store_lanes({to}, {c});", "dot.h"}));
  return out;
}

}  // namespace burin::isa
