// The geometry of sliding windows: convolutions and pooling.
//
// Tap k of the window at output o lies at o*stride + k*dilation - before in the input (ONNX Conv,
// attributes kernel_shape, strides, dilations, pads, auto_pad).
#pragma once

#include <algorithm>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

struct WindowAxis {
  Dim input, output, size;  // extents; size: taps of the window
  int64_t stride = 1, dilation = 1;
  Dim before = 0, after = 0;  // padding

  Index at(const Index& o, const Index& k) const { return o * stride + k * dilation - before; }
  // How many taps of the window at `o` lie at coordinates in [-margin_before, input +
  // margin_after).
  Index taps_inside(const Index& o, const Dim& margin_before, const Dim& margin_after) const;
};

struct Window {
  std::vector<WindowAxis> axes;

  Shape output() const;
  Shape size() const;
  Indices at(const Indices& o, const Indices& k) const;
  // All coordinates inside the input; empty where that is certain.
  Guard inside(const Indices& coordinates) const;
};

// A list of positive numbers, one per spatial dimension; 1 each where the attribute is absent.
std::vector<int64_t> spatial_list(const OpContext& op, std::string_view attribute, size_t count);
// `pads` as given (begin ..., end ...), checked; zeros where absent.
std::vector<int64_t> spatial_pads(const OpContext& op, size_t count);

// How the number of places is rounded, where strides leave something over. Pools round towards
// zero, as ONNX's inference of shapes and onnxruntime do: a window that is less than a stride
// larger than the padded input has one place there, and none in a convolution. Of open sizes the
// run then checks that the window fits.
enum class Places : uint8_t { down, towards_zero, up };

// The window of a node whose input has spatial dimensions `input`. `up` is ceil_mode.
Window window_of(OpContext& op, const Shape& input, const Shape& size,
                 Places places = Places::down);

// The dimensions behind batch and channel; refused when there are none.
Shape spatial_shape(const Operand& x);

// kernel_shape of an operator whose window is not a tensor.
Shape kernel_shape(const OpContext& op, size_t count);

// The attributes that window_of reads, and kernel_shape. `kernel_required`: of an operator whose
// window is not a tensor; `dilations`: the opset from which on it has them.
std::vector<AttributeDef> window_attributes(bool kernel_required = false, int dilations = 1);

// [n, spatial..., c] of [n, c, spatial...].
template <class T>
std::vector<T> with_channels_last(std::vector<T> list) {
  std::rotate(list.begin() + 1, list.begin() + 2, list.end());
  return list;
}
// x, which is [n, spatial..., c], as [n, c, spatial...].
Operand with_channels_first(OpContext& op, const Operand& x);

}  // namespace burin
