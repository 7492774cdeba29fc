#include "select/bytes/byte_schedule.h"

#include <algorithm>

#include "hardware/capabilities.h"
#include "isa/all_rows.h"
#include "isa/byte_rows.h"
#include "isa/move_rows.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/index/index_limit.h"
#include "loops/idle.h"
#include "loops/kernel_buffers.h"
#include "loops/program_text.h"
#include "loops/transforms/change.h"
#include "loops/transforms/move.h"
#include "loops/verify/verify_program.h"
#include "loops/walk.h"
#include "select/axes/merge_axes.h"
#include "select/bytes/byte_ops.h"
#include "select/bytes/byte_stmts.h"
#include "select/bytes/known_rows.h"
#include "select/bytes/lane_runs.h"
#include "select/programs/making.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

constexpr int64_t kLeastBytes = 32;  // of a kernel: fewer are as fast one by one

bool lies_along(const Value& value, const std::vector<Index>& place, int axis, const Dim& extent) {
  const Index where = address(value.layout, value.shape, place);
  return !where.has_data() && !(where - Index::axis(axis, extent)).uses_axis(axis);
}

// The axis along which results lie side by side; -1: none.
int lane_axis(const Kernel& kernel, const std::vector<Value>& values) {
  const Write& write = kernel.writes[0];
  for (const int axis : write.over) {
    if (lies_along(values[at(write.to)], write.at, axis, kernel.axes[at(axis)].extent) &&
        !kernel.axes[at(axis)].extent.is_constant(1))
      return axis;
  }
  return -1;
}

// The axis of lanes: that one, where it is no shorter than what is moved at once; else the longest,
// whose results go one by one to where they belong.
int lanes_of(const Kernel& kernel, const std::vector<Value>& values) {
  int best = lane_axis(kernel, values);
  const auto length = [&](int axis) { return at_hints(kernel.axes[at(axis)].extent); };
  if (best >= 0 && length(best) >= isa::kLeastMoved) return best;
  for (const int axis : kernel.writes[0].over) {
    if (best < 0 || length(axis) > length(best)) best = axis;
  }
  return best;
}

// As many axes as memory does not tell apart are one.
Kernel with_long_lanes(Kernel kernel, const std::vector<Value>& values) {
  for (bool merged = true; merged;) {
    merged = false;
    const int inner = lane_axis(kernel, values);
    for (int outer = 0; inner >= 0 && outer < static_cast<int>(kernel.axes.size()); ++outer) {
      if (outer == inner) continue;
      std::optional<Kernel> next = merge_pair(kernel, outer, inner, values);
      if (!next || lane_axis(*next, values) < 0) continue;
      kernel = std::move(*next);
      merged = true;
      break;
    }
  }
  return kernel;
}

bool is_plain_map(const Kernel& kernel, const std::vector<Value>& values) {
  if (!kernel.lets.empty() || kernel.writes.size() != 1) return false;
  const Write& write = kernel.writes[0];
  if (write.how != How::store || !write.when.empty() || !is_byte(values[at(write.to)].type) ||
      write.value.type() != values[at(write.to)].type || write.over.size() != kernel.axes.size())
    return false;
  return !is_sequential(kernel);
}

bool all_lie_along(const ByteOps& ops, int lane, const Kernel& kernel,
                   const std::vector<Value>& values) {
  for (const ByteOp& op : ops.ops) {
    for (const Expr& operand : op.operands) {
      if (operand.kind() == ExprKind::load &&
          !lies_along(values[at(operand->id)], operand->at, lane, kernel.axes[at(lane)].extent))
        return false;
    }
  }
  return true;
}

bool is_one_table(const ByteOps& ops) { return ops.ops.size() == 1 && ops.ops[0].table != nullptr; }

class ByteProgram {
 public:
  ByteProgram(const Kernel& kernel, const ByteOps& ops, int lane, const std::vector<Value>& values)
      : kernel_(kernel),
        values_(values),
        lanes_{{lane}, {}, has_along(ops) ? lane : -1},
        lane_(lane),
        buffers_(kernel, values, program_),
        stmts_(ops, program_, buffers_, is_one_table(ops)),
        ops_(ops) {
    program_.name = kernel.name;
  }

  loops::Program run(const isa::Rows& moves) {
    std::vector<Expr> loads;
    for (const ByteOp& op : ops_.ops) {
      for (const Expr& operand : op.operands) {
        if (operand.kind() == ExprKind::load) loads.push_back(operand);
      }
    }
    std::vector<LaneRun> runs;
    if (lanes_.along < 0) runs = lane_runs(kernel_, loads, lane_, values_);
    loops::Stmts body;
    if (runs.empty()) body = all_lanes();
    for (const LaneRun& run : runs) loops::append(body, lanes_of_run(run));
    for (size_t axis = kernel_.axes.size(); axis-- > 0;) {
      const auto number = static_cast<int>(axis);
      if (number == lane_ || kernel_.axes[axis].extent.is_constant(1)) continue;
      body = {loop(number, 0, kernel_.axes[axis].extent, std::move(body))};
    }
    for (size_t axis = 0; axis < kernel_.axes.size(); ++axis) {
      if (static_cast<int>(axis) != lane_ && kernel_.axes[axis].extent.is_constant(1))
        body = loops::substitute(body, static_cast<int>(axis), 0);
    }
    program_.body = loops::without_idle_lets(body);
    return loops::move_by_rows(program_, moves);
  }

