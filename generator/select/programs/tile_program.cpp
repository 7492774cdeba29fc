#include "select/programs/tile_program.h"

#include <algorithm>

#include "isa/float_rows.h"
#include "isa/prefetch_row.h"
#include "kernel/index/divisions.h"
#include "kernel/layout.h"
#include "loops/lanewise.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {

using loops::Call;
using loops::For;
using loops::Kind;
using loops::Region;
using loops::Stmt;
using loops::Stmts;

namespace {

std::vector<Dim> shape_of_sums(const TileShape& shape) {
  std::vector<Dim> out{shape.rows, shape.vectors, shape.lanes};
  if (shape.accumulators > 1) out.insert(out.begin(), shape.accumulators);
  return out;
}

const char* start_of(Combiner op) {
  return op == Combiner::max ? "lowest" : op == Combiner::min ? "highest" : "zero";
}
const char* taking(Combiner op) {
  return op == Combiner::max ? "greatest" : op == Combiner::min ? "least" : "add";
}

}  // namespace

Call widened(loops::BufferId to, std::vector<Index> place, loops::BufferId halves,
             std::vector<Index> at, const Dim& count) {
  const auto run = [&](loops::BufferId buffer, std::vector<Index> first) {
    Region out{buffer, std::move(first), {}};
    out.extent.assign(out.first.size(), 1);
    out.extent.back() = count;
    return out;
  };
  return {isa::widen_row(), {run(to, std::move(place)), run(halves, std::move(at))}, {count}};
}

Stmts outlined(Making& making, Stmts body) {
  return {loop(making.shared_variable("outlined", 1), 0, 1, std::move(body), Kind::outlined)};
}

RegisterTile::RegisterTile(Making& making, const TileShape& shape)
    : making_(making),
      shape_(shape),
      row_(making.shared_variable("row", shape.rows)),
      vector_(making.shared_variable("vector", shape.vectors)),
      lane_(making.shared_variable("lane", shape.lanes)),
      step_(making.shared_variable("step", shape.accumulators)),
      sums_(making.buffer(loops::Scope::registers, kName, Type::f32, shape_of_sums(shape))) {}

const isa::Instruction* RegisterTile::instruction(const std::string& kind) const {
  const isa::Instruction* found = isa::float_row(kind, shape_.lanes);
  BURIN_CHECK(found != nullptr, "no row of floats of such lanes");
  return found;
}

Region RegisterTile::own(const Index& step) const {
  Region out{sums_, {row(), vector(), 0}, {1, 1, shape_.lanes}};
  if (shape_.accumulators > 1) {
    out.first.insert(out.first.begin(), step);
    out.extent.insert(out.extent.begin(), 1);
  }
  return out;
}

Expr RegisterTile::element() const {
  std::vector<Index> at = own(0).first;
  at.back() = making_.at(lane_);
  return making_.element(sums_, Type::f32, std::move(at));
}

Stmts RegisterTile::each(Stmts body) const {
  if (shape_.vectors > 1)
    body = {loop(vector_, 0, shape_.vectors, std::move(body), Kind::unrolled)};
  if (shape_.rows > 1) body = {loop(row_, 0, shape_.rows, std::move(body), Kind::unrolled)};
  return body;
}

Stmts RegisterTile::each_step(int first,
                              const std::function<Stmts(const Index& step)>& body) const {
  if (shape_.accumulators == 1) return first == 0 ? body(0) : Stmts{};
  return {loop(step_, first, shape_.accumulators, body(making_.at(step_)), Kind::unrolled)};
}

