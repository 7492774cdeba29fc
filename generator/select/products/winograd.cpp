#include "select/products/winograd.h"

#include <algorithm>
#include <set>

#include "kernel/expr/expr_axes.h"
#include "select/products/contraction.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

constexpr int kTaps = kWinogradTaps;

int add_axis(Kernel& kernel, int64_t extent, const char* name) {
  kernel.axes.push_back({extent, AxisKind::parallel, name});
  return static_cast<int>(kernel.axes.size()) - 1;
}

Index axis_index(const Kernel& kernel, int axis) {
  return Index::axis(axis, kernel.axes[at(axis)].extent);
}

std::vector<Index> all_axes(const Kernel& kernel) {
  std::vector<Index> out;
  for (size_t i = 0; i < kernel.axes.size(); ++i)
    out.push_back(axis_index(kernel, static_cast<int>(i)));
  return out;
}

// Neighbouring results read neighbouring elements, by three taps.
bool is_dense(const std::optional<SlidingAxis>& axis, const Kernel& kernel) {
  if (!axis || axis->tap < 0 || axis->stride != 1 || axis->dilation != 1) return false;
  return kernel.axes[at(axis->tap)].extent.is_constant(kTaps) &&
         kernel.axes[at(axis->output)].extent.is_constant();
}

// Reads of the plane's results at a point of the tiles.
std::vector<Index> by_tiles(const Kernel& kernel, const SlidingWindow& window,
                            const Winograd& form) {
  std::vector<Index> out = all_axes(kernel);
  const int m = form.choice.outputs;
  out[at(window.rows.output)] =
      axis_index(kernel, window.rows.output) * m + axis_index(kernel, form.row);
  out[at(window.columns.output)] =
      axis_index(kernel, window.columns.output) * m + axis_index(kernel, form.column);
  return out;
}

int64_t constant_extent(const Kernel& kernel, const std::vector<int>& axes) {
  int64_t out = 1;
  for (const int axis : axes) out *= kernel.axes[at(axis)].extent.constant();
  return out;
}

}  // namespace

Dim winograd_places(const SlidingWindow& window) {
  return (window.band - 1) * window.places() + window.columns.outputs;
}
Dim winograd_reach(const SlidingWindow& window, const Tile& tile) {
  return ceildiv(winograd_places(window) + 1, tile.lanes) * tile.lanes;
}
Dim winograd_panels(const SlidingWindow& window, const Tile& tile) {
  return ceildiv(winograd_places(window), tile.columns());
}

std::vector<EdgeColumns> winograd_edges(const SlidingWindow& window, const Tile& tile) {
  const int64_t rows = at_hints(window.rows.outputs), band = at_hints(window.band);
  std::set<int> vectors;
  for (const int64_t one : {band, rows % band}) {
    if (one == 0) continue;
    const int64_t places = (one - 1) * at_hints(window.places()) + at_hints(window.columns.outputs);
    const int64_t last = (places - 1) % tile.columns() / tile.lanes + 1;
    if (last < tile.vectors) vectors.insert(static_cast<int>(last));
  }
  std::vector<EdgeColumns> out;
  for (const int one : vectors) out.push_back({one, 1, 1});
  return out;
}

std::optional<WinogradChoice> given_winograd(const Given& given) {
  const std::vector<int64_t>* const numbers = given.numbers("winograd");
  if (numbers == nullptr) return std::nullopt;
  const int64_t outputs = (*numbers)[0], band = (*numbers)[1], order = (*numbers)[2];
  if (outputs < 2 || outputs > kMostWinogradOutputs || outputs % 2 != 0 || band < 1 || order > 1)
    return std::nullopt;
  return WinogradChoice{static_cast<int>(outputs), band, order == 1};
}

