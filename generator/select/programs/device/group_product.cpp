// A launch whose work-groups have tiles of a product (select/device/device_product.h): both
// factors of a step of the depth lie in memory of the group, sums in arrays of work-items, elements
// of the next step are under way while this one is multiplied.
#include <array>

#include "select/device/staged_panels.h"
#include "select/programs/device/item_stmts.h"
#include "select/programs/device/launch_program.h"
#include "support/at.h"

namespace burin {
namespace {

using loops::BufferId;
using loops::Kind;
using loops::Stmt;
using loops::Stmts;

constexpr int64_t kApart = kVectorLanes;  // elements between points of the depth that are written a
                                          // row apart

class GroupProduct : public ItemStmts {
 public:
  GroupProduct(Making& making, const Launch& launch)
      : ItemStmts(making), launch_(launch), product_(*launch.product), tile_(product_.tile) {
    type_ = product_.partial >= 0 ? Type::f16 : Type::f32;
    item_var_ = making.shared_variable("item", tile_.items());
    item_ = making.at(item_var_);
    across_ = tile_.columns / tile_.item_columns;
    row_ = floordiv(item_, across_) * tile_.item_rows;
    column_ = mod(item_, across_);
    // The names of the variables that count tiles.
    tiles_ = {tile_variable("column_tile", product_.n, tile_.columns),
              tile_variable("row_tile", product_.m, tile_.rows)};
    n_ = making.at(tiles_[0]);
    m_ = making.at(tiles_[1]);
    a_ = factor(product_.a, "a", product_.m, m_ * tile_.rows, tile_.rows);
    b_ = factor(product_.b, "b", product_.n, n_ * tile_.columns, tile_.columns);
    sums_ = own("sums", Type::f32, {tile_.item_rows, tile_.item_columns});
  }

  Stmts run() {
    Stmts body{Stmt{loops::Alloc{sums_}}, Stmt{loops::Alloc{a_.next}}, Stmt{loops::Alloc{b_.next}}};
    append(body, each_sum([&](const Index& r, const Index& c) {
             return Stmts{store(sums_, {r, c}, Expr::constant(Type::f32, 0.0))};
           }));
    append(body, steps());
    making_.read_let_from(product_.let, [this](int, int, const std::vector<Index>&) {
      return making_.element(sums_, Type::f32, {r_, c_});
    });
    append(body, results());
    making_.read_let_from_its_place(product_.let);
    Stmts group{Stmt{loops::Alloc{a_.tile}}, Stmt{loops::Alloc{b_.tile}},
                loop(item_var_, 0, tile_.items(), std::move(body), Kind::item)};
    // One tile is counted all the same: dimensions keep their numbers.
    for (const int tile : tiles_)
      group = {
          loop(tile, 0, making_.program().vars[at(tile)].extent, std::move(group), Kind::group)};
    return group;
  }

 private:
  struct Factor {
    const StagedFactor* of = nullptr;
    int lane = -1;    // axis
    Index first = 0;  // of the group's tile along it
    int width = 1;
    int64_t lanes = 1;  // elements that are staged at a time
    BufferId tile = 0, next = 0;
    std::string name;
  };

  int tile_variable(const char* name, int axis, int width) {
    const Dim tiles = axis < 0 ? Dim(1) : ceildiv(making_.extent(axis), width);
    return making_.shared_variable(name, tiles);
  }
  Factor factor(const StagedFactor& of, const std::string& name, int lane, const Index& first,
                int width) {
    Factor out{&of, lane, first, width, 1, 0, 0, name};
    if (of.by_texels || reads_panels_in_vectors(of, tile_, width)) out.lanes = kVectorLanes;
    const int64_t pitch =
        (width + kVectorLanes - 1) / kVectorLanes * kVectorLanes + (of.along_depth ? kApart : 0);
    out.tile = of_group(name + "_tile", type_, {tile_.depth, pitch});
    out.next = own(name + "_next", type_, {count(out) * out.lanes});
    return out;
  }
  // Of a work-item, at a time.
  int64_t count(const Factor& one) const {
    return int64_t{tile_.depth} * one.width / tile_.items() / one.lanes;
  }

