#include "loops/verify/registers_freed.h"

#include <set>

#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {

std::optional<int64_t> register_bytes(const Buffer& buffer) {
  const Dim elements = product(buffer.shape);
  if (!elements.is_constant()) return std::nullopt;
  return size_bytes(buffer.type, elements.constant());
}

std::map<size_t, int64_t> registers_freed(const Stmts& block, const Program& program) {
  const std::set<BufferId> matrices = matrices_in(block);
  std::map<BufferId, int64_t> needed;
  for (const Stmt& stmt : block) {
    const auto* alloc = std::get_if<Alloc>(&stmt.node);
    if (!alloc || alloc->buffer < 0 || burin::at(alloc->buffer) >= program.buffers.size()) continue;
    const Buffer& buffer = program.buffers[burin::at(alloc->buffer)];
    if (buffer.scope != Scope::registers || matrices.contains(alloc->buffer)) continue;
    if (const std::optional<int64_t> bytes = register_bytes(buffer)) needed[alloc->buffer] = *bytes;
  }
  std::map<size_t, int64_t> out;
  for (size_t k = block.size(); k-- > 0 && !needed.empty();) {
    std::set<BufferId> used = touched_by({block[k]});
    if (const auto* alloc = std::get_if<Alloc>(&block[k].node)) used.insert(alloc->buffer);
    for (const BufferId one : used) {
      const auto last = needed.find(one);
      if (last == needed.end()) continue;
      out[k] += last->second;
      needed.erase(last);
    }
  }
  return out;
}

}  // namespace burin::loops
