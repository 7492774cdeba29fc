#include "select/integers/plan.h"

#include <algorithm>
#include <tuple>

#include "hardware/capabilities.h"
#include "isa/all_rows.h"
#include "isa/lane_rows.h"
#include "isa/sliding_fours.h"
#include "select/axes/regroup.h"
#include "select/bytes/known_rows.h"
#include "select/bytes/values_over.h"
#include "select/integers/ahead.h"
#include "select/integers/bundle_choice.h"
#include "select/integers/by_line.h"
#include "select/integers/constants.h"
#include "select/integers/integer_sum.h"
#include "select/integers/known_machine.h"
#include "select/integers/packed_factor.h"
#include "select/integers/quotients.h"
#include "select/integers/repacked_panels.h"
#include "select/integers/row_choice.h"
#include "select/integers/share.h"
#include "select/integers/slide.h"
#include "select/integers/staged_sums.h"
#include "select/integers/tile_choice.h"
#include "select/tiles/register_tile.h"
#include "support/at.h"

namespace burin {
namespace {

class Planner {
 public:
  Planner(IntegerSum found, std::vector<Value>& values, const Hardware& hardware,
          const Given& given)
      : found_(std::move(found)), values_(values), hardware_(hardware), given_(given) {}

  std::optional<IntegerPlan> run(const isa::Rows& rows) {
    if (!choose(rows)) return std::nullopt;
    slide_ = find_slide(found_, choice_, hardware_);
    if (slide_) {
      if (std::optional<IntegerPlan> sliding = Planner(*this).with_row()) return sliding;
      slide_.reset();
    }
    use_bundle();
    return with_row();
  }

 private:
  bool choose(const isa::Rows& rows) {
    if (found_.a.constant && found_.b.constant) return false;
    if (found_.a.constant) numbers_a_ = numbers(found_.a, found_.m);
    if (found_.b.constant) numbers_b_ = numbers(found_.b, found_.n);
    const std::optional<RowChoice> choice =
        choose_row(hardware_, rows, found_.sum, numbers_a_, numbers_b_);
    if (!choice) return false;
    choice_ = *choice;
    plan_.dot = choice_.row;
    plan_.zero = isa::find_row(isa::lane_row_name("zero", found_.sum, choice_.lanes));
    plan_.store = isa::find_row(isa::lane_row_name("store", found_.sum, choice_.lanes));
    std::tie(plan_.lanes, plan_.group) = std::tie(choice_.lanes, choice_.group);
    plan_.a.type = choice_.row->values[1].type;
    plan_.b.type = choice_.row->values[2].type;
    return true;
  }

  void use_bundle() {
    const std::optional<BundleChoice> choice =
        choose_bundle(found_, choice_, numbers_a_, numbers_b_, hardware_);
    if (!choice) return;
    choice_ = choice->one_row;
    timing_ = choice->timing;
    plan_.dot = choice_.row;
    plan_.bundle = choice->bundle;
    plan_.group = choice_.group;
    plan_.a.type = choice_.row->values[1].type;
    plan_.b.type = choice_.row->values[2].type;
  }

  std::optional<IntegerPlan> with_row() {
    if (slide_) plan_.dot = slide_->dot;
    if (slide_ && slide_->fours != nullptr) {
      plan_.fours = slide_->fours;
      plan_.order = slide_->stride == 1 ? isa::LaneOrder::by_fours : isa::LaneOrder::by_pairs;
    }
    split_into_groups();
    if (!regroup()) return std::nullopt;
    // Rows that windows would have to be staged for are left to generic loops.
    if (plan_.window ? !found_.a.constant : slide_.has_value()) return std::nullopt;
    choose_tile_shape();
    if (!pays()) return std::nullopt;
    pack();
    if (!slide_ && !plan_.window) read_repacked();
    correct();
    use_products(plan_.kernel, values_, hardware_);
    std::vector<int64_t> bounds;
    if (numbers_a_ && !is_float(found_.sum))
      bounds = bounds_of_sums(*numbers_a_, found_.reduced.size(),
                              plan_.bundle.starts != nullptr ? 0 : choice_.offset_a, plan_.b.type);
    if (!is_float(found_.sum)) plan_.line = find_by_line(plan_, bounds, values_, hardware_);
    know_machine(plan_, hardware_);
    ask_ahead(plan_, values_, *choice_.timing, hardware_);
    return std::move(plan_);
  }

