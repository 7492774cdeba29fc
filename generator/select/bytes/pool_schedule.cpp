#include "select/bytes/pool_schedule.h"

#include <algorithm>

#include "hardware/capabilities.h"
#include "isa/all_rows.h"
#include "isa/fold_rows.h"
#include "isa/move_rows.h"
#include "isa/pad_rows.h"
#include "isa/pool_rows.h"
#include "kernel/combiner.h"
#include "loops/kernel_buffers.h"
#include "loops/program_text.h"
#include "loops/transforms/change.h"
#include "loops/verify/verify_program.h"
#include "loops/walk.h"
#include "select/axes/guards.h"
#include "select/bytes/known_rows.h"
#include "select/programs/making.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

constexpr int64_t kMostWindow = 64, kMostPooledRow = 512, kMostStagedPool = 256 << 10;

// Points of one of both directions of a window: position = step * result + tap.
struct PoolAxis {
  int axis = -1, tap = -1;  // of the kernel; -1: there is none, of one point
  int64_t count = 1, taps = 1, step = 1;
  int64_t first = 0, last = 0;  // positions that are read: [first, last)

  int64_t positions() const { return (count - 1) * step + taps; }
  bool has_margins() const { return first > 0 || last < positions(); }
  // Positions are told by the tap.
  bool is_known() const { return first < last && (tap >= 0 || !has_margins()); }
};
struct PoolForm {
  Expr load;
  PoolAxis row, column;
  int64_t pitch = 0;  // of rows of the operand
};

bool is_pool(const Kernel& kernel, const std::vector<Value>& values) {
  if (kernel.lets.size() != 1 || kernel.writes.size() != 1 || is_sequential(kernel)) return false;
  const Let& let = kernel.lets[0];
  const Write& write = kernel.writes[0];
  if ((let.op != Combiner::max && let.op != Combiner::min) || let.body.size() != 1) return false;
  const Type type = let.body[0].type();
  return is_byte(type) && write.how == How::store && write.when.empty() && write.over == let.over &&
         values[at(write.to)].type == type && write.value.kind() == ExprKind::let &&
         write.value.type() == type;
}

class PoolFinder {
 public:
  PoolFinder(const Kernel& kernel, const std::vector<Value>& values)
      : kernel_(kernel), values_(values) {}

  std::optional<PoolForm> run() {
    const Guarded guarded = strip_guard(kernel_.lets[0].op, kernel_.lets[0].body[0]);
    out_.load = guarded.value;
    if (out_.load.kind() != ExprKind::load || out_.load->id < 0 ||
        out_.load->storage != out_.load.type())
      return std::nullopt;
    const Value& value = values_[at(out_.load->id)];
    from_ = address(value.layout, value.shape, out_.load->at);
    if (from_.has_data() || !find_results() || !find_taps()) return std::nullopt;
    for (const Condition& one : guarded.guard) {
      if (!take(one, out_.row) && !take(one, out_.column)) return std::nullopt;
    }
    if (!out_.row.is_known() || !out_.column.is_known()) return std::nullopt;
    return out_;
  }

