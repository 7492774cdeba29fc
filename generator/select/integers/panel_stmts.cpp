// Integer products whose factor b lies in panels of columns, packed before or staged here.
#include "select/integers/stmts.h"

namespace burin {
namespace {

class PanelStmts final : public IntegerStmts {
 public:
  using IntegerStmts::IntegerStmts;

 private:
  Stmts of_batch_point() override { return panelled(); }

  Stmts panelled() {
    Stmts out = stage_rows();
    const int width = plan_.tile_columns();
    if (plan_.n < 0) {
      append(out, column_block(0, 1));
      return out;
    }
    if (is_one_block()) {
      append(out, column_block(0, plan_.columns));
      return out;
    }
    if (const int last = vectors_of_last_block(); last > 0) {
      const int64_t columns = plan_.columns.constant(), whole = columns / width * width;
      const int block = variable("first_column", whole);
      out.push_back({For{block, 0, whole, width, Kind::serial,
                         column_block(var(block), var(block) + width)}});
      const int vectors = std::exchange(plan_.vectors, last);
      append(out, column_block(columns - plan_.tile_columns(), columns));
      plan_.vectors = vectors;
      return out;
    }
    const int block = variable("first_column", plan_.columns + width);
    const int end = variable("end_column", plan_.columns + 1);
    const Index stop = end_of(Share::columns, plan_.columns);
    Stmts body;
    if (overlaps()) {
      const int first = variable("from_column", plan_.columns);
      body = {Stmt{loops::Let{first, min(var(block), stop - width)}}};
      append(body, column_block(var(first), var(first) + width));
    } else {
      body = {Stmt{loops::Let{end, min(var(block) + width, stop)}}};
      append(body, column_block(var(block), var(end)));
    }
    out.push_back(
        {For{block, begin_of(Share::columns), stop, width, Kind::serial, std::move(body)}});
    return out;
  }

  // Of columns that are known, where bytes are carried by rows: the last block has no more vectors
  // than it needs, but two where lines make bytes of so many. 0: it is as the others.
  int vectors_of_last_block() const {
    if (plan_.moves.empty() || !overlaps() || !plan_.columns.is_constant()) return 0;
    const int64_t rest = plan_.columns.constant() % plan_.tile_columns();
    const auto last = std::max(static_cast<int>((rest + plan_.lanes - 1) / plan_.lanes),
                               is_byte_by_line() ? 2 : 1);
    return last < plan_.vectors ? last : 0;
  }
  // Columns of the last block are made again, rather than fewer in a tile: those that the kernel
  // stages, where there are enough of them.
  bool overlaps() const {
    return plan_.b.packed == kNoValue && plan_.share != Share::columns && !divides() &&
           proven_le(plan_.tile_columns(), plan_.columns);
  }
  // Whether all columns are known to be in one tile, or nearly all of it: then none is counted.
  bool is_one_block() const {
    return plan_.share != Share::columns && proven_le(plan_.columns, plan_.tile_columns()) &&
           !plan_.moves.empty();
  }
  bool divides() const {
    const int width = plan_.tile_columns();
    return mod(plan_.columns, width).is_constant(0) &&
           (plan_.share != Share::columns || plan_.grain % width == 0);
  }

  Stmts column_block(const Index& first, const Index& end) {
    Stmts out = stage_columns(first);
    const VectorOfB b = [&, first](const Index& vector) {
      Region region;
      if (plan_.b.packed != kNoValue) {
        region.buffer = buffers_.buffer_of(plan_.b.packed);
        for (const int axis : plan_.batch) region.first.push_back(var(axis));
        region.first.push_back(floordiv(first, plan_.tile_columns()));
        for (const int axis : plan_.k) region.first.push_back(var(axis));
      } else {
        region.buffer = panel_;
        region.first = {group_number()};
      }
      region.first.push_back(vector * plan_.lanes);
      region.first.emplace_back(0);
      region.extent.assign(region.first.size(), 1);
      region.extent[region.extent.size() - 2] = plan_.lanes;
      region.extent.back() = plan_.group;
      return region;
    };
    if (plan_.bundle.starts != nullptr) {
      make_room_for_starts(Scope::stack, plan_.tile_columns());
      out.push_back({loops::Alloc{starts_}});
      append(out, starts_of(b, 0));
    }
    append(out, sums_of_b(b));
    append(out, missing_of_columns(first));
    append(out, row_blocks([&](const Index& row_end) {
             Stmts sums = results_asked_for(end - 1);
             append(sums, products_of_rows(b));
             sums_again_ = [&] { return products_of_rows(b); };
             append(sums, results(first, end, row_end));
             sums_again_ = nullptr;
             return sums;
           }));
    return out;
  }

