// Pooling: one combination of the taps of every window, or of a whole channel.
#pragma once

#include <functional>

#include "ops/api/core/op_def.h"
#include "ops/api/math/sliding_window.h"

namespace burin {

// One pooling kernel at work.
struct Pool {
  KernelBuilder& kernel;
  const Operand& x;
  const Window& window;
  Indices o;     // spatial point of the output
  Indices taps;  // reduced axes
  Indices from;  // point of X that the current tap reads, outside in the padding
  Guard inside;  // the tap is not in the padding

  // Taps inside the input, or inside the input and its padding; at least 1.
  Index count(bool with_padding) const {
    Index all = 1;
    for (size_t d = 0; d < o.size(); ++d) {
      const WindowAxis& axis = window.axes[d];
      const Index taps = with_padding ? axis.taps_inside(o[d], axis.before, axis.after)
                                      : axis.taps_inside(o[d], 0, 0);
      all *= max(taps, 1);
    }
    return all;
  }

  // f(element) of a tap, `otherwise` in the padding.
  Expr tap(const Expr& value, const Expr& otherwise) const {
    return Expr::cases({{inside, value}}, otherwise);
  }
};

// Declares output 0, and emits a kernel with what `pool` writes at the point `to`. With
// `channels_last` input and output are [N, spatial..., C]; the pool sees X with channels first.
void map_pool(OpContext& op,
              const std::function<void(const Pool& pool, const Operand& y, const Indices& to)>& f,
              bool channels_last = false);

// Y[n, c, 1 ...] = f of everything in the channel.
struct Channel {
  KernelBuilder& kernel;
  const Indices& row;
  Expr element;
  Dim count;
};
void map_channels(OpContext& op, const std::function<Expr(const Channel&)>& f);

OpDef global_pool_op(std::string name, TypeSet types, void (*lower)(OpContext&));

// The norm of order p of what `sum` adds up: (sum |x|^p)^(1/p).
Expr p_norm(double order, const Expr& element, const std::function<Expr(const Expr&)>& sum);
// The attribute p, an integer since opset 2; 2 unless given.
double norm_order(const OpContext& op);
std::vector<AttributeDef> norm_order_attributes();

// Less than or equal to everything: minus infinity, or the lowest integer.
Expr lowest_of(Type compute);

}  // namespace burin
