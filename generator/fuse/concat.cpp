#include "fuse/concat.h"

namespace burin {

std::vector<ConcatPart> concat_parts(const Kernel& map, const std::vector<Value>& values) {
  const Write& write = map.writes[0];
  if (write.value.kind() != ExprKind::cases) return {};
  std::vector<Expr> pieces;
  for (const Expr::Case& one : write.value->cases) pieces.push_back(one.value);
  pieces.push_back(write.value->operands[0]);
  std::vector<ConcatPart> parts;
  std::vector<Dim> covered(write.at.size(), Dim(0));
  const std::vector<Dim>& whole = values[static_cast<size_t>(write.to)].shape;
  for (const Expr& piece : pieces) {
    if (piece.kind() != ExprKind::load || piece->at.size() != write.at.size()) return {};
    ConcatPart part{piece->id, {}};
    const std::vector<Dim>& shape = values[static_cast<size_t>(piece->id)].shape;
    for (size_t d = 0; d < shape.size(); ++d) {
      const Index offset = write.at[d] - piece->at[d];
      if (offset.has_axes() || offset.has_data()) return {};
      part.offset.push_back(offset);
      if (shape[d] == whole[d] && offset.is_constant(0)) {
        if (covered[d].is_constant(0)) covered[d] = whole[d];
      } else {
        covered[d] += shape[d];
      }
    }
    parts.push_back(std::move(part));
  }
  if (covered != whole) return {};
  return parts;
}

Kernel copy_of_parts(const Kernel& map, const std::vector<ConcatPart>& parts,
                     const std::vector<Value>& values) {
  Kernel copy;
  copy.name = map.name;
  copy.origins = map.origins;
  for (const ConcatPart& part : parts) {
    Write write;
    write.to = map.writes[0].to;
    std::vector<Index> point;
    for (const Dim& dim : values[static_cast<size_t>(part.from)].shape) {
      const Index axis = Index::axis(static_cast<int>(copy.axes.size()), dim);
      if (axis.kind() == IndexKind::axis) {
        write.over.push_back(axis.axis_id());
        copy.axes.push_back({dim, AxisKind::parallel, {}});
      }
      point.push_back(axis);
    }
    for (size_t d = 0; d < point.size(); ++d) write.at.push_back(point[d] + part.offset[d]);
    write.value = Expr::load(part.from, values[static_cast<size_t>(part.from)].type, point);
    copy.writes.push_back(std::move(write));
  }
  return copy;
}

}  // namespace burin
