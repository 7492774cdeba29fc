// The weights as bytes.
#include "softmax_sym_memory.h"

namespace softmax_sym_memory {
namespace {

alignas(64) constexpr char kBytes[] =
    "";

}  // namespace

const uint8_t* embedded_weights() { return reinterpret_cast<const uint8_t*>(kBytes); }

}  // namespace softmax_sym_memory
