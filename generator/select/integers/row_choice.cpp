#include "select/integers/row_choice.h"

#include "hardware/capabilities.h"
#include "isa/dot_rows.h"
#include "isa/matrix_rows.h"
#include "select/axes/regroup.h"
#include "select/bytes/known_rows.h"
#include "select/tiles/register_tile.h"

namespace burin {

std::optional<RowChoice> choose_row(const Hardware& hardware, const isa::Rows& rows, Type sum,
                                    const std::optional<FactorNumbers>& numbers_a,
                                    const std::optional<FactorNumbers>& numbers_b) {
  std::optional<RowChoice> best;
  int64_t most = 0;
  for (const RowTiming& timing : hardware.rows) {
    for (const isa::Instruction* row : rows) {
      if (!isa::is_named(*row, timing.instruction)) continue;
      if (!isa::is_dot_row(*row) || row->values[0].type != sum) continue;
      const std::vector<Dim>& shape = row->values[2].shape;
      RowChoice one{row,
                    &timing,
                    static_cast<int>(shape[0].constant()),
                    static_cast<int>(shape[1].constant()),
                    0,
                    0};
      const auto fits = [&](const std::optional<FactorNumbers>& numbers, Type type,
                            int32_t& offset) {
        if (!numbers) return true;
        const std::optional<int32_t> found = offset_for(*numbers, type);
        if (found) offset = *found;
        return found.has_value();
      };
      if (!fits(numbers_a, row->values[1].type, one.offset_a) ||
          !fits(numbers_b, row->values[2].type, one.offset_b))
        continue;
      // Of two that are as fast, the one that has nothing to correct.
      const int64_t speed = int64_t{one.lanes} * one.group * timing.per_cycle * 4 -
                            (one.offset_a != 0) - (one.offset_b != 0);
      if (speed <= most) continue;
      most = speed;
      best = one;
    }
  }
  return best;
}

bool has_bf16_products(const Hardware& hardware, const isa::Rows& rows) {
  if (has_device(hardware)) return false;
  const std::optional<RowChoice> choice = choose_row(hardware, rows, Type::f32, {}, {});
  if (!choice) return false;
  const auto matrices = isa::find_matrix_rows({}, Type::bf16, Type::bf16);
  return is_faster_than_floats(*choice, hardware) || has_row(hardware, *matrices->add);
}

bool is_faster_than_floats(const RowChoice& choice, const Hardware& hardware) {
  const VectorUnit& floats = hardware.vector;
  return int64_t{choice.lanes} * choice.group * choice.timing->per_cycle >
         int64_t{floats.lanes(4)} * floats.fma_per_cycle;
}

int64_t cycles_of_products(const IntegerSum& found, const RowChoice& choice) {
  const Kernel& kernel = found.kernel;
  const int64_t products = at_least_one(extent_of(kernel, found.batch)) *
                           at_least_one(extent_of(kernel, found.m)) *
                           at_least_one(extent_of(kernel, found.n)) *
                           at_least_one(extent_of(kernel, kernel.lets[0].reduced));
  return products / (int64_t{choice.lanes} * choice.group * choice.timing->per_cycle);
}

}  // namespace burin