  // Floats have vectors of their own.
  bool pays() const {
    const bool faster = plan_.m >= 0 && is_faster_than_floats(choice_, hardware_);
    return !is_float(found_.sum) || plan_.matrix || faster;
  }
  const Dim& extent(int axis) const { return plan_.kernel.axes[at(axis)].extent; }

  FactorNumbers numbers(const GivenFactor& factor, const std::vector<int>& own) const {
    return numbers_of(factor.element, found_.kernel, axes_of_panels(found_, own), values_);
  }

  // One reduced axis becomes two: the group and the place in it.
  void split_into_groups() {
    grouped_ = slide_ ? slide_->tap : grouped_axis(found_, choice_.group);
    Kernel& kernel = found_.kernel;
    const Dim whole = kernel.axes[at(grouped_)].extent, filled = ceildiv(whole, choice_.group);
    const Dim groups = slide_ ? filled : groups_in_steps(filled, choice_, hardware_);
    plan_.places = whole;
    kernel.axes[at(grouped_)].extent = groups;
    within_ = static_cast<int>(kernel.axes.size());
    kernel.axes.push_back({choice_.group, AxisKind::reduce, "within"});
    const Index place =
        Index::axis(grouped_, groups) * choice_.group + Index::axis(within_, choice_.group);
    std::vector<Index> replacement;
    for (size_t i = 0; i < kernel.axes.size(); ++i)
      replacement.push_back(Index::axis(static_cast<int>(i), kernel.axes[i].extent));
    if (slide_) {
      // What is staged has its taps one by one.
      tap_ = static_cast<int>(kernel.axes.size());
      kernel.axes.push_back({whole, AxisKind::parallel, "tap"});
      replacement[at(grouped_)] = Index::axis(tap_, whole);
      NarrowFactor bytes = *found_.b.narrow;
      bytes.stored = substitute_axes(bytes.stored, replacement);
      bytes.inside = substitute_axes(bytes.inside, replacement);
      one_by_one_ = stored_as(bytes, plan_.b.type).element;
    }
    replacement[at(grouped_)] = place;
    Let& let = kernel.lets[0];
    let.reduced.push_back(within_);
    const auto moved = [&](GivenFactor& factor, Type type) -> Expr {
      const auto summed = [&](const Expr& element) { return Expr::cast(found_.sum, element); };
      if (factor.constant) return summed(Expr::constant(Type::i32, 1));  // a packed load, later
      NarrowFactor& narrow = *factor.narrow;
      narrow.stored = substitute_axes(narrow.stored, replacement);
      narrow.inside = substitute_axes(narrow.inside, replacement);
      if (!(whole == groups * choice_.group)) narrow.inside.push_back({place, 0, whole});
      stored(factor) = stored_as(narrow, type);
      return summed(stored(factor).element);
    };
    const Expr a = moved(found_.a, plan_.a.type), b = moved(found_.b, plan_.b.type);
    std::tie(body_a_, body_b_) = std::tie(a, b);
    let.body[0] = found_.a.constant ? b : found_.b.constant ? a : a * b;
  }
  StoredFactor& stored(const GivenFactor& factor) {
    return &factor == &found_.a ? stored_a_ : stored_b_;
  }

