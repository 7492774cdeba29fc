#include "isa/byte_products.h"

#include "isa/byte_rows.h"
#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

Instruction multiply_row(Type a, Type b) {
  Instruction out;
  out.name = out.meaning.name = multiply_name(a, b);
  out.instruction = kLineInstruction;
  out.file = "hvx";
  out.takes = 1;
  for (const char* const one : {"c0", "c1", "c2", "c3"}) {
    out.values.push_back(lanes_value(one, Type::i32, kByteLanes, ValueKind::output));
    out.operands.push_back({one, Access::write, Place::registers});
  }
  const auto read = [&](const char* name, Type type, int elements) {
    out.values.push_back(lanes_value(name, type, elements, ValueKind::input));
    out.operands.push_back({name, Access::read, Place::memory, {}, elements > 1});
    return static_cast<int>(out.values.size()) - 1;
  };
  const int bytes_a = read("a", a, kBytesAtOnce), bytes_b = read("b", b, kBytesAtOnce),
            zero_a = read("zero_a", a, 1), zero_b = read("zero_b", b, 1);
  out.meaning.axes = {{kByteLanes, AxisKind::parallel, "lane"}};
  const Index lane = Index::axis(0, kByteLanes);
  for (int q = 0; q < kByteVectors; ++q) {
    const auto shifted = [&](int bytes, int zero, Type type) {
      return Expr::cast(Type::i32, Expr::load(bytes, type, {lane * kByteVectors + q})) -
             Expr::cast(Type::i32, Expr::load(zero, type, {0}));
    };
    Write write;
    write.over = {0};
    write.to = q;
    write.at = {lane};
    write.value = shifted(bytes_a, zero_a, a) * shifted(bytes_b, zero_b, b);
    out.meaning.writes.push_back(std::move(write));
  }
  out.spellings = {
      {"", "burin_rt::multiply_bytes({c0}, {c1}, {c2}, {c3}, {a}, {b}, {zero_a}, {zero_b});",
       "byte_products.h"}};
  return out;
}

}  // namespace

std::string multiply_name(Type a, Type b) {
  return "multiply_" + std::string(to_string(a)) + "_" + std::string(to_string(b));
}

std::vector<Instruction> byte_products() {
  std::vector<Instruction> out;
  for (const Type a : {Type::u8, Type::i8}) {
    for (const Type b : {Type::u8, Type::i8}) out.push_back(multiply_row(a, b));
  }
  return out;
}

}  // namespace burin::isa
