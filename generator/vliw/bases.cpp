#include "vliw/bases.h"

#include <algorithm>
#include <optional>

#include "vliw/effects.h"

namespace burin::vliw {
namespace {

constexpr int64_t kLeastOffset = -8, kMostOffset = 7;  // of whole vectors

// "rX = add(rB,#c)" of two registers.
bool is_address(const Instruction& i) {
  return !i.unknown() && i.form->key == "R=add(R,#)" && i.operands[2].has_value &&
         i.operands[0].first != i.operands[1].first;
}

bool writes(const Instruction& i, int r) { return effects_of(i).writes.has(r); }

// The accesses of vectors whose base is what instruction u writes; nullopt: it is read otherwise,
// or not in this iteration only.
std::optional<std::vector<size_t>> accesses_by(const std::vector<Instruction>& body, size_t u) {
  const int r = body[u].operands[0].first;
  std::vector<size_t> all;
  for (size_t k = u + 1; k <= u + body.size(); ++k) {
    const size_t v = k % body.size();
    const Instruction& i = body[v];
    const Effects e = effects_of(i);
    if (e.reads.has(r) || e.new_reads.has(r)) {
      if (k >= body.size() || !i.form->vector_access || i.form->post_increment ||
          i.form->base < 0 || i.form->offset < 0)
        return std::nullopt;
      for (size_t o = 0; o < i.operands.size(); ++o) {
        if (static_cast<int>(o) != i.form->base && i.operands[o].set.has(r)) return std::nullopt;
      }
      if (!i.operands[static_cast<size_t>(i.form->offset)].has_value) return std::nullopt;
      all.push_back(v);
    }
    if (e.writes.has(r)) {
      if (e.conditional) return std::nullopt;
      break;
    }
  }
  return all;
}

// Whether the accesses of u take the base that instruction `from` leaves, which is `less` bytes
// before theirs; then they do.
bool rebase(std::vector<Instruction>& body, size_t from, size_t u,
            const std::vector<size_t>& accesses) {
  const Operand& base = body[from].operands[0];
  const int64_t apart = body[u].operands[2].value - body[from].operands[2].value;
  const int source = body[u].operands[1].first;
  if (body[from].operands[1].first != source) return false;
  for (size_t k = from + 1; k <= accesses.back(); ++k) {
    if (writes(body[k], base.first) || (k < u && writes(body[k], source))) return false;
  }
  for (const size_t a : accesses) {
    const Instruction& i = body[a];
    const int64_t offset = i.operands[static_cast<size_t>(i.form->offset)].value;
    if (apart % i.form->bytes != 0) return false;
    const int64_t there = offset + apart / i.form->bytes;
    if (there < kLeastOffset || there > kMostOffset) return false;
  }
  for (const size_t a : accesses) {
    Instruction& i = body[a];
    i.operands[static_cast<size_t>(i.form->base)] = base;
    Operand& offset = i.operands[static_cast<size_t>(i.form->offset)];
    offset.value += apart / i.form->bytes;
    offset.text = std::to_string(offset.value);
  }
  return true;
}

}  // namespace

std::vector<Instruction> with_shared_bases(std::vector<Instruction> body,
                                           const RegisterSet& behind) {
  for (size_t u = 0; u < body.size(); ++u) {
    if (!is_address(body[u]) || behind.has(body[u].operands[0].first)) continue;
    const std::optional<std::vector<size_t>> accesses = accesses_by(body, u);
    if (!accesses || accesses->empty()) continue;
    for (size_t from = 0; from < u; ++from) {
      if (!is_address(body[from]) || !rebase(body, from, u, *accesses)) continue;
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(u));
      --u;
      break;
    }
  }
  return body;
}

}  // namespace burin::vliw