  // The kernel over batch, m, n or the plane of a window, and the reduced axes.
  bool regroup() {
    const Kernel& kernel = found_.kernel;
    Regrouping regrouping(kernel, plan_.kernel);
    for (const int axis : found_.batch) plan_.batch.push_back(regrouping.keep(axis));
    plan_.m = regrouping.flatten(found_.m, "m");
    plan_.rows = extent_of(kernel, found_.m);
    // The axis of the groups comes last, so that the innermost loop has one stride.
    std::vector<int> order;
    for (const int axis : found_.reduced) {
      if (axis != grouped_) order.push_back(axis);
    }
    order.push_back(grouped_);
    const bool taps = std::ranges::any_of(order, [&](int axis) { return is_tap(found_, axis); });
    // The end of the last group of two tensors of the run is no window's margin.
    if (!found_.b.constant && (found_.a.constant || taps)) try_window(regrouping, order);
    if (!plan_.window) {
      plan_.n = regrouping.flatten(found_.n, "n");
      plan_.columns = extent_of(kernel, found_.n);
      for (const int axis : order) plan_.k.push_back(regrouping.keep(axis));
      plan_.within = regrouping.keep(within_);
    }
    if (!regrouping.move_lets(plan_.kernel)) return false;
    plan_.groups = 1;
    for (const int axis : plan_.k) plan_.groups *= extent(axis);
    if (!found_.a.constant) plan_.a.staged = regrouping.moved(stored_a_.element);
    if (!found_.b.constant) plan_.b.staged = regrouping.moved(stored_b_.element);
    body_a_ = regrouping.moved(body_a_);
    body_b_ = regrouping.moved(body_b_);
    return true;
  }

  void try_window(Regrouping& regrouping, const std::vector<int>& order) {
    Regrouping apart = regrouping;
    Kernel with_window = plan_.kernel;
    apart.into(with_window);
    std::vector<int> outputs, reduced;
    int columns = -1;
    for (const int axis : found_.n) {
      outputs.push_back(apart.keep(axis));
      if (axis == found_.column) columns = outputs.back();
    }
    for (const int axis : order) reduced.push_back(apart.keep(axis));
    const int within = apart.keep(within_);
    std::vector<int> read = reduced;
    if (slide_) read.back() = apart.keep(tap_);
    const Expr element = apart.moved(slide_ ? one_by_one_ : stored_b_.element);
    const auto window = [&](Kernel& kernel, int64_t bands) {
      const auto find = [&](Kernel& into, int64_t multiple) {
        return find_window(element, outputs, columns, read, into, hardware_.memory,
                           {bands, 0, 0, multiple, !rows_that_move(hardware_).empty()},
                           slide_.has_value());
      };
      Kernel in_whole_vectors = kernel;
      std::optional<SlidingWindow> found = find(kernel, 1);
      if (found && found->wasteful) found.reset();
      if (!found || plan_.bundle.whole == nullptr ||
          !whole_vectors_pay(*found, plan_.lanes, at_hints(plan_.rows)))
        return found;
      kernel = std::move(in_whole_vectors);
      return find(kernel, plan_.lanes);
    };
    Kernel with_plane = with_window;
    const int64_t batches = at_least_one(extent_of(found_.kernel, found_.batch));
    plan_.window = window(with_window, most_integer_parts(cycles(), hardware_) / batches);
    if (!plan_.window) return;
    std::optional<SlidingWindow> plane = window(with_plane, 1);
    if (plane && whole_plane_is_faster(*plan_.window, *plane, at_hints(plan_.rows), plan_.lanes,
                                       cycles(), hardware_)) {
      plan_.window = std::move(plane);
      with_window = std::move(with_plane);
    }
    if (slide_) {
      std::vector<Index> groups;
      for (size_t i = 0; i < with_window.axes.size(); ++i)
        groups.push_back(Index::axis(static_cast<int>(i), with_window.axes[i].extent));
      groups[at(read.back())] = groups[at(reduced.back())] * plan_.group;
      plan_.window->shift = plan_.window->shift.substitute_axes(groups);
    }
    std::tie(plan_.k, plan_.within, plan_.kernel) = std::tie(reduced, within, with_window);
    regrouping = apart;
    regrouping.into(plan_.kernel);
  }