  Stmts each_sum(const std::function<Stmts(const Index&, const Index&)>& body) {
    return each("r", tile_.item_rows, [&](const Index& r) {
      return each("c", tile_.item_columns, [&](const Index& c) { return body(r, c); });
    });
  }

  // --- The depth ---

  // One turn more than there are steps: the first only loads, the last only multiplies.
  Stmts steps() {
    const Dim& steps = making_.extent(product_.step);
    const int turn = making_.shared_variable("turn", steps + 1);
    const Guard loads{{making_.at(turn), 0, steps}};
    Stmts load{Stmt{loops::Let{product_.step, making_.at(turn)}}};
    append(load, loaded());
    Stmts body{when(loads, std::move(load)), when({{making_.at(turn), 1, steps + 1}}, multiplied()),
               Stmt{loops::Barrier{}}, when(loads, staged()), Stmt{loops::Barrier{}}};
    return {loop(turn, 0, steps + 1, std::move(body))};
  }
  Stmts loaded() {
    Stmts out = loaded(a_);
    append(out, loaded(b_));
    return out;
  }
  Stmts staged() {
    Stmts out = staged(a_);
    append(out, staged(b_));
    return out;
  }

  // Number `e` of what is staged, of a factor's step: which point of the depth, and which lane.
  struct Place {
    Index within = 0, lane = 0;
  };
  Place place_of(const Factor& one, const Index& e, const Index& lane) const {
    if (one.of->along_depth) {
      const int64_t points = tile_.depth / one.lanes;
      return {mod(e, points) * one.lanes + lane, floordiv(e, points)};
    }
    const int64_t lanes = one.width / one.lanes;
    return {floordiv(e, lanes), mod(e, lanes) * one.lanes + lane};
  }
  Stmts each_staged(const Factor& one,
                    const std::function<Stmts(const Index&, const Index&)>& body) {
    if (count(one) == 1) return body(0, item_);
    return each("j", count(one), [&](const Index& j) {
      const int e = making_.shared_variable("e", int64_t{tile_.depth} * one.width / one.lanes);
      Stmts out{Stmt{loops::Let{e, item_ + j * tile_.items()}}};
      append(out, body(j, making_.at(e)));
      return out;
    });
  }

  // The element at a place, over buffers.
  Expr element(const Factor& one, const Place& place) const {
    const loops::Program& program = making_.program();
    std::vector<Index> axes;
    for (size_t v = 0; v < making_.kernel().axes.size(); ++v)
      axes.push_back(program.var(static_cast<int>(v)));
    axes[at(product_.within)] = place.within;
    if (one.lane >= 0) axes[at(one.lane)] = one.first + place.lane;
    return making_.buffers().expr(substitute_axes(one.of->element, axes));
  }
  // Whether there is such a lane; panels are padded.
  Guard inside(const Factor& one, const Place& place) const {
    if (one.lane < 0) return one.width > 1 ? Guard{{place.lane, 0, 1}} : Guard{};
    const Dim& extent = making_.extent(one.lane);
    if (one.of->panels != kNoValue || mod(extent, one.width).is_constant(0)) return {};
    return {{one.first + place.lane, 0, extent}};
  }
  Expr zero() const {
    return type_ == Type::f16 ? Expr::fp16_constant(0) : Expr::constant(Type::f32, 0.0);
  }

  Stmts loaded(const Factor& one) {
    return each_staged(one, [&](const Index& j, const Index& e) {
      if (one.lanes == 1) return loaded_element(one, {j}, place_of(one, e, 0));
      const auto lane_at = [&](const Index& lane) { return place_of(one, e, lane); };
      const auto to = [&](const Index& lane) {
        return std::vector<Index>{j * kVectorLanes + lane};
      };
      const bool panels_in_memory = one.of->panels != kNoValue && !making_.is_image(one.of->panels);
      if (panels_in_memory)
        return vector([&](const Index& lane) {
          return store(one.next, to(lane), element(one, lane_at(lane)));
        });
      return each("lane", kVectorLanes,
                  [&](const Index& lane) { return loaded_element(one, to(lane), lane_at(lane)); });
    });
  }
  Stmts loaded_element(const Factor& one, const std::vector<Index>& to, const Place& place) {
    const Stmt taken = store(one.next, to, element(one, place));
    const Guard guard = inside(one, place);
    if (guard.empty()) return {taken};
    return {store(one.next, to, zero()), when(guard, {taken})};
  }

