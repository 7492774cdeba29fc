#include "loops/verify/registers_freed.h"

#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {

std::optional<int64_t> register_bytes(const Buffer& buffer) {
  const Dim elements = product(buffer.shape);
  if (!elements.is_constant()) return std::nullopt;
  return size_bytes(buffer.type, elements.constant());
}

std::map<size_t, int64_t> registers_freed(const Stmts& block, const Program& program) {
  std::map<size_t, int64_t> out;
  for (size_t k = 0; k < block.size(); ++k) {
    const auto* alloc = std::get_if<Alloc>(&block[k].node);
    if (!alloc || alloc->buffer < 0 || burin::at(alloc->buffer) >= program.buffers.size()) continue;
    const Buffer& buffer = program.buffers[burin::at(alloc->buffer)];
    const std::optional<int64_t> bytes =
        buffer.scope == Scope::registers ? register_bytes(buffer) : std::nullopt;
    if (!bytes) continue;
    size_t last = k;
    for (size_t j = block.size(); j-- > k + 1 && last == k;) {
      if (touched_by({block[j]}).contains(alloc->buffer)) last = j;
    }
    out[last] += *bytes;
  }
  return out;
}

}  // namespace burin::loops
