#include "isa/dot_rows.h"

#include <utility>

#include "isa/lane_rows.h"

namespace burin::isa {

namespace {

// The meaning and the spelling with `b` of this shape, read at these places.
Instruction made_of(const DotRow& row, const std::string& name, std::vector<Dim> shape_of_b,
                    const std::vector<Index>& at_b, const std::string& spelling,
                    const std::string& header) {
  Instruction out = sums_row(name, row.lanes, row.group);
  out.instruction = row.instruction;
  out.file = row.file;
  if (!row.spelling.empty())
    out.spellings = {{"", "{c} = " + spelling + ">({c}, {a}, {b});", header}};
  add_sums(out, "c", Expr::load(1, row.a, {Index::axis(1, row.group)}), Expr::load(2, row.b, at_b));
  add_factor(out, "a", row.a, {row.group}, Place::broadcast);
  add_factor(out, "b", row.b, std::move(shape_of_b), Place::memory);
  return out;
}

// What runtime_min/sliding.h reads: whole vectors that are permuted.
int elements_read(const DotRow& row, int stride) {
  if (row.group == 2) return stride == 1 ? row.lanes + 1 : 2 * row.lanes;
  if (row.lanes == 32) return 128;
  if (row.lanes == 16) return stride == 1 ? 32 : 64;
  return row.lanes == 8 && stride == 2 ? 24 : 16;
}

}  // namespace

Type sum_type(Type element) { return is_float(element) ? element : Type::i32; }

Instruction sums_row(const std::string& name, int lanes, int group) {
  Instruction out;
  out.name = out.meaning.name = name;
  out.takes = 1;
  out.meaning.axes = {{lanes, AxisKind::parallel, "lane"}, {group, AxisKind::reduce, "term"}};
  return out;
}

void add_sums(Instruction& row, const std::string& name, const Expr& a, const Expr& b) {
  const Dim& lanes = row.meaning.axes[0].extent;
  const Index lane = Index::axis(0, lanes);
  Let sum;
  sum.over = {0};
  sum.reduced = {1};
  sum.op = Combiner::sum;
  const Type type = sum_type(a.type());
  sum.body = {Expr::cast(type, a) * Expr::cast(type, b)};
  sum.accumulator = {type};
  Write write;
  write.over = {0};
  write.to = static_cast<ValueId>(row.values.size());
  write.at = {lane};
  write.value = Expr::let(static_cast<int>(row.meaning.lets.size()), type, {lane});
  write.how = How::add;
  row.values.push_back(shaped_value(name, type, {lanes}, ValueKind::output));
  row.operands.push_back({name, Access::update, Place::registers});
  row.meaning.lets.push_back(std::move(sum));
  row.meaning.writes.push_back(std::move(write));
}

void add_factor(Instruction& row, const std::string& name, Type type, std::vector<Dim> shape,
                Place place) {
  row.values.push_back(shaped_value(name, type, std::move(shape), ValueKind::input));
  row.operands.push_back({name, Access::read, place});
}

bool is_dot_row(const Instruction& row) {
  return row.values.size() == 3 && row.values[2].shape.size() == 2 &&
         row.values[0].type == sum_type(compute_type(row.values[1].type)) &&
         row.values[1].shape.size() == 1 && row.values[1].shape[0] == row.values[2].shape[1];
}

Instruction dot_row(const DotRow& row) {
  return made_of(row, row.name, {row.lanes, row.group},
                 {Index::axis(0, row.lanes), Index::axis(1, row.group)},
                 row.spelling + "<" + std::to_string(row.lanes), row.header);
}

std::string sliding_name(const std::string& row, int stride) {
  return row + "_slide" + std::to_string(stride);
}

Instruction sliding_row(const DotRow& row, int stride) {
  return made_of(
      row, sliding_name(row.name, stride), {elements_read(row, stride)},
      {Index::axis(0, row.lanes) * stride + Index::axis(1, row.group)},
      row.spelling + "_sliding<" + std::to_string(row.lanes) + ", " + std::to_string(stride),
      "sliding.h");
}

std::vector<Instruction> dot_rows(const std::vector<DotRow>& rows) {
  std::vector<Instruction> out;
  for (const DotRow& row : rows) {
    out.push_back(dot_row(row));
    for (int stride = 1; stride <= kMostSlidingStride; ++stride)
      out.push_back(sliding_row(row, stride));
  }
  return out;
}

}  // namespace burin::isa
