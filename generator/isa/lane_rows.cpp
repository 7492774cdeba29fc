#include "isa/lane_rows.h"

#include <string>

namespace burin::isa {
namespace {

constexpr int kLanes[] = {4, 8, 16};

Value lanes_value(const char* name, int lanes, ValueKind kind) {
  Value out;
  out.name = name;
  out.type = Type::i32;
  out.shape = {lanes};
  out.kind = kind;
  return out;
}

Instruction lane_row(const std::string& name, int lanes, Expr value) {
  Instruction out;
  out.name = name + "_i32x" + std::to_string(lanes);
  out.takes = 1;
  out.meaning.name = out.name;
  out.meaning.axes = {{lanes, AxisKind::parallel, "lane"}};
  Write write;
  write.over = {0};
  write.to = 0;
  write.at = {Index::axis(0, lanes)};
  write.value = std::move(value);
  out.meaning.writes = {write};
  return out;
}

}  // namespace

std::vector<Instruction> zero_rows() {
  std::vector<Instruction> out;
  for (const int lanes : kLanes) {
    Instruction row = lane_row("zero", lanes, Expr::constant(Type::i32, 0));
    row.values = {lanes_value("c", lanes, ValueKind::output)};
    row.operands = {{"c", Access::write, Place::registers}};
    row.spellings = {{"", "{c} = burin_rt::IntVector<" + std::to_string(lanes) + ">{};", "dot.h"}};
    out.push_back(std::move(row));
  }
  return out;
}

std::vector<Instruction> store_rows() {
  std::vector<Instruction> out;
  for (const int lanes : kLanes) {
    Instruction row = lane_row("store", lanes, Expr::load(1, Type::i32, {Index::axis(0, lanes)}));
    row.values = {lanes_value("to", lanes, ValueKind::output),
                  lanes_value("c", lanes, ValueKind::input)};
    row.operands = {{"to", Access::write, Place::memory}, {"c", Access::read, Place::registers}};
    row.spellings = {{"", "burin_rt::store_lanes({to}, {c});", "dot.h"}};
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace burin::isa
