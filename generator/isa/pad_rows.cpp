#include "isa/pad_rows.h"

#include <memory>

#include "isa/lane_rows.h"
#include "isa/move_rows.h"

namespace burin::isa {
namespace {

Instruction pad_row(Type from, Type to, bool known) {
  const std::vector<Symbol>& sizes = pad_sizes();
  const Dim rows = Index::symbol(sizes[kPadRows]), pitch = Index::symbol(sizes[kPadPitch]),
            width = Index::symbol(sizes[kPadWidth]), before = Index::symbol(sizes[kPadBefore]),
            from_pitch = Index::symbol(sizes[kPadFromPitch]);
  Instruction out;
  out.name = out.meaning.name = pad_name(from, to, known);
  out.instruction = kPadInstruction;
  out.sizes = sizes;
  out.values = {lanes_value("to", to, 1, ValueKind::output),
                lanes_value("from", from, 1, ValueKind::input),
                lanes_value("fill", to, 1, ValueKind::input)};
  out.values[0].shape = {rows * pitch};
  out.values[1].shape = {(rows - 1) * from_pitch + width};
  out.operands = {{"to", Access::write, Place::memory, {}, true},
                  {"from", Access::read, Place::memory, {}, true},
                  {"fill", Access::read, Place::memory}};
  out.meaning.axes = {{rows, AxisKind::parallel, "row"}, {pitch, AxisKind::parallel, "column"}};
  const Index row = Index::axis(0, rows), column = Index::axis(1, pitch);
  const Expr element = Expr::load(1, from, {row * from_pitch + column - before});
  Write write;
  write.over = {0, 1};
  write.to = 0;
  write.at = {row * pitch + column};
  write.value =
      Expr::cases({{{{column - before, 0, width}}, byte_as(element, to)}}, Expr::load(2, to, {0}));
  out.meaning.writes = {write};
  out.spellings = {
      known ? Spelling{"",
                       "burin_rt::pad_known_rows<{pitch}, {width}, {before}, {from_pitch}>({to}, "
                       "{from}, {fill}, {rows});",
                       "pad_known_rows.h"}
            : Spelling{"",
                       "burin_rt::pad_rows({to}, {from}, {fill}, {rows}, {pitch}, {width}, "
                       "{before}, {from_pitch});",
                       "pad_rows.h"}};
  return out;
}

}  // namespace

const std::vector<Symbol>& pad_sizes() {
  static const std::vector<Symbol> sizes = [] {
    std::vector<Symbol> out;
    for (const char* name : {"rows", "pitch", "width", "before", "from_pitch"})
      out.push_back(std::make_shared<const SymbolInfo>(SymbolInfo{name, SymbolOrigin::param, 0}));
    return out;
  }();
  return sizes;
}

std::string pad_name(Type from, Type to, bool known) {
  return (known ? "pad_known_rows_" : "pad_rows_") + std::string(to_string(from)) + "_as_" +
         std::string(to_string(to));
}

std::vector<Instruction> pad_rows() {
  std::vector<Instruction> out;
  for (const Type from : {Type::u8, Type::i8}) {
    for (const Type to : {Type::u8, Type::i8}) {
      for (const bool known : {false, true}) out.push_back(pad_row(from, to, known));
    }
  }
  return out;
}

}  // namespace burin::isa
