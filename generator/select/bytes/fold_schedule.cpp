#include "select/bytes/fold_schedule.h"

#include <algorithm>
#include <map>

#include "hardware/capabilities.h"
#include "isa/all_rows.h"
#include "isa/byte_rows.h"
#include "isa/fold_rows.h"
#include "isa/move_rows.h"
#include "kernel/combiner.h"
#include "kernel/expr/expr_axes.h"
#include "loops/idle.h"
#include "loops/kernel_buffers.h"
#include "loops/transforms/change.h"
#include "loops/transforms/move.h"
#include "loops/walk.h"
#include "select/axes/guards.h"
#include "select/bytes/byte_ops.h"
#include "select/bytes/byte_stmts.h"
#include "select/bytes/known_rows.h"
#include "select/programs/making.h"
#include "select/threads/shared_program.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int64_t kMostTaps = 64;  // that are written out

// What is folded: a load at the taps of a point, where conditions hold.
struct FoldForm {
  Guard guard;
  Expr load;
  int lane = -1;
  int64_t stride = 1;  // of the load along the lanes
  std::vector<int>
      taps;  // reduced axes that are written out: conditions along a row move with them
  std::vector<int> loops;  // others
};

class FoldProgram {
 public:
  FoldProgram(const Kernel& kernel, const FoldForm& form, const ByteOps* ops,
              const std::vector<Value>& values)
      : kernel_(kernel), form_(form), ops_(ops), buffers_(kernel, values, program_) {
    program_.name = kernel.name;
    if (ops != nullptr) stmts_.emplace(*ops, program_, buffers_);
    buffers_.set_lets([this](int, int, const std::vector<Index>&) {
      return program_.element(row_, kernel_.lets[0].body[0].type(), {program_.var(form_.lane)});
    });
  }

  // `shared`: the axis whose points threads share, in parts of so many; -1: none.
  loops::Program run(const isa::Rows& moves, int shared, int64_t grain) {
    const Type type = kernel_.lets[0].body[0].type();
    const Dim length = kernel_.axes[at(form_.lane)].extent;
    const Dim room = ceildiv(length, isa::kBytesAtOnce) * isa::kBytesAtOnce;
    loops::Stmts body;
    row_ = array(body, "folded", type, room);
    const loops::BufferId none = array(body, "none", type, 1);
    const Combiner op = kernel_.lets[0].op;
    body.push_back(store(none, {Index(0)}, identity_of(op, type)));
    body.push_back({loops::Call{
        isa::find_row(isa::fill_name(type)), {{row_, {0}, {length}}, {none, {0}, {1}}}, {length}}});
    loops::append(body, taps(0, {}));
    loops::append(body, results(length, room));
    const Write& write = kernel_.writes[0];
    for (size_t k = write.over.size(); k-- > 0;) {
      const int axis = write.over[k];
      if (axis == form_.lane) continue;
      const Dim& extent = kernel_.axes[at(axis)].extent;
      body = axis == shared ? in_parts(axis, grain, std::move(body))
                            : loops::Stmts{loop(axis, 0, extent, std::move(body))};
    }
    program_.body = loops::without_idle_lets(body);
    return loops::move_by_rows(program_, moves);
  }

 private:
  loops::BufferId array(loops::Stmts& stmts, const char* name, Type type, const Dim& length) {
    loops::Buffer made;
    made.name = loops::free_name(program_, name);
    made.type = type;
    made.scope = loops::Scope::stack;
    made.shape = {length};
    const loops::BufferId id = program_.add(std::move(made));
    stmts.push_back({loops::Alloc{id}});
    return id;
  }

  loops::Stmts in_parts(int axis, int64_t grain, loops::Stmts body) {
    const Dim& extent = kernel_.axes[at(axis)].extent;
    const int first = program_.add(loops::Var{"first", extent}),
              end = program_.add(loops::Var{"last", extent + 1});
    loops::Stmts part{loops::Stmt{loops::Let{end, min(program_.var(first) + grain, extent)}},
                      loop(axis, program_.var(first), program_.var(end), std::move(body))};
    return {loops::Stmt{
        loops::For{first, 0, extent, grain, loops::Kind::thread, std::move(part), end}}};
  }