std::optional<WinogradPlane> find_winograd(const Expr& element, const std::vector<int>& outputs,
                                           int columns, const std::vector<int>& reduced,
                                           Kernel& kernel, const Memory& memory,
                                           const WinogradChoice& choice) {
  const std::optional<SlidingAxis> column = find_sliding_axis(element, columns, reduced, kernel);
  if (!is_dense(column, kernel) || outputs.size() < 2) return std::nullopt;
  int rows = -1;
  for (const int axis : outputs) {
    if (axis != columns) rows = axis;
  }
  std::vector<int> others = reduced;
  std::erase(others, column->tap);
  const std::optional<SlidingAxis> row = find_sliding_axis(element, rows, others, kernel);
  if (!is_dense(row, kernel)) return std::nullopt;
  std::erase(others, row->tap);

  WinogradPlane out;
  Winograd& form = out.form;
  form.choice = choice;
  form.taps = kTaps;
  form.planes = others;
  form.filter = {row->tap, column->tap};
  for (const int axis : others) form.depth *= kernel.axes[at(axis)].extent;
  form.plane_rows = kernel.axes[at(rows)].extent;
  form.plane_columns = kernel.axes[at(columns)].extent;
  const int m = choice.outputs;
  // A tap of a tile stands for a result in it and a tap of that.
  std::vector<Index> replacement = all_axes(kernel);
  Guard inside;
  std::vector<int> taps;
  for (const SlidingAxis* axis : {&*row, &*column}) {
    const Dim results = kernel.axes[at(axis->output)].extent;
    kernel.axes[at(axis->output)].extent = ceildiv(results, m);
    taps.push_back(add_axis(kernel, form.points(), axis == &*row ? "tap_row" : "tap_column"));
    const Index place = axis_index(kernel, axis->output) * m + axis_index(kernel, taps.back());
    replacement[at(axis->output)] = place;
    replacement[at(axis->tap)] = 0;
    // What only results beyond the plane would read.
    if (!mod(results, m).is_constant(0)) inside.push_back({place, 0, results + (kTaps - 1)});
  }
  Expr of_tile = substitute_axes(element, replacement);
  if (!inside.empty())
    of_tile = Expr::cases({{inside, of_tile}}, Expr::constant(element.type(), 0));
  std::optional<SlidingWindow> window =
      find_window(of_tile, outputs, columns, taps, kernel, memory, {1, 0, choice.band}, true);
  if (!window || window->rows.output != rows || window->rows.phases != m) return std::nullopt;
  out.window = std::move(*window);
  form.row = add_axis(kernel, m, "row_in_tile");
  form.column = add_axis(kernel, m, "column_in_tile");
  return out;
}

void tile_plane(Kernel& kernel, const SlidingWindow& window, const Winograd& form) {
  const std::vector<Index> point = by_tiles(kernel, window, form);
  Let& let = kernel.lets.back();
  Write& write = kernel.writes[0];
  for (std::vector<int>* over : {&let.over, &write.over}) {
    over->insert(over->end(), {form.row, form.column});
    std::sort(over->begin(), over->end());
  }
  const int m = form.choice.outputs;
  Guard beyond;  // results of the last tiles that are not of the plane have no operand
  const auto limit = [&](int axis, const Dim& results) {
    if (!mod(results, m).is_constant(0)) beyond.push_back({point[at(axis)], 0, results});
  };
  limit(window.rows.output, form.plane_rows);
  limit(window.columns.output, form.plane_columns);
  const auto of_tiles = [&](const Expr& factor) {
    const Expr moved = substitute_axes(factor, point);
    const bool of_plane = contains(axes_of(factor), window.columns.output);
    return of_plane && !beyond.empty()
               ? Expr::cases({{beyond, moved}}, Expr::constant(factor.type(), 0))
               : moved;
  };
  let.body[0] = of_tiles(let.body[0]->operands[0]) * of_tiles(let.body[0]->operands[1]);
  std::vector<Index> own;
  for (const int axis : let.over) own.push_back(axis_index(kernel, axis));
  const auto product = static_cast<int>(kernel.lets.size()) - 1;
  write.value = rewrite(
      write.value,
      [&](const Expr& expr) -> Expr {
        const bool sum = expr.kind() == ExprKind::let && expr->id == product;
        return sum ? Expr::let(product, expr.type(), own, expr->component) : expr;
      },
      [&](const Index& leaf) {
        return leaf.kind() == IndexKind::axis ? point[at(leaf.axis_id())] : leaf;
      });
  for (Index& index : write.at) index = index.substitute_axes(point);
  write.when = substitute_axes(write.when, point);
  write.when.insert(write.when.end(), beyond.begin(), beyond.end());
}