 private:
  static bool has_along(const ByteOps& ops) {
    return std::any_of(ops.ops.begin(), ops.ops.end(),
                       [](const ByteOp& op) { return !op.along_stages.empty(); });
  }
  loops::Stmts all_lanes() {
    const Dim& length = kernel_.axes[at(lane_)].extent;
    constexpr int kWhole = isa::kBytesAtOnce;
    loops::Stmts body;
    const bool some = !proven_lt(length, kWhole), more = !mod(length, kWhole).is_constant(0);
    const auto in_place = [this](ValueId value, const std::vector<Index>& place) {
      return lies_along(values_[at(value)], place, lane_, kernel_.axes[at(lane_)].extent);
    };
    // A table takes as many bytes as it is told: no blocks, no rest.
    if (is_one_table(ops_) && all_lie_along(ops_, lane_, kernel_, values_) &&
        in_place(kernel_.writes[0].to, kernel_.writes[0].at))
      return block(0, length, in_place);
    const Index blocks = named("blocks", floordiv(length, kWhole), body), end = blocks * kWhole;
    if (some) {
      // Blocks are counted: places are told to begin at whole ones, compilers to count turns.
      const int number =
          program_.add(loops::Var{loops::free_var(program_, "block"), floordiv(length, kWhole)});
      body.push_back({loops::For{number, 0, blocks, 1, loops::Kind::serial,
                                 block(program_.var(number) * kWhole, kWhole, in_place)}});
    }
    if (more) {
      const Index rest = named("rest", length - end, body);
      loops::append(body, tail(end, rest));
    }
    return body;
  }
  // Whole vectors of a run in place, what is left of it by its own count.
  loops::Stmts lanes_of_run(const LaneRun& run) {
    constexpr int64_t kWhole = isa::kBytesAtOnce;
    const auto in_place = [&](ValueId value, const std::vector<Index>& place) {
      return lies_along_run(values_[at(value)], place, lane_, run);
    };
    const auto all_in_place = [&] {
      const Write& write = kernel_.writes[0];
      const Expr& load = ops_.ops[0].operands[0];
      return in_place(write.to, write.at) && load.kind() == ExprKind::load &&
             in_place(load->id, load->at);
    };
    if (is_one_table(ops_) && all_in_place()) return block(run.first, run.count, in_place);
    const int64_t end = run.count / kWhole * kWhole;
    loops::Stmts body;
    if (end > 0) {
      const int number = program_.add(loops::Var{loops::free_var(program_, "block"), end / kWhole});
      body.push_back(
          {loops::For{number, 0, end / kWhole, 1, loops::Kind::serial,
                      block(program_.var(number) * kWhole + run.first, kWhole, in_place)}});
    }
    const int64_t left = run.count - end;
    if (left == 0) return body;
    const int shared = point_;
    point_ = program_.add(loops::Var{loops::free_var(program_, "left"), left});
    loops::append(body, tail(run.first + end, left));
    point_ = shared;
    return body;
  }
  // A number that loops end at, by a name: it is not divided for again at every turn.
  Index named(const char* name, const Index& number, loops::Stmts& body) {
    if (number.is_constant()) return number;
    const Dim& length = kernel_.axes[at(lane_)].extent;
    const int var = program_.add(loops::Var{loops::free_var(program_, name), length + 1});
    body.push_back({loops::Let{var, number}});
    return program_.var(var);
  }
  BytePlace in_memory(ValueId value, const std::vector<Index>& place, const Index& first) const {
    BytePlace out{buffers_.buffer_of(value), moved(place, first), {}};
    out.at = [this, place, first](const Index& number) { return moved(place, first + number); };
    return out;
  }
  std::vector<Index> moved(const std::vector<Index>& place, const Index& to) const {
    std::vector<Index> out;
    for (const Index& index : buffers_.indices(place))
      out.push_back(loops::with_var(index, lane_, to));
    return out;
  }

  // What is left of a row.
  loops::Stmts tail(const Index& first, const Dim& count) {
    loops::Stmts out =
        block(first, count, [](ValueId, const std::vector<Index>&) { return false; });
    if (!count.is_constant() && !proven_lt(0, count))
      return {loops::Stmt{loops::If{{{count, 1, isa::kBytesAtOnce}}, std::move(out), {}}}};
    return out;
  }

