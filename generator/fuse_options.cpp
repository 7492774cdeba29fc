#include "fuse_options.h"

#include "hardware/capabilities.h"
#include "select/finish.h"
#include "select/parallel.h"

namespace burin {
namespace {

// Whether a product of matrices may normalise its rows: in loops of a CPU, of floats that lie in
// memory row by row.
bool may_finish_rows(const CompileOptions& options, const Hardware& hardware) {
  return !has_device(hardware) && hardware.isa != Isa::kHexagon && options.half == HalfUse::off &&
         options.layouts != LayoutUse::chosen &&
         (!options.locked_layouts || options.locked_layouts->empty());
}

}  // namespace

FuseOptions fuse_options(const CompileOptions& options, const Hardware& hardware) {
  FuseOptions out = options.fuse;
  if (!has_device(hardware)) out.small_operations = unshared_operations(hardware);
  if (may_finish_rows(options, hardware)) {
    out.finished_bytes = finished_bytes(hardware.memory);
    out.finished_rows = least_finished_rows(hardware);
  }
  out.multiply_adds_per_byte = multiply_adds_per_byte(hardware);
  out.function_operations = hardware.vector.function_cycles;
  return out;
}

}  // namespace burin
