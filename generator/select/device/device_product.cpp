#include "select/device/device_product.h"

#include <algorithm>
#include <map>

#include "select/axes/contiguous.h"
#include "select/device/element_cost.h"
#include "select/device/launches.h"
#include "select/precision/fp16_plan.h"
#include "select/products/prepack.h"
#include "select/products/repacked.h"
#include "select/tiles/measured_tile.h"
#include "support/at.h"

namespace burin {
namespace {

class DeviceProductBuilder {
 public:
  DeviceProductBuilder(Contraction& contraction, std::vector<Value>& values,
                       const Hardware& hardware, const Given& given)
      : contraction_(contraction),
        from_(contraction.kernel),
        given_(contraction.schedule),
        values_(values),
        hardware_(hardware),
        verbs_(given) {}

  std::optional<LoopPlan> run() {
    if (given_.n < 0 || !choose()) return std::nullopt;
    put_longest_last();
    pack();
    add_axes();
    add_row_lets();
    add_product();
    add_result();
    out_.kernel = std::move(kernel_);
    out_.places.resize(out_.kernel.lets.size());
    out_.no_alias = true;
    out_.family = "contraction";
    add_launches();
    place_lets(out_);
    out_.reason = reason();
    return std::move(out_);
  }

 private:
  // --- What is decided ---
  bool choose() {
    ProductSize size;
    for (const int axis : given_.batch) size.batch *= at_least_one(extent(axis));
    size.rows = at_least_one(given_.rows);
    size.columns = at_least_one(given_.columns);
    size.depth = at_least_one(given_.depth);
    size.splits = given_.depth.is_constant();
    const bool a_constant = given_.a.is_prepacked;
    const auto work = [&](const TileFactor& factor) {
      const bool packed = factor.is_prepacked && (factor.compact == 0 || as_fp16(factor.element));
      return packed ? kLeastStagedWork : work_of(factor.element, hardware_.opencl);
    };
    size.row_work = work(given_.a);
    size.column_work = work(given_.b);
    TileChoice inline_choice = tile_for(size);
    if (inline_choice.us < 0) return false;
    const bool rows = from_.lets.size() > 1;
    const double elements = static_cast<double>(size.batch * size.rows * size.depth);
    const OpenClDevice& device = hardware_.opencl;
    const double prepack_us =
        device.launch_us + elements * size.row_work /
                               (double(device.lanes) * device.compute_units * hardware_.clock_mhz);
    size.row_work = kLeastStagedWork;
    const TileChoice prepacked = tile_for(size);
    prepack_ = !a_constant && (rows || prepacked.us + prepack_us < inline_choice.us);
    tile_ = prepack_ ? prepacked.tile : inline_choice.tile;
    fp16_ = hardware_.opencl.fp16 && !prepack_ && as_fp16(given_.a.element) &&
            as_fp16(given_.b.element);
    return true;
  }

  // As it was measured, else as it is counted.
  TileChoice tile_for(const ProductSize& size) const {
    if (const std::optional<GroupTile> wanted = given_group_tile(verbs_)) {
      if (const auto measured = measured_tile(*wanted, size, hardware_)) return *measured;
    }
    return choose_group_tile(size, hardware_);
  }

  // Steps of the depth then mostly stay within one axis, and its divisions are settled per step.
  void put_longest_last() {
    std::vector<int>& k = given_.k;
    const auto longest = std::max_element(k.begin(), k.end(), [&](int a, int b) {
      return at_least_one(extent(a)) < at_least_one(extent(b));
    });
    if (longest != k.end()) std::rotate(longest, longest + 1, k.end());
  }

  void pack() {
    const int width[2] = {tile_.rows, tile_.columns};
    a_constant_ = given_.a.is_prepacked;
    b_constant_ = given_.b.is_prepacked;
    // fp16 stays fp16 in panels.
    const auto type = [](const TileFactor& one) {
      return as_fp16(one.element) ? Type::f16 : Type::f32;
    };
    const Expr rows = given_.a.element, columns = given_.b.element;
    pack_factor(contraction_, given_.a, given_.m, width[0], "_rows", values_, type(given_.a));
    pack_factor(contraction_, given_.b, given_.n, width[1], "_columns", values_, type(given_.b));
    out_.repacked = repacked({{rows, given_.a.element}, {columns, given_.b.element}},
                             contraction_.kernel, values_);
    for (Expr* part : {&given_.a.element, &given_.b.element})
      *part = over_panels(*part, contraction_.kernel, out_.repacked);
    read_panels(contraction_.kernel, out_.repacked);
    for (const ValueId panels : {given_.a.prepacked, given_.b.prepacked}) {
      if (panels != kNoValue) flatten_depth(values_[at(panels)], given_.batch.size());
    }
  }

