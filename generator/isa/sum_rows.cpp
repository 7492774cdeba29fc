#include "isa/sum_rows.h"

#include <memory>

#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

Instruction sum_row(Type type, bool squares) {
  static const Symbol count =
      std::make_shared<const SymbolInfo>(SymbolInfo{"count", SymbolOrigin::param, 0});
  const Dim length = Index::symbol(count);
  Instruction out;
  out.name = out.meaning.name = squares ? squares_name(type) : sum_name(type);
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
  const Expr byte = Expr::cast(Type::i32, Expr::load(1, type, {Index::axis(0, length)}));
  sum.body = {squares ? byte * byte : byte};
  sum.accumulator = {Type::i32};
  out.meaning.lets = {sum};
  Write write;
  write.to = 0;
  write.at = {0};
  write.value = Expr::let(0, Type::i32, {});
  write.how = How::add;
  out.meaning.writes = {write};
  const std::string function = squares ? "sum_squares" : "sum_bytes";
  out.spellings = {{"", "burin_rt::" + function + "({to}, {from}, {count});", "sum_bytes.h"}};
  return out;
}

Instruction rows_row(Type type) {
  static const Symbol rows =
      std::make_shared<const SymbolInfo>(SymbolInfo{"rows", SymbolOrigin::param, 0});
  static const Symbol count =
      std::make_shared<const SymbolInfo>(SymbolInfo{"count", SymbolOrigin::param, 0});
  const Dim all = Index::symbol(rows), length = Index::symbol(count);
  Instruction out;
  out.name = out.meaning.name = sums_name(type);
  out.instruction = kSumInstruction;
  out.sizes = {rows, count};
  out.values = {lanes_value("to", Type::i32, 1, ValueKind::output),
                lanes_value("from", type, 1, ValueKind::input)};
  out.values[0].shape = {all};
  out.values[1].shape = {all * length};
  out.operands = {{"to", Access::write, Place::memory, {}, true},
                  {"from", Access::read, Place::memory, {}, true}};
  out.meaning.axes = {{all, AxisKind::parallel, "row"}, {length, AxisKind::reduce, "place"}};
  const Index row = Index::axis(0, all);
  Let sum;
  sum.over = {0};
  sum.reduced = {1};
  sum.op = Combiner::sum;
  sum.body = {Expr::cast(Type::i32, Expr::load(1, type, {row * length + Index::axis(1, length)}))};
  sum.accumulator = {Type::i32};
  out.meaning.lets = {sum};
  Write write;
  write.over = {0};
  write.to = 0;
  write.at = {row};
  write.value = Expr::let(0, Type::i32, {row});
  out.meaning.writes = {write};
  out.spellings = {{"", "burin_rt::sum_rows({to}, {from}, {rows}, {count});", "sum_bytes.h"}};
  return out;
}

}  // namespace

std::string sum_name(Type type) { return "sum_" + std::string(to_string(type)); }

std::string squares_name(Type type) { return "sum_squares_" + std::string(to_string(type)); }

std::string sums_name(Type type) { return "sums_" + std::string(to_string(type)); }

std::vector<Instruction> sum_rows() {
  std::vector<Instruction> out;
  for (const Type type : {Type::u8, Type::i8}) {
    out.push_back(rows_row(type));
    for (const bool squares : {false, true}) out.push_back(sum_row(type, squares));
  }
  return out;
}

}  // namespace burin::isa
