// HannWindow: the Hann window of a given size. Since opset 17.
#include "ops/api/math/cosine_window.h"

namespace burin::hann_window_op {
namespace {

void lower(OpContext& op) { map_cosine_window(op, 0.5, 0.5, 0); }

}  // namespace

OpDef definition() { return cosine_window_op("HannWindow", lower); }

}  // namespace burin::hann_window_op
