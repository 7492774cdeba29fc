#include "isa/dot_rows.h"

namespace burin::isa {

namespace {

// The meaning and the spelling with `b` of this shape, read at these places.
Instruction made_of(const DotRow& row, const std::string& name, std::vector<Dim> shape_of_b,
                    const std::vector<Index>& at_b, const std::string& spelling,
                    const std::string& header) {
  Instruction out;
  out.name = name;
  out.instruction = row.instruction;
  out.file = row.file;
  out.takes = 1;
  if (!row.spelling.empty())
    out.spellings = {{"", "{c} = " + spelling + ">({c}, {a}, {b});", header}};
  const auto value = [](const char* name, Type type, std::vector<Dim> shape, ValueKind kind) {
    Value made;
    made.name = name;
    made.type = type;
    made.shape = std::move(shape);
    made.kind = kind;
    return made;
  };
  out.values = {value("c", Type::i32, {row.lanes}, ValueKind::output),
                value("a", row.a, {row.group}, ValueKind::input),
                value("b", row.b, std::move(shape_of_b), ValueKind::input)};
  out.operands = {{"c", Access::update, Place::registers},
                  {"a", Access::read, Place::broadcast},
                  {"b", Access::read, Place::memory}};
  const Index lane = Index::axis(0, row.lanes), term = Index::axis(1, row.group);
  const auto wide = [](const Expr& element) { return Expr::cast(Type::i32, element); };
  out.meaning.name = name;
  out.meaning.axes = {{row.lanes, AxisKind::parallel, "lane"},
                      {row.group, AxisKind::reduce, "term"}};
  Let sum;
  sum.over = {0};
  sum.reduced = {1};
  sum.op = Combiner::sum;
  sum.body = {wide(Expr::load(1, row.a, {term})) * wide(Expr::load(2, row.b, at_b))};
  sum.accumulator = {Type::i32};
  out.meaning.lets = {sum};
  Write write;
  write.over = {0};
  write.to = 0;
  write.at = {lane};
  write.value = Expr::let(0, Type::i32, {lane});
  write.how = How::add;
  out.meaning.writes = {write};
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

bool is_dot_row(const Instruction& row) {
  return row.values.size() == 3 && row.values[2].shape.size() == 2 &&
         row.values[0].type == Type::i32 && row.values[1].shape.size() == 1 &&
         row.values[1].shape[0] == row.values[2].shape[1];
}

Instruction dot_row(const DotRow& row) {
  return made_of(row, row.name, {row.lanes, row.group},
                 {Index::axis(0, row.lanes), Index::axis(1, row.group)},
                 row.spelling + "<" + std::to_string(row.lanes), "dot.h");
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