  // The element of panels that a point of the result and of the depth reads.
  Expr panel_element(const TileFactor& factor, int lane, int width) const {
    std::vector<Index> batch;
    for (const int axis : given_.batch) batch.push_back(to_[at(axis)]);
    return burin::panel_element(factor.prepacked, values_, std::move(batch), depth_,
                                lane < 0 ? Index(0) : to_[at(lane)], width);
  }

  // --- The kernel ---
  const Dim& extent(int axis) const { return from_.axes[at(axis)].extent; }
  int add_axis(const Dim& extent, AxisKind kind, const char* name) {
    kernel_.axes.push_back({extent, kind, name});
    return static_cast<int>(kernel_.axes.size()) - 1;
  }
  Index point(int axis) const { return Index::axis(axis, kernel_.axes[at(axis)].extent); }
  std::vector<Index> points(const std::vector<int>& axes) const {
    std::vector<Index> out;
    for (const int axis : axes) out.push_back(point(axis));
    return out;
  }

  // The parts of a split depth come first, so that they are far from each other in scratch.
  void add_axes() {
    kernel_ = from_;
    kernel_.axes.clear();
    kernel_.lets.clear();
    to_.assign(from_.axes.size(), Index(0));
    if (tile_.splits > 1) split_ = add_axis(tile_.splits, AxisKind::parallel, "part");
    const auto keep = [&](int axis) {
      const int id = static_cast<int>(kernel_.axes.size());
      kernel_.axes.push_back(from_.axes[at(axis)]);
      to_[at(axis)] = point(id);
      ids_[axis] = id;
      return id;
    };
    for (const int axis : given_.batch) product_.batch.push_back(keep(axis));
    if (given_.m >= 0) product_.m = keep(given_.m);
    product_.n = keep(given_.n);
    deep_ = to_;
    if (prepack_) {
      for (const int axis : given_.k) {
        k_.push_back(add_axis(extent(axis), AxisKind::reduce, "depth"));
        ids_[axis] = k_.back();
        deep_[at(axis)] = point(k_.back());
      }
    }
    const Dim steps = ceildiv(given_.depth, tile_.depth * tile_.splits);
    product_.step = add_axis(steps, AxisKind::reduce, "step");
    product_.within = add_axis(tile_.depth, AxisKind::reduce, "within");
    product_.depth = given_.depth;
    Index step = point(product_.step);
    if (split_ >= 0) step = point(split_) * steps + step;
    depth_ = step * tile_.depth + point(product_.within);
    std::vector<Dim> extents;
    for (const int axis : given_.k) extents.push_back(extent(axis));
    parts_ = delinearize(depth_, extents);
    flat_ = to_;
    for (size_t i = 0; i < given_.k.size(); ++i) flat_[at(given_.k[i])] = parts_[i];
  }

  std::vector<int> rows_over() const {
    std::vector<int> over;
    for (const int axis : product_.batch) {
      if (axis != split_) over.push_back(axis);
    }
    if (product_.m >= 0) over.push_back(product_.m);
    return over;
  }

  // Reductions of rows, and factor a where it is made once.
  void add_row_lets() {
    if (!prepack_) return;
    for (size_t i = 0; i + 1 < from_.lets.size(); ++i) {
      Let let = from_.lets[i];
      for (std::vector<int>* axes : {&let.over, &let.reduced}) {
        for (int& axis : *axes) axis = ids_.at(axis);
        std::sort(axes->begin(), axes->end());
      }
      for (Expr& body : let.body) body = substitute_axes(body, deep_);
      kernel_.lets.push_back(std::move(let));
    }
    Let factor;
    factor.over = rows_over();
    factor.over.insert(factor.over.end(), k_.begin(), k_.end());
    factor.body = {substitute_axes(given_.a.element, deep_)};
    factor.accumulator = {Type::f32};
    prepacked_ = static_cast<int>(kernel_.lets.size());
    kernel_.lets.push_back(std::move(factor));
  }