  Stmts staged(const Factor& one) {
    return each_staged(one, [&](const Index& j, const Index& e) {
      const auto move = [&](const Index& lane) {
        const Place place = place_of(one, e, lane);
        return store(one.tile, {place.within, place.lane},
                     making_.element(one.next, type_, {j * one.lanes + lane}));
      };
      if (one.lanes == 1) return Stmts{move(0)};
      if (!one.of->along_depth) return vector(move);
      return each("lane", kVectorLanes, [&](const Index& lane) { return Stmts{move(lane)}; });
    });
  }

  // --- Products ---

  Stmts multiplied() {
    const bool fp16 = type_ == Type::f16;
    const BufferId parts =
        fp16 ? own("parts", Type::f16, {tile_.item_rows, tile_.item_columns}) : sums_;
    const BufferId a = own("a", type_, {tile_.item_rows}),
                   b = own("b", type_, {tile_.item_columns});
    const int d = making_.shared_variable("d", tile_.depth);
    const Index at_d = making_.at(d);
    Stmts point{Stmt{loops::Alloc{a}}, Stmt{loops::Alloc{b}}};
    append(point, row_elements(a, at_d));
    append(point, column_elements(b, at_d));
    append(point, each_sum([&](const Index& r, const Index& c) {
             return Stmts{multiply_add(type_, {parts, {r, c}}, {a, {r}}, {b, {c}})};
           }));
    Stmts out;
    if (fp16) {
      out.push_back({loops::Alloc{parts}});
      append(out, each_sum([&](const Index& r, const Index& c) {
               return Stmts{store(parts, {r, c}, zero())};
             }));
    }
    const bool whole = launch_.unroll == 0 || launch_.unroll >= tile_.depth;
    out.push_back(loop(d, 0, tile_.depth, std::move(point), whole ? Kind::unrolled : Kind::serial));
    if (fp16) {
      append(out, each_sum([&](const Index& r, const Index& c) {
               const Expr part = making_.element(parts, Type::f16, {r, c});
               return Stmts{store(sums_, {r, c}, Expr::cast(Type::f32, part), Combiner::sum)};
             }));
    }
    return out;
  }
  Stmts row_elements(BufferId a, const Index& d) {
    const auto element = [&](const Index& r) {
      return store(a, {r}, making_.element(a_.tile, type_, {d, row_ + r}));
    };
    if (tile_.item_rows % kVectorLanes != 0)
      return each("r", tile_.item_rows, [&](const Index& r) { return Stmts{element(r)}; });
    return each("v", tile_.item_rows / kVectorLanes, [&](const Index& v) {
      return vector([&](const Index& lane) { return element(v * kVectorLanes + lane); });
    });
  }
  // Columns of a work-item are vectors that stand apart, so that neighbouring work-items read
  // neighbouring vectors.
  Index column_at(const Index& v, const Index& lane) const {
    return (v * across_ + column_) * kVectorLanes + lane;
  }
  Stmts column_elements(BufferId b, const Index& d) {
    return each("v", tile_.item_columns / kVectorLanes, [&](const Index& v) {
      return vector([&](const Index& lane) {
        return store(b, {v * kVectorLanes + lane},
                     making_.element(b_.tile, type_, {d, column_at(v, lane)}));
      });
    });
  }

  // --- Results ---

