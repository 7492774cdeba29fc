#include "select/tiles/window.h"

#include <algorithm>
#include <numeric>

#include "kernel/layout.h"
#include "select/tiles/register_tile.h"
#include "select/tiles/row_margins.h"
#include "support/check.h"

namespace burin {
namespace {

// Positions per result that are worth it: the others are computed in vain.
constexpr int64_t kMostWaste = 3, kWasteOf = 2, kMostWasteSliding = 4;

struct Linear {
  int64_t output = 0, tap = 0;  // coefficients
  bool clean = true;            // neither occurs in another way
};

Linear linear_in(const Index& index, int output, int tap) {
  Linear out;
  for (const Index::Term& term : index.terms()) {
    if (term.atoms.size() == 1 && term.atoms[0].kind() == IndexKind::axis) {
      if (term.atoms[0].axis_id() == output) out.output = term.coefficient;
      if (tap >= 0 && term.atoms[0].axis_id() == tap) out.tap = term.coefficient;
      continue;
    }
    for (const Index& atom : term.atoms) {
      if (term.atoms.size() > 1 && (atom.uses_axis(output) || (tap >= 0 && atom.uses_axis(tap))))
        out.clean = false;
    }
  }
  return out;
}

// Calls for every polynomial inside an index: itself, and operands of divisions and the like.
void each_polynomial(const Index& index, const std::function<void(const Index&)>& visit_one) {
  visit_one(index);
  for (const Index::Term& term : index.terms()) {
    for (const Index& atom : term.atoms) {
      if (atom.kind() == IndexKind::floordiv || atom.kind() == IndexKind::mod ||
          atom.kind() == IndexKind::min || atom.kind() == IndexKind::max) {
        for (const Index& operand : atom.operands()) each_polynomial(operand, visit_one);
      }
    }
  }
}

bool has_data(const Expr& element) {
  bool data = false;
  visit_indices(element, [&](const Index& index) { data = data || index.has_data(); });
  return data;
}

// `output` and `tap` (or none) as one axis of a window: all polynomials hold multiples of one sum.
std::optional<SlidingAxis> axis_of(const Expr& element, int output, int tap) {
  SlidingAxis out;
  out.output = output;
  out.tap = tap;
  out.stride = 0;
  bool same = true;
  visit_indices(element, [&](const Index& whole) {
    each_polynomial(whole, [&](const Index& index) {
      const Linear linear = linear_in(index, output, tap);
      same = same && linear.clean;
      if (linear.output == 0 && linear.tap == 0) return;
      if (linear.output <= 0 || (tap >= 0 && linear.tap == 0)) {
        same = false;
        return;
      }
      const int64_t unit = tap < 0 ? linear.output : std::gcd(linear.output, linear.tap);
      const int64_t stride = tap < 0 ? unit : linear.output / unit;
      const int64_t dilation = tap < 0 ? 1 : linear.tap / unit;
      if (out.stride == 0) {
        out.stride = stride;
        out.dilation = dilation;
      }
      // Without taps every multiple of the axis will do; the first one is the stride.
      if (tap < 0 ? linear.output % out.stride != 0
                  : stride != out.stride || dilation != out.dilation)
        same = false;
    });
  });
  if (!same || out.stride == 0) return std::nullopt;
  if (out.stride > 1 && tap >= 0 && out.dilation != 1 && out.dilation != -1) return std::nullopt;
  return out;
}

bool uses_axis(const Expr& element, int axis) {
  bool used = false;
  visit_indices(element, [&](const Index& index) { used = used || index.uses_axis(axis); });
  return used;
}

int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

void size_axis(SlidingAxis& axis, const Kernel& kernel) {
  axis.outputs = kernel.axes[static_cast<size_t>(axis.output)].extent;
  if (axis.tap < 0) {
    axis.positions = axis.outputs;
    axis.last = (axis.outputs - 1) * axis.stride;
    return;
  }
  const Dim reach =
      (kernel.axes[static_cast<size_t>(axis.tap)].extent - 1) * magnitude(axis.dilation);
  axis.phases = axis.stride;
  axis.positions = axis.outputs + floordiv(reach, axis.stride);
  axis.last = (axis.outputs - 1) * axis.stride + reach;
}

// All columns in one row, of which results take every `stride`-th as their first.
void keep_whole(SlidingAxis& axis) {
  axis.phases = 1;
  axis.step = axis.stride;
  axis.positions = ceildiv(axis.last + 1, axis.step) * axis.step;
}

// What is subtracted so that dilation*tap counts from 0.
Index least_of(const SlidingAxis& axis, const Kernel& kernel) {
  if (axis.tap < 0 || axis.dilation > 0) return 0;
  return (kernel.axes[static_cast<size_t>(axis.tap)].extent - 1) * axis.dilation;
}

int add_axis(Kernel& kernel, const Dim& extent, const char* name) {
  kernel.axes.push_back({extent, AxisKind::parallel, name});
  return static_cast<int>(kernel.axes.size()) - 1;
}

Index axis_index(const Kernel& kernel, int axis) {
  return axis < 0 ? Index(0) : Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent);
}

// `position` and the axis's phase instead of output and tap.
void substitute(const SlidingAxis& axis, const Index& position, const Kernel& kernel,
                std::vector<Index>& replacement) {
  const Index phase = axis_index(kernel, axis.phase), least = least_of(axis, kernel);
  if (axis.step > 1) {
    replacement[static_cast<size_t>(axis.output)] = 0;
    replacement[static_cast<size_t>(axis.tap)] = position;
  } else if (axis.tap < 0 || axis.stride > 1) {
    replacement[static_cast<size_t>(axis.output)] = position;
    if (axis.tap >= 0) replacement[static_cast<size_t>(axis.tap)] = (phase + least) * axis.dilation;
  } else {
    replacement[static_cast<size_t>(axis.output)] = position + least;
    replacement[static_cast<size_t>(axis.tap)] = 0;
  }
}

// As many rows as fit into half of the second cache, or of the only one, with those that the taps
// share; not fewer than these, so that no band stages more for its neighbours than for itself.
Dim band_of(const SlidingWindow& window, const Dim& planes, const Memory& memory) {
  const Cache& cache = memory.caches[std::min<size_t>(1, memory.caches.size() - 1)];
  const int64_t elements = cache.size_bytes / 2 / 4;
  const Dim row = planes * window.pitch() * (window.rows.phases * window.columns.phases);
  const Range whole = (row * window.rows.positions).range();
  if (whole.bounded() && whole.hi <= elements) return window.rows.outputs;
  const Dim shared = window.rows.positions - window.rows.outputs;
  const Dim fitting = floordiv(elements, max(1, row)) - shared;
  return max(1, min(window.rows.outputs, max(shared, fitting)));
}

// Fewer rows in a band where threads want more bands.
void share_bands(SlidingWindow& window, const Bands& bands) {
  if (bands.given > 0) {
    window.band = min(window.rows.outputs, bands.given);
    return;
  }
  if (bands.wanted <= 1 || !window.rows.outputs.is_constant() || !window.band.is_constant()) return;
  const int64_t rows = window.rows.outputs.constant(), each = at_least_one(window.places());
  const int64_t shared = at_hints(window.rows.positions - window.rows.outputs);
  const int64_t least = std::max({int64_t{1}, 2 * shared, (bands.least + each - 1) / each});
  const auto rows_of_band = [&](int64_t number) { return (rows + number - 1) / number; };
  int64_t band = std::max(rows_of_band(bands.wanted), least);
  if (bands.least > 0) {
    int64_t number = bands.wanted;
    while (number > 1 && (bands.wanted % number != 0 || rows_of_band(number) < least)) --number;
    band = rows_of_band(number);
  }
  if (band < rows) window.band = std::min<int64_t>(window.band.constant(), band);
}

}  // namespace

