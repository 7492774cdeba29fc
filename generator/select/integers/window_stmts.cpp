// Integer products whose factor b is read through windows: its plane is staged once for all taps,
// in bands.
#include <algorithm>

#include "kernel/expr_axes.h"
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
    staged_ = buffer(Scope::scratch, "staged", plan_.b.type,
                     {window.staged_elements() + plan_.tile_columns(), plan_.group});
    Stmts out;
    if (!(band_size(window) == window.band)) {
      const int band = named("band", extent(window.rows.output) + 1);
      out.push_back({loops::Let{band, buffers_.index(window.band)}});
    }
    Stmts body = bands();
    // Places where no result is hold something, too.
    for (const BufferId one : allocated_) {
      out.push_back({loops::Alloc{one}});
      const Type type = program_.buffers[at(one)].type;
      const int everywhere =
          variable("all_of_" + program_.buffers[at(one)].name, plan_.tile_columns());
      out.push_back(loop(everywhere, 0, plan_.tile_columns(),
                         {store(one, {var(everywhere)}, zero_of(type))}));
    }
    for (size_t k = window.outer.size(); k-- > 0;) body = over(window.outer[k], std::move(body));
    append(out, std::move(body));
    return out;
  }
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
    Stmts body =
        over_group({store(staged_, {place, var(plan_.within)}, buffers_.expr(window.staged))});
    body = over(window.columns.position, std::move(body));
    staging_.push_back(window.columns.position);
    if (has_rows)
      body = {loop(window.rows.position, 0, buffers_.index(window.rows_of(band_rows)),
                   std::move(body))};
    if (window.columns.phases > 1) body = over(window.columns.phase, std::move(body));
    if (window.rows.phases > 1) body = over(window.rows.phase, std::move(body));
    for (size_t k = window.planes.size(); k-- > 0;) body = over(window.planes[k], std::move(body));
    return body;
  }

  // Rows [first, end) of results.
  Stmts band(const Index& first, const Index& end) {
    const SlidingWindow& window = *plan_.window;
    Stmts out = stage_plane(end - first);
    const Dim most = window.rows.outputs * window.pitch() + window.columns.outputs + 1;
    const int positions = variable("positions", most);
    const int position = variable("position", most + plan_.tile_columns());
    out.push_back({loops::Let{
        positions, buffers_.index((end - first - 1) * window.pitch() + window.columns.outputs)}});
    Stmts body = row_blocks_at(first, end, position, positions);
    append(out, std::move(body));
    return out;
  }

  // A block of rows keeps its weights near while all positions pass by.
  Stmts row_blocks_at(const Index& first, const Index& end, int position, int positions) {
    const Index shift = buffers_.index(plan_.window->shift);
    const VectorOfB b = [&, shift](const Index& vector) {
      return Region{
          staged_, {shift + var(position) + vector * plan_.lanes, 0}, {plan_.lanes, plan_.group}};
    };
    return row_blocks([&](const Index& row_end) {
      Stmts body = sums_of_b(b);
      append(body, tile_of_rows(b));
      append(body, results_at(first, end, row_end, var(position)));
      return Stmts{Stmt{
          For{position, 0, var(positions), plan_.tile_columns(), Kind::serial, std::move(body)}}};
    });
  }

  // Loops over the results among the positions of a tile, around what happens at each.
  Stmts at_results(const Index& first, const Index& end, const Index& position, Stmts body) const {
    const SlidingWindow& window = *plan_.window;
    const int plane_row = window.rows.output, column = window.columns.output;
    const Dim& pitch = window.pitch();
    const Index along = plane_row < 0 ? Index(0) : (var(plane_row) - first) * pitch;
    const Index start = position - along;
    body = {loop(column, max(0, start), min(window.columns.outputs, start + plan_.tile_columns()),
                 std::move(body))};
    if (plane_row >= 0) {
      const Index last = position + (plan_.tile_columns() - 1);
      body = {loop(plane_row, first + floordiv(position, pitch),
                   min(end, first + floordiv(last, pitch) + 1), std::move(body))};
    }
    return body;
  }

  // Results of a row are computed for all positions of the tile, vector by vector, with what is
  // read beside the sums copied there before and the results copied to their places behind; where
  // they ask for more than that, one by one.
  Stmts results_at(const Index& first, const Index& end, const Index& row_end,
                   const Index& position) {
    const SlidingWindow& window = *plan_.window;
    const Index along =
        window.rows.output < 0 ? Index(0) : (var(window.rows.output) - first) * window.pitch();
    const Index place = along + var(window.columns.output) - position;
    Stmts body = in_vectors(first, end, position, place);
    if (body.empty()) body = at_results(first, end, position, written(place));
    if (plan_.m >= 0) body = {loop(plan_.m, block_row_, row_end, std::move(body))};
    return body;
  }

  bool moves_with_plane(const Expr& expr) const {
    const std::vector<int> axes = axes_of(expr);
    return contains(axes, plan_.window->columns.output) ||
           (plan_.window->rows.output >= 0 && contains(axes, plan_.window->rows.output));
  }

  Stmts in_vectors(const Index& first, const Index& end, const Index& position,
                   const Index& place) {
    const Write& write = plan_.kernel.writes[0];
    if (!write.when.empty()) return {};
    const int columns = plan_.tile_columns();
    const int point = variable("point", columns);
    written(var(point));  // where the lets are
    std::map<Expr, BufferId> beside;
    bool simple = true;
    const Expr value = rewrite(
        buffers_.expr(write.value),
        [&](const Expr& expr) -> Expr {
          if (expr.kind() != ExprKind::load || !moves_with_plane(expr)) return expr;
          for (const Index& index : expr->at) simple = simple && !index.has_data();
          const auto known = beside.find(expr);
          const BufferId buffer_beside =
              known != beside.end() ? known->second
                                    : buffer(Scope::stack, "beside" + std::to_string(beside.size()),
                                             expr->storage, {columns});
          beside.emplace(expr, buffer_beside);
          return program_.element(buffer_beside, expr.type(), {var(point)});
        },
        [](const Index& leaf) { return leaf; });
    if (!simple || moves_with_plane(value)) return {};
    const Type type = values_[at(write.to)].type;
    const BufferId results = buffer(Scope::stack, "results", type, {columns});
    Stmts out;
    for (const auto& [load, to] : beside) {
      allocated_.push_back(to);
      append(out, at_results(first, end, position, {store(to, {place}, load)}));
    }
    allocated_.push_back(results);
    out.push_back(loop(point, 0, columns, {store(results, {var(point)}, value)}));
    results_loops_.push_back(point);
    append(out, at_results(first, end, position,
                           {store(buffers_.buffer_of(write.to), buffers_.indices(write.at),
                                  program_.element(results, value.type(), {place}))}));
    return out;
  }

  static Expr zero_of(Type type) { return Expr::constant(compute_type(type), 0); }

  BufferId staged_ = -1;
  std::vector<BufferId> allocated_;  // once, around all tiles
};

}  // namespace

std::unique_ptr<IntegerStmts> window_stmts(const IntegerPlan& plan,
                                           const std::vector<Value>& values) {
  return std::make_unique<IntegerWindowStmts>(plan, values);
}

}  // namespace burin