 private:
  // How an address moves along an axis; nothing: not by a constant.
  std::optional<int64_t> step_of(const Index& place, int axis) const {
    const Dim& extent = kernel_.axes[at(axis)].extent;
    const Index moved = loops::with_var(place, axis, Index::axis(axis, extent) + 1) - place;
    if (!moved.is_constant()) return std::nullopt;
    return moved.constant();
  }
  bool find_results() {
    const Write& write = kernel_.writes[0];
    const Value& value = values_[at(write.to)];
    const Index to = address(value.layout, value.shape, write.at);
    const auto known = [&](int axis) {
      const Dim& extent = kernel_.axes[at(axis)].extent;
      return extent.is_constant() && extent.constant() > 1;
    };
    const auto axis_of_step = [&](int64_t step) {
      const auto found = std::find_if(write.over.begin(), write.over.end(), [&](int axis) {
        return known(axis) && step_of(to, axis) == step;
      });
      return found == write.over.end() ? -1 : *found;
    };
    PoolAxis &row = out_.row, &column = out_.column;
    column.axis = axis_of_step(1);
    if (column.axis < 0) return false;
    column.count = kernel_.axes[at(column.axis)].extent.constant();
    row.axis = axis_of_step(column.count);
    if (row.axis < 0) return false;
    row.count = kernel_.axes[at(row.axis)].extent.constant();
    const std::optional<int64_t> stride = step_of(from_, column.axis);
    if (!stride || *stride < 1 || *stride > isa::kMostMoveStride) return false;
    column.step = *stride;
    return column.count >= isa::kLeastMoved && column.count <= kMostPooledRow;
  }
  bool find_taps() {
    PoolAxis &row = out_.row, &column = out_.column;
    std::optional<int64_t> down = step_of(from_, row.axis);
    if (!down || *down < 1) return false;
    out_.pitch = *down;
    for (const int axis : kernel_.lets[0].reduced) {
      const Dim& extent = kernel_.axes[at(axis)].extent;
      if (extent.is_constant(1)) continue;
      const std::optional<int64_t> step = step_of(from_, axis);
      if (!extent.is_constant() || !step) return false;
      PoolAxis& of = *step == 1 ? column : row;
      if (of.tap >= 0) return false;
      of.tap = axis;
      of.taps = extent.constant();
      if (*step != 1) out_.pitch = *step;
    }
    if (out_.pitch < 1 || *down % out_.pitch != 0) return false;
    row.step = *down / out_.pitch;
    row.last = row.positions();
    column.last = column.positions();
    return row.taps * column.taps <= kMostWindow && column.positions() <= out_.pitch + column.taps;
  }
  // Of a condition of this direction alone the positions that it leaves.
  bool take(const Condition& one, PoolAxis& of) const {
    Index position = Index::axis(of.axis, of.count) * of.step;
    if (of.tap >= 0) position = position + Index::axis(of.tap, of.taps);
    const Index lo = one.lo - (one.index - position), hi = one.hi - (one.index - position);
    if (!lo.is_constant() || !hi.is_constant()) return false;
    of.first = std::max(of.first, lo.constant());
    of.last = std::min(of.last, hi.constant());
    return true;
  }

  const Kernel& kernel_;
  const std::vector<Value>& values_;
  PoolForm out_;
  Index from_;
};

class PoolProgram {
 public:
  PoolProgram(const Kernel& kernel, const PoolForm& form, const std::vector<Value>& values)
      : kernel_(kernel), form_(form), buffers_(kernel, values, program_) {
    program_.name = kernel.name;
  }

  loops::Program run() {
    const PoolAxis &row = form_.row, &column = form_.column;
    loops::Stmts before, body;
    loops::Region from = operand(0, 0);
    int64_t pitch = form_.pitch;
    const int64_t reads = (row.positions() - 1) * pitch + column.positions();
    from.extent.back() = reads;
    if (row.has_margins() || column.has_margins()) {
      pitch = column.positions();
      from = stage(before, body);
    }
    const Write& write = kernel_.writes[0];
    loops::Region to{buffers_.buffer_of(write.to), buffers_.indices(write.at), {}};
    move(to.first, row, 0);
    move(to.first, column, 0);
    to.extent.assign(to.first.size(), Dim(1));
    to.extent.back() = row.count * column.count;
    const Type type = form_.load.type();
    body.push_back({loops::Call{
        isa::find_row(isa::pool_name(kernel_.lets[0].op == Combiner::max, type, column.step)),
        {std::move(to), std::move(from)},
        {row.count, column.count, row.taps, column.taps, row.step, pitch}}});
    for (size_t k = write.over.size(); k-- > 0;) {
      const int axis = write.over[k];
      if (axis == row.axis || axis == column.axis) continue;
      const Dim& extent = kernel_.axes[at(axis)].extent;
      body = extent.is_constant(1) ? loops::substitute(body, axis, 0)
                                   : loops::Stmts{loop(axis, 0, extent, std::move(body))};
    }
    loops::append(before, std::move(body));
    program_.body = std::move(before);
    return std::move(program_);
  }

