#include "loops/transforms/move.h"

#include <optional>

#include "isa/move_rows.h"
#include "kernel/layout.h"
#include "loops/lanewise.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

class Mover {
 public:
  Mover(const Program& program, const isa::Rows& rows) : program_(program), rows_(rows) {}

  std::optional<Call> call_of(const For& loop) const {
    if (loop.kind != Kind::serial || loop.step != 1 || !loop.inductions.empty() ||
        loop.part_end >= 0 || loop.body.size() != 1)
      return std::nullopt;
    const Dim count = loop.end - loop.begin;
    if (count.has_axes() || count.has_data() || at_hints(count) < isa::kLeastMoved)
      return std::nullopt;
    const Stmt& one = loop.body[0];
    if (const auto* store = std::get_if<Store>(&one.node)) return copy(loop, count, *store);
    const auto* group = std::get_if<For>(&one.node);
    if (group == nullptr || group->kind != Kind::unrolled || !group->begin.is_constant(0) ||
        !group->end.is_constant(isa::kInterleaved) || group->step != 1 || group->body.size() != 1)
      return std::nullopt;
    const auto* store = std::get_if<Store>(&group->body[0].node);
    return store == nullptr ? std::nullopt : groups(loop, count, *group, *store);
  }

 private:
  const Buffer& buffer(BufferId id) const { return program_.buffers[burin::at(id)]; }
  static bool plain(const Store& store) {
    return store.to.size() == 1 && store.combine == Combiner::none;
  }
  // Of one row of what is read, or one of each.
  const isa::Instruction* row_for(Type from, Type to, size_t parts, int stride) const {
    for (const isa::Instruction* row : rows_) {
      if (row->values.size() == 1 + parts && row->values[0].type == to &&
          row->values[1].type == from && isa::move_stride(*row) == stride)
        return row;
    }
    return nullptr;
  }
  // By how many elements the place of a load moves with a loop; 0: by anything else.
  int stride_along(BufferId of, const std::vector<Index>& at, int var) const {
    const Index place = address(buffer(of).layout, buffer(of).shape, at);
    if (place.has_data()) return 0;
    for (int stride = 1; stride <= isa::kMostMoveStride; ++stride) {
      if (!(place - program_.var(var) * stride).uses_axis(var)) return stride;
    }
    return 0;
  }
  // Whether it moves by one for every second turn, from an even one on.
  bool goes_twice(BufferId of, const std::vector<Index>& at, const For& loop,
                  const Dim& count) const {
    if (!loop.begin.is_constant(0)) return false;
    const Index place = address(buffer(of).layout, buffer(of).shape, at);
    const int pair = static_cast<int>(program_.vars.size());
    const Index half = Index::axis(pair, ceildiv(count, 2));
    const Index even = with_var(place, loop.var, half * 2);
    return !place.has_data() && even == with_var(place, loop.var, half * 2 + 1) &&
           !(even - half).uses_axis(pair);
  }
  static std::vector<Index> first_of(const std::vector<Index>& at, int var, const Index& value) {
    std::vector<Index> out;
    for (const Index& index : at) out.push_back(with_var(index, var, value));
    return out;
  }
  static Region row_of(BufferId of, std::vector<Index> first, const Dim& count, int stride = 1) {
    Region out{of, std::move(first), {}};
    out.extent.assign(out.first.size(), Dim(1));
    out.extent.back() = stride == isa::kTwice ? ceildiv(count, 2) : (count - 1) * stride + 1;
    return out;
  }

  std::optional<Call> copy(const For& loop, const Dim& count, const Store& store) const {
    if (!plain(store)) return std::nullopt;
    const BufferId to = store.to[0];
    const std::optional<MovedByte> byte = moved_byte(store.value[0], buffer(to).type);
    if (!byte || byte->load->id == to || stride_of(program_, to, store.at, loop.var) != Stride::one)
      return std::nullopt;
    const int stride = stride_along(byte->load->id, byte->load->at, loop.var);
    if (stride == isa::kTwice && !goes_twice(byte->load->id, byte->load->at, loop, count))
      return std::nullopt;
    const isa::Instruction* row = row_for(byte->load->storage, buffer(to).type, 1, stride);
    if (row == nullptr) return std::nullopt;
    return Call{
        row,
        {row_of(to, first_of(store.at, loop.var, loop.begin), count),
         row_of(byte->load->id, first_of(byte->load->at, loop.var, loop.begin), count, stride)},
        {count}};
  }

