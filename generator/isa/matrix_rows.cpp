#include "isa/matrix_rows.h"

#include <memory>

#include "isa/all_rows.h"
#include "isa/dot_rows.h"
#include "isa/lane_rows.h"
#include "kernel/combiner.h"

namespace burin::isa {
namespace {

enum Size { kGroups, kPitchA, kPitchB };

// What the unit multiplies, and its name in descriptions.
struct Factors {
  Type a, b;
  const char* instruction;
};
constexpr Factors kFactors[] = {{Type::i8, Type::u8, "tdpbusd"},
                                {Type::u8, Type::i8, "tdpbusd"},
                                {Type::bf16, Type::bf16, "tdpbf16ps"}};

Type sums_of(Type factor) { return sum_type(compute_type(factor)); }

// Their hints are those of factors that lie packed: what is read is counted by them.
const std::vector<Symbol>& sizes() {
  static const std::vector<Symbol> all = [] {
    std::vector<Symbol> out;
    for (const auto& [name, most, hint] :
         {std::tuple{"groups", int64_t{kMatrixGroups}, int64_t{kMatrixGroups}},
          {"pitch_a", kUnbounded, int64_t{kMatrixGroups} * kMatrixGroupBytes},
          {"pitch_b", kUnbounded, int64_t{kMatrixColumns} * kMatrixGroupBytes}})
      out.push_back(
          std::make_shared<const SymbolInfo>(SymbolInfo{name, SymbolOrigin::param, 1, most, hint}));
    return out;
  }();
  return all;
}

std::string numbers(const MatrixShape& shape) {
  return std::to_string(shape.rows * kMatrixRows) + "x" +
         std::to_string(shape.columns * kMatrixColumns);
}
std::string arguments(const MatrixShape& shape) {
  return "<" + std::to_string(shape.rows) + ", " + std::to_string(shape.columns) + ">";
}
std::string open_name(const MatrixShape& shape) { return "open_matrix_" + numbers(shape); }
std::string add_name(const MatrixShape& shape, Type a, Type b) {
  return "add_matrix_" + numbers(shape) + "_" + std::string(to_string(a)) + "_" +
         std::string(to_string(b));
}

std::string sums_name(const char* kind, const MatrixShape& shape, Type sum) {
  return std::string(kind) + "_matrix_" + numbers(shape) + "_" + std::string(to_string(sum));
}

Value matrix_value(const char* name, const MatrixShape& shape, Type sum, ValueKind kind) {
  return shaped_value(name, sum, {shape.rows * kMatrixRows, shape.columns * kMatrixColumns}, kind);
}

// Of the unit's instructions for factors whose sums are of this type; of all of them.
Instruction made(const std::string& name, const MatrixShape& shape, Type sum = Type::none) {
  Instruction out;
  out.name = out.meaning.name = name;
  for (const Factors& one : kFactors) {
    if (sum != Type::none && sums_of(one.a) != sum) continue;
    if (out.instruction.empty()) {
      out.instruction = one.instruction;
    } else if (!is_named(out, one.instruction)) {
      out.elsewhere.push_back(one.instruction);
    }
  }
  out.file = kMatrixFile;
  out.takes = shape.rows * shape.columns;
  return out;
}

// to[i, j] := value, over all sums.
void write_each(Instruction& row, const MatrixShape& shape, Expr value, How how = How::store) {
  const Dim rows = shape.rows * kMatrixRows, columns = shape.columns * kMatrixColumns;
  row.meaning.axes.insert(row.meaning.axes.begin(), {{rows, AxisKind::parallel, "row"},
                                                     {columns, AxisKind::parallel, "column"}});
  Write write;
  write.over = {0, 1};
  write.to = 0;
  write.at = {Index::axis(0, rows), Index::axis(1, columns)};
  write.value = std::move(value);
  write.how = how;
  row.meaning.writes = {write};
}

Instruction open_row(const MatrixShape& shape) {
  Instruction out = made(open_name(shape), shape);
  out.sizes = {sizes()[kGroups]};
  out.spellings = {{"", "burin_rt::open_matrix" + arguments(shape) + "({groups});", "matrix.h"}};
  return out;
}

Instruction close_row() {
  Instruction out = made(kCloseMatrix, {});
  out.spellings = {{"", "burin_rt::close_matrix();", "matrix.h"}};
  return out;
}

Instruction zero_row(const MatrixShape& shape, Type sum) {
  Instruction out = made(sums_name("zero", shape, sum), shape, sum);
  out.values = {matrix_value("c", shape, sum, ValueKind::output)};
  out.operands = {{"c", Access::write, Place::registers}};
  out.spellings = {{"", "burin_rt::zero_matrix({c});", "matrix.h"}};
  write_each(out, shape, identity_of(Combiner::sum, sum));
  return out;
}

Instruction store_row(const MatrixShape& shape, Type sum) {
  Instruction out = made(sums_name("store", shape, sum), shape, sum);
  out.values = {matrix_value("to", shape, sum, ValueKind::output),
                matrix_value("c", shape, sum, ValueKind::input)};
  out.operands = {{"to", Access::write, Place::memory}, {"c", Access::read, Place::registers}};
  out.spellings = {{"", "burin_rt::store_matrix({to}, {c});", "matrix.h"}};
  write_each(out, shape,
             Expr::load(1, sum,
                        {Index::axis(0, shape.rows * kMatrixRows),
                         Index::axis(1, shape.columns * kMatrixColumns)}));
  return out;
}

Instruction add_row(const MatrixShape& shape, Type a, Type b) {
  const Type sum_of = sums_of(a);
  const int group = matrix_group(a);
  Instruction out = made(add_name(shape, a, b), shape, sum_of);
  out.sizes = sizes();
  const Dim groups = Index::symbol(sizes()[kGroups]), pitch_a = Index::symbol(sizes()[kPitchA]),
            pitch_b = Index::symbol(sizes()[kPitchB]);
  const int rows = shape.rows * kMatrixRows, columns = shape.columns * kMatrixColumns;
  out.values = {matrix_value("c", shape, sum_of, ValueKind::output),
                lanes_value("a", a, 1, ValueKind::input), lanes_value("b", b, 1, ValueKind::input)};
  out.values[1].shape = {pitch_a * (rows - 1) + groups * group};
  out.values[2].shape = {pitch_b * (groups - 1) + columns * group};
  out.operands = {{"c", Access::update, Place::registers},
                  {"a", Access::read, Place::memory, {}, true},
                  {"b", Access::read, Place::memory, {}, true}};
  out.spellings = {
      {"", "burin_rt::add_matrix({c}, {a}, {b}, {groups}, {pitch_a}, {pitch_b});", "matrix.h"}};
  const Index i = Index::axis(0, rows), j = Index::axis(1, columns), k = Index::axis(2, groups),
              q = Index::axis(3, group);
  Let sum;
  sum.over = {0, 1};
  sum.reduced = {2, 3};
  sum.op = Combiner::sum;
  const auto wide = [&](const Expr& element) { return Expr::cast(sum_of, element); };
  sum.body = {wide(Expr::load(1, a, {i * pitch_a + k * group + q})) *
              wide(Expr::load(2, b, {k * pitch_b + j * group + q}))};
  sum.accumulator = {sum_of};
  out.meaning.axes = {{groups, AxisKind::reduce, "group"}, {group, AxisKind::reduce, "term"}};
  out.meaning.lets = {sum};
  write_each(out, shape, Expr::let(0, sum_of, {i, j}), How::add);
  return out;
}

}  // namespace

const std::vector<MatrixShape>& matrix_shapes() {
  static const std::vector<MatrixShape> all = [] {
    std::vector<MatrixShape> out;
    for (int rows = 1; rows < kMatrixRegisters; ++rows) {
      for (int columns = 1; columns < kMatrixRegisters; ++columns) {
        // One side's registers may take turns, where the other side has one.
        const int factors = std::min(rows, columns) == 1 ? 2 : rows + columns;
        if (rows * columns + factors <= kMatrixRegisters && rows <= 4 && columns <= 4)
          out.push_back({rows, columns});
      }
    }
    return out;
  }();
  return all;
}

std::vector<Instruction> matrix_rows() {
  std::vector<Instruction> out;
  for (const MatrixShape& shape : matrix_shapes()) {
    out.push_back(open_row(shape));
    for (const Type sum : {Type::i32, Type::f32}) {
      out.push_back(zero_row(shape, sum));
      out.push_back(store_row(shape, sum));
    }
    for (const Factors& one : kFactors) out.push_back(add_row(shape, one.a, one.b));
  }
  out.push_back(close_row());
  return out;
}

std::optional<MatrixRows> find_matrix_rows(const MatrixShape& shape, Type a, Type b) {
  const Instruction* add = find_row(add_name(shape, a, b));
  if (add == nullptr) return std::nullopt;
  const Type sum = sums_of(a);
  return MatrixRows{find_row(open_name(shape)), find_row(sums_name("zero", shape, sum)), add,
                    find_row(sums_name("store", shape, sum)), find_row(kCloseMatrix)};
}

int matrix_group(Type factor) {
  return kMatrixGroupBytes / static_cast<int>(size_bytes(factor, 1));
}

bool adds_matrix(const Instruction& row) {
  return row.values.size() == 3 && holds_matrix(row, 0) && row.operands[0].access == Access::update;
}
int64_t products_of_matrix_row(const Instruction& row) {
  return int64_t{kMatrixColumns} * kMatrixGroups * matrix_group(row.values[1].type);
}

std::optional<MatrixShape> opened_matrix(const Instruction& row) {
  for (const MatrixShape& shape : matrix_shapes()) {
    if (row.name == open_name(shape)) return shape;
  }
  return std::nullopt;
}
bool closes_matrix(const Instruction& row) { return row.name == kCloseMatrix; }

bool holds_matrix(const Instruction& row, size_t operand) {
  return row.operands[operand].place == Place::registers && row.values[operand].shape.size() == 2;
}

}  // namespace burin::isa