void lay_out_winograd(Contraction& contraction) {
  ContractionSchedule& schedule = contraction.schedule;
  const SlidingWindow& window = *schedule.window;
  Winograd& form = *schedule.winograd;
  const auto take = [&](const Dim& elements) {
    const Dim from = contraction.scratch_bytes;
    contraction.scratch_bytes += ceildiv(elements * 4, 64) * 64;
    return from;
  };
  const int m = form.choice.outputs, points = form.points();
  const Dim reach = winograd_reach(window, schedule.tile);
  const Dim panels = winograd_panels(window, schedule.tile) * schedule.tile.columns();
  const Dim rows = ceildiv(schedule.rows, schedule.tile.rows) * schedule.tile.rows;
  schedule.b_offset = take(window.staged_elements() + reach * m);
  form.rows_at = take(reach * (m * points));
  form.phases_at = take((reach + schedule.tile.lanes) * (m * points));
  form.values_at = take(panels * form.depth * (points * points));
  form.sums_at =
      take(panels * (points * points) * (form.choice.by_points ? rows : Dim(schedule.tile.rows)));
  form.columns_at = take(reach * (m * points));
  form.results_at = take(reach * (m * points));
}

int64_t winograd_bytes(const Contraction& contraction) {
  const ContractionSchedule& schedule = contraction.schedule;
  const Winograd& form = *schedule.winograd;
  const int64_t height = schedule.tile.rows,
                rows = (schedule.rows.constant() + height - 1) / height * height;
  return 4 * constant_extent(contraction.kernel, schedule.batch) * rows * form.depth.constant() *
         form.points() * form.points();
}

namespace {

// Panels of filters, [batch][blocks][taps and planes in the order of the depth][rows], become
// panels of their points.
class FilterPanels {
 public:
  FilterPanels(const Contraction& contraction, const std::vector<Value>& values)
      : schedule_(contraction.schedule),
        form_(*schedule_.winograd),
        height_(schedule_.tile.rows),
        batches_(constant_extent(contraction.kernel, schedule_.batch)),
        blocks_((schedule_.rows.constant() + height_ - 1) / height_),
        depth_(form_.depth.constant()),
        taps_(pack_constant(contraction, schedule_.a, schedule_.m, schedule_.tile.rows, values)) {
    // Where a plane's first tap is, in lines of a panel, and how far taps are apart.
    std::vector<int64_t> strides(contraction.kernel.axes.size(), 0);
    int64_t lines = 1;
    for (size_t k = schedule_.k.size(); k-- > 0;) {
      strides[at(schedule_.k[k])] = lines;
      lines *= contraction.kernel.axes[at(schedule_.k[k])].extent.constant();
    }
    lines_ = lines;
    row_tap_ = strides[at(form_.filter[0])];
    column_tap_ = strides[at(form_.filter[1])];
    places_.assign(1, 0);
    for (const int axis : form_.planes) {
      std::vector<int64_t> finer;
      for (const int64_t place : places_) {
        for (int64_t i = 0; i < contraction.kernel.axes[at(axis)].extent.constant(); ++i)
          finer.push_back(place + i * strides[at(axis)]);
      }
      places_ = std::move(finer);
    }
  }

  Constant transformed() const {
    const Matrix filter = form_.matrices().filter;
    const size_t points = filter.size();
    std::vector<std::byte> bytes(static_cast<size_t>(batches_ * blocks_ * depth_ * height_) *
                                 points * points * sizeof(float));
    auto* const out = reinterpret_cast<float*>(bytes.data());
    const auto* const in = reinterpret_cast<const float*>(taps_.data);
    std::vector<double> along_rows(points * kTaps);
    for (int64_t batch = 0; batch < batches_; ++batch) {
      for (int64_t block = 0; block < blocks_; ++block) {
        const float* const panel = in + (batch * blocks_ + block) * lines_ * height_;
        for (int64_t c = 0; c < depth_; ++c) {
          for (int64_t r = 0; r < height_; ++r) {
            const float* const taps = panel + places_[static_cast<size_t>(c)] * height_ + r;
            for (size_t p = 0; p < points; ++p) {
              for (int64_t s = 0; s < kTaps; ++s) {
                double sum = 0;
                for (int64_t t = 0; t < kTaps; ++t)
                  sum += filter[p][static_cast<size_t>(t)] *
                         static_cast<double>(taps[(t * row_tap_ + s * column_tap_) * height_]);
                along_rows[p * kTaps + static_cast<size_t>(s)] = sum;
              }
            }
            for (size_t p = 0; p < points; ++p) {
              for (size_t q = 0; q < points; ++q) {
                double sum = 0;
                for (size_t s = 0; s < kTaps; ++s) sum += filter[q][s] * along_rows[p * kTaps + s];
                out[place(batch, block, static_cast<int64_t>(p * points + q), c, r)] =
                    static_cast<float>(sum);
              }
            }
          }
        }
      }
    }
    return make_constant(std::move(bytes));
  }

