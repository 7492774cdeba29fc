#include "select/bytes/byte_stmts.h"

#include <algorithm>
#include <string>

#include "isa/all_rows.h"
#include "isa/byte_products.h"
#include "isa/byte_rows.h"
#include "isa/digit_rows.h"
#include "isa/lane_rows.h"
#include "isa/quantise_rows.h"
#include "isa/requantise_rows.h"
#include "loops/transforms/change.h"
#include "loops/walk.h"
#include "select/programs/making.h"
#include "support/at.h"

namespace burin {

using loops::BufferId;
using loops::Call;
using loops::Kind;
using loops::Region;
using loops::Scope;
using loops::Stmt;
using loops::Stmts;

namespace {

Region run_of(const BytePlace& place, const Dim& count) {
  Region out{place.buffer, place.first, std::vector<Dim>(place.first.size(), Dim(1))};
  out.extent.back() = count;
  return out;
}

int nodes_of(const Expr& expr) {
  int out = 0;
  visit(expr, [&](const ExprNode&) { ++out; });
  return out;
}

}  // namespace

BytePlace bytes_in_row(BufferId buffer, std::vector<Index> first) {
  BytePlace out{buffer, first, {}};
  out.at = [first](const Index& number) {
    std::vector<Index> place = first;
    place.back() = place.back() + number;
    return place;
  };
  return out;
}

ByteStmts::ByteStmts(const ByteOps& ops, loops::Program& program,
                     const loops::KernelBuffers& buffers, bool only_count)
    : ops_(ops), program_(program), buffers_(buffers), only_count_(only_count) {}

// One for each use: several blocks may stand one behind the other in one list of statements.
BufferId ByteStmts::buffer(Scope scope, const char* name, Type type, std::vector<Dim> shape) {
  loops::Buffer out;
  out.name = loops::free_name(program_, name);
  out.type = type;
  out.scope = scope;
  out.shape = std::move(shape);
  return program_.add(std::move(out));
}

Stmts ByteStmts::block(const std::function<BytePlace(const Expr& leaf)>& leaf, const BytePlace& to,
                       const Dim& count, const ByteLanes& lanes, const Index& first) {
  places_.clear();
  along_ = lanes.along;
  first_ = first;
  step_ = lanes.step;
  Stmts out;
  for (size_t k = 0; k < ops_.ops.size(); ++k) {
    const ByteOp& op = ops_.ops[k];
    for (const Expr& operand : op.operands) {
      if (!places_.contains(operand)) places_[operand] = leaf(operand);
    }
    BytePlace place = to;
    if (k + 1 < ops_.ops.size()) {
      const std::string name = "bytes_between" + std::to_string(k);
      place = bytes_in_row(buffer(Scope::stack, name.c_str(), op.exact.type(), {isa::kBytesAtOnce}),
                           {Index(0)});
      out.push_back({loops::Alloc{place.buffer}});
    }
    loops::append(out, one(op, place, count));
    places_[op.exact] = place;
  }
  return out;
}

Region ByteStmts::parts(const ByteOp& op, int first, int64_t count, ValueId constant) const {
  if (constant == kNoValue) constant = op.constant;
  Region out{op.run_parts < 0 ? buffers_.buffer_of(constant) : op.run_parts,
             buffers_.indices(op.point),
             {}};
  out.first.emplace_back(first);
  out.extent.assign(out.first.size(), Dim(1));
  out.extent.back() = count;
  return out;
}

Region ByteStmts::parts_along(const ByteOp& op, int part) const {
  Region out{buffers_.buffer_of(op.along), buffers_.indices(op.point), {}};
  for (const Index& index : {floordiv(first_, step_), Index(part), Index(0), Index(0)})
    out.first.push_back(index);
  out.extent.assign(out.first.size(), Dim(1));
  out.extent[out.extent.size() - 2] = isa::kByteVectors;
  out.extent.back() = isa::kByteLanes;
  return out;
}

Stmts ByteStmts::one(const ByteOp& op, const BytePlace& to, const Dim& count) {
  if (op.line) return line(op, to, count);
  if (op.digits != nullptr)
    return {Stmt{
        Call{op.digits,
             {run_of(to, isa::kBytesAtOnce), run_of(places_.at(op.operands[0]), isa::kBytesAtOnce),
              run_of(places_.at(op.operands[1]), isa::kBytesAtOnce),
              parts(op, 0, op.digits->values.back().shape[0].constant())},
             {}}}};
  if (op.floats) return floats(op, to, count);
  if (op.sum != nullptr) return sum(op, to, count);
  if (!op.zeros.empty()) return product(op, to, count);
  const BytePlace& from = places_.at(op.operands[0]);
  const Dim bytes = only_count_ ? count : Dim(isa::kBytesAtOnce);
  return {Stmt{Call{op.table,
                    {run_of(to, bytes), run_of(from, bytes), parts(op, 0, isa::kTableBytes)},
                    {bytes}}}};
}

Stmts ByteStmts::floats(const ByteOp& op, const BytePlace& to, const Dim& count) {
  Stmts out = begin_doubts();
  const auto of_point = [&](ValueId constant, int64_t count) {
    Region part{buffers_.buffer_of(constant), buffers_.indices(op.point), {}};
    part.first.emplace_back(0);
    part.extent.assign(part.first.size(), Dim(1));
    part.extent.back() = count;
    return part;
  };
  const Region scale = of_point(op.constant, 1),
               line = of_point(op.float_line, isa::kFloatLineParts);
  out.push_back({Call{isa::find_row(isa::quantise_name(op.exact.type())),
                      {run_of(to, isa::kBytesAtOnce), Region{seen_, {0}, {isa::kByteLanes}},
                       run_of(places_.at(op.operands[0]), isa::kBytesAtOnce), scale, line},
                      {}}});
  loops::append(out, doubts(op, to, count));
  return out;
}

// alloc sums, which are read and limited; their bytes.
Stmts ByteStmts::sum(const ByteOp& op, const BytePlace& to, const Dim& count) {
  const BufferId words =
      buffer(Scope::registers, "words", Type::i32, {isa::kByteVectors, isa::kByteLanes});
  Stmts out{Stmt{loops::Alloc{words}}};
  std::vector<Region> vectors;
  for (int q = 0; q < isa::kByteVectors; ++q) {
    vectors.push_back({words, {q, 0}, {1, isa::kByteLanes}});
    Region from = run_of(places_.at(op.operands[0]), isa::kByteLanes);
    from.first = places_.at(op.operands[0]).at(q * isa::kByteLanes);
    out.push_back({Call{isa::find_row(isa::kLoadRow), {vectors.back(), from}, {}}});
  }
  if (op.sum_limits != kNoValue) {
    std::vector<Region> limited = vectors;
    limited.push_back(parts(op, 0, 2, op.sum_limits));
    out.push_back({Call{isa::find_row(isa::kLimitLine), std::move(limited), {}}});
  }
  loops::append(out, begin_doubts());
  std::vector<Region> all{run_of(to, isa::kBytesAtOnce), Region{seen_, {0}, {isa::kByteLanes}}};
  all.insert(all.end(), vectors.begin(), vectors.end());
  all.push_back(parts(op, 0, isa::kLineParts));
  out.push_back({Call{op.sum, std::move(all), {}}});
  if (!op.sum_is_sure) loops::append(out, doubts(op, to, count, true));
  return out;
}

// alloc near, where no byte is marked.
Stmts ByteStmts::begin_doubts() {
  seen_ = buffer(Scope::registers, "near", Type::i32, {isa::kByteLanes});
  const Region seen{seen_, {0}, {isa::kByteLanes}};
  return {Stmt{loops::Alloc{seen_}},
          Stmt{Call{
              isa::find_row(isa::lane_row_name("zero", Type::i32, isa::kByteLanes)), {seen}, {}}}};
}

// alloc positions; where the line begins, what each byte adds, limits; the byte at the end.
Stmts ByteStmts::line(const ByteOp& op, const BytePlace& to, const Dim& count) {
  const FixedLine& line = *op.line;
  positions_ =
      buffer(Scope::registers, "positions", Type::i32, {isa::kByteVectors, isa::kByteLanes});
  std::vector<Region> positions;
  for (int q = 0; q < isa::kByteVectors; ++q)
    positions.push_back({positions_, {q, 0}, {1, isa::kByteLanes}});
  Stmts out{Stmt{loops::Alloc{positions_}}};
  const auto call = [&](const std::string& row, std::vector<Region> before,
                        std::vector<Region> behind) {
    before.insert(before.end(), positions.begin(), positions.end());
    before.insert(before.end(), behind.begin(), behind.end());
    out.push_back({Call{isa::find_row(row), std::move(before), {}}});
  };
  if (op.along_start >= 0) {
    call(isa::kStartAlong, {}, {parts_along(op, op.along_start)});
  } else {
    call(isa::kStartLine, {}, {parts(op, 0, 1)});
  }
  for (size_t s = 0; s < line.stages.size(); ++s) {
    const FixedLine::Stage& stage = line.stages[s];
    if (stage.operand < 0) {
      call(isa::kLimitLine, {}, {parts(op, stage.part, 2)});
      continue;
    }
    const Expr& operand = op.operands[at(stage.operand)];
    const Region from = run_of(places_.at(operand), isa::kBytesAtOnce);
    if (op.along != kNoValue && op.along_stages[s] >= 0) {
      call(isa::add_along_name(operand.type()), {}, {from, parts_along(op, op.along_stages[s])});
    } else {
      call(isa::add_to_line_name(operand.type()), {}, {from, parts(op, stage.part, 1)});
    }
  }
  if (!line.sure) {
    loops::append(out, begin_doubts());
    call(isa::kNearLine, {Region{seen_, {0}, {isa::kByteLanes}}}, {parts(op, line.near, 2)});
  }
  call(isa::end_line_name(op.exact.type()), {run_of(to, isa::kBytesAtOnce)},
       {parts(op, line.end, 3)});
  if (!line.sure) loops::append(out, doubts(op, to, count));
  return out;
}

// alloc products; the products; their bytes by the line of a sum.
Stmts ByteStmts::product(const ByteOp& op, const BytePlace& to, const Dim& count) {
  const BufferId words =
      buffer(Scope::registers, "products", Type::i32, {isa::kByteVectors, isa::kByteLanes});
  std::vector<Region> vectors;
  for (int q = 0; q < isa::kByteVectors; ++q)
    vectors.push_back({words, {q, 0}, {1, isa::kByteLanes}});
  std::vector<Region> factors = vectors;
  for (const Expr& operand : op.operands)
    factors.push_back(run_of(places_.at(operand), isa::kBytesAtOnce));
  for (const ValueId zero : op.zeros) factors.push_back({buffers_.buffer_of(zero), {0}, {1}});
  Stmts out{
      Stmt{loops::Alloc{words}},
      Stmt{Call{isa::find_row(isa::multiply_name(op.operands[0].type(), op.operands[1].type())),
                std::move(factors),
                {}}}};
  loops::append(out, begin_doubts());
  std::vector<Region> all{run_of(to, isa::kBytesAtOnce), Region{seen_, {0}, {isa::kByteLanes}}};
  all.insert(all.end(), vectors.begin(), vectors.end());
  all.push_back({buffers_.buffer_of(op.constant), {0}, {isa::kLineParts}});
  out.push_back(
      {Call{isa::find_row(isa::requantise_name(op.exact.type(), isa::LaneOrder::by_fours)),
            std::move(all),
            {}}});
  if (op.has_doubts()) loops::append(out, doubts(op, to, count));
  return out;
}

// Bytes whose position was near to an end, as floats have them. A word of marks is of four bytes
// one behind the other, or (`in_a_row`) of two and of those that are half of all further.
Stmts ByteStmts::doubts(const ByteOp& op, const BytePlace& to, const Dim& count, bool in_a_row) {
  const Region seen{seen_, {0}, {isa::kByteLanes}};
  const BufferId flag = buffer(Scope::stack, "any_near", Type::i32, {1});
  const BufferId words = buffer(Scope::stack, "near_words", Type::i32, {isa::kByteLanes});
  if (word_ < 0) {
    word_ = program_.add(loops::Var{loops::free_var(program_, "near_word"), isa::kByteLanes});
    byte_ = program_.add(loops::Var{loops::free_var(program_, "near_byte"), isa::kByteVectors});
  }
  const auto is_set = [&](BufferId of, const Index& at) {
    const Expr zero = Expr::constant(Type::i32, 0);
    const Expr set = Expr::cast(Type::i64, compare(Binary::ne, program_.element(of, {at}), zero));
    return Guard{{Index::data(set.ptr(), {0, 1}), 1, 2}};
  };
  const Index number = in_a_row ? program_.var(word_) * 2 + mod(program_.var(byte_), 2) +
                                      floordiv(program_.var(byte_), 2) * (isa::kBytesAtOnce / 2)
                                : program_.var(word_) * isa::kByteVectors + program_.var(byte_);
  // Operands that have others inside of them first.
  std::vector<Expr> operands = op.operands;
  std::sort(operands.begin(), operands.end(),
            [](const Expr& a, const Expr& b) { return nodes_of(a) > nodes_of(b); });
  Expr exact = buffers_.expr(op.exact);
  for (const Expr& operand : operands) {
    const BytePlace& place = places_.at(operand);
    const Expr said = buffers_.expr(operand),
               element = program_.element(place.buffer, operand.type(), place.at(number));
    exact = rewrite(
        exact, [&](const Expr& one) { return one == said ? element : one; },
        [](const Index& index) { return index; });
  }
  if (along_ >= 0) {
    // Of lanes behind the last one nobody asks.
    std::vector<Index> axes;
    for (size_t v = 0; v < program_.vars.size(); ++v)
      axes.push_back(program_.var(static_cast<int>(v)));
    axes[at(along_)] = min(first_ + number, program_.vars[at(along_)].extent - 1);
    exact = substitute_axes(exact, axes);
  }
  Stmts result{store(to.buffer, to.at(number), exact)};
  if (in_a_row ? !count.is_constant(isa::kBytesAtOnce)
               : !mod(count, isa::kByteVectors).is_constant(0))
    result = {Stmt{loops::If{{{number, 0, count}}, std::move(result), {}}}};
  result = {loop(byte_, 0, isa::kByteVectors, std::move(result))};
  result = {Stmt{loops::If{is_set(words, program_.var(word_)), std::move(result), {}}}};
  Stmts rare{Stmt{loops::Alloc{words}}};
  rare.push_back({Call{isa::find_row(isa::lane_row_name("store", Type::i32, isa::kByteLanes)),
                       {Region{words, {0}, {isa::kByteLanes}}, seen},
                       {}}});
  rare.push_back(loop(word_, 0, in_a_row ? Dim(isa::kByteLanes) : ceildiv(count, isa::kByteVectors),
                      std::move(result)));
  Stmts out{Stmt{loops::Alloc{flag}}};
  out.push_back({Call{isa::find_row(isa::kAnyRow), {Region{flag, {0}, {1}}, seen}, {}}});
  out.push_back({loops::If{is_set(flag, 0), std::move(rare), {}}});
  return out;
}

}  // namespace burin
