// Results of a tile by lines (line.h): bytes of four vectors at a time, then those that the lines
// do not know, one by one.
#include <algorithm>

#include "isa/all_rows.h"
#include "isa/byte_rows.h"
#include "isa/requantise_rows.h"
#include "loops/lanewise.h"
#include "select/integers/stmts.h"

namespace burin {

// Bytes of all rows of a tile: `one` is the store of a result. `known` are marks of doubts, or the
// lowest of positions.
IntegerStmts::Stmts IntegerStmts::lines_of_tile(Stmts one, int point, const Index& first,
                                                isa::Doubts doubts, const Region& known) {
  const ByLine& line = *plan_.line;
  if (plan_.m >= 0) one = loops::substitute(one, plan_.m, block_row_ + row_in_tile());
  const auto of_line = [&](ValueId constant, int parts) {
    return part_of_line(constant, block_row_ + row_in_tile(), parts);
  };
  Stmts bytes;
  for (const auto& [v, count] : line_blocks()) {
    const Stmts moved = loops::substitute(one, point, first + Index(v * plan_.lanes));
    const auto& store = std::get<loops::Store>(moved[0].node);
    Region to{store.to[0], store.at, std::vector<Dim>(store.at.size(), Dim(1))};
    std::vector<Region> sums;
    for (int k = 0; k < count; ++k) sums.push_back(sums_of_tile(sums_, row_in_tile(), v + k));
    if (line.corrected) append(bytes, corrected(sums, v));
    // Of the last tile of a band, behind which there is room.
    if (plan_.window && count % 2 != 0) sums.push_back(sums.back());
    to.extent.back() = static_cast<int64_t>(sums.size()) * plan_.lanes;
    if (line.limits != kNoValue) {
      // Of fewer vectors that row takes some twice.
      std::vector<Region> operands = sums;
      while (operands.size() < isa::kByteVectors)
        operands.push_back(sums[operands.size() - sums.size()]);
      operands.push_back(of_line(line.limits, 2));
      bytes.push_back({call(isa::find_row(isa::kLimitLine), std::move(operands))});
    }
    std::vector<Region> operands{to, known};
    operands.insert(operands.end(), sums.begin(), sums.end());
    operands.push_back(of_line(line.lines, isa::kLineParts));
    if (line.along != kNoValue) {
      Region along = of_line(line.along, plan_.lanes);
      along.first.back() = floordiv(first, plan_.lanes) + v;
      along.extent.back() = count;  // panels have an even number
      for (const int whole : {isa::kAlongParts, plan_.lanes}) {
        along.first.emplace_back(0);
        along.extent.emplace_back(whole);
      }
      operands.push_back(std::move(along));
    }
    bytes.push_back({call(line.row(static_cast<int>(sums.size()), doubts), std::move(operands))});
  }
  if (plan_.tile_rows > 1)
    bytes = {loop(row_, 0, plan_.tile_rows, std::move(bytes), Kind::unrolled)};
  return bytes;
}

// The lowest of all positions of a tile, which `made` finds, and what happens where it is near to
// an end.
IntegerStmts::Stmts IntegerStmts::unless_far(const std::function<Stmts(const Region& lowest)>& made,
                                             const std::function<Stmts()>& rare) {
  const BufferId known = buffer(Scope::registers, "lowest", Type::i32, {plan_.lanes});
  const Region lowest{known, {0}, {plan_.lanes}};
  Stmts out{Stmt{loops::Alloc{known}}, Stmt{call(isa::find_row(isa::kHighestRow), {lowest})}};
  append(out, made(lowest));
  const BufferId flag = buffer(Scope::stack, "any_near", Type::i32, {1});
  out.push_back({loops::Alloc{flag}});
  // All lines say the same of what is near.
  out.push_back({call(isa::find_row(isa::kAnyNearRow),
                      {Region{flag, {0}, {1}}, lowest,
                       part_of_line(plan_.line->lines, block_row_, isa::kLineParts)})});
  out.push_back({loops::If{is_set(flag, 0), rare(), {}}});
  return out;
}

IntegerStmts::Stmts IntegerStmts::looked_at_once(const std::function<Stmts()>& tiles) {
  if (!plan_.looked_at_once || !is_byte_by_line()) return tiles();
  return unless_far(
      [&](const Region& lowest) {
        lowest_of_all_ = lowest;
        Stmts out = tiles();
        lowest_of_all_.reset();
        return out;
      },
      tiles);
}

// For each row its bytes. If one of them may be wrong, they are made again with marks of those that
// may: results that stand at one of the marked places are computed there, from sums in memory.
IntegerStmts::Stmts IntegerStmts::leave_by_line(const Stmts& one, const Stmts& from_memory,
                                                int point, const Index& first,
                                                const Index& row_end) {
  if (!is_byte_by_line()) return {};
  const auto* given = std::get_if<loops::Store>(&one[0].node);
  if (given == nullptr ||
      loops::stride_of(program_, given->to[0], given->at, point) != loops::Stride::one)
    return {};
  Stmts out;
  if (plan_.line->corrected) append(out, missing_of_rows(row_end));
  const auto lowest = [&](const Region& known) {
    return lines_of_tile(one, point, first, isa::Doubts::lowest, known);
  };
  if (lowest_of_all_) {
    append(out, lowest(*lowest_of_all_));
    return out;
  }
  // Sums that are kept until then would take registers from what makes the bytes: they go to
  // memory, or are made again.
  if (!makes_sums_again()) append(out, spilled(plan_.tile_rows, tile_));
  append(out, unless_far(lowest,
                         [&] { return marked_results(one, from_memory, point, first, row_end); }));
  return out;
}

// Where the instruction is called so few times that making all sums again for one tile in some
// twenty takes less than to store those of each: of 10^4 sums one is in doubt.
bool IntegerStmts::makes_sums_again() const {
  constexpr int64_t kMostCalls = 312;  // 10^4 sums / 32 of a vector
  int64_t calls = plan_.tile_rows * plan_.vectors;
  for (const int axis : plan_.k) {
    if (!extent(axis).is_constant()) return false;
    calls *= extent(axis).constant();
  }
  return sums_again_ != nullptr && !plan_.bundle && calls <= kMostCalls;
}

IntegerStmts::Stmts IntegerStmts::marked_results(const Stmts& one, const Stmts& from_memory,
                                                 int point, const Index& first,
                                                 const Index& row_end) {
  constexpr int kLanes = isa::kRequantisedLanes;
  const BufferId seen = buffer(Scope::registers, "seen", Type::i32, {kLanes});
  const BufferId words = buffer(Scope::stack, "marks", Type::i32, {kLanes});
  const Region marks{seen, {0}, {kLanes}};
  Stmts rare;
  if (makes_sums_again()) {
    rare = sums_again_();
    append(rare, spilled(plan_.tile_rows, tile_));
  } else {
    sums_ = buffer(Scope::registers, "sums_again", Type::i32,
                   {plan_.tile_rows, plan_.vectors, plan_.lanes});
    rare.push_back({loops::Alloc{sums_}});
    append(rare, each_place(plan_.tile_rows, [&](const Index& row, const Index& vector) {
             return Stmt{call(isa::find_row(isa::kLoadRow), {sums_of_tile(sums_, row, vector),
                                                             lanes_in_memory(tile_, row, vector)})};
           }));
  }
  rare.push_back({loops::Alloc{seen}});
  rare.push_back({call(plan_.zero, {marks})});
  append(rare, lines_of_tile(one, point, first, isa::Doubts::marks, marks));
  rare.push_back({loops::Alloc{words}});
  rare.push_back({call(plan_.store, {Region{words, {0}, {kLanes}}, marks})});
  const int word = variable("mark_word", kLanes), part = variable("mark_part", 4);
  for (const auto& [v, count] : line_blocks()) {
    // Columns that a word has marks of.
    const Index column =
        plan_.order == isa::LaneOrder::by_fours
            ? var(word) * 4 + var(part)
            : var(word) * 2 + mod(var(part), 2) + floordiv(var(part), 2) * (2 * kLanes);
    const Index place = first + Index(v * kLanes) + column;
    Stmts result = loops::substitute(from_memory, point, place);
    // Of columns beyond the last one nothing else is known that a result is made of.
    if (point == plan_.n && !mod(plan_.columns, plan_.tile_columns()).is_constant(0))
      result = {Stmt{loops::If{{{place, 0, plan_.columns}}, std::move(result), {}}}};
    if (plan_.m >= 0) result = {loop(plan_.m, block_row_, row_end, std::move(result))};
    if (count % 2 != 0)
      result = {Stmt{loops::If{{{column, 0, Index(count * plan_.lanes)}}, std::move(result), {}}}};
    result = {loop(part, 0, count + count % 2, std::move(result))};
    rare.push_back(loop(word, 0, kLanes, {Stmt{loops::If{is_set(words, var(word)), result, {}}}}));
  }
  return rare;
}

Guard IntegerStmts::is_set(BufferId of, const Index& at) const {
  const Expr zero = Expr::constant(Type::i32, 0);
  const Expr set = Expr::cast(Type::i64, compare(Binary::ne, program_.element(of, {at}), zero));
  return {{Index::data(set.ptr(), {0, 1}), 1, 2}};
}

// Some parts of the line of a row, of a constant with the axes of lines.
IntegerStmts::Region IntegerStmts::part_of_line(ValueId constant, const Index& row,
                                                int parts) const {
  Region out{buffers_.buffer_of(constant), {}, {}};
  for (const int axis : plan_.line->axes) out.first.push_back(axis == plan_.m ? row : var(axis));
  out.first.emplace_back(0);
  out.extent.assign(out.first.size(), 1);
  out.extent.back() = parts;
  return out;
}

// What sums lack: a number for each column of the tile at `first`, and for each row of a block.
IntegerStmts::Stmts IntegerStmts::missing_of_columns(const Index& first) {
  if (!plan_.line || !plan_.line->corrected) return {};
  columns_missing_ = buffer(Scope::stack, "columns_missing", Type::i32, {plan_.tile_columns()});
  const int column = variable("missing_column", plan_.tile_columns());
  Expr lacks = Expr::constant(Type::i32, 0);
  if (plan_.missing_columns) {
    if (plan_.b.sums >= 0) lets_[plan_.b.sums] = program_.element(column_sums_, {0, var(column)});
    lacks = buffers_.expr(plan_.missing_columns);
    if (plan_.n >= 0) {
      std::vector<Index> axes;
      for (size_t v = 0; v < program_.vars.size(); ++v) axes.push_back(var(static_cast<int>(v)));
      axes[at(plan_.n)] = min(first + var(column), plan_.columns - 1);
      lacks = substitute_axes(lacks, axes);
    }
  }
  return {Stmt{loops::Alloc{columns_missing_}},
          loop(column, 0, plan_.tile_columns(), {store(columns_missing_, {var(column)}, lacks)})};
}

IntegerStmts::Stmts IntegerStmts::missing_of_rows(const Index& row_end) {
  rows_missing_ = buffer(Scope::stack, "rows_missing", Type::i32, {plan_.tile_rows});
  Expr lacks = Expr::constant(Type::i32, 0);
  if (plan_.missing_rows) {
    if (plan_.a.sums >= 0)
      lets_[plan_.a.sums] =
          program_.element(row_sums_, {plan_.m < 0 ? Index(0) : var(plan_.m) - first_row()});
    lacks = buffers_.expr(plan_.missing_rows);
  }
  Stmts body{store(rows_missing_, {row_in_block()}, lacks)};
  if (plan_.m >= 0) body = {loop(plan_.m, block_row_, row_end, std::move(body))};
  Stmts out{Stmt{loops::Alloc{rows_missing_}}};
  append(out, std::move(body));
  return out;
}

// Copies of vectors of sums, from number `vector` on, less what they lack.
IntegerStmts::Stmts IntegerStmts::corrected(std::vector<Region>& sums, int vector) {
  const auto count = static_cast<int>(sums.size());
  const BufferId to = buffer(Scope::registers, "corrected" + std::to_string(vector), Type::i32,
                             {count, plan_.lanes});
  Stmts out{Stmt{loops::Alloc{to}}};
  for (int k = 0; k < count; ++k) {
    const Region copy{to, {k, 0}, {1, plan_.lanes}};
    out.push_back(
        {call(isa::find_row(isa::kLessRow),
              {copy, sums[at(k)], Region{rows_missing_, {row_in_tile()}, {1}},
               Region{columns_missing_, {Index((vector + k) * plan_.lanes)}, {plan_.lanes}}})});
    sums[at(k)] = copy;
  }
  return out;
}

std::vector<std::pair<int, int>> IntegerStmts::line_blocks() const {
  std::vector<std::pair<int, int>> out;
  int first = 0;
  for (; first + isa::kRequantisedVectors <= plan_.vectors; first += isa::kRequantisedVectors)
    out.emplace_back(first, isa::kRequantisedVectors);
  const int rest = plan_.vectors - first;
  if (rest == 0) return out;
  if (plan_.window) {
    out.emplace_back(first, rest);
    return out;
  }
  if (rest == 1) {
    out.emplace_back(plan_.vectors - 2, 2);
  } else {
    out.emplace_back(first, rest);
  }
  return out;
}

Expr IntegerStmts::result_beside() const {
  if (has_tables_only()) return plan_.line->byte;
  const Expr written = written_exactly().value;
  if (!is_byte_by_line() || !plan_.line->rest) return written;
  // A table of what is read has a place that is data; what operations read are loads.
  bool tables = false;
  Expr read;
  for (const ByteOp& op : plan_.line->rest->ops) {
    tables = tables || op.table != nullptr;
    for (const Expr& operand : op.operands) {
      if (operand.kind() != ExprKind::load) continue;
      const Expr one = Expr::cast(Type::i32, operand);
      read = read ? read + one : one;
    }
  }
  return tables && read ? Expr::cast(Type::i32, plan_.line->byte) + read : written;
}

IntegerStmts::Stmts IntegerStmts::bytes_of_line(const Index& column, int point, const Index& first,
                                                const Index& row_end) {
  if (!is_byte_by_line() || is_line()) return {};
  bytes_ =
      buffer(Scope::stack, "bytes", plan_.line->byte->storage, {plan_.tile_rows, whole_columns()});
  lets_at(column, false);
  const Stmts one{store(bytes_, {row_in_block(), column}, buffers_.expr(plan_.line->byte))};
  Stmts made = leave_by_line(one, one, point, first, row_end);
  if (made.empty()) return {};
  Stmts out{Stmt{loops::Alloc{bytes_}}};
  append(out, std::move(made));
  return out;
}

IntegerStmts::Stmts IntegerStmts::bytes_by_floats(const Index& column, int point,
                                                  const Index& first, const Index& end,
                                                  const Index& row_end, bool whole,
                                                  const std::function<Expr(const Expr&)>& as_read) {
  bytes_ = buffer(Scope::stack, "bytes", plan_.line->byte->storage,
                  {plan_.tile_rows, plan_.tile_columns()});
  const auto stored = [&](bool in_registers) {
    lets_at(column, in_registers);
    const Expr byte = as_read(buffers_.expr(plan_.line->byte));
    return Stmts{store(bytes_, {row_in_block(), column}, byte)};
  };
  Stmts out{Stmt{loops::Alloc{bytes_}}}, made;
  if (whole) made = leave(stored(true), point, first);
  if (made.empty()) {
    made = spilled(plan_.tile_rows, tile_);
    // Its own variable: another loop of this one copies.
    const int own = variable("byte_column", program_.vars[at(point)].extent);
    results_loops_.push_back(own);
    Stmts row{loop(own, first, end, loops::substitute(stored(false), point, var(own)))};
    if (plan_.m >= 0) row = {loop(plan_.m, block_row_, row_end, std::move(row))};
    append(made, std::move(row));
  }
  append(out, std::move(made));
  return out;
}

IntegerStmts::Stmts IntegerStmts::tables_of_row(
    const Index& count, const std::function<BytePlace(const Index& first)>& to) {
  if (!byte_stmts_) byte_stmts_.emplace(*plan_.line->rest, program_, buffers_, true);
  Stmts out;
  for (int first = 0; first < plan_.tile_columns(); first += isa::kBytesAtOnce) {
    const auto place = [&](const Expr&) {
      return bytes_in_row(bytes_, {row_in_block(), Index(first)});
    };
    const bool last = plan_.tile_columns() - first <= isa::kBytesAtOnce;
    append(out, byte_stmts_->block(place, to(first),
                                   last ? count - first : min(count - first, isa::kBytesAtOnce),
                                   plan_.line->lanes));
  }
  return out;
}

IntegerStmts::Stmts IntegerStmts::rest_by_rows(
    const PlaceOfLeaf& leaf, const std::function<BytePlace(const Index& first)>& to,
    const Index& column) {
  if (!plan_.line->rest) return {};
  if (!byte_stmts_) byte_stmts_.emplace(*plan_.line->rest, program_, buffers_);
  Stmts out;
  for (int first = 0; first < plan_.tile_columns(); first += isa::kBytesAtOnce) {
    const auto place = [&](const Expr& one) {
      return one == plan_.line->byte ? bytes_in_row(bytes_, {row_in_block(), Index(first)})
                                     : leaf(one, first);
    };
    const Dim count = std::min<int>(isa::kBytesAtOnce, plan_.tile_columns() - first);
    append(out, byte_stmts_->block(place, to(first), count, plan_.line->lanes, column + first));
  }
  return out;
}

Expr IntegerStmts::with_bytes(const Index& column) {
  // A let of its own stands for the byte while values become buffers.
  const auto own = static_cast<int>(plan_.kernel.lets.size());
  const Expr& byte = plan_.line->byte;
  lets_at(column, false);
  lets_[own] = program_.element(bytes_, byte.type(), {row_in_block(), column});
  return buffers_.expr(rewrite(
      plan_.line->exact,
      [&](const Expr& expr) { return expr == byte ? Expr::let(own, byte.type(), {}) : expr; },
      [](const Index& index) { return index; }));
}

}  // namespace burin