std::optional<SlidingAxis> find_sliding_axis(const Expr& element, int output,
                                             const std::vector<int>& reduced,
                                             const Kernel& kernel) {
  for (const int tap : reduced) {
    const std::optional<SlidingAxis> axis = axis_of(element, output, tap);
    if (!axis) continue;
    // Windows that hardly overlap share nothing.
    const Dim& outputs = kernel.axes[static_cast<size_t>(output)].extent;
    if (std::abs(axis->dilation) < std::max<int64_t>(1, at_hints(outputs))) return axis;
  }
  return axis_of(element, output, -1);
}

Index loop_variable(const std::string& name, int64_t most) {
  SymbolInfo info;
  info.name = name;
  info.origin = SymbolOrigin::iter;
  info.max = most;
  return Index::symbol(std::make_shared<const SymbolInfo>(std::move(info)));
}

Dim band_size(const SlidingWindow& window) {
  if (!window.banded() || window.band.is_constant()) return window.band;
  return loop_variable("band", window.rows.outputs.range().hi);
}
Index band_first(const SlidingWindow& window) {
  return window.banded() ? loop_variable("band_first", window.rows.outputs.range().hi - 1)
                         : Index(0);
}
Index band_end(const SlidingWindow& window) {
  return window.banded() ? loop_variable("band_end", window.rows.outputs.range().hi)
                         : window.rows.outputs;
}

