#include "isa/scalar_rows.h"

#include <string>

#include "isa/all_rows.h"

namespace burin::isa {
namespace {

std::string row_of(Type type) { return "multiply_add_" + std::string(to_string(type)); }

Value scalar(const char* name, Type type, ValueKind kind) {
  Value out;
  out.name = name;
  out.type = type;
  out.kind = kind;
  return out;
}

Instruction multiply_add_row(Type type) {
  const bool halves = type == Type::f16;
  const auto operand = [&](ValueId id) {
    return halves ? Expr::fp16_load(id, {}) : Expr::load(id, type, {});
  };
  Instruction out;
  out.name = out.meaning.name = row_of(type);
  Write write;
  write.to = 0;
  write.value = operand(1) * operand(2);
  write.how = How::add;
  out.meaning.writes = {write};
  out.values = {scalar("c", type, ValueKind::output), scalar("a", type, ValueKind::input),
                scalar("b", type, ValueKind::input)};
  out.operands = {{"c", Access::update, Place::element},
                  {"a", Access::read, Place::element},
                  {"b", Access::read, Place::element}};
  out.spellings = {{"opencl", "{c} = mad({a}, {b}, {c});", halves ? "fp16.cl" : ""}};
  return out;
}

}  // namespace

std::vector<Instruction> scalar_rows() {
  return {multiply_add_row(Type::f32), multiply_add_row(Type::f16)};
}

const Instruction* multiply_add(Type type) { return find_row(row_of(type)); }

}  // namespace burin::isa
