// Rows that multiply a bundle: groups of several rows at a time with one vector, each row in an
// accumulator of its own. A bundle takes fewer loads than its rows one by one, or fewer
// instructions.
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// Names of rows; empty: there is none.
struct BundleRow {
  std::string row;  // operands: an accumulator a row, groups [rows][group], vector [lanes][group]
  std::string of;   // the row of dot products that does one of its rows
  int rows = 2;
  std::string whole = {};   // as `row`, whose vector is aligned as a whole
  std::string starts = {};  // as `of`, that multiplies the same vector with signed groups
  // What makes rows of its accumulators, as many registers of as many more, once sums are complete.
  std::string settles = {};
  int vector_registers = 1;  // that the vector takes
  bool loads = true;         // its groups are loaded as a vector is
  // Units of products that a row of `of` takes for each group, which is copied to all lanes.
  int copies = 0;
  bool staged = true;  // for rows that a kernel stages, too
};
// Of all machines.
const std::vector<BundleRow>& bundles();
// That `row` is the row of; nullptr: of none.
const BundleRow* bundle_of(const Instruction& row);
// Units of products that a row of dot products takes for each group.
int copies_of_group(const Instruction& row);

}  // namespace burin::isa
