#include "ops/api/gather.h"

#include "ops/api/movement.h"

namespace burin {

std::function<Index(const Indices&)> index_reader(OpContext& op, int input, const Dim& extent) {
  const Operand indices = op.input(input);
  const auto load = [indices, extent](const Indices& at) {
    return data_index(indices.at(at), extent);
  };
  const std::optional<std::vector<Dim>> known = op.known(input);
  if (!known || known->empty()) return load;
  std::vector<Index> entries;
  for (const Dim& dim : *known) {
    if (!dim.is_constant()) return load;
    entries.push_back(known_index(dim.constant(), extent, "index"));
  }
  if (entries.size() == 1) {
    return [entry = entries[0]](const Indices&) { return entry; };
  }
  const Index step = entries[1] - entries[0];
  if (indices.rank() != 1 || !step.is_constant()) return load;
  for (size_t k = 2; k < entries.size(); ++k) {
    if (entries[k] - entries[k - 1] != step) return load;
  }
  return [first = entries[0], step](const Indices& at) { return first + step * at[0]; };
}

}  // namespace burin
