#include "isa/arm_mmla.h"

#include <string>

#include "isa/dot_rows.h"
#include "isa/lane_rows.h"

namespace burin::isa {
namespace {

constexpr int kBlockLanes = 4, kBlockGroup = 8, kBlock = 2;
constexpr const char* kSettledRow = "settle_i32x4";

struct Signs {
  const char *mmla, *eights;  // names of rows
  Type a, b;
  const char* types;  // in functions of mmla.h
};
constexpr Signs kSigns[] = {
    {"smmla_128", "sdot_128_eights", Type::i8, Type::i8, "s8s8"},
    {"ummla_128", "udot_128_eights", Type::u8, Type::u8, "u8u8"},
    {"usmmla_128", "usdot_128_eights", Type::u8, Type::i8, "u8s8"},
};

Instruction mmla_row(const Signs& signs) {
  Instruction out = sums_row(signs.mmla, kBlockLanes, kBlockGroup);
  out.instruction = signs.mmla;
  out.file = "v";
  out.operations = kBlock;
  const Index lane = Index::axis(0, kBlockLanes), term = Index::axis(1, kBlockGroup),
              row = floordiv(lane, kBlock), column = mod(lane, kBlock);
  for (int v = 0; v < kBlock; ++v)
    add_sums(out, "c" + std::to_string(v), Expr::load(kBlock, signs.a, {row, term}),
             Expr::load(kBlock + 1, signs.b, {column + kBlock * v, term}));
  add_factor(out, "a", signs.a, {kBlock, kBlockGroup}, Place::broadcast);
  add_factor(out, "b", signs.b, {kBlockLanes, kBlockGroup}, Place::memory);
  out.spellings = {{"",
                    std::string("burin_rt::add_blocks_") + signs.types + "({c0}, {c1}, {a}, {b});",
                    "mmla.h"}};
  return out;
}

}  // namespace

std::vector<Instruction> mmla_rows() {
  std::vector<Instruction> out;
  for (const Signs& signs : kSigns) out.push_back(mmla_row(signs));
  return out;
}

std::vector<BundleRow> mmla_bundles() {
  std::vector<BundleRow> out;
  for (const Signs& signs : kSigns) {
    out.push_back({.row = signs.mmla,
                   .of = signs.eights,
                   .settles = kSettledRow,
                   .vector_registers = kBlock});
  }
  return out;
}

std::vector<Instruction> settled_rows() {
  Instruction out;
  out.name = out.meaning.name = kSettledRow;
  out.file = "v";
  out.takes = 1;
  out.meaning.axes = {{kBlockLanes, AxisKind::parallel, "lane"}};
  const Index lane = Index::axis(0, kBlockLanes);
  static constexpr const char* kNames[] = {"r0", "r1", "c0", "c1"};
  for (int k = 0; k < 2 * kBlock; ++k) {
    const bool row = k < kBlock;
    out.values.push_back(
        lanes_value(kNames[k], Type::i32, kBlockLanes, row ? ValueKind::output : ValueKind::input));
    out.operands.push_back({kNames[k], row ? Access::write : Access::read, Place::registers});
    if (!row) continue;
    const Index place = mod(lane, kBlock) + kBlock * k;
    Write write;
    write.over = {0};
    write.to = k;
    write.at = {lane};
    write.value = Expr::cases({{{{lane, 0, kBlock}}, Expr::load(kBlock, Type::i32, {place})}},
                              Expr::load(kBlock + 1, Type::i32, {place}));
    out.meaning.writes.push_back(std::move(write));
  }
  out.spellings = {{"", "burin_rt::settle_blocks({r0}, {r1}, {c0}, {c1});", "mmla.h"}};
  return {out};
}

std::vector<Instruction> eight_rows() {
  std::vector<Instruction> out;
  for (const Signs& signs : kSigns) {
    Instruction row = dot_row({.name = signs.eights,
                               .instruction = "",
                               .lanes = kBlockLanes,
                               .group = kBlockGroup,
                               .a = signs.a,
                               .b = signs.b,
                               .file = "v",
                               .spelling = std::string("burin_rt::dot_eights_") + signs.types});
    row.spellings[0].header = "mmla.h";
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace burin::isa