 private:
  int64_t place(int64_t batch, int64_t block, int64_t point, int64_t c, int64_t r) const {
    const int64_t points = int64_t{form_.points()} * form_.points();
    const int64_t panel = form_.choice.by_points ? point * blocks_ + block : block * points + point;
    return ((batch * blocks_ * points + panel) * depth_ + c) * height_ + r;
  }

  const ContractionSchedule& schedule_;
  const Winograd& form_;
  const int64_t height_, batches_, blocks_, depth_;
  const Constant taps_;
  int64_t lines_ = 1, row_tap_ = 0, column_tap_ = 0;
  std::vector<int64_t> places_;  // of each point of the depth
};

}  // namespace

void prepack_winograd(Contraction& contraction, std::vector<Value>& values, bool with_data) {
  ContractionSchedule& schedule = contraction.schedule;
  const Winograd& form = *schedule.winograd;
  const Kernel& kernel = contraction.kernel;
  const int points = form.points(), height = schedule.tile.rows;
  Value packed;
  packed.name = kernel.name + "_points";
  packed.type = Type::f32;
  packed.kind = ValueKind::constant;
  if (with_data) packed.constant = FilterPanels(contraction, values).transformed();
  const Index row = axis_index(kernel, schedule.m);
  std::vector<Index> front;
  for (const int axis : schedule.batch) {
    packed.shape.push_back(kernel.axes[at(axis)].extent);
    front.push_back(axis_index(kernel, axis));
  }
  const Dim blocks = ceildiv(schedule.rows, height);
  const std::vector<Dim> panels = form.choice.by_points ? std::vector<Dim>{points * points, blocks}
                                                        : std::vector<Dim>{blocks, points * points};
  packed.shape.insert(packed.shape.end(), panels.begin(), panels.end());
  packed.shape.insert(packed.shape.end(), {form.depth, height});
  for (size_t d = 0; d < packed.shape.size(); ++d)
    packed.layout.order.push_back(static_cast<int>(d));
  const auto id = static_cast<ValueId>(values.size());

  Index plane = 0;
  for (const int axis : form.planes)
    plane = plane * kernel.axes[at(axis)].extent + axis_index(kernel, axis);
  const auto element = [&](int point) {
    std::vector<Index> place = front;
    if (form.choice.by_points)
      place.insert(place.end(), {point, floordiv(row, height)});
    else
      place.insert(place.end(), {floordiv(row, height), point});
    place.insert(place.end(), {plane, mod(row, height)});
    return Expr::load(id, Type::f32, std::move(place));
  };
  const Matrix back = taps_of_points(form.matrices());
  const Index tap_row = axis_index(kernel, form.filter[0]),
              tap_column = axis_index(kernel, form.filter[1]);
  std::vector<Expr::Case> cases;
  for (int t = 0; t < form.taps; ++t) {
    for (int s = 0; s < form.taps; ++s) {
      Expr sum;
      for (int p = 0; p < points; ++p) {
        for (int q = 0; q < points; ++q) {
          const double weight = back[at(t)][at(p)] * back[at(s)][at(q)];
          if (weight == 0) continue;
          const Expr term = element(p * points + q) * weight;
          sum = sum ? sum + term : term;
        }
      }
      cases.push_back({{{tap_row, t, t + 1}, {tap_column, s, s + 1}}, sum});
    }
  }
  const Expr last = cases.back().value;
  cases.pop_back();
  schedule.a.element = Expr::cases(std::move(cases), last);
  schedule.a.prepacked = id;
  values.push_back(std::move(packed));
}

}  // namespace burin
