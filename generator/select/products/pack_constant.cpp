// Packing of a constant factor at generation. Plain loads at affine addresses are copied by native
// strided loops, since they are the weights of a whole model; everything else goes through the
// interpreter.
#include <cstring>

#include "kernel/interpreter/interpreter.h"
#include "kernel/layout.h"
#include "kernel/tensor.h"
#include "select/axes/affine_address.h"
#include "select/products/contraction.h"
#include "support/check.h"
#include "support/mapped_pages.h"

namespace burin {
namespace {

int64_t extent_along(const Kernel& kernel, int axis) {
  return axis < 0 ? 1 : kernel.axes[static_cast<size_t>(axis)].extent.constant();
}

// The points of `axes` in row-major order: calls visit(offset) with the sum of strides.
template <class Visit>
void each_point(const Kernel& kernel, const std::vector<int>& axes, const AffineAddress& affine,
                const Visit& visit) {
  std::vector<int64_t> at(axes.size(), 0);
  int64_t offset = affine.base;
  for (const int axis : axes) {
    if (extent_along(kernel, axis) == 0) return;
  }
  for (;;) {
    visit(offset);
    size_t d = axes.size();
    for (; d-- > 0;) {
      const int64_t stride = affine.strides[static_cast<size_t>(axes[d])];
      offset += stride;
      if (++at[d] < extent_along(kernel, axes[d])) break;
      offset -= at[d] * stride;
      at[d] = 0;
    }
    if (d == static_cast<size_t>(-1)) return;
  }
}

// `source(i)` is element number i of the constant as one of the panels.
template <class Element, class Source>
Constant pack_natively(const Contraction& contraction, const AffineAddress& affine,
                       const Source& source, int lane, int width) {
  const Kernel& kernel = contraction.kernel;
  const int64_t lanes = extent_along(kernel, lane);
  const int64_t blocks = (lanes + width - 1) / width;
  const int64_t lane_stride = lane < 0 ? 0 : affine.strides[static_cast<size_t>(lane)];
  int64_t depth = 1, batches = 1;
  for (const int axis : contraction.schedule.k) depth *= extent_along(kernel, axis);
  for (const int axis : contraction.schedule.batch) batches *= extent_along(kernel, axis);
  std::vector<std::byte> bytes(static_cast<size_t>(batches * blocks * depth * width) *
                               sizeof(Element));
  Element* to = reinterpret_cast<Element*>(bytes.data());
  each_point(kernel, contraction.schedule.batch, affine, [&](int64_t batch_offset) {
    for (int64_t block = 0; block < blocks; ++block) {
      const int64_t first = block * width;
      const int64_t count = std::min<int64_t>(width, lanes - first);
      AffineAddress inner = affine;
      inner.base = batch_offset + first * lane_stride;
      each_point(kernel, contraction.schedule.k, inner, [&](int64_t offset) {
        for (int64_t r = 0; r < count; ++r) to[r] = source(offset + r * lane_stride);
        to += width;  // beyond `count` the panel stays zero
      });
    }
  });
  return make_constant(std::move(bytes));
}

Constant panels_of(const Contraction& contraction, const TileFactor& factor, int lane, int width,
                   const std::vector<Value>& values, Type type) {
  const Kernel& kernel = contraction.kernel;
  const Expr& element = factor.element;
  if (element.kind() == ExprKind::load && compute_type(element->storage) == Type::f32) {
    const Value& value = values[static_cast<size_t>(element->id)];
    const auto affine = affine_address(linearize(element->at, value.shape), kernel.axes.size());
    if (affine && element->storage == Type::f32 && type == Type::f32) {
      const auto* from = reinterpret_cast<const float*>(value.constant.data);
      return pack_natively<float>(
          contraction, *affine, [=](int64_t i) { return from[i]; }, lane, width);
    }
    if (affine && element->storage == Type::f16 && type == Type::f16) {
      const auto* from = reinterpret_cast<const uint16_t*>(value.constant.data);
      return pack_natively<uint16_t>(
          contraction, *affine, [=](int64_t i) { return from[i]; }, lane, width);
    }
    if (affine && type == Type::f32) {
      const LoadFunction load = load_function(element->storage);
      const std::byte* from = value.constant.data;
      const auto widened = [=](int64_t i) { return static_cast<float>(load(from, i).number); };
      return pack_natively<float>(contraction, *affine, widened, lane, width);
    }
  }
  // A kernel that writes the panels: block and place within it instead of the lane.
  Kernel pack;
  Value packed;
  Write write;
  std::vector<Index> replacement(kernel.axes.size(), Index(0));
  const auto add = [&](const Dim& extent) {
    const int id = static_cast<int>(pack.axes.size());
    const Index axis = Index::axis(id, extent);
    if (axis.kind() == IndexKind::axis) {
      pack.axes.push_back({extent, AxisKind::parallel, {}});
      write.over.push_back(id);
    }
    packed.shape.push_back(extent);
    write.at.push_back(axis);
    return axis;
  };
  for (const int axis : contraction.schedule.batch)
    replacement[static_cast<size_t>(axis)] = add(kernel.axes[static_cast<size_t>(axis)].extent);
  const Dim lanes = lane < 0 ? Dim(1) : kernel.axes[static_cast<size_t>(lane)].extent;
  const Index block = add(ceildiv(lanes, width));
  for (const int axis : contraction.schedule.k)
    replacement[static_cast<size_t>(axis)] = add(kernel.axes[static_cast<size_t>(axis)].extent);
  const Index at = block * width + add(width);
  if (lane >= 0) replacement[static_cast<size_t>(lane)] = at;
  std::vector<Value> all = values;
  const auto id = static_cast<ValueId>(all.size());
  packed.type = type;
  write.to = id;
  write.value = Expr::cases({{{{at, 0, lanes}}, substitute_axes(element, replacement)}},
                            Expr::constant(element.type(), 0));
  all.push_back(packed);
  pack.writes.push_back(std::move(write));
  Environment environment;
  const RunResult result = execute_steps({Step(pack)}, all, environment);
  BURIN_CHECK(result.status == kRunOk, result.message);
  return to_constant(environment.tensor(all, id));
}

}  // namespace

Constant pack_constant(const Contraction& contraction, const TileFactor& factor, int lane,
                       int width, const std::vector<Value>& values, Type type) {
  const Constant packed = panels_of(contraction, factor, lane, width, values, type);
  // Nobody looks at the sources again.
  visit(factor.element, [&](const ExprNode& node) {
    if (node.kind != ExprKind::load) return;
    const Constant& source = values[static_cast<size_t>(node.id)].constant;
    forget_pages(source.data, source.bytes, source.owner);
  });
  return packed;
}

}  // namespace burin
