#include "select/bytes/row_schedule.h"

#include <algorithm>

#include "hardware/capabilities.h"
#include "isa/byte_rows.h"
#include "isa/sum_rows.h"
#include "loops/idle.h"
#include "loops/program_text.h"
#include "loops/transforms/move.h"
#include "loops/verify/verify_program.h"
#include "select/axes/merge_axes.h"
#include "select/bytes/byte_ops.h"
#include "select/bytes/byte_stmts.h"
#include "select/bytes/known_rows.h"
#include "select/bytes/row_stmts.h"
#include "select/bytes/run_line.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

using loops::Stmt;
using loops::Stmts;

constexpr int64_t kMostInArrays = 4096;  // bytes of a row

struct ByteRow {
  int axis = -1;  // of the write, along which bytes lie
  Expr load;      // the byte
  Expr byte;      // the innermost one that is made of lets, a line of it
  RunLine line;
  ByteOps ops;  // that line, and what follows
};

// The innermost byte that lets are a part of.
Expr byte_of_lets(const Expr& value) {
  Expr found;
  rewrite(
      value,
      [&](const Expr& expr) {
        if (!found && expr.kind() == ExprKind::cast && expr->mode == CastMode::saturate &&
            is_byte(expr->storage) && has_let(expr))
          found = expr;
        return expr;
      },
      [](const Index& index) { return index; });
  return found;
}

class RowFinder {
 public:
  RowFinder(const Kernel& kernel, std::vector<Value>& values, const Hardware& hardware)
      : kernel_(kernel), values_(values), hardware_(hardware) {}

  std::optional<ByteRow> run() {
    out_.axis = axis_of_row(kernel_, values_, true);
    if (out_.axis < 0) return std::nullopt;
    const Dim& length = kernel_.axes[at(out_.axis)].extent;
    const Write& write = kernel_.writes[0];
    if (length.constant() > kMostInArrays &&
        !lies_in_row(values_[at(write.to)], write.at, out_.axis, length))
      return std::nullopt;
    const Expr& value = kernel_.writes[0].value;
    out_.byte = byte_of_lets(value);
    if (!out_.byte || !find_load()) return std::nullopt;
    const std::optional<RunLine> line = run_line_of(out_.byte, out_.load);
    if (!line) return std::nullopt;
    out_.line = *line;
    if (!(out_.byte == value)) {
      const std::optional<ByteOps> rest =
          find_byte_ops(value, kernel_, {{out_.axis}, out_.byte, out_.axis}, values_, hardware_);
      if (!rest || !reads_rows(*rest)) return std::nullopt;
      out_.ops = *rest;
    }
    out_.ops.ops.insert(out_.ops.ops.begin(), as_op());
    return out_;
  }

 private:
  // The one byte along the row that the line is of.
  bool find_load() {
    int found = 0;
    const auto look = [&](const Expr& expr) {
      if (expr.kind() == ExprKind::load && contains(axes_of(expr), out_.axis)) {
        if (!found || !(expr == out_.load)) ++found;
        out_.load = expr;
      }
      return expr;
    };
    rewrite(out_.byte, look, [](const Index& index) { return index; });
    return found == 1 && is_byte(out_.load->storage) && out_.load.type() == out_.load->storage &&
           values_[at(out_.load->id)].kind != ValueKind::constant &&
           lies_in_row(values_[at(out_.load->id)], out_.load->at, out_.axis,
                       kernel_.axes[at(out_.axis)].extent);
  }
  bool reads_rows(const ByteOps& ops) const {
    for (const ByteOp& op : ops.ops) {
      for (const Expr& operand : op.operands) {
        if (operand.kind() == ExprKind::load &&
            !lies_in_row(values_[at(operand->id)], operand->at, out_.axis,
                         kernel_.axes[at(out_.axis)].extent))
          return false;
      }
    }
    return true;
  }
  // What the line says of itself: its beginning, the factor; what is near; its end.
  ByteOp as_op() const {
    ByteOp op;
    op.exact = out_.byte;
    op.operands = {out_.load};
    FixedLine line;
    line.stages = {{0, 1}};
    line.near = 2;
    line.end = 4;
    line.size = 7;
    line.fraction = kRunLineFraction;
    op.line = line;
    return op;
  }

  const Kernel& kernel_;
  std::vector<Value>& values_;
  const Hardware& hardware_;
  ByteRow out_;
};

