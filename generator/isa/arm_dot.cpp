#include "isa/arm_dot.h"

#include <string>

#include "isa/dot_rows.h"

namespace burin::isa {
namespace {

constexpr int kDotLanes = 4, kDotGroup = 4, kBundled = 4;

struct DotOf {
  const char *row, *bundle;  // names
  Type type;                 // of both factors
  const char* types;         // in functions of runtime_min
};
constexpr DotOf kDots[] = {{"sdot_128", "sdot_128_rows", Type::i8, "s8s8"},
                           {"udot_128", "udot_128_rows", Type::u8, "u8u8"}};

Instruction bundle_row(const DotOf& dot) {
  Instruction out = sums_row(dot.bundle, kDotLanes, kDotGroup);
  out.instruction = dot.row;
  out.file = "v";
  out.operations = kBundled;
  const Index lane = Index::axis(0, kDotLanes), term = Index::axis(1, kDotGroup);
  for (int row = 0; row < kBundled; ++row)
    add_sums(out, "c" + std::to_string(row), Expr::load(kBundled, dot.type, {row, term}),
             Expr::load(kBundled + 1, dot.type, {lane, term}));
  add_factor(out, "a", dot.type, {kBundled, kDotGroup}, Place::broadcast);
  add_factor(out, "b", dot.type, {kDotLanes, kDotGroup}, Place::memory);
  out.spellings = {
      {"", std::string("burin_rt::dot_rows_") + dot.types + "({c0}, {c1}, {c2}, {c3}, {a}, {b});",
       "dot_bundles.h"}};
  return out;
}

}  // namespace

std::vector<Instruction> arm_dot() {
  std::vector<DotRow> out;
  for (const DotOf& dot : kDots) {
    out.push_back({.name = dot.row,
                   .instruction = dot.row,
                   .lanes = kDotLanes,
                   .a = dot.type,
                   .b = dot.type,
                   .file = "v",
                   .spelling = std::string("burin_rt::dot_") + dot.types});
  }
  return dot_rows(out);
}

std::vector<Instruction> dot_bundle_rows() {
  std::vector<Instruction> out;
  for (const DotOf& dot : kDots) out.push_back(bundle_row(dot));
  return out;
}

std::vector<BundleRow> dot_bundles() {
  std::vector<BundleRow> out;
  for (const DotOf& dot : kDots)
    out.push_back({.row = dot.bundle, .of = dot.row, .rows = kBundled, .copies = 1});
  return out;
}

}  // namespace burin::isa
