#include "isa/arm_dot.h"

#include <string>

#include "isa/dot_rows.h"

namespace burin::isa {
namespace {

constexpr int kDotLanes = 4, kGroupBytes = 4, kBundled = 4;

struct DotOf {
  const char *row, *bundle;  // names
  Type type;                 // of both factors
  // Of runtime_min: in names of functions; headers of one row and of a bundle.
  const char *types, *header, *bundle_header;
  int group() const { return kGroupBytes / static_cast<int>(size_bytes(type, 1)); }
};
constexpr DotOf kDots[] = {
    {"sdot_128", "sdot_128_rows", Type::i8, "s8s8", "dot.h", "dot_bundles.h"},
    {"udot_128", "udot_128_rows", Type::u8, "u8u8", "dot.h", "dot_bundles.h"},
    {"bfdot_128", "bfdot_128_rows", Type::bf16, "bf16", "dot_bf16.h", "dot_bf16.h"}};

Instruction bundle_row(const DotOf& dot) {
  const int group = dot.group();
  Instruction out = sums_row(dot.bundle, kDotLanes, group);
  out.instruction = dot.row;
  out.file = "v";
  out.operations = kBundled;
  const Index lane = Index::axis(0, kDotLanes), term = Index::axis(1, group);
  for (int row = 0; row < kBundled; ++row)
    add_sums(out, "c" + std::to_string(row), Expr::load(kBundled, dot.type, {row, term}),
             Expr::load(kBundled + 1, dot.type, {lane, term}));
  add_factor(out, "a", dot.type, {kBundled, group}, Place::broadcast);
  add_factor(out, "b", dot.type, {kDotLanes, group}, Place::memory);
  out.spellings = {
      {"", std::string("burin_rt::dot_rows_") + dot.types + "({c0}, {c1}, {c2}, {c3}, {a}, {b});",
       dot.bundle_header}};
  return out;
}

}  // namespace

std::vector<Instruction> arm_dot() {
  std::vector<Instruction> out;
  for (const DotOf& dot : kDots) {
    const DotRow row{.name = dot.row,
                     .instruction = dot.row,
                     .lanes = kDotLanes,
                     .group = dot.group(),
                     .a = dot.type,
                     .b = dot.type,
                     .file = "v",
                     .spelling = std::string("burin_rt::dot_") + dot.types,
                     .header = dot.header};
    // Bytes slide, too.
    for (Instruction& one : is_float(dot.type) ? std::vector{dot_row(row)} : dot_rows({row}))
      out.push_back(std::move(one));
  }
  return out;
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