// For each row: its lets, one after the other; the line's numbers, where 32 bits hold them; 128
// bytes at a time. Else all of it one by one.
class RowProgram : RowStmts {
 public:
  RowProgram(const Kernel& kernel, ByteRow& row, const std::vector<Value>& values, bool sums_bytes)
      : RowStmts(kernel, row.axis, values), row_(row), sums_bytes_(sums_bytes) {}

  loops::Program run(const isa::Rows& moves) {
    Stmts body;
    for (size_t k = 0; k < kernel_.lets.size(); ++k) loops::append(body, let(k, sums_bytes_));
    loops::append(body, row());
    program_.body = loops::without_idle_lets(over_rows(std::move(body)));
    return loops::move_by_rows(program_, moves);
  }

 private:
  Stmts row() {
    const loops::BufferId line = buffer("run_line", Type::f32, {4});
    const auto part = [&](int number) { return program_.element(line, {Index(number)}); };
    const auto constant = [](double number) { return Expr::constant(Type::f32, number); };
    Stmts out{Stmt{loops::Alloc{line}}};
    const Expr all[] = {row_.line.offset, row_.line.factor, row_.line.most, row_.line.least_most};
    for (int k = 0; k < 4; ++k)
      out.push_back(store(line, {Index(k)}, buffers_.expr(all[static_cast<size_t>(k)])));
    const Expr holds =
        Expr::binary(Binary::logical_and, compare(Binary::lt, part(2), constant(kRunLineMost)),
                     compare(Binary::gt, part(3), constant(kRunLineLeastMost)));
    // What is rare comes first: costs take a condition of data not to hold.
    out.push_back(
        {loops::If{is_true(Expr::unary(Unary::logical_not, holds)), one_by_one(), by_line(line)}});
    return out;
  }

  Stmts by_line(loops::BufferId line) {
    ByteOp& op = row_.ops.ops[0];
    op.run_parts = buffer("line", Type::i32, {op.line->size});
    const auto number = [&](int part) { return program_.element(line, {Index(part)}); };
    const auto fixed = [&](const Expr& one) {
      const Expr scaled = one * static_cast<double>(1 << kRunLineFraction);
      return Expr::cast(Type::i32, Expr::unary(Unary::round, scaled));
    };
    const auto constant = [](int one) { return Expr::constant(Type::i32, one); };
    const Expr parts[] = {fixed(number(0)),
                          fixed(number(1)),
                          run_line_reach(row_.line, number(2)),
                          constant(32 - kRunLineFraction),
                          constant(kRunLineFraction - 16),
                          constant(row_.line.least),
                          constant(row_.line.greatest)};
    Stmts out{Stmt{loops::Alloc{op.run_parts}}};
    for (int k = 0; k < op.line->size; ++k)
      out.push_back(store(op.run_parts, {Index(k)}, parts[static_cast<size_t>(k)]));
    loops::append(out, blocks());
    return out;
  }

  // Long rows stay where they are: whole vectors of them, then what is left, through arrays.
  Stmts blocks_in_place() {
    const Dim whole_blocks = floordiv(length(), isa::kBytesAtOnce) * isa::kBytesAtOnce;
    const Write& write = kernel_.writes[0];
    Stmts out;
    ByteStmts stmts(row_.ops, program_, buffers_);
    const int first = variable("block", whole());
    const Index from = program_.var(first);
    const auto in_memory = [&](ValueId value, const std::vector<Index>& place) {
      const auto moved = [this, place](const Index& to) {
        std::vector<Index> at;
        for (const Index& index : buffers_.indices(place))
          at.push_back(loops::with_var(index, row_.axis, to));
        return at;
      };
      BytePlace there{buffers_.buffer_of(value), moved(from), {}};
      there.at = [moved, from](const Index& number) { return moved(from + number); };
      return there;
    };
    out.push_back(
        {loops::For{first, 0, whole_blocks, isa::kBytesAtOnce, loops::Kind::serial,
                    stmts.block([&](const Expr& load) { return in_memory(load->id, load->at); },
                                in_memory(write.to, write.at), isa::kBytesAtOnce, lanes(), from)}});
    const Dim left = length() - whole_blocks;
    if (left.is_constant(0)) return out;
    std::map<Expr, loops::BufferId> rows;
    const Index place = lane() - whole_blocks;
    for (const ByteOp& op : row_.ops.ops) {
      for (const Expr& operand : op.operands) {
        if (operand.kind() != ExprKind::load || rows.contains(operand)) continue;
        rows[operand] = buffer("left_of", operand->storage, {isa::kBytesAtOnce});
        out.push_back({loops::Alloc{rows[operand]}});
        out.push_back(loop(row_.axis, whole_blocks, length(),
                           {store(rows[operand], {place}, buffers_.expr(operand))}));
      }
    }
    const loops::BufferId results = buffer("left_results", write.value.type(), {isa::kBytesAtOnce});
    out.push_back({loops::Alloc{results}});
    const auto leaf = [&](const Expr& load) { return bytes_in_row(rows.at(load), {Index(0)}); };
    loops::append(out, stmts.block(leaf, bytes_in_row(results, {Index(0)}), left, lanes(),
                                   Index(whole_blocks)));
    out.push_back(loop(row_.axis, whole_blocks, length(),
                       {store(buffers_.buffer_of(write.to), buffers_.indices(write.at),
                              program_.element(results, write.value.type(), {place}))}));
    return out;
  }