 private:
  static void move(std::vector<Index>& place, const PoolAxis& of, int64_t position) {
    for (Index& index : place) {
      if (of.tap >= 0) index = loops::with_var(index, of.tap, position);
      index = loops::with_var(index, of.axis, 0);
    }
  }
  // Of a position of rows and of columns.
  loops::Region operand(int64_t row, int64_t column) const {
    std::vector<Index> place = buffers_.indices(form_.load->at);
    move(place, form_.row, row);
    move(place, form_.column, column);
    loops::Region out{buffers_.buffer_of(form_.load->id), std::move(place), {}};
    out.extent.assign(out.first.size(), Dim(1));
    return out;
  }
  loops::BufferId buffer(const char* name, loops::Scope scope, int64_t length) {
    loops::Buffer made;
    made.name = loops::free_name(program_, name);
    made.type = form_.load.type();
    made.scope = scope;
    made.shape = {length};
    if (scope == loops::Scope::scratch) program_.scratch_bytes = length;
    return program_.add(std::move(made));
  }

  // The plane with its margins. What is above and below it is filled once.
  loops::Region stage(loops::Stmts& before, loops::Stmts& body) {
    const PoolAxis &row = form_.row, &column = form_.column;
    const Type type = form_.load.type();
    const int64_t pitch = column.positions(), all = row.positions() * pitch;
    const loops::BufferId staged = buffer("staged", loops::Scope::scratch, all),
                          none = buffer("none", loops::Scope::stack, 1);
    const loops::Region fill{none, {0}, {1}};
    before.push_back({loops::Alloc{none}});
    before.push_back(store(none, {Index(0)}, identity_of(kernel_.lets[0].op, type)));
    const int64_t first = std::max<int64_t>(row.first, 0),
                  last = std::min(row.last, row.positions());
    const auto fill_rows = [&](int64_t begin, int64_t end) {
      const Dim count = (end - begin) * pitch;
      if (begin < end)
        before.push_back({loops::Call{isa::find_row(isa::fill_name(type)),
                                      {{staged, {begin * pitch}, {count}}, fill},
                                      {count}}});
    };
    fill_rows(0, first);
    fill_rows(last, row.positions());
    const int64_t left = std::max<int64_t>(column.first, 0),
                  width = std::min(column.last, pitch) - left, rows = last - first;
    loops::Region from = operand(first, left);
    from.extent.back() = (rows - 1) * form_.pitch + width;
    body.push_back({loops::Call{isa::find_row(isa::pad_name(type, type, true)),
                                {{staged, {first * pitch}, {rows * pitch}}, std::move(from), fill},
                                {rows, pitch, width, left, form_.pitch}}});
    return {staged, {0}, {all}};
  }

  const Kernel& kernel_;
  const PoolForm& form_;
  loops::Program program_;
  loops::KernelBuffers buffers_;
};

}  // namespace

std::optional<LoopPlan> schedule_pool(const Kernel& kernel, const std::vector<Value>& values,
                                      const Hardware& hardware) {
  if (has_device(hardware) || !is_pool(kernel, values) ||
      !has_row(hardware, *isa::find_row(isa::pool_name(true, Type::u8, 1))))
    return std::nullopt;
  const std::optional<PoolForm> form = PoolFinder(kernel, values).run();
  if (!form) return std::nullopt;
  const bool margins = form->row.has_margins() || form->column.has_margins();
  if (margins && (!has_padded_rows(hardware) ||
                  form->row.positions() * form->column.positions() > kMostStagedPool))
    return std::nullopt;
  LoopPlan out;
  out.kernel = kernel;
  loops::Program program = PoolProgram(kernel, *form, values).run();
  const std::vector<std::string> faults = loops::verify(program);
  BURIN_CHECK(faults.empty(), faults.front() + " in " + loops::to_string(program));
  out.scratch_bytes = program.scratch_bytes;
  out.program = std::make_shared<const loops::Program>(std::move(program));
  out.places.resize(out.kernel.lets.size());
  out.no_alias = true;
  out.family = "bytes";
  out.reason = "planes of " + std::to_string(form->row.count) + " x " +
               std::to_string(form->column.count) + " by one call each" +
               (margins ? ", staged with their margins" : "");
  return out;
}

}  // namespace burin
