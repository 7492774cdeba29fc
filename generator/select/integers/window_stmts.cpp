// Integer products whose factor b is read through windows: its plane is staged once for all taps,
// in bands.
#include <algorithm>

#include "kernel/expr/expr_axes.h"
#include "select/integers/stmts.h"

namespace burin {
namespace {

class IntegerWindowStmts final : public IntegerStmts {
 public:
  using IntegerStmts::IntegerStmts;

 private:
  Stmts of_batch_point() override { return windowed(); }

  Stmts windowed() {
    const SlidingWindow& window = *plan_.window;
    std::vector<Dim> shape{window.staged_elements() * copies() +
                           plan_.tile_columns() * window.columns.step};
    if (slides()) {
      shape[0] += plan_.dot->values[2].shape[0];
    } else {
      shape.emplace_back(plan_.group);
    }
    staged_ = buffer(Scope::scratch, "staged", plan_.b.type, std::move(shape));
    Stmts out;
    if (!(band_size(window) == window.band)) {
      const int band = named("band", extent(window.rows.output) + 1);
      out.push_back({loops::Let{band, buffers_.index(window.band)}});
    }
    Stmts body = bands();
    for (size_t k = window.outer.size(); k-- > 0;) body = over(window.outer[k], std::move(body));
    append(out, std::move(body));
    return out;
  }
  // Whether groups are made of neighbours in the staged plane.
  bool slides() const { return plan_.dot->values[2].shape.size() == 1; }
  int named(const std::string& name, const Dim& extent) {
    const int out = variable(name, extent);
    buffers_.set_symbol(name, var(out));
    return out;
  }

  Stmts bands() {
    const SlidingWindow& window = *plan_.window;
    if (!window.banded()) return band(0, window.rows.outputs);
    const Dim reach = extent(window.rows.output), height = buffers_.index(band_size(window));
    const int number = variable("band_number", reach + 1);
    const int first = named("band_first", reach + 1), end = named("band_end", reach + 1);
    const Index begin = begin_of(Share::bands), stop = end_of(Share::bands, window.rows.outputs);
    Stmts body{Stmt{loops::Let{first, begin + var(number) * height}},
               Stmt{loops::Let{end, min(var(first) + height, stop)}}};
    append(body, band(var(first), var(end)));
    return {loop(number, 0, ceildiv(stop - begin, height), std::move(body))};
  }

  Stmts stage_plane(const Index& band_rows) {
    const SlidingWindow& window = *plan_.window;
    // [planes][row phase][column phase][row][column], then the group.
    Index place = 0;
    for (const int axis : window.planes) place = place * extent(axis) + var(axis);
    const auto phase = [&](const SlidingAxis& axis) {
      if (axis.phases == 1) return;
      place = place * axis.phases + var(axis.phase);
    };
    phase(window.rows);
    phase(window.columns);
    const bool has_rows = window.rows.output >= 0;
    place = place * buffers_.index(window.rows_of(band_size(window)));
    if (has_rows) place += var(window.rows.position);
    place = place * window.pitch() + var(window.columns.position);
    const Expr element = buffers_.expr(window.staged);
    const Index rows = has_rows ? buffers_.index(window.rows_of(band_rows)) : Index(1);
    if (Stmts padded = has_rows ? padded_plane(rows, element, place) : Stmts{}; !padded.empty())
      return padded;
    Stmts body = slides() ? Stmts{store(staged_, {place}, element)}
                          : over_group({store(staged_, {place, var(plan_.within)}, element)});
    body = over(window.columns.position, std::move(body));
    staging_.push_back(window.columns.position);
    if (has_rows) body = {loop(window.rows.position, 0, rows, std::move(body))};
    append(body, margin_behind(staged_, rows, place));
    if (window.columns.phases > 1) body = over(window.columns.phase, std::move(body));
    if (window.rows.phases > 1) body = over(window.rows.phase, std::move(body));
    for (size_t k = window.planes.size(); k-- > 0;) {
      const bool groups = !slides() && window.planes[k] == plan_.k.back();
      body = groups ? over_groups_apart(std::move(body)) : over(window.planes[k], std::move(body));
    }
    return body;
  }

