#include "isa/all_rows.h"

#include "isa/arm_dot.h"
#include "isa/arm_mmla.h"
#include "isa/bit_rows.h"
#include "isa/byte_products.h"
#include "isa/byte_rows.h"
#include "isa/digit_rows.h"
#include "isa/float_rows.h"
#include "isa/fold_rows.h"
#include "isa/held_rows.h"
#include "isa/hvx.h"
#include "isa/interleave_rows.h"
#include "isa/lane_rows.h"
#include "isa/matrix_rows.h"
#include "isa/move_rows.h"
#include "isa/pad_fours.h"
#include "isa/pad_rows.h"
#include "isa/pair_rows.h"
#include "isa/pool_rows.h"
#include "isa/prefetch_row.h"
#include "isa/quantise_rows.h"
#include "isa/requantise_rows.h"
#include "isa/scalar_rows.h"
#include "isa/sliding_fours.h"
#include "isa/sum_rows.h"
#include "isa/texel_rows.h"
#include "isa/x86_dot.h"

namespace burin::isa {
namespace {

struct Table {
  Table() {
    for (const auto& make :
         {x86_dot,         arm_dot,    hvx,           held_rows,     bit_rows,
          requantise_rows, move_rows,  byte_rows,     quantise_rows, fold_rows,
          pad_rows,        pad_fours,  sliding_fours, sum_rows,      zero_rows,
          store_rows,      float_rows, texel_rows,    scalar_rows,   prefetch_rows,
          interleave_rows, pair_rows,  byte_products, matrix_rows,   digit_rows,
          pool_rows,       mmla_rows,  settled_rows,  eight_rows,    dot_bundle_rows}) {
      for (Instruction& row : make()) made.push_back(std::move(row));
    }
    for (const Instruction& row : made) rows.push_back(&row);
  }
  std::vector<Instruction> made;
  Rows rows;
};

}  // namespace

const Rows& all_rows() {
  static const Table table;
  return table.rows;
}

const Instruction* find_row(std::string_view name) {
  for (const Instruction* row : all_rows()) {
    if (row->name == name) return row;
  }
  return nullptr;
}

}  // namespace burin::isa
