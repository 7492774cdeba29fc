#include "isa/pair_rows.h"

#include "isa/dot_rows.h"

namespace burin::isa {
namespace {

constexpr int kPairLanes = 32, kPairGroup = 4;

Instruction pair_row(const BundleRow& pair, bool whole, Type vector, const char* function) {
  Instruction out = sums_row(whole ? pair.whole : pair.row, kPairLanes, kPairGroup);
  out.instruction = pair.row;
  out.file = "hvx";
  const Index lane = Index::axis(0, kPairLanes), term = Index::axis(1, kPairGroup);
  for (int half = 0; half < kPairedRows; ++half)
    add_sums(out, "c" + std::to_string(half), Expr::load(kPairedRows, Type::u8, {half, term}),
             Expr::load(kPairedRows + 1, vector, {lane, term}));
  add_factor(out, "a", Type::u8, {kPairedRows, kPairGroup}, Place::broadcast);
  add_factor(out, "b", vector, {kPairLanes, kPairGroup}, Place::memory);
  out.spellings = {
      {"",
       std::string("burin_rt::") + function + (whole ? "<128>" : "<1>") + "({c0}, {c1}, {a}, {b});",
       "dot_pairs.h"}};
  return out;
}

}  // namespace

// Rows that are staged would be bytes with a sign, which pairs do not take.
std::vector<BundleRow> pairs() {
  return {{.row = "vrmpyub_rtt_1024",
           .of = "vrmpyub_1024",
           .whole = "vrmpyub_rtt_1024_whole",
           .starts = "vrmpybus_1024",
           .loads = false,
           .staged = false},
          {.row = "vrmpybub_rtt_1024",
           .of = "vrmpybusv_1024",
           .whole = "vrmpybub_rtt_1024_whole",
           .starts = "vrmpybv_1024",
           .loads = false,
           .staged = false}};
}

std::vector<Instruction> pair_rows() {
  std::vector<Instruction> out;
  for (const bool whole : {false, true}) {
    out.push_back(pair_row(pairs()[0], whole, Type::u8, "dot_u8u8_pair"));
    out.push_back(pair_row(pairs()[1], whole, Type::i8, "dot_u8s8_pair"));
  }
  return out;
}

}  // namespace burin::isa
