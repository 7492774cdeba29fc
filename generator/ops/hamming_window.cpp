// HammingWindow: the Hamming window of a given size. Since opset 17.
#include "ops/api/math/cosine_window.h"

namespace burin::hamming_window_op {
namespace {

void lower(OpContext& op) { map_cosine_window(op, 25.0 / 46, 21.0 / 46, 0); }

}  // namespace

OpDef definition() { return cosine_window_op("HammingWindow", lower); }

}  // namespace burin::hamming_window_op
