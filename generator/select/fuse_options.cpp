#include "select/fuse_options.h"

#include "hardware/capabilities.h"
#include "isa/all_rows.h"
#include "isa/byte_rows.h"
#include "isa/fold_rows.h"
#include "select/axes/working_set.h"
#include "select/bits/bit_plan.h"
#include "select/bytes/known_rows.h"
#include "select/integers/row_choice.h"
#include "select/rows/back_to_back.h"
#include "select/rows/row_blocks.h"
#include "select/rows/row_epilogue.h"
#include "select/threads/parallel.h"
#include "select/tiles/short_code.h"

namespace burin {
namespace {

constexpr int64_t kChainsOfBytes = 4;  // times as many nodes a kernel

}  // namespace

FuseOptions fuse_options(const FuseOptions& switches, const Hardware& hardware, bool in_rows) {
  FuseOptions out = switches;
  out.working_set_bytes = working_set_bytes(hardware.memory);
  // Kernels that stay apart are shared, and what lies between them shares bytes of the arena.
  const bool joins = !has_device(hardware) && !short_code(hardware);
  if (joins) out.small_operations = unshared_operations(hardware);
  if (in_rows && joins && hardware.isa != Isa::kHexagon) {
    out.row_epilogue_bytes = working_set_bytes(hardware.memory);
    out.row_epilogue_rows = least_epilogue_rows(hardware);
    out.between = back_to_back_room(hardware);
  }
  out.step_sums = short_code(hardware);
  // Sums of integers are the same in every order, those of floats are not.
  out.integer_products = !has_device(hardware);
  out.bf16_products = has_bf16_products(hardware, isa::all_rows());
  out.stores_repeats = joins;
  out.least_signs = least_signs_of_word(hardware);
  out.bytes_in_vectors = hardware.integer_vector && hardware.vector.vector_bytes == 0;
  out.byte_products =
      !has_device(hardware) && has_row(hardware, *isa::find_row(isa::fill_name(Type::u8)));
  // Where vectors look bytes up, chains of these are tables, however long.
  if (out.bytes_in_vectors && has_row(hardware, isa::kTableInstruction))
    out.most_nodes *= kChainsOfBytes;
  out.multiply_adds_per_byte = multiply_adds_per_byte(hardware);
  out.function_operations = hardware.vector.function_cycles;
  return out;
}

}  // namespace burin