  Stmts results(const Index& first, const Index& end, const Index& row_end) {
    const Index column = plan_.n < 0 ? Index(0) : var(plan_.n) - first;
    const bool whole = plan_.n >= 0 && (divides() || overlaps());
    if (has_tables_only()) return bytes_by_tables(column, first, end, row_end, whole);
    if (plan_.n >= 0 && plan_.kernel.writes[0].when.empty()) {
      Stmts out = bytes_of_line(column, plan_.n, first, row_end);
      if (!out.empty()) {
        append(out, over_rows(row_end, rest_of_row(column, first, end, whole)));
        return out;
      }
    }
    if (whole) {
      Stmts out;
      if (is_line()) out = leave_by_line(written(column), written(column), plan_.n, first, row_end);
      if (!out.empty()) return out;
      out = leave(written(column, true), plan_.n, first);
      if (out.empty()) out = by_rows(column, first, end, row_end, true);
      if (!out.empty()) return out;
    }
    if (plan_.n >= 0 && is_line()) {
      Stmts rows = by_rows(column, first, end, row_end, true);
      if (!rows.empty()) return rows;
    }
    Stmts out = spilled(plan_.tile_rows, tile_);
    Stmts body = written(column);
    if (plan_.n >= 0) {
      if (!lanewise(body[0], plan_.n)) {
        Stmts rows = by_rows(column, first, end, row_end, false);
        if (!rows.empty()) {
          append(out, std::move(rows));
          return out;
        }
      }
      body = {loop(plan_.n, first, end, std::move(body))};
      results_loops_.push_back(plan_.n);
    }
    append(out, over_rows(row_end, std::move(body)));
    return out;
  }
  // Bytes by floats, then tables of them. Results that do not lie side by side go through an array.
  Stmts bytes_by_tables(const Index& column, const Index& first, const Index& end,
                        const Index& row_end, bool whole) {
    Stmts out = bytes_by_floats(column, plan_.n, first, end, row_end, whole,
                                [](const Expr& expr) { return expr; });
    const Write& write = plan_.kernel.writes[0];
    const BufferId result = buffers_.buffer_of(write.to);
    const std::vector<Index> place = buffers_.indices(write.at);
    const Type type = values_[at(write.to)].type;
    const bool direct = loops::stride_of(program_, result, place, plan_.n) == loops::Stride::one &&
                        !place.back().has_data();
    BufferId row = -1;
    if (!direct) {
      row = buffer(Scope::stack, "row_results", type, {plan_.tile_columns()});
      out.push_back({loops::Alloc{row}});
    }
    const Index count = whole ? Index(plan_.tile_columns()) : end - first;
    Stmts made = tables_of_row(count, [&](const Index& from) {
      if (!direct) return bytes_in_row(row, {from});
      std::vector<Index> there;
      for (const Index& index : place)
        there.push_back(loops::with_var(index, plan_.n, first + from));
      return bytes_in_row(result, there);
    });
    if (!direct)
      made.push_back(
          loop(plan_.n, first, end, {store(result, place, program_.element(row, type, {column}))}));
    append(out, over_rows(row_end, std::move(made)));
    return out;
  }

  Stmts over_rows(const Index& row_end, Stmts body) {
    if (plan_.m < 0) return body;
    return {loop(plan_.m, block_row_, row_end, std::move(body))};
  }

  // What follows the bytes of a row. What it reads besides, and results, that do not lie side by
  // side or are fewer than a tile's go through arrays.
  Stmts rest_of_row(const Index& column, const Index& first, const Index& end, bool whole) {
    const Write& write = plan_.kernel.writes[0];
    Stmts before;
    const auto array = [&](const std::string& name, Type type) {
      const BufferId out = buffer(Scope::stack, name, type, {whole_columns()});
      before.push_back({loops::Alloc{out}});
      return out;
    };
    const auto lies = [&](BufferId of, const std::vector<Index>& place) {
      return whole && whole_columns() == plan_.tile_columns() &&
             loops::stride_of(program_, of, place, plan_.n) == loops::Stride::one;
    };
    const auto moved = [&](const std::vector<Index>& place, const Index& to) {
      std::vector<Index> out;
      for (const Index& index : place) out.push_back(loops::with_var(index, plan_.n, to));
      return out;
    };
    const auto in_memory = [&](BufferId of, const std::vector<Index>& place, const Index& from) {
      BytePlace out{of, moved(place, first + from), {}};
      out.at = [=](const Index& number) { return moved(place, first + from + number); };
      return out;
    };
    std::map<Expr, BufferId> arrays;
    lets_at(column, false);
    const auto leaf = [&](const Expr& load, const Index& from) {
      const Expr there = buffers_.expr(load);
      if (lies(there->id, there->at)) return in_memory(there->id, there->at, from);
      const auto known = arrays.find(load);
      if (known != arrays.end()) return bytes_in_row(known->second, {from});
      const BufferId to = arrays[load] = array("beside", there->storage);
      before.push_back(loop(plan_.n, first, end, {store(to, {column}, there)}));
      return bytes_in_row(to, {from});
    };
    const BufferId result = buffers_.buffer_of(write.to);
    const std::vector<Index> place = buffers_.indices(write.at);
    const bool direct = lies(result, place);
    BufferId row = -1;
    if (plan_.line->rest && !direct) row = array("row_results", values_[at(write.to)].type);
    Stmts out = rest_by_rows(
        leaf,
        [&](const Index& from) {
          return direct ? in_memory(result, place, from) : bytes_in_row(row, {from});
        },
        first);
    if (out.empty()) {
      Stmts body = written(column);
      std::get<loops::Store>(body[0].node).value = {with_bytes(column)};
      return {loop(plan_.n, first, end, std::move(body))};
    }
    append(before, std::move(out));
    if (!direct) {
      const Type type = values_[at(write.to)].type;
      before.push_back(
          loop(plan_.n, first, end, {store(result, place, program_.element(row, type, {column}))}));
    }
    return before;
  }

