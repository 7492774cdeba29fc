// Rows of a unit that multiplies matrices of bytes or of bf16 (AMX): sums of 16 x 16 in a register,
// several registers in one row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// For every shape of registers that leaves some for factors, of rows x columns sums:
//   open_matrix_<shape>             a thread gets the unit, for steps of `groups` groups
//   zero_matrix_<shape>_<sum>       c[i, j] = 0
//   add_matrix_<shape>_<a>_<b>      c[i, j] += sum over k < groups, q < group of
//                                   a[pitch_a i + group k + q] * b[pitch_b k + group j + q]
//   store_matrix_<shape>_<sum>      to[i, j] = c[i, j]
//   close_matrix                    the unit is free
std::vector<Instruction> matrix_rows();

// A group has four bytes.
inline constexpr int kMatrixRows = 16, kMatrixColumns = 16, kMatrixGroupBytes = 4,
                     kMatrixGroups = 16;
inline constexpr int kMatrixRegisters = 8;
inline constexpr const char* kMatrixFile = "tmm";
inline constexpr const char* kCloseMatrix = "close_matrix";

struct MatrixShape {
  int rows = 1, columns = 1;  // in registers
  bool operator==(const MatrixShape&) const = default;
};
const std::vector<MatrixShape>& matrix_shapes();

struct MatrixRows {
  const Instruction *open = nullptr, *zero = nullptr, *add = nullptr, *store = nullptr,
                    *close = nullptr;
};
// How many of a factor are a group.
int matrix_group(Type factor);

// Of factors of these types; nullopt: there are none.
std::optional<MatrixRows> find_matrix_rows(const MatrixShape& shape, Type a, Type b);

// Whether it adds products; how many when a row of sums starts, at most.
bool adds_matrix(const Instruction& row);
int64_t products_of_matrix_row(const Instruction& row);

// Whether an operand of it is a matrix in registers; for which shape it opens the unit, if it does;
// whether it closes it.
bool holds_matrix(const Instruction& row, size_t operand);
std::optional<MatrixShape> opened_matrix(const Instruction& row);
bool closes_matrix(const Instruction& row);

}  // namespace burin::isa
