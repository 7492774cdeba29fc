#include "ops/api/movement/concatenate.h"

#include "support/diagnostics.h"

namespace burin {
namespace {

// Equal but for the extent of `axis`; -1: in all dimensions.
void require_alike(OpContext& op, const Operand& first, const Operand& other, int axis) {
  if (other.type() != first.type())
    refuse("type-mismatch", "inputs have types " + std::string(to_string(first.type())) + " and " +
                                std::string(to_string(other.type())));
  if (other.rank() != first.rank()) {
    refuse("shape-mismatch", "inputs have ranks " + std::to_string(first.rank()) + " and " +
                                 std::to_string(other.rank()));
  }
  for (int d = 0; d < first.rank(); ++d) {
    if (d != axis) op.require_equal(first.dim(d), other.dim(d), "input dimension");
  }
}

}  // namespace

Shape concatenated_shape(OpContext& op, const std::vector<Operand>& parts, int axis) {
  Shape shape = parts[0].shape();
  Dim& along = shape[static_cast<size_t>(axis)];
  along = 0;
  for (const Operand& part : parts) {
    require_alike(op, parts[0], part, axis);
    along += part.dim(axis);
  }
  return shape;
}

void map_concatenated(OpContext& op, const Operand& to, const std::vector<Operand>& parts,
                      int axis) {
  std::vector<Operand> filled;
  for (const Operand& part : parts) {
    if (!part.dim(axis).is_constant(0)) filled.push_back(part);
  }
  if (filled.empty()) filled.push_back(parts[0]);
  const size_t along = static_cast<size_t>(axis);
  op.map(to, [&](const Indices& at) {
    std::vector<Expr::Case> pieces;
    Dim begin = 0;
    for (const Operand& part : filled) {
      Indices from = at;
      from[along] -= begin;
      const Dim end = begin + part.dim(axis);
      pieces.push_back({{{at[along], begin, end}}, part.at(std::move(from))});
      begin = end;
    }
    const Expr last = pieces.back().value;
    pieces.pop_back();
    return Expr::cases(std::move(pieces), last);
  });
}

Shape stacked_shape(OpContext& op, const std::vector<Operand>& parts, int axis) {
  for (const Operand& part : parts) require_alike(op, parts[0], part, -1);
  Shape shape = parts[0].shape();
  shape.insert(shape.begin() + axis, Dim(static_cast<int64_t>(parts.size())));
  return shape;
}

void map_stacked(OpContext& op, const Operand& to, const std::vector<Operand>& parts, int axis) {
  op.map(to, [&](const Indices& at) {
    Indices from = at;
    from.erase(from.begin() + axis);
    const Index& number = at[static_cast<size_t>(axis)];
    std::vector<Expr::Case> pieces;
    for (size_t k = 0; k + 1 < parts.size(); ++k) {
      const auto begin = static_cast<int64_t>(k);
      pieces.push_back({{{number, begin, begin + 1}}, parts[k].at(from)});
    }
    return Expr::cases(std::move(pieces), parts.back().at(from));
  });
}

}  // namespace burin
