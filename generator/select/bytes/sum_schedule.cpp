#include "select/bytes/sum_schedule.h"

#include "hardware/capabilities.h"
#include "isa/all_rows.h"
#include "isa/requantise_rows.h"
#include "isa/sum_rows.h"
#include "kernel/expr/expr_axes.h"
#include "loops/idle.h"
#include "loops/kernel_buffers.h"
#include "loops/program_text.h"
#include "loops/transforms/change.h"
#include "loops/verify/verify_program.h"
#include "loops/walk.h"
#include "select/axes/merge_axes.h"
#include "select/bytes/known_rows.h"
#include "select/bytes/line.h"
#include "select/programs/making.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

constexpr int64_t kLeastSummed = 16;  // fewer are as fast one by one
constexpr int64_t kMostSums = 2048;   // that lie on the stack, where rows are summed at once

struct ByteSum {
  Expr load, zero;  // zero: i32, or empty
  int axis = -1;    // along which bytes lie
};

std::optional<ByteSum> byte_sum_of(const Kernel& kernel, const std::vector<Value>& values) {
  if (kernel.lets.size() != 1 || kernel.writes.size() != 1 || is_sequential(kernel))
    return std::nullopt;
  const Let& let = kernel.lets[0];
  const Write& write = kernel.writes[0];
  if (let.op != Combiner::sum || let.body.size() != 1 || let.accumulator[0] != Type::i32 ||
      let.reduced.empty() || write.how != How::store || !write.when.empty() ||
      write.over != let.over)
    return std::nullopt;
  ByteSum out;
  Expr wide = let.body[0];
  if (wide.kind() == ExprKind::binary && wide->binary() == Binary::sub) {
    out.zero = wide->operands[1];
    wide = wide->operands[0];
    for (const int axis : let.reduced) {
      if (contains(axes_of(out.zero), axis)) return std::nullopt;
    }
  }
  if (wide.kind() != ExprKind::cast || wide->storage != Type::i32 ||
      wide->operands[0].kind() != ExprKind::load || !is_byte(wide->operands[0]->storage))
    return std::nullopt;
  out.load = wide->operands[0];
  const Value& value = values[at(out.load->id)];
  const Index place = address(value.layout, value.shape, out.load->at);
  if (place.has_data()) return std::nullopt;
  for (const int axis : let.reduced) {
    const Dim& extent = kernel.axes[at(axis)].extent;
    if (!(place - Index::axis(axis, extent)).uses_axis(axis) && at_hints(extent) >= kLeastSummed)
      out.axis = axis;
  }
  if (out.axis < 0) return std::nullopt;
  return out;
}

// A byte of the sum by a line in integers, where its position tells it; else floats do, which are
// code where they have no vectors.
struct SumByte {
  Expr near, byte;  // over the let
};
std::optional<SumByte> by_line(const Kernel& kernel, const std::vector<Value>& values) {
  constexpr int64_t kMostOfByte = 255;  // of a byte less a zero point
  Dim terms = 1;
  for (const int axis : kernel.lets[0].reduced) terms *= kernel.axes[at(axis)].extent;
  const Range range = terms.range();
  const Expr& value = kernel.writes[0].value;
  if (!range.bounded() || range.hi > (int64_t{1} << 22) || !is_byte(value.type()))
    return std::nullopt;
  const std::optional<SumLines> lines =
      find_lines(value, kernel, is_let(0), {}, {kMostOfByte * range.hi}, values);
  if (!lines || !lines->limits.empty()) return std::nullopt;
  Expr sum;
  visit(value, [&](const ExprNode& node) {
    if (node.kind == ExprKind::let) sum = Expr::let(node.id, Type::i32, node.at, 0);
  });
  const isa::LineParts part = [&](isa::LinePart which) {
    return Expr::constant(Type::i32, int64_t{lines->parts[static_cast<size_t>(which)]});
  };
  const Expr position = isa::line_position(sum, part);
  return SumByte{isa::line_is_near(position, part(isa::kLineNear)),
                 isa::line_byte(position, part, value.type())};
}

loops::Stmts stores(const Write& exact, const std::optional<SumByte>& by_line,
                    const loops::KernelBuffers& buffers) {
  if (!by_line) return {loops::store_of(exact, buffers)};
  Write line = exact;
  line.value = by_line->byte;
  const Expr near = Expr::cast(Type::i64, buffers.expr(by_line->near));
  // What is rare comes first: costs take a condition of data not to hold.
  return {loops::Stmt{loops::If{{{Index::data(near.ptr(), {0, 1}), 1, 2}},
                                {loops::store_of(exact, buffers)},
                                {loops::store_of(line, buffers)}}}};
}

