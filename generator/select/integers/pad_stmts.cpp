// Planes whose rows get another pitch, by one call each: what is staged with its margins, results
// without the gaps between their rows.
#include "isa/all_rows.h"
#include "isa/fold_rows.h"
#include "isa/pad_rows.h"
#include "kernel/layout.h"
#include "select/axes/guards.h"
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

}  // namespace

IntegerStmts::Stmts IntegerStmts::pad_plane(const PlaneRows& plane, const Expr& element,
                                            BufferId to, std::vector<Index> first) {
  if (!plan_.pads || !plane.pitch.is_constant()) return {};
  Expr value = element, fill;
  Bounds rows{0, plane.rows}, columns{0, plane.width};
  if (element.kind() == ExprKind::cases) {
    if (element->cases.size() != 1) return {};
    value = element->cases[0].value;
    fill = element->operands[0];
    for (const Condition& one : element->cases[0].guard) {
      const bool of_row = one.index.uses_axis(plane.row),
                 of_column = one.index.uses_axis(plane.column);
      if (one.index.has_data() || of_row == of_column) return {};
      if (of_row ? !narrow_bounds(one, plane.row, plane.rows, rows)
                 : !narrow_bounds(one, plane.column, plane.width, columns))
        return {};
    }
  }
  const Type type = program_.buffers[at(to)].type;
  const std::optional<loops::MovedByte> byte = loops::moved_byte(value, type);
  if (!byte || byte->load->id == to) return {};
  const Index width = columns.end - columns.begin;
  if (!columns.begin.is_constant() || !width.is_constant() || width.constant() < 1) return {};
  // Rows that are there, and how far apart they are.
  rows.end = max(rows.begin, rows.end);
  const loops::Buffer& from = program_.buffers[at(byte->load->id)];
  const Index place = address(from.layout, from.shape, byte->load->at);
  if (place.has_data()) return {};
  const Index along_row = place - var(plane.column),
              step = loops::with_var(place, plane.row, var(plane.row) + 1) - place;
  if (along_row.uses_axis(plane.column) || !step.is_constant()) return {};

  Stmts out;
  const BufferId filling = buffer(Scope::stack, loops::free_name(program_, "filling"), type, {1});
  out.push_back({loops::Alloc{filling}});
  if (!fill) fill = Expr::constant(type, 0);
  if (loops::moves_with(fill, plane.row) || loops::moves_with(fill, plane.column)) return {};
  out.push_back(store(filling, {Index(0)}, fill));
  const auto region = [&](const Index& row, const Dim& count) {
    Region there{to, first, std::vector<Dim>(first.size(), Dim(1))};
    there.first.back() = there.first.back() + row * plane.pitch;
    there.extent.back() = count;
    return there;
  };
  const auto fill_rows = [&](const Index& begin, const Index& end) {
    if (begin == end) return;
    const Dim count = (end - begin) * plane.pitch;
    out.push_back({Call{isa::find_row(isa::fill_name(type)),
                        {region(begin, count), Region{filling, {0}, {1}}},
                        {count}}});
  };
  fill_rows(0, rows.begin);
  std::vector<Index> source;
  for (const Index& index : byte->load->at)
    source.push_back(loops::with_var(loops::with_var(index, plane.row, rows.begin), plane.column,
                                     columns.begin));
  const Dim count = rows.end - rows.begin;
  Region read{byte->load->id, source, std::vector<Dim>(source.size(), Dim(1))};
  read.extent.back() = (count - 1) * step + width;
  Stmts pad{Stmt{Call{isa::find_row(isa::pad_name(byte->load->storage, type)),
                      {region(rows.begin, count * plane.pitch), read, Region{filling, {0}, {1}}},
                      {count, plane.pitch, width, columns.begin, step}}}};
  // Of a band there may be none.
  if (!proven_le(1, count)) pad = {Stmt{loops::If{{{count, 1, plane.rows + 1}}, pad, {}}}};
  append(out, std::move(pad));
  fill_rows(rows.end, plane.rows);
  return out;
}

}  // namespace burin