  // The same by rows of isa/, a plane or four at a time, phase by phase. Empty: they do not say it.
  Stmts padded_plane(const Index& rows, const Expr& element, const Index& place) {
    const SlidingWindow& window = *plan_.window;
    const Index pitch = buffers_.index(window.pitch());
    const auto limited = [](const SlidingAxis& axis) { return axis.phases > 1 || axis.step > 1; };
    const PlaneRows plane{window.rows.position,
                          window.columns.position,
                          rows,
                          pitch,
                          pitch,
                          limited(window.rows) || limited(window.columns) || window.multiple > 1,
                          true};
    Stmts body;
    for (int64_t row_phase = 0; row_phase < window.rows.phases; ++row_phase) {
      for (int64_t column_phase = 0; column_phase < window.columns.phases; ++column_phase) {
        Expr one = element;
        Index first = loops::with_var(loops::with_var(place, window.rows.position, 0),
                                      window.columns.position, 0);
        const auto of_phase = [&](const SlidingAxis& axis, int64_t phase) {
          if (axis.phases == 1) return;
          one = with_axis(one, axis.phase, phase);
          first = loops::with_var(first, axis.phase, phase);
        };
        of_phase(window.rows, row_phase);
        of_phase(window.columns, column_phase);
        Stmts made = slides() ? pad_plane(plane, one, staged_, {first})
                              : pad_fours(plane, one, staged_, first);
        if (made.empty()) return {};
        append(body, std::move(made));
        append(body, margin_behind(staged_, rows, first));
      }
    }
    for (size_t k = window.planes.size(); k-- > 0;) body = over(window.planes[k], std::move(body));
    return body;
  }

  // Rows [first, end) of results.
  Stmts band(const Index& first, const Index& end) {
    const SlidingWindow& window = *plan_.window;
    Stmts out = stage_plane(end - first);
    append(out, copied_plane(staged_));
    const Dim most = window.rows.outputs * window.places() + window.columns.outputs + 1;
    const int positions = variable("positions", most);
    const int position = variable("position", most + plan_.tile_columns());
    const Index count =
        buffers_.index((end - first - 1) * window.places() + window.columns.outputs);
    out.push_back({loops::Let{positions, count}});
    Stmts body = row_blocks_at(first, end, position, positions, count);
    append(out, std::move(body));
    return out;
  }

  // Loops over the tiles of a band. Turns of a number that is known are counted, where bytes are
  // carried by rows: its compiler pipelines such loops only. Then the last tile has no more vectors
  // than it needs.
  Stmts over_positions(int position, int positions, const Index& count,
                       const std::function<Stmts()>& tile) {
    const int step = plan_.tile_columns();
    if (plan_.moves.empty() || !count.is_constant())
      return {Stmt{For{position, 0, var(positions), step, Kind::serial, tile()}}};
    const auto tiles = [&](int64_t first, int64_t end) {
      const int number = variable(loops::free_var(program_, "tile_number"), end);
      Stmts body{Stmt{loops::Let{position, var(number) * step}}};
      append(body, tile());
      return loop(number, first, end, std::move(body));
    };
    const int64_t whole = count.constant() / step, all = (count.constant() + step - 1) / step;
    const auto last = static_cast<int>((count.constant() % step + plan_.lanes - 1) / plan_.lanes);
    if (last == 0 || last == plan_.vectors || plan_.fours != nullptr) return {tiles(0, all)};
    Stmts out;
    if (whole > 0) out.push_back(tiles(0, whole));
    const int vectors = std::exchange(plan_.vectors, last);
    out.push_back(tiles(whole, all));
    plan_.vectors = vectors;
    return out;
  }

  // A block of rows keeps its weights near while all positions pass by.
  Stmts row_blocks_at(const Index& first, const Index& end, int position, int positions,
                      const Index& count) {
    Index shift = buffers_.index(plan_.window->shift);
    if (copies() > 1)
      shift += buffers_.index(plan_.window->column_shift) * (plan_.window->staged_elements() - 1);
    const VectorOfB b = [&, shift](const Index& vector) {
      const Index lane = var(position) + vector * plan_.lanes;
      const std::vector<Dim>& read = plan_.dot->values[2].shape;
      if (slides()) return Region{staged_, {shift + lane * plan_.window->columns.step}, {read[0]}};
      return Region{staged_, {shift + lane, 0}, {plan_.lanes, plan_.group}};
    };
    Stmts all;
    if (plan_.bundle.starts != nullptr) {
      make_room_for_starts(Scope::scratch,
                           plan_.window->band * plan_.window->places() + whole_columns());
      append(all, over_positions(position, positions, count,
                                 [&] { return starts_of(b, var(position)); }));
    }
    append(
        all, row_blocks([&](const Index& row_end) {
          make_room_for_sums_of_b();
          const bool in_vectors = results_in_vectors(position);
          const auto tile = [&] {
            Stmts body = sums_of_b(b);
            append(body, missing_of_columns(0));
            append(body, products_of_rows(b));
            if (in_vectors) {
              append(body, results_of_tile(row_end, position));
            } else {
              append(body, spilled(plan_.tile_rows, tile_));
              Stmts one = written(place_in_band(first) - var(position));
              append(body, over_rows(row_end, of_tile(first, end, var(position), std::move(one))));
            }
            return body;
          };
          const auto tiles = [&] { return over_positions(position, positions, count, tile); };
          Stmts out;
          for (const auto& [load, to] : beside_)
            append(out, over_rows(row_end,
                                  plane_of_band(first, end, to, {row_in_block(), 0}, load, true)));
          append(out, in_vectors ? looked_at_once(tiles) : tiles());
          if (in_vectors) append(out, over_rows(row_end, results_of_band(first, end)));
          return out;
        }));
    return all;
  }
  Stmts over_rows(const Index& row_end, Stmts body) const {
    if (plan_.m < 0 || body.empty()) return body;
    return {loop(plan_.m, block_row_, row_end, std::move(body))};
  }

