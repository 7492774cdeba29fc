#include "isa/pool_rows.h"

#include <memory>

#include "isa/fold_rows.h"
#include "isa/lane_rows.h"
#include "isa/move_rows.h"

namespace burin::isa {
namespace {

Instruction pool_row(bool greatest, Type type, int stride) {
  const std::vector<Symbol>& sizes = pool_sizes();
  const auto size = [&](PoolSize which) { return Index::symbol(sizes[which]); };
  const Dim rows = size(kPoolRows), count = size(kPoolCount), taps = size(kPoolTaps),
            columns = size(kPoolColumns), step = size(kPoolStep), pitch = size(kPoolPitch);
  Instruction out;
  out.name = out.meaning.name = pool_name(greatest, type, stride);
  out.instruction = kFoldInstruction;
  out.sizes = sizes;
  out.values = {lanes_value("to", type, 1, ValueKind::output),
                lanes_value("from", type, 1, ValueKind::input)};
  out.values[0].shape = {rows * count};
  out.values[1].shape = {((rows - 1) * step + taps - 1) * pitch + (count - 1) * stride + columns};
  out.operands = {{"to", Access::write, Place::memory, {}, true},
                  {"from", Access::read, Place::memory, {}, true}};
  out.meaning.axes = {{rows, AxisKind::parallel, "row"},
                      {count, AxisKind::parallel, "column"},
                      {taps, AxisKind::reduce, "tap"},
                      {columns, AxisKind::reduce, "column of taps"}};
  const Index row = Index::axis(0, rows), column = Index::axis(1, count),
              tap = Index::axis(2, taps), beside = Index::axis(3, columns);
  Let let;
  let.over = {0, 1};
  let.reduced = {2, 3};
  let.op = greatest ? Combiner::max : Combiner::min;
  let.body = {Expr::load(1, type, {(row * step + tap) * pitch + column * stride + beside})};
  let.accumulator = {type};
  out.meaning.lets = {let};
  Write write;
  write.over = {0, 1};
  write.to = 0;
  write.at = {row * count + column};
  write.value = Expr::let(0, type, {row, column});
  out.meaning.writes = {write};
  out.spellings = {{"",
                    std::string("burin_rt::") + (greatest ? "pool_greatest<" : "pool_least<") +
                        std::to_string(stride) +
                        ", {taps}, {columns}, {step}, {count}, {pitch}>({to}, {from}, {rows});",
                    "pool_rows.h"}};
  return out;
}

}  // namespace

const std::vector<Symbol>& pool_sizes() {
  static const std::vector<Symbol> sizes = [] {
    std::vector<Symbol> out;
    for (const char* name : {"rows", "count", "taps", "columns", "step", "pitch"})
      out.push_back(std::make_shared<const SymbolInfo>(SymbolInfo{name, SymbolOrigin::param, 1}));
    return out;
  }();
  return sizes;
}

std::string pool_name(bool greatest, Type type, int64_t stride) {
  return "pool_" + fold_name(greatest, type, stride);
}

std::vector<Instruction> pool_rows() {
  std::vector<Instruction> out;
  for (const Type type : {Type::u8, Type::i8}) {
    for (const bool greatest : {true, false}) {
      for (int stride = 1; stride <= kMostMoveStride; ++stride)
        out.push_back(pool_row(greatest, type, stride));
    }
  }
  return out;
}

}  // namespace burin::isa