  void choose_tile_shape() {
    const IntegerTile tile = choose_integer_tile(
        at_hints(plan_.rows), at_hints(plan_.tiled_columns()), at_hints(plan_.groups), plan_.lanes,
        timing_ ? *timing_ : *choice_.timing, integer_unit(hardware_),
        narrowest_bytes(plan_.kernel.writes[0].value),
        {.multiple = std::max(vectors_by_line(plan_, hardware_), plan_.fours ? isa::kFours : 1),
         .differ = numbers_b_.has_value(),
         .may_look_once = plan_.window.has_value(),
         .narrow_last = !numbers_b_ && !plan_.fours && !rows_that_move(hardware_).empty(),
         .bundle =
             tile_bundle(plan_.bundle, *plan_.dot, plan_.window && plan_.window->multiple == 1),
         .fours = plan_.order == isa::LaneOrder::by_fours},
        given_.numbers("instruction"));
    std::tie(plan_.tile_rows, plan_.vectors) = std::tie(tile.rows, tile.vectors);
    plan_.looked_at_once = tile.looked_at_once;
    plan_.matrix = choose_matrix(plan_, hardware_, tile.cycles, given_.numbers("instruction"));
    if (plan_.matrix) std::tie(plan_.tile_rows, plan_.vectors) = plan_.matrix->tile();
  }

  // --- Constants ---
  ValueId add(const std::string& name, Type type, const std::vector<int64_t>& shape,
              Constant bytes) {
    return add_constant(values_, found_.kernel.name + name, type, shape, std::move(bytes));
  }

  void pack() {
    const auto grouped =
        static_cast<size_t>(std::ranges::find(found_.reduced, grouped_) - found_.reduced.begin());
    const auto packed = [&](const FactorNumbers& numbers, const PackedLanes& lanes, int32_t offset,
                            IntegerFactor& factor, Expr& body) {
      PackedFactor made =
          pack_factor(numbers, plan_, lanes, {found_.batch.size(), found_.reduced.size(), grouped},
                      offset, factor.type);
      factor.packed = add("/panels", factor.type, made.panels.shape, made.panels.bytes);
      body = made.body(factor.packed);
      return std::move(made.sums);
    };
    if (numbers_a_)
      sums_of_a_ = packed(*numbers_a_,
                          {found_.m.size(), plan_.m, plan_.tile_rows,
                           plan_.bundle.starts != nullptr, plan_.matrix ? plan_.matrix->groups : 1},
                          choice_.offset_a, plan_.a, body_a_);
    if (plan_.bundle.starts != nullptr)
      body_a_ = body_a_ + group_of(plan_.start_group, "/start", plan_.bundle.starts->values[1].type,
                                   choice_.offset_a);
    if (numbers_b_)
      sums_of_b_ = packed(*numbers_b_, {found_.n.size(), plan_.n, plan_.tile_columns()},
                          choice_.offset_b, plan_.b, body_b_);
  }
  Index axis(int number) const { return Index::axis(number, extent(number)); }

  void read_repacked() {
    std::vector<PackedNumbers> packed;
    if (numbers_a_ && plan_.bundle.starts == nullptr)
      packed.push_back({found_.a, found_.m, plan_.m, body_a_, choice_.offset_a});
    if (numbers_b_) packed.push_back({found_.b, found_.n, plan_.n, body_b_, choice_.offset_b});
    burin::read_repacked(plan_, {&body_a_, &body_b_}, found_, packed, grouped_, values_);
  }

  Expr sums_of_constant(const PackedSums& sums) {
    const ValueId id = add("/sums", Type::i32, sums.shape, sums.bytes);
    return Expr::load(id, Type::i32, sums.place);
  }