  // Where a result is among the positions of its band.
  Index place_in_band(const Index& first) const {
    const SlidingWindow& window = *plan_.window;
    const Index column = var(window.columns.output);
    if (window.rows.output < 0) return column;
    return (var(window.rows.output) - first) * buffers_.index(window.places()) + column;
  }

  // Loops over the results among the positions of a tile, around what happens at each.
  Stmts of_tile(const Index& first, const Index& end, const Index& position, Stmts body) const {
    const SlidingWindow& window = *plan_.window;
    const int plane_row = window.rows.output, column = window.columns.output;
    const Index places = buffers_.index(window.places());
    const Index along = plane_row < 0 ? Index(0) : (var(plane_row) - first) * places;
    const Index start = position - along;
    body = {loop(column, max(0, start), min(window.columns.outputs, start + plan_.tile_columns()),
                 std::move(body))};
    if (plane_row >= 0) {
      const Index last = position + (plan_.tile_columns() - 1);
      body = {loop(plane_row, first + floordiv(position, places),
                   min(end, first + floordiv(last, places) + 1), std::move(body))};
    }
    return body;
  }
  // ... and over those of a band.
  Stmts of_band(const Index& first, const Index& end, Stmts body) const {
    const SlidingWindow& window = *plan_.window;
    body = {loop(window.columns.output, 0, window.columns.outputs, std::move(body))};
    if (window.rows.output >= 0) body = {loop(window.rows.output, first, end, std::move(body))};
    return body;
  }

  bool moves_with_plane(const Expr& expr) const {
    const std::vector<int> axes = axes_of(expr);
    return contains(axes, plan_.window->columns.output) ||
           (plan_.window->rows.output >= 0 && contains(axes, plan_.window->rows.output));
  }

  // Results of a row are computed for all positions, vector by vector, with what is read beside the
  // sums copied there before the tiles and the results copied to their places behind them. false:
  // the write asks for more than that.
  bool results_in_vectors(int position) {
    beside_.clear();
    const Write write = written_exactly();
    if (!write.when.empty()) return false;
    const SlidingWindow& window = *plan_.window;
    point_ = variable("point", plan_.tile_columns());
    const Dim scratch_before = scratch_;
    const auto in_band = [&](const std::string& name, Type type) {
      return buffer(Scope::scratch, name, type,
                    {plan_.tile_rows, window.band * window.places() + whole_columns()});
    };
    bool simple = true;
    lets_at(var(point_), false);
    const Expr value = buffers_.expr(result_beside());
    const auto found = [&](const Expr& expr) {
      if (expr.kind() != ExprKind::load || !moves_with_plane(expr)) return expr;
      for (const Index& index : expr->at) simple = simple && !index.has_data();
      const std::string name = "beside" + std::to_string(beside_.size());
      if (!beside_.contains(expr)) beside_.emplace(expr, in_band(name, expr->storage));
      return expr;
    };
    rewrite(value, found, [](const Index& leaf) { return leaf; });
    if (!simple || moves_with_plane(without_plane(value, position))) {
      scratch_ = scratch_before;
      for (size_t made = beside_.size(); made > 0; --made) scratch_buffers_.pop_back();
      beside_.clear();
      return false;
    }
    results_ = in_band("results", values_[at(write.to)].type);
    return true;
  }
  // An expression of the present point with what is read beside the sums where it was copied to.
  Expr without_plane(const Expr& value, int position) const {
    return rewrite(
        value,
        [&](const Expr& expr) -> Expr {
          const auto known = beside_.find(expr);
          if (known == beside_.end()) return expr;
          return program_.element(known->second, expr.type(),
                                  {row_in_block(), var(position) + var(point_)});
        },
        [](const Index& leaf) { return leaf; });
  }
  Stmts results_of_tile(const Index& row_end, int position) {
    const int columns = plan_.tile_columns();
    const Index row = row_in_block();
    const auto in_band = [&](const Expr& value) { return without_plane(value, position); };
    const auto stored = [&](bool in_registers) {
      lets_at(var(point_), in_registers);
      return Stmts{store(results_, {row, var(position) + var(point_)},
                         in_band(buffers_.expr(written_exactly().value)))};
    };
    Stmts out;
    if (has_tables_only()) {
      out = bytes_by_floats(var(point_), point_, 0, columns, row_end, true, in_band);
      append(out, over_rows(row_end, tables_of_row(columns, [&](const Index& from) {
                              return bytes_in_row(results_, {row, var(position) + from});
                            })));
    } else if (is_line()) {
      const Stmts from_memory = stored(false);
      out = leave_by_line(from_memory, from_memory, point_, 0, row_end);
    } else if (out = bytes_of_line(var(point_), point_, 0, row_end); !out.empty()) {
      append(out, over_rows(row_end, rest_of_row(in_band, position)));
    }
    if (out.empty()) out = leave(stored(true), point_, 0);
    if (out.empty()) {
      results_loops_.push_back(point_);
      out = spilled(plan_.tile_rows, tile_);
      append(out, over_rows(row_end, {loop(point_, 0, columns, stored(false))}));
    }
    return out;
  }
  Stmts results_of_band(const Index& first, const Index& end) {
    const Write write = written_exactly();
    const Type type = values_[at(write.to)].type;
    const Expr result = program_.element(results_, type, {row_in_block(), place_in_band(first)});
    return plane_of_band(first, end, buffers_.buffer_of(write.to), buffers_.indices(write.at),
                         result, false);
  }