  // The last step may reach beyond the depth.
  Expr within_depth(Expr element) const {
    if (given_.depth.is_constant() && given_.depth.constant() % (tile_.depth * tile_.splits) == 0)
      return element;
    const Expr zero = fp16_ ? Expr::fp16_constant(0) : Expr::constant(Type::f32, 0);
    return Expr::cases({{{{depth_, 0, given_.depth}}, std::move(element)}}, zero);
  }

  void add_product() {
    Expr a = given_.a.prepacked != kNoValue ? panel_element(given_.a, given_.m, tile_.rows)
                                            : substitute_axes(given_.a.element, flat_);
    if (prepack_) {
      std::vector<Index> at = points(rows_over());
      at.insert(at.end(), parts_.begin(), parts_.end());
      a = Expr::let(prepacked_, Type::f32, std::move(at));
    }
    Expr b = given_.b.prepacked != kNoValue ? panel_element(given_.b, given_.n, tile_.columns)
                                            : substitute_axes(given_.b.element, flat_);
    if (fp16_) a = *as_fp16(a), b = *as_fp16(b);
    product_.a = {within_depth(a), given_.a.prepacked, false};
    product_.b = {within_depth(b), given_.b.prepacked, false};
    const auto along_depth = [&](const Expr& expr, int lane) {
      return (lane < 0 || !is_contiguous(expr, lane, kernel_, values_)) &&
             is_contiguous(expr, product_.within, kernel_, values_);
    };
    product_.a.along_depth = !a_constant_ && along_depth(a, product_.m);
    product_.b.along_depth = !b_constant_ && along_depth(b, product_.n);
    product_.tile = tile_;
    Let let;
    let.over = rows_over();
    let.over.push_back(product_.n);
    if (split_ >= 0) {
      let.over.insert(let.over.begin(), split_);
      product_.batch.insert(product_.batch.begin(), split_);
      product_.part = split_;
    }
    let.reduced = {product_.step, product_.within};
    let.op = Combiner::sum;
    let.body = {product_.a.element * product_.b.element};
    let.accumulator = {Type::f32};
    if (fp16_) sum_k_blocks_in_fp16(let);
    product_.let = static_cast<int>(kernel_.lets.size());
    kernel_.lets.push_back(std::move(let));
  }

  // A step is summed in fp16, steps in floats.
  void sum_k_blocks_in_fp16(Let& let) {
    Let partial = let;
    partial.over.push_back(product_.step);
    std::sort(partial.over.begin(), partial.over.end());
    partial.reduced = {product_.within};
    partial.accumulator = {Type::f16};
    product_.partial = static_cast<int>(kernel_.lets.size());
    let.reduced = {product_.step};
    let.body = {
        Expr::cast(Type::f32, Expr::let(product_.partial, Type::f16, points(partial.over)))};
    kernel_.lets.push_back(std::move(partial));
  }

  // What is written, over the sum of all parts.
  void add_result() {
    const int product = static_cast<int>(from_.lets.size()) - 1;
    result_ = product_.let;
    if (split_ >= 0) {
      Let sum = kernel_.lets.back();
      sum.over.erase(sum.over.begin());
      sum.reduced = {split_};
      sum.body = {Expr::let(product_.let, Type::f32, points(kernel_.lets.back().over))};
      result_ = static_cast<int>(kernel_.lets.size());
      kernel_.lets.push_back(std::move(sum));
    }
    const std::vector<int>& over = kernel_.lets.back().over;
    Write& write = kernel_.writes[0];
    write.over = over;
    write.value = rewrite(
        from_.writes[0].value,
        [&](const Expr& expr) -> Expr {
          if (expr.kind() != ExprKind::let || expr->id != product) return expr;
          return Expr::let(result_, expr.type(), points(over), expr->component);
        },
        [&](const Index& leaf) {
          return leaf.kind() == IndexKind::axis ? to_[at(leaf.axis_id())] : leaf;
        });
    for (Index& index : write.at) index = index.substitute_axes(to_);
    write.when = substitute_axes(write.when, to_);
  }

