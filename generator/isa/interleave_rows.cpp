#include "isa/interleave_rows.h"

#include <memory>
#include <string>

#include "isa/all_rows.h"
#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

constexpr int kWays[] = {2, 4, 6};

Symbol pitch() {
  static const Symbol symbol =
      std::make_shared<const SymbolInfo>(SymbolInfo{"pitch", SymbolOrigin::param, 0});
  return symbol;
}

std::string name_of(bool together, int ways, int lanes) {
  return std::string(together ? "interleave" : "deinterleave") + std::to_string(ways) + "_" +
         lane_row_name("rows", Type::f32, lanes);
}

Instruction row_of(bool together, int ways, int lanes) {
  Instruction out;
  out.name = out.meaning.name = name_of(together, ways, lanes);
  out.sizes = {pitch()};
  out.values = {lanes_value("to", Type::f32, ways * lanes, ValueKind::output),
                lanes_value("from", Type::f32, ways * lanes, ValueKind::input)};
  const Dim apart = Index::symbol(pitch()) * (ways - 1) + lanes;
  out.values[together ? 1 : 0].shape = {apart};
  out.operands = {{"to", Access::write, Place::memory, {}, true},
                  {"from", Access::read, Place::memory, {}, true}};
  out.meaning.axes = {{ways, AxisKind::parallel, "row"}, {lanes, AxisKind::parallel, "lane"}};
  const Index row = Index::axis(0, ways), lane = Index::axis(1, lanes);
  const Index mixed = lane * ways + row, own = row * Index::symbol(pitch()) + lane;
  Write write;
  write.over = {0, 1};
  write.to = 0;
  write.at = {together ? mixed : own};
  write.value = Expr::load(1, Type::f32, {together ? own : mixed});
  out.meaning.writes = {write};
  out.spellings = {{"",
                    std::string("burin_rt::") + (together ? "interleave<" : "deinterleave<") +
                        std::to_string(ways) + ", " + std::to_string(lanes) +
                        ">({to}, {from}, {pitch});",
                    "interleave.h"}};
  return out;
}

}  // namespace

std::vector<Instruction> interleave_rows() {
  std::vector<Instruction> out;
  for (const int ways : kWays) {
    for (const int lanes : kLaneCounts) {
      for (const bool together : {true, false}) out.push_back(row_of(together, ways, lanes));
    }
  }
  return out;
}

const Instruction* interleave_row(int ways, int lanes) {
  return find_row(name_of(true, ways, lanes));
}
const Instruction* deinterleave_row(int ways, int lanes) {
  return find_row(name_of(false, ways, lanes));
}

}  // namespace burin::isa