  // Where point number `number` of an axis is there: the axis known, around what `body` makes.
  Stmts at_point(int axis, const Index& point, int width, const std::function<Stmts()>& body) {
    if (axis < 0) return {when({{point, 0, 1}}, body())};
    const bool texels = launch_.texels == axis;
    Stmts stmts = body();
    if (texels) {
      stmts = loops::substitute(stmts, axis, point);
    } else {
      stmts.insert(stmts.begin(), Stmt{loops::Let{axis, point}});
    }
    // Of a texel that is there all components are, where fours end with the axis.
    if (mod(making_.extent(axis), texels ? kVectorLanes : width).is_constant(0)) return stmts;
    return {when({{point, 0, making_.extent(axis)}}, std::move(stmts))};
  }
  Stmts at_row(const Index& r, const std::function<Stmts()>& body) {
    r_ = r;
    return at_point(product_.m, m_ * tile_.rows + row_ + r, tile_.rows, body);
  }
  Stmts at_column(const Index& v, const Index& lane, const std::function<Stmts()>& body) {
    c_ = v * kVectorLanes + lane;
    return at_point(product_.n, n_ * tile_.columns + column_at(v, lane), tile_.columns, body);
  }
  Stmts each_column(const std::function<Stmts()>& body) {
    return each("v", tile_.item_columns / kVectorLanes, [&](const Index& v) {
      const Index first = n_ * tile_.columns + column_at(v, 0);
      return of_texel(
          product_.n, first, tile_.columns,
          each("lane", kVectorLanes, [&](const Index& lane) { return at_column(v, lane, body); }));
    });
  }
  // A texel lies in the image or beyond it as a whole.
  Stmts of_texel(int axis, const Index& first, int width, Stmts lanes) const {
    if (axis < 0 || launch_.texels != axis || mod(making_.extent(axis), width).is_constant(0))
      return lanes;
    return {when({{first, 0, making_.extent(axis)}}, std::move(lanes))};
  }

  // What is written for each sum of a work-item; rows that are texels stand inside.
  Stmts results() {
    const auto body = [this] { return result(); };
    if (launch_.texels >= 0 && launch_.texels == product_.m) {
      const auto rows = [&] {
        return each("v", tile_.item_rows / kVectorLanes, [&](const Index& v) {
          const Index first = m_ * tile_.rows + row_ + v * kVectorLanes;
          return of_texel(product_.m, first, tile_.rows,
                          each("lane", kVectorLanes, [&](const Index& lane) {
                            return at_row(v * kVectorLanes + lane, body);
                          }));
        });
      };
      return each("u", tile_.item_columns / kVectorLanes, [&](const Index& u) {
        return each("c", kVectorLanes, [&](const Index& c) { return at_column(u, c, rows); });
      });
    }
    return each("r", tile_.item_rows,
                [&](const Index& r) { return at_row(r, [&] { return each_column(body); }); });
  }
  Stmts result() {
    Stmts out;
    for (const LoopNode& node : launch_.nodes) {
      if (std::holds_alternative<burin::Store>(node.node)) {
        append(out, generic_stmts(making_, {node}));
      } else if (std::holds_alternative<EndLet>(node.node) &&
                 std::get<EndLet>(node.node).let == product_.let &&
                 !making_.place(product_.let).scalar) {
        const std::vector<Index> point = making_.buffers().indices(
            making_.array_point(product_.let, making_.own_point(product_.let)));
        out.push_back(store(making_.array(product_.let, 0), point,
                            making_.element(sums_, Type::f32, {r_, c_})));
      }
    }
    return out;
  }

  const Launch& launch_;
  const Product& product_;
  const GroupTile& tile_;
  Type type_ = Type::f32;  // of what is staged
  int item_var_ = 0;
  std::array<int, 2> tiles_ = {};  // variables of columns and rows
  Index item_ = 0, row_ = 0, column_ = 0, m_ = 0, n_ = 0;
  Index r_ = 0, c_ = 0;  // the sum that a result is made of
  int64_t across_ = 1;
  Factor a_, b_;
  BufferId sums_ = 0;
};

}  // namespace

Stmts group_product_stmts(Making& making, const Launch& launch) {
  return GroupProduct(making, launch).run();
}

}  // namespace burin