  // Every tap, those of `form_.taps` one behind the other.
  loops::Stmts taps(size_t number, std::vector<int64_t> known) {
    if (number == form_.taps.size()) return tap(known);
    loops::Stmts out;
    const int64_t count = kernel_.axes[at(form_.taps[number])].extent.constant();
    for (int64_t one = 0; one < count; ++one) {
      known.push_back(one);
      loops::append(out, taps(number + 1, known));
      known.pop_back();
    }
    return out;
  }
  loops::Stmts tap(const std::vector<int64_t>& known) {
    const Dim length = kernel_.axes[at(form_.lane)].extent;
    Index begin = 0, end = length;
    Guard around;
    const auto at_tap = [&](Index index) {
      for (size_t k = 0; k < known.size(); ++k)
        index = loops::with_var(index, form_.taps[k], known[k]);
      return index;
    };
    for (const Condition& one : form_.guard) {
      const Condition here{at_tap(buffers_.index(one.index)), buffers_.index(one.lo),
                           buffers_.index(one.hi)};
      if (!here.index.uses_axis(form_.lane)) {
        around.push_back(here);
        continue;
      }
      const std::optional<Bounds> bounds = bounds_of(here, form_.lane);
      begin = max(begin, bounds->begin);
      end = min(end, bounds->end);
    }
    const Dim count = end - begin;
    if (proven_le(count, 0)) return {};
    std::vector<Index> place;
    for (const Index& index : buffers_.indices(form_.load->at))
      place.push_back(loops::with_var(at_tap(index), form_.lane, begin));
    loops::Region from{buffers_.buffer_of(form_.load->id), place,
                       std::vector<Dim>(place.size(), Dim(1))};
    from.extent.back() = (count - 1) * form_.stride + 1;
    const bool greatest = kernel_.lets[0].op == Combiner::max;
    loops::Stmts out{loops::Stmt{
        loops::Call{isa::find_row(isa::fold_name(greatest, form_.load->storage, form_.stride)),
                    {{row_, {begin}, {count}}, std::move(from)},
                    {count}}}};
    if (!around.empty()) out = {loops::Stmt{loops::If{around, std::move(out), {}}}};
    for (size_t k = form_.loops.size(); k-- > 0;) {
      const int axis = form_.loops[k];
      out = {loop(axis, 0, kernel_.axes[at(axis)].extent, std::move(out))};
    }
    return out;
  }

  // What is read beside the row, in rows of whole vectors.
  std::map<Expr, loops::BufferId> rows_beside(const Dim& room, loops::Stmts& stmts) {
    std::map<Expr, loops::BufferId> out;
    for (const ByteOp& op : ops_->ops) {
      for (const Expr& operand : op.operands) {
        if (operand.kind() != ExprKind::load || out.contains(operand)) continue;
        const loops::BufferId row = array(stmts, "row_of", operand->storage, room);
        stmts.push_back(loop(form_.lane, 0, kernel_.axes[at(form_.lane)].extent,
                             {store(row, {program_.var(form_.lane)}, buffers_.expr(operand))}));
        out[operand] = row;
      }
    }
    return out;
  }

  loops::Stmts results(const Dim& length, const Dim& room) {
    const Write& write = kernel_.writes[0];
    loops::Stmts out;
    loops::BufferId from = row_;
    if (stmts_) {
      const std::map<Expr, loops::BufferId> rows = rows_beside(room, out);
      from = array(out, "results", write.value.type(), room);
      for (int64_t first = 0; first < room.constant(); first += isa::kBytesAtOnce) {
        const auto leaf = [&](const Expr& one) {
          return bytes_in_row(one.kind() == ExprKind::load ? rows.at(one) : row_, {Index(first)});
        };
        loops::append(out, stmts_->block(leaf, bytes_in_row(from, {Index(first)}),
                                         min(length - first, isa::kBytesAtOnce)));
      }
    }
    const Expr result = stmts_
                            ? program_.element(from, write.value.type(), {program_.var(form_.lane)})
                            : buffers_.expr(write.value);
    out.push_back(loop(form_.lane, 0, length,
                       {store(buffers_.buffer_of(write.to), buffers_.indices(write.at), result)}));
    return out;
  }

  const Kernel& kernel_;
  const FoldForm& form_;
  const ByteOps* const ops_;
  loops::Program program_;
  loops::KernelBuffers buffers_;
  std::optional<ByteStmts> stmts_;
  loops::BufferId row_ = -1;
};

// How an address moves along an axis: by a constant; 0: otherwise.
int64_t lane_step(const Value& value, const std::vector<Index>& place, int axis,
                  const Dim& extent) {
  const Index where = address(value.layout, value.shape, place);
  if (where.has_data()) return 0;
  for (int64_t step = 1; step <= isa::kMostMoveStride; ++step) {
    if (!(where - Index::axis(axis, extent) * step).uses_axis(axis)) return step;
  }
  return 0;
}