  // --- The launches ---
  LoopNodes around(const std::vector<int>& axes, LoopNodes nodes) const {
    for (size_t i = axes.size(); i-- > 0;) {
      const Dim& extent = out_.kernel.axes[at(axes[i])].extent;
      nodes = {LoopNode{ForLoop{axes[i], 0, extent, std::move(nodes)}}};
    }
    return nodes;
  }
  LoopNodes reduction(int let) const {
    const Let& one = out_.kernel.lets[at(let)];
    LoopNodes nodes{LoopNode{BeginLet{let}}};
    LoopNodes step;
    if (let == product_.let && product_.partial >= 0) step = reduction(product_.partial);
    step.push_back({Accumulate{let, one.body, {}}});
    LoopNodes loops = around(one.reduced, std::move(step));
    nodes.insert(nodes.end(), loops.begin(), loops.end());
    nodes.push_back({EndLet{let}});
    return nodes;
  }

  void add_launches() {
    const Kernel& kernel = out_.kernel;
    const auto append = [&](const LoopNodes& nodes) {
      LaunchNodes launches = split_among_items(out_, nodes, hardware_);
      out_.launches.insert(out_.launches.end(), std::make_move_iterator(launches.begin()),
                           std::make_move_iterator(launches.end()));
    };
    if (prepack_) {
      LoopNodes nodes;
      for (int i = 0; i < prepacked_; ++i) {
        LoopNodes one =
            kernel.lets[at(i)].op == Combiner::none ? LoopNodes{LoopNode{Define{i}}} : reduction(i);
        nodes.insert(nodes.end(), one.begin(), one.end());
      }
      const LoopNodes elements = around(k_, {LoopNode{Define{prepacked_}}});
      nodes.insert(nodes.end(), elements.begin(), elements.end());
      append(around(rows_over(), nodes));
    }
    const LoopNode store{Store{0, kernel.writes[0].value, kernel.writes[0].when}};
    Launch launch;
    const auto dimension = [&](std::vector<int> axes) {
      Dimension one;
      one.axes = std::move(axes);
      for (const int axis : one.axes) one.extent *= kernel.axes[at(axis)].extent;
      launch.dimensions.push_back(std::move(one));
    };
    dimension({product_.n});
    dimension(product_.m >= 0 ? std::vector<int>{product_.m} : std::vector<int>{});
    dimension(product_.batch);
    launch.nodes = reduction(product_.let);
    if (split_ < 0) launch.nodes.push_back(store);
    launch.product = product_;
    out_.launches.push_back({std::move(launch)});
    if (split_ < 0) return;
    LoopNodes nodes = reduction(result_);
    nodes.push_back(store);
    append(around(kernel.lets.back().over, nodes));
  }

  std::string reason() const {
    std::string text = "tiles of " + std::to_string(tile_.rows) + " x " +
                       std::to_string(tile_.columns) + " for " + to_string(given_.rows) + " x " +
                       to_string(given_.columns) + " x " + to_string(given_.depth) + ", " +
                       std::to_string(tile_.item_rows) + " x " +
                       std::to_string(tile_.item_columns) + " by each of " +
                       std::to_string(tile_.items()) + " work-items";
    if (prepack_) text += "; rows are packed first";
    if (split_ >= 0) text += "; the depth in " + std::to_string(tile_.splits) + " parts";
    if (fp16_)
      text += "; products and sums of " + std::to_string(tile_.depth) +
              " in fp16, what these add up to in floats";
    return text;
  }

  Contraction& contraction_;
  const Kernel& from_;
  ContractionSchedule& given_;
  std::vector<Value>& values_;
  const Hardware& hardware_;
  const Given verbs_;
  GroupTile tile_;
  bool prepack_ = false, a_constant_ = false, b_constant_ = false, fp16_ = false;
  Kernel kernel_;
  std::vector<Index> to_, deep_, flat_;  // of the axes of the contraction: rows and columns; with
                                         // axes of the depth; with the depth as one
  std::map<int, int> ids_;               // the same as numbers of axes
  std::vector<int> k_;                   // axes of the depth, where rows are packed first
  std::vector<Index> parts_;             // of the depth
  Index depth_ = 0;
  int split_ = -1, prepacked_ = -1, result_ = 0;
  Product product_;
  LoopPlan out_;
};

}  // namespace

std::optional<LoopPlan> schedule_device_product(const Kernel& kernel, std::vector<Value>& values,
                                                const Hardware& hardware, const Given& given) {
  std::optional<Contraction> contraction = find_contraction(kernel, values, hardware);
  if (!contraction) return std::nullopt;
  return DeviceProductBuilder(*contraction, values, hardware, given).run();
}

}  // namespace burin
