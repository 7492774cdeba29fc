#include "isa/prefetch_row.h"

#include <memory>

#include "isa/all_rows.h"
#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

constexpr const char* kName = "prefetch";

Symbol ahead() {
  static const Symbol symbol =
      std::make_shared<const SymbolInfo>(SymbolInfo{"ahead", SymbolOrigin::param, 0});
  return symbol;
}

}  // namespace

std::vector<Instruction> prefetch_rows() {
  Instruction out;
  out.name = out.meaning.name = kName;
  out.values = {lanes_value("from", Type::f32, 1, ValueKind::input)};
  out.operands = {{"from", Access::read, Place::memory}};
  out.sizes = {ahead()};
  out.spellings = {{"", "burin_rt::prefetch({from}, {ahead});", "prefetch.h"}};
  return {out};
}

const Instruction* prefetch_row() { return find_row(kName); }

}  // namespace burin::isa