  // Others lie in arrays of whole vectors.
  Stmts blocks() {
    const Write& write = kernel_.writes[0];
    if (length().constant() > kMostInArrays) return blocks_in_place();
    std::map<Expr, loops::BufferId> rows;
    Stmts out;
    for (const ByteOp& op : row_.ops.ops) {
      for (const Expr& operand : op.operands) {
        if (operand.kind() != ExprKind::load || rows.contains(operand)) continue;
        rows[operand] = buffer("row_of", operand->storage, {whole()});
        loops::append(out, staged(rows[operand], operand));
      }
    }
    const loops::BufferId results = buffer("row_results", write.value.type(), {whole()});
    out.push_back({loops::Alloc{results}});
    ByteStmts stmts(row_.ops, program_, buffers_);
    const int first = variable("block", whole());
    const Index from = program_.var(first);
    const auto leaf = [&](const Expr& load) { return bytes_in_row(rows.at(load), {from}); };
    const Dim count = mod(length(), isa::kBytesAtOnce).is_constant(0)
                          ? Dim(isa::kBytesAtOnce)
                          : Dim(min(Dim(isa::kBytesAtOnce), length() - from));
    Stmts block = stmts.block(leaf, bytes_in_row(results, {from}), count, lanes(), from);
    out.push_back(
        {loops::For{first, 0, length(), isa::kBytesAtOnce, loops::Kind::serial, std::move(block)}});
    out.push_back(loop(row_.axis, 0, length(),
                       {store(buffers_.buffer_of(write.to), buffers_.indices(write.at),
                              program_.element(results, write.value.type(), {lane()}))}));
    return out;
  }
  ByteLanes lanes() const { return {{row_.axis}, row_.byte, row_.axis}; }

  ByteRow& row_;
  const bool sums_bytes_;
};

}  // namespace

std::optional<LoopPlan> schedule_byte_rows(const Kernel& given, std::vector<Value>& values,
                                           const Hardware& hardware) {
  if (has_device(hardware) || !hardware.integer_vector || hardware.vector.vector_bytes > 0 ||
      !has_row(hardware, isa::kTableInstruction) || !has_row(hardware, isa::kLineInstruction))
    return std::nullopt;
  // Planes are long rows.
  const Kernel kernel = merge_reduced_axes(given, values);
  const size_t before = values.size();
  std::optional<ByteRow> row = RowFinder(kernel, values, hardware).run();
  if (!row) {
    values.resize(before);
    return std::nullopt;
  }
  LoopPlan out;
  out.kernel = kernel;
  // What follows is said by its constants.
  if (row->ops.value) out.kernel.writes[0].value = row->ops.value;
  loops::Program program =
      RowProgram(out.kernel, *row, values, has_row(hardware, isa::kSumInstruction))
          .run(rows_that_move(hardware));
  const std::vector<std::string> faults = loops::verify(program);
  BURIN_CHECK(faults.empty(), faults.front() + " in " + loops::to_string(program));
  out.scratch_bytes = program.scratch_bytes;
  out.program = std::make_shared<const loops::Program>(std::move(program));
  out.places.resize(out.kernel.lets.size());
  out.family = "bytes";
  out.reason = "rows of bytes, 128 at a time, by a line of the row's own numbers";
  out.no_alias = true;
  return out;
}

}  // namespace burin
