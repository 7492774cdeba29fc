// Convolutions by Winograd's minimal filtering, as statements; select/products/winograd.h says how.
//
// Every step runs over neighbours in memory: columns of the plane, or tiles of the band, which
// follow each other through its rows. What lies between two rows is computed in vain.
#include "isa/interleave_rows.h"
#include "select/programs/bands.h"
#include "select/programs/making.h"
#include "select/programs/panels.h"
#include "select/programs/tile_program.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

using loops::BufferId;
using loops::Call;
using loops::For;
using loops::If;
using loops::Kind;
using loops::Region;
using loops::Scope;
using loops::Stmt;
using loops::Stmts;

class WinogradStmts {
 public:
  explicit WinogradStmts(Making& making)
      : making_(making),
        product_(*making.schedule().contraction),
        window_(*product_.window),
        form_(*product_.winograd),
        matrices_(form_.matrices()),
        m_(form_.choice.outputs),
        points_(form_.points()),
        tile_(product_.tile) {
    const Dim reach = winograd_reach(window_, tile_), panels = winograd_panels(window_, tile_);
    const auto array = [&](const char* name, std::vector<Dim> shape, const Dim& offset) {
      return making_.buffer(Scope::scratch, name, Type::f32, std::move(shape), offset);
    };
    staged_ = array("staged", {window_.staged_elements() + reach * m_}, product_.b_offset);
    rows_ = array("rows", {points_, reach * m_}, form_.rows_at);
    phases_ = array("phases", {points_, m_, reach + tile_.lanes}, form_.phases_at);
    values_ =
        array("values", {points_ * points_, panels, form_.depth, tile_.columns()}, form_.values_at);
    const Dim rows = ceildiv(product_.rows, tile_.rows) * tile_.rows;
    sums_ = array("sums",
                  {points_ * points_, form_.choice.by_points ? rows : Dim(tile_.rows),
                   panels * tile_.columns()},
                  form_.sums_at);
    columns_ = array("columns", {points_, m_, reach}, form_.columns_at);
    results_ = array("results", {points_, reach * m_}, form_.results_at);
    place_ = making_.shared_variable("place", reach * m_ + tile_.lanes);
    lane_ = making_.shared_variable("lane", tile_.lanes);
    point_ = making_.shared_variable("point", points_);
    panel_ = making_.shared_variable("panel", panels);
  }

  Stmts run() {
    Stmts body = each_band(making_, window_, [this](const Index& first, const Index& end) {
      return band(first, end);
    });
    Stmts out = zeros(staged_, {window_.staged_elements()}, winograd_reach(window_, tile_) * m_);
    append(out, around(making_, product_.batch, around(making_, window_.outer, std::move(body))));
    return out;
  }

 private:
  // Tiles of the rows [first, end).
  Stmts band(const Index& first, const Index& end) {
    const int count = making_.variable("places", winograd_places(window_) + 1);
    const int vectors = making_.variable("reach", winograd_reach(window_, tile_) + 1);
    Stmts out{
        Stmt{loops::Let{count, (end - first - 1) * window_.places() + window_.columns.outputs}},
        Stmt{loops::Let{vectors, ceildiv(making_.at(count) + 1, tile_.lanes) * tile_.lanes}}};
    count_ = making_.at(count);
    reach_ = making_.at(vectors);
    append(out, nothing_behind());
    Stmts plane = fill_stmts(making_, window_, staged_, making_.schedule().fill);
    append(plane, values_of_plane());
    for (size_t k = form_.planes.size(); k-- > 0;)
      plane = {loop(form_.planes[k], 0, making_.extent(form_.planes[k]), std::move(plane))};
    append(out, std::move(plane));
    if (form_.choice.by_points) {
      append(out, each_point([&](const Index& point) {
               return row_blocks([&](const Index& row, const Index&) {
                 return products(point, row, row - making_.begin_of(product_.m));
               });
             }));
      append(out, row_blocks([&](const Index& row, const Index& row_end) {
               return of_rows(first, end, row, row_end, making_.begin_of(product_.m));
             }));
    } else {
      append(out, row_blocks([&](const Index& row, const Index& row_end) {
               Stmts body = each_point([&](const Index& point) { return products(point, row, 0); });
               append(body, of_rows(first, end, row, row_end, row));
               return body;
             }));
    }
    return out;
  }

  // Places behind the last tile are computed with it. They hold numbers, not what was there before
  // (which may be too small to be normal, and slow): behind the staged rows, where nothing else is
  // ever stored, and here behind the phases of a band.
  Stmts nothing_behind() {
    const int phase = making_.shared_variable("phase", m_);
    Stmts tails = zeros(phases_, {making_.at(point_), making_.at(phase), reach_}, tile_.lanes);
    return {loop(point_, 0, points_, {loop(phase, 0, m_, std::move(tails))})};
  }
  Stmts zeros(BufferId buffer, std::vector<Index> at, const Dim& count) {
    const int place = making_.shared_variable("behind", winograd_reach(window_, tile_) * m_);
    at.back() += making_.at(place);
    return {loop(place, 0, count, {store(buffer, std::move(at), Expr::constant(Type::f32, 0))})};
  }

