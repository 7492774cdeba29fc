#include "isa/float_rows.h"

#include <string>

#include "isa/lane_rows.h"
#include "isa/rows.h"

namespace burin::isa {
namespace {

Instruction add_product_row(int lanes) {
  const Index lane = Index::axis(0, lanes);
  Instruction out =
      lane_row("add_product", Type::f32, lanes,
               Expr::load(1, Type::f32, {0}) * Expr::load(2, Type::f32, {lane}), How::add);
  out.values = {lanes_value("c", Type::f32, lanes, ValueKind::output),
                lanes_value("a", Type::f32, 1, ValueKind::input),
                lanes_value("b", Type::f32, lanes, ValueKind::input)};
  out.operands = {{"c", Access::update, Place::registers},
                  {"a", Access::read, Place::broadcast},
                  {"b", Access::read, Place::memory}};
  out.spellings = {
      {"", "{c} = burin_rt::add_product<" + std::to_string(lanes) + ">({c}, {a}, {b});", "vec.h"}};
  return out;
}

}  // namespace

std::vector<Instruction> float_rows() {
  std::vector<Instruction> out;
  for (const int lanes : kLaneCounts) {
    out.push_back(
        zero_row(Type::f32, lanes,
                 {"", "{c} = burin_rt::broadcast<" + std::to_string(lanes) + ">(0.0f);", "vec.h"}));
    out.push_back(add_product_row(lanes));
    out.push_back(store_row(Type::f32, lanes, {"", "burin_rt::store({to}, {c});", "vec.h"}));
  }
  return out;
}

const Instruction* float_row(const char* kind, int lanes) {
  return find_row(lane_row_name(kind, Type::f32, lanes));
}

}  // namespace burin::isa