  // Of `count` lanes from `first` on. What does not lie `in_place` goes through arrays of whole
  // vectors.
  template <class InPlace>
  loops::Stmts block(const Index& first, const Dim& count, const InPlace& in_place) {
    std::map<Expr, BytePlace> leaves;
    loops::Stmts out;
    if (point_ < 0)
      point_ = program_.add(loops::Var{loops::free_var(program_, "left"), isa::kBytesAtOnce});
    const auto array = [&](const char* name, Type type) {
      loops::Buffer made;
      made.name = loops::free_name(program_, name);
      made.type = type;
      made.scope = loops::Scope::stack;
      made.shape = {isa::kBytesAtOnce};
      const loops::BufferId id = program_.add(std::move(made));
      out.push_back({loops::Alloc{id}});
      return id;
    };
    const Index at_point = program_.var(point_);
    const auto leaf = [&](const Expr& load) {
      const auto known = leaves.find(load);
      if (known != leaves.end()) return known->second;
      if (in_place(load->id, load->at)) return leaves[load] = in_memory(load->id, load->at, first);
      const loops::BufferId id = array("left_of", load->storage);
      const Expr element = program_.element(buffers_.buffer_of(load->id), load.type(),
                                            moved(load->at, first + at_point));
      out.push_back(loop(point_, 0, count, {store(id, {at_point}, element)}));
      return leaves[load] = bytes_in_row(id, {Index(0)});
    };
    const Write& write = kernel_.writes[0];
    // Leaves are there before the first operation.
    for (const ByteOp& op : ops_.ops) {
      for (const Expr& operand : op.operands) {
        if (operand.kind() == ExprKind::load) leaf(operand);
      }
    }
    if (in_place(write.to, write.at)) {
      loops::append(out,
                    stmts_.block(leaf, in_memory(write.to, write.at, first), count, lanes_, first));
      return out;
    }
    const loops::BufferId results = array("left_results", write.value.type());
    loops::append(out, stmts_.block(leaf, bytes_in_row(results, {Index(0)}), count, lanes_, first));
    out.push_back(loop(point_, 0, count,
                       {store(buffers_.buffer_of(write.to), moved(write.at, first + at_point),
                              program_.element(results, write.value.type(), {at_point}))}));
    return out;
  }

  const Kernel& kernel_;
  const std::vector<Value>& values_;
  const ByteLanes lanes_;
  const int lane_;
  loops::Program program_;
  loops::KernelBuffers buffers_;
  ByteStmts stmts_;
  const ByteOps& ops_;
  int point_ = -1;
};

std::string reason_of_bytes(const ByteOps& ops) {
  int tables = 0, lines = 0, products = 0, doubts = 0;
  for (const ByteOp& op : ops.ops) {
    (op.table ? tables : op.zeros.empty() ? lines : products) += 1;
    doubts += op.has_doubts();
  }
  const auto counted = [](int count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  std::string out = "128 at a time, by ";
  if (tables > 0) out += counted(tables, "table");
  if (lines > 0) out += (tables > 0 ? " and " : "") + counted(lines, "line");
  if (products > 0) out += (tables + lines > 0 ? " and " : "") + counted(products, "product");
  if (doubts > 0) out += ", of which " + std::to_string(doubts) + " may ask floats";
  return out;
}

}  // namespace

std::optional<LoopPlan> schedule_bytes(const Kernel& given, std::vector<Value>& values,
                                       const Hardware& hardware) {
  if (has_device(hardware) || hardware.rows.empty() || !is_plain_map(given, values))
    return std::nullopt;
  LoopPlan out;
  out.kernel = with_long_lanes(given, values);
  // Bytes of machines whose floats have vectors are gathered by those.
  const bool anywhere = hardware.vector.vector_bytes == 0;
  const int lane = anywhere ? lanes_of(out.kernel, values) : lane_axis(out.kernel, values);
  Dim points = 1;
  for (const Axis& axis : out.kernel.axes) points *= axis.extent;
  if (lane < 0 || at_hints(points) < kLeastBytes ||
      at_hints(out.kernel.axes[at(lane)].extent) < isa::kLeastMoved)
    return std::nullopt;
  const ByteLanes lanes{{lane}, {}, lane};
  const size_t before = values.size();
  const std::optional<ByteOps> ops =
      find_byte_ops(out.kernel.writes[0].value, out.kernel, lanes, values, hardware);
  if (!ops) return std::nullopt;
  if (!anywhere && !all_lie_along(*ops, lane, out.kernel, values)) {
    values.resize(before);
    return std::nullopt;
  }
  out.kernel.writes[0].value = ops->value;
  loops::Program program =
      ByteProgram(out.kernel, *ops, lane, values).run(rows_that_move(hardware));
  const std::vector<std::string> faults = loops::verify(program);
  BURIN_CHECK(faults.empty(), faults.front() + " in " + loops::to_string(program));
  out.scratch_bytes = program.scratch_bytes;
  out.program = std::make_shared<const loops::Program>(std::move(program));
  out.family = "bytes";
  out.reason = reason_of_bytes(*ops);
  return out;
}

}  // namespace burin
