#include "select/bytes/sum_schedule.h"

#include "hardware/capabilities.h"
#include "isa/all_rows.h"
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
#include "select/programs/making.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

constexpr int64_t kLeastSummed = 16;  // fewer are as fast one by one

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

// alloc sum, 0; for all points of the other reduced axes: one row of bytes; what is written.
loops::Program sum_program(const Kernel& kernel, const ByteSum& sum,
                           const std::vector<Value>& values) {
  loops::Program program;
  loops::KernelBuffers buffers(kernel, values, program);
  program.name = kernel.name;
  const Let& let = kernel.lets[0];
  loops::Buffer made;
  made.name = loops::free_name(program, "sum");
  made.type = Type::i32;
  made.scope = loops::Scope::stack;
  made.shape = {1};
  const loops::BufferId total = program.add(std::move(made));
  Dim count = 1;
  for (const int axis : let.reduced) count *= kernel.axes[at(axis)].extent;
  buffers.set_lets([&](int, int, const std::vector<Index>&) {
    const Expr all = program.element(total, {Index(0)});
    return sum.zero ? all - Expr::index(count, Type::i32) * buffers.expr(sum.zero) : all;
  });
  const Dim& length = kernel.axes[at(sum.axis)].extent;
  loops::Region row{buffers.buffer_of(sum.load->id), {}, {}};
  for (const Index& index : buffers.indices(sum.load->at))
    row.first.push_back(loops::with_var(index, sum.axis, 0));
  row.extent.assign(row.first.size(), Dim(1));
  row.extent.back() = length;
  loops::Stmts rows{loops::Stmt{loops::Call{
      isa::find_row(isa::sum_name(sum.load->storage)), {{total, {0}, {1}}, row}, {length}}}};
  for (size_t k = let.reduced.size(); k-- > 0;) {
    const int axis = let.reduced[k];
    if (axis != sum.axis) rows = {loop(axis, 0, kernel.axes[at(axis)].extent, std::move(rows))};
  }
  loops::Stmts body{loops::Stmt{loops::Alloc{total}},
                    store(total, {Index(0)}, Expr::constant(Type::i32, 0))};
  loops::append(body, std::move(rows));
  body.push_back(loops::store_of(kernel.writes[0], buffers));
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
  loops::Program program = sum_program(out.kernel, *sum, values);
  const std::vector<std::string> faults = loops::verify(program);
  BURIN_CHECK(faults.empty(), faults.front() + " in " + loops::to_string(program));
  out.program = std::make_shared<const loops::Program>(std::move(program));
  out.places.resize(out.kernel.lets.size());
  out.family = "bytes";
  out.reason = "sums of rows of bytes";
  out.no_alias = true;
  return out;
}

}  // namespace burin