  Stmts row_blocks(const std::function<Stmts(const Index&, const Index&)>& body) {
    return blocks_of(making_, product_.m, tile_.rows, making_.begin_of(product_.m),
                     making_.end_of(product_.m), body);
  }
  // All points of the plane.
  Stmts each_point(const std::function<Stmts(const Index& point)>& body) {
    const int point = making_.shared_variable("plane_point", points_ * points_);
    return {loop(point, 0, points_ * points_, body(making_.at(point)))};
  }

  // `stores` of the lane of vectors from places [0, end) on, made of `reads` by a matrix.
  Stmts vectors(const Index& end, const std::vector<Expr>& reads, const Matrix& matrix,
                const std::function<Stmt(int number, const Expr& made)>& made_of) {
    return {Stmt{For{place_, 0, end, tile_.lanes, Kind::serial, vector(reads, matrix, made_of)}}};
  }
  Stmts vector(const std::vector<Expr>& reads, const Matrix& matrix,
               const std::function<Stmt(int number, const Expr& made)>& made_of) {
    const auto count = static_cast<int64_t>(reads.size());
    const BufferId registers =
        making_.buffer(Scope::registers, "read", Type::f32, {count, tile_.lanes});
    Stmts body;
    std::vector<Expr> terms;
    for (int64_t k = 0; k < count; ++k) {
      const std::vector<Index> at{k, making_.at(lane_)};
      body.push_back(store(registers, at, reads[static_cast<size_t>(k)]));
      terms.push_back(making_.element(registers, Type::f32, at));
    }
    const std::vector<Expr> made = times(matrix, terms);
    for (size_t k = 0; k < made.size(); ++k) body.push_back(made_of(static_cast<int>(k), made[k]));
    return {Stmt{loops::Alloc{registers}},
            loop(lane_, 0, tile_.lanes, std::move(body), Kind::vector)};
  }
  Index place() const { return making_.at(place_) + making_.at(lane_); }
  Expr read(BufferId buffer, std::vector<Index> at) const {
    return making_.element(buffer, Type::f32, std::move(at));
  }

  // The values at all points of the present plane, from its staged rows.
  Stmts values_of_plane() {
    // Rows of points: each of a row of the tiles, by columns.
    std::vector<Expr> taps;
    const Dim phase = window_.rows_of(band_size(window_)) * window_.pitch();
    for (int i = 0; i < points_; ++i)
      taps.push_back(read(staged_, {phase * (i % m_) + window_.pitch() * (i / m_) + place()}));
    Stmts out = vectors(reach_ * m_, taps, matrices_.input, [&](int point, const Expr& made) {
      return store(rows_, {point, place()}, made);
    });
    // Their phases, each by tiles.
    const Index point = making_.at(point_), at = making_.at(place_);
    const Dim apart = winograd_reach(window_, tile_) + tile_.lanes;
    Stmts body{Stmt{For{place_, 0, reach_, tile_.lanes, Kind::serial,
                        moved(isa::deinterleave_row(m_, tile_.lanes),
                              {phases_, {point, 0, at}, {1, 1, apart * (m_ - 1) + tile_.lanes}},
                              {rows_, {point, at * m_}, {1, m_ * tile_.lanes}}, apart)}}};
    // Values, by tiles.
    taps.clear();
    const int in_panel = making_.shared_variable("in_panel", tile_.columns());
    const Index start = making_.at(panel_) * tile_.columns();
    for (int j = 0; j < points_; ++j)
      taps.push_back(read(
          phases_, {point, j % m_, start + making_.at(in_panel) + making_.at(lane_) + j / m_}));
    const Index plane = depth_point(making_, form_.planes);
    Stmts piece = vector(taps, matrices_.input, [&](int q, const Expr& made) {
      return store(values_,
                   {point * points_ + q, making_.at(panel_), plane,
                    making_.at(in_panel) + making_.at(lane_)},
                   made);
    });
    const Index end = min(Index(tile_.columns()), count_ - start);
    Stmts panel{Stmt{For{in_panel, 0, end, tile_.lanes, Kind::serial, std::move(piece)}}};
    body.push_back(loop(panel_, 0, ceildiv(count_, tile_.columns()), std::move(panel)));
    out.push_back(loop(point_, 0, points_, std::move(body)));
    return out;
  }

  // A call of a row that takes rows apart or puts them together.
  Stmts moved(const isa::Instruction* row, Region to, Region from, const Dim& pitch) const {
    BURIN_CHECK(row != nullptr, "no row for so many rows and lanes");
    return {Stmt{Call{row, {std::move(to), std::move(from)}, {pitch}}}};
  }