  // Results that lie apart are computed in rows, and then go where they belong. Empty: they have no
  // form for vectors there either.
  Stmts by_rows(const Index& column, const Index& first, const Index& end, const Index& row_end,
                bool in_registers) {
    const Write write = written_exactly();
    if (!write.when.empty()) return {};
    if (results_ < 0)
      results_ = buffer(Scope::stack, "results", values_[at(write.to)].type,
                        {plan_.tile_rows, plan_.tile_columns()});
    const BufferId rows = results_;
    const Index row = row_in_block();
    lets_at(column, in_registers);
    const Expr value = buffers_.expr(write.value);
    Stmts made{store(rows, {row, column}, value)};
    if (in_registers) {
      lets_at(column, false);
      const Stmts from_memory{store(rows, {row, column}, buffers_.expr(write.value))};
      Stmts by_line;
      if (is_line()) by_line = leave_by_line(made, from_memory, plan_.n, first, row_end);
      made = by_line.empty() ? leave(std::move(made), plan_.n, first) : std::move(by_line);
      if (made.empty()) return {};
    } else {
      if (!lanewise(made[0], plan_.n)) return {};
      // Its own variable: another loop of n copies.
      const int point = variable("column", extent(plan_.n));
      results_loops_.push_back(point);
      made = over_rows(row_end,
                       {loop(point, first, end, loops::substitute(made, plan_.n, var(point)))});
    }
    Stmts out{Stmt{loops::Alloc{rows}}};
    append(out, std::move(made));
    append(out, over_rows(row_end,
                          {loop(plan_.n, first, end,
                                {store(buffers_.buffer_of(write.to), buffers_.indices(write.at),
                                       program_.element(rows, value.type(), {row, column}))})}));
    return out;
  }

  // Columns beyond the last one are what the last one is.
  Stmts stage_columns(const Index& first) {
    if (plan_.b.packed != kNoValue) return {};
    const int width = plan_.tile_columns();
    if (panel_ < 0)
      panel_ = buffer(Scope::scratch, "b_panel", plan_.b.type, {plan_.groups, width, plan_.group});
    const int lane = variable("panel_lane", width);
    const auto staged_at = [&](const Index& column, const Index& begin, const Index& end) {
      std::vector<Index> axes;
      for (size_t v = 0; v < program_.vars.size(); ++v) axes.push_back(var(static_cast<int>(v)));
      if (plan_.n >= 0) axes[at(plan_.n)] = column;
      const Expr element = substitute_axes(buffers_.expr(plan_.b.staged), axes);
      Stmts body = over_groups_apart({loop(
          lane, begin, end,
          over_group({store(panel_, {group_number(), var(lane), var(plan_.within)}, element)}))});
      for (size_t k = plan_.k.size() - 1; k-- > 0;) body = over(plan_.k[k], std::move(body));
      return body;
    };
    const Index column = first + var(lane);
    if (plan_.n < 0 || divides() || overlaps()) return staged_at(column, 0, width);
    if (is_one_block()) {
      Stmts out = staged_at(column, 0, plan_.columns);
      append(out, staged_at(plan_.columns - 1, plan_.columns, width));
      return out;
    }
    return {Stmt{loops::If{{{first + width, 0, plan_.columns + 1}},
                           staged_at(column, 0, width),
                           staged_at(min(column, plan_.columns - 1), 0, width)}}};
  }

  BufferId panel_ = -1, results_ = -1;
};

}  // namespace

std::unique_ptr<IntegerStmts> panel_stmts(const IntegerPlan& plan,
                                          const std::vector<Value>& values) {
  return std::make_unique<PanelStmts>(plan, values);
}

}  // namespace burin
