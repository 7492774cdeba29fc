#include "select/axes/long_rows.h"

#include <algorithm>

#include "select/axes/merge_axes.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int64_t kFewVectors = 8;

bool is_narrow(Type type) {
  return type == Type::i8 || type == Type::u8 || type == Type::i16 || type == Type::u16;
}

// Whether elements of bytes or words are read or written beside floats.
bool mixes_widths(const Write& write, const std::vector<Value>& values) {
  bool narrow = is_narrow(values[at(write.to)].type), floats = !narrow;
  visit(write.value, [&](const ExprNode& node) {
    narrow = narrow || (node.kind == ExprKind::load && is_narrow(node.storage));
    floats = floats || node.type == Type::f32;
  });
  return narrow && floats;
}

}  // namespace

Kernel with_long_rows(const Kernel& kernel, const std::vector<Value>& values,
                      const Hardware& hardware) {
  if (!kernel.lets.empty() || kernel.writes.size() != 1 || !mixes_widths(kernel.writes[0], values))
    return kernel;
  Kernel out = kernel;
  const int64_t lanes = std::max(1, hardware.vector.lanes(4));
  while (out.axes.size() > 2) {
    const int inner = static_cast<int>(out.axes.size()) - 1;
    const Dim& extent = out.axes[at(inner)].extent;
    if (!extent.is_constant() ||
        (extent.constant() % lanes == 0 && extent.constant() >= kFewVectors * lanes))
      break;
    std::optional<Kernel> next = merge_pair(out, inner - 1, inner, values);
    if (!next) break;
    out = std::move(*next);
  }
  return out;
}

}  // namespace burin