Stmts RegisterTile::sums(const TileFactors& factors, Combiner op, const TileDepth& given) {
  Stmts out{Stmt{loops::Alloc{sums_}}};
  append(out, each_step(0, [&](const Index& step) {
           return each({Stmt{Call{instruction(start_of(op)), {own(step)}, {}}}});
         }));
  const auto type = [&](const Region& region) {
    return making_.program().buffers[at(region.buffer)].type;
  };
  const auto taken = [&](const TileFactors& from, const Index& point, const Index& step) {
    const Region b =
        from.b_of_row ? from.b_of_row(point, row(), vector()) : from.b(point, vector());
    if (!from.a) return each({Stmt{Call{instruction(taking(op)), {own(step), b}, {}}}});
    const Region a = from.a(point, row());
    const std::string kind = isa::product_kind(from.by_lane, type(a), type(b));
    return each({Stmt{Call{instruction(kind), {own(step), a, b}, {}}}});
  };
  const auto guarded = [&](const TileFactors& from, const Index& point, const Index& step) {
    Guard when = from.when ? from.when(point) : Guard{};
    if (when.empty()) return taken(from, point, step);
    return Stmts{Stmt{loops::If{std::move(when), taken(from, point, step), {}}}};
  };
  const auto ask = [&](Region from, int ahead) {
    from.extent.assign(from.extent.size(), 1);
    return Stmt{Call{isa::prefetch_row(type(from)), {from}, {ahead}}};
  };
  const auto asked = [&](const Index& point) {
    Stmts body;
    if (factors.a_prefetch > 0) body.push_back(ask(factors.a(point, 0), factors.a_prefetch));
    if (factors.b_prefetch > 0) {
      Stmts each_vector{ask(factors.b(point, vector()), factors.b_prefetch)};
      if (shape_.vectors > 1)
        each_vector = {loop(vector_, 0, shape_.vectors, std::move(each_vector), Kind::unrolled)};
      append(body, std::move(each_vector));
    }
    return body;
  };
  const auto take = [&](const Index& point, const Index& step) {
    Stmts out = asked(point);
    append(out, guarded(factors, point, step));
    return out;
  };
  const Index& depth = given.points;
  const int k = making_.shared_variable("depth", given.most);
  Stmts points;
  const std::optional<int64_t> known = depth.as_constant();
  const auto at_once = [&] {
    return factors.a_unpacked ||
           (shape_.accumulators == 1 && !given.written_out && is_one_run(factors, k));
  };
  if (factors.a_widened > 0 && known && *known > 0 && at_once()) {
    BURIN_CHECK(shape_.accumulators == 1 && !given.written_out,
                "parts of a constant in such a tile");
    points = in_widened_chunks(factors, *known, [&](const TileFactors& from, const Index& point) {
      Stmts body = asked(point);
      append(body, guarded(from, point, 0));
      return body;
    });
  } else if (shape_.accumulators == 1) {
    points = {loop(k, 0, depth, take(making_.at(k), 0),
                   given.written_out ? Kind::unrolled : Kind::serial)};
  } else {
    const Index whole = floordiv(depth, shape_.accumulators) * shape_.accumulators;
    points = {
        {For{k, 0, whole, shape_.accumulators, Kind::serial,
             each_step(0, [&](const Index& step) { return take(making_.at(k) + step, step); })}}};
    if (!(whole == depth)) points.push_back(loop(k, whole, depth, take(making_.at(k), 0)));
  }
  for (size_t i = given.around.size(); i-- > 0;) {
    For one = given.around[i];
    one.body = std::move(points);
    points = {Stmt{std::move(one)}};
  }
  append(out, std::move(points));
  append(out, each_step(1, [&](const Index& step) {
           return each({Stmt{Call{instruction("add_sums"), {own(0), own(step)}, {}}}});
         }));
  return out;
}

// Whether the rows of a lie one behind the other along the depth.
bool RegisterTile::is_one_run(const TileFactors& factors, int depth_variable) const {
  const auto place = [&](const Index& depth, const Index& row) {
    const Region region = factors.a(depth, row);
    const loops::Buffer& one = making_.program().buffers[at(region.buffer)];
    return one.type == Type::f16 ? address(one.layout, one.shape, region.first) : Index(0);
  };
  const Index depth = making_.at(depth_variable), from_first = depth * factors.a_height + row();
  return place(depth, row()) - place(0, 0) == from_first;
}

// Chunks of the depth: their rows of a become floats in an array of the function, which the sums
// then read. Widening each element at each load takes several instructions for as few multiply-adds
// as a tile has vectors.
Stmts RegisterTile::in_widened_chunks(
    const TileFactors& factors, int64_t depth,
    const std::function<Stmts(const TileFactors& factors, const Index& point)>& take) const {
  const int64_t chunks = (depth + factors.a_widened - 1) / factors.a_widened;
  const int64_t chunk = (depth + chunks - 1) / chunks, whole = depth / chunk * chunk;
  const loops::BufferId floats =
      making_.shared_array("widened", {factors.a_widened, factors.a_height});
  const int point = making_.shared_variable("widened_point", chunk);
  const auto one_chunk = [&](const Index& first, int64_t points) {
    TileFactors of_floats = factors;
    of_floats.a = [&, floats](const Index& inner, const Index& row) {
      return Region{floats, {inner - first, row}, {1, 1}};
    };
    Stmts out;
    if (factors.a_unpacked) {
      const int next = making_.shared_variable("unpacked_point", chunk);
      out.push_back(
          loop(next, 0, points,
               factors.a_unpacked(first + making_.at(next), {making_.at(next), 0}, floats)));
    } else {
      const Region from = factors.a(first, 0);
      out.push_back({widened(floats, {0, 0}, from.buffer, from.first, points * factors.a_height)});
    }
    out.push_back(loop(point, 0, points, take(of_floats, first + making_.at(point))));
    return out;
  };
  Stmts out{Stmt{loops::Alloc{floats}}};
  const int first = making_.shared_variable("widened_first", depth);
  if (whole == chunk)
    append(out, one_chunk(0, chunk));
  else
    out.push_back({For{first, 0, whole, chunk, Kind::serial, one_chunk(making_.at(first), chunk)}});
  if (whole < depth) append(out, one_chunk(whole, depth - whole));
  return out;
}

