#include "isa/fold_rows.h"

#include <memory>

#include "isa/lane_rows.h"
#include "isa/move_rows.h"

namespace burin::isa {
namespace {

Instruction fold_row(const std::string& name, Type type, bool fills, int stride,
                     const std::string& function, How how) {
  static const Symbol count =
      std::make_shared<const SymbolInfo>(SymbolInfo{"count", SymbolOrigin::param, 0});
  const Dim length = Index::symbol(count);
  Instruction out;
  out.name = out.meaning.name = name;
  out.instruction = kFoldInstruction;
  out.elsewhere = {"vpmaxub_512", "vpmaxub_256", "umax_128"};
  out.sizes = {count};
  out.values = {lanes_value("to", type, 1, ValueKind::output),
                lanes_value("from", type, 1, ValueKind::input)};
  out.values[0].shape = {length};
  if (!fills) out.values[1].shape = {(length - 1) * stride + 1};
  out.operands = {{"to", fills ? Access::write : Access::update, Place::memory, {}, true},
                  {"from", Access::read, Place::memory, {}, true}};
  out.meaning.axes = {{length, AxisKind::parallel, "place"}};
  const Index place = Index::axis(0, length);
  Write write;
  write.over = {0};
  write.to = 0;
  write.at = {place};
  write.value = Expr::load(1, type, {fills ? Index(0) : place * stride});
  write.how = how;
  out.meaning.writes = {write};
  out.spellings = {{"", "burin_rt::" + function + "({to}, {from}, {count});", "fold_bytes.h"}};
  return out;
}

// All of a run, to one byte.
Instruction run_row(bool greatest, Type type) {
  static const Symbol count =
      std::make_shared<const SymbolInfo>(SymbolInfo{"count", SymbolOrigin::param, 1});
  const Dim length = Index::symbol(count);
  Instruction out;
  out.name = out.meaning.name = fold_run_name(greatest, type);
  out.instruction = kFoldInstruction;
  out.sizes = {count};
  out.values = {lanes_value("to", type, 1, ValueKind::output),
                lanes_value("from", type, 1, ValueKind::input)};
  out.values[1].shape = {length};
  out.operands = {{"to", Access::write, Place::memory},
                  {"from", Access::read, Place::memory, {}, true}};
  out.meaning.axes = {{length, AxisKind::reduce, "place"}};
  Let all;
  all.reduced = {0};
  all.op = greatest ? Combiner::max : Combiner::min;
  all.body = {Expr::load(1, type, {Index::axis(0, length)})};
  all.accumulator = {type};
  out.meaning.lets = {all};
  Write write;
  write.to = 0;
  write.at = {0};
  write.value = Expr::let(0, type, {});
  out.meaning.writes = {write};
  const std::string function = greatest ? "greatest_of_run" : "least_of_run";
  out.spellings = {{"", "burin_rt::" + function + "({to}, {from}, {count});", "fold_bytes.h"}};
  return out;
}

}  // namespace

std::string fold_run_name(bool greatest, Type type) {
  return fold_name(greatest, type, 1) + "_run";
}
std::string fill_name(Type type) { return "fill_" + std::string(to_string(type)); }

std::string fold_name(bool greatest, Type type, int64_t stride) {
  return std::string(greatest ? "max_" : "min_") + std::string(to_string(type)) +
         (stride == 1 ? "" : "_by" + std::to_string(stride));
}

std::vector<Instruction> fold_rows() {
  std::vector<Instruction> out;
  for (const Type type : {Type::u8, Type::i8}) {
    out.push_back(fold_row(fill_name(type), type, true, 1, "fill_bytes", How::store));
    for (const bool greatest : {true, false}) {
      out.push_back(run_row(greatest, type));
      for (int stride = 1; stride <= kMostMoveStride; ++stride)
        out.push_back(fold_row(fold_name(greatest, type, stride), type, false, stride,
                               std::string(greatest ? "greatest_bytes<" : "least_bytes<") +
                                   std::to_string(stride) + ">",
                               greatest ? How::max : How::min));
    }
  }
  return out;
}

}  // namespace burin::isa
