#include "ops/api/math/sliding_window.h"

#include "ops/api/core/size_facts.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int64_t kMost = int64_t{1} << 31;  // of a stride, a pad ...: products stay in 64 bits

std::vector<int64_t> checked_list(const OpContext& op, std::string_view attribute, size_t count,
                                  int64_t least) {
  const std::vector<int64_t> list = op.integers(attribute);
  if (list.size() != count) {
    refuse("bad-attribute", std::string(attribute) + " has " + std::to_string(list.size()) +
                                " entries, not " + std::to_string(count));
  }
  for (const int64_t entry : list) {
    if (entry >= least && entry <= kMost) continue;
    const std::string what = std::string(attribute) + " has the entry " + std::to_string(entry);
    if (entry < 0 && attribute == "pads")
      refuse("bad-attribute", what,
             "those of a window are 0 or more; a Slice in front of the node takes rows away, or a "
             "Pad of negative pads");
    refuse("bad-attribute", what,
           "it may have " + std::to_string(least) + " to " + std::to_string(kMost));
  }
  return list;
}

}  // namespace

Index WindowAxis::taps_inside(const Index& o, const Dim& margin_before,
                              const Dim& margin_after) const {
  const Index start = o * stride - before;
  const Index first = max(ceildiv(-margin_before - start, dilation), 0);
  const Index end = min(ceildiv(input + margin_after - start, dilation), size);
  return end - first;
}

Shape Window::output() const {
  Shape out;
  for (const WindowAxis& axis : axes) out.push_back(axis.output);
  return out;
}

Shape Window::size() const {
  Shape out;
  for (const WindowAxis& axis : axes) out.push_back(axis.size);
  return out;
}

Indices Window::at(const Indices& o, const Indices& k) const {
  Indices out;
  for (size_t d = 0; d < axes.size(); ++d) out.push_back(axes[d].at(o[d], k[d]));
  return out;
}

Guard Window::inside(const Indices& coordinates) const {
  Guard guard;
  for (size_t d = 0; d < axes.size(); ++d) guard.push_back({coordinates[d], 0, axes[d].input});
  return guard;
}

std::vector<int64_t> spatial_list(const OpContext& op, std::string_view attribute, size_t count) {
  if (!op.has(attribute)) return std::vector<int64_t>(count, 1);
  return checked_list(op, attribute, count, 1);
}

std::vector<int64_t> spatial_pads(const OpContext& op, size_t count) {
  if (!op.has("pads")) return std::vector<int64_t>(2 * count, 0);
  return checked_list(op, "pads", 2 * count, 0);
}

Window window_of(OpContext& op, const Shape& input, const Shape& size, Places places) {
  const size_t count = input.size();
  const std::vector<int64_t> strides = spatial_list(op, "strides", count);
  const std::vector<int64_t> dilations = spatial_list(op, "dilations", count);
  const std::string auto_pad = op.text("auto_pad", "NOTSET");
  const bool same = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
  if (!same && auto_pad != "NOTSET" && auto_pad != "VALID" && !auto_pad.empty())
    refuse("bad-attribute", "auto_pad is " + quoted(auto_pad));
  std::vector<int64_t> pads = spatial_pads(op, count);
  if (auto_pad == "VALID") pads.assign(2 * count, 0);

  Window window;
  for (size_t d = 0; d < count; ++d) {
    WindowAxis axis{input[d], 0, size[d], strides[d], dilations[d], pads[d], pads[count + d]};
    const Dim reach = (axis.size - 1) * axis.dilation + 1;
    if (same) {
      axis.output = ceildiv(axis.input, axis.stride);
      const Dim all = max((axis.output - 1) * axis.stride + reach - axis.input, 0);
      const Dim half = floordiv(all, 2);
      axis.before = auto_pad == "SAME_UPPER" ? half : all - half;
      axis.after = all - axis.before;
    } else {
      const Dim room = axis.input + axis.before + axis.after - reach;
      axis.output = floordiv(room, axis.stride) + 1;
      if (places == Places::towards_zero && axis.stride > 1) {
        if (proven_lt(room, 0)) {
          axis.output = proven_lt(-axis.stride, room) ? 1 : 0;
        } else if (!proven_le(0, room)) {
          op.require({{axis.output, min(axis.input, 1), axis.output + 1}},
                     "a place for the window");
        }
      }
      if (places == Places::up) {
        // A window that would start behind the input and its padding before is left out.
        const Dim starts = ceildiv(axis.input + axis.before, axis.stride);
        axis.output = min(ceildiv(room, axis.stride) + 1, starts);
      }
    }
    if (proven_lt(axis.output, 0))
      refuse("shape-mismatch", "spatial dimension " + std::to_string(d) + " of " +
                                   to_string(axis.input) + ", padded by " +
                                   to_string(axis.before + axis.after) +
                                   ", is smaller than the window, which spans " + to_string(reach));
    require_nonnegative(op, axis.output, "extent of a window's output");
    window.axes.push_back(std::move(axis));
  }
  return window;
}

Shape spatial_shape(const Operand& x) {
  if (x.rank() < 3) {
    refuse("shape-mismatch", "the input has rank " + std::to_string(x.rank()) +
                                 "; it needs a batch, a channel and a spatial dimension");
  }
  return Shape(x.shape().begin() + 2, x.shape().end());
}

Shape kernel_shape(const OpContext& op, size_t count) {
  const std::vector<int64_t> list = checked_list(op, "kernel_shape", count, 1);
  return Shape(list.begin(), list.end());
}

std::vector<AttributeDef> window_attributes(bool kernel_required, int dilations) {
  return {{"auto_pad", AttributeKind::text},
          {"kernel_shape", AttributeKind::integers, kernel_required},
          {"strides", AttributeKind::integers},
          {"dilations", AttributeKind::integers, false, since(dilations)},
          {"pads", AttributeKind::integers}};
}

Operand with_channels_first(OpContext& op, const Operand& x) {
  if (x.rank() < 3) refuse("shape-mismatch", "X has shape " + to_string(x.shape()));
  Shape shape = x.shape();
  std::rotate(shape.begin() + 1, shape.end() - 1, shape.end());
  const Operand out = op.temporary("channels first", x.type(), shape);
  op.map(out, [&](const Indices& at) { return x.at(with_channels_last(at)); });
  return out;
}

}  // namespace burin