  // Sums of a point, of a block of rows, which they have from `kept` on.
  Stmts products(const Index& point, const Index& row, const Index& kept) {
    const Index panel = making_.at(panel_);
    const auto of_vectors = [&](int vectors) {
      const TileShape shape{tile_.rows, vectors, tile_.lanes, 1};
      TileFactors factors;
      factors.a = [&, this](const Index& depth, const Index& in_tile) {
        return filter(point, floordiv(row, tile_.rows), depth, in_tile);
      };
      factors.a_prefetch = product_.prefetch;
      factors.b = [&, this](const Index& depth, const Index& vector) {
        return Region{values_, {point, panel, depth, vector * tile_.lanes}, {1, 1, 1, tile_.lanes}};
      };
      RegisterTile tile(making_, shape);
      Stmts out = tile.sums(factors, Combiner::sum, form_.depth);
      append(out,
             vectors_leaving(
                 tile,
                 {store(sums_, {point, kept + tile.row(), panel * tile_.columns() + tile.column()},
                        tile.element())}));
      return product_.sums_go == SumsGo::outlined ? outlined(making_, std::move(out)) : out;
    };
    Stmts body = of_vectors(tile_.vectors);
    for (size_t i = product_.versions.columns.size(); i-- > 0;) {
      const int vectors = product_.versions.columns[i].vectors;
      const Index most = panel * tile_.columns() + vectors * tile_.lanes;
      body = {Stmt{If{{{count_, 0, most + 1}}, of_vectors(vectors), std::move(body)}}};
    }
    return {loop(panel_, 0, ceildiv(count_, tile_.columns()), std::move(body))};
  }

  Region filter(const Index& point, const Index& block, const Index& depth,
                const Index& row) const {
    Region out;
    out.buffer = making_.buffers().buffer_of(product_.a.prepacked);
    for (const int axis : product_.batch) out.first.push_back(making_.at(axis));
    const bool by_points = form_.choice.by_points;
    out.first.insert(out.first.end(),
                     {by_points ? point : block, by_points ? block : point, depth, row});
    out.extent.assign(out.first.size(), 1);
    return out;
  }

  // Results of rows [row, row_end), whose sums are kept from `base` on, of tiles [first, end).
  Stmts of_rows(const Index& first, const Index& end, const Index& row, const Index& row_end,
                const Index& base) {
    const Index point = making_.at(point_), from = making_.at(place_),
                kept = making_.at(product_.m) - base;
    // Columns of results of each row of points.
    std::vector<Expr> sums;
    for (int q = 0; q < points_; ++q)
      sums.push_back(read(sums_, {point * points_ + q, kept, place()}));
    Stmts of_point = vectors(count_, sums, matrices_.output, [&](int column, const Expr& made) {
      return store(columns_, {point, column, place()}, made);
    });
    const Dim apart = winograd_reach(window_, tile_);
    of_point.push_back(Stmt{
        For{place_, 0, count_, tile_.lanes, Kind::serial,
            moved(isa::interleave_row(m_, tile_.lanes),
                  {results_, {point, from * m_}, {1, m_ * tile_.lanes}},
                  {columns_, {point, 0, from}, {1, 1, apart * (m_ - 1) + tile_.lanes}}, apart)}});
    Stmts out{loop(point_, 0, points_, std::move(of_point))};
    // Rows of results, with what is made of them.
    const int tile_row = window_.rows.output;
    const int column = making_.shared_variable("result_column", form_.plane_columns);
    const Index in_row = (making_.at(tile_row) - first) * window_.pitch() + making_.at(column);
    std::vector<Expr> terms;
    for (int p = 0; p < points_; ++p) terms.push_back(read(results_, {p, in_row}));
    const std::vector<Expr> made = times(matrices_.output, terms);
    Stmts rows;
    for (int r = 0; r < m_; ++r) {
      making_.read_let_from(
          0, [sum = made[at(r)]](int, int, const std::vector<Index>&) { return sum; });
      Stmts stores = generic_stmts(making_, {LoopNode{Store{0, product_.value, product_.when}}});
      stores = loops::substitute(stores, form_.row, r);
      stores = loops::substitute(stores, form_.column, mod(making_.at(column), m_));
      stores = loops::substitute(stores, window_.columns.output, floordiv(making_.at(column), m_));
      Stmts line{loop(column, 0, form_.plane_columns, std::move(stores))};
      const Index plane_row = making_.at(tile_row) * m_ + r;
      if (r > 0 && !mod(form_.plane_rows, m_).is_constant(0))
        line = {Stmt{If{{{plane_row, 0, form_.plane_rows}}, std::move(line), {}}}};
      append(rows, std::move(line));
    }
    out.push_back(loop(tile_row, first, end, std::move(rows)));
    return {loop(product_.m, row, row_end, std::move(out))};
  }

  Making& making_;
  const ContractionSchedule& product_;
  const SlidingWindow& window_;
  const Winograd& form_;
  const WinogradMatrices matrices_;
  const int m_, points_;
  const Tile& tile_;
  BufferId staged_ = -1, rows_ = -1, phases_ = -1, values_ = -1, sums_ = -1, columns_ = -1,
           results_ = -1;
  int place_ = -1, lane_ = -1, point_ = -1, panel_ = -1;
  Index count_, reach_;  // places of the present band; the same in whole vectors
};

}  // namespace

Stmts winograd_stmts(Making& making) { return WinogradStmts(making).run(); }

}  // namespace burin