std::optional<SlidingWindow> find_window(const Expr& element, const std::vector<int>& outputs,
                                         int columns, const std::vector<int>& reduced,
                                         Kernel& kernel, const Memory& memory, const Bands& bands,
                                         bool whole_rows) {
  if (has_data(element)) return std::nullopt;
  SlidingWindow out;
  const std::optional<SlidingAxis> column = find_sliding_axis(element, columns, reduced, kernel);
  if (!column) return std::nullopt;
  out.columns = *column;
  for (const int axis : outputs) {
    if (axis != columns) out.outer.push_back(axis);
  }
  // Rows are the axis before the columns, where that is one of a window or of none.
  if (!out.outer.empty()) {
    std::vector<int> others = reduced;
    others.erase(std::remove(others.begin(), others.end(), out.columns.tap), others.end());
    const std::optional<SlidingAxis> row =
        find_sliding_axis(element, out.outer.back(), others, kernel);
    if (row) {
      out.rows = *row;
      out.outer.pop_back();
    }
  }
  // Pieces of the depth alone (a concatenation of planes) are no margins.
  bool guarded = false;
  const auto of_plane = [&](const Index& index) {
    return std::any_of(outputs.begin(), outputs.end(),
                       [&](int axis) { return index.uses_axis(axis); });
  };
  visit(element, [&](const ExprNode& node) {
    for (const Expr::Case& one : node.cases) {
      for (const Condition& condition : one.guard)
        guarded = guarded || of_plane(condition.index) || of_plane(condition.lo) ||
                  of_plane(condition.hi);
    }
  });
  const bool slides = out.columns.tap >= 0 || out.rows.tap >= 0 || out.columns.stride > 1 ||
                      out.rows.stride > 1 || guarded;
  if (!slides) return std::nullopt;
  size_axis(out.columns, kernel);
  if (whole_rows && out.columns.tap < 0) return std::nullopt;
  if (whole_rows) keep_whole(out.columns);
  out.multiple = bands.multiple;
  // Of a stride some rows are staged that nobody reads, whatever their margins hold.
  const bool all_read = out.rows.output >= 0 && (out.rows.tap < 0 || out.rows.stride == 1);
  if (bands.share_margins && all_read && out.multiple == 1 && !whole_rows) {
    const std::optional<RowMargins> margins = margins_of_rows(element, out.columns, kernel);
    if (margins) {
      out.shared = std::min(margins->before, margins->behind);
      out.columns.positions = out.columns.positions - out.shared;
      if (out.shared > 0) out.margin = margins->fill;
    }
  }
  out.columns.positions = ceildiv(out.columns.positions, out.multiple) * out.multiple;
  if (out.rows.output >= 0) size_axis(out.rows, kernel);
  out.wasteful = at_hints(out.places()) * kWasteOf >
                 at_hints(out.columns.outputs) * (whole_rows ? kMostWasteSliding : kMostWaste);
  Dim planes = 1;
  for (const int axis : reduced) {
    if (axis == out.rows.tap || axis == out.columns.tap || !uses_axis(element, axis)) continue;
    out.planes.push_back(axis);
    planes *= kernel.axes[static_cast<size_t>(axis)].extent;
  }
  out.planes_extent = planes * (out.rows.phases * out.columns.phases);

  // Filling: phases, rows of the band, columns.
  const auto add_phase = [&](SlidingAxis& axis, const char* name) {
    if (axis.phases > 1) axis.phase = add_axis(kernel, axis.phases, name);
  };
  add_phase(out.rows, "row_phase");
  add_phase(out.columns, "column_phase");
  if (out.rows.output >= 0) out.band = band_of(out, planes, memory);
  if (out.rows.output >= 0) share_bands(out, bands);
  const Dim band_rows = out.rows_of(band_size(out));
  std::vector<Index> replacement(kernel.axes.size(), Index(0));
  for (size_t i = 0; i < kernel.axes.size(); ++i)
    replacement[i] = axis_index(kernel, static_cast<int>(i));
  Guard inside;
  const auto limit = [&](const SlidingAxis& axis, const Index& position, int64_t multiple) {
    if (axis.phases == 1 && axis.step == 1 && multiple == 1) return;
    const int64_t stride = axis.step > 1 ? 1 : axis.stride;
    inside.push_back({position * stride + axis_index(kernel, axis.phase), 0, axis.last + 1});
  };
  if (out.rows.output >= 0) {
    out.rows.position = add_axis(kernel, out.rows_of(out.band), "row");
    const Index row = axis_index(kernel, out.rows.position) + band_first(out);
    substitute(out.rows, row, kernel, replacement);
    limit(out.rows, row, 1);
  }
  out.columns.position = add_axis(kernel, out.pitch(), "column");
  const Index at = axis_index(kernel, out.columns.position);
  substitute(out.columns, at, kernel, replacement);
  limit(out.columns, at, out.multiple);
  out.staged = substitute_axes(element, replacement);
  if (!inside.empty())
    out.staged = Expr::cases({{inside, out.staged}}, Expr::constant(element.type(), 0));

  // Where the element of a tap lies.
  Index plane = 0;
  for (const int axis : out.planes)
    plane = plane * kernel.axes[static_cast<size_t>(axis)].extent + axis_index(kernel, axis);
  const auto along = [&](const SlidingAxis& axis) {
    return axis.tap < 0 ? Index(0)
                        : axis_index(kernel, axis.tap) * axis.dilation - least_of(axis, kernel);
  };
  const Index row = along(out.rows), col = along(out.columns);
  plane = plane * out.rows.phases + mod(row, out.rows.phases);
  plane = plane * out.columns.phases + mod(col, out.columns.phases);
  out.column_shift = floordiv(col, out.columns.step > 1 ? 1 : out.columns.stride);
  out.shift = plane * band_rows * out.pitch() + floordiv(row, out.rows.stride) * out.pitch() +
              out.column_shift;
  return out;
}

}  // namespace burin
