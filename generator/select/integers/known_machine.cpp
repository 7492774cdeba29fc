#include "select/integers/known_machine.h"

#include "isa/all_rows.h"
#include "isa/pad_fours.h"
#include "select/bytes/known_rows.h"

namespace burin {

void know_machine(IntegerPlan& plan, const Hardware& hardware) {
  plan.moves = rows_that_move(hardware);
  plan.sum_of_row = row_that_sums(plan.a.type, hardware);
  plan.pads = has_padded_rows(hardware);
  plan.pads_fours =
      !is_float(plan.b.type) &&
      has_row(hardware, *isa::find_row(isa::pad_fours_name(Type::u8, Type::u8, 1, false)));
  plan.masks = hardware.instructions.mask;
  plan.float_vectors = !hardware.integer_vector || hardware.vector.vector_bytes > 0;
}

}  // namespace burin
