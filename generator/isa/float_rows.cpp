#include "isa/float_rows.h"

#include <string>

#include "isa/rows.h"

namespace burin::isa {
namespace {

constexpr int kFloatLanes[] = {4, 8, 16};

Value float_value(const char* name, int elements, ValueKind kind) {
  Value out;
  out.name = name;
  out.type = Type::f32;
  out.shape = {elements};
  out.kind = kind;
  return out;
}

std::string name_of(const char* kind, int lanes) {
  return std::string(kind) + "_f32x" + std::to_string(lanes);
}

// Operand 0 gets `value` in every lane.
Instruction row_of(const char* kind, int lanes, Expr value, How how) {
  Instruction out;
  out.name = name_of(kind, lanes);
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

Instruction zero_row(int lanes) {
  Instruction out = row_of("zero", lanes, Expr::constant(Type::f32, 0), How::store);
  out.values = {float_value("c", lanes, ValueKind::output)};
  out.operands = {{"c", Access::write, Place::registers}};
  out.spellings = {
      {"", "{c} = burin_rt::broadcast<" + std::to_string(lanes) + ">(0.0f);", "vec.h"}};
  return out;
}

Instruction add_product_row(int lanes) {
  const Index lane = Index::axis(0, lanes);
  Instruction out =
      row_of("add_product", lanes, Expr::load(1, Type::f32, {0}) * Expr::load(2, Type::f32, {lane}),
             How::add);
  out.values = {float_value("c", lanes, ValueKind::output), float_value("a", 1, ValueKind::input),
                float_value("b", lanes, ValueKind::input)};
  out.operands = {{"c", Access::update, Place::registers},
                  {"a", Access::read, Place::broadcast},
                  {"b", Access::read, Place::memory}};
  out.spellings = {
      {"", "{c} = burin_rt::add_product<" + std::to_string(lanes) + ">({c}, {a}, {b});", "vec.h"}};
  return out;
}

Instruction store_row(int lanes) {
  Instruction out =
      row_of("store", lanes, Expr::load(1, Type::f32, {Index::axis(0, lanes)}), How::store);
  out.values = {float_value("to", lanes, ValueKind::output),
                float_value("c", lanes, ValueKind::input)};
  out.operands = {{"to", Access::write, Place::memory}, {"c", Access::read, Place::registers}};
  out.spellings = {{"", "burin_rt::store({to}, {c});", "vec.h"}};
  return out;
}

}  // namespace

std::vector<Instruction> float_rows() {
  std::vector<Instruction> out;
  for (const int lanes : kFloatLanes) {
    out.push_back(zero_row(lanes));
    out.push_back(add_product_row(lanes));
    out.push_back(store_row(lanes));
  }
  return out;
}

const Instruction* float_row(const char* kind, int lanes) { return find_row(name_of(kind, lanes)); }

}  // namespace burin::isa