// The axis whose rows lie one behind the other, all of what is summed; -1: there is none.
int axis_of_rows(const Kernel& kernel, const ByteSum& sum, const std::vector<Value>& values) {
  const Let& let = kernel.lets[0];
  int found = -1;
  for (const int axis : let.over) {
    if (kernel.axes[at(axis)].extent.is_constant(1)) continue;
    if (found >= 0) return -1;
    found = axis;
  }
  if (found < 0 || let.reduced != std::vector<int>{sum.axis}) return -1;
  const Dim &rows = kernel.axes[at(found)].extent, &length = kernel.axes[at(sum.axis)].extent;
  if (!rows.is_constant() || !length.is_constant() || rows.constant() > kMostSums) return -1;
  const Value& value = values[at(sum.load->id)];
  const Index place = address(value.layout, value.shape, sum.load->at) -
                      Index::axis(found, rows) * length - Index::axis(sum.axis, length);
  return place.uses_axis(found) || place.uses_axis(sum.axis) ? -1 : found;
}

// alloc sum, 0; for all points of the other reduced axes: one row of bytes; what is written.
loops::Program sum_program(const Kernel& kernel, const ByteSum& sum,
                           const std::optional<SumByte>& by_line,
                           const std::vector<Value>& values) {
  loops::Program program;
  loops::KernelBuffers buffers(kernel, values, program);
  program.name = kernel.name;
  const Let& let = kernel.lets[0];
  loops::Buffer made;
  made.name = loops::free_name(program, "sum");
  made.type = Type::i32;
  made.scope = loops::Scope::stack;
  const int rows_axis = axis_of_rows(kernel, sum, values);
  const Dim sums = rows_axis < 0 ? Dim(1) : kernel.axes[at(rows_axis)].extent;
  made.shape = {sums};
  const loops::BufferId total = program.add(std::move(made));
  Dim count = 1;
  for (const int axis : let.reduced) count *= kernel.axes[at(axis)].extent;
  buffers.set_lets([&](int, int, const std::vector<Index>&) {
    const Expr all =
        program.element(total, {rows_axis < 0 ? Index(0) : Index(program.var(rows_axis))});
    return sum.zero ? all - Expr::index(count, Type::i32) * buffers.expr(sum.zero) : all;
  });
  const Dim& length = kernel.axes[at(sum.axis)].extent;
  loops::Region row{buffers.buffer_of(sum.load->id), {}, {}};
  for (const Index& index : buffers.indices(sum.load->at))
    row.first.push_back(loops::with_var(index, sum.axis, 0));
  row.extent.assign(row.first.size(), Dim(1));
  row.extent.back() = length;
  if (rows_axis >= 0) {
    for (Index& index : row.first) index = loops::with_var(index, rows_axis, 0);
    row.extent.back() = sums * length;
    loops::Stmts body{loops::Stmt{loops::Alloc{total}},
                      loops::Stmt{loops::Call{isa::find_row(isa::sums_name(sum.load->storage)),
                                              {{total, {0}, {sums}}, row},
                                              {sums, length}}}};
    loops::Stmts each = stores(kernel.writes[0], by_line, buffers);
    for (size_t k = let.over.size(); k-- > 0;)
      each = {loop(let.over[k], 0, kernel.axes[at(let.over[k])].extent, std::move(each))};
    loops::append(body, std::move(each));
    program.body = loops::without_idle_lets(body);
    return program;
  }
  loops::Stmts rows{loops::Stmt{loops::Call{
      isa::find_row(isa::sum_name(sum.load->storage)), {{total, {0}, {1}}, row}, {length}}}};
  for (size_t k = let.reduced.size(); k-- > 0;) {
    const int axis = let.reduced[k];
    if (axis != sum.axis) rows = {loop(axis, 0, kernel.axes[at(axis)].extent, std::move(rows))};
  }
  loops::Stmts body{loops::Stmt{loops::Alloc{total}},
                    store(total, {Index(0)}, Expr::constant(Type::i32, 0))};
  loops::append(body, std::move(rows));
  loops::append(body, stores(kernel.writes[0], by_line, buffers));
  for (size_t k = let.over.size(); k-- > 0;)
    body = {loop(let.over[k], 0, kernel.axes[at(let.over[k])].extent, std::move(body))};
  program.body = loops::without_idle_lets(body);
  return program;
}

}  // namespace

std::optional<LoopPlan> schedule_sum(const Kernel& given, const std::vector<Value>& values,
                                     const Hardware& hardware) {
  if (has_device(hardware) || !hardware.integer_vector || !has_row(hardware, isa::kSumInstruction))
    return std::nullopt;
  LoopPlan out;
  out.kernel = merge_reduced_axes(given, values);
  const std::optional<ByteSum> sum = byte_sum_of(out.kernel, values);
  if (!sum) return std::nullopt;
  std::optional<SumByte> line;
  if (hardware.vector.vector_bytes == 0) line = by_line(out.kernel, values);
  loops::Program program = sum_program(out.kernel, *sum, line, values);
  const std::vector<std::string> faults = loops::verify(program);
  BURIN_CHECK(faults.empty(), faults.front() + " in " + loops::to_string(program));
  out.program = std::make_shared<const loops::Program>(std::move(program));
  out.places.resize(out.kernel.lets.size());
  if (line) {
    Expr& value = out.kernel.writes[0].value;
    value = Expr::select(line->near, value, line->byte);
  }
  out.family = "bytes";
  out.reason = "sums of rows of bytes";
  out.no_alias = true;
  return out;
}

}  // namespace burin
