// BlackmanWindow: the Blackman window of a given size. Since opset 17.
#include "ops/api/math/cosine_window.h"

namespace burin::blackman_window_op {
namespace {

void lower(OpContext& op) { map_cosine_window(op, 0.42, 0.5, 0.08); }

}  // namespace

OpDef definition() { return cosine_window_op("BlackmanWindow", lower); }

}  // namespace burin::blackman_window_op
