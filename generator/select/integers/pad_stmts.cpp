// Planes whose rows get another pitch, by one call each: what is staged with its margins, results
// without the gaps between their rows.
#include "isa/all_rows.h"
#include "isa/fold_rows.h"
#include "isa/move_rows.h"
#include "isa/pad_fours.h"
#include "isa/pad_rows.h"
#include "kernel/layout.h"
#include "select/integers/stmts.h"

namespace burin {
namespace {

// Bounds of a variable, within [0, end).
bool narrow_bounds(const Condition& condition, int var, const Index& end, Bounds& bounds) {
  const std::optional<Bounds> found = bounds_of(condition, var);
  if (!found) return false;
  bounds.begin = max(bounds.begin, min(found->begin, end));
  bounds.end = min(bounds.end, found->end);
  return true;
}

// nullopt: conditions are of something else, or there are several numbers. With `has_limit` the
// outermost are those of the window: what is behind its last position only sums read that are
// dropped, so it may be any number.
std::optional<PlaneMargins> margins_of(const Expr& element, int row, const Index& rows, int column,
                                       const Index& width, bool has_limit) {
  PlaneMargins out{element, {}, {0, rows}, {0, width}};
  while (out.value.kind() == ExprKind::cases) {
    const Expr whole = out.value;
    if (whole->cases.size() != 1) return std::nullopt;
    out.value = whole->cases[0].value;
    const Expr& fill = whole->operands[0];
    if (out.fill && !has_limit && !(out.fill == fill)) return std::nullopt;
    has_limit = has_limit && !out.fill;
    out.fill = fill;
    for (const Condition& one : whole->cases[0].guard) {
      const bool of_row = one.index.uses_axis(row), of_column = one.index.uses_axis(column);
      if (one.index.has_data() || of_row == of_column) return std::nullopt;
      if (of_row ? !narrow_bounds(one, row, rows, out.rows)
                 : !narrow_bounds(one, column, width, out.columns))
        return std::nullopt;
    }
  }
  // Rows that are there.
  out.rows.end = max(out.rows.begin, out.rows.end);
  const Index there = out.columns.end - out.columns.begin;
  if (!out.columns.begin.is_constant() || !there.is_constant() || there.constant() < 1)
    return std::nullopt;
  return out;
}

}  // namespace

// Rows of `count` bytes each that are filled, the plane's bytes, rows that are filled.
IntegerStmts::Stmts IntegerStmts::padded(const PlaneRows& plane, const Bounds& rows,
                                         const Expr& fill, BufferId to,
                                         const std::function<Region(const Index& row)>& from_row,
                                         const std::function<Call(const Region& fill)>& call) {
  const Type type = program_.buffers[at(to)].type;
  if (loops::moves_with(fill, plane.row) || loops::moves_with(fill, plane.column)) return {};
  Stmts out;
  const BufferId filling = buffer(Scope::stack, "filling", type, {1});
  out.push_back({loops::Alloc{filling}});
  const Region one{filling, {0}, {1}};
  Dim elements = 1;
  for (const Dim& dim : program_.buffers[at(to)].shape) elements *= dim;
  out.push_back(store(filling, {Index(0)}, fill));
  const auto fill_rows = [&](const Index& begin, const Index& end) {
    if (begin == end) return;
    Region there = from_row(begin);
    const Dim group = there.extent.back();
    Dim count = (end - begin) * plane.pitch * group;
    // Whole vectors, where what is behind is staged later or nothing.
    const Dim whole = ceildiv(count, isa::kBytesAtOnce) * isa::kBytesAtOnce;
    if (plane.is_first && count.is_constant() &&
        proven_le(there.first[0] * group + whole, elements))
      count = whole;
    there.extent.back() = count;
    out.push_back({Call{isa::find_row(isa::fill_name(type)), {std::move(there), one}, {count}}});
  };
  fill_rows(0, rows.begin);
  fill_rows(rows.end, plane.rows);
  const Dim count = rows.end - rows.begin;
  Stmts pad{Stmt{call(one)}};
  // Of a band there may be none.
  if (!proven_le(1, count)) pad = {Stmt{loops::If{{{count, 1, plane.rows + 1}}, pad, {}}}};
  append(out, std::move(pad));
  return out;
}

IntegerStmts::Stmts IntegerStmts::pad_plane(const PlaneRows& plane, const Expr& element,
                                            BufferId to, std::vector<Index> first) {
  if (!plan_.pads || !plane.pitch.is_constant()) return {};
  const std::optional<PlaneMargins> margins =
      margins_of(element, plane.row, plane.rows, plane.column, plane.width, plane.has_limit);
  if (!margins) return {};
  const Type type = program_.buffers[at(to)].type;
  const std::optional<PlaneBytes> bytes = plane_bytes(plane, *margins, type);
  if (!bytes || bytes->read.buffer == to || bytes->stride != 1) return {};
  const auto from_row = [&](const Index& row) {
    Region there{to, first, std::vector<Dim>(first.size(), Dim(1))};
    there.first.back() = there.first.back() + row * plane.pitch;
    return there;
  };
  return padded(
      plane, margins->rows, margins->fill ? margins->fill : Expr::constant(type, 0), to, from_row,
      [&](const Region& fill) {
        Region there = from_row(margins->rows.begin);
        there.extent.back() = bytes->count * plane.pitch;
        const bool known = bytes->width.is_constant() && bytes->step.is_constant();
        return Call{isa::find_row(isa::pad_name(bytes->type, type, known)),
                    {there, bytes->read, fill},
                    {bytes->count, plane.pitch, bytes->width, margins->columns.begin, bytes->step}};
      });
}

IntegerStmts::Stmts IntegerStmts::pad_fours(const PlaneRows& plane, const Expr& element,
                                            BufferId to, const Index& first) {
  if (!plan_.pads_fours || !plane.pitch.is_constant() || plan_.group != isa::kInterleaved)
    return {};
  const Type type = program_.buffers[at(to)].type;
  std::optional<PlaneMargins> margins;
  std::vector<PlaneBytes> all;
  for (int q = 0; q < isa::kInterleaved; ++q) {
    std::optional<PlaneMargins> own =
        margins_of(with_axis(element, plan_.within, q), plane.row, plane.rows, plane.column,
                   plane.width, plane.has_limit);
    if (!own) return {};
    if (!own->fill) own->fill = Expr::constant(type, 0);
    const std::optional<PlaneBytes> bytes = plane_bytes(plane, *own, type);
    if (!bytes || bytes->read.buffer == to || bytes->stride > isa::kMostPadStride) return {};
    const bool same = !margins || (margins->fill == own->fill && margins->rows == own->rows &&
                                   margins->columns == own->columns && bytes->same(all[0]));
    if (!same) return {};
    margins = std::move(own);
    all.push_back(*bytes);
  }
  const auto from_row = [&](const Index& row) {
    return Region{to, {first + row * plane.pitch, 0}, {1, isa::kInterleaved}};
  };
  return padded(plane, margins->rows, margins->fill, to, from_row, [&](const Region& fill) {
    Region there = from_row(margins->rows.begin);
    there.extent = {all[0].count * plane.pitch, isa::kInterleaved};
    std::vector<Region> operands{there};
    for (const PlaneBytes& one : all) operands.push_back(one.read);
    operands.push_back(fill);
    const bool known = all[0].width.is_constant() && all[0].step.is_constant() &&
                       proven_le(plane.pitch, isa::kKnownGroups);
    return Call{isa::find_row(
                    isa::pad_fours_name(all[0].type, type, static_cast<int>(all[0].stride), known)),
                std::move(operands),
                {all[0].count, plane.pitch, all[0].width, margins->columns.begin, all[0].step}};
  });
}

IntegerStmts::Stmts IntegerStmts::margin_behind(BufferId staged, const Index& rows,
                                                const Index& place) {
  const SlidingWindow& window = *plan_.window;
  if (window.shared == 0) return {};
  const int column = variable("margin_column", window.shared);
  const Index first =
      loops::with_var(loops::with_var(place, window.rows.position, 0), window.columns.position, 0);
  const Index there = first + rows * buffers_.index(window.pitch()) + var(column);
  const Expr margin = buffers_.expr(window.margin);
  return {loop(column, 0, window.shared,
               over_group({store(staged, {there, var(plan_.within)}, margin)}))};
}

std::optional<IntegerStmts::PlaneBytes> IntegerStmts::plane_bytes(const PlaneRows& plane,
                                                                  const PlaneMargins& margins,
                                                                  Type to) const {
  const std::optional<loops::MovedByte> byte = loops::moved_byte(margins.value, to);
  if (!byte) return std::nullopt;
  const loops::Buffer& from = program_.buffers[at(byte->load->id)];
  const Index place = address(from.layout, from.shape, byte->load->at);
  if (place.has_data()) return std::nullopt;
  const auto step_of = [&](int axis) {
    return loops::with_var(place, axis, var(axis) + 1) - place;
  };
  const Index stride = step_of(plane.column), step = step_of(plane.row);
  if (!stride.is_constant() || !step.is_constant() || stride.constant() < 1) return std::nullopt;
  PlaneBytes out;
  out.type = byte->load->storage;
  out.width = margins.columns.end - margins.columns.begin;
  out.count = margins.rows.end - margins.rows.begin;
  out.step = step;
  out.stride = stride.constant();
  out.read = {byte->load->id, {}, {}};
  for (const Index& index : byte->load->at)
    out.read.first.push_back(loops::with_var(loops::with_var(index, plane.row, margins.rows.begin),
                                             plane.column, margins.columns.begin));
  out.read.extent.assign(out.read.first.size(), Dim(1));
  out.read.extent.back() = (out.count - 1) * step + (out.width - 1) * stride + 1;
  return out;
}

}  // namespace burin