  // All results of a band: an element of each to its place in a band, or from there to its own.
  Stmts plane_of_band(const Index& first, const Index& end, BufferId to,
                      const std::vector<Index>& place, const Expr& element, bool to_band) {
    const SlidingWindow& window = *plan_.window;
    const int row = window.rows.output, column = window.columns.output;
    std::vector<Index> one = place;
    if (to_band) one.back() = place_in_band(first);
    if (row >= 0) {
      const Index pitch = buffers_.index(to_band ? window.places() : window.columns.outputs);
      const loops::Buffer& buffer = program_.buffers[at(to)];
      std::vector<Index> begin;
      for (const Index& index : one)
        begin.push_back(loops::with_var(loops::with_var(index, row, first), column, 0));
      // Rows lie one behind the other there; they are counted from the first of the band.
      const Index expected =
          address(buffer.layout, buffer.shape, begin) + (var(row) - first) * pitch + var(column);
      if (address(buffer.layout, buffer.shape, one) == expected) {
        const Index width = buffers_.index(window.columns.outputs);
        // Rows are counted from the first of a band.
        const Expr from_first = with_axis(element, row, var(row) + first);
        Stmts padded = pad_plane({row, column, end - first, pitch, width}, from_first, to, begin);
        if (!padded.empty()) return padded;
      }
    }
    return of_band(first, end, {store(to, std::move(one), element)});
  }
  // What follows the bytes of a row, of those and what is read beside them.
  Stmts rest_of_row(const std::function<Expr(const Expr&)>& in_band, int position) {
    lets_at(var(point_), false);
    const auto leaf = [&](const Expr& load, const Index& first) {
      const Expr there = in_band(buffers_.expr(load));
      std::vector<Index> place;
      for (const Index& index : there->at) place.push_back(loops::with_var(index, point_, first));
      return bytes_in_row(there->id, std::move(place));
    };
    const auto to = [&](const Index& first) {
      return bytes_in_row(results_, {row_in_block(), var(position) + first});
    };
    Stmts out = rest_by_rows(leaf, to, 0);
    if (!out.empty()) return out;
    const Expr rest = in_band(with_bytes(var(point_)));
    return {loop(point_, 0, plan_.tile_columns(),
                 {store(results_, {row_in_block(), var(position) + var(point_)}, rest)})};
  }

  BufferId staged_ = -1, results_ = -1;
  int point_ = -1;                   // a column of a tile
  std::map<Expr, BufferId> beside_;  // what is read beside the sums, and where that is in a band
};

}  // namespace

std::unique_ptr<IntegerStmts> window_stmts(const IntegerPlan& plan,
                                           const std::vector<Value>& values) {
  return std::make_unique<IntegerWindowStmts>(plan, values);
}

}  // namespace burin