std::optional<FoldForm> fold_form_of(const Kernel& kernel, const std::vector<Value>& values) {
  if (kernel.lets.size() != 1 || kernel.writes.size() != 1 || is_sequential(kernel))
    return std::nullopt;
  const Let& let = kernel.lets[0];
  const Write& write = kernel.writes[0];
  if ((let.op != Combiner::max && let.op != Combiner::min) || let.body.size() != 1 ||
      !is_byte(let.body[0].type()) || write.how != How::store || !write.when.empty() ||
      write.over != let.over || !is_byte(values[at(write.to)].type) ||
      write.value.type() != values[at(write.to)].type)
    return std::nullopt;
  FoldForm out;
  Guarded guarded = strip_guard(let.op, let.body[0]);
  out.guard = std::move(guarded.guard);
  out.load = std::move(guarded.value);
  if (out.load.kind() != ExprKind::load || out.load->storage != out.load.type() ||
      !is_byte(out.load->storage))
    return std::nullopt;
  for (const int axis : let.over) {
    const Dim& extent = kernel.axes[at(axis)].extent;
    if (!extent.is_constant() || extent.constant() < isa::kLeastMoved) continue;
    const int64_t step = lane_step(values[at(write.to)], write.at, axis, extent);
    out.stride = lane_step(values[at(out.load->id)], out.load->at, axis, extent);
    if (step == 1 && out.stride > 0) out.lane = axis;
  }
  if (out.lane < 0) return std::nullopt;
  out.stride =
      lane_step(values[at(out.load->id)], out.load->at, out.lane, kernel.axes[at(out.lane)].extent);
  std::vector<int> with_lane;
  for (const Condition& one : out.guard) {
    if (one.index.has_data()) return std::nullopt;
    if (!one.index.uses_axis(out.lane)) continue;
    if (!bounds_of(one, out.lane)) return std::nullopt;
    one.index.collect_axes(with_lane);
  }
  int64_t taps = 1;
  for (const int axis : let.reduced) {
    if (!contains(with_lane, axis)) {
      out.loops.push_back(axis);
      continue;
    }
    out.taps.push_back(axis);
    if (!kernel.axes[at(axis)].extent.is_constant()) return std::nullopt;
    taps *= kernel.axes[at(axis)].extent.constant();
  }
  if (taps > kMostTaps) return std::nullopt;
  // Conditions along a row move with what is written out only.
  for (const Condition& one : out.guard) {
    if (!one.index.uses_axis(out.lane)) continue;
    std::vector<int> axes;
    one.index.collect_axes(axes);
    for (const int axis : axes) {
      if (axis != out.lane && !contains(out.taps, axis)) return std::nullopt;
    }
  }
  return out;
}

}  // namespace

std::optional<LoopPlan> schedule_fold(const Kernel& kernel, std::vector<Value>& values,
                                      const Hardware& hardware, const Given& given) {
  if (has_device(hardware) || !has_row(hardware, *isa::find_row(isa::fill_name(Type::u8))))
    return std::nullopt;
  const std::optional<FoldForm> form = fold_form_of(kernel, values);
  if (!form) return std::nullopt;
  LoopPlan out;
  out.kernel = kernel;
  Expr& written = out.kernel.writes[0].value;
  Expr folded;
  visit(written, [&](const ExprNode& node) {
    if (node.kind == ExprKind::let) folded = Expr::let(node.id, node.type, node.at, node.component);
  });
  std::optional<ByteOps> ops;
  // What follows is made in bytes, too, or in floats where these have vectors.
  const bool in_floats = hardware.vector.vector_bytes > 0;
  if (!(written == folded)) {
    ops = find_byte_ops(written, kernel, {{form->lane}, folded}, values, hardware);
    if (!ops && !in_floats) return std::nullopt;
    if (ops) written = ops->value;
  }
  const isa::Rows moves = rows_that_move(hardware);
  std::vector<ShareableLoop> loops;
  for (const int axis : kernel.writes[0].over) {
    const Dim& extent = kernel.axes[at(axis)].extent;
    if (axis != form->lane && !extent.is_constant(1)) loops.push_back({axis, extent, 1});
  }
  if (loops.size() > 1) loops.resize(1);
  SharedProgram shared = share_program(
      loops,
      [&](const std::optional<LoopParts>& parts) {
        return FoldProgram(out.kernel, *form, ops ? &*ops : nullptr, values)
            .run(moves, parts ? loops[0].axis : -1, parts ? parts->grain : 1);
      },
      hardware, given);
  loops::Program& program = shared.program;
  out.scratch_bytes = program.scratch_bytes;
  out.program = std::make_shared<const loops::Program>(std::move(program));
  out.places.resize(out.kernel.lets.size());
  out.no_alias = true;
  out.family = "bytes";
  out.reason = "rows of " + std::to_string(kernel.axes[at(form->lane)].extent.constant()) +
               ", tap by tap" + reason_of(shared);
  if (shared.sharing) {
    const CutAxis cut{loops[0].axis, loops[0].extent, shared.sharing->grain};
    out.cut = Cut{cut, hardware.threads_max};
    out.verbs.push_back({"threads", {cut.axis, cut.grain}});
  }
  return out;
}

}  // namespace burin