Stmts RegisterTile::spill(loops::BufferId array) const {
  const Region to{array, {row(), vector() * shape_.lanes}, {1, shape_.lanes}};
  return each({Stmt{Call{instruction("store"), {to, own(0)}, {}}}});
}

Stmts RegisterTile::sums_into(loops::BufferId array, const TileFactors& factors, Combiner op,
                              const TileDepth& depth, SumsGo go) {
  Stmts body = sums(factors, op, depth);
  append(body, spill(array));
  return go == SumsGo::outlined ? outlined(making_, std::move(body)) : body;
}

Stmts RegisterTile::of_lanes(Combiner op, const std::function<Region(const Index& row)>& to) const {
  const char* kind = op == Combiner::max ? "greatest_lane" : "sum_lanes";
  return each({Stmt{Call{instruction(kind), {to(row()), own(0)}, {}}}});
}

bool RegisterTile::divides_inside(const loops::Store& store) const {
  std::vector<Index> divisions;
  const auto on_place = [&](loops::BufferId id, const std::vector<Index>& at) {
    const loops::Buffer& one = making_.program().buffers[burin::at(id)];
    if (!one.shape.empty()) collect_divisions(address(one.layout, one.shape, at), divisions);
  };
  on_place(store.to[0], store.at);
  visit(store.value[0], [&](const ExprNode& node) {
    if (node.kind == ExprKind::load) on_place(node.id, node.at);
    if (node.kind == ExprKind::index) collect_divisions(node.index, divisions);
  });
  return std::any_of(divisions.begin(), divisions.end(), [&](const Index& division) {
    return division.uses_axis(row_) || division.uses_axis(vector_) || division.uses_axis(lane_);
  });
}

std::optional<Stmts> RegisterTile::leave(const Stmts& stores) const {
  for (const Stmt& stmt : stores) {
    const auto* store = std::get_if<loops::Store>(&stmt.node);
    if (store == nullptr || divides_inside(*store) ||
        !loops::not_lanewise(making_.program(), *store, lane_).empty())
      return std::nullopt;
  }
  return each({loop(lane_, 0, shape_.lanes, stores, Kind::vector)});
}

Stmts vectors_leaving(const RegisterTile& tile, const Stmts& stores) {
  std::optional<Stmts> left = tile.leave(stores);
  BURIN_CHECK(left.has_value(), "elements of a tile that have no form for vectors");
  return std::move(*left);
}

Stmts whole_tile(Making& making, const TileShape& shape, const TileFactors& factors,
                 const TileDepth& depth, SumsGo go, const MadeOfTile& made) {
  RegisterTile tile(making, shape);
  if (go == SumsGo::array) {
    const loops::BufferId array = making.shared_array("tile", {shape.rows, shape.columns()});
    Stmts out{Stmt{loops::Alloc{array}}};
    append(out, tile.sums_into(array, factors, Combiner::sum, depth, go));
    const int row = making.shared_variable("tile_row", shape.rows),
              column = making.shared_variable("tile_column", shape.columns());
    const std::vector<Index> at{making.at(row), making.at(column)};
    Stmts stores = made(at[0], at[1], making.element(array, Type::f32, at));
    out.push_back(loop(row, 0, shape.rows, {loop(column, 0, shape.columns(), std::move(stores))}));
    return out;
  }
  Stmts out = tile.sums(factors, Combiner::sum, depth);
  append(out, vectors_leaving(tile, made(tile.row(), tile.column(), tile.element())));
  return go == SumsGo::outlined ? outlined(making, std::move(out)) : out;
}

}  // namespace burin