  // to[place, q], where q counts bytes of a group.
  std::optional<Call> groups(const For& loop, const Dim& count, const For& group,
                             const Store& store) const {
    if (!plain(store)) return std::nullopt;
    const BufferId to = store.to[0];
    const std::optional<MovedByte> byte = moved_byte(store.value[0], buffer(to).type);
    const size_t rank = store.at.size();
    if (!byte || byte->load->id == to || rank < 2 ||
        !buffer(to).shape.back().is_constant(isa::kInterleaved) ||
        !(store.at.back() == program_.var(group.var)))
      return std::nullopt;
    // The place moves by one with the loop, and nothing else does.
    for (size_t d = 0; d + 1 < rank; ++d) {
      const Index moved = d + 2 == rank ? store.at[d] - program_.var(loop.var) : store.at[d];
      if (moved.uses_axis(loop.var) || moved.uses_axis(group.var) || moved.has_data())
        return std::nullopt;
    }
    const int stride =
        stride_along(byte->load->id, first_of(byte->load->at, group.var, 0), loop.var);
    const isa::Instruction* row =
        row_for(byte->load->storage, buffer(to).type, isa::kInterleaved, stride);
    if (row == nullptr) return std::nullopt;
    Region groups{to, first_of(store.at, loop.var, loop.begin), {}};
    groups.first.back() = 0;
    groups.extent.assign(rank, Dim(1));
    groups.extent[rank - 2] = count;
    groups.extent.back() = isa::kInterleaved;
    std::vector<Region> operands{std::move(groups)};
    for (int q = 0; q < isa::kInterleaved; ++q) {
      const std::vector<Index> at = first_of(byte->load->at, group.var, q);
      if (stride_along(byte->load->id, at, loop.var) != stride) return std::nullopt;
      operands.push_back(row_of(byte->load->id, first_of(at, loop.var, loop.begin), count, stride));
    }
    return Call{row, std::move(operands), {count}};
  }

  const Program& program_;
  const isa::Rows& rows_;
};

}  // namespace

std::optional<MovedByte> moved_byte(const Expr& value, Type to) {
  const auto loaded = [](const Expr& expr) {
    return expr.kind() == ExprKind::load &&
           (expr->storage == Type::u8 || expr->storage == Type::i8);
  };
  if (loaded(value) && value->storage == to) return MovedByte{value, false};
  if (value.kind() != ExprKind::cast || value->mode != CastMode::convert || value->storage != to)
    return std::nullopt;
  const Expr& sum = value->operands[0];
  if (sum.kind() != ExprKind::binary || sum->binary() != Binary::add || sum.type() != Type::i32)
    return std::nullopt;
  for (const size_t k : {0, 1}) {
    const Expr &wide = sum->operands[k], &by = sum->operands[1 - k];
    if (wide.kind() != ExprKind::cast || wide->storage != Type::i32 ||
        !by.is_constant(to == Type::u8 ? 128 : -128))
      continue;
    const Expr& from = wide->operands[0];
    if (loaded(from) && from->storage != to) return MovedByte{from, true};
  }
  return std::nullopt;
}

Program move_by_rows(const Program& program, const isa::Rows& rows) {
  if (rows.empty()) return program;
  const Mover mover(program, rows);
  Program out = program;
  out.body = rewrite(program.body, [&](Stmt stmt) {
    if (const auto* loop = std::get_if<For>(&stmt.node)) {
      if (std::optional<Call> call = mover.call_of(*loop)) return Stmts{Stmt{*std::move(call)}};
    }
    return Stmts{std::move(stmt)};
  });
  return out;
}

}  // namespace burin::loops
