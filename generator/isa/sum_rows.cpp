#include "isa/sum_rows.h"

#include <memory>

#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

Instruction sum_row(Type type) {
  static const Symbol count =
      std::make_shared<const SymbolInfo>(SymbolInfo{"count", SymbolOrigin::param, 0});
  const Dim length = Index::symbol(count);
  Instruction out;
  out.name = out.meaning.name = sum_name(type);
  out.instruction = kSumInstruction;
  out.sizes = {count};
  out.values = {lanes_value("to", Type::i32, 1, ValueKind::output),
                lanes_value("from", type, 1, ValueKind::input)};
  out.values[1].shape = {length};
  out.operands = {{"to", Access::update, Place::memory},
                  {"from", Access::read, Place::memory, {}, true}};
  out.meaning.axes = {{length, AxisKind::reduce, "place"}};
  Let sum;
  sum.reduced = {0};
  sum.op = Combiner::sum;
  sum.body = {Expr::cast(Type::i32, Expr::load(1, type, {Index::axis(0, length)}))};
  sum.accumulator = {Type::i32};
  out.meaning.lets = {sum};
  Write write;
  write.to = 0;
  write.at = {0};
  write.value = Expr::let(0, Type::i32, {});
  write.how = How::add;
  out.meaning.writes = {write};
  out.spellings = {{"", "burin_rt::sum_bytes({to}, {from}, {count});", "sum_bytes.h"}};
  return out;
}

}  // namespace

std::string sum_name(Type type) { return "sum_" + std::string(to_string(type)); }

std::vector<Instruction> sum_rows() { return {sum_row(Type::u8), sum_row(Type::i8)}; }

}  // namespace burin::isa
