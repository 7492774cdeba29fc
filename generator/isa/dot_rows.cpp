#include "isa/dot_rows.h"

namespace burin::isa {

Instruction dot_row(const DotRow& row) {
  Instruction out;
  out.name = row.name;
  out.instruction = row.instruction;
  out.file = row.file;
  out.takes = 1;
  if (!row.spelling.empty()) {
    out.spellings = {
        {"", "{c} = " + row.spelling + "<" + std::to_string(row.lanes) + ">({c}, {a}, {b});",
         "dot.h"}};
  }
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
                value("b", row.b, {row.lanes, row.group}, ValueKind::input)};
  out.operands = {{"c", Access::update, Place::registers},
                  {"a", Access::read, Place::broadcast},
                  {"b", Access::read, Place::memory}};
  const Index lane = Index::axis(0, row.lanes), term = Index::axis(1, row.group);
  const auto wide = [](const Expr& element) { return Expr::cast(Type::i32, element); };
  out.meaning.name = row.name;
  out.meaning.axes = {{row.lanes, AxisKind::parallel, "lane"},
                      {row.group, AxisKind::reduce, "term"}};
  Let sum;
  sum.over = {0};
  sum.reduced = {1};
  sum.op = Combiner::sum;
  sum.body = {wide(Expr::load(1, row.a, {term})) * wide(Expr::load(2, row.b, {lane, term}))};
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

std::vector<Instruction> dot_rows(const std::vector<DotRow>& rows) {
  std::vector<Instruction> out;
  for (const DotRow& row : rows) out.push_back(dot_row(row));
  return out;
}

}  // namespace burin::isa
