#include "select/bytes/row_stmts.h"

#include <algorithm>

namespace burin {
namespace {

constexpr int64_t kLeastRow = 32;  // shorter ones are as fast one by one
constexpr int kLanes = 4;          // of partial results
constexpr int kBlock = 1024;       // whose points these are

}  // namespace

int axis_of_row(const Kernel& kernel, const std::vector<Value>& values, bool anywhere) {
  if (kernel.lets.empty() || kernel.writes.size() != 1 || is_sequential(kernel)) return -1;
  const Write& write = kernel.writes[0];
  if (write.how != How::store || !write.when.empty() || !is_byte(values[at(write.to)].type) ||
      write.value.type() != values[at(write.to)].type)
    return -1;
  for (const Let& let : kernel.lets) {
    if (let.body.size() != 1 || let.accumulator[0] != Type::f32 || let.reduced.empty() ||
        let.over != kernel.lets[0].over ||
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

RowStmts::Stmts RowStmts::let(size_t number) {
  const Let& one = kernel_.lets[number];
  Stmts out{Stmt{loops::Alloc{lets_[number]}}};
  loops::append(out, loops::begin(one, {lets_[number]}, {Index(0)}));
  const int axis = one.reduced.back();
  Stmts body = in_lanes(one, number, axis);
  for (size_t k = one.reduced.size() - 1; k-- > 0;)
    body = {loop(one.reduced[k], 0, extent(one.reduced[k]), std::move(body))};
  loops::append(out, std::move(body));
  return out;
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
