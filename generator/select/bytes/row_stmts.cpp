#include "select/bytes/row_stmts.h"

#include <algorithm>

#include "isa/all_rows.h"
#include "isa/sum_rows.h"

namespace burin {
namespace {

constexpr int64_t kLeastRow = 32;  // shorter ones are as fast one by one
constexpr int kLanes = 4;          // of partial results
constexpr int kBlock = 1024;       // whose points these are
constexpr int kSumsBlock = 32768;  // squares of bytes whose sum 31 bits hold

bool is_integer_sum(const Let& let) {
  return let.op == Combiner::sum &&
         (let.accumulator[0] == Type::i32 || let.accumulator[0] == Type::i64);
}

// The byte that is summed, or whose square is; empty: it is something else.
struct Summed {
  Expr load;
  bool squares = false;
};
Summed summed(const Let& let) {
  const Expr* wide = &let.body[0];
  if (let.accumulator[0] == Type::i64) {
    if ((*wide).kind() != ExprKind::cast) return {};
    wide = &(*wide)->operands[0];
  }
  Summed out;
  out.squares = (*wide).kind() == ExprKind::binary && (*wide)->binary() == Binary::mul &&
                (*wide)->operands[0] == (*wide)->operands[1];
  if (out.squares) wide = &(*wide)->operands[0];
  const bool byte = (*wide).kind() == ExprKind::cast && (*wide)->storage == Type::i32 &&
                    (*wide)->operands[0].kind() == ExprKind::load &&
                    is_byte((*wide)->operands[0]->storage);
  if (byte) out.load = (*wide)->operands[0];
  return out;
}

}  // namespace

int axis_of_row(const Kernel& kernel, const std::vector<Value>& values, bool anywhere) {
  if (kernel.lets.empty() || kernel.writes.size() != 1 || is_sequential(kernel)) return -1;
  const Write& write = kernel.writes[0];
  if (write.how != How::store || !write.when.empty() || !is_byte(values[at(write.to)].type) ||
      write.value.type() != values[at(write.to)].type)
    return -1;
  for (const Let& let : kernel.lets) {
    const bool of_row = let.op == Combiner::none && let.over == kernel.lets[0].over;
    if (of_row && let.body.size() == 1 && let.accumulator[0] == Type::f32) continue;
    if (let.body.size() != 1 || (let.accumulator[0] != Type::f32 && !is_integer_sum(let)) ||
        let.reduced.empty() || let.over != kernel.lets[0].over ||
        (let.op != Combiner::sum && let.op != Combiner::max && let.op != Combiner::min))
      return -1;
  }
  int found = -1;
  for (const int axis : write.over) {
    if (contains(kernel.lets[0].over, axis)) continue;
    if (found >= 0) return -1;
    found = axis;
  }
  if (found < 0 || write.over.size() != kernel.lets[0].over.size() + 1) return -1;
  const Dim& extent = kernel.axes[at(found)].extent;
  const bool row = extent.is_constant() && extent.constant() >= kLeastRow &&
                   (anywhere || lies_in_row(values[at(write.to)], write.at, found, extent));
  return row ? found : -1;
}

RowStmts::RowStmts(const Kernel& kernel, int axis, const std::vector<Value>& values)
    : kernel_(kernel), axis_(axis), values_(values), buffers_(kernel, values, program_) {
  program_.name = kernel.name;
  for (size_t k = 0; k < kernel_.lets.size(); ++k)
    lets_.push_back(buffer(loops::let_name(kernel_.lets[k], static_cast<int>(k), 0),
                           kernel_.lets[k].accumulator[0], {1}));
  buffers_.set_lets([this](int let, int, const std::vector<Index>&) {
    return program_.element(lets_[at(let)], {Index(0)});
  });
}

loops::BufferId RowStmts::buffer(const std::string& name, Type type, std::vector<Dim> shape) {
  loops::Buffer out;
  out.name = loops::free_name(program_, name);
  out.type = type;
  out.scope = loops::Scope::stack;
  out.shape = std::move(shape);
  return program_.add(std::move(out));
}

RowStmts::Stmts RowStmts::staged(loops::BufferId to, const Expr& load) {
  const Expr element = buffers_.expr(load);
  Stmts out{Stmt{loops::Alloc{to}}, loop(axis_, 0, length(), {store(to, {lane()}, element)})};
  if (mod(length(), isa::kBytesAtOnce).is_constant(0)) return out;
  const int behind = variable("behind", whole());
  out.push_back(loop(behind, length(), whole(),
                     {store(to, {program_.var(behind)}, program_.element(to, {Index(0)}))}));
  return out;
}

RowStmts::Stmts RowStmts::over_rows(Stmts body) const {
  const std::vector<int>& outer = kernel_.lets[0].over;
  for (size_t k = outer.size(); k-- > 0;)
    body = {loop(outer[k], 0, extent(outer[k]), std::move(body))};
  return body;
}

RowStmts::Stmts RowStmts::let(size_t number, bool sums_bytes) {
  const Let& one = kernel_.lets[number];
  Stmts out{Stmt{loops::Alloc{lets_[number]}}};
  if (one.op == Combiner::none) {
    out.push_back(store(lets_[number], {Index(0)}, buffers_.expr(one.body[0])));
    return out;
  }
  loops::append(out, loops::begin(one, {lets_[number]}, {Index(0)}));
  Stmts body = is_integer_sum(one) ? integers(one, number, sums_bytes)
                                   : in_lanes(one, number, one.reduced.back());
  for (size_t k = one.reduced.size() - 1; k-- > 0;)
    body = {loop(one.reduced[k], 0, extent(one.reduced[k]), std::move(body))};
  loops::append(out, std::move(body));
  return out;
}

RowStmts::Stmts RowStmts::call_of(const isa::Instruction* row, const Expr& load, int axis,
                                  loops::BufferId to, const Index& first, const Dim& count) {
  loops::Region from{buffers_.buffer_of(load->id), {}, {}};
  for (const Index& index : buffers_.indices(load->at))
    from.first.push_back(loops::with_var(index, axis, first));
  from.extent.assign(from.first.size(), Dim(1));
  from.extent.back() = count;
  return {Stmt{loops::Call{row, {{to, {0}, {1}}, from}, {count}}}};
}

// Sums of 64 bits take those of a block in 32.
RowStmts::Stmts RowStmts::integers(const Let& one, size_t number, bool sums_bytes) {
  const int axis = one.reduced.back();
  const Dim& length = extent(axis);
  const Summed of = summed(one);
  if (!sums_bytes || !of.load || !lies_in_row(values_[at(of.load->id)], of.load->at, axis, length))
    return {loop(axis, 0, length,
                 {store(lets_[number], {Index(0)}, buffers_.expr(one.body[0]), one.op)})};
  const Type type = of.load->storage;
  const isa::Instruction* row =
      isa::find_row(of.squares ? isa::squares_name(type) : isa::sum_name(type));
  if (one.accumulator[0] == Type::i32) return call_of(row, of.load, axis, lets_[number], 0, length);
  const loops::BufferId part = buffer("part", Type::i32, {1});
  const int first = variable("block", length + kSumsBlock);
  const Index begin = program_.var(first);
  Stmts body{Stmt{loops::Alloc{part}}, store(part, {Index(0)}, Expr::constant(Type::i32, 0))};
  loops::append(body,
                call_of(row, of.load, axis, part, begin, min(Dim(kSumsBlock), length - begin)));
  body.push_back(store(lets_[number], {Index(0)},
                       Expr::cast(Type::i64, program_.element(part, {Index(0)})), one.op));
  return {Stmt{loops::For{first, 0, length, kSumsBlock, loops::Kind::serial, std::move(body)}}};
}

RowStmts::Stmts RowStmts::in_lanes(const Let& one, size_t number, int axis) {
  const Dim& length = extent(axis);
  const Expr body = buffers_.expr(one.body[0]);
  const auto take = [&](loops::BufferId to, const Index& place, const Expr& value) {
    return store(to, {place}, value, one.op);
  };
  if (proven_lt(length, 2 * kLanes)) return {loop(axis, 0, length, {take(lets_[number], 0, body)})};
  const loops::BufferId lanes = buffer("lanes", Type::f32, {kLanes});
  const int lane = variable("lane", kLanes), first = variable("first", length + kLanes),
            block = variable("lanes_block", length + kBlock),
            end = variable("lanes_end", length + kBlock);
  const Index at = program_.var(lane), begin = program_.var(block), stop = program_.var(end);
  const Index whole = begin + floordiv(stop - begin, kLanes) * kLanes;
  const auto partial = [&](const Index& place) { return program_.element(lanes, {place}); };
  Stmts out{Stmt{loops::Let{end, min(begin + kBlock, length)}}, Stmt{loops::Alloc{lanes}}};
  out.push_back(loop(lane, 0, kLanes, {store(lanes, {at}, identity_of(one.op, Type::f32))}));
  out.push_back(
      {loops::For{first,
                  begin,
                  whole,
                  kLanes,
                  loops::Kind::serial,
                  // Written out, so that they stay in registers.
                  {loop(lane, 0, kLanes,
                        loops::substitute({take(lanes, at, body)}, axis, program_.var(first) + at),
                        loops::Kind::unrolled)}}});
  out.push_back(loop(axis, whole, stop, {take(lanes, program_.var(axis) - whole, body)}));
  for (int half = kLanes / 2; half > 0; half /= 2)
    out.push_back(loop(lane, 0, half, {take(lanes, at, partial(at + half))}));
  out.push_back(take(lets_[number], 0, partial(0)));
  return {Stmt{loops::For{block, 0, length, kBlock, loops::Kind::serial, std::move(out)}}};
}

}  // namespace burin