  // --- What the sum of products lacks, where its result is read. ---
  void correct() {
    Kernel& kernel = plan_.kernel;
    kernel.lets.back().body[0] = body_a_ * body_b_;
    // Sums begin with what was taken off numbers of a.
    const Expr zero_a = plan_.bundle.starts != nullptr ? Expr::constant(Type::i32, 0)
                        : numbers_a_ ? Expr::constant(Type::i32, -choice_.offset_a)
                                     : stored_a_.zero;
    const Expr zero_b = numbers_b_ ? Expr::constant(Type::i32, -choice_.offset_b) : stored_b_.zero;
    Expr missing;
    const auto subtract = [&](const Expr& part, Expr& own) {
      own = part;
      missing = missing ? missing + part : part;
    };
    if (!zero_a.is_constant(0)) {
      const Expr sums = numbers_b_ ? sums_of_constant(sums_of_b_)
                                   : sums_of_staged(plan_, plan_.b, plan_.axes_of_columns(),
                                                    group_of(plan_.ones, "/ones", plan_.a.type, 1));
      subtract(zero_a * sums, plan_.missing_columns);
    }
    if (!zero_b.is_constant(0)) {
      const std::vector<int> own = plan_.m < 0 ? std::vector<int>{} : std::vector<int>{plan_.m};
      const Expr sums =
          numbers_a_ ? sums_of_constant(sums_of_a_) : sums_of_staged(plan_, plan_.a, own);
      subtract(zero_b * sums, plan_.missing_rows);
    }
    plan_.product = static_cast<int>(kernel.lets.size()) - 1;
    if (!zero_a.is_constant(0) && !zero_b.is_constant(0)) {
      const Expr depth = Expr::index(plan_.groups * plan_.group, Type::i32);
      missing = missing - depth * (zero_a * zero_b);
      plan_.missing_columns = plan_.missing_columns - depth * (zero_a * zero_b);
    }
    Write& write = kernel.writes[0];
    write.value = rewrite(
        write.value,
        [&](const Expr& expr) -> Expr {
          if (expr.kind() != ExprKind::let) return expr;
          const Expr moved = Expr::let(plan_.product, expr.type(), expr->at, expr->component);
          return missing ? moved - missing : moved;
        },
        [](const Index& leaf) { return leaf; });
  }

  Expr group_of(ValueId& group, const std::string& name, Type type, int64_t number) {
    group = add(name, type, {plan_.group}, group_bytes(type, plan_.group, number));
    return Expr::cast(Type::i32, Expr::load(group, type, {axis(plan_.within)}));
  }
  int64_t cycles() const { return cycles_of_products(found_, choice_); }

  IntegerSum found_;
  std::vector<Value>& values_;
  const Hardware& hardware_;
  const Given given_;
  IntegerPlan plan_;
  RowChoice choice_;
  std::optional<RowTiming> timing_;  // of bundles
  std::optional<FactorNumbers> numbers_a_, numbers_b_;
  StoredFactor stored_a_, stored_b_;
  Expr body_a_, body_b_;  // the factors in the let
  std::optional<Slide> slide_;
  Expr one_by_one_;                   // factor b over its taps, where it slides
  PackedSums sums_of_a_, sums_of_b_;  // of constants; whoever asks for them adds them as a value
  int grouped_ = -1, within_ = -1, tap_ = -1;
};

}  // namespace

std::optional<IntegerPlan> plan_integers(const Kernel& kernel, std::vector<Value>& values,
                                         const Hardware& hardware, const Given& given,
                                         const isa::Rows& rows) {
  if (has_device(hardware) || hardware.rows.empty() || !given.may("instruction"))
    return std::nullopt;
  std::optional<IntegerSum> found =
      find_integer_sum(kernel, values, integer_unit(hardware).lanes(4));
  if (!found) return std::nullopt;
  return Planner(std::move(*found), values, hardware, given).run(rows);
}

}  // namespace burin
