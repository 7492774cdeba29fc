#include "isa/prefetch_row.h"

#include <memory>

#include "isa/all_rows.h"
#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

std::string name_for(Type type) {
  return type == Type::f32 ? "prefetch" : "prefetch_" + std::string(to_string(type));
}

Symbol ahead() {
  static const Symbol symbol =
      std::make_shared<const SymbolInfo>(SymbolInfo{"ahead", SymbolOrigin::param, 0});
  return symbol;
}

}  // namespace

std::vector<Instruction> prefetch_rows() {
  std::vector<Instruction> out;
  for (const Type type : {Type::f32, Type::f16, Type::i8, Type::u8, Type::i16}) {
    Instruction row;
    row.name = row.meaning.name = name_for(type);
    row.values = {lanes_value("from", type, 1, ValueKind::input)};
    row.operands = {{"from", Access::read, Place::memory}};
    row.sizes = {ahead()};
    row.spellings = {{"", "burin_rt::prefetch({from}, {ahead});", "prefetch.h"}};
    out.push_back(std::move(row));
  }
  Instruction late;
  late.name = late.meaning.name = kReadLate;
  late.spellings = {{"", "burin_rt::read_late();", "prefetch.h"}};
  out.push_back(std::move(late));
  return out;
}

const Instruction* prefetch_row(Type type) { return find_row(name_for(type)); }

}  // namespace burin::isa
