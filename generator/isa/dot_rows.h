// How rows of dot products are made: c[j] += sum over q of a[q] * b[j, q]; and their sliding forms,
// c[j] += sum over q of a[q] * b[stride * j + q], whose groups are neighbours that overlap. Sums
// are what products of the operands' elements are computed in: i32 of integers, f32 of bf16.
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

struct DotRow {
  std::string name;
  std::string instruction;  // its name in descriptions
  int lanes = 4;            // sums, of 32 bits
  int group = 4;            // products in each
  Type a = Type::u8, b = Type::i8;
  std::string file;      // of registers
  std::string spelling;  // a function over lanes
  std::string header = "dot.h";
};

// What products of elements are summed in, by the type that these are computed in.
Type sum_type(Type element);
// What rows of sums of products have in common: lanes, and terms that are summed, as axes 0 and 1.
// One without operands; accumulators come first.
Instruction sums_row(const std::string& name, int lanes, int group);
// Its next accumulator: to each lane the products of `a` and `b` are added. Both load operands
// behind the last accumulator.
void add_sums(Instruction& row, const std::string& name, const Expr& a, const Expr& b);
// Its next factor.
void add_factor(Instruction& row, const std::string& name, Type type, std::vector<Dim> shape,
                Place place);

// `a` is one group of elements that all lanes get, `b` lies [lane][group].
Instruction dot_row(const DotRow& row);
// Each of them, and its sliding forms behind it (of integers).
std::vector<Instruction> dot_rows(const std::vector<DotRow>& rows);

// Whether it is one of them, and no sliding form: [lanes][group] products of its operands.
bool is_dot_row(const Instruction& row);

inline constexpr int kMostSlidingStride = 2;

// `b` lies as it is; more of it is read than groups need, where vectors are read whole.
Instruction sliding_row(const DotRow& row, int stride);
std::string sliding_name(const std::string& row, int stride);

}  // namespace burin::isa
